"""Reading of a wording into its units: the marks of apartados and letters, paragraphs, tables.

The only place that knows how legal texts are numbered. The BOE prints some marks without the space after
them («2.(Derogado)», «1.La jornada…»): they are marks all the same.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from law.provision import Kind, Provision, Unit
from text import rows
from text.numerals import NUMERALS, ORDINALS
from text.segmentation import Span, is_row, sentences

KEPT, KEPT_CHARACTERS = 2048, 30_000
"""Texts whose units stay in memory, and how long they may be: three times the text, some 5 KB an article.

Reading all the wordings of 49 norms takes a second and a half; kept as JSON beside them, the units would take
a fifth of the text and a third of that time to load.
"""
MOST = 60
"""Apartados of an article: a higher number at the start of a line is a year or an amount."""

# White space, or the first letter of a text that the mark is glued to.
_AFTER = r"(?:\s|(?=[A-ZÁÉÍÓÚÑ(«¿]))"
_MARK = re.compile(
    r"[ \t\u00a0]*(?:"
    r"(?P<ord>\d{1,2})\.?[ªº°]\.?\s"
    r"|(?P<sub>\d{1,2}\.\d{1,2})\.?\s"
    rf"|(?P<num>\d{{1,2}}(?: (?:bis|ter|quater|quinquies))?)\.(?:[-–]?\s|{_AFTER})"
    r"|(?P<paren>\d{1,2})\)\s"
    rf"|(?P<letter>[a-zñ]{{1,4}}(?:['’]|\s(?:bis|ter|quater))?)\){_AFTER}"
    rf"|(?P<word>{'|'.join(sorted((w.capitalize() for w in NUMERALS), key=len, reverse=True))})\.[-–]?\s"
    rf"|(?P<ordword>(?:{'|'.join(o.capitalize() for o in ORDINALS)})[oa])\.[-–]?\s"
    r")"
)
_ROMANS = frozenset(re.findall(r"\w+", "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv"))
_FIRST = frozenset({"1", "1-1", "a", "i"})
_KINDS = {"ord": Kind.RULE, "ordword": Kind.RULE, "letter": Kind.LETTER, "roman": Kind.ROMAN}
"""Kinds by the style of the mark; the others are those of apartados."""


def read_provision(text: str, glued: bool = True) -> Provision:
    """The wording with its units.

    Marks nest by their styles as they appear: a style already open continues its list, a new one opens inside
    the unit before it, and only with its first member (1, a, primera), so that a stray «2015.» opens nothing.
    What follows a mark belongs to it up to the next mark.

    Args:
        glued: False to take only marks with a space after them, as the cuts of the index do.
    """
    return _kept(text, glued) if len(text) <= KEPT_CHARACTERS else _read(text, glued)


def _read(text: str, glued: bool) -> Provision:
    reading = _Reading(text, glued)
    start = 0
    for line in text.splitlines(keepends=True):
        reading.add(line, start)
        start += len(line)
    return Provision(text, reading.units())


_kept = lru_cache(KEPT)(_read)


def without_mark(text: str) -> str:
    """The words of a numbered unit, without the mark that they begin with."""
    mark = _MARK.match(text)
    return text[mark.end() :] if mark else text


@dataclass
class _Open:
    """A numbered unit, or the whole text, while it is read; `lead` announces the units inside it."""

    style: str
    number: str
    children: list[Unit] = field(default_factory=list)
    lead: Span | None = None

    def closed(self) -> Unit:
        kind = _KINDS.get(self.style, Kind.APARTADO)
        first, last = self.children[0], self.children[-1]
        return Unit(kind, self.number, first.start, last.end, tuple(self.children))


class _Reading:
    """Units read so far: those that are open, outermost first, and the rows of a table that may go on."""

    def __init__(self, text: str, glued: bool) -> None:
        self._text = text
        self._glued = glued
        self._open = [_Open("", "")]
        self._rows: list[Span] = []
        self._announced: Span | None = None

    def add(self, line: str, start: int) -> None:
        body = line.strip()
        if not body:
            return
        begin = start + line.index(body)
        span = Span(begin, begin + len(body))
        if is_row(body):
            self._rows.append(span)
            return
        self._close_table()
        lead = self._opened(line)
        children = tuple(_sentence(self._text, span.start, one) for one in sentences(body))
        last = children[-1]
        self._announced = Span(last.start, last.end) if last.kind is Kind.LEAD else None
        self._open[-1].children.append(Unit(Kind.PARAGRAPH, "", *span, children, lead))

    def units(self) -> tuple[Unit, ...]:
        self._close_table()
        self._close(1)
        return tuple(self._open[0].children)

    def _opened(self, line: str) -> Span | None:
        """Opens the unit of the line's mark, if it has one; the sentence that announces its list."""
        styles = [one.style for one in self._open]
        found = _MARK.match(line)
        if found is None or not (self._glued or found[0][-1].isspace()):
            return None
        if (mark := _mark(found, {one.style: one.number for one in self._open})) is None:
            return None
        self._close(styles.index(mark[0]) if mark[0] in styles else len(styles))
        around = self._open[-1]
        around.lead = self._announced or around.lead
        self._open.append(_Open(*mark))
        return around.lead

    def _close(self, depth: int) -> None:
        while len(self._open) > depth:
            closed = self._open.pop().closed()
            self._open[-1].children.append(closed)

    def _close_table(self) -> None:
        """Adds the tables of the rows: each begins with the row over a rule."""
        if not self._rows:
            return
        lines = [self._text[slice(*row)] for row in self._rows]
        starts = {0, *(place for place, (_, below) in enumerate(pairwise(lines)) if rows.is_rule(below))}
        for begin, end in pairwise([*sorted(starts), len(lines)]):
            head = rows.headers(lines[begin:end])
            children = tuple(
                Unit(_kind_of(line, place in head), "", *row)
                for place, (line, row) in enumerate(zip(lines[begin:end], self._rows[begin:end], strict=True))
            )
            table = Unit(Kind.TABLE, "", children[0].start, children[-1].end, children)
            self._open[-1].children.append(table)
        self._rows = []
        self._announced = None


