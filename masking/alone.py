"""Given names and surnames that stand alone, where the words around them speak of a person.

«Se lo dije a Wilmer», «la Pepi cobra más», «Kike lleva sin pagarnos», «Merino responde que…», «antonia se
jubila», «Óliver, no hay acuerdo», «CHEN, WEIWEI». So does a name that was found beside it: «Rosaura y Fatou».
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from masking.named_people import COMMON, FIRST, names
from masking.page import Page
from masking.plain import plain
from masking.reading import WORD
from masking.spans import PERSON, Span, person
from masking.surroundings import SIGHT, initials, is_other, is_public, is_whole_line, opens
from masking.words import NO_NAMES, NO_PERSON, WORDS
from text.textnorm import STOPWORDS

SHORTEST, SHORTEST_SMALL = 3, 4
_WORD = re.compile(WORD)
_S = r"[ \t\u00a0]+"
_ACTS = "|".join(sorted(WORDS["acts"], key=len, reverse=True))
_SAYS = "|".join(sorted(WORDS["says"], key=len, reverse=True))
_PRONOUNS = (
    rf"(?:(?:no|ya|se|me|te|le|lo|la|nos|os|les|tambien|tampoco|siempre|nunca|solo|aun|todavia){_S}){{0,4}}"
)
# «Dolores no ha venido», «Moha y yo», «Susana la de nóminas».
_DOES = re.compile(
    rf"{_S}{_PRONOUNS}(?:{_ACTS})(?!\w)|{_S}(?:y|o|ni){_S}yo(?!\w)|{_S}(?:el|la){_S}de(?:l|{_S})"
)
_SPEAKS = re.compile(
    rf"{_S}{_PRONOUNS}(?:dice|dijo|pregunta|pregunto|responde|respondio|contesto|comento|insiste|se{_S}jubila)(?!\w)"
    rf"|{_S}(?:el|la){_S}de(?:l|{_S})"
)
_SAID = re.compile(
    r"(?<!\w)(?:dice|dijo|dicho|pregunta|pregunto|segun|comenta|comento|contesta|contesto)\s+(?:el\s|la\s)?\Z"
)
_SAYING = re.compile(rf"[,.;:)\n]|\Z|{_S}(?:que|q|k|la|el|no|si|y)(?!\w)")
_IS_SAID = re.compile(rf"{_S}{_PRONOUNS}(?:{_SAYS})(?!\w)")
_FREE = re.compile(
    r"(?:\A|[.,;:¿?¡!()\n\"«]\s*|(?<!\w)(?:que|si|y|e|pero|porque|xq|cuando|donde|pues|luego|entonces|k|como|a|con"
    r"|de|por|para|sin|entre|la|el|segun|o|ni|dice|dijo|mi|tu|su)\s+)\Z"
)
_TOLD = re.compile(
    r"(?<!\w)(?:(?:dij|dig|dic|dil|dec|pregunt|avis|llam|escrib|mand|despid|despe|ech|pag|denunci|ascend|contrat|cambi"
    r"|sustitu|cubr|habl|trasl)\w*(?: (?:otra vez|ayer|hoy|luego))?)\s+(?:a|con|por)\s+(?:la\s+|el\s+)?\Z"
)
_KIN = re.compile(
    r"(?<!\w)(?:mujer|marido|madre|padre|hij[oa]s?|viud[oa]|herman[oa]s?|novi[oa]|pareja|suegr[oa]|cunad[oa]|nuera"
    r"|yerno|prim[oa]|sobrin[oa]|tio|tia|abuel[oa]|hered\w+|jef[ea]|companer[oa])\s+(?:de|del)\s+\Z"
)
# «La liquidación de Cifuentes», «llama Peláez otra vez».
_OWNS = re.compile(
    r"(?<!\w)(?:(?:liquidacion|nomina|nominas|demanda|expediente|carta|finiquito|contrato|baja|alta|juicio|vista"
    r"|senalamiento|papeleta|turno|mesa|puesto|vacaciones|moto|coche|declaracion|testimonio|abogad[oa]|cliente|parte"
    rf"|el|la|lo|los|las)\s+de|{_SAYS})\s+\Z"
)
_JOINS = re.compile(r"(?:\s*[,/]\s*|\s+(?:y|e|o|ni|i)\s+)(?:(?:a|con|de)\s+)?(?:(?:el|la)\s+)?\Z")
_CELL_BEFORE = re.compile(r"(?:\A|[\n|\t;]|[ ]{2})[ \t•*·-]*\Z")
_CELL_AFTER = re.compile(r"[ \t]*(?:\Z|[\n|\t;]|[ ]{2})")
_TURNED = re.compile(
    rf"(?:\A|(?<=[\n|;\t])|(?<=\d[.)] )|(?<=[–-] ))[ \t]*(?P<name>(?:{WORD}[ \t]+){{0,3}}{WORD}),[ \t]+\Z"
)
_TURNED_END = re.compile(r"[ \t]*(?:\Z|[\n|;\t–(—-]|:[ \t]|[ \t]{2}|\d)")
_MARIA = re.compile(r"(?<!\w)[Mm]\.?[ ]?ª\.?[ ]\Z")
_MORE = re.compile(rf"[ \t](?P<word>{WORD})")
_NAMED = r"[A-ZÁÉÍÓÚ][a-záéíóúñ]{2,20}(?!\w)"
_LIST = re.compile(rf"(?<!\w){_NAMED}(?:, {_NAMED}){{1,8}},? [ye] {_NAMED}")
_SLASHED = re.compile(rf"/(?P<word>{WORD})")
# A longer name, an address of mail or a path.
_GOES_ON = re.compile(rf"{_S}[A-ZÁÉÍÓÚÑ]\w|[.]\w|[@_]")
_GREETS = WORDS["greetings"] | WORDS["hints"] | WORDS["calls"]


@cache
def _clear_names() -> frozenset[str]:
    return (names().given | names().family) - COMMON


@cache
def _openers() -> frozenset[str]:
    return names().given | names().family


def find(page: Page, found: Sequence[Span]) -> Iterator[Span]:
    """Every name alone that is not in what has been found, which is in order."""
    yield from _lists(page.text)
    before: Span | None = None
    rest = iter([*found, Span(len(page.text), len(page.text), "", "")])
    following = next(rest)
    for word, start in page.places(_openers()):
        while following.end <= start:
            before, following = following, next(rest)
        whole = _WORD.match(page.text, start)
        if (
            following.start <= start
            or whole is None
            or (before and start < before.end)
            or _is_inside(page.text, start)
        ):
            continue
        name = _name(page, word, start, whole.end(), before)
        if name is not None and name[1] <= following.start:
            before = person(page.text, *name)
            yield before


def _lists(text: str) -> Iterator[Span]:
    """«Mar, Sol y Consuelo»: three given names or more are persons, whatever else the words may be."""
    for match in _LIST.finditer(text):
        words = list(_WORD.finditer(text, *match.span()))
        items = [word for word in words if word[0] not in ("y", "e")]
        if all(plain(word[0]) in names().given for word in items):
            yield from (person(text, *word.span()) for word in items)


def _is_inside(text: str, start: int) -> bool:
    """True within a double word, an address of mail or a path."""
    return text[start - 1 : start] in ("-", "'", "’", "_", "@", ".") and text[start - 2 : start - 1].isalnum()


def _name(page: Page, word: str, start: int, end: int, before: Span | None) -> tuple[int, int] | None:
    """Start and end of the name whose word is at `start`, or None."""
    text, given = page.text, word in names().given
    clear = given and word not in COMMON
    if end - start < SHORTEST or is_other(page, start) or is_public(page.low, start, end):
        return None
    if text[start].islower():
        small = clear and word not in NO_PERSON and end - start >= SHORTEST_SMALL
        return (start, end) if small and _is_person_in_small(page, start, end, before) else None
    turned = _turned(text, start, end) if given else None
    maria = _MARIA.search(text, max(0, start - 6), start) if given else None
    if turned or maria:
        return turned or (maria.start() if maria else start, end)
    if word in NO_PERSON or _GOES_ON.match(text, end):
        return None
    acts = word in FIRST and _is_free(page, start) and _DOES.match(page.low, end)
    joined = word not in COMMON and (_is_joined(page, start, before) or _is_slashed(text, end))
    if joined or acts or (clear and _is_clear(page, start, end)):
        return start, end
    return (initials(page.text, start), end) if _is_surname(page, word, start, end) else None


def _is_free(page: Page, start: int) -> bool:
    """True where the subject of a sentence may stand."""
    return _FREE.search(page.low, max(0, start - SIGHT), start) is not None


def _is_surname(page: Page, word: str, start: int, end: int) -> bool:
    """True if a family name with a capital names somebody: by its initials, by what is said, by its cell."""
    if word not in names().family or word in NO_NAMES:
        return False
    says = _IS_SAID.match(page.low, end) is not None
    if word in COMMON:
        # «Merino responde que…».
        return says and opens(page.text, start)
    owns = _OWNS.search(page.low, max(0, start - SIGHT), start) is not None
    return says or owns or initials(page.text, start) < start or _is_cell(page.text, start, end)


def _is_clear(page: Page, start: int, end: int) -> bool:
    """True if a given name with a capital, which is no word of every day, names somebody here."""
    text, low = page.text, page.low
    if text[start:end].isupper() and end - start <= 4:
        return False
    if is_whole_line(text, start, end) or _is_cell(text, start, end):
        return True
    if opens(text, start):
        return True
    previous = _PREVIOUS.search(text, max(0, start - 30), start)
    if previous is None:
        return True
    key = plain(previous["word"])
    # «En Marta confío», not «en Marín»; not «Plan Galileo».
    if key == "en":
        return _DOES.match(low, end) is not None
    # A sentence begins with «Pero» or «Llamó».
    return previous["word"].islower() or key in _ARTICLES | STOPWORDS or key in WORDS["acts"]


_PREVIOUS = re.compile(r"(?P<word>[^\W\d_]+)[ \t\n«\"(]+\Z")
_ARTICLES = {"el", "la", "los", "las", "a", "de", "con", "y"} | _GREETS


def _is_person_in_small(page: Page, start: int, end: int, before: Span | None) -> bool:
    """True if the words around a given name in small letters are those around a person."""
    low, first = page.low, max(0, start - SIGHT)
    return bool(
        _TOLD.search(low, first, start)
        or _KIN.search(low, first, start)
        or _SPEAKS.match(low, end)
        or _is_free(page, start)
        or (_SAID.search(low, first, start) and _SAYING.match(low, end))
        or _is_joined(page, start, before)
        or is_whole_line(page.text, start, end)
    )


def _is_joined(page: Page, start: int, before: Span | None) -> bool:
    """True after another name: «Rosaura y Fatou»."""
    if before is None or before.kind != PERSON or start - before.end > 12:
        return False
    return _JOINS.fullmatch(page.low, before.end, start) is not None


def _is_cell(text: str, start: int, end: int) -> bool:
    """True if the name has a cell of a row for itself."""
    return bool(
        _CELL_BEFORE.search(text, max(0, start - 12), start)
        and _CELL_AFTER.match(text, end)
        and (("|" in text[max(0, start - 12) : end + 4]) or "  " in text[max(0, start - 3) : end + 2])
    )


def _is_slashed(text: str, end: int) -> bool:
    """True before a slash and another name: «Ruiz/López»."""
    other = _SLASHED.match(text, end)
    return other is not None and plain(other["word"]) in _clear_names()


def _turned(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Start and end of «BOUSSOUF, KARIM», whose given name is at `start`."""
    while (more := _MORE.match(text, end)) and plain(more["word"]) in names().given:
        end = more.end()
    name = _TURNED.search(text, max(0, start - SIGHT), start)
    if name is None or not _TURNED_END.match(text, end):
        return None
    words = {plain(one) for one in _WORD.findall(name["name"])}
    if words & (NO_NAMES | NO_PERSON | _GREETS) or not (name["name"].isupper() or words <= names().family):
        return None
    return name.start("name"), end
