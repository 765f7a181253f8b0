"""«En sus documentos:»: the passages of the reader's documents that answer best, beside those of the law."""

import re

from law.norms import DOCUMENT
from models.chat import ModelCall
from rag.answers.aside import with_aside, without_aside
from rag.answers.asked_rows import asked_rows
from rag.answers.extractive import by_meaning
from rag.answers.passage_gate import beside_each_other
from rag.answers.passage_selection import Found, Passage, scored, stretches
from rag.answers.written_answer import draft
from rag.shared.answer_contract import Draft
from rag.shared.cited_answer import AnswerLength
from rag.shared.state import Services, State
from text.segmentation import is_row
from text.textnorm import stems

HEAD, LAW_HEAD = "En sus documentos:", "En la normativa:"
NOT_IN_LAW = "Sobre la normativa: {why}"
ONLY_THERE = "la normativa cargada no lo contesta"
MOST, MOST_OF_BRIEF = 4, 2
ROOM = 600
"""Characters that the documents have at least, however long the law's part is."""
SHARE, WHOLE, LEAST = 0.2, 0.5, 0.02
"""Shares of the question that a passage must hold, with two of its words or with one; and its least odds."""
# «… y qué salario consta …»: of what is asked together, a document seldom answers both.
_AND = re.compile(
    r"[?;]|\by\s+(?=(?:en\s+|de\s+|a\s+)?(?:qu[eé]|qui[eé]n|cu[aá]l|cu[aá]nt|cu[aá]ndo|d[oó]nde)\w*\b)", re.I
)
# What a paper says or somebody did, not what the law provides: «¿qué alega la empresa?», «según la carta».
_OF_THE_CASE = re.compile(
    r"\b(?:aleg|invoc|firm|const|figur)(?:an?|aba|ado|ó)\b|\b(?:reconoc|ofrec)(?:en?|ía|ido|ió)\b"
    r"|\b(?:ha|han|he|hemos) (?:puesto|dicho|pagado|abonado|pedido|solicitado|comunicado|entregado)\b"
    r"|\b(?:dicen?|pone|ponía|decía|indica|señala)\b(?! (?:el art|la ley|el estatuto|la norma|la jurisp))"
    r"|\b(?:en|según) (?:la|el|los|las|mi|su|est[ea]|dich[oa]) (?:carta|contrato|n[óo]mina|demanda|burofax"
    r"|escrito|finiquito|acta|comunicaci[óo]n|documento|informe|papeleta)s?\b",
    re.I,
)


async def with_documents(law: Draft, state: State, services: Services) -> tuple[Draft, list[ModelCall]]:
    """The draft with the passages of documents that are likely to answer; alone if the law's is a refusal.

    They come first where the question begins with what a paper says or what somebody did.
    """
    hits = [(i, hit) for i, hit in enumerate(state.context.hits) if hit.origin == DOCUMENT]
    if not hits:
        return law, []
    found = stretches(hits)
    kept: list[Passage] = []
    calls: list[ModelCall] = []
    parts = [*filter(stems, _AND.split(state.asked))]
    for part in parts:
        passages, made = await _of(part, found, state, services)
        kept += [one for one in passages if all(one.text != other.text for other in kept)]
        calls += made
    kept = kept[: MOST_OF_BRIEF if state.length is AnswerLength.BRIEF else MOST]
    if not kept:
        return law, calls
    room = services.profile.answer_chars - (0 if law.refusal else len(law.answer))
    own = draft(kept, state, min(1.0, max(one.score for one in kept)), max(room, ROOM))
    said = [f"{HEAD}\n\n{own.answer}"]
    if law.refusal:
        state.doubt = ONLY_THERE
    else:
        first = bool(_OF_THE_CASE.search(parts[0]))
        shown, aside = without_aside(law.answer)
        said = [*said, f"{LAW_HEAD}\n\n{shown}"] if first else [shown, *said]
        said = [with_aside(said, [aside] if aside else [])]
    joined = own.model_copy(
        update={
            "answer": "\n\n".join(said),
            "citations": [*law.citations, *own.citations],
            "confidence": own.confidence if law.refusal else law.confidence,
            "notes": NOT_IN_LAW.format(why=law.answer) if law.refusal else law.notes,
        }
    )
    return joined, calls


async def _of(
    asked: str, found: list[Found], state: State, services: Services
) -> tuple[list[Passage], tuple[ModelCall, ...]]:
    """The rows and passages that say what one question is about, best first, and the calls made."""
    synonyms = services.synonyms.expand(asked)
    tabular = asked_rows(asked, synonyms, found)
    pool = [one for one in scored(asked, synonyms, found) if not is_row(one.text)]
    seconds = state.own_seconds(services.profile.search_seconds)
    pool, calls, _ = await by_meaning(asked, pool, services, seconds)
    pool = beside_each_other(pool) if calls else pool
    wanted = set(stems(asked))
    return [*tabular, *(one for one in pool if _answers(one, wanted))], calls


def _answers(passage: Passage, asked: set[str]) -> bool:
    """True for a passage that says what the question is about.

    The odds alone were learned from laws, whose sentences say whom they are for; a letter's do not.
    """
    share = dict(passage.features).get("own", 0.0)
    several = len(asked & set(stems(passage.text))) > 1
    return passage.score >= LEAST and share >= (SHARE if several else WHOLE)
