"""«En sus documentos:»: the passages of the reader's documents that answer best, beside those of the law."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from law.norms import DOCUMENT
from lexicon.paper_fields import PaperKind, decisive
from models.chat import ModelCall
from rag.answers.aside import with_aside, without_aside
from rag.answers.asked_rows import asked_rows
from rag.answers.confidence import LOW, UNSURE
from rag.answers.paper_lines import (
    Line,
    Stated,
    asked_field,
    asked_kind,
    by_field,
    differs,
    fact_words,
    has_value,
    read_lines,
    stated,
    value_told,
)
from rag.answers.passage_gate import beside_each_other
from rag.answers.passage_meaning import by_meaning
from rag.answers.passage_selection import Found, Passage, scored, stretches
from rag.answers.written_answer import draft
from rag.question.asked_papers import AskedPaper, asked_paper
from rag.shared.answer_contract import Draft
from rag.shared.cited_answer import AnswerLength, Verdict
from rag.shared.notices import Kind
from rag.shared.state import Services, State
from text.segmentation import is_row
from text.textnorm import fold_for_search, stems

HEAD, LAW_HEAD = "En sus documentos:", "En la normativa:"
NOT_IN_LAW = "Sobre la normativa: {why}"
ONLY_THERE = "la normativa cargada no lo contesta"
NOT_THERE = "En los documentos no se ha encontrado lo que se pregunta de ellos: lo citado es de la normativa."
UNTOLD = "los documentos no parecen decirlo"
MAY_DIFFER = "otra frase de los documentos puede decir algo distinto"
MOST, MOST_OF_BRIEF = 4, 2
ROOM = 600
"""Characters that the documents have at least, however long the law's part is."""
SHARE, WHOLE, LEAST = 0.2, 0.5, 0.02
"""Shares of the question that a passage must hold, with two of its words or with one; and its least odds."""
SURE = 0.85
"""Confidence of an answer that every document agrees on, by the words of a field or all of the question's."""
# «… y qué salario consta …»: of what is asked together, a document seldom answers both.
_AND = re.compile(
    r"[?;]|\by\s+(?=(?:en\s+|de\s+|a\s+)?(?:qu[eé]|qui[eé]n|cu[aá]l|cu[aá]nt|cu[aá]ndo|d[oó]nde)\w*\b)", re.I
)


class _Told(NamedTuple):
    """The passages of the documents about one question.

    Attributes:
        sure: confidence of a passage that states it; 0 if all are only likely to answer.
        first: it comes before the law.
    """

    asked: AskedPaper
    passages: list[Passage]
    sure: float = 0.0
    first: bool = False

    @property
    def stated(self) -> bool:
        """True if a passage states what a paper says or somebody did: nothing of the law is asked."""
        return self.asked.surely and self.sure > 0


async def with_documents(law: Draft, state: State, services: Services) -> tuple[Draft, list[ModelCall]]:
    """The draft with the passages of documents that are likely to answer; alone if the law's is a refusal.

    They come first where the question begins with what a paper says or what somebody did, and the law is left
    out where nothing else is asked and a passage states it.
    """
    hits = [(i, hit) for i, hit in enumerate(state.context.hits) if hit.origin == DOCUMENT]
    if not hits:
        return law, []
    found = stretches(hits)
    told: list[_Told] = []
    calls: list[ModelCall] = []
    for part in filter(stems, _AND.split(state.asked)):
        one, made = await _of(part, found, state, services)
        told.append(one)
        calls += made
    kept = list({one.text: one for part in told for one in part.passages}.values())
    kept = kept[: MOST_OF_BRIEF if state.length is AnswerLength.BRIEF else MOST]
    if not kept:
        silent = any(one.asked.surely and one.asked.kinds for one in told)
        return _untold(law, state) if silent else law, calls
    alone = all(one.first or one.sure for one in told) if law.refusal else all(one.stated for one in told)
    room = services.profile.answer_chars - (0 if law.refusal or alone else len(law.answer))
    own = draft(kept, state, _confidence(kept, told), max(room, ROOM))
    own.answer = f"{HEAD}\n\n{own.answer}"
    if alone or told[0].first:
        state.doubt = MAY_DIFFER
        state.verdict = Verdict.SUFFICIENT if alone or len(told) == 1 else state.verdict
    if alone:
        state.missing = []
        state.notices = [one for one in state.notices if one.kind not in (Kind.LAW, Kind.DATE)]
        return own, calls
    if law.refusal:
        state.doubt = ONLY_THERE
        own.notes = NOT_IN_LAW.format(why=law.answer)
        return own, calls
    shown, aside = without_aside(law.answer)
    said = [own.answer, f"{LAW_HEAD}\n\n{shown}"] if told[0].first else [shown, own.answer]
    update = {
        "answer": with_aside(said, [aside] if aside else []),
        "citations": [*law.citations, *own.citations],
        "confidence": own.confidence if told[0].first and len(told) == 1 else law.confidence,
    }
    return law.model_copy(update=update), calls


