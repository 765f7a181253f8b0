"""Selection of the passages that answer a question: features of each, and their learned score.

Answer sentence selection as a logistic regression over named features (Yang et al., Beyond factoid QA, 2016);
`lab.training.gate` learns the weights (`selection.toml`) from labelled passages: by words, for every passage.
Where meaning is compared, `passage_gate` decides. A second set gives the odds that the passages chosen tell
all that the answer must.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from math import exp, log
from pathlib import Path
from typing import NamedTuple

from core.errors import ConfigurationError
from index import word_vectors
from law.chunks import Chunk
from law.parts import label_at
from law.provision import Provision
from law.provision_reading import read_provision
from law.tables import left_open
from rag.answers.quotable import Quotable, quotable
from rag.answers.quotation_widening import widened
from rag.shared.hits import Hit
from text import rows
from text.figures import digits, figures_in, measured_in
from text.segmentation import is_row
from text.textnorm import stems

FILE = Path(__file__).with_name("selection.toml")
PARTS = ("words", "told")
LEAST_RERANK = 1e-3
USUAL_LENGTH = 150
SHORT, LONG = 70, 350
KEPT = 1024
"""Chunks whose stretches stay in memory, as their words and features are: some 20 KB each."""

ASKS_FIGURE = re.compile(
    r"\b(?:cu[aá]nt\w+|plazo|edad|porcentaje|cuant[ií]a|importe|duraci[oó]n|dura)\b", re.I
)
ASKS_TIME = re.compile(r"\b(?:dura\w*|tiempo|plazo|cu[aá]ndo|antelaci[oó]n|preaviso)\b", re.I)
ASKED_UNIT = re.compile(r"\bcu[aá]nt[oa]s\s+(\w+)", re.I)
NUMBERING = re.compile(r"^\s*(?:\d+\.|[a-zñ]\))\s")
_DURATIONS = "horas días semanas meses años"
_AMOUNTS = "euros ciento mensualidades"
_ASKS_MONEY = re.compile(r"cu[aá]nto|cuant[ií]a|indemni|porcentaje|importe|multa|\bcobr\w+|sanci", re.I)
_ASKS_WHETHER = re.compile(
    r"(?:^|[.?¿,;] ?)(?:y |pero |entonces )?(?:es|est[áa]|puede[ns]?|puedo|podemos|tengo|tienen?|me"
    r"|hay que|debo|debe|vale|existe|sirve|cuenta|se puede|cabe)\b",
    re.I,
)
_ASKS_HOW = re.compile(
    r"requisito|qu[eé] (?:necesito|hace falta|piden|tengo que|hay que|condiciones|documentos)|c[oó]mo\b", re.I
)
_SAYS = {
    "remission": re.compile(r"reglamentari|se estará a lo|dispuesto en|en los términos|conform[ei]"),
    "exception": re.compile(r"\bsalvo\b|\bexcepto|no obstante|sin perjuicio|exceptú"),
    "denial": re.compile(r"no (?:podr|tendr|ser|proceder)[áa]|prohib|\bnul[oa]s?\b|en ningún caso"),
    "definition": re.compile(r"se (?:entender|consider)|tendr[áa]n? la consideración|a los? efectos"),
    "procedure": re.compile(r"solicit|comunic|notific|por escrito|plazo|presentar|acredit"),
    "amount": re.compile(r"euros|por (?:100|ciento)|mensualidad|%|cuantía|importe"),
    "length": re.compile(r"\b(?:d[ií]as|semanas|mes(?:es)?|años?|horas)\b"),
}
"""In lower case: found in a third of the time of `re.I`."""
_MEANT = (("whether", "denial"), ("how", "procedure"), ("time", "length"), ("money", "amount"))


@dataclass(frozen=True)
class Passage:
    """A quotable stretch of a hit's text; a row is quoted with what stands over it, a letter with its lead.

    `columns`: the columns of a row that the question asks about; `outer`: announcements to be said before its
    lead; `aside`: it is shown apart, among what may be of interest too.
    """

    hit: int
    start: int
    text: str
    score: float = 0.0
    headers: tuple[str, ...] = ()
    columns: tuple[int, ...] = ()
    cut: bool = False
    lead: str = ""
    outer: tuple[str, ...] = ()
    aside: bool = False
    features: tuple[tuple[str, float], ...] = ()

    @property
    def quotes(self) -> tuple[str, ...]:
        return (*self.headers, *filter(None, [self.lead]), self.text)

    @property
    def meant(self) -> str:
        """The words whose meaning is compared: of a row, those that tell it from the others."""
        return rows.label(self.text) or self.text if is_row(self.text) else _meant(self.lead, self.text)


class _Asked(NamedTuple):
    """Stems of a question and of its synonyms, and how rare each stem is among the stretches."""

    own: frozenset[str]
    expanded: frozenset[str]
    rarity: Mapping[str, float]
    rarest: float

    def share(self, wanted: AbstractSet[str], held: AbstractSet[str]) -> float:
        """Share, by rarity, of the stems wanted that are held."""
        total = sum(self.rarity.get(stem, self.rarest) for stem in wanted) or 1.0
        return sum(self.rarity.get(stem, self.rarest) for stem in wanted & held) / total


class Stretch(NamedTuple):
    """A quotable stretch of a chunk with all that no question changes.

    Attributes:
        depth: 0 to 1, from the first stretch of its chunk to the last.
        label: of its apartado.
        words, lead, heading, around: stems of its text, of what announces it, of what stands over it and of
            its neighbours, each without those of the ones before.
        said: its words, with those of its lead and of the title of its article, as `WordVectors` has them.
        says, size: features of its text.
        units: stems of the nouns after its numbers, except in the number of an apartado.
    """

    piece: Quotable
    depth: float
    label: str
    words: frozenset[str]
    lead: frozenset[str]
    heading: frozenset[str]
    around: frozenset[str]
    said: word_vectors.Places
    says: Mapping[str, float]
    size: Mapping[str, float]
    units: frozenset[str]


@dataclass(frozen=True)
class Found:
    """A stretch of a hit, and the place of its article."""

    index: int
    hit: Hit
    place: int
    stretch: Stretch

    @property
    def piece(self) -> Quotable:
        return self.stretch.piece

    def passage(
        self,
        score: float,
        *,
        columns: tuple[int, ...] = (),
        features: tuple[tuple[str, float], ...] = (),
    ) -> Passage:
        """The stretch as a passage."""
        start, text, headers, cut, lead, _ = self.piece
        return Passage(self.index, start, text, score, headers, columns, cut, lead, features=features)


def meant(chunk: Chunk) -> list[str]:
    """The words whose meaning is compared, of each passage of a chunk that is no row of a table."""
    return [_meant(one.lead, one.text) for one in quotable(chunk) if not is_row(one.text)]


def _meant(lead: str, text: str) -> str:
    return f"{lead} {text}".strip()


def stretches(hits: Sequence[tuple[int, Hit]], *, other_days: bool = False) -> list[Found]:
    """The quotable stretches of numbered hits, each once; articles have the place of their first hit.

    Args:
        other_days: take the wordings of other days, which are left out otherwise.
    """
    hits = [pair for pair in hits if other_days or pair[1].day is None]
    places: dict[object, int] = {}
    earlier = {hit.chunk.id: hit.chunk for _, hit in hits}
    found: dict[object, Found] = {}
    for index, hit in hits:
        chunk = hit.chunk
        place = places.setdefault(chunk.article, len(places))
        # pyright does not know that a frozen value of pydantic has a hash.
        for one in _stretches(chunk, left_open(chunk, earlier)):  # pyright: ignore[reportArgumentType]
            key = chunk.article, one.piece.headers, one.piece.text
            found.setdefault(key, Found(index, hit, place, one))
    return list(found.values())


@lru_cache(KEPT)
def _stretches(chunk: Chunk, continued: tuple[str, ...]) -> tuple[Stretch, ...]:
    """The stretches of a chunk; `continued` as for `quotable`."""
    pieces = quotable(chunk, continued)
    provision = read_provision(chunk.text)
    vectors = word_vectors.load_word_vectors()
    own = [frozenset(stems(piece.text)) for piece in pieces]
    section = frozenset(stems(chunk.section))
    title = section.union(stems(chunk.law))
    leads = {lead: frozenset(stems(lead)) for lead in {piece.lead for piece in pieces}}
    over = {lines: title.union(stems(" ".join(lines))) for lines in {piece.headers for piece in pieces}}
    found = []
    for number, piece in enumerate(pieces):
        told = _all_of(piece, provision)
        counted = digits(NUMBERING.sub("", told))
        words = frozenset(stems(told)) if piece.cut else own[number]
        lead = leads[piece.lead]
        before = words | lead | over[piece.headers]
        lowered = told.lower()
        stretch = Stretch(
            piece,
            number / max(1, len(pieces) - 1),
            label_at(provision, piece.start),
            words,
            lead - words,
            over[piece.headers] - words - lead,
            frozenset().union(*own[max(0, number - 1) : number], *own[number + 1 : number + 2]) - before,
            vectors.of(section | lead | words),
            {name: float(bool(pattern.search(lowered))) for name, pattern in _SAYS.items()},
            _size(piece.text, counted),
            units(counted),
        )
        found.append(stretch)
    return tuple(found)


def _all_of(piece: Quotable, provision: Provision) -> str:
    """The stretch, and the rest of its sentence that a citation of it takes in."""
    if not piece.cut:
        return piece.text
    start, end = widened(provision, piece.start, piece.start + len(piece.text))
    return provision.text[start:end]


def _size(text: str, counted: str) -> dict[str, float]:
    """Features of the figures and the length of a text; `counted` is in digits and without its number."""
    return {
        "figures": min(3, len(figures_in(counted))) / 3,
        "length_log": log(max(len(text), 20) / USUAL_LENGTH),
        "short": float(len(text) < SHORT),
        "long": float(len(text) > LONG),
        "row": float(is_row(text)),
    }


def scored(
    query: str, synonyms: Sequence[str], found: Sequence[Found], unseen: Iterable[str] = ()
) -> list[Passage]:
    """The stretches as passages with their features and their probability by words, best first.

    Args:
        unseen: see `WordVectors.nearness`.
    """
    own = frozenset(stems(query))
    frequency = Counter(chain.from_iterable(one.stretch.words for one in found))
    asked = _Asked(
        own,
        frozenset(stem for term in synonyms for stem in stems(term)) - own,
        {stem: log(1 + len(found) / (1 + count)) for stem, count in frequency.items()},
        log(1 + len(found)),
    )
    said = [one.stretch.said for one in found]
    related = word_vectors.load_word_vectors().nearness(stems(query), said, unseen)
    nearest = max(related, default=0.0)
    kind, unit = _kind(query), wanted_units(query)
    passages = []
    for one, near in zip(found, related, strict=True):
        features = _by_words(one, asked) | _by_kind(one.stretch, kind, unit)
        features |= {"related": 10 * near, "related_behind": 10 * (near - nearest)}
        odds = probability(features, weights()["words"])
        passages.append(one.passage(odds, features=tuple(features.items())))
    return sorted(passages, key=order)


def with_meaning(
    passages: Sequence[Passage], plain: Sequence[float], moved: Sequence[float]
) -> list[Passage]:
    """The passages with the features of their meaning, which is their score, best first.

    Args:
        plain, moved: cosine of each with the question, and with the question moved by the query adapter.
    """
    best, best_moved = max(plain), max(moved)
    again = []
    for passage, cosine, adapted in zip(passages, plain, moved, strict=True):
        meaning = {
            "cosine": 10 * cosine,
            "cosine_behind": 10 * (cosine - best),
            "adapted": 10 * adapted,
            "adapted_behind": 10 * (adapted - best_moved),
        }
        features = (*passage.features, *meaning.items())
        again.append(replace(passage, score=(cosine + adapted) / 2, features=features))
    return sorted(again, key=order)


def order(passage: Passage) -> tuple[float, int, int]:
    """Sort key: the most probable first, then as they stand in the context."""
    return (-passage.score, passage.hit, passage.start)


def probability(features: Mapping[str, float], learned: Mapping[str, float]) -> float:
    """Probability of a logistic regression with these weights."""
    total = learned["bias"] + sum(learned.get(name, 0.0) * value for name, value in features.items())
    return 1 / (1 + exp(-max(-60.0, min(60.0, total))))


@lru_cache(maxsize=1)
def weights() -> Mapping[str, Mapping[str, float]]:
    """The sets of weights of the file.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    try:
        read = tomllib.loads(FILE.read_text("utf-8"))
        return {part: {name: float(value) for name, value in read[part].items()} for part in PARTS}
    except (OSError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise ConfigurationError(f"{FILE.name}: no se puede leer ({error}).") from error


def _by_words(one: Found, asked: _Asked) -> dict[str, float]:
    """Where a passage stands, and what share of the question it, its lead, heading and neighbours hold."""
    chunk, stretch = one.hit.chunk, one.stretch
    return {
        "own": asked.share(asked.own, stretch.words),
        "lead": asked.share(asked.own, stretch.lead),
        "heading": asked.share(asked.own, stretch.heading),
        "around": asked.share(asked.own, stretch.around),
        "synonyms": asked.share(asked.expanded, stretch.words),
        "synonyms_near": asked.share(asked.expanded, stretch.heading | stretch.lead),
        "precision": asked.share(stretch.words, asked.own | asked.expanded),
        "place": log(1 + one.place),
        "first": float(one.place == 0),
        "rerank": log(max(one.hit.rerank if one.hit.rerank is not None else 1.0, LEAST_RERANK)),
        "part": float(one.hit.origin == "part"),
        "start": float(chunk.start == 0),
        "opening": float(chunk.start == 0 and stretch.depth == 0),
        "depth": stretch.depth,
        "level": float(stretch.label.count(".")),
        "first_apartado": float(stretch.label.split(".")[0] == "1"),
    }


def _kind(query: str) -> dict[str, bool]:
    """The kinds of answer that a question asks for."""
    return {
        "whether": bool(_ASKS_WHETHER.search(query)),
        "how": bool(_ASKS_HOW.search(query)),
        "time": bool(ASKS_TIME.search(query) or ASKED_UNIT.search(query)),
        "money": bool(_ASKS_MONEY.search(query)),
    }


def _by_kind(stretch: Stretch, asks: Mapping[str, bool], unit: AbstractSet[str]) -> dict[str, float]:
    """Features of the kind of a passage and of the kind that the question asks for."""
    return {
        **stretch.says,
        **{f"{asked}_{said}": asks[asked] * stretch.says[said] for asked, said in _MEANT},
        "unit": float(not unit.isdisjoint(stretch.units)),
        **stretch.size,
    }


def wanted_units(query: str) -> frozenset[str]:
    """Stems of the units of the figure that a question asks for; none if it asks for no figure.

    «Cuántos días» names it; «cuánto dura» and «plazo» want a time, any other «cuánto» an amount.
    """
    if not ASKS_FIGURE.search(query):
        return frozenset()
    nouns = ASKED_UNIT.findall(query) or [_DURATIONS if ASKS_TIME.search(query) else _AMOUNTS]
    return frozenset(stem for noun in nouns for stem in stems(noun))


def units(counted: str) -> frozenset[str]:
    """Stems of the nouns after the numbers of a text in digits."""
    return frozenset(stem for noun in measured_in(counted) for stem in stems(noun))


def in_asked_unit(query: str, text: str) -> bool:
    """True for a figure in the unit asked for; see `wanted_units`."""
    return not wanted_units(query).isdisjoint(units(digits(text)))
