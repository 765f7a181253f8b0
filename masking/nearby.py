"""Names beside an identifier: «María Ruiz, con DNI …», a row of a table, «12345678Z - Ruiz Gil, Ana»."""

import re
from collections.abc import Iterable, Iterator, Sequence

from masking.announcers import TITLES
from masking.named_people import COMMON, FIRST, names
from masking.page import Page
from masking.plain import plain
from masking.reading import WORD, capitals, parts
from masking.spans import Span, person
from masking.words import NO_NAMES, WORDS
from text.textnorm import STOPWORDS

PERSONAL = {
    "DNI", "NIE", "NUSS", "PASAPORTE", "SANITARIA", "TELEFONO", "EMAIL", "NACIMIENTO", "CUENTA", "IBAN",
    "NUMERO", "TARJETA",
}  # fmt: skip
FAR = 90
_FILLER = WORDS["filler"]
_PIECE = re.compile(rf"{WORD}|[º°ª.,:;()|\t–—-]|\s")
_RUN = re.compile(
    rf"(?:(?<!\w)(?:[Mm]\.?ª|{WORD}(?!\w)|[^\W\d_]\.)"
    rf"(?:,?[ \t\u00a0]+(?:(?:de las?|de los|del|de|la|y|i|e|da|do"
    rf"|dos)[ \t\u00a0]+)*)?){{1,7}}\Z"
)
_AFTER = re.compile(r"[ \t]*[,;:|)–—-]*[ \t]*(?:(?:de|del|a nombre de|titular:?|es de|y es de)[ \t]+)?")


# «47582910G 17 09 1993»
_BORN = re.compile(r"[ \t]*[,/–-]?[ \t]*(?P<n>\d{1,2}[ ./-]\d{1,2}[ ./-](?:19[2-9]|200)\d)(?![\w/]|[.,-]\d)")


def find(page: Page, numbered: Iterable[Span]) -> Iterator[Span]:
    """The names before and after the identifiers of persons that are given, and births after a DNI or NIE."""
    text = page.text
    for span in numbered:
        if span.kind in ("DNI", "NIE") and (born := _BORN.match(text, span.end)):
            yield Span(*born.span("n"), "NACIMIENTO", re.sub(r"\W+", "/", born["n"]))
        if span.kind in PERSONAL:
            yield from _before(text, span.start)
            start = _AFTER.match(text, span.end)
            if start is not None:
                read = capitals(text, start.end())
                if read.known and (len(read.words) > 1 or _is_given(read.words)):
                    yield person(text, start.end(), read.end)


def _before(text: str, end: int) -> Iterator[Span]:
    first = max(0, end - FAR, text.rfind("\n", 0, end) + 1)
    pieces = list(_PIECE.finditer(text, first, end))
    while pieces and (not pieces[-1][0][0].isalpha() or plain(pieces[-1][0]) in _FILLER):
        pieces.pop()
    if not pieces:
        return
    last = pieces[-1].end()
    run = _RUN.search(text, first, last)
    if run is None:
        return
    for word in re.finditer(WORD, text[run.start() : last]):
        start = run.start() + word.start()
        if plain(word[0]) in TITLES:
            continue
        read = capitals(text, start)
        if read.end == last and (len(read.words) > 1 or _is_given(read.words)):
            yield person(text, start, last)
            return
    yield from _lowered(text, run.start(), last)


def _is_given(words: Sequence[str]) -> bool:
    """True for one given name that is no word of every day, or mostly a name."""
    given = names().given - (COMMON - FIRST)
    return len(words) == 1 and words[0] in given and len(words[0]) > 2


def _lowered(text: str, first: int, last: int) -> Iterator[Span]:
    """«francisco pulpillo raya, dni»: the words back to a comma, if they begin with a given name."""
    given = names().given
    comma = max(first, text.rfind(",", first, last) + 1)
    words = list(re.finditer(WORD, text[comma:last]))
    for place, word in enumerate(words):
        rest = [plain(one[0]) for one in words[place:]]
        alone = len(rest) == 1 and _is_given(rest)
        turned = len(rest) > 1 and all(one in given or one in names().family for one in rest)
        if not (alone or turned or (1 < len(rest) <= 5 and parts(rest[0])[0] in given)):
            continue
        if not any(
            (one in STOPWORDS and one not in ("de", "del", "la")) or one in NO_NAMES for one in rest[1:]
        ):
            yield person(text, comma + word.start(), last)
            return
