"""Words that announce a person's name, and how far each can be trusted: «me llamo», «D.ª», «mi clienta»."""

import re
from collections.abc import Callable
from enum import IntEnum
from functools import partial

from masking.finder import PERSON, Finder, Page, Place
from masking.named_people import COMMON, FIRST, names
from masking.names import Read, capitals, initials, is_other, is_public, lowered
from masking.words import NO_PERSON, WORDS, either


class Trust(IntEnum):
    """Text that must follow for it to be a name."""

    HINT = 0
    """A known given name, or two words one of which is known."""
    ROLE = 1
    """A known name, or two words."""
    OWN = 2
    """A capital."""
    CALLED = 3
    """Anything, also in small letters."""


_SINGULAR = (
    {stem + ending for stem in WORDS["roles_gendered"] for ending in "oa"}
    | {stem + ending for stem in WORDS["roles_agents"] for ending in ("", "a")}
    | WORDS["roles_plain"]
)
_ROLES = frozenset(_SINGULAR | {f"{word}{ending}" for word in _SINGULAR for ending in ("s", "es")})
_LABELS, _TITLES, _HINTS, _CALLS = WORDS["labels"], WORDS["titles"], WORDS["hints"], WORDS["calls"]
_S = r"[ \t]+"
_TITLE = (
    r"(?:(?:d\.?ª\.?|d\.|d(?=[ ])|dn[aª]?\.?|don(?! de gentes)|dona|sr(?:es|a|as|ta)?\.?|seny?or(?:a|es|ita)?"
    r"|sor|fray|excm[oa]\.|ilm[oa]\.|dr\.|dra\.|lic\.|lc?d[oa]\.|doctora?)(?!\w))"
)
_QUOTE = r"[«\"“]?"
_TITLED = re.compile(
    rf"(?P<title>{_TITLE})(?:/a|\(a\)|(?:(?<=es)|(?<=es\.)){_S}de(?!\w))?"
    rf"(?:\s*/?\s*{_TITLE}){{0,3}}:?(?:[ \t]*\n?[ \t]*){_QUOTE}"
)
_CALLED = re.compile(rf"{either('called')}(?:{_S}|:\s*)(?:{_TITLE}\s*)?")
_NAMED = re.compile(rf"(?P<word>{either('named')}){_S}(?:el{_S}|la{_S})?(?:{_TITLE}\s*)?{_QUOTE}")
_LABEL = re.compile(
    rf"(?P<word>\w+)(?:/a|\(a\)|{_S}?\d\.?[ºo°ª]?)?(?:{_S}{either('label_goes_on')}(?:{_S}\w+(?:/a)?)?)?\.?"
    rf"(?:\s*[:=]\s*|[ \t]*[\t|][ \t]*|[ \t]*\.{{3,80}}[ \t]*)(?:{_TITLE}\s*){{0,3}}"
)
_ROLE = re.compile(
    rf"(?P<word>\w+)(?:/[oa]s?|\([oa]s?\)|\.(?=\s*:))?(?:-juez)?"
    rf"(?:{_S}(?:(?:de|del)(?:{_S}la)?{_S}{either('role_of')}|{either('role_goes_on')})(?!\w)){{0,3}}"
    rf"(?P<gap>\s*[:=]\s*(?:[-•*]?\s*)?(?:1\.\s)?|[ \t]*[,(–—|][ \t\n]*|{_S}|[ \t]*\n[ \t]*)"
    rf"(?:{_TITLE}\s*){{0,3}}{_QUOTE}"
)
_HINT = re.compile(
    rf"(?P<word>\w+)(?:{_S}{either('hint_goes_on')}(?!\w)){{0,3}}[.,:;!]?\s+(?:{_TITLE}\s*){{0,3}}"
)
_OWN = re.compile(rf"{either('own')}{_S}(?:ex[- ]?)?\Z")
_PAIRED = re.compile(r"(?:instancias? de|contra|frente a|nombre de|representacion de|seguid[oa]s por)\s+\Z")
SAID_WHOLE = re.compile(r"\s*(?:[,.;)\n]|\Z|(?:la|el|y|de|del|trabajo|tengo|llevo)(?!\w))")


