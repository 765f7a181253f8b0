"""What norms are called, looked up at a position of a folded text: numbers, names and acronyms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from rag.law.labels import fold
from rag.types import Norm

MIN_NAME = 12
NUMBERED_SINCE = "numbered_since"
GENERIC = frozenset({"estatuto", "constitucion"})

_RANKS = (
    (re.compile(r"real decreto legislativo|r\.?d\.? ?leg\b\.?|rdleg|rdlg|rdlvo"), "rdleg"),
    (re.compile(r"real decreto[- ]ley|r\.?d\.?[- ]ley"), "rdley"),
    (re.compile(r"r\.?d\.?l\.?"), "rdl"),
    (re.compile(r"real decreto|r\.?d\.?"), "rd"),
    (re.compile(r"ley organica|l\.?o\.?"), "lo"),
    (re.compile(r"decreto[- ]ley"), "dley"),
    (re.compile(r"decreto"), "d"),
    (re.compile(r"ley|l\."), "ley"),
    (re.compile(r"orden(?: ministerial)?|o\.?m\.?"), "orden"),
)
NUMBERED = re.compile(
    r"\b(?P<rank>real decreto legislativo|real decreto[- ]ley|real decreto|ley organica|decreto[- ]ley"
    r"|decreto|ley|orden(?: ministerial)?|r\.?d\.?[- ]?(?:ley|leg\b\.?|lg|lvo)|r\.?d\.?l\.?|r\.?d\.?|l\.?o\.?"
    r"|l\.)"
    r"\s*(?:n[uº°]m?(?:ero)?\.?\s*)?(?P<number>(?:[a-z]{2,4}/)?\d{1,4}/(?:\d{4}|\d{2}\b))(?!\d|/)"
)
_DATED = re.compile(r",? de \d{1,2}º? de [a-z]+(?: de \d{4})?")
_APPROVED = re.compile(r",? (?:texto refundido )?aprobad[oa]s? (?:por|mediante|en) (?:el |la |los )?")
_PREFIX = re.compile(
    r"(?:(?:vigente|actual|propi[oa]|citad[oa]) )?(?:texto refundido (?:de la |del |de )?)?(?:vigente )?"
)
_LAW_OF = re.compile(r"ley (?:organica )?(?:reguladora )?(?:de la |del |de los |de las |de |sobre )?")
_TITLE = re.compile(r"(?P<rank>[^\d,]+?) (?:[a-z]{2,4}/)?\d+/\d{4}, de \d+ de [a-z]+,? (?P<rest>.+)")
_APPROVES = re.compile(r"por el que se aprueban? (?:el )?(?:texto refundido de la )?(?P<name>.+)")


class Named(NamedTuple):
    """A norm found at a position: its id (None when unknown or ambiguous) and where its name ends.

    `since`: before that day the name was another text's, with other numbers; None when it says its number.
    """

    norm_id: str | None
    end: int
    rank: str
    since: str | None = None


@dataclass(frozen=True)
class _Tables:
    numbers: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    names: dict[str, list[tuple[str, frozenset[str]]]] = field(default_factory=dict)
    ranks: dict[str, str] = field(default_factory=dict)
    since: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, init=False)
class NormCatalogue:
    """Every norm that may be referred to, by number, name and acronym; and the labels of those we know.

    A name or acronym that two norms share resolves to neither.
    """

    labels: Mapping[str, tuple[str, ...]]
    _tables: _Tables

    def __init__(self, norms: Sequence[Norm], labels: Mapping[str, Sequence[str]] | None = None) -> None:
        known = {norm_id: tuple(values) for norm_id, values in (labels or {}).items()}
        object.__setattr__(self, "labels", MappingProxyType(known))
        object.__setattr__(self, "_tables", _build(norms))

    def with_labels(self, norm_id: str, labels: Sequence[str]) -> NormCatalogue:
        """A copy that knows the labels of that norm, in reading order."""
        copy = object.__new__(NormCatalogue)
        object.__setattr__(copy, "labels", MappingProxyType({**self.labels, norm_id: tuple(labels)}))
        object.__setattr__(copy, "_tables", self._tables)
        return copy

    def at(self, folded: str, position: int) -> Named | None:
        """The norm whose number or name begins at `position`; the longest name wins.

        «Ley General X, aprobada por el Real Decreto Legislativo 1/1994» is what its number says.
        """
        numbered = NUMBERED.match(folded, position)
        if numbered is not None:
            return self._numbered(folded, numbered)
        start = position
        named = self._name(folded, start)
        prefix = _PREFIX.match(folded, start)
        if named is None and prefix and prefix.end() > start:
            start = prefix.end()
            named = self.at(folded, start) if NUMBERED.match(folded, start) else self._name(folded, start)
        if named is None and (law := _LAW_OF.match(folded, start)):
            named = self._name(folded, law.end())
        return self._as_approved(folded, named) if named else None

    def _as_approved(self, folded: str, named: Named) -> Named:
        approved = _APPROVED.match(folded, named.end)
        numbered = NUMBERED.match(folded, approved.end()) if approved else None
        return self._numbered(folded, numbered) if numbered else named

    def _numbered(self, folded: str, match: re.Match[str]) -> Named:
        rank, number = _rank(match["rank"]), _full_year(match["number"])
        ranks = ("rdleg", "rdley") if rank == "rdl" else (rank,)
        ids = set().union(*(self._tables.numbers.get((one, number), set()) for one in ranks))
        dated = _DATED.match(folded, match.end())
        return Named(ids.pop() if len(ids) == 1 else None, dated.end() if dated else match.end(), rank)

    def _name(self, folded: str, start: int) -> Named | None:
        first = folded[start : start + 40].partition(" ")[0].rstrip(".,;:)»?!")
        for name, ids in self._tables.names.get(first, ()):
            end = start + len(name)
            if folded.startswith(name, start) and not _goes_on(folded, name, end):
                norm_id = next(iter(ids)) if len(ids) == 1 else None
                rank, since = (table.get(norm_id or "") for table in (self._tables.ranks, self._tables.since))
                return Named(norm_id, end, rank or "", since)
        return None


def _build(norms: Sequence[Norm]) -> _Tables:
    tables = _Tables()
    names: dict[str, set[str]] = {}
    tables.since.update(
        {norm.id: norm.extra[NUMBERED_SINCE] for norm in norms if NUMBERED_SINCE in norm.extra}
    )
    for norm in norms:
        rank = tables.ranks[norm.id] = _rank(fold(norm.rank))
        for number in {fold(norm.number), fold(norm.number).rpartition("/")[0] and _short(norm.number)} - {
            ""
        }:
            tables.numbers.setdefault((rank, number), set()).add(norm.id)
        for name in {*map(_clean, (norm.law, norm.alias, *norm.aliases)), *_of_title(_clean(norm.title))}:
            if name and not NUMBERED.fullmatch(name):
                names.setdefault(name, set()).add(norm.id)
    for name in sorted(names, key=lambda name: (-len(name), name)):
        tables.names.setdefault(name.partition(" ")[0], []).append((name, frozenset(names[name])))
    return tables


def _goes_on(folded: str, name: str, end: int) -> bool:
    """Whether the word, or the name, is longer: 'estatuto de autonomia' is not «Estatuto»."""
    return folded[end : end + 1].isalnum() or (name in GENERIC and folded.startswith((" de ", " del "), end))


def _short(number: str) -> str:
    """'2865/2003' of 'TAS/2865/2003'."""
    return "/".join(fold(number).split("/")[-2:])


def _full_year(number: str) -> str:
    """'39/2015' of '39/15'."""
    head, _, year = number.rpartition("/")
    return f"{head}/{'19' if year > '50' else '20'}{year}" if len(year) == 2 else number


def _clean(name: str) -> str:
    return " ".join(fold(name).split()).rstrip(".")


def _rank(folded: str) -> str:
    return next((key for pattern, key in _RANKS if pattern.fullmatch(folded.strip())), folded.strip())


def _of_title(title: str) -> set[str]:
    """Names that a title gives: 'Ley 31/1995, de 8 de noviembre, de Prevención de Riesgos Laborales'."""
    match = _TITLE.fullmatch(title)
    if match is None:
        return set()
    rank, rest = match["rank"], match["rest"]
    approves = _APPROVES.fullmatch(rest)
    if approves:
        name = approves["name"]
    elif rank in {"ley", "ley organica"} and not rest.startswith("por "):
        name = f"ley {rest}"
    else:
        return set()
    name = name.partition(", y ")[0]
    return {name, f"{rank}{name.removeprefix('ley')}"} - {""} if len(name) >= MIN_NAME else set()
