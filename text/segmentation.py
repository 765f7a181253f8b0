"""Cut points of Spanish legal text: sentences, and numbered apartados with their letters.

Pure functions over offsets: nothing is rewritten, so `text[span.start:span.end]` is always the source.
"""

import re
from bisect import bisect_left
from functools import lru_cache
from typing import NamedTuple

from text.numerals import NUMERALS, ORDINALS

QUOTE_SPAN = 400
LOOK_BACK = 80
MAX_NUMBER = 60
KEPT, KEPT_CHARACTERS = 1024, 8_000
"""Texts whose sentences stay in memory, and how long they may be: one answer reads an article many times."""


class Span(NamedTuple):
    """Half-open character range, without white space at its ends."""

    start: int
    end: int


class Unit(NamedTuple):
    """A leaf of the numbering: from its marker to the next marker.

    Attributes:
        label: path from the top, '4', '4.b', '4.b.1'; empty before the first marker.
        level: 1 for an apartado, 2 for a division inside it…; 0 before the first marker.
    """

    start: int
    end: int
    label: str
    level: int

    @property
    def top(self) -> str:
        return self.label.split(".")[0]


_ABBREVIATIONS = frozenset(
    re.findall(
        r"\S+",
        """art arts artº ap aps apdo apdos apto aptos núm núms num nums n nº pág págs pag p pp vid cf cfr
        ss sr sra sres srta dr dra drs d dª dña excmo excma ilmo ilma sto sta ud uds vd vds fdo disp
        dispos dt df dd párr parr cap caps tít tit secc sec anex av avda c ctra tel tfno ej vol ed edic
        admón s sl sa slu st sts stsj tco tjue bocm rd rdl rdleg lo op cit aprox máx mín ref exp rec
        rcud""",
    )
)
_BEFORE_NUMBERS = frozenset(
    {"etc", "da", "no", "mar", "ene", "feb", "abr", "jun", "jul", "sept", "oct", "nov", "dic"}
)
_CANDIDATE = re.compile(r"(?<![.?!…])[.?!…]+[»”\"')\]]*(?P<gap>[^\S\n]+)(?=[«“\"'(\[¿¡—–-]*[A-ZÁÉÍÓÚÜÑ0-9])")
_LAST_WORD = re.compile(r"([^\s(«“\"\[]+)$")
_DOTTED = re.compile(r"(?:[A-Za-zÁÉÍÓÚÑáéíóúñ]{1,3}\.)+[A-Za-zÁÉÍÓÚÑáéíóúñ]{1,3}$")
_ENUMERATOR = re.compile(
    r"\s*(?:\d{1,3}(?:\.\d{1,2})*|[IVXLC]+|[A-Za-zñÑ]|(?:Art(?:ículo|iculo)?\.?|ART[ÍI]CULO)\s+\S+(?:\s+(?:bis|ter|quater"
    r"|quinquies|sexies))?|Disposición\s+\w+(?:\s+\w+){1,4}|(?:"
    rf"{'|'.join(NUMERALS[:15]).title()}|Primer[oa]|Segund[oa]|Tercer[oa]|Cuart[oa]|Quint[oa]|Sext[oa]|Séptim[oa]"
    r"|Octav[oa]|Noven[oa]|Décim[oa]))$"
)
_QUOTED = re.compile(rf"«[^«»\n]{{0,{QUOTE_SPAN}}}»")


def sentences(text: str) -> list[Span]:
    """Sentences in reading order; a line feed always ends one, and a row of a table is one.

    Abbreviations, amounts, initials, ordinals, enumerators at the start of a line and short quotations are
    never cut. Spans do not overlap and only white space lies between them.
    """
    return _split(text) if len(text) > KEPT_CHARACTERS else list(_kept_sentences(text))


@lru_cache(KEPT)
def _kept_sentences(text: str) -> tuple[Span, ...]:
    return tuple(_split(text))


def _split(text: str) -> list[Span]:
    spans: list[Span] = []
    start = 0
    for line in text.splitlines(keepends=True):
        _split_line(line, start, spans)
        start += len(line)
    return spans


def is_row(line: str) -> bool:
    """True for a row of a table as the loaders write it: «| Grupo 3. Oficiales | 1.512,60 |»."""
    body = line.strip()
    return len(body) > 1 and body.startswith("|") and body.endswith("|")


def has_row(text: str) -> bool:
    """True for a text with a row of a table."""
    return "|" in text and any(map(is_row, text.split("\n")))


