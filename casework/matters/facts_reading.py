"""Facts of a case read from its papers: parties, dates, salary, category, hours, seat, agreement.

The rows of `lexicon/fields.toml` say around which words each value stands. A paper that does not tell it so
tells no fact: a gap is worth more than a guess.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from casework.matters.case_facts import CaseFact, FactSource, FactsSheet
from casework.matters.paper_fragments import Fragment
from law import labels
from law.dates import amount, parse
from lexicon.paper_fields import PaperField, facts
from text.figures import digits
from text.numerals import HUNDREDS, NUMERALS
from text.segmentation import sentences

_WORDS = rf"(?:(?:{'|'.join(map(labels.fold, [*NUMERALS, *HUNDREDS]))}|\w+enta|veinti\w+|mil|y) ?)+"
_CATALAN = (
    *("gener", "febrer", "marc", "abril", "maig", "juny"),
    *("juliol", "agost", "setembre", "octubre", "novembre", "desembre"),
)
_MONTHS = {
    said: place
    for names in (labels.MONTHS, _CATALAN)
    for place, name in enumerate(names, start=1)
    for said in (name, name[:3])
}
_LEGAL = (
    r"(?<![A-Za-z])(?:S\. ?L\.?(?: ?[UPLN]\.?)?|S\. ?A\.?(?: ?U\.?)?|S\. ?C\.?(?: ?L\.?)?"
    r"|S\. ?COOP\.?(?: ?[A-Z]\.?)?|SLU|SL|SLP|SAU|SA|SCL"
    r"|Sociedad (?:Limitada|Anonima|Cooperativa)(?: Unipersonal| Laboral)?)(?![A-Za-z])"
)
_FORM = re.compile(_LEGAL, re.I)
_WORD = r"[^\W\d_][\w'’·-]*"
_NAME = r"[A-Z][A-Za-z'’·-]+"
_FIRM = rf"[A-Z][\w'’.&-]*(?: (?:[A-Z][\w'’.&-]*|del?|l[ao]s?|y|e|i)){{0,8}},? {_LEGAL}"
_PERIOD = r"(?:mes|ano|dia|mensual(?:es)?|anual(?:es)?|diari[oa]s?|anuals)\b"
_PER = rf"(?:,? ?\b(?:brut[oa]?s?|al|por|a la|de)\b)*[ /]*{_PERIOD}"
_NUMBER = r"(?<![\d.,])(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d{1,2})?(?![\d.,]*\d)"
_CUT = r"[|;\n]|$|\.\s| (?:fecha|n\.?i\.?[fe]|c\.?i\.?f|d\.?n\.?i|periodo|antiguedad|grupo cotiz)\b"
_TURN = r",? (?:con|sin|en que|y (?:su|estara)|salvo|que|desde|incluid[oa]|en el centro)\b"
_DATE = (
    rf"\b(?:\d{{1,2}} al )?(?:\d{{1,2}}[ºª]?|primero|{_WORDS}) ?(?:de |d[’'])[a-z]+ del? (?:ano )?"
    r"(?:\d{4}|dos mil(?: [a-z]+){0,3}?)\b"
    r"|\b\d{1,2}[/.-]\d{1,2}[/.-]\d{4}\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[/ -][a-z]{3}\.?[/ -]\d{4}\b"
)
_PARTS = {
    "is": r" ?[:|][:| ]*",
    "mr": r"(?:d\.? ?[ªa]?\.?|d\.?/d[nñ]a\.?|dona|don|dna\.?|sra?\.?)",
    "date": rf"(?P<date>{_DATE})",
    "money": rf"(?P<money>(?:{_NUMBER}|\b{_WORDS}) ?(?:€|euros?\b|eur\b)(?:{_PER})?)",
    "amount": rf"(?P<money>{_NUMBER}(?<=,\d\d))",
    "hours": rf"(?P<hours>(?:{_NUMBER}|\b{_WORDS}) ?h(?:oras|ores)?\b (?:de trabajo )?"
    r"(?:semanales|a la semana|por semana|setmanals|anuales|al ano|diarias))",
    "name": rf"(?P<text>(?-i:{_NAME}(?: (?:del?|l[ao]s?|i|y|{_NAME})){{0,5}} {_NAME}"
    rf"(?:, {_NAME}(?: {_NAME})?)?|{_NAME}, {_NAME}(?: {_NAME})?))",
    "firm": rf"(?P<text>(?-i:{_FIRM}))",
    "text": rf"(?P<text>[^|;:\n]{{3,110}}?)(?= *(?:{_CUT}|, con\b))",
    "words": rf"(?P<text>[^|;:\n]{{3,110}}?)(?= *(?:{_CUT}|{_TURN}|,? en |, grupo|\())",
    "place": rf"(?P<text>[^|;:\n]{{3,110}}?)(?= *(?:{_CUT}|{_TURN}))",
    "yearly": rf"(?P<hours>{_NUMBER} horas)",
}
_UNITS = {
    "mes": re.compile(r"\bmes\b|mensual|devenga|devengo|meritat"),
    "año": re.compile(r"\bano\b|anual"),
    "día": re.compile(r"\bdia\b|diari"),
    "semana": re.compile(r"seman|setman"),
}
_SPELLED = re.compile(
    r"(\d{1,2})[ºª]?(?: al \d{1,2})?[ /-]*(?:de |d[’'])?([a-z]+)\.?[ /-]*(?:del? )?(?:ano )?(\d{4})"
)
_ID = re.compile(
    r"(?<![\w.])(?:[A-Z][-. ]{0,2}\n?(?:\d[. ]?){7}[0-9A-Z]|(?:\d[. ]?){8,9}[- ]?[A-Z])(?![A-Za-z0-9])"
)
_OF_FIRM = re.compile(r"[A-HJNP-SUVW]\d{7}[0-9A-J]")
_ANOTHER = re.compile(r"\b(?:representad|en concepto|don\b|dona\b|d\.(?! ?n\.))")
_ID_WITHIN, ID_LENGTH = 90, 9
_IDS = {"employer": "employer_id", "worker": "worker_id"}
_BROKEN = re.compile(r"(?<=[a-záéíóúüñ])-\s+(?=[a-záéíóúüñ])")
_GAP = re.compile(r"[ \t]*(?:\.{3,}|…)[ \t.]*\n?|[ \t]{2,}|\t")
_SPACES = re.compile(r"[ \t]+")
_CLAIM = re.compile(r"^.{0,300}\b(?:demanda|papeleta)\b", re.S)
# An agreement is about all workers of its trade.
_AGREEMENT = re.compile(
    r"\A(?:.*\n)?\W*convenio\b|\barticulo \d+\W+(?:jornada|salari|retribuc|tabla|clasificacion|ambito)"
)
_PERIODS = {"año": (1,), "mes": (12, 14, 15), "día": (365, 360)}
AGREE = 2
"""Euros a year by which the same salary may differ, told by the day, month or year."""
NO_DAY = "{paper}: «{said}» es una fecha que no existe; no se ha tenido en cuenta."


class CasePaper(NamedTuple):
    """A paper of a case as it was read; `title` is «Doc 1», `name` that of its file."""

    title: str
    name: str
    document_id: str
    fragments: Sequence[Fragment]


class _Value(NamedTuple):
    """A value as forms take it, its unit, and the same to compare."""

    value: str
    unit: str
    known: date | Decimal | frozenset[str]


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
        rank: 0 for the surest pattern.
        claimed: the paper is a writ of a party.
        age: latest day of the paper.
    """

    value: _Value
    source: FactSource
    rank: int
    claimed: bool
    age: date


