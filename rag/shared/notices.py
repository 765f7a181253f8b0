"""Notices of an answer: a sentence that its reader is told, and the most confidence that it leaves."""

from collections.abc import Mapping, Sequence
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
    SPELLING = "ortografía"
    TEXT = "texto"
    WITHOUT_MODEL = "sin modelo"


BECAUSE = {
    Kind.CITATIONS: "se ha descartado alguna cita",
    Kind.VERDICT: "los textos encontrados pueden no decir todo lo que se pregunta",
    Kind.CALCULATIONS: "hay una cuenta errónea",
    Kind.FIGURES: "hay cifras que no constan en lo leído",
    Kind.PEOPLE: "se citan preceptos de otro régimen",
    Kind.REPLACED: "se cita un criterio sin efecto",
    Kind.SCOPE: "el convenio citado puede no ser aplicable",
    Kind.SENTENCES: "hay frases por comprobar",
    Kind.MARKS: "se han quitado comillas de lo que no era una cita",
    Kind.ARTICLE: "se ha entendido otro artículo que el nombrado",
    Kind.READ: "el modelo no lo leyó todo",
    Kind.DATE: "no se ha aplicado la redacción de ese día",
}
"""Spanish clause on what lowers a confidence, for the kinds that have a cap."""
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


def because(doubt: str, confidence: float, least: Mapping[Kind, float]) -> str:
    """The Spanish clause on what lowers a confidence most: the draft's own doubt, or a kind of notice."""
    kind = min(least, key=lambda one: least[one])
    return BECAUSE.get(kind, "") if least[kind] <= confidence else doubt


def caps(notices: Sequence[Notice]) -> dict[Kind, float]:
    """The least cap of each kind that lowers a confidence, and of those shown in any case."""
    least = {kind: min((one.cap for one in notices if one.kind is kind), default=1.0) for kind in Kind}
    return {kind: cap for kind, cap in least.items() if cap < 1.0 or kind in SHOWN}
