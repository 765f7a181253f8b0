"""Names of norms, looked up at a position of a folded text: numbers, names and acronyms."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from law.labels import fold
from law.norms import Norm

MIN_NAME = 12
NUMBERED_SINCE = "numbered_since"
GENERIC = frozenset({"estatuto", "constitucion"})
# Acronyms of contingencias comunes and profesionales too: only after an article are they a norm's.
ONLY_AFTER_AN_ARTICLE = frozenset({"cc", "cp"})

_RANKS = (
    (re.compile(r"real decreto legislativo|r\.?d\.? ?leg\b\.?|rdleg|rdlg|rdlvo"), "rdleg"),
    (re.compile(r"real decreto[- ]ley|r\.?d\.?[- ]ley"), "rdley"),
    (re.compile(r"r\.?d\.?l\.?"), "rdl"),
    (re.compile(r"real decreto|r\.?d\.?"), "rd"),
    (re.compile(r"ley organica|l\.?o\.?"), "lo"),
    (re.compile(r"decreto[- ]ley"), "dley"),
    (re.compile(r"decreto|d(?:to)?\."), "d"),
    (re.compile(r"ley|l\."), "ley"),
    (re.compile(r"orden(?: ministerial)?|o\.?m\.?"), "orden"),
)
NUMBERED = re.compile(
    r"\b(?P<rank>real decreto legislativo|real decreto[- ]ley|real decreto|ley organica|decreto[- ]ley"
    r"|decreto|ley|orden(?: ministerial)?|r\.?d\.?[- ]?(?:ley|leg\b\.?|lg|lvo)|r\.?d\.?l\.?|r\.?d\.?|l\.?o\.?"
    r"|l\.|d(?:to)?\.)"
    r"\s*(?:n[uº°]m?(?:ero)?\.?\s*)?(?P<number>(?:[a-z]{2,4}/)?\d{1,4}/(?:\d{4}|\d{2}\b))(?!\d|/)"
)
_DATED = re.compile(r",? de \d{1,2}º? de [a-z]+(?: de \d{4})?")
_APPROVED = re.compile(r",? (?:texto refundido )?aprobad[oa]s? (?:por|mediante|en) (?:el |la |los )?")
_PREFIX = re.compile(
    r"(?:(?:vigente|actual|(?:propi|(?:pre)?citad|mism|dich|referid|mencionad|repetid|indicad|aludid)[oa]) )?"
    r"(?:texto refundido (?:de la |del |de )?)?(?:vigente )?"
)
# A line may end after an acronym; «¶» ends a paragraph of a text in one line.
_ENDS_WORD = re.compile(r"[\s¶—–/()«»“”\"]")
_LAW_OF = re.compile(r"ley (?:organica )?(?:reguladora )?(?:de la |del |de los |de las |de |sobre )?")
_TITLE = re.compile(r"(?P<rank>[^\d,]+?) (?:[a-z]{2,4}/)?\d+/\d{4}, de \d+ de [a-z]+,? (?P<rest>.+)")
_APPROVES = re.compile(r"por el que se aprueban? (?:el )?(?:texto refundido de la )?(?P<name>.+)")


_CALLED = {
    "ley": {"ley", "lo", "rdleg"},
    "ley organica": {"lo"},
    "texto refundido": {"rdleg"},
    "real decreto legislativo": {"rdleg"},
    "rd leg": {"rdleg"},
    "real decreto-ley": {"rdley"},
    "real decreto ley": {"rdley"},
    "decreto-ley": {"rdley", "dley"},
    "real decreto": {"rd", "rdley"},
    "rd": {"rd", "rdley"},
    "decreto": {"d", "rd"},
    "orden": {"orden"},
}
"""Back-reference to a norm that the text has named before → the ranks of the norms that it may mean."""
_BY_NAME = ("reglamento", "estatuto", "codigo", "constitucion", "convenio", "directiva")
"""Words for a norm that are no rank: the norm has them in its names."""


class Named(NamedTuple):
    """A norm found at a position: its id (None when unknown or ambiguous) and the end of its name.

    `since`: first day of this use of the name, earlier another text's; None if the number is cited.
    """

    norm_id: str | None
    end: int
    rank: str
    since: str | None = None


@dataclass(frozen=True)
class _Entry:
    """Numbers, as (rank, number), and names of one norm."""

    rank: str
    since: str | None
    numbers: frozenset[tuple[str, str]]
    names: frozenset[str]


class NormNames:
    """Numbers, names and acronyms of norms. Adding or removing a norm does not scan the others."""

    def __init__(self, norms: Iterable[Norm] = ()) -> None:
        self._entries: dict[str, _Entry] = {}
        self._numbers: dict[tuple[str, str], set[str]] = {}
        self._names: dict[str, dict[str, set[str]]] = {}
        """First word → name → ids of the norms with that name."""
        self._lengths: dict[str, list[int]] = {}
        """First word → lengths of its present and past names, longest first."""
        for norm in norms:
            self.add(norm)

    def add(self, norm: Norm) -> None:
        """Add a norm, or replace its earlier names."""
        self.remove(norm.id)
        entry = self._entries[norm.id] = _entry(norm)
        for number in entry.numbers:
            self._numbers.setdefault(number, set()).add(norm.id)
        for name in entry.names:
            first = name.partition(" ")[0]
            self._names.setdefault(first, {}).setdefault(name, set()).add(norm.id)
            lengths = self._lengths.setdefault(first, [])
            place = bisect_left(lengths, -len(name), key=lambda length: -length)
            if lengths[place : place + 1] != [len(name)]:
                lengths.insert(place, len(name))

    def remove(self, norm_id: str) -> None:
        """Forget the names of a norm, if it has any."""
        entry = self._entries.pop(norm_id, None)
        if entry is None:
            return
        for number in entry.numbers:
            self._numbers[number].discard(norm_id)
        for name in entry.names:
            called = self._names[name.partition(" ")[0]]
            called[name].discard(norm_id)
            if not called[name]:
                del called[name]

    def numbered(self, rank: str, number: str) -> Set[str]:
        """The norms of that rank with that number."""
        return self._numbers.get((rank, number), frozenset())

    def longest(self, folded: str, start: int) -> tuple[int, Set[str]] | None:
        """End offset of the longest name that begins at `start`, and the ids of its norms, or None."""
        first = _ENDS_WORD.split(folded[start : start + 40], maxsplit=1)[0].rstrip(".,;:)»?!")
        called = self._names.get(first, {})
        for length in self._lengths.get(first, ()):
            end = start + length
            name = folded[start:end]
            if len(name) == length and name in called and not _goes_on(folded, name, end):
                return end, called[name]
        return None

    def called(self) -> Iterator[tuple[str, str]]:
        """Every name with the id of its norm."""
        for norm_id, entry in list(self._entries.items()):
            yield from ((norm_id, name) for name in sorted(entry.names))

    def rank(self, norm_id: str) -> str:
        return self._entries[norm_id].rank

    def is_called(self, norm_id: str, kind: str) -> bool:
        """True if a text may call that norm so: «la citada ley», «dicho reglamento»; any kind but those of
        ranks and names says nothing."""
        entry = self._entries.get(norm_id)
        if entry is None:
            return True
        if kind in _BY_NAME:
            return any(kind in name.split() for name in entry.names)
        return kind not in _CALLED or entry.rank in _CALLED[kind]

    def since(self, norm_id: str) -> str | None:
        """First day on which the names belong to this norm; None if they always did."""
        return self._entries[norm_id].since


class NormCatalogue:
    """Every norm that may be referred to, by number, name and acronym, and the known block labels.

    A name or acronym that two norms share resolves to neither. A NormNames is shared: norms added to it later
    are found here too.
    """

    def __init__(
        self, norms: Iterable[Norm] | NormNames, labels: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        known = {norm_id: tuple(values) for norm_id, values in (labels or {}).items()}
        self.labels: Mapping[str, tuple[str, ...]] = MappingProxyType(known)
        self.names = norms if isinstance(norms, NormNames) else NormNames(norms)

    def with_labels(self, norm_id: str, labels: Sequence[str]) -> NormCatalogue:
        """A copy that knows the labels of that norm, in reading order."""
        return NormCatalogue(self.names, {**self.labels, norm_id: labels})

    def at(self, folded: str, position: int) -> Named | None:
        """The norm whose number or name begins at `position`; the longest name wins.

        «Ley General X, aprobada por el Real Decreto Legislativo 1/1994» resolves by its number.
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
        rank, number = rank_of(match["rank"]), full_year(match["number"])
        ranks = ("rdleg", "rdley") if rank == "rdl" else (rank,)
        ids = {norm_id for one in ranks for norm_id in self.names.numbered(one, number)}
        dated = _DATED.match(folded, match.end())
        return Named(ids.pop() if len(ids) == 1 else None, dated.end() if dated else match.end(), rank)

    def _name(self, folded: str, start: int) -> Named | None:
        found = self.names.longest(folded, start)
        if found is None:
            return None
        end, ids = found
        if len(ids) > 1:
            return Named(None, end, "")
        (norm_id,) = ids
        return Named(norm_id, end, self.names.rank(norm_id), self.names.since(norm_id))