_KINDS = {"start": "date", "letter": "date", "effects": "date", "salary": "money", "hours": "hours"}


def read_facts(papers: Iterable[CasePaper]) -> FactsSheet:
    """The facts that papers tell, each with its sentence, and the other values that papers give it."""
    read = [_Reading(paper) for paper in papers]
    found = {field: [one for paper in read for one in paper.found[field.fact]] for field in facts()}
    return FactsSheet(
        facts=tuple(_fact(field, values) for field, values in found.items()),
        problems=tuple(dict.fromkeys(one for paper in read for one in paper.problems)),
    )


class _Reading:
    """One paper read: its values by fact, and sentences on what it says and cannot be."""

    def __init__(self, paper: CasePaper) -> None:
        self._paper = paper
        self._texts = [
            (one, _form(one.text, _SPACES, " "), _form(one.text, _GAP, " | ")) for one in paper.fragments
        ]
        whole = labels.fold("".join(flat for _, flat, _ in self._texts))
        about = f"{labels.fold(paper.name)}\n{whole}"
        self._claimed = bool(_CLAIM.search(about))
        said = (day for match in re.finditer(_DATE, whole) if (day := _day(match[0])))
        self._age = max(said, default=date.min)
        self.found: defaultdict[str, list[_Found]] = defaultdict(list)
        self.problems: list[str] = []
        agreed = _AGREEMENT.search(about)
        for field in facts():
            if agreed and field.fact != "agreement":
                continue
            if (not field.of or field.of.search(about)) and not (field.not_of and field.not_of.search(about)):
                self._read(field)

    def _read(self, field: PaperField) -> None:
        found = self.found[field.fact]
        for rank, given in enumerate(field.gives):
            # Of words the surest pattern alone: a job is another name of a category.
            if found and isinstance(found[0].value.known, frozenset):
                return
            for fragment, flat, barred in self._texts:
                text = barred if "{is}" in given else flat
                for match in _pattern(given).finditer(labels.unaccented(text)):
                    self._take(field.fact, match, _Place(fragment, text, rank, *match.span()))

    def _take(self, fact: str, match: re.Match[str], place: _Place) -> None:
        kind = match.lastgroup or ""
        if kind == "letter":
            self.found[fact] += [one._replace(rank=place.rank) for one in self.found["letter"][:1]]
            return
        start, end = match.span(kind)
        said = place.text[start:end].strip(" .,-|\n")
        value = _read_value(fact, kind, said, labels.fold(match[0]))
        if value is not None:
            self._keep(fact, value, place._replace(end=end))
            if fact in _IDS:
                self._take_number(_IDS[fact], said, place._replace(start=end))
        elif kind == "date" and _SPELLED.search(labels.fold(said)):
            self.problems.append(NO_DAY.format(paper=self._paper.title, said=said))

    def _take_number(self, fact: str, name: str, place: _Place) -> None:
        """The number of identity after a name, if it is of its kind, a person's or a firm's."""
        near = labels.unaccented(place.text[place.start : place.start + _ID_WITHIN])
        found = _ID.search(near)
        if found is None or _ANOTHER.search(near[: found.start()].lower()):
            return
        number = re.sub(r"[^A-Z0-9]", "", found[0])
        number = number[1:] if len(number) > ID_LENGTH else number
        if bool(_OF_FIRM.fullmatch(number)) == bool(_FORM.search(labels.unaccented(name))):
            start, end = (place.start + at for at in found.span())
            self._keep(fact, _Value(number, "", frozenset({number})), place._replace(start=start, end=end))

    def _keep(self, fact: str, value: _Value, place: _Place) -> None:
        source = FactSource(
            value=value.value,
            unit=value.unit,
            paper=self._paper.title,
            document_id=self._paper.document_id,
            page=place.fragment.page,
            fragment=place.fragment.number,
            sentence=_sentence(place.fragment.text, place.text, place.start, place.end),
        )
        self.found[fact].append(_Found(value, source, place.rank, self._claimed, self._age))


