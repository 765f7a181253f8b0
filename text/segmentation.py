"""Sentences of Spanish prose, laws and questions alike.

Pure functions over offsets: nothing is rewritten, so `text[span.start:span.end]` is always the source.
"""

import re
from bisect import bisect_left
from typing import NamedTuple

from text.numerals import NUMERALS

QUOTE_SPAN = 400
LOOK_BACK = 80


class Span(NamedTuple):
    """Half-open character range, without white space at its ends."""

    start: int
    end: int


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