def _sentence(text: str, begin: int, span: Span) -> Unit:
    start, end = begin + span.start, begin + span.end
    return Unit(Kind.LEAD if text.endswith(":", start, end) else Kind.SENTENCE, "", start, end)


def _kind_of(line: str, in_header: bool) -> Kind:
    if in_header:
        return Kind.HEADER
    return Kind.DIVIDER if rows.is_rule(line) else Kind.ROW


def _mark(found: re.Match[str], opened: dict[str, str]) -> tuple[str, str] | None:
    """Style and number of a mark; None for one that opens nothing."""
    style = found.lastgroup or ""
    style, number = _numbered(style, found[style].lower(), opened)
    return (style, number) if style in opened or number in _FIRST else None


def _numbered(style: str, value: str, opened: dict[str, str]) -> tuple[str, str]:
    """Style of a mark by what is open, and its number: «Dos» and «Segunda» are 2."""
    if style == "word":
        return style, str(NUMERALS.index(value) + 1)
    if style == "ordword":
        return style, str(ORDINALS.index(value[:-1]) + 1)
    if style == "letter":
        return ("roman" if _is_roman(value, opened) else style), value
    if style == "sub":
        return style, value.replace(".", "-")
    if style == "num" and int(value.partition(" ")[0]) > MOST:
        return "none", value
    return style, value


def _is_roman(value: str, opened: dict[str, str]) -> bool:
    """True for «i)» unless an h) goes before it, and for other romans once one is open."""
    if value not in _ROMANS:
        return False
    return "roman" in opened or (value == "i" and opened.get("letter", "")[:1] not in {"h", ""})