def _form(text: str, gap: re.Pattern[str], mark: str) -> str:
    """The text with words joined and gaps marked; lines stay, with one at either end."""
    return f"\n{gap.sub(mark, _BROKEN.sub('', text))}\n"


@lru_cache(maxsize=256)
def _pattern(given: str) -> re.Pattern[str]:
    for name, part in _PARTS.items():
        given = given.replace(f"{{{name}}}", part)
    return re.compile(given, re.I)


def _sentence(raw: str, text: str, start: int, end: int) -> str:
    """The sentences of a fragment around a stretch of its form, which has the same letters."""
    places = [at for at, char in enumerate(raw) if char.isalnum()]
    before, within = (sum(map(str.isalnum, one)) for one in (text[:start], text[start:end]))
    first, last = places[before], places[before + within - 1]
    spans = [one for one in sentences(raw) if one.end > first and one.start <= last]
    return " ".join(raw[spans[0].start : spans[-1].end].split())


def _read_value(fact: str, kind: str, said: str, around: str) -> _Value | None:
    if kind == "date":
        day = _day(labels.fold(said))
        return _Value(f"{day:%d/%m/%Y}", "", day) if day else None
    if kind == "text":
        said = re.sub(r"^(?:el|la|los|las) ", "", said)
        if fact == "worker":  # «APELLIDOS, NOMBRE» in payslips.
            said = re.sub(rf"^({_WORD}(?: {_WORD}){{0,5}}), ({_WORD}(?: {_WORD})?)$", r"\2 \1", said)
        return _Value(said, "", _tokens(said)) if _tokens(said) and not said[0].isdigit() else None
    folded = labels.fold(said)
    number = amount(digits(folded))
    unit = _unit(folded) or _unit(around)
    if number is None or not unit or re.search(r"\bnet[oa]s?\b|\bindemniz", around):
        return None
    shown = f"{number:,.2f}".translate(str.maketrans(",.", ".,"))
    return _Value(shown if kind == "money" else shown.removesuffix(",00"), unit, number)


