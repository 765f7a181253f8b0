"""Numbers that a brief takes for articles without saying so: «103-1 LJS», «24 y 120.3 CE». Pure functions."""

import re
from collections.abc import Iterator, Sequence

from casework.briefs import forms
from casework.briefs.bare_numbers import elliptic
from law.labels import fold
from law.norm_names import NUMBERED, Named, NormCatalogue
from law.reference_reading import Mention, find_mentions, unannounced

LISTED_WITHIN = 160
"""Characters from «arts.» in which a number of the same sentence goes on with its list."""
_NUMBER = re.compile(
    r"(?<![\w./,:-])(?<!\d )(?!(?:19|20)\d\d\b)\d{1,4}(?:\s(?:bis|ter|quater))?(?:\.\d{1,2})?(?![\w/%€])"
)
_DETERMINED = re.compile(r"\b(?:el|del|al)\s$")
_LINK = re.compile(r"[\s,]*(?P<of>(?:de\s+la|del?)\s+)?")
_LISTED = re.compile(
    r"\b(?:[Aa]rts?|[Aa]rt[íi]culos?)\b(?![^¶]*\.\s+[A-Z])[^¶]*(?:\b(?:y|e|o|el|los|del|al)|[,;])\s+$"
)
_POINTED = re.compile(r"\d\s?\.\s?\w|\)|\s(?:bis|ter|quater)\b")
_BEHIND = re.compile(r"(?<=[A-ZÑ]{2})(?:,?\s\d{1,3}\.\d{1,2}|,\s\d{1,3}\.?[a-zñ]\))(?![\w/]|[.,]\d)")
"""«ET 64.5», «LISOS, 8.10», «ET, 52.c)»."""
_ALONE_BEHIND = re.compile(r"(?<=[A-ZÑ]{2}),\s\d{1,3}(?=\s*[|)])")
"""«| LPRL, 48 |», «(LRJS, 103)»."""
_ALONE = re.compile(r"[(|]\s*(?:(?:[Cc]fr|[Vv]id|[Vv]er)\.?\s)?$")
_ACRONYM = re.compile(r"\b[A-ZÑ]{2,8}$")
_NO_MEASURE = re.compile(rf"(?={forms.CLOSED})|\s(?:y|e|o)\s")
_NAMED_BEHIND = re.compile(r"\s*,\s*(?=[A-ZÑ]{2})")


def mentions(text: str, catalogue: NormCatalogue) -> list[Mention]:
    """Every citation of a text in the usual form, in order, also those that nothing announces."""
    folded = fold(text)
    found = [one for one in find_mentions(text) if not (one.weak and one.items) or _beside(one, catalogue)]
    found += _numbers(text, folded, catalogue, found)
    found += elliptic(text, folded, found)
    return sorted((_before_comma(one, catalogue) for one in found), key=lambda one: (one.start, -one.end))


def _before_comma(mention: Mention, catalogue: NormCatalogue) -> Mention:
    """The mention whose norm stands behind a comma: «26, nº 3, LRJS»."""
    comma = _NAMED_BEHIND.match(mention.source, mention.tail) if mention.items else None
    named = catalogue.at(mention.folded, comma.end()) if comma else None
    if comma is None or named is None or not mention.source[comma.end() : named.end].isupper():
        return mention
    taken = NUMBERED.match(mention.folded, comma.end()) or forms.OF_THE_NEXT.match(mention.folded, named.end)
    return mention if taken else mention._replace(tail=comma.end())


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
        elif (
            "." in match[0] or _DETERMINED.search(folded, max(0, match.start() - 5), match.start())
        ) and forms.SAME_TEXT.match(folded, mention.tail):
            yield mention._replace(weak=False)
    for pattern in (_BEHIND, _ALONE_BEHIND):
        for match in pattern.finditer(text):
            acronym = _ACRONYM.search(text, max(0, match.start() - 9), match.start())
            norm = catalogue.at(folded, acronym.start()) if acronym else None
            start = match.start() + len(match[0]) - len(match[0].lstrip(" ,"))
            behind = unannounced(text, folded, start)
            if (
                not (acronym and norm and norm.norm_id and behind)
                or start in taken
                or behind.end < match.end()
            ):
                continue
            bare = pattern is _BEHIND and not match[0].startswith(",")
            opened = pattern is _BEHIND or _ALONE.search(text, max(0, acronym.start() - 9), acronym.start())
            if bare or (opened and _NO_MEASURE.match(folded, behind.end)):
                yield behind._replace(weak=False)


def _beside(mention: Mention, catalogue: NormCatalogue) -> Named | None:
    """The norm whose name stands right behind a number."""
    link = _LINK.match(mention.folded, mention.tail)
    return catalogue.at(mention.folded, link.end() if link else mention.tail)


def _has_norm(mention: Mention, number: re.Match[str], catalogue: NormCatalogue) -> bool:
    folded = mention.folded
    link = _LINK.match(folded, mention.tail)
    at = link.end() if link else mention.tail
    named = catalogue.at(folded, at)
    if named is None or named.norm_id is None:
        return False
    if _POINTED.search(folded, number.start(), mention.tail):
        return forms.COUNTED.search(folded, max(0, number.start() - 20), number.start()) is None
    acronym = mention.source[at : named.end].isupper() and not NUMBERED.match(folded, at)
    if acronym and not (link and link["of"]):
        return True
    if _DETERMINED.search(folded, max(0, number.start() - 5), number.start()):
        return True
    before = mention.source[max(0, number.start() - LISTED_WITHIN) : number.start()]
    return _LISTED.search(before.lower() if before.isupper() else before) is not None
