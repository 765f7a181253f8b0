"""Names of people: after words that announce one, and where the lists know a given and a family name.

Other capitalised words are not names: laws, courts, places and offices are the subject of a question.
"""

import re
from collections.abc import Iterator
from functools import cache

from masking.announcers import CALLS, OPENERS, Announcement, Trust, announcement
from masking.named_people import COMMON, FIRST, names
from masking.page import Page
from masking.plain import plain
from masking.reading import WORD, Read, capitals, lowered
from masking.spans import Span, person
from masking.surroundings import SIGHT, initials, is_line, is_other, is_public, opens
from masking.words import NO_NAMES, NO_PERSON
from text.textnorm import STOPWORDS

_WORD = re.compile(WORD)
_RUN = re.compile(rf"(?:{WORD}[ \t\u00a0]+){{1,3}}\Z")
# «J. M. Tortosa», «V.º B.º E. Malagón»; never «A. Disposiciones», an item of a list.
_INITIALLED = re.compile(
    r"(?<![\w.])(?:[A-ZÁÉÍÓÚ]\.(?:ª\.?)?[ ]?){2,3}(?P<name>[A-ZÁÉÍÓÚÑ][a-záéíóúñü]{3,})(?!\w)"
    r"|(?<=[ª°º] )[A-ZÁÉÍÓÚ]\. (?P<after>[A-ZÁÉÍÓÚÑ][a-záéíóúñü]{3,})(?!\w)"
)
_SAID_WHOLE = re.compile(r"\s*(?:[,.;)\n]|\Z|(?:la|el|y|de|del|trabajo|tengo|llevo)(?!\w))")


def find(page: Page) -> Iterator[Span]:
    """Every name of a person that is announced or known; they may overlap."""
    done = 0
    for word, start in page.places(_openers()):
        if start >= done:
            first, read = _name(page, word, start)
            done = read.end
            if read.end > first and not is_public(page.low, first, read.end):
                yield person(page.text, initials(page.text, first), read.end)
    for match in _INITIALLED.finditer(page.text):
        name = match["name"] or match["after"]
        if plain(name) not in NO_NAMES | NO_PERSON | STOPWORDS and not is_other(page, match.start()):
            yield person(
                page.text, match.start(), max(match.end(), capitals(page.text, match.end() - len(name)).end)
            )


@cache
def _openers() -> frozenset[str]:
    return OPENERS | names().given | names().family


def _name(page: Page, word: str, start: int) -> tuple[int, Read]:
    """Where the name begins that the word announces or is part of, and the name; it may be empty."""
    given, family = names()
    if word in OPENERS:
        first, read = _announced(page, start, word)
        if read.end > first:
            return first, read
    if page.text[start].isupper():
        if word in given:
            return _alone(page, start)
        if word in family:
            return _family(page, start)
    elif word in given and (word not in COMMON or word in FIRST):
        return _small(page, start)
    return start, Read(start)


def _announced(page: Page, start: int, word: str) -> tuple[int, Read]:
    """The name announced by the word at `start`, or an empty one."""
    found = announcement(page.low, start, word)
    if found is None:
        return start, Read(start)
    text, at = page.text, found.start
    read = capitals(text, at)
    if read.end > at or text[at : at + 1].isupper():
        return at, read if read.end > at and _is_sure(page, word, start, found, read) else Read(at)
    if not found.small:
        return at, read
    read = lowered(page.low, at, loosely=found.trust is Trust.CALLED)
    if found.trust is Trust.CALLED or not read.words:
        return at, read
    clear = any(word not in COMMON for word in read.words[:2])
    # «Soy encarnación, la mujer de…».
    clear = clear or (read.words[0] in FIRST and _SAID_WHOLE.match(page.low, read.end) is not None)
    more = len(read.words) > 1 or found.trust > Trust.HINT or found.greets
    return at, read if clear and more and (read.begins_with_given or found.title) and read.known else Read(at)


def _is_sure(page: Page, word: str, start: int, found: Announcement, read: Read) -> bool:
    """True if what follows the announcement is a name, as far as the announcement can be trusted."""
    alone = len(read.words) == 1
    if found.title in ("d", "d.") and alone:
        # «D. Prestaciones» is the fourth item of a list.
        return read.known or bool(page.text[:start].rpartition("\n")[2].strip(" \t-•*#"))
    if found.trust >= Trust.OWN:
        return True
    if is_other(page, found.start) or any(word in NO_PERSON for word in read.words):
        return False
    clear = read.words[0] not in COMMON or (
        read.words[0] in FIRST and page.text[read.end : read.end + 1] in (",", ")")
    )
    # «La señora se llama Mercedes y vive…»
    clear = clear or (
        word in CALLS and read.words[0] in FIRST and _SAID_WHOLE.match(page.low, read.end) is not None
    )
    if found.trust is Trust.HINT:
        # «El jefe de obra, Zamorano, lo sabía»
        parted = (
            page.text[found.start - 2 : found.start] == ", " and page.text[read.end : read.end + 1] == ","
        )
        if alone and parted and read.words[0] in names().family - COMMON:
            return True
        return (read.begins_with_given and (clear or not alone)) or (not alone and read.known)
    # «Contra Incendios y Robos» names things, not a person.
    pair = len(re.split(r"\s[ye]\s", page.text[found.start : read.end])[0].split()) > 1
    return (read.known and (clear or not alone)) or pair


def _alone(page: Page, start: int) -> tuple[int, Read]:
    """The name that begins with the given name at `start` and goes on, or an empty one."""
    read = capitals(page.text, start)
    rest = read.words[1:]
    if not read.words or any(word in NO_PERSON for word in rest) or is_other(page, start):
        return start, Read(start)
    if not rest:
        # `masking.alone` judges it by what stands around it.
        sure = False
    elif read.words[0] in COMMON:
        known = all(word in names().family or word in names().given for word in rest)
        sure = known or (len(rest) > 1 and is_line(page.text, start, read.end))
        sure = sure or (
            read.words[0] in FIRST
            and not opens(page.text, start)
            and not page.text[start : read.end].isupper()
        )
    else:
        sure = True
    return start, read if sure else Read(start)


def _small(page: Page, start: int) -> tuple[int, Read]:
    """The given and the family name in small letters at `start`, or an empty one."""
    read = lowered(page.low, start, loosely=False)
    sure = any(word in names().family and word not in COMMON for word in read.words[1:])
    return start, read if sure and not is_other(page, start) else Read(start)


def _family(page: Page, start: int) -> tuple[int, Read]:
    """The name whose family name is at `start`, after a capitalised word that is no known name."""
    text = page.text
    whole = capitals(text, start)
    known = all(word in names().given or word in names().family for word in whole.words)
    if is_other(page, start):
        return start, Read(start)
    if (
        known
        and len(whole.words) > 1
        and whole.words[-1] in names().given
        and not {*whole.words} & NO_PERSON
        and (len(whole.words) > 2 or not {*whole.words} & COMMON)
    ):
        return start, whole
    line = max(text.rfind("\n", 0, start) + 1, start - SIGHT)
    run = _RUN.search(text, line, start)
    for word in _WORD.finditer(text, run.start(), start) if run else ():
        key = plain(word[0])
        if not word[0][0].isupper() or key in NO_NAMES | STOPWORDS | NO_PERSON:
            continue
        read = capitals(text, word.start())
        if read.end <= start or any(one in NO_PERSON for one in read.words) or is_other(page, word.start()):
            continue
        if is_line(text, word.start(), read.end) or not opens(text, word.start()):
            return word.start(), read
    return start, Read(start)