def _unit(folded: str) -> str:
    return next((unit for unit, pattern in _UNITS.items() if pattern.search(folded)), "")


def _day(folded: str) -> date | None:
    """The day that a date names; None if there is no such day."""
    turned = re.sub(r"^primero|^un[oa]? ", "1 ", digits(folded))
    with suppress(ValueError):
        found = _SPELLED.search(turned)
        return date(int(found[3]), _MONTHS.get(found[2], 0), int(found[1])) if found else parse(turned)
    return None


def _tokens(said: str) -> frozenset[str]:
    """Words that tell a name from another: without its legal form, accents and marks."""
    plain = _FORM.sub(" ", labels.unaccented(said))
    return frozenset(re.findall(r"\w+", plain.lower())) - {"de", "del", "la", "el", "los", "las", "y", "i"}


def _same(one: _Value, other: _Value) -> bool:
    if isinstance(one.known, frozenset) and isinstance(other.known, frozenset):
        return one.known <= other.known or other.known <= one.known
    if isinstance(one.known, Decimal) and isinstance(other.known, Decimal) and one.unit != other.unit:
        if one.unit not in _PERIODS or other.unit not in _PERIODS:
            return True
        pairs = product(_PERIODS[one.unit], _PERIODS[other.unit])
        return any(abs(one.known * a - other.known * b) <= AGREE for a, b in pairs)
    return one.known == other.known


def _fact(field: PaperField, found: Sequence[_Found]) -> CaseFact:
    groups: list[list[_Found]] = []
    for one in found:
        same = next((group for group in groups if _same(group[0].value, one.value)), None)
        groups.append([one]) if same is None else same.append(one)

    def order(group: list[_Found]) -> tuple[bool, int, int]:
        papers = len({one.source.document_id for one in group})
        age = max(one.age for one in group).toordinal() if field.latest else papers
        return all(one.claimed for one in group), -age, min(one.rank for one in group)

    groups.sort(key=order)
    sources = [min(group, key=lambda one: (one.claimed, one.rank)).source for group in groups]
    told = sources[0].model_dump() if sources else {}
    return CaseFact(
        key=field.fact,
        label=field.told or field.name,
        kind=_KINDS.get(field.fact, "text"),
        others=tuple(sources[1:]),
        **told,
    )
