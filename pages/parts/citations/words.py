"""States of citations in words, signs and colours; pure functions."""

from collections.abc import Mapping
from typing import NamedTuple

from casework.briefs.findings import CitationReport, Finding, Kind, State
from pages.parts.common.words import day, number


class Look(NamedTuple):
    """How a state is shown: a sign, the CSS class of its colour, and its name in the singular."""

    sign: str
    colour: str
    name: str


GOOD, DOUBT, BAD, PLAIN = "art-high", "art-mid", "art-low", ""
LOOKS: Mapping[State, Look] = {
    State.MISSING: Look("✘", BAD, "No existe"),
    State.DIFFERENT: Look("≠", BAD, "Cita con diferencias"),
    State.MISPLACED: Look("⇄", BAD, "Cita de otro precepto"),
    State.ILL_FORMED: Look("✘", BAD, "Resolución con datos incorrectos"),
    State.REPEALED: Look("†", BAD, "Derogada"),
    State.CHANGED: Look("△", DOUBT, "Modificada"),
    State.NOT_YET: Look("◷", DOUBT, "Aún no vigente"),
    State.AMBIGUOUS: Look("?", DOUBT, "Ambigua"),
    State.NOT_LOADED: Look("∅", PLAIN, "No está cargado"),
    State.WELL_FORMED: Look("○", PLAIN, "Resolución de forma correcta"),
    State.HELD: Look("✔", GOOD, "Resolución cargada"),
    State.IN_FORCE: Look("✔", GOOD, "Vigente"),
    State.EXACT: Look("✔", GOOD, "Cita literal exacta"),
}
"""In the order in which a lawyer wants to see them: the worst first."""
KINDS = {
    Kind.NORM: "Norma",
    Kind.PROVISION: "Precepto",
    Kind.QUOTATION: "Cita literal",
    Kind.RULING: "Resolución",
}
NOTICE = (
    "Comprobación automática de Articulado, sin modelo de lenguaje: compara letra por letra con los textos "
    "cargados; lo que no está cargado ni se confirma ni se niega. No sustituye la lectura de la fuente "
    "oficial."
)


def unattributed(report: CitationReport) -> str:
    """How many texts between quotation marks are no quotation of a norm; empty without any."""
    if not report.unattributed:
        return ""
    return (
        f"Textos entre comillas sin comprobar: {number(report.unattributed)} "
        "(el escrito no los atribuye a una norma ni se parecen a las que nombra)."
    )


def state_name(finding: Finding) -> str:
    """'Modificada desde 02/03/2022', 'Vigente'."""
    name = LOOKS[finding.state].name
    return f"{name} desde {day(finding.since)}" if finding.state in _DATED and finding.since else name


_DATED = frozenset({State.CHANGED, State.REPEALED})