def _untold(law: Draft, state: State) -> Draft:
    """The law's draft where the question asks for what a paper says and none says it."""
    if law.refusal:
        return law
    state.doubt = UNTOLD
    notes = "\n".join(filter(None, [law.notes, NOT_THERE]))
    return law.model_copy(update={"notes": notes, "confidence": min(law.confidence, LOW)})


def _confidence(kept: Sequence[Passage], told: Sequence[_Told]) -> float:
    sure = min(one.sure for one in told)
    return sure or min(UNSURE, max(one.score for one in kept))


async def _of(
    part: str, found: list[Found], state: State, services: Services
) -> tuple[_Told, tuple[ModelCall, ...]]:
    """The passages of the documents about one question, best first, and the calls made."""
    asked = asked_paper(part)
    meant = _of_kinds(asked.kinds, found)
    # Without any paper of that kind another one may say it, or speak of something else.
    most, found = (SURE, meant) if meant else (UNSURE if asked.kinds else SURE, found)
    lines = list(read_lines((one, one.piece.text) for one in sorted(found, key=_in_order)))
    kind = asked_kind(part, asked.rest)
    if not asked.of_case and (facts := _that_decide(part, lines)):
        return _Told(asked, [one.line.place.passage(UNSURE) for one in facts]), ()
    if facts := stated(part, lines, asked.rest):
        values = [value_told(one.line, one.at, kind) for one in facts]
        rival = any(differs(value, values[0], kind) for value in values)
        sure = min(most, UNSURE if rival else SURE * facts[0].share)
        dated = kind == "date" and (asked_field(part, asked.rest) is not None or "fecha" in asked.rest)
        first = asked.of_case or dated
        return _Told(asked, [one.line.place.passage(sure) for one in _one_each(facts)], sure, first), ()
    synonyms = services.synonyms.expand(asked.rest)
    tabular = asked_rows(asked.rest, synonyms, found)
    pool = [one for one in scored(asked.rest, synonyms, found) if not is_row(one.text)]
    seconds = state.own_seconds(services.profile.search_seconds)
    pool, calls, _ = await by_meaning(part, pool, services, seconds)
    pool = beside_each_other(pool) if calls else pool
    wanted = set(fact_words(asked.rest))
    pool = [one for one in pool if has_value(one.text, kind) and not one.text.isupper()]
    likely = [one for one in pool if _answers(one, wanted)]
    return _Told(asked, [*tabular, *likely], first=asked.of_case), calls


def _in_order(one: Found) -> tuple[str, int, int]:
    """Sort key: the stretches of each paper as they stand in it."""
    return one.hit.chunk.norm_id, int(one.hit.chunk.block_id), one.piece.start


def _of_kinds(wanted: Iterable[PaperKind], found: list[Found]) -> list[Found]:
    """The stretches of the papers of these kinds: by the names of their files, else by their text."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for one in found:
        texts[one.hit.chunk.norm_id].append(one.piece.text)
    said = {paper: fold_for_search(" ".join(text)) for paper, text in texts.items()}
    names = {one.hit.chunk.norm_id: fold_for_search(one.hit.chunk.chapter) for one in found}
    named = {paper for paper, name in names.items() for kind in wanted if kind.called.search(name)}
    read = named or {paper for paper, text in said.items() for kind in wanted if kind.reads.search(text)}
    return [one for one in found if one.hit.chunk.norm_id in read]


def _one_each(facts: Iterable[Stated[Found]]) -> list[Stated[Found]]:
    """The surest of each paper."""
    best: dict[str, Stated[Found]] = {}
    for one in facts:
        best.setdefault(one.line.place.hit.chunk.norm_id, one)
    return list(best.values())


def _that_decide(question: str, lines: Sequence[Line[Found]]) -> list[Stated[Found]]:
    """The facts of one paper that a question about the law hangs on: dates, amounts."""
    wanted = decisive(question)
    papers: defaultdict[str, list[Stated[Found]]] = defaultdict(list)
    for field in wanted:
        for one in _one_each(by_field(field, lines)):
            papers[one.line.place.hit.chunk.norm_id].append(one)
    told = max(papers.values(), key=len, default=[])
    return told if 2 * len(told) > len(wanted) else []


def _answers(passage: Passage, asked: set[str]) -> bool:
    """True for a passage that says what the question is about.

    The odds alone were learned from laws, whose sentences say whom they are for; a letter's do not.
    """
    share = dict(passage.features).get("own", 0.0)
    several = len(asked & set(stems(passage.text))) > 1
    return passage.score >= LEAST and share >= (SHARE if several else WHOLE)
