"""Facts of a case read from its papers: parties, dates, salary, category, hours, seat, agreement.

Every date, amount, number of hours, person and firm of a paper is found by its form, and the words nearest to
it tell what it is: a fact, or one of the many values that are none. Rows of `lexicon/paper_fields.toml` hold
the words of both. What they do not tell is no fact: a gap is worth more than a guess.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from casework.matters.case_facts import CaseFact, FactSource, FactsSheet
from casework.matters.fact_values import (
    AMOUNT,
    DATE,
    HOURS,
    KINDS,
    LEGAL_FORM,
    MONEY,
    SPELLED,
    FactValue,
    day_of,
    pattern,
    read_value,
    same_value,
    tokens,
)
from casework.matters.paper_clauses import Clause, clauses
from casework.matters.paper_fragments import Fragment
from casework.matters.paper_parties import Party, is_of_another, parties_of, told_parties
from casework.matters.paper_traits import traits_of
from law import labels
from lexicon.paper_fields import PaperField, facts, field_of_fact, is_label, others
from text.segmentation import sentences

# What stands before the date of a letter: a place, or the day of the week.
_DATED = re.compile(
    r"\W*(?:(?:en )?[a-z'’·-]+(?:[ (][a-z'’·()-]+){0,4}, ?a?(?: dia)?|en [a-z'’·() -]{2,40} a"
    r"|(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo),?)?\W*"
)
_DATE_LABEL = re.compile(
    r"(?:lugar y )?(?:fecha|data|enviado)(?: (?:el|y lugar"
    r"|de (?:la |esta )?(?:carta|comunicacion|imposicion|emision|envio)))?"
)
_NOW = re.compile(
    r"\befectos?\b[^.\n]{0,40}?(?:(?:del?|desde|en) (?:el |la |esta |este )?(?:mismo )?"
    r"(?:dia (?:de (?:la )?)?)?(?:hoy|(?:misma )?fecha(?! de (?:su )?(?:recep|notific|entrega)))|inmediat)"
)
_JOB = re.compile(r"(?=.{6,50}\Z)[A-Z]{4,}(?: (?:[A-Z]{2,}|\d[ºª]?|DE))*\.?")
_SENTENCE = re.compile(r"\W*(?:El|La|Los|Las|Se|En|Con|Que|Por|Para|Lo|Est[ea]|Será|Ambas)\b")
OF_THE_WORKER = {"start", "salary", "category", "hours"}
"""Facts that a sentence about somebody else tells of them."""
_OF_OTHERS = re.compile(
    r"\b(?:companer[oa]s?|otr[oa]s? (?:trabajador|persona|emplead)\w*|su anterior)\b[^.\n]*\Z"
)
_DENIED = re.compile(r"\b(?:no(?! fij)|ni|nunca|tampoco)(?: [a-z]+){1,4}[ :]*\Z")
DENIED = "{paper} niega un hecho: «{said}»"
MOST = 60
"""Fragments of a paper that are read, about twenty pages: what a case is about stands before."""
LONG = "{paper} es largo: los hechos se han buscado solo en sus primeras páginas."
NO_DAY = "{paper}: «{said}» es una fecha que no existe; no se ha tenido en cuenta."
TODAY = ("hoy, ", "hoy dia ")
WEAK = "?"
FAR, NEAR = 220, 90
"""Characters before a value in which words may tell what it is; and between the start of its clause and it,
for those after it to tell it.
"""
_FORMS = {
    kind: re.compile(form, re.I)
    for kind, form in (("date", DATE), ("money", MONEY), ("amount", AMOUNT), ("hours", HOURS))
}
# The same value in another measure: «31.200 euros, equivalente a 2.600 euros mensuales».
_THE_SAME = re.compile(
    r"[\s,(]*(?:(?:brutos?|anuales|equivalentes?|es decir|esto es|o sea|a|o|en|y|son|lo que supone|total"
    r"|jornada)[\s,]*)*"
)
# What is told stands after «le notificamos que», «transcurridos quince días, esto es».
_SAYING = re.compile(
    r"(?s)^.*\b(?:comunic|notific|inform|particip|record|conocimiento|dic|manifiest|expon)\w*"
    r"(?:,? [a-z]+){0,4}? que\b|\b(?:transcurrid|pasad)[^\n]*\b(?:esto es|es decir)\b"
)
# «Las consultas, que comenzaron el 1 de julio y terminaron el 30 de julio».
_ENDS_TOO = re.compile(r"[\s,]*y (?:termin|finaliz|conclu|acab)\w* (?:el )?(?:dia )?")


class CasePaper(NamedTuple):
    """A paper of a case as it was read; `title` is «Doc 1», `name` that of its file."""

    title: str
    name: str
    document_id: str
    fragments: Sequence[Fragment]


class _Found(NamedTuple):
    """A value that a paper tells.

    Attributes:
        rank: 0 for the surest words.
        claimed: the paper is a writ of a party.
        age: latest day of the paper.
    """

    value: FactValue
    source: FactSource
    rank: int
    claimed: bool
    age: date


class _Place(NamedTuple):
    """A stretch of the text of a clause."""

    clause: Clause
    start: int
    end: int

    @property
    def said(self) -> str:
        return self.clause.text[self.start : self.end]

    @property
    def before(self) -> str:
        """The folded words of the clause before it, with the label that it stands under."""
        said = labels.fold(self.clause.text[self.clause.start : self.start])
        return f"{self.clause.lead}\n{said}"[-FAR:]


def read_facts(papers: Iterable[CasePaper]) -> FactsSheet:
    """The facts that papers tell, each with its sentence, and the other values that papers give it."""
    read = {paper.document_id: _Reading(paper) for paper in papers}
    parties = told_parties([one for paper in read.values() for one in paper.parties])
    for paper in read.values():
        paper.read(parties)
    for fact, ones in parties.items():
        for rank, one in enumerate(ones):
            read[one.paper].keep(
                fact, FactValue(one.name, "", one.known), _Place(one.clause, one.start, one.end), rank
            )
    found = {field: [one for paper in read.values() for one in paper.found[field.fact]] for field in facts()}
    return FactsSheet(
        facts=tuple(_fact(field, values) for field, values in found.items()),
        problems=tuple(dict.fromkeys(one for paper in read.values() for one in paper.problems)),
    )


class _Reading:
    """One paper read: its values by fact, and sentences on what it says and cannot be."""

    def __init__(self, paper: CasePaper) -> None:
        self._paper = paper
        self._clauses = list(clauses(paper.fragments[:MOST]))
        whole = labels.fold("\n".join(dict.fromkeys(one.text for one in self._clauses)))
        self._traits = traits_of(labels.fold(paper.name), whole)
        said = (day for match in _FORMS["date"].finditer(whole) if (day := day_of(match[0])))
        self._age = max(said, default=date.min)
        self._workers: Sequence[Party] = ()
        self._employers: Sequence[Party] = ()
        self.found: defaultdict[str, list[_Found]] = defaultdict(list)
        self.problems = [LONG.format(paper=paper.title)] if len(paper.fragments) > MOST else []
        self.parties: list[Party] = []
        if not (self._traits.of_all or self._traits.ruling):
            parties = parties_of(self._clauses, paper.document_id, letter=self._traits.letter)
            self.parties = [one for one in parties if not (self._traits.career and one.side == "employer")]

    def read(self, parties: dict[str, list[Party]]) -> None:
        """Find its values; those of a sentence about somebody who is no party of the case are left out."""
        self._workers, self._employers = parties["worker"], parties["employer"]
        of_all, payslip = self._traits.of_all, self._traits.payslip
        for clause in () if self._traits.ruling else self._clauses:
            for kind in () if of_all else ("date", "amount" if payslip else "money", "hours"):
                self._values(kind, clause)
        for fact, found in self.found.items():
            surest = min((one.rank for one in found), default=0)
            self.found[fact] = [one for one in found if one.rank == surest]
        for field in () if self._traits.ruling else facts():
            if field.gives and self._tells(field) and (field.fact == "agreement" or not of_all):
                place = next(self._words(field), None)
                if place is not None:
                    self._take(field, place, "text")

    def keep(self, fact: str, value: FactValue, place: _Place, rank: int = 0) -> None:
        """Keep a value that the paper tells at that place."""
        source = FactSource(
            kind=KINDS.get(fact, "text"),
            value=value.value,
            unit=value.unit,
            paper=self._paper.title,
            document_id=self._paper.document_id,
            page=place.clause.fragment.page,
            fragment=place.clause.fragment.number,
            sentence=_sentence(place),
        )
        self.found[fact].append(_Found(value, source, rank, self._traits.claimed, self._age))

    def _tells(self, field: PaperField) -> bool:
        traits = self._traits
        claims = traits.claimed and field.fact != "letter"
        leaves = traits.resigns and field.fact == "effects"
        return field.papers == "all" or claims or leaves or (field.papers == "letters") == traits.letter

    def _values(self, kind: str, clause: Clause) -> None:
        """Keep the values of that kind in a clause that are facts."""
        said, since, last = labels.fold(clause.said), 0, ""
        dates = kind == "date" and self._traits.letter
        for match in _FORMS[kind].finditer(said):
            between = (_THE_SAME if last else _ENDS_TOO).fullmatch(said[since : match.start()])
            fact = last if since and between else self._nearest(kind, clause, said, match, since)
            since, last = match.end(), fact
            place = _Place(clause, *(clause.start + at for at in match.span()))
            if dates and not self.found["letter"]:
                if _dates_it(clause, said, match):
                    fact = "letter"
                elif said[: match.start()].endswith(TODAY):
                    self._take(field_of_fact("letter"), place, kind)
            if fact and self._tells(field := field_of_fact(fact.rstrip(WEAK))):
                self._take(field, place, kind, rank=int(fact.endswith(WEAK)))
        if dates and not self.found["effects"] and _NOW.search(said):
            self.found["effects"] += self.found["letter"][:1]

    def _nearest(self, kind: str, clause: Clause, said: str, match: re.Match[str], since: int) -> str:
        """The fact whose words stand nearest before a value, or right after it; '' if they are of none."""
        lead = "" if since else f"{clause.lead}\n"
        before = _SAYING.sub("", f"{lead}{said[since : match.start()]}"[-FAR:])
        ends = [
            # Of words that end together those of no fact count.
            (max(one.end() for one in found), not fact, fact)
            for fact, words in _words_before(kind, begins=self._traits.begins)
            if (found := list(words.finditer(before)))
        ]
        if ends or match.start() - since > NEAR:
            return max(ends)[2] if ends else ""
        after = said[match.end() : match.end() + FAR].lstrip(" ,)")
        return next((fact for fact, words in _words_after(kind) if words.match(after)), "")

    def _take(self, field: PaperField, place: _Place, kind: str, rank: int = 0) -> None:
        """Keep the value of a fact at that place, unless the sentence denies it or is about others."""
        before = place.before
        if self._is_of_others(field, place, before):
            return
        if kind != "text" and _DENIED.search(before):
            self.problems.append(DENIED.format(paper=self._paper.title, said=_sentence(place)))
            return
        if kind == "text":
            value = read_value("text", place.said, "")
        else:
            near = f"mes {before}" if kind == "amount" else before
            after = labels.fold(place.clause.text[place.end : min(place.clause.end, place.end + NEAR)])
            value = read_value(field.kind_of, place.said.strip(" .,-|\n"), near, after)
        if value is not None:
            self.keep(field.fact, value, place, rank)
        elif kind == "date" and SPELLED.search(labels.fold(place.said)):
            self.problems.append(NO_DAY.format(paper=self._paper.title, said=place.said))

    def _is_of_others(self, field: PaperField, place: _Place, before: str) -> bool:
        """True if the sentence is about a colleague, or a record of all employers about another of them."""
        if _OF_OTHERS.search(before.replace("d. ", "")):
            return True
        if field.fact == "start" and self._traits.career:
            said = labels.fold(place.clause.text[: place.start])[-FAR:]
            since = max((one.end() for one in _FORMS["date"].finditer(said)), default=0)
            named = tokens(said[since:])
            known = [one.known for one in self._employers]
            return bool(self.found["start"]) or not any(len(one & named) >= min(2, len(one)) for one in known)
        return field.fact in OF_THE_WORKER and is_of_another(place.clause, place.start, self._workers)

    def _words(self, field: PaperField) -> Iterator[_Place]:
        """Places of values of words, the surest first."""
        for given in field.gives:
            for place in self._labelled(given) if given.startswith("^") else self._told(given):
                value = read_value("text", place.said, "")
                of_firm = value and field.fact == "seat" and LEGAL_FORM.search(labels.unaccented(value.value))
                if value and not of_firm and not self._is_of_others(field, place, place.before):
                    yield place
        if field.fact == "category" and self._traits.payslip:
            yield from self._beside_the_worker()

    def _labelled(self, label: str) -> Iterator[_Place]:
        for clause in self._clauses:
            # After «Centro.» there may stand a sentence about it.
            said = not (clause.lead.endswith(".") and _SENTENCE.match(clause.said))
            if said and pattern(label).search(clause.lead):
                match = pattern(r"\A[ .:|·-]*{text}").match(labels.unaccented(clause.said))
                if match:
                    yield _Place(clause, *(clause.start + at for at in match.span("text")))

    def _told(self, given: str) -> Iterator[_Place]:
        for text in dict.fromkeys(one.text for one in self._clauses):
            for match in pattern(given).finditer(labels.unaccented(text)):
                start, end = match.span("text")
                yield _Place(
                    next(one for one in self._clauses if one.text is text and one.end >= start), start, end
                )

    def _beside_the_worker(self) -> Iterator[_Place]:
        """The job that a payslip prints in capitals beside the number of identity, without a label."""
        lines = {one.clause.line for one in self.parties if one.side == "worker_id"}
        names = frozenset[str]().union(*(one.known for one in self.parties))
        for clause in self._clauses:
            said = labels.unaccented(clause.said).strip()
            named = is_label(said.lower()) or tokens(said) & names
            if clause.line in lines and _JOB.fullmatch(said) and not named:
                yield _Place(clause, clause.start, clause.end)


@lru_cache(maxsize=32)
@lru_cache(maxsize=8)
def _words_before(kind: str, *, begins: bool) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """By fact the words before its values of that kind, and '' with those of values that are none.

    Words that tell it in a contract alone have its name with the mark.
    """
    rows = [("", others()[kind].before)]
    for field in facts():
        if kind == "amount" and field.kind_of == "money":
            rows.append((field.fact, field.total))
        elif field.kind_of == kind:
            rows += [(field.fact, field.before), *([(field.fact + WEAK, field.contract)] if begins else [])]
    return tuple(rows)


@lru_cache(maxsize=8)
def _words_after(kind: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = ((field.fact, field.after) for field in facts() if field.kind_of == kind)
    return (("", others()[kind].after), *rows)


def _dates_it(clause: Clause, said: str, match: re.Match[str]) -> bool:
    """True for the date of a letter: a place may stand before it, and nothing after it."""
    before, after = said[: match.start()].strip(" .-|"), said[match.end() :]
    if len(before) > NEAR or re.search(r"[a-z]{3}", after) or before.startswith("recib"):
        return False
    return bool(_DATED.fullmatch(before)) and (
        clause.lead[:1] in ("", "~") or bool(_DATE_LABEL.fullmatch(clause.lead))
    )


def _sentence(place: _Place) -> str:
    """The sentences of a fragment around a stretch of its form, which has the same letters."""
    raw, text = place.clause.fragment.text, place.clause.text
    places = [at for at, char in enumerate(raw) if char.isalnum()]
    before, within = (sum(map(str.isalnum, one)) for one in (text[: place.start], place.said))
    first, last = places[before], places[before + within - 1]
    spans = [one for one in sentences(raw) if one.end > first and one.start <= last]
    begin, until = spans[0].start, spans[-1].end
    if not any(map(str.isalpha, raw[begin:until])):  # The cell of a table: its row.
        begin = raw.rfind("\n", 0, begin) + 1
    return " ".join(raw[begin:until].split())


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
