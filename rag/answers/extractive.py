"""The answer without a model: the passages that answer, each with its marker, the best one first."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import zip_longest
from typing import NamedTuple

from law.norms import DOCUMENT
from models.chat import ModelCall
from rag.answers import misnamed_article as misnamed
from rag.answers.after_the_law import before_rows, comes_after, law_first
from rag.answers.asked_list import asked_list
from rag.answers.asked_rows import MOST_ROWS, announced_rows, asked_rows, told_rows
from rag.answers.asked_text import asked_text
from rag.answers.companion_passages import companion_passages
from rag.answers.completeness import Answered, doubt, shown, signals
from rag.answers.confidence import LEAST_MODERATE
from rag.answers.labelled_lines import asked_lines
from rag.answers.passage_gate import beside_each_other
from rag.answers.passage_meaning import by_meaning
from rag.answers.passage_selection import Found, Passage, scored, stretches
from rag.answers.remissions import others, tables
from rag.answers.ruling_parts import asks_all, conclusions, facts_answer, of_their_parts
from rag.answers.written_answer import GOES_ON, draft, whole_text
from rag.answers.yearly_rows import of_its_year, of_the_year
from rag.question.question_form import own_question
from rag.shared.answer_contract import ANSWER_MAX, DETAILED_MAX, Draft
from rag.shared.cited_answer import AnswerLength
from rag.shared.hits import Hit
from rag.shared.state import Services, State
from text import rows
from text.segmentation import is_row
from text.textnorm import stems

NEAREST_ROWS, MOST_LISTED = 2, 14
"""Rows near the question, and those of a table that a passage announces which are given all."""
ROWS_COMPARED = 40
"""Rows of one table whose meaning is compared, each some hundredths of a second."""


class Amount(NamedTuple):
    """How much an answer quotes.

    Attributes:
        most, per_query: passages of the answer, and of each sub-query.
        likely, share_of_best: odds that a passage after the first must have, by itself and beside the first.
        sure: odds below which a passage after the first is shown apart.
        beside_rows: passages beside the rows of a table.
    """

    most: int
    per_query: int
    likely: float
    share_of_best: float
    sure: float
    beside_rows: int


AMOUNTS = {
    AnswerLength.BRIEF: Amount(most=5, per_query=1, likely=0.06, share_of_best=0.14, sure=0.4, beside_rows=0),
    AnswerLength.NORMAL: Amount(
        most=5, per_query=4, likely=0.06, share_of_best=0.14, sure=0.4, beside_rows=1
    ),
    AnswerLength.DETAILED: Amount(
        most=8, per_query=6, likely=0.05, share_of_best=0.1, sure=0.3, beside_rows=2
    ),
}
BY_WORDS = "Frases elegidas por sus palabras: no se pudo comparar su significado ({reason})."


class Extract(NamedTuple):
    """An extractive answer.

    Attributes:
        calls: its embedding calls.
        fallback: Spanish reason if meaning did not count, or ''.
        signals: what the confidence comes from, of the sub-query that is least surely answered.
    """

    draft: Draft
    calls: list[ModelCall]
    fallback: str
    signals: dict[str, float]


async def extract(state: State, services: Services) -> Extract:
    """Quote the passages that answer each sub-query, without any wording of our own about the law."""
    reading = _Reading(state, services, AMOUNTS[state.length])
    per_query: list[list[Passage]] = []
    for number, query in enumerate(state.queries):
        hits = [
            (i, hit)
            for i, hit in enumerate(state.context.hits)
            if hit.origin not in ("reference", DOCUMENT)
            and (number in hit.sub_queries or not hit.sub_queries)
        ]
        if len(state.queries) > 1:
            hits.sort(key=lambda pair: _rank(pair[1], state.found.get(number, [])))
        named = [(i, hit) for i, hit in hits if hit.origin == "exact"]
        if named and (whole := asked_text(state.understanding, stretches(named))):
            limit = services.profile.answer_chars
            return Extract(whole_text(whole, state, limit), reading.calls, reading.reason, {})
        per_query.append(await reading.chosen(query.text, hits, named))
    fallback = BY_WORDS.format(reason=reading.reason) if reading.reason else ""
    answered = sorted(reading.answers, key=lambda one: one.odds)
    rule = state.rule_confidence
    # Of 28 lists or scales given whole below it seventeen answered all.
    least = LEAST_MODERATE if reading.members else 0.0
    likely_all = max(least, answered[0].odds) if answered else rule
    confidence = shown(likely_all, state.verdict, rule) if answered else rule
    most = reading.amount.most + len(reading.members)
    quoted = _with_companions(_take_turns(per_query, most), state)[:most]
    quoted = [*quoted[:1], *_then(quoted, state, services), *quoted[1:]]
    long = reading.members or state.length is AnswerLength.DETAILED
    limit = max(ANSWER_MAX, min(DETAILED_MAX, services.profile.answer_chars) if long else 0)
    written = draft(quoted, state, confidence, limit)
    state.doubt = doubt(state.asked, answered, likely_all)
    quotes = {citation.quote for citation in written.citations}
    if any(member.text not in quotes for member in reading.members):
        written.notes = GOES_ON
    return Extract(written, reading.calls, fallback, dict(answered[0].signals) if answered else {})


@dataclass
class _Reading:
    """Choice of the passages of one run, sub-query by sub-query.

    Attributes:
        calls: its embedding calls.
        reason: Spanish reason why meaning no longer counts, or ''.
        members: of the lists that are quoted whole, and rows of the tables that are announced.
        answers: what each sub-query found.
    """

    state: State
    services: Services
    amount: Amount
    calls: list[ModelCall] = field(default_factory=list)
    reason: str = ""
    members: list[Passage] = field(default_factory=list)
    answers: list[Answered] = field(default_factory=list)

    async def chosen(
        self, query: str, hits: list[tuple[int, Hit]], named: list[tuple[int, Hit]]
    ) -> list[Passage]:
        """The passages for a query, best first: those of the articles that it names, if it names any.

        Args:
            hits: numbered, those `named` among them.
        """
        state, services, amount = self.state, self.services, self.amount
        context, read = state.context.hits, state.understanding
        text = without_names(_asked(query, state), state)
        found = _that_answer(query, stretches(named or hits), state)
        if told := _in_short(text, found, state):
            return told
        synonyms = services.synonyms.expand(text)
        if 0 < len(named) < len(hits):
            every = _that_answer(query, stretches(hits), state)
            compared, _ = await self._pool(text, synonyms, every)
            if meant := misnamed.meant(compared, context):
                found = every
                state.notices.append(misnamed.misnaming_told(meant, context))
        tabular = asked_lines(text, found)
        tabular = tabular or asked_rows(text, synonyms, _of_agreements(found, state), state.as_of.year)
        pool, by_its_meaning = await self._pool(text, synonyms, found)
        scores = [passage.score for passage in pool]
        count = likely(scores, amount)
        sent, fetched = await _sent_rows(text, synonyms, pool[: 1 if tabular else count], state, services)
        self.calls += fetched
        if tabular:
            turns = (row for pair in zip_longest(tabular, *sent) for row in pair if row)
            tabular = list(dict.fromkeys(turns))[:MOST_ROWS]
            first, *rest = before_rows(tabular, pool, context, read)
            rest = [replace(one, aside=not first.headers) for one in rest]
            over = {line for row in tabular for line in row.headers}
            beside = [one for one in pool[:count] if one.text not in over][: amount.beside_rows]
            return [first, *rest, *(replace(one, aside=True) for one in beside)]
        if pool:
            # Learned on answers of the usual length: more or fewer quotations make it neither surer nor less.
            usual, asked = likely(scores), len(state.queries)
            rule = state.rule_confidence
            made = signals(pool, usual, rule, by_meaning=by_its_meaning, amount=asked)
            self.answers.append(Answered(query, made))
        pool = [*pool[:1], *(replace(one, aside=self._is_aside(one, pool[0])) for one in pool[1:])]
        quoted = [one for both in zip(pool, sent, strict=False) for one in _with_rows(*both)]
        over = {one.text for one in pool}
        self.members += [row for row in quoted if not row.aside and over.intersection(row.headers)]
        in_sight = [one for one in quoted if not one.aside]
        if not (members := asked_list(text, in_sight, found)):
            return quoted
        told = [one for one in members if not one.aside]
        self.members += told
        said = {one.text for one in members}
        places = (at for at, one in enumerate(quoted) if one.text in said)
        # The member of a scale that is meant answers by itself.
        place = next(places, 0) if len(told) > 1 else 0
        rest = [one for one in quoted if one.text not in said]
        return [*rest[:place], *members, *rest[place:]]

    def _is_aside(self, passage: Passage, first: Passage) -> bool:
        """True for a passage that is not sure, or comes after the law while the first one is of it."""
        context, read = self.state.context.hits, self.state.understanding
        opens_with_law = not comes_after(context[first.hit].chunk, read)
        after_the_law = comes_after(context[passage.hit].chunk, read)
        return passage.score < self.amount.sure or (opens_with_law and after_the_law)

    async def _pool(
        self, text: str, synonyms: Sequence[str], found: Sequence[Found]
    ) -> tuple[list[Passage], bool]:
        """The stretches that are no rows as passages, best first; True if their meaning was compared."""
        state, services = self.state, self.services
        pool = [one for one in scored(text, synonyms, found, services.unseen) if not is_row(one.text)]
        if self.reason:
            return pool, False
        seconds = state.own_seconds(services.profile.search_seconds)
        pool, made, self.reason = await by_meaning(text, pool, services, seconds)
        self.calls += made
        pool = beside_each_other(pool) if made else pool
        return law_first(pool, state.context.hits, state.understanding), bool(made)


def _with_rows(passage: Passage, sent: Sequence[Passage]) -> list[Passage]:
    """A passage and the rows that it sends to; the rows alone, if it is what stands over them."""
    over = any(passage.text in row.headers for row in sent)
    rest = [replace(row, aside=passage.aside) for row in sent]
    return rest if over else [passage, *rest]


def _with_companions(chosen: list[Passage], state: State) -> list[Passage]:
    """The passages with those of their companions after the first."""
    joined = companion_passages(chosen, state.context.hits, state.asked)
    found: dict[object, Passage] = {}
    for one in (*chosen[:1], *joined, *chosen[1:]):
        found.setdefault((one.hit, one.headers, one.text), one)
    return [*found.values()]


def _then(quoted: Sequence[Passage], state: State, services: Services) -> list[Passage]:
    """The best passage of what the first article quoted said otherwise on each other day, if any did."""
    context = state.context.hits
    reworded = {hit.chunk.article for hit in context if hit.day is not None}
    articles = (context[one.hit].chunk.article for one in quoted)
    article = next((one for one in articles if one in reworded), None)
    days: defaultdict[date | None, list[tuple[int, Hit]]] = defaultdict(list)
    for index, hit in enumerate(context):
        if hit.chunk.article == article:
            days[hit.day].append((index, hit))
    now = "\n".join(hit.chunk.text for _, hit in days.pop(None, ()))
    synonyms = services.synonyms.expand(state.asked)
    every = (
        scored(state.asked, synonyms, [one for one in found if one.piece.text not in now], services.unseen)
        for found in (stretches(hits, other_days=True) for hits in days.values())
    )
    return [passages[0] for passages in every if passages]


def _in_short(text: str, found: Sequence[Found], state: State) -> list[Passage]:
    """The ruling or criterion that the question names, in short, if nothing else is asked of it."""
    decided = state.understanding.decided
    short = decided.rest and asks_all(text, decided.parts)
    return conclusions(found, decided.parts, AMOUNTS[state.length].most) if short else []


def _that_answer(query: str, found: Sequence[Found], state: State) -> list[Found]:
    """The stretches of the year asked about, and of rulings those of the parts that answer."""
    decided = state.understanding.decided
    found = of_their_parts(found, decided.parts, facts_answer(decided))
    return of_its_year(query, found, state.as_of.year, state.understanding.time)


def _asked(query: str, state: State) -> str:
    """The text that the passages are to answer: of a question that follows up another, only its additions.

    So of each part of a question, which is searched with the subject of the part before. The words that only
    name a ruling or a criterion are left out: its own head says them best.
    """
    read = state.understanding
    if read.decided.rest and len(state.queries) == 1:
        return read.decided.rest
    if len(state.queries) > 1:
        return own_question(query, state.asked)
    return state.asked if read.follow_up else query


def without_names(query: str, state: State) -> str:
    """The query without the names of the agreements it names, which all their sentences would match.

    A year stays: an agreement has tables of several.
    """
    named = state.understanding.agreements.named
    hits = (hit.chunk for hit in state.context.hits)
    called = {stem for chunk in hits if chunk.norm_id in named for stem in stems(chunk.law)}
    called -= rows.years(" ".join(called))
    kept = [word for word in query.split() if not (own := set(stems(word))) or not own <= called]
    return " ".join(kept) if any(map(stems, kept)) else query


def _of_agreements(found: Sequence[Found], state: State) -> list[Found]:
    """The stretches without the rows of other agreements than those that the question is about."""
    about = state.understanding.agreements.about
    elsewhere = others(state.context.hits, about, state.asked)
    return [one for one in found if one.hit.chunk.norm_id not in elsewhere or not is_row(one.piece.text)]


def _rank(hit: Hit, ranking: list[tuple[str, str]]) -> int:
    return ranking.index(hit.key) if hit.key in ranking else len(ranking)


def _take_turns(per_query: list[list[Passage]], most: int) -> list[Passage]:
    """At most `most` passages: the first of every sub-query, then the second… so that each gets some.

    The rows of a table have the columns that any sub-query asks about.
    """
    turns = [passage for row in zip_longest(*per_query) for passage in row if passage is not None]
    turns.sort(key=lambda one: one.aside)
    columns: defaultdict[object, set[int]] = defaultdict(set)
    for one in turns:
        columns[one.hit, one.headers].update(one.columns)
    chosen: dict[object, Passage] = {}
    for one in turns:
        chosen.setdefault((one.hit, one.headers, one.text), one)
    return [
        replace(one, columns=tuple(sorted(columns[one.hit, one.headers])))
        if one.headers and one.columns
        else one
        for one in [*chosen.values()][:most]
    ]


async def _sent_rows(
    query: str, synonyms: Sequence[str], passages: Sequence[Passage], state: State, services: Services
) -> tuple[list[list[Passage]], list[ModelCall]]:
    """Of each passage the rows asked about of the table that it announces or sends to, and the calls made.

    Without a row that says a word of the question: all of a short table that it announces, else the nearest
    ones by meaning, or without an embedder all of a short table.
    """
    hits = state.context.hits
    sent: list[list[Passage]] = []
    calls: list[ModelCall] = []
    for passage in passages:
        own = announced_rows(passage, stretches([(passage.hit, hits[passage.hit])]))
        held = own or stretches(tables(passage.text, hits[passage.hit].chunk, hits, services.catalogue()))
        found = of_its_year(query, held, state.as_of.year, state.understanding.time)
        found = of_the_year(query, found, state.as_of.year)
        chosen = told_rows(query, synonyms, found)
        every = [one.passage(0.0) for one in found if is_row(one.piece.text)]
        if not chosen and every:
            short = len(every) <= (MOST_LISTED if own else MOST_ROWS)
            chosen = every if short and own else []
            if not chosen:
                seconds = state.own_seconds(services.profile.search_seconds)
                nearest, made, reason = await by_meaning(query, every, services, seconds, ROWS_COMPARED)
                calls += made
                by_words = services.embedder is None or reason
                chosen = nearest[:NEAREST_ROWS] if not by_words else every if short else []
            asked = [rows.asked_columns(query, row.text, row.headers) for row in chosen]
            chosen = [replace(row, columns=columns) for row, columns in zip(chosen, asked, strict=True)]
        sent.append(chosen)
    return sent, calls


def likely(scores: Sequence[float], amount: Amount = AMOUNTS[AnswerLength.NORMAL]) -> int:
    """How many passages to quote: up to the last that is likely; the first may stand before a better one."""
    least = max(amount.likely, amount.share_of_best * scores[0]) if scores else 0.0
    places = (place for place, score in enumerate(scores[: amount.per_query], start=1) if score >= least)
    return max(places, default=min(1, len(scores)))
