"""The state of a cited ruling: its form, and whether the corpus has it. Pure over a `Library`."""

import re
from collections.abc import Iterator

from casework.briefs.findings import Finding, Kind, State
from casework.briefs.norm_library import Library
from law.dates import spelled
from law.norms import Norm
from law.ruling_form import year_of
from law.rulings import Ruling

COLLECTION = "sentencias"


def judged(ruling: Ruling, library: Library) -> Finding:
    """The state of a ruling; that one which is not in the corpus exists is never said."""
    norms = [norm for norm in library.norms() if norm.collection == COLLECTION]
    told = (norm for same in (_is, _has_roj) for norm in norms if same(norm, ruling))
    held = next(told, None)
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
    if ruling.ecli and ecli:
        return ruling.ecli.upper() == ecli.upper()
    if ruling.number and norm.number == ruling.number:
        return _by_court(norm, ruling.court)
    # A number of an appeal is one of each court: «Ssentencia» says of none.
    of_court = not ruling.court.isupper() or _by_court(norm, ruling.court)
    appeals = {_appeal(one) for one in _several(norm)}
    return bool(ruling.appeal) and of_court and _appeal(ruling.appeal) in appeals


def _has_roj(norm: Norm, ruling: Ruling) -> bool:
    """True if the number cited is that of the ruling in the collection of CENDOJ: «Roj: STS 1987/2018»."""
    court, _, number = norm.extra.get("roj", "").rpartition(" ")
    same_day = not ruling.day or norm.published in (None, ruling.day)
    return bool(number) and number == ruling.number and court.split(" ")[0] == ruling.court and same_day


def _by_court(norm: Norm, court: str) -> bool:
    return norm.alias.startswith(f"{court} ") or norm.law.startswith(f"{court} ")


def _several(norm: Norm) -> Iterator[str]:
    """The appeals of a ruling; the cases of one of the Court of Justice, which are its number."""
    yield from re.split(r", | y ", norm.extra.get("recurso", ""))
    if norm.number.startswith("C-"):
        yield from re.split(r", | y ", norm.number)


def _appeal(number: str) -> tuple[str, int | None] | str:
    """Order and year of «2145/17», of «02145/2017» and of «2145-2017»; another number as it is."""
    told = number.replace("-", "/") if number[:1].isdigit() else number
    year = year_of(told)
    return (told.partition("/")[0].lstrip("0"), year) if year else number
