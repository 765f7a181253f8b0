"""The state of a cited ruling: its form, and whether it is loaded or attached. Pure over a `Library`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from casework.briefs.findings import Finding, Kind, State
from casework.briefs.norm_library import Library, Place
from core.errors import InputError
from law.dates import spelled
from law.decisions import LAW
from law.norms import UNDATED, Block, BlockKind, BlockVersion, Norm
from law.ruling_form import year_of
from law.rulings import Ruling
from loading.formats.broken_lines import Paragraph
from loading.formats.ruling_facts import judgment
from rag.answers.verbatim import typeset

COLLECTION = "sentencias"
ATTACHED = "Está aportada: {name}."
HEAD, LONGEST = 6000, 20_000_000
"""Characters of the head of a ruling, and of all that an expediente may have for one brief."""
TOO_LONG = "Las sentencias del expediente ocupan demasiado: compruebe el escrito sin elegirlo."
_HEAD = re.compile(r"\b(?:sentencia|auto|ecli|roj)\b", re.IGNORECASE)


class Paper(NamedTuple):
    """A document of an expediente: how it is named there, and its text in stretches."""

    name: str
    text: str
    stretches: Sequence[str]


class Attached:
    """A ruling among the papers of an expediente."""

    def __init__(self, paper: Paper, norm: Norm) -> None:
        self.name, self.text = paper.name, paper.text
        self.norm = norm.model_copy(update={"title": f"{norm.title} ({paper.name})", "id": "", "url": ""})
        self._stretches = paper.stretches

    @cached_property
    def places(self) -> list[Place]:
        """Its stretches as wordings that quotations are compared with."""
        versions = [BlockVersion(valid_from=UNDATED, text=one) for one in self._stretches]
        blocks = (Block(id=COLLECTION, kind=BlockKind.SECTION, versions=(one,)) for one in versions)
        return [Place(self.norm, one, one.versions[0], typeset(one.versions[0].text)) for one in blocks]


def likely(papers: Iterable[Paper]) -> list[Paper]:
    """The papers whose head may be a ruling's. Raises InputError: they are too long to be compared with."""
    found = [one for one in papers if _HEAD.search(one.text, 0, HEAD)]
    if sum(len(one.text) for one in found) > LONGEST:
        raise InputError(TOO_LONG)
    return found


def attached(papers: Sequence[Paper]) -> list[Attached]:
    """The judgments and orders among some papers."""
    read = ((one, [Paragraph(line) for line in one.text.split("\n") if line.strip()]) for one in papers)
    found = ((one, judgment(lines, one.name, LAW)) for one, lines in read)
    return [Attached(one, norm) for one, norm in found if norm is not None]


def held(ruling: Ruling, library: Library, papers: Sequence[Attached] = ()) -> Attached | Norm | None:
    """The ruling among those attached, or else among those of the corpus."""
    own = (one for same in (_is, _has_roj) for one in papers if same(one.norm, ruling))
    norms = [norm for norm in library.norms() if norm.collection == COLLECTION]
    loaded = (norm for same in (_is, _has_roj) for norm in norms if same(norm, ruling))
    return next(own, None) or next(loaded, None)


def judged(ruling: Ruling, library: Library, papers: Sequence[Attached] = ()) -> Finding:
    """The state of a ruling; that one which is not in the corpus exists is never said."""
    found = held(ruling, library, papers)
    own, norm = (found.name, found.norm) if isinstance(found, Attached) else ("", found)
    state, said = _state(ruling, norm, own)
    return Finding(
        kind=Kind.RULING,
        start=ruling.start,
        end=ruling.end,
        text=ruling.text,
        state=state,
        said=said,
        norm_id=norm.id if norm else "",
        source=norm.title if norm else "",
        url=norm.url if norm else "",
    )


def _state(ruling: Ruling, held: Norm | None, paper: str) -> tuple[State, str]:
    if ruling.problem:
        return State.ILL_FORMED, ruling.problem
    if held is None:
        said = "La forma es correcta. No está cargada: ni se confirma ni se niega que exista."
        return State.WELL_FORMED, said
    if ruling.day and held.published and ruling.day != held.published:
        there = "aportada" if paper else "cargada"
        return State.ILL_FORMED, f"Está {there} con otra fecha: {spelled(held.published)}."
    return State.HELD, ATTACHED.format(name=paper) if paper else "Está cargada."


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
