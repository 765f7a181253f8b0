"""Facts of a case read from its papers: parties, dates, salary, category, hours, seat, agreement.

The rows of `lexicon/fields.toml` say around which words each value stands. A paper that does not tell it so
tells no fact: a gap is worth more than a guess.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from casework.matters.case_facts import CaseFact, FactSource, FactsSheet
from casework.matters.fact_values import (
    DATE,
    FIRM,
    KINDS,
    LEGAL_FORM,
    SPELLED,
    FactValue,
    day_of,
    pattern,
    read_value,
    same_value,
    tokens,
)
from casework.matters.paper_fragments import Fragment
from law import labels
from lexicon.paper_fields import PaperField, facts
from text.segmentation import sentences

_ID = re.compile(
    r"(?<![\w.])(?:[A-Z][-. ]{0,2}\n?(?:\d[. ]?){7}[0-9A-Z]|(?:\d[. ]?){8,9}[- ]?[A-Z])(?![A-Za-z0-9])"
)
_OF_FIRM = re.compile(r"[A-HJNP-SUVW]\d{7}[0-9A-J]")
_ANOTHER = re.compile(r"\b(?:representad|en concepto|don\b|dona\b|d\.(?! ?n\.))")
_ID_WITHIN, ID_LENGTH, _AFTER = 90, 9, 40
_FIRST_FIRM = re.compile(FIRM)
_FOR_ANOTHER = re.compile(
    r",? (?:en (?:nombre|representacion|calidad)|representa|como apoderad|administrador)", re.I
)
_IDS = {"employer": "employer_id", "worker": "worker_id"}
_BROKEN = re.compile(r"(?<=[a-záéíóúüñ])-\s+(?=[a-záéíóúüñ])")
_GAP = re.compile(r"[ \t]*(?:\.{3,}|…)[ \t.]*\n?|[ \t]{2,}|\t")
_EDGE = re.compile(r"(?m)^\| *| *\|$")
_SPACES = re.compile(r"[ \t]+")
# A date of a letter stands at the right.
_MARGIN = re.compile(r"(?m)^[ \t]+")
_CLAIM = re.compile(r"^.{0,300}\b(?:demanda|papeleta)\b", re.S)
# An agreement is about all workers of its trade.
_AGREEMENT = re.compile(
    r"\A(?:.*\n)?\W*convenio\b|\barticulo \d+\W+(?:jornada|salari|retribuc|tabla|clasificacion|ambito)"
)
# It may be about somebody else's case.
_RULING = re.compile(r"(?s)\b(?:sentencia|auto)\b.*\bfallo\b")
_NAMED = pattern(r"\b{mr} {name}[^.;\n]*\Z")
OF_THE_WORKER = {"start", "salary", "category", "hours"}
"""Facts that a sentence about somebody else tells of them."""
# A sentence about somebody else.
_OF_OTHERS = re.compile(
    r"\b(?:companer[oa]s?|otr[oa]s? (?:trabajador|persona|emplead)\w*|su anterior)\b[^.\n]*\Z"
)
_DENIED = re.compile(r"\b(?:no(?! fij)|ni|nunca|tampoco)(?: [a-z]+){1,2}[ :]*\Z")
DENIED = "{paper} niega un hecho: «{said}»"
MOST = 60
"""Fragments of a paper that are read, about twenty pages: what a case is about stands before."""
LONG = "{paper} es largo: los hechos se han buscado solo en sus primeras páginas."
NO_DAY = "{paper}: «{said}» es una fecha que no existe; no se ha tenido en cuenta."


class CasePaper(NamedTuple):
    """A paper of a case as it was read; `title` is «Doc 1», `name` that of its file."""

    title: str
    name: str
    document_id: str
    fragments: Sequence[Fragment]


class _Place(NamedTuple):
    """A stretch of a form of a fragment's text, found by the pattern of that rank."""

    fragment: Fragment
    text: str
    rank: int
    start: int
    end: int