def _entry(norm: Norm) -> _Entry:
    rank, number = rank_of(fold(norm.rank)), fold(norm.number)
    numbers = {number, number.rpartition("/")[0] and _short(norm.number)} - {""}
    names = {
        *map(comparable_name, (norm.law, norm.alias, *norm.aliases)),
        *_of_title(comparable_name(norm.title)),
    } - {""}
    return _Entry(
        rank=rank,
        since=norm.extra.get(NUMBERED_SINCE),
        numbers=frozenset((rank, one) for one in numbers),
        names=frozenset(name for name in names if not NUMBERED.fullmatch(name)),
    )


def _goes_on(folded: str, name: str, end: int) -> bool:
    """True if the word or name continues: 'estatuto de autonomia' is no «Estatuto», 'cc. aa.' no «cc»."""
    return (
        folded[end : end + 1].isalnum()
        or (name in GENERIC and folded.startswith((" de ", " del "), end))
        or (name == "cc" and folded.startswith((".aa", ". aa", " aa"), end))
    )


def _short(number: str) -> str:
    """'2865/2003' of 'TAS/2865/2003'."""
    return "/".join(fold(number).split("/")[-2:])


def full_year(number: str) -> str:
    """'39/2015' of '39/15', '1994' of '94'."""
    head, slash, year = number.rpartition("/")
    return f"{head}{slash}{'19' if year > '50' else '20'}{year}" if len(year) == 2 else number


def comparable_name(name: str) -> str:
    """A name of a norm as two are compared: folded, on one line, without a full stop."""
    return " ".join(fold(name).split()).rstrip(".")


def rank_of(folded: str) -> str:
    """'rdleg' of 'real decreto legislativo' and of 'rdlg'; another word for a rank as it is."""
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


def named_law(norm: Norm) -> str:
    """The law by its name and, unless the name has it, its acronym."""
    return norm.law if not norm.alias or norm.alias in norm.law else f"{norm.law} ({norm.alias})"
