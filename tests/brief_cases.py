"""Labelled briefs: what a citation checker has to say of each of their citations.

A file of data/evaluation/citations begins with «fecha: AAAA-MM-DD», «autor: …» and an empty line. In its text
`{{words|CODE}}` is a citation with its expected state, and
`{{=NORM ARTICLE[.APARTADO][.LETTER] FROM-TO [changes]|CODE}}` a quotation: those words of that provision, the
first being 1, as it reads on the day of the brief; no text of a law is kept here. Changes: `on=DAY` the
wording of that day, `no@5` a «no» before the fifth word, `drop@5`, `swap@5=word`, `cut@5-9` «(…)» for those
words, `sic@5` «[sic]» after it, `bracket@5` words in brackets, `caps` a capital first, `wrap` short lines.

The ends of a range may be labelled apart, «{{arts. 80|V}} {{a 82|M}}»: one citation, in the state that
weighs more, as the report shows it (docs/decisions/work.md). So may a ruling and its ECLI right behind it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from casework.briefs.findings import CitationReport, Finding, Kind, State
from casework.briefs.norm_library import Library
from law.provision_reading import read_provision

FOLDER = Path(__file__).parents[1] / "data" / "evaluation" / "citations"
CODES = {
    "V": State.IN_FORCE, "M": State.CHANGED, "D": State.REPEALED, "F": State.NOT_YET, "N": State.MISSING,
    "E": State.EXACT, "X": State.DIFFERENT, "P": State.MISPLACED, "A": State.AMBIGUOUS, "C": State.NOT_LOADED,
    "RC": State.HELD, "RF": State.WELL_FORMED, "RI": State.ILL_FORMED,
    "RS": State.UNCHECKED,
}  # fmt: skip
_LABELLED = re.compile(r"\{\{(?P<words>[^|{}]+)\|(?P<code>[A-Z]+)\}\}")
_NEVER_QUOTED = (State.MISSING, State.WELL_FORMED, State.ILL_FORMED, State.HELD)
_CITATION = re.compile(r"(?:el |los |ex )?(?:arts?\.|art[íi]culos?) \d")
"""A citation that a brief puts between marks, which is no quotation."""
_QUOTES = '«“"‘'
_END_OF_RANGE = re.compile(r"(?:al?|hasta(?: el)?|[-–])\s?\d")
_BEFORE_ECLI = re.compile(r",?\s*[(\[]?")
_OF_A_RANGE = (State.MISSING, State.AMBIGUOUS, State.NOT_YET, State.CHANGED, State.IN_FORCE, State.REPEALED)
"""States from the one that weighs most in a range."""


class Expected(NamedTuple):
    """A labelled citation of a text."""

    start: int
    end: int
    text: str
    state: State
    quoted: bool


class Brief(NamedTuple):
    """A brief as somebody would hand it in, with its labels."""

    name: str
    author: str
    day: date
    text: str
    expected: tuple[Expected, ...]


class Verdict(NamedTuple):
    """An expected citation and what was found there; either may be missing."""

    brief: str
    expected: Expected | None
    found: Finding | None

    @property
    def right(self) -> bool:
        return bool(self.expected and self.found and self.expected.state is self.found.state)


def briefs(library: Library, folder: Path = FOLDER) -> Iterator[Brief]:
    """The briefs of a folder with the words of the law filled in."""
    for path in sorted(folder.glob("*.md")):
        yield _brief(path, library)


def verdicts(brief: Brief, report: CitationReport) -> list[Verdict]:
    """Each label with the finding that overlaps it most, then the findings that nobody expected."""
    left = list(report.findings)
    found: list[Verdict] = []
    for one in brief.expected:
        near = [
            other
            for other in left
            if (other.kind is Kind.QUOTATION) is one.quoted and _shared(one, other) > 0
        ]
        best = max(near, key=lambda other, one=one: _shared(one, other), default=None)  # type: ignore[misc]
        if best:
            left.remove(best)
        found.append(Verdict(brief.name, one, best))
    return found + [Verdict(brief.name, None, other) for other in left]


def _shared(one: Expected, other: Finding) -> int:
    return min(one.end, other.end) - max(one.start, other.start)


def _brief(path: Path, library: Library) -> Brief:
    head, _, body = path.read_text().partition("\n\n")
    facts = dict(line.split(": ", 1) for line in head.splitlines())
    day = date.fromisoformat(facts["fecha"])
    text, cursor = "", 0
    expected: list[Expected] = []
    for match in _LABELLED.finditer(body):
        text += body[cursor : match.start()]
        words = match["words"]
        words = _quotation(words[1:], library, day) if words.startswith("=") else words
        state = CODES[match["code"]]
        quoted = text[-1:] in _QUOTES and state not in _NEVER_QUOTED and not _CITATION.match(words)
        one = Expected(len(text), len(text) + len(words), words, state, quoted)
        text += words
        if expected and _END_OF_RANGE.match(words) and not text[expected[-1].end : one.start].strip():
            one = _range(expected.pop(), one, text)
        elif (
            expected
            and words.startswith("ECLI")
            and _BEFORE_ECLI.fullmatch(text, expected[-1].end, one.start)
        ):
            one = _with_ecli(expected.pop(), one, text)
        expected.append(one)
        cursor = match.end()
    return Brief(path.stem, facts["autor"], day, text + body[cursor:], tuple(expected))


def _range(first: Expected, last: Expected, text: str) -> Expected:
    state = min(first.state, last.state, key=_OF_A_RANGE.index)
    return Expected(first.start, last.end, text[first.start : last.end], state, quoted=False)


def _with_ecli(ruling: Expected, ecli: Expected, text: str) -> Expected:
    state = State.ILL_FORMED if State.ILL_FORMED in (ruling.state, ecli.state) else ruling.state
    return Expected(ruling.start, ecli.end, text[ruling.start : ecli.end], state, quoted=False)


def _quotation(spec: str, library: Library, day: date) -> str:
    norm, place, span, *changes = spec.split()
    parted = (change.partition("@" if "@" in change else "=") for change in changes)
    told = {name: value for name, _, value in parted}
    if "on" in told:
        day = date.fromisoformat(told.pop("on"))
    words = _words(norm, place, library, day)
    first, last = map(int, span.split("-"))
    if last > len(words):
        raise ValueError(f"{spec}: the provision has {len(words)} words")
    taken = words[first - 1 : last]
    for change, value in told.items():
        taken = _changed(taken, change, value)
    lines = [taken[i : i + 8] for i in range(0, len(taken), 8)] if "wrap" in told else [taken]
    text = "\n".join(" ".join(line) for line in lines).rstrip(" .,;:")
    return text[:1].upper() + text[1:] if "caps" in told else text


def _words(norm: str, place: str, library: Library, day: date) -> list[str]:
    ids = {known: one.id for one in library.norms() for known in (one.alias, one.number, one.id)}
    label, *steps = place.replace("_", " ").split(".")
    for block in library.blocks(ids[norm], label):
        version = block.wording_on(day)
        if version is None:
            continue
        body = version.text.partition("\n")[2]
        if not steps:
            return re.sub(r"^\s*\d+\.\s?", "", body).split()
        start = _start(body, steps)
        return re.sub(r"^\s*(?:\w+[.)]+[ªº]?)\s*", "", body[start:]).split()
    raise ValueError(f"{norm} {place}: not there on {day}")


def _start(body: str, steps: list[str]) -> int:
    units = [one for one in read_provision(body).parts if one.label == ".".join(steps)]
    if units:
        return units[0].start
    found = re.search(rf"(?m)^\s*{steps[-1]}[.)]", body)
    if found is None:
        raise ValueError(f"no {steps} in {body[:60]}")
    return found.start()


def _changed(words: list[str], change: str, value: str) -> list[str]:
    where, _, other = value.partition("=")
    first, _, last = where.partition("-")
    at = int(first or 1) - 1
    until, put = {
        "wrap": (at, []),
        "caps": (at, []),
        "no": (at, ["no"]),
        "drop": (at + 1, []),
        "swap": (at + 1, [other]),
        "cut": (int(last or 0), ["(…)"]),
        "sic": (at + 1, [words[at], "[sic]"]),
        "bracket": (at + 1, ["[la persona obligada]"]),
    }[change]
    return [*words[:at], *put, *words[until:]]


class Score(NamedTuple):
    """Decisions of one state: those expected, those made, and those that are both."""

    expected: int
    made: int
    right: int

    @property
    def precision(self) -> float:
        return self.right / self.made if self.made else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.expected if self.expected else 1.0


def scores(found: Iterable[Verdict]) -> dict[State, Score]:
    """The score of each state that was expected or found."""
    judged = list(found)
    expected = Counter(one.expected.state for one in judged if one.expected)
    made = Counter(one.found.state for one in judged if one.found)
    right = Counter(one.expected.state for one in judged if one.expected and one.right)
    return {
        state: Score(expected[state], made[state], right[state])
        for state in State
        if expected[state] + made[state]
    }


def total(found: Mapping[State, Score]) -> Score:
    """The score of all decisions together."""
    return Score(*map(sum, zip(*found.values(), strict=True)))
