"""Stage 0: understanding of the question before any search; it may name the day whose law applies."""

import asyncio

from lexicon.spelling import misspelled, respelled, unheard
from models.chat import Turn
from rag.question.consultation import read_turn
from rag.question.question_reading import understand as read
from rag.question.understanding import TimeScope, Understanding
from rag.retrieval.question_vectors import RAREST, rarities
from rag.shared.notices import Kind, Notice
from rag.shared.state import Services, State
from rag.shared.trace import UnderstandRecord
from rag.stages.past_days import check_day

MISSPELLED = "Se ha leído {words}."
ONE_MISSPELLED = "«{meant}» donde escribió «{typed}»"
ON_THAT_DAY = "Se ha aplicado la normativa vigente a {day:%d/%m/%Y}, por lo que dice la pregunta («{words}»)."
NOT_THAT_DAY = "La pregunta dice «{words}», pero se ha aplicado la fecha elegida, {day:%d/%m/%Y}."
RIGHT = (
    "La pregunta cuenta algo pasado («{words}») y pide un derecho de ahora o por venir: se ha aplicado la "
    "normativa vigente a {day:%d/%m/%Y}."
)
FUTURE = "La pregunta habla de «{words}»: la normativa futura no se conoce; se ha aplicado la de hoy."
SEVERAL = "La pregunta nombra varias fechas: se ha aplicado la normativa vigente a {day:%d/%m/%Y}."
REFORMS = (
    "La pregunta habla de lo anterior a una reforma («{words}») y puede ser más de una: {reforms}. "
    "Se ha aplicado la normativa vigente a {day:%d/%m/%Y}; puede volver a preguntar con una de esas fechas."
)
UNKNOWN = (
    "No se conoce la fecha de la norma de la que habla la pregunta («{words}»): se ha aplicado la normativa "
    "vigente a {day:%d/%m/%Y}; elija otra fecha si la necesita."
)


async def understand(state: State, services: Services) -> UnderstandRecord:
    """Set `state.understanding`, and `state.as_of` if the question names a day and the reader chose none."""
    understood = await asyncio.to_thread(_read, state, services)
    state.understanding = understood
    state.notices += [Notice(Kind.LAW, item.said) for item in understood.decided.missing]
    origin = "reader" if state.as_of_given else "today"
    if understood.time:
        origin = _apply(understood.time, state, origin)
    if check_day(state, understood, services.holdings()):
        origin = "today"
    return UnderstandRecord(understanding=understood, as_of=state.as_of, as_of_from=origin)


def _read(state: State, services: Services) -> Understanding:
    question, told = _spelled(state.question, state, services)
    state.notices += [Notice(Kind.SPELLING, told)] if told else []
    before = (read_turn(turn).last for turn in state.history if turn.role == "user")
    return read(
        question,
        [Turn(role="user", text=_spelled(text, state, services)[0]) for text in before],
        state.today,
        services.holdings(),
        synonyms=services.synonyms.fired(question),
        background=_spelled(state.background, state, services)[0],
    ).model_copy(update={"question": state.question})


def _spelled(text: str, state: State, services: Services) -> tuple[str, str]:
    """The text without the typing errors that no loaded text has as words, and the notice of them."""
    if not (found := misspelled(text)):
        return text, ""
    own = {word: unheard(word) for word in found}
    rare = rarities([stem for stems in own.values() for stem in stems], state.as_of, services)
    found = {word: found[word] for word, stems in own.items() if all(rare[one] == RAREST for one in stems)}
    words = " y ".join(ONE_MISSPELLED.format(meant=meant, typed=typed) for typed, meant in found.items())
    return respelled(text, found), MISSPELLED.format(words=words) if words else ""


def _apply(time: TimeScope, state: State, origin: str) -> str:
    """Apply the day of the question or add a notice saying why not; returns the origin of `as_of`."""
    words = time.text
    state.other_days = tuple(day for day in time.days if day != state.as_of)
    if time.as_of is None:
        if not state.as_of_given and (told := _undecided(time, state)):
            state.notices.append(Notice(Kind.DATE, told))
        return origin
    if state.as_of_given:
        if time.as_of != state.as_of:
            state.other_days = (time.as_of,)
            state.notices.append(Notice(Kind.DATE, NOT_THAT_DAY.format(words=words, day=state.as_of)))
        return origin
    state.as_of = time.as_of
    if time.as_of != state.today:
        state.notices.append(Notice(Kind.DATE, ON_THAT_DAY.format(words=words, day=state.as_of)))
    return "question"


def _undecided(time: TimeScope, state: State) -> str:
    """The Spanish sentence on words that name a time but choose no day; empty for «desde» and the like."""
    if time.kind == "reforms" and time.laws:
        each = zip(time.laws, time.days, strict=True)
        reforms = "; ".join(f"{law} (hasta el {last:%d/%m/%Y})" for law, last in each)
        return REFORMS.format(words=time.text, reforms=reforms, day=state.as_of)
    if time.kind == "right" and all(day.year == state.today.year for day in time.days):
        return ""
    texts = {"reforms": UNKNOWN, "future": FUTURE, "several": SEVERAL, "right": RIGHT}
    return texts.get(time.kind, "").format(words=time.text, day=state.as_of)