class _Found(NamedTuple):
    """A value that a paper tells.

    Attributes:
        about: words of the name that the sentence has before it, empty if it has none.
        rank: 0 for the surest pattern.
        claimed: the paper is a writ of a party.
        age: latest day of the paper.
    """

    value: FactValue
    source: FactSource
    rank: int
    claimed: bool
    age: date
    about: frozenset[str]


def read_facts(papers: Iterable[CasePaper]) -> FactsSheet:
    """The facts that papers tell, each with its sentence, and the other values that papers give it."""
    read = [_Reading(paper) for paper in papers]
    found = {field: [one for paper in read for one in paper.found[field.fact]] for field in facts()}
    workers = [one.value.known for paper in read for one in paper.found["worker"]]
    for field, told in found.items():
        if field.fact in OF_THE_WORKER and workers:
            found[field] = [one for one in told if not one.about or any(_is_of(one, who) for who in workers)]
    return FactsSheet(
        facts=tuple(_fact(field, values) for field, values in found.items()),
        problems=tuple(dict.fromkeys(one for paper in read for one in paper.problems)),
    )


class _Reading:
    """One paper read: its values by fact, and sentences on what it says and cannot be."""

    def __init__(self, paper: CasePaper) -> None:
        self._paper = paper
        self._texts = [
            (
                one,
                _MARGIN.sub("\n", _form(one.text, _SPACES, " ")),
                _EDGE.sub("", _form(one.text, _GAP, " | ")),
            )
            for one in paper.fragments[:MOST]
        ]
        whole = labels.fold("".join(flat for _, flat, _ in self._texts))
        about = f"{labels.fold(paper.name)}\n{whole}"
        self._claimed = bool(_CLAIM.search(about))
        said = (day for match in re.finditer(DATE, whole) if (day := day_of(match[0])))
        self._age = max(said, default=date.min)
        self.found: defaultdict[str, list[_Found]] = defaultdict(list)
        self.problems = [LONG.format(paper=paper.title)] if len(paper.fragments) > MOST else []
        if _RULING.search(about):
            return
        of_all, letter = bool(_AGREEMENT.search(about)), _is_letter(about)
        for field in facts():
            if of_all and field.fact != "agreement":
                continue
            claims = self._claimed and field.fact != "letter"
            if field.papers == "all" or claims or (field.papers == "letters") == letter:
                self._read(field)

    def _read(self, field: PaperField) -> None:
        found = self.found[field.fact]
        for rank, given in enumerate(field.gives):
            # Of words the surest pattern alone: a job is another name of a category.
            if found and isinstance(found[0].value.known, frozenset):
                return
            for fragment, flat, barred in self._texts:
                text = barred if "{is}" in given or r"\|" in given else flat
                if given.startswith(r"\A") and fragment is not self._texts[0][0]:
                    continue
                for match in pattern(given).finditer(labels.unaccented(text)):
                    self._take(field.fact, match, _Place(fragment, text, rank, *match.span()))

    def _take(self, fact: str, match: re.Match[str], place: _Place) -> None:
        kind = match.lastgroup or ""
        if kind == "letter":
            self.found[fact] += [one._replace(rank=place.rank) for one in self.found["letter"][:1]]
            return
        before = labels.fold(place.text[: match.start()])
        if _OF_OTHERS.search(before.replace("d. ", "")):
            return
        if _DENIED.search(before):
            said = _sentence(place.fragment.text, place.text, place.start, place.end)
            self.problems.append(DENIED.format(paper=self._paper.title, said=said))
            return
        start, end = match.span(kind)
        said = place.text[start:end].strip(" .,-|\n")
        after = labels.unaccented(place.text[start : end + _AFTER])
        if fact == "worker" and (_FIRST_FIRM.match(after) or _FOR_ANOTHER.match(after, end - start)):
            return
        if fact == "employer" and LEGAL_FORM.search(said[-_AFTER:]) and "." in said[-6:]:
            said += "."
        value = read_value(fact, kind, said, labels.fold(match[0]))
        if value is not None:
            self._keep(fact, value, place._replace(end=end))
            if fact in _IDS:
                self._take_number(_IDS[fact], said, place._replace(start=end))
        elif kind == "date" and SPELLED.search(labels.fold(said)):
            self.problems.append(NO_DAY.format(paper=self._paper.title, said=said))

    def _take_number(self, fact: str, name: str, place: _Place) -> None:
        """The number of identity after a name, if it is of its kind, a person's or a firm's."""
        near = labels.unaccented(place.text[place.start : place.start + _ID_WITHIN])
        found = _ID.search(near)
        if found is None or _ANOTHER.search(near[: found.start()].lower()):
            return
        number = re.sub(r"[^A-Z0-9]", "", found[0])
        number = number[1:] if len(number) > ID_LENGTH else number
        of_firm = bool(_OF_FIRM.fullmatch(number))
        if of_firm == (fact == "employer_id") or not (of_firm or LEGAL_FORM.search(labels.unaccented(name))):
            start, end = (place.start + at for at in found.span())
            self._keep(fact, FactValue(number, "", frozenset({number})), place._replace(start=start, end=end))

    def _keep(self, fact: str, value: FactValue, place: _Place) -> None:
        source = FactSource(
            kind=KINDS.get(fact, "text"),
            value=value.value,
            unit=value.unit,
            paper=self._paper.title,
            document_id=self._paper.document_id,
            page=place.fragment.page,
            fragment=place.fragment.number,
            sentence=_sentence(place.fragment.text, place.text, place.start, place.end),
        )
        about = self._named(place)
        self.found[fact].append(_Found(value, source, place.rank, self._claimed, self._age, about))

    @staticmethod
    def _named(place: _Place) -> frozenset[str]:
        names = list(_NAMED.finditer(labels.unaccented(place.text[: place.start])))
        return tokens(names[-1]["text"]) if names else frozenset()


