"""Notices of an answer: a sentence that its reader is told, and the most confidence that it leaves."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """Subjects of notices. By these names, in this order, a trace shows those that lower a confidence."""

    CITATIONS = "citas comprobadas"
    VERDICT = "veredicto"
    CALCULATIONS = "cálculos"
    FIGURES = "cifras"
    PEOPLE = "régimen"
    REPLACED = "criterio sin efecto"
    SCOPE = "ámbito del convenio"
    SENTENCES = "frases"
    MARKS = "comillas"
    ARTICLE = "artículo"
    READ = "lectura"
    DATE = "fecha"
    LAW = "normas"
    SEARCH = "búsqueda"
    TEXT = "texto"
    WITHOUT_MODEL = "sin modelo"


SHOWN = (Kind.CITATIONS, Kind.VERDICT, Kind.DATE)
"""Kinds whose cap a trace shows also where they lower nothing."""


@dataclass(frozen=True)
class Notice:
    """One notice of an answer; as text, its line among the notes.

    Attributes:
        says: Spanish sentence; empty if the notes need none.
        about: names of the provisions that the sentence is about; empty for the whole answer.
        cap: greatest confidence of an answer with it.
    """

    kind: Kind
    says: str
    about: str = ""
    cap: float = 1.0

    def __str__(self) -> str:
        return f"{self.about}: {self.says}" if self.about else self.says


def caps(notices: Sequence[Notice]) -> dict[Kind, float]:
    """The least cap of each kind that lowers a confidence, and of those shown in any case."""
    least = {kind: min((one.cap for one in notices if one.kind is kind), default=1.0) for kind in Kind}
    return {kind: cap for kind, cap in least.items() if cap < 1.0 or kind in SHOWN}
