"""The state of a cited ruling: its form, and whether the corpus has it. Pure over a `Library`."""

from rag.briefs.findings import Finding, Kind, State
from rag.briefs.library import Library
from rag.law.dates import spelled
from rag.law.rulings import Ruling
from rag.types import Norm

COLLECTION = "sentencias"


def judged(ruling: Ruling, library: Library) -> Finding:
    """The state of a ruling; that one which is not in the corpus exists is never said."""
    held = next((norm for norm in library.norms() if _is(norm, ruling)), None)
    state, said = _state(ruling, held)
    return Finding(
        kind=Kind.RULING,
        start=ruling.start,
        end=ruling.end,
        text=ruling.text,
        state=state,
        said=said,
        norm_id=held.id if held else "",
        source=held.title if held else "",
        url=held.url if held else "",
    )


def _state(ruling: Ruling, held: Norm | None) -> tuple[State, str]:
    if ruling.problem:
        return State.ILL_FORMED, ruling.problem
    if held is None:
        said = "La forma es correcta. No está cargada: ni se confirma ni se niega que exista."
        return State.WELL_FORMED, said
    if ruling.day and held.published and ruling.day != held.published:
        return State.ILL_FORMED, f"Está cargada con otra fecha: {spelled(held.published)}."
    return State.HELD, "Está cargada."


def _is(norm: Norm, ruling: Ruling) -> bool:
    ecli = norm.extra.get("ecli", "")
    if norm.collection != COLLECTION:
        return False
    if ruling.ecli and ecli:
        return ruling.ecli.upper() == ecli.upper()
    if ruling.number and norm.number == ruling.number:
        return norm.alias.startswith(f"{ruling.court} ") or norm.law.startswith(f"{ruling.court} ")
    return bool(ruling.appeal and norm.extra.get("recurso") == ruling.appeal)
