"""Numbers that a brief takes for articles without saying so: «103-1 LJS», «24 y 120.3 CE». Pure functions."""

import re
from collections.abc import Iterator, Sequence

from rag.briefs import patterns
from rag.law.labels import fold
from rag.law.mentions import Mention, find, unannounced
from rag.law.norm_names import NUMBERED, NormCatalogue

LISTED_WITHIN = 160
"""Characters from «arts.» in which a number of the same sentence goes on with its list."""
_NUMBER = re.compile(r"(?<![\w./,:-])(?<!\d )\d{1,3}(?:\s(?:bis|ter|quater))?(?:\.\d{1,2})?(?![\w/%€])")
_LINK = re.compile(r"[\s,]*(?P<of>(?:de\s+la|del?)\s+)?")
_LISTED = re.compile(
    r"\b(?:[Aa]rts?|[Aa]rt[íi]culos?)\b(?![^¶]*\.\s+[A-Z])[^¶]*(?:\b(?:y|e|o|el|los|del|al)|[,;])\s+$"
)
_BEHIND = re.compile(r"(?<=[A-ZÑ]{2})\s\d{1,3}\.\d{1,2}(?![\w/.,]\d)")
"""«ET 64.5»."""
_ACRONYM = re.compile(r"\b[A-ZÑ]{2,8}$")


def mentions(text: str, catalogue: NormCatalogue) -> list[Mention]:
    """Every citation of a text in the usual form, in order, also those that nothing announces."""
    found = find(text)
    found += _numbers(text, fold(text), catalogue, found)
    return sorted(found, key=lambda one: (one.start, -one.end))


def _numbers(text: str, folded: str, catalogue: NormCatalogue, known: Sequence[Mention]) -> Iterator[Mention]:
    """The mentions of such numbers; a norm stands right beside each.

    Args:
        text: in the usual form; `folded` is its folding.
        known: mentions that have been found, inside which there are no others.
    """
    taken = {place for one in known if one.items for place in range(one.start, one.end)}
    for match in _NUMBER.finditer(folded):
        if match.start() in taken:
            continue
        mention = unannounced(text, folded, match.start())
        if mention is None:
            continue
        if _has_norm(mention, match, catalogue):
            yield mention
        elif "." in match[0] and patterns.SAME_TEXT.match(folded, mention.tail):
            yield mention._replace(weak=False)
    for match in _BEHIND.finditer(text):
        acronym = _ACRONYM.search(text, max(0, match.start() - 9), match.start())
        norm = catalogue.at(folded, acronym.start()) if acronym else None
        behind = unannounced(text, folded, match.start() + 1)
        if norm and norm.norm_id and behind and match.start() + 1 not in taken:
            yield behind._replace(weak=False)


def _has_norm(mention: Mention, number: re.Match[str], catalogue: NormCatalogue) -> bool:
    folded = mention.folded
    link = _LINK.match(folded, mention.tail)
    at = link.end() if link else mention.tail
    named = catalogue.at(folded, at)
    if named is None or named.norm_id is None:
        return False
    acronym = mention.source[at : named.end].isupper() and not NUMBERED.match(folded, at)
    if acronym and not (link and link["of"]):
        return True
    before = mention.source[max(0, number.start() - LISTED_WITHIN) : number.start()]
    return _LISTED.search(before.lower() if before.isupper() else before) is not None
