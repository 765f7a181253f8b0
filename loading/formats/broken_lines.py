"""Joins the broken lines of a page or a text file into paragraphs as they were written."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from loading.formats import headings
from loading.formats.encoding import clean, one_line
from text.numerals import NUMERALS

# A longer line is a whole paragraph: the file does not wrap its lines.
MAX_WIDTH = 160
MIN_WIDTH = 25
MIN_CAPITALS = 8
MAX_VALUE = 80
_SHORT = 0.62
_TERMINAL = (".", ":", ";", "?", "!", "…", "»", "”", ")", "]", ".-")
_STARTS = re.compile(
    r"(?:[-*+•·▪–—]\s|\||\d{1,3}(?:\.\d{1,2})*[.)]-?\s|\d{1,2}\.?[ºª°]\.?\s|[a-zñ]{1,2}(?:\s(?:bis|ter))?\)\s|[ivxlc]{1,5}\)\s"
    r"|[IVXLC]{1,6}\s?[.)]-?\s|§\s"
    r"|(?:Primer|Segund|Tercer|Cuart|Quint|Sext|Séptim|Octav|Noven|Décim|Undécim|Duodécim|Únic)[oa]\s?(?:\.|-|:)"
    r"|(?:PRIMER|SEGUND|TERCER|CUART|QUINT|SEXT|SÉPTIM|SEPTIM|OCTAV|NOVEN|DÉCIM|DECIM|ÚNIC)[OA]\s?(?:\.|-|:)"
    rf"|(?:{'|'.join(NUMERALS[:10]).title()})\.\s)"
)
# Columns: cells of a form or of a payslip, never prose.
_COLUMNS = re.compile(r"\S {3,}[^\sa-záéíóúüñ]|\S \|(?: |$)|\.{4,}")
_LETTER = re.compile(r"[a-zñ]{1,2}(?:\s(?:bis|ter))?\)\s|[ivxlc]{1,5}\)\s")
_LABEL = re.compile(r"[A-ZÁÉÍÓÚÑ][^.:;]{1,70}:\s*")
_FIELD = re.compile(r"[A-ZÁÉÍÓÚÑ][^.:;,]{1,70}(?<!\d):")
# A line that ends in one of these continues in the next, however that one begins.
_GOES_ON = frozenset(
    re.findall(
        r"\S+",
        """a al ante artículo artículos apartado apartados capítulo como con contra de decreto del desde
        disposición e el en entre hasta la las letra letras ley lo los número números o orden para párrafo por
        que sección según sin sobre su sus título u un una y art. arts. núm. núms. apdo. pág. págs.""",
    )
)


class Line(NamedTuple):
    """One line of a page, or of a file without pages; an empty text ends a paragraph."""

    text: str
    page: int | None = None


class Paragraph(NamedTuple):
    """A paragraph, a heading or a table row.

    Attributes:
        heading: 1 to 6 where the file's format marks it as a heading, else 0.
        pages: (offset in `text`, page) wherever a page begins, the first one at 0; empty without pages.
        anchor: the source's id of the block that begins here, or empty.
    """

    text: str
    heading: int = 0
    pages: tuple[tuple[int, int], ...] = ()
    anchor: str = ""


def marked(lines: Iterable[str], heading: int) -> Iterator[Paragraph]:
    """A paragraph of each line that is not empty, cleaned.

    Args:
        heading: level that the format gives them; a line too long for a heading has none.
    """
    for line in lines:
        text = one_line(clean(line))
        if text:
            yield Paragraph(text, heading if len(text) <= headings.MAX_HEADING else 0)


def paragraphs(lines: Sequence[Line]) -> list[Paragraph]:
    """Join lines broken at the page width; list items, table rows and headings keep their own lines."""
    width = _width(lines)
    return [_joined(group) for group in _groups(lines, width)]


def _width(lines: Iterable[Line]) -> int:
    """The usual length of a full line; 0 when lines are not wrapped at all."""
    lengths = sorted(len(line.text) for line in lines if len(line.text) >= MIN_WIDTH)
    usual = lengths[len(lengths) * 9 // 10] if lengths else 0
    return 0 if usual > MAX_WIDTH else usual


def _groups(lines: Sequence[Line], width: int) -> Iterator[list[Line]]:
    group: list[Line] = []
    gap = False
    for line in lines:
        text = line.text.strip()
        if not text:
            gap = True
            continue
        before = group[-1].text.strip() if group else ""
        valued = len(group) == 2 and _is_label(group[0].text.strip())
        if group and (valued or not (_spans_gap(before, text) if gap else _continues(before, text, width))):
            yield group
            group = []
        group.append(line)
        gap = False
    if group:
        yield group


def _spans_gap(before: str, line: str) -> bool:
    """True if a sentence continues after an empty line: some PDFs have empty lines in mid-sentence."""
    ended = before.endswith(_TERMINAL) or before.startswith("|")
    return line[:1].islower() and not _STARTS.match(line) and not ended


def _continues(before: str, line: str, width: int) -> bool:
    """True if `line` continues the paragraph of `before`."""
    if any(
        headings.is_delimiter(text) or text.startswith("|") or _COLUMNS.search(text)
        for text in (before, line)
    ):
        return False
    if _is_label(before):
        return _is_value(line)
    if not width:
        return False
    full = len(before) >= width * _SHORT
    listed = before.endswith(",") and _LETTER.match(line)
    titled = headings.division(before) is not None and headings.starts(line)
    if _goes_on(before) and not listed and not titled:
        return full or line[:1].islower() or before[-2:-1].isalpha()
    if _begins(before, line):
        return False
    return line[:1].islower() or (full and not _ends(before, line))


def _begins(before: str, line: str) -> bool:
    """True if a line can only be the first of a paragraph, a heading or a field."""
    return (
        _STARTS.match(line) is not None
        or headings.starts(line)
        or _FIELD.match(line) is not None
        or (headings.is_capitals(line) and not headings.is_capitals(before))
    )


def _goes_on(before: str) -> bool:
    last = before[before.rfind(" ") + 1 :].lower()
    return before.endswith(",") or (last in _GOES_ON and not headings.is_spaced(before))


def _ends(before: str, line: str) -> bool:
    """True if a full line is the last of its paragraph, or a heading."""
    apart = headings.is_capitals(before) and len(before) >= MIN_CAPITALS and not headings.is_capitals(line)
    return apart or before.endswith(_TERMINAL) or headings.is_bare(before)


def _is_label(line: str) -> bool:
    return _LABEL.fullmatch(line) is not None and not headings.starts(line)


def _is_value(line: str) -> bool:
    """True if the line may be the value of a label such as «Contratista:» on the line before."""
    return not (_is_label(line) or _STARTS.match(line) or headings.starts(line)) and len(line) <= MAX_VALUE


def _joined(group: list[Line]) -> Paragraph:
    text = ""
    pages: list[tuple[int, int]] = []
    for line in group:
        piece = line.text.strip()
        text += f" {piece}" if text else piece
        if line.page is not None and (not pages or pages[-1][1] != line.page):
            pages.append((len(text) - len(piece), line.page))
    return Paragraph(text, pages=tuple(pages))
