"""States of citations in words and colours; pure functions."""

from collections.abc import Mapping

from casework.briefs.findings import NAMES, SIGNS, CitationReport, Finding, Kind, State, sign_of
from pages.parts.common.words import number

BRIEF, CERTIFICATE = "Citas de un escrito", "Certificado de fuentes"
CHECKS = {
    BRIEF: "Pegue o suba un escrito: cada norma, artículo, cita literal y sentencia se compara con la "
    "normativa cargada en la fecha que elija. El escrito no se guarda.",
    CERTIFICATE: "Suba un certificado de fuentes y, si lo tiene, el documento que lo acompaña. Se comprueba "
    "que lo firmó esta instalación y que nadie lo ha cambiado. Ninguno de los dos archivos se guarda.",
}
"""Checks of the page, and what is under each."""

GOOD, DOUBT, BAD, PLAIN = "art-high", "art-mid", "art-low", ""
COLOURS: Mapping[State, str] = {
    State.MISSING: BAD,
    State.DIFFERENT: BAD,
    State.MISPLACED: BAD,
    State.ABSENT: BAD,
    State.ILL_FORMED: BAD,
    State.REPEALED: BAD,
    State.CHANGED: DOUBT,
    State.NOT_YET: DOUBT,
    State.AMBIGUOUS: DOUBT,
    State.NOT_LOADED: PLAIN,
    State.UNCHECKED: PLAIN,
    State.WELL_FORMED: PLAIN,
    State.HELD: GOOD,
    State.IN_FORCE: GOOD,
    State.EXACT: GOOD,
}
"""The CSS classes of the states, in the order in which a lawyer wants to see them: the worst first."""
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
    return f"{SIGNS[state]} {NAMES[state]}"


def look_of(finding: Finding) -> tuple[str, str]:
    """The sign and the CSS class of the colour of a finding; with a warning it is not in the green."""
    sign, colour = sign_of(finding.state, finding.warning), COLOURS[finding.state]
    return sign, DOUBT if finding.warning and colour == GOOD else colour
