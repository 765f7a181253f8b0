"""Names of people: after words that announce one, and where the lists know a given and a family name.

Other capitalised words are not names: laws, courts, places and offices are the subject of a question.
"""

import re
from collections.abc import Iterator
from functools import cache

from rag.privacy.announcers import OPENERS, Announcement, Trust, announcement
from rag.privacy.capitals import NO_NAMES, NO_PERSON
from rag.privacy.page import Page
from rag.privacy.people import COMMON, FIRST, names
from rag.privacy.plain import plain
from rag.privacy.reading import WORD, Read, capitals, lowered
from rag.privacy.spans import Span, person
from rag.text.textnorm import STOPWORDS

SIGHT = 60
"""Characters before a name that tell what it is."""
_WORD = re.compile(WORD)
_RUN = re.compile(rf"(?:{WORD}[ \t\u00a0]+){{1,3}}\Z")
# Judgments and laws are called by names, and so are saints, streets and diseases.
_OTHER = re.compile(
    r"(?<!\w)(?:(?:ley|leyes|caso|asunto|sentencia|doctrina|stjue|tjue en|criterio|rey|reina|convenio"
    r"|programa|plan|informe"
    r"|ministr[oa]|isla|sierra|casa)|(?:san|santa|santo|sant|virgen|hospital|colegio|instituto"
    r"|universidad|fundacion|premio"
    r"|calle|plaza|avenida|paseo|nuestra|escuela|centro|teatro|estadio|puerto|aeropuerto|estacion|parque"
    r"|hotel|rambla"
    r"|carrer|carretera|camino|ronda|travesia|glorieta|avda\.?|c/|via|sindrome|enfermedad|trastorno)"
    r"(?: de| del| de la)?)"
    r"[\s«\"(]*\Z"
)
_ARTICLE = re.compile(
    r"(?<!\w)(?:el|la|en|na|al|del|a|con|de|y|e|dice|dijo|amb|per|llama|llamo|escribe|escribio|pregunta"
    r"|firmo|hablo|o)\s\Z"
)
_LISTED = re.compile(
    r"\b(?:[Dd]octrinas?|[Cc]asos?|[Aa]suntos?|[Ss]entencias?)(?: [A-ZÁÉÍÓÚÑ]\w+,?(?: y| e)?)+ \Z"
)
# Who signs a law does so in public.
_SIGNS_LAW = re.compile(
    r"\n\s*(?:el|la) (?:vicepresident[ea]|president[ea] (?:del (?:gobierno|senado|congreso)"
    r"|de las cortes)|ministr[oa])[^.:;]{0,220}\Z"
)
_KING = re.compile(
    r"(?:juan carlos|felipe)(?: (?:r|[ivx]+)\b|\s*\n\s*(?:el|la) (?:president|ministr|vicepresident))"
)


def find(page: Page) -> Iterator[Span]:
    """Every name of a person that is announced or known; they may overlap."""
    done = 0
    for word, start in page.places(_openers()):
        if start >= done:
            first, read = _name(page, word, start)
            done = read.end
            if read.end > first and not _is_public(page.low, first):
                yield person(page.text, first, read.end)


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
    elif word in given and word not in COMMON:
        return _small(page, start)
    return start, Read(start)


def _is_public(low: str, start: int) -> bool:
    return bool(_KING.match(low, start) or _SIGNS_LAW.search(low, max(0, start - 300), start))


def _announced(page: Page, start: int, word: str) -> tuple[int, Read]:
    """The name announced by the word at `start`, or an empty one."""
    found = announcement(page.low, start, word)
    if found is None:
        return start, Read(start)
    text, at = page.text, found.start
    read = capitals(text, at)
    if read.end > at or text[at : at + 1].isupper():
        return at, read if read.end > at and _is_sure(page, start, found, read) else Read(at)
    if not found.small:
        return at, read
    read = lowered(page.low, at, loosely=found.trust is Trust.CALLED)
    if found.trust is Trust.CALLED or not read.words:
        return at, read
    clear = read.words[0] not in COMMON or (len(read.words) > 1 and read.words[1] not in COMMON)
    more = len(read.words) > 1 or found.trust > Trust.HINT or found.greets
    return at, read if clear and more and (read.begins_with_given or found.title) and read.known else Read(at)


