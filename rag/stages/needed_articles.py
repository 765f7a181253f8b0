"""Fetching of articles that the assessment misses: by exact filter first, then by hybrid search (S0.54)."""

import asyncio
import re
from dataclasses import dataclass
from datetime import date

from law.chunks import Chunk
from law.labels import holds_apartado
from models.chat import ModelCall
from rag.question.periods import written_day
from rag.retrieval.hybrid import NEEDED, search_in_norm
from rag.shared.hits import Hit
from rag.shared.state import Services

SCORE = 0.5

_KINDS = {"a": "adicional", "t": "transitoria", "d": "derogatoria", "f": "final"}
_SHORT = re.compile(r"d\.?\s?([atdf])\.?\s*(?=\d|[uú]nic)", re.I)
_SPELLED = re.compile(r"(?:art|disp|anexo)", re.I)


@dataclass(frozen=True)
class Need:
    """`NEED|48.4|Estatuto Trabajadores|2019-07-01`: number, law and day as written; a day may be missing."""

    number: str
    law: str
    when: str = ""

    def __str__(self) -> str:
        day = f"{self.day:%d/%m/%Y}" if self.day else self.when
        return f"{self.name} a {day}" if day else self.name

    @property
    def name(self) -> str:
        """The provision without its day: 'artículo 48.4 Estatuto Trabajadores'."""
        return f"{self._named(self.number)} {self.law}"

    @property
    def day(self) -> date | None:
        """The day whose wording is needed; None if it is that of the question, or cannot be read."""
        return written_day(self.when)

    @property
    def asked(self) -> str:
        """The block as a reference: 'artículo 48 LGSS', 'disposición transitoria 11 ET'."""
        return f"{self._named(self.base)} {self.law}"

    @staticmethod
    def _named(number: str) -> str:
        """'48' is an article; 'DT 11', 'disposición…' and 'anexo…' say what they are."""
        if short := _SHORT.match(number.strip()):
            return f"disposición {_KINDS[short[1].lower()]} {number.strip()[short.end() :]}"
        return number.strip() if _SPELLED.match(number.strip()) else f"artículo {number.strip()}"

    @property
    def base(self) -> str:
        """The article without its apartado: '48.4' is article 48."""
        found = re.match(r"\d+(?:\s+[a-z]+)?(?=\.|$)", self.number.strip().lower())
        return found[0] if found else self.number.strip()

    @property
    def apartado(self) -> str | None:
        found = re.match(r"\d+(?:\s+\w+)?\.(\d+)", self.number)
        return found[1] if found else None


@dataclass(frozen=True)
class Fetched:
    """The hits for a need: the article itself (`found`), or only the nearest chunks.

    `fallback`: why the nearest were searched without vectors, in Spanish.
    """

    hits: list[Hit]
    calls: tuple[ModelCall, ...] = ()
    found: bool = False
    fallback: str = ""


async def fetch(need: Need, as_of: date, services: Services, seconds: float) -> Fetched:
    """Hits for a need, best first; empty when the corpus has nothing like it. Vectors may take `seconds`.

    The wording of one day is not found in that of another, nor that of a day that cannot be read.
    """
    day = need.day or as_of
    if need.when and need.day is None:
        return Fetched([])
    resolved = services.holdings().references(need.asked)
    target = next((r for r in resolved if r.norm_id), None)
    if target is not None and target.norm_id and target.label:
        parts = await asyncio.to_thread(services.store.find, target.norm_id, target.label, day)
        parts = sorted(parts, key=lambda chunk: not holds_apartado(chunk.apartados, need.apartado))
        if parts:
            return Fetched([_hit(chunk, day, as_of) for chunk in parts[:NEEDED]], found=True)
    norm_ids = (target.norm_id,) if target is not None and target.norm_id else ()
    text = need.name[:1].upper() + need.name[1:]
    hits, calls, fallback = await search_in_norm(services, text, day, norm_ids, seconds)
    return Fetched([_hit(hit.chunk, day, as_of) for hit in hits], calls, fallback=fallback)


def _hit(chunk: Chunk, day: date, as_of: date) -> Hit:
    """A fragment in force on `day`, which it bears if it is not in force on `as_of`."""
    other = None if chunk.in_force_on(as_of) else day
    return Hit(chunk=chunk, score=SCORE, origin="need", day=other)