def _is_of(one: _Found, who: object) -> bool:
    return isinstance(who, frozenset) and (one.about <= who or who <= one.about)


def _is_letter(about: str) -> bool:
    field = next(one for one in facts() if one.fact == "letter")
    return bool(field.of and field.of.search(about) and field.not_of and not field.not_of.search(about))


def _form(text: str, gap: re.Pattern[str], mark: str) -> str:
    """The text with words joined and gaps marked; lines stay, with one at either end."""
    return f"\n{gap.sub(mark, _BROKEN.sub('', text))}\n"


def _sentence(raw: str, text: str, start: int, end: int) -> str:
    """The sentences of a fragment around a stretch of its form, which has the same letters."""
    places = [at for at, char in enumerate(raw) if char.isalnum()]
    before, within = (sum(map(str.isalnum, one)) for one in (text[:start], text[start:end]))
    first, last = places[before], places[before + within - 1]
    spans = [one for one in sentences(raw) if one.end > first and one.start <= last]
    return " ".join(raw[spans[0].start : spans[-1].end].split())


def _fact(field: PaperField, found: Sequence[_Found]) -> CaseFact:
    groups: list[list[_Found]] = []
    for one in found:
        same = next((group for group in groups if same_value(group[0].value, one.value)), None)
        groups.append([one]) if same is None else same.append(one)

    def order(group: list[_Found]) -> tuple[bool, int, int]:
        papers = len({one.source.document_id for one in group})
        age = max(one.age for one in group).toordinal() if field.latest else papers
        return all(one.claimed for one in group), -age, min(one.rank for one in group)

    groups.sort(key=order)
    sources = [min(group, key=lambda one: (one.claimed, one.rank)).source for group in groups]
    return CaseFact(
        **dict(sources[0] if sources else FactSource(kind=KINDS.get(field.fact, "text"))),
        key=field.fact,
        label=field.told or field.name,
        others=tuple(sources[1:]),
    )