def _is_sure(page: Page, start: int, found: Announcement, read: Read) -> bool:
    """True if what follows the announcement is a name, as far as the announcement can be trusted."""
    alone = len(read.words) == 1
    if found.title in ("d", "d.") and alone:
        # «D. Prestaciones» is the fourth item of a list.
        return read.known or bool(page.text[:start].rpartition("\n")[2].strip(" \t-•*#"))
    if found.trust >= Trust.OWN:
        return True
    if _is_other(page, found.start) or any(word in NO_PERSON for word in read.words):
        return False
    clear = read.words[0] not in COMMON
    if found.trust is Trust.HINT:
        return (read.begins_with_given and (clear or not alone)) or (not alone and read.known)
    # «Contra Incendios y Robos» names things, not a person.
    pair = len(re.split(r"\s[ye]\s", page.text[found.start : read.end])[0].split()) > 1
    return (read.known and (clear or not alone)) or pair


def _alone(page: Page, start: int) -> tuple[int, Read]:
    """The name that begins with the given name at `start` and goes on, or an empty one."""
    read = capitals(page.text, start)
    rest = read.words[1:]
    if not read.words or any(word in NO_PERSON for word in rest) or _is_other(page, start):
        return start, Read(start)
    if not rest:
        # «La Marta no cobra», and the signature «Marta».
        called = _ARTICLE.search(page.low, max(0, start - SIGHT), start) or _is_whole_line(
            page.text, start, read.end
        )
        sure = bool(called) and read.words[0] not in COMMON | NO_PERSON and len(read.words[0]) > 3
    elif read.words[0] in COMMON:
        known = all(word in names().family or word in names().given for word in rest)
        sure = known or (len(rest) > 1 and _is_line(page.text, start, read.end))
        sure = sure or (
            read.words[0] in FIRST
            and not _opens(page.text, start)
            and not page.text[start : read.end].isupper()
        )
    else:
        sure = True
    return start, read if sure else Read(start)


def _small(page: Page, start: int) -> tuple[int, Read]:
    """The given and the family name in small letters at `start`, or an empty one."""
    read = lowered(page.low, start, loosely=False)
    if len(read.words) == 1 and len(read.words[0]) > 3 and _is_whole_line(page.text, start, read.end):
        return start, read
    sure = any(word in names().family and word not in COMMON for word in read.words[1:])
    return start, read if sure and not _is_other(page, start) else Read(start)


def _family(page: Page, start: int) -> tuple[int, Read]:
    """The name whose family name is at `start`, after a capitalised word that is no known name."""
    text = page.text
    whole = capitals(text, start)
    known = all(word in names().given or word in names().family for word in whole.words)
    if _is_other(page, start):
        return start, Read(start)
    if (
        known
        and len(whole.words) > 1
        and whole.words[-1] in names().given
        and not {*whole.words} & (NO_PERSON | COMMON)
    ):
        return start, whole
    line = max(text.rfind("\n", 0, start) + 1, start - SIGHT)
    run = _RUN.search(text, line, start)
    for word in _WORD.finditer(text, run.start(), start) if run else ():
        key = plain(word[0])
        if not word[0][0].isupper() or key in NO_NAMES | STOPWORDS | NO_PERSON:
            continue
        read = capitals(text, word.start())
        if read.end <= start or any(one in NO_PERSON for one in read.words) or _is_other(page, word.start()):
            continue
        if _is_line(text, word.start(), read.end) or not _opens(text, word.start()):
            return word.start(), read
    return start, Read(start)


def _is_line(text: str, start: int, end: int) -> bool:
    """True if the name has a line for itself, or opens an item of a list."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return not before.strip(" \t-•*·") and text[end : end + 1] in ("", "\n", ",")


def _is_whole_line(text: str, start: int, end: int) -> bool:
    before = text[text.rfind("\n", 0, start) + 1 : start]
    # «[10:23] Omar: sí» tells who speaks.
    speaks = text[end : end + 1] == ":" and (not before.strip(" \t-•*·") or before.rstrip().endswith("]"))
    return speaks or (_is_line(text, start, end) and text[end : end + 1] != "," and "\n" in text)


def _opens(text: str, start: int) -> bool:
    """True if a sentence begins here: any word has a capital there."""
    before = text[max(0, start - SIGHT) : start].rstrip(' \t\u00a0«"¿¡(')
    return not before or before[-1] in ".:;?!\n…"


def _is_other(page: Page, start: int) -> bool:
    """True if the words before say that this is a judgment, a law, a street or a saint."""
    first = max(0, start - SIGHT)
    # «De Diego Porras» is a judgment's name; «el caso de Diego Porras» is a case of his.
    if page.text.startswith("De ", start - 3):
        return True
    return bool(_OTHER.search(page.low, first, start) or _LISTED.search(page.text, first, start))
