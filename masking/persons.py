"""Names of people that nothing announces: beside an identifier, given with family name, or one alone.

Other capitalised words are not names: laws, courts, places and offices are the subject of a question.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from masking.finder import PERSON, Finder, Page, Place, Span, span
from masking.named_people import COMMON, FIRST, is_known, names
from masking.names import (
    SIGHT,
    SPACE,
    WORD,
    capitals,
    initials,
    is_line,
    is_other,
    is_public,
    is_whole_line,
    lowered,
    opens,
    parts,
)
from masking.words import NO_NAMES, NO_PERSON, WORDS, either, plain_letters
from text.textnorm import STOPWORDS

PERSONAL = {
    "DNI", "NIE", "NUSS", "PASAPORTE", "SANITARIA", "TELEFONO", "EMAIL", "NACIMIENTO", "CUENTA", "IBAN",
    "NUMERO", "TARJETA",
}  # fmt: skip
FAR = 90
SHORTEST, SHORTEST_SMALL = 3, 4
_WORD = re.compile(WORD)
_LINKS = rf"(?:{either('name_links')}[ \t]+)*"

# «María Ruiz, con DNI …», a row of a table, «12345678Z - Ruiz Gil, Ana»
_FILLER = WORDS["filler"]
_PIECE = re.compile(rf"{WORD}|[º°ª.,:;()|\t–—-]|\s")
_RUN_BEFORE = re.compile(rf"(?:(?<!\w)(?:[Mm]\.?ª|{WORD}(?!\w)|[^\W\d_]\.)(?:,?[ \t]+{_LINKS})?){{1,7}}\Z")
_AFTER = re.compile(r"[ \t]*[,;:|)–—-]*[ \t]*(?:(?:de|del|a nombre de|titular:?|es de|y es de)[ \t]+)?")


def beside(page: Page, found: Sequence[Span]) -> Iterator[Span]:
    """The names before and after the identifiers of persons."""
    text = page.text
    for one in found:
        if one.kind not in PERSONAL:
            continue
        if place := _before(text, one.start):
            yield span(text, *place, PERSON)
        start = _AFTER.match(text, one.end)
        read = capitals(text, start.end()) if start else None
        if start and read and read.known and (len(read.words) > 1 or _is_given(read.words)):
            yield span(text, start.end(), read.end, PERSON)


def _before(text: str, end: int) -> Place | None:
    """The name that ends where the words begin that lead to the identifier."""
    first = max(0, end - FAR, text.rfind("\n", 0, end) + 1)
    pieces = list(_PIECE.finditer(text, first, end))
    while pieces and (not pieces[-1][0][0].isalpha() or plain_letters(pieces[-1][0]) in _FILLER):
        pieces.pop()
    last = pieces[-1].end() if pieces else first
    run = _RUN_BEFORE.search(text, first, last)
    if run is None:
        return None
    for word in _WORD.finditer(text, run.start(), last):
        read = capitals(text, word.start())
        named = len(read.words) > 1 or _is_given(read.words)
        if named and read.end == last and plain_letters(word[0]) not in WORDS["titles"]:
            return word.start(), last
    return _before_in_small(text, run.start(), last)


def _is_given(words: Sequence[str]) -> bool:
    """True for one given name that is no word of every day, or mostly a name."""
    return len(words) == 1 and len(words[0]) > 2 and words[0] in names().given - (COMMON - FIRST)


def _before_in_small(text: str, first: int, last: int) -> Place | None:
    """«francisco pulpillo raya, dni»: the words back to a comma, if they begin with a given name."""
    words = list(_WORD.finditer(text, max(first, text.rfind(",", first, last) + 1), last))
    for place, word in enumerate(words):
        rest = [plain_letters(one[0]) for one in words[place:]]
        given = parts(rest[0])[0] in names().given and 1 < len(rest) <= MOST_BESIDE
        turned = len(rest) > 1 and all(map(is_known, rest))
        other = any(
            (one in STOPWORDS and one not in ("de", "del", "la")) or one in NO_NAMES for one in rest[1:]
        )
        if (given or turned or _is_given(rest)) and not other:
            return word.start(), last
    return None


MOST_BESIDE = 5
# «J. M. Tortosa», «V.º B.º E. Malagón»; never «A. Disposiciones», an item of a list.
_INITIALLED = re.compile(
    r"(?:(?<![\w.])(?:[A-ZÁÉÍÓÚ]\.(?:ª\.?)?[ ]?){2,3}"
    r"|(?<=[ª°º] )[A-ZÁÉÍÓÚ]\. )(?P<name>[A-ZÁÉÍÓÚÑ][a-záéíóúñü]{3,})(?!\w)"
)
_RUN = re.compile(rf"(?<!\w)(?:{WORD}[ \t]+){{1,3}}\Z")


def _initialled(page: Page, match: re.Match[str]) -> Place | None:
    if plain_letters(match["name"]) in NO_NAMES | NO_PERSON | STOPWORDS or is_other(page, match.start()):
        return None
    return match.start(), max(match.end(), capitals(page.text, match.start("name")).end)


def _known(page: Page, match: re.Match[str]) -> Place | None:
    """The name that the word is part of, if a given and a family name or its place tell that it is one."""
    word, start = parts(plain_letters(match[0]))[0], match.start()
    given = word in names().given
    if is_other(page, start):
        return None
    if page.text[start].islower():
        place = _small(page, start) if given and (word not in COMMON or word in FIRST) else None
    elif given:
        place = _given(page, start)
    else:
        place = _family(page, start)
    if place is None:
        place = _alone(page, word, start, match.end())
    if place is None or is_public(page.low, *place):
        return None
    return initials(page.text, place[0]), place[1]


def _given(page: Page, start: int) -> Place | None:
    """The name that begins with the given name at `start` and goes on."""
    read = capitals(page.text, start)
    rest = read.words[1:]
    if not rest or any(word in NO_PERSON for word in rest):
        return None
    sure = read.words[0] not in COMMON or all(map(is_known, rest))
    sure = sure or (len(rest) > 1 and is_line(page.text, start, read.end))
    shouted = page.text[start : read.end].isupper()
    sure = sure or (read.words[0] in FIRST and not opens(page.text, start) and not shouted)
    return (start, read.end) if sure else None


def _small(page: Page, start: int) -> Place | None:
    """The given and the family name in small letters at `start`."""
    read = lowered(page.low, start, loosely=False)
    sure = any(word in names().family and word not in COMMON for word in read.words[1:])
    return (start, read.end) if sure else None


def _family(page: Page, start: int) -> Place | None:
    """The name whose family name is at `start`, turned round or after a capitalised unknown word."""
    text = page.text
    whole = capitals(text, start)
    turned = len(whole.words) > 1 and whole.words[-1] in names().given and all(map(is_known, whole.words))
    if turned and not {*whole.words} & NO_PERSON and (len(whole.words) > 2 or not {*whole.words} & COMMON):
        return start, whole.end
    line = max(text.rfind("\n", 0, start) + 1, start - SIGHT)
    run = _RUN.search(text, line, start)
    for word in _WORD.finditer(text, run.start(), start) if run else ():
        if not word[0][0].isupper() or plain_letters(word[0]) in NO_NAMES | STOPWORDS | NO_PERSON:
            continue
        read = capitals(text, word.start())
        if read.end <= start or {*read.words} & NO_PERSON or is_other(page, word.start()):
            continue
        # «Fernández Ramos trabaja…»
        acts = all(map(is_known, read.words)) and _DOES.match(page.low, read.end)
        if acts or is_line(text, word.start(), read.end) or not opens(text, word.start()):
            return word.start(), read.end
    return None


_PRONOUNS = rf"(?:{either('pronouns')}{SPACE}){{0,4}}"
# «Dolores no ha venido», «Moha y yo», «Susana la de nóminas».
_DOES = re.compile(
    rf"{SPACE}{_PRONOUNS}{either('acts')}(?!\w)|{SPACE}(?:y|o|ni){SPACE}yo(?!\w)|{SPACE}(?:el"
    rf"|la){SPACE}de(?:l|{SPACE})"
)
_IS_SAID = re.compile(rf"{SPACE}{_PRONOUNS}{either('says')}(?!\w)")
# Where the subject of a sentence or whom it is about may stand.
_FREE = re.compile(rf"(?:\A|[.,;:¿?¡!()\n\"«]\s*|(?<!\w){either('before_persons')}\s+)\Z")
# «La liquidación de Cifuentes», «llama Peláez otra vez».
_OWNS = re.compile(rf"(?<!\w)(?:(?:{either('owned')}|el|la|lo|los|las)\s+de|{either('says')})\s+\Z")
_JOINS = re.compile(
    rf"(?P<word>{WORD})(?:\s*[,/]\s*|\s+(?:y|e|o|ni|i)\s+)(?:(?:a|con|de)\s+)?(?:(?:el|la)\s+)?\Z"
)
_CELL_BEFORE = re.compile(r"(?:\A|[\n|\t;]|[ ]{2})[ \t•*·-]*\Z")
_CELL_AFTER = re.compile(r"[ \t]*(?:\Z|[\n|\t;]|[ ]{2})")
_TURNED = re.compile(
    rf"(?:\A|(?<=[\n|;\t])|(?<=\d[.)] )|(?<=[–-] ))[ \t]*(?P<name>(?:{WORD}[ \t]+){{0,3}}{WORD}),[ \t]+\Z"
)
# «Según consta, BENZAOUIA EL AMRANI, KARIM no cobró».
_TURNED_CAPITALS = re.compile(rf"(?<![\w'’-])(?P<name>(?:{WORD}[ \t]+){{0,3}}{WORD}),[ \t]+\Z")
_TURNED_END = re.compile(r"[ \t]*(?:\Z|[\n|;\t–(—-]|:[ \t]|[ \t]{2}|\d)")
_MARIA = re.compile(r"(?<!\w)[Mm]\.?[ ]?ª\.?[ ]\Z")
_NAMED = r"[A-ZÁÉÍÓÚ][a-záéíóúñ]{2,20}(?!\w)"
_LIST = re.compile(rf"(?<!\w){_NAMED}(?:, {_NAMED}){{1,8}},? [ye] {_NAMED}")
# A longer name, an address of mail or a path.
_GOES_ON = re.compile(rf"{SPACE}[A-ZÁÉÍÓÚÑ]\w|[.]\w|[@_]")
_PREVIOUS = re.compile(r"(?P<word>[^\W\d_]+)[ \t\n«\"(]+\Z")
_INSIDE = ("-", "'", "’", "_", "@", ".")
_GREETS = WORDS["greetings"] | WORDS["hints"] | WORDS["calls"]


def _alone(page: Page, word: str, start: int, end: int) -> Place | None:
    """The name alone at `start`, if the words around it speak of a person.

    «Se lo dije a Wilmer», «la Pepi cobra más», «Merino responde que…», «antonia se jubila», «CHEN, WEIWEI».
    """
    text, given = page.text, word in names().given
    inside = text[start - 1 : start] in _INSIDE and text[start - 2 : start - 1].isalnum()
    if end - start < SHORTEST or inside:
        return None
    if text[start].islower():
        sure = given and word not in COMMON and word not in NO_PERSON and end - start >= SHORTEST_SMALL
        return (start, end) if sure and _is_free(page, start, end) else None
    if given and (turned := _turned(text, start, end)):
        return turned
    if given and (maria := _MARIA.search(text, max(0, start - 6), start)):
        return maria.start(), end
    return (start, end) if _is_person(page, word, start, end) else None


def _is_person(page: Page, word: str, start: int, end: int) -> bool:
    """True if the words around a name with a capital speak of a person."""
    if _is_listed(page.text, start, end):
        return True
    if word in NO_PERSON or _GOES_ON.match(page.text, end):
        return False
    acts = word in FIRST and _is_free(page, start, end) and _DOES.match(page.low, end)
    if acts or (word not in COMMON and _is_joined(page, start)):
        return True
    clear = word in names().given and word not in COMMON and _is_clear(page, start, end)
    return clear or _is_surname(page, word, start, end)


def _is_free(page: Page, start: int, end: int) -> bool:
    """True where the subject of a sentence may stand."""
    before = _FREE.search(page.low, max(0, start - SIGHT), start)
    return bool(
        before
        or _is_joined(page, start)
        or is_whole_line(page.text, start, end)
        or _IS_SAID.match(page.low, end)
    )


def _is_surname(page: Page, word: str, start: int, end: int) -> bool:
    """True if a family name with a capital names somebody: by its initials, by what is said, by its cell."""
    if word not in names().family or word in NO_NAMES:
        return False
    says = _IS_SAID.match(page.low, end) is not None
    if word in COMMON:
        # «Merino responde que…».
        return says and opens(page.text, start)
    acts = opens(page.text, start) and _DOES.match(page.low, end) is not None
    owns = _OWNS.search(page.low, max(0, start - SIGHT), start) is not None
    return says or acts or owns or initials(page.text, start) < start or _is_cell(page.text, start, end)


def _is_clear(page: Page, start: int, end: int) -> bool:
    """True if a given name with a capital, which is no word of every day, names somebody here."""
    text, low = page.text, page.low
    if text[start:end].isupper() and end - start <= 4:
        return False
    if is_whole_line(text, start, end) or _is_cell(text, start, end) or opens(text, start):
        return True
    previous = _PREVIOUS.search(text, max(0, start - 30), start)
    key = plain_letters(previous["word"]) if previous else ""
    # «En Marta confío», not «en Marín»; not «Plan Galileo».
    if key == "en":
        return _DOES.match(low, end) is not None
    # A sentence begins with «Pero» or «Llamó».
    return previous is None or previous["word"].islower() or key in STOPWORDS | _GREETS | WORDS["acts"]


def _is_joined(page: Page, start: int) -> bool:
    """True after another name: «Rosaura y Fatou»."""
    joined = _JOINS.search(page.text, max(0, start - SIGHT), start)
    if joined is None:
        return False
    word = plain_letters(joined["word"])
    clear = joined["word"][0].isupper() and is_known(word) and word not in COMMON | NO_PERSON
    return clear or any(one.end == joined.end("word") and one.kind == PERSON for one in page.found)


def _is_listed(text: str, start: int, end: int) -> bool:
    """«Mar, Sol y Consuelo»: three given names or more are persons, whatever else the words may be."""
    for found in _LIST.finditer(text, max(0, start - FAR), end + FAR):
        items = [plain_letters(word[0]) for word in _WORD.finditer(found[0]) if word[0] not in ("y", "e")]
        if found.start() <= start < found.end():
            return all(item in names().given for item in items)
    return False


def _is_cell(text: str, start: int, end: int) -> bool:
    """True if the name has a cell of a row for itself."""
    near = text[max(0, start - 12) : end + 4]
    parted = "|" in near or "  " in text[max(0, start - 3) : end + 2]
    before = _CELL_BEFORE.search(text, max(0, start - 12), start)
    return parted and before is not None and _CELL_AFTER.match(text, end) is not None


def _turned(text: str, start: int, end: int) -> Place | None:
    """«BOUSSOUF, KARIM», whose given name is at `start`."""
    name = _TURNED.search(text, max(0, start - SIGHT), start)
    read = capitals(text, start)
    end = read.end if {*read.words} <= names().given and read.words else end
    if name is None or not _TURNED_END.match(text, end):
        name = _in_capitals(text, start, end)
    if name is None:
        return None
    words = {plain_letters(one) for one in _WORD.findall(name["name"])}
    other = words & (NO_NAMES | NO_PERSON | _GREETS)
    sure = name["name"].isupper() or words <= names().family
    return (name.start("name"), end) if sure and not other else None


def _in_capitals(text: str, start: int, end: int) -> re.Match[str] | None:
    """The family names in capitals before a given name in capitals, within a sentence that is not."""
    line = text[max(text.rfind("\n", 0, start) + 1, start - SIGHT) : end + SIGHT].partition("\n")[0]
    if not text[start:end].isupper() or sum(map(str.islower, line)) < end - start:
        return None
    first = start - 2
    for word in reversed(list(_WORD.finditer(text, max(0, start - SIGHT), start))):
        if not word[0].isupper() or text[word.end() : first].strip(" \t,"):
            break
        first = word.start()
    return _TURNED_CAPITALS.match(text, first, start)


@cache
def finders() -> tuple[Finder, ...]:
    """The rows; made on first use, for which the lists of names are read."""
    return (
        Finder(PERSON, _WORD, names().given | names().family, cased=True, reads=_known),
        Finder(PERSON, _INITIALLED, near=re.compile(r"(?<!\w)\w\.|[ª°º] "), cased=True, reads=_initialled),
    )
