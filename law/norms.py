"""Norms with their blocks and wordings: frozen values, no I/O.

Dates are calendar days in Spain. `valid_to` is the last day in force, inclusive; None if no end is known.
"""

import hashlib
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Final

from pydantic import Field

from core.values import Value
from law.in_force import in_force

STATE_LEVEL = "estatal"
"""The territory of the norms of the State."""
EVERYWHERE = (STATE_LEVEL, "Unión Europea", "Consejo de Europa")
"""Territories whose norms and judgments count in every comunidad autónoma."""
DOCUMENT: Final = "expediente"
"""Collection, and origin, of fragments of a document that is none of the corpus."""
BRIEF = "escrito"
"""Collection of a text that is only read, to check what it cites: kept as it is, paragraph by paragraph."""
SUMMARISES = "source_norm"
"""Key in `Norm.extra` of the norm that an unofficial summary stands for."""


class BlockKind(StrEnum):
    """Kinds of block of a norm; the names follow the BOE's own division."""

    PREAMBLE = "preamble"
    HEADING = "heading"
    ARTICLE = "article"
    ADDITIONAL = "additional"
    TRANSITIONAL = "transitional"
    REPEALING = "repealing"
    FINAL = "final"
    ANNEX = "annex"
    SECTION = "section"
    SIGNATURE = "signature"
    NOTE = "note"


UNDATED = date(1900, 1, 1)
"""First day of the wordings of a document that does not say from when it is in force."""


def dated(day: date | None) -> date | None:
    """The day; None when it is unknown. No reader is shown UNDATED."""
    return None if day == UNDATED else day


class BlockVersion(Value):
    """One wording (redacción) of a block and the days on which it was in force."""

    valid_from: date
    valid_to: date | None = None
    published: date | None = None
    amended_by: str | None = Field(default=None, description="BOE id of the norm that gave this wording")
    text: str = Field(description="heading line included, paragraphs joined by one line feed")
    notes: tuple[str, ...] = ()

    def in_force_on(self, day: date) -> bool:
        return in_force(self.valid_from, self.valid_to, day)


def sha256_of(*wordings: BlockVersion | None) -> str:
    """SHA-256, in hexadecimal, of a wording's text in UTF-8; of several, of their texts, a line feed between.

    One that is not there has an empty text.
    """
    texts = (one.text if one else "" for one in wordings)
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


class Block(Value):
    """An article, disposición, annex, heading… of a norm with every wording it has had."""

    id: str
    kind: BlockKind
    label: str = Field(default="", description="canonical: '48 bis', 'da 3', 'dt 2', 'dd única', 'anexo I'")
    title: str = Field(default="", description="'Artículo 48. Suspensión con reserva de puesto de trabajo.'")
    path: tuple[str, ...] = Field(default=(), description="headings above it, outermost first")
    position: int = 0
    versions: tuple[BlockVersion, ...] = ()
    attributes: Mapping[str, str] = Field(
        default_factory=dict, description="as `loading.aids.packed_attributes`, and url"
    )

    def wording_on(self, day: date) -> BlockVersion | None:
        return next((v for v in reversed(self.versions) if v.in_force_on(day)), None)


class Norm(Value):
    """A norm, judgment or criterion: what a citation names.

    Attributes:
        id: BOE identifier, or a slug for documents without one.
        law: name as lawyers say it («Estatuto de los Trabajadores», «Ley 10/2021»).
        alias: shortest usual name («ET»), or empty.
        rank: «Ley», «Real Decreto»… as the BOE writes it.
        territory: one of EVERYWHERE, or a comunidad autónoma of `lexicon/territories.toml`; 'autonómico'
            for a norm of the BOE whose department names none.
        official: False for summaries that are not the text of the norm.
        extra: metadata of its collection (court, chamber, ECLI, criterion number…).
    """

    id: str
    collection: str = "normativa"
    title: str
    law: str
    alias: str = ""
    aliases: tuple[str, ...] = ()
    rank: str = ""
    number: str = ""
    department: str = ""
    territory: str = STATE_LEVEL
    published: date | None = None
    valid_from: date | None = None
    repealed_on: date | None = None
    status: str = "Vigente"
    url: str = ""
    official: bool = True
    extra: Mapping[str, str] = Field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its shortest name: 'ET'."""
        return self.alias or self.law

    @property
    def lacks_day(self) -> bool:
        """True if neither its publication nor its first day in force is known."""
        return self.published is None and self.valid_from is None


class Document(Value):
    """Result of a loader: a norm with its blocks in reading order."""

    norm: Norm
    blocks: tuple[Block, ...]
    warnings: tuple[str, ...] = ()

    @property
    def undated(self) -> bool:
        """True if nothing says from when a wording of it is in force."""
        return any(one.valid_from == UNDATED for block in self.blocks for one in block.versions)


class Reference(Value):
    """A legal reference found in a text: its words and, once resolved, its target.

    `norm_id` is None when the norm is unknown or ambiguous; `label` is None when only a norm is named.
    """

    text: str
    start: int
    end: int
    norm_id: str | None = None
    label: str | None = None
    apartado: str | None = None