def _name(
    page: Page, match: re.Match[str], trust: Trust, *, small: bool = True, one: bool = False
) -> Place | None:
    """The name after an announcement.

    Args:
        small: it may be in small letters.
        one: one word of them is enough.
    """
    text, at = page.text, match.end()
    read = capitals(text, at)
    if read.end > at or text[at : at + 1].isupper():
        found = read.end > at and _is_sure(page, match, trust, read)
    elif small:
        read = lowered(page.low, at, loosely=trust is Trust.CALLED)
        found = read.end > at and (trust is Trust.CALLED or _is_small_name(page, match, trust, read, one))
    else:
        return None
    if not found or is_public(page.low, at, read.end):
        return None
    return initials(text, at), read.end


def _is_small_name(page: Page, match: re.Match[str], trust: Trust, read: Read, one: bool) -> bool:
    """True for a known name in small letters that is no word of every day."""
    # «Soy encarnación, la mujer de…».
    whole = read.words[0] in FIRST and SAID_WHOLE.match(page.low, read.end) is not None
    clear = whole or any(word not in COMMON for word in read.words[:2])
    more = len(read.words) > 1 or trust > Trust.HINT or one
    return clear and more and read.known and (read.begins_with_given or "title" in match.groupdict())


def _is_sure(page: Page, match: re.Match[str], trust: Trust, read: Read) -> bool:
    """True if what follows the announcement is a name, as far as the announcement can be trusted."""
    text, at, alone = page.text, match.end(), len(read.words) == 1
    first, after = read.words[0], page.text[read.end : read.end + 1]
    if trust >= Trust.OWN:
        return True
    if is_other(page, at) or any(word in NO_PERSON for word in read.words):
        return False
    # «La señora se llama Mercedes y vive…»
    called = match["word"] in _CALLS and SAID_WHOLE.match(page.low, read.end) is not None
    clear = first not in COMMON or (first in FIRST and (after in (",", ")") or called))
    if trust is Trust.HINT:
        # «El jefe de obra, Zamorano, lo sabía»
        parted = alone and text[at - 2 : at] == ", " and after == "," and first in names().family - COMMON
        return parted or (read.begins_with_given and (clear or not alone)) or (not alone and read.known)
    # «Contra Incendios y Robos» names things, not a person.
    pair = len(re.split(r"\s[ye]\s", text[at : read.end])[0].split()) > 1
    return (read.known and (clear or not alone)) or pair


def _titled(page: Page, match: re.Match[str]) -> Place | None:
    found = _name(page, match, Trust.OWN)
    alone = found is not None and " " not in page.text[match.end() : found[1]]
    if found and alone and match["title"] in ("d", "d."):
        # «D. Prestaciones» is the fourth item of a list.
        item = not page.text[: match.start()].rpartition("\n")[2].strip(" \t-•*#")
        return None if item and not Read(0, (page.low[match.end() : found[1]],)).known else found
    return found


def _named(page: Page, match: re.Match[str]) -> Place | None:
    return _name(page, match, Trust.OWN if match["word"] in WORDS["nicknames"] else Trust.ROLE)


def _labelled(page: Page, match: re.Match[str]) -> Place | None:
    return _name(page, match, Trust.OWN if match["word"] in WORDS["names"] else Trust.ROLE)


def _in_role(page: Page, match: re.Match[str]) -> Place | None:
    gap = match["gap"]
    labelled = ":" in gap or "=" in gap
    if match["word"] not in _SINGULAR and not labelled:
        # «Los trabajadores Autónomos» tells what they are, not who.
        return _name(page, match, Trust.HINT)
    own = _OWN.search(page.low, max(0, match.start() - 20), match.start())
    if own and gap.isspace():
        return _name(page, match, Trust.OWN)
    return _name(page, match, Trust.ROLE if own or labelled or gap.isspace() else Trust.HINT)


def _hinted(page: Page, match: re.Match[str]) -> Place | None:
    paired = _PAIRED.search(page.low, match.start(), match.end()) is not None
    greets = match["word"] in WORDS["greetings"]
    return _name(page, match, Trust.ROLE if paired else Trust.HINT, small=paired or greets, one=greets)


def _row(
    form: re.Pattern[str], opens: frozenset[str], reads: Callable[[Page, re.Match[str]], Place | None]
) -> Finder:
    return Finder(PERSON, form, opens, reads=reads)


FINDERS = (
    _row(_TITLED, _TITLES, _titled),
    _row(_CALLED, _CALLS, partial(_name, trust=Trust.CALLED)),
    _row(_NAMED, _CALLS, _named),
    _row(_LABEL, _LABELS, _labelled),
    _row(_ROLE, _ROLES, _in_role),
    _row(_HINT, _HINTS, _hinted),
)
