"""A wording with the tree of its units: apartados and letters, paragraphs and sentences, tables and rows.

Units are spans of the wording's own text and hold no words. Those that hold no others cover the text in
reading order; only white space lies between them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from text.segmentation import Span


class Kind(StrEnum):
    """Kind of a unit, by its Spanish name where the law has one."""

    APARTADO = "apartado"
    RULE = "regla"
    LETTER = "letra"
    ROMAN = "romano"
    PARAGRAPH = "párrafo"
    SENTENCE = "frase"
    LEAD = "anuncio"
    TABLE = "tabla"
    HEADER = "cabecera"
    DIVIDER = "raya"
    ROW = "fila"


_LINES = frozenset({Kind.HEADER, Kind.DIVIDER, Kind.ROW})


class Unit(NamedTuple):
    """A stretch of a wording.

    Attributes:
        number: '4', '4 bis', 'b', 'ii' of an apartado, rule, letter or roman; '' of the other kinds.
        children: a numbered unit has its own paragraphs and tables, then the numbered units inside it; a
            paragraph its sentences, of which one with a colon at its end is a LEAD; a table its lines.
        lead: of the first paragraph of a numbered unit, the sentence that announces its list.
    """

    kind: Kind
    number: str
    start: int
    end: int
    children: tuple["Unit", ...] = ()
    lead: Span | None = None

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def tabular(self) -> bool:
        """True for a line of a table."""
        return self.kind in _LINES


class Part(NamedTuple):
    """The words of a numbered unit up to the next mark; `path` is empty before the first mark.

    «1.c.2» is the path ('1', 'c', '2').
    """

    path: tuple[str, ...]
    start: int
    end: int

    @property
    def label(self) -> str:
        return ".".join(self.path)


@dataclass(frozen=True)
class Provision:
    """A text and its units in reading order."""

    text: str
    units: tuple[Unit, ...]

    def said(self, span: Span | Unit | Part) -> str:
        """The words of a stretch."""
        return self.text[span.start : span.end]

    @cached_property
    def blocks(self) -> tuple[Unit, ...]:
        """Paragraphs and tables."""
        return tuple(_blocks(self.units))

    @cached_property
    def members(self) -> tuple[Unit, ...]:
        """First paragraphs of the members of the lists that a sentence with a colon announces."""
        return tuple(block for block in self.blocks if block.lead)

    @cached_property
    def sentences(self) -> tuple[Unit, ...]:
        """Sentences and lines of tables."""
        return tuple(child for block in self.blocks for child in block.children)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The words before the first mark, then those of each numbered unit."""
        return tuple(_parts(self.units, ()))


def _blocks(units: Sequence[Unit]) -> Iterator[Unit]:
    for unit in units:
        if unit.number:
            yield from _blocks(unit.children)
        else:
            yield unit


def _parts(units: Sequence[Unit], path: tuple[str, ...]) -> Iterator[Part]:
    own = [unit for unit in units if not unit.number]
    if own:
        yield Part(path, own[0].start, own[-1].end)
    for unit in units[len(own) :]:
        yield from _parts(unit.children, (*path, unit.number))
