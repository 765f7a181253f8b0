"""Past days of which the corpus has nothing, or not all: an answer about them says so.

Of a day that the question names and nothing is found for, today's law is tried instead.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from law.chunks import Chunk
from law.decisions import LAW
from law.holdings import Holdings
from law.norms import BlockKind, Norm
from rag.answers.sufficiency import refusals
from rag.question.understanding import Understanding
from rag.shared.cited_answer import Verdict
from rag.shared.hits import Hit
from rag.shared.notices import Kind, Notice, caps
from rag.shared.state import Services, State
from rag.stages.rerank import heuristic
from rag.stages.search import search

CEILING = 0.65
"""Greatest confidence, below «alta», of an answer about a day that the corpus does not reach."""
EARLY = (
    "No están cargadas las redacciones de {law} anteriores al {first:%d/%m/%Y}: {applied} "
    "Compruebe el texto que regía a {day:%d/%m/%Y} en la fuente oficial."
)
TODAYS = "se ha aplicado la normativa de hoy, que puede ser distinta de la de entonces."
OTHERS = "la respuesta se basa solo en las demás normas de ese día."
NOTHING = (
    "No se ha encontrado nada vigente a {day:%d/%m/%Y} sobre lo que se pregunta: se ha aplicado "
    "la normativa de hoy, que puede ser distinta de la de entonces."
)

NO_WORDING = (
    "De lo que hoy lo regula, «{name}», no hay cargada ninguna redacción vigente a {day:%d/%m/%Y}: puede que "
    "falte la que regía entonces. Compruebe el texto de esa fecha en la fuente oficial."
)
# The figures of one year are not tried for another.
_OF_A_YEAR = re.compile(r"\bpara (?:el año )?20\d\d\b")


def check_day(state: State, understood: Understanding, holdings: Holdings) -> bool:
    """Tell of a day before the norms asked about; True if today took the place of one not chosen."""
    about = [norm for norm in _asked_about(understood, holdings) if norm.valid_from]
    first = min(about, key=lambda norm: norm.valid_from or date.max, default=None)
    if first is None or first.valid_from is None or not state.as_of < min(first.valid_from, state.today):
        return False
    told = Notice(Kind.DATE, _early(first, state, OTHERS if state.as_of_given else TODAYS), cap=CEILING)
    if not state.as_of_given:
        _today_instead(state)
    state.notices.append(told)
    return not state.as_of_given


def _asked_about(understood: Understanding, holdings: Holdings) -> Sequence[Norm]:
    """The norms that the question names, as far as they are in the corpus."""
    ids = dict.fromkeys(one.norm_id for one in understood.references if one.norm_id)
    return [holdings.by_id[norm_id] for norm_id in ids if norm_id in holdings.by_id]


def _early(norm: Norm, state: State, applied: str) -> str:
    law = norm.name
    return EARLY.format(law=law, first=norm.valid_from, applied=applied, day=state.as_of)


def tries_today(state: State) -> bool:
    """True, with the state turned to today, if the corpus has nothing for the past day that is asked about.

    A day that the reader chose is never left.
    """
    if state.as_of_given or state.as_of >= state.today:
        return False
    if state.verdict is Verdict.INSUFFICIENT and not refusals(state):
        told = NOTHING.format(day=state.as_of)
    elif state.later is not None:
        told = _early(state.later, state, TODAYS)
    else:
        return False
    _today_instead(state)
    state.notices.append(Notice(Kind.DATE, told, cap=CEILING))
    state.raw_search, state.reasons = None, []
    return True


async def check_wording(state: State, services: Services) -> None:
    """Tell of a past day without any wording of the article that leads the same search today.

    Not of one whose own law led and is gone since: the wage of a past year has its own norm. `state.later`
    is set if the whole norm is of later and nothing that led has been reworded since.
    """
    if not state.hits or not state.as_of < state.today or caps(state.notices)[Kind.DATE] <= CEILING:
        return
    leads = state.hits[0].chunk
    if is_article(leads) and not await holds(leads, state.today, services):
        return
    ranked = await ranked_on(state.today, state, services)
    governs = next((hit.chunk for hit in ranked if is_article(hit.chunk)), None)
    if governs is None or await holds(governs, state.as_of, services):
        return
    norm = services.holdings().by_id[governs.norm_id]
    is_later = norm.valid_from is not None and state.as_of < norm.valid_from
    if is_later and leads.valid_to is None and not _OF_A_YEAR.search(norm.title):
        state.later = norm
    state.notices.append(no_wording(governs, state.as_of))


async def ranked_on(day: date, state: State, services: Services) -> list[Hit]:
    """The hits of the same searches in the law of another day, best first, with the vectors at hand.

    Without those of agreements that the question is not about.
    """
    other = replace(state, as_of=day, raw_search=None, found={}, notices=[], candidates=[])
    await search(other, services)
    others = state.understanding.agreements.others
    other.candidates = [hit for hit in other.candidates if hit.chunk.norm_id not in others]
    return await asyncio.to_thread(heuristic, other, services)


def no_wording(chunk: Chunk, day: date) -> Notice:
    """The notice that an article has no wording of a day."""
    return Notice(Kind.DATE, NO_WORDING.format(name=chunk.name, day=day), cap=CEILING)


def is_article(chunk: Chunk) -> bool:
    """True for an article of a norm: a transitional provision is of its own days."""
    return chunk.collection == LAW and chunk.kind is BlockKind.ARTICLE


async def holds(chunk: Chunk, day: date, services: Services) -> bool:
    """True if the chunk's article has a wording in force on a day."""
    return bool(await asyncio.to_thread(services.store.find, chunk.norm_id, chunk.label, day))


def _today_instead(state: State) -> None:
    """Turn the state to today; what was told of the other day goes, what was told of papers stays."""
    state.notices = [one for one in state.notices if one.kind is not Kind.DATE]
    state.other_days = (state.as_of,)
    state.as_of = state.today
