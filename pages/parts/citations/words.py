"""States of citations in words and colours; pure functions."""

from collections.abc import Mapping
from typing import NamedTuple

from casework.briefs.findings import SIGNS, CitationReport, Finding, Kind, State, sign_of
from pages.parts.common.words import day, number

BRIEF, CERTIFICATE = "Citas de un escrito", "Certificado de fuentes"
CHECKS = {
    BRIEF: "Pegue o suba un escrito: cada norma, artículo, cita literal y sentencia se compara con la "
    "normativa cargada en la fecha que elija. El escrito no se guarda.",
    CERTIFICATE: "Suba un certificado de fuentes y, si lo tiene, el documento que lo acompaña. Se comprueba "
    "que lo firmó esta instalación y que nadie lo ha cambiado. Ninguno de los dos archivos se guarda.",
}
"""Checks of the page, and what is under each."""


class Look(NamedTuple):
    """How a state is shown: the CSS class of its colour, and its name in the singular."""

    colour: str
    name: str


GOOD, DOUBT, BAD, PLAIN = "art-high", "art-mid", "art-low", ""
LOOKS: Mapping[State, Look] = {
    State.MISSING: Look(BAD, "No existe"),
    State.DIFFERENT: Look(BAD, "Cita con diferencias"),
    State.MISPLACED: Look(BAD, "Cita de otro precepto"),
    State.ILL_FORMED: Look(BAD, "Resolución con datos incorrectos"),
    State.REPEALED: Look(BAD, "Derogada"),
    State.CHANGED: Look(DOUBT, "Modificada"),
    State.NOT_YET: Look(DOUBT, "Aún no vigente"),
    State.AMBIGUOUS: Look(DOUBT, "Ambigua"),
    State.NOT_LOADED: Look(PLAIN, "No está cargado"),
    State.WELL_FORMED: Look(PLAIN, "Resolución sin comprobar"),
    State.HELD: Look(GOOD, "Resolución cargada"),
    State.IN_FORCE: Look(GOOD, "Vigente"),
    State.EXACT: Look(GOOD, "Cita literal exacta"),
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


def signed(state: State) -> str:
    """'✔ Vigente', for a count of findings."""
    return f"{SIGNS[state]} {LOOKS[state].name}"


def look_of(finding: Finding) -> tuple[str, str]:
    """The sign and the CSS class of the colour of a finding; with a warning it is not in the green."""
    sign, colour = sign_of(finding.state, finding.warning), LOOKS[finding.state].colour
    return sign, DOUBT if finding.warning and colour == GOOD else colour


def state_name(finding: Finding) -> str:
    """'Modificada desde 02/03/2022', 'Vigente'."""
    name = LOOKS[finding.state].name
    return f"{name} desde {day(finding.since)}" if finding.state in _DATED and finding.since else name


_DATED = frozenset({State.CHANGED, State.REPEALED})