def _split_line(line: str, offset: int, spans: list[Span]) -> None:
    quoted = [match.span() for match in _QUOTED.finditer(line)]
    begin = 0
    if is_row(line):
        _append(line, 0, len(line), offset, spans)
        return
    for match in _CANDIDATE.finditer(line):
        cut = match.start("gap")
        if _inside(cut, quoted) or not _ends_sentence(line, begin, match):
            continue
        _append(line, begin, cut, offset, spans)
        begin = match.end()
    _append(line, begin, len(line), offset, spans)


def _inside(position: int, spans: list[tuple[int, int]]) -> bool:
    """True if `position` is strictly inside one of the sorted `spans`."""
    index = bisect_left(spans, (position, 0)) - 1
    return index >= 0 and spans[index][0] < position < spans[index][1]


def _append(line: str, begin: int, end: int, offset: int, spans: list[Span]) -> None:
    piece = line[begin:end]
    body = piece.strip()
    if body:
        lead = len(piece) - len(piece.lstrip())
        spans.append(Span(offset + begin + lead, offset + begin + lead + len(body)))


def _ends_sentence(line: str, begin: int, match: re.Match[str]) -> bool:
    if match.group()[0] != "." or match.group().startswith(".."):
        return True
    before = line[max(begin, match.start() - LOOK_BACK) : match.start()]
    found = _LAST_WORD.search(before)
    if found is None:
        return True
    word = found.group(1)
    lowered = word.lower()
    if lowered in _BEFORE_NUMBERS:
        return not line[match.end() : match.end() + 1].isdigit()
    if lowered in _ABBREVIATIONS or _DOTTED.match(word):
        return False
    if len(word) == 1 and word.isalpha():
        return False
    return match.start() - begin > LOOK_BACK or not _ENUMERATOR.match(before)


_ROMANS = frozenset(re.findall(r"\w+", "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv"))
_MARKER = re.compile(
    r"[ \t\u00a0]*(?:"
    r"(?P<ord>\d{1,2})\.?[ªº°]\.?\s"
    r"|(?P<sub>\d{1,2}\.\d{1,2})\.?\s"
    r"|(?P<num>\d{1,2}(?: (?:bis|ter|quater|quinquies))?)\.[-–]?\s"
    r"|(?P<paren>\d{1,2})\)\s"
    r"|(?P<letter>[a-zñ]{1,4}(?:['’]|\s(?:bis|ter|quater))?)\)\s"
    rf"|(?P<word>{'|'.join(sorted((w.capitalize() for w in NUMERALS), key=len, reverse=True))})\.[-–]?\s"
    rf"|(?P<ordword>(?:{'|'.join(o.capitalize() for o in ORDINALS)})[oa])\.[-–]?\s"
    r")"
)


def apartados(text: str) -> list[Unit]:
    """The numbering of an article as leaves in reading order; together they cover the whole text.

    Nesting follows the styles as they appear: a style already open continues its list, a new one opens inside
    the unit before it, and only with its first member (1, a, primera), so that a stray «2015.» opens nothing.
    """
    units: list[Unit] = []
    stack: list[tuple[str, str]] = []
    start = 0
    label, level = "", 0
    position = 0
    for line in text.splitlines(keepends=True):
        marker = _marker(line, stack)
        if marker is not None:
            if text[start:position].strip():
                units.append(Unit(start, position, label, level))
            start = position
            _place(stack, marker)
            label, level = ".".join(value for _, value in stack), len(stack)
        position += len(line)
    if text[start:].strip():
        units.append(Unit(start, len(text), label, level))
    return units


def _place(stack: list[tuple[str, str]], marker: tuple[str, str]) -> None:
    styles = [style for style, _ in stack]
    if marker[0] in styles:
        del stack[styles.index(marker[0]) :]
    stack.append(marker)


def _marker(line: str, stack: list[tuple[str, str]]) -> tuple[str, str] | None:
    match = _MARKER.match(line)
    if match is None or match.lastgroup is None:
        return None
    style, value = _read(match.lastgroup, match.group(match.lastgroup), dict(stack))
    if style in {name for name, _ in stack}:
        return style, value
    return (style, value) if value in {"1", "a", "i", "1-1"} else None


def _read(style: str, raw: str, opened: dict[str, str]) -> tuple[str, str]:
    value = raw.lower()
    if style == "word":
        return style, str(NUMERALS.index(value) + 1)
    if style == "ordword":
        return style, str(ORDINALS.index(value[:-1]) + 1)
    if style == "letter":
        return ("roman" if _is_roman(value, opened) else style), value
    if style == "sub":
        return style, value.replace(".", "-")
    if style == "num" and int(value.split()[0]) > MAX_NUMBER:
        return "none", value
    return style, value


def _is_roman(value: str, opened: dict[str, str]) -> bool:
    if value not in _ROMANS:
        return False
    if "roman" in opened:
        return True
    return value == "i" and opened.get("letter", "")[:1] not in {"h", ""}
