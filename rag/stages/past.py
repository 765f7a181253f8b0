"""Past days of which the corpus has nothing: today's law is tried instead, and the answer says so."""

from collections.abc import Sequence
from datetime import date

from rag.answers.sufficiency import refusals
from rag.law import references
from rag.law.holdings import Holdings
from rag.state import State
from rag.types import Norm, Verdict
from rag.understanding.types import Understanding

CEILING = 0.65
"""Greatest confidence, below «alta», of an answer about a day that the corpus does not reach."""
# The consolidated text that a question of this matter is about unless it names a norm.
MAIN = {"labour": "ET", "social_security": "LGSS", "prevention": "LPRL", "data_protection": "LOPDGDD"}
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


def check_day(state: State, understood: Understanding, holdings: Holdings) -> bool:
    """Tell of a day before the norms asked about; True if today took the place of one not chosen."""
    about = [norm for norm in _asked_about(understood, holdings) if norm.valid_from]
    first = min(about, key=lambda norm: norm.valid_from or date.max, default=None)
    if first is None or first.valid_from is None or not state.as_of < min(first.valid_from, state.today):
        return False
    told = EARLY.format(
        law=first.alias or first.law,
        first=first.valid_from,
        applied=OTHERS if state.as_of_given else TODAYS,
        day=state.as_of,
    )
    state.ceiling = CEILING
    if not state.as_of_given:
        state.remarks.clear()
        _today_instead(state)
    state.remarks.append(told)
    return not state.as_of_given


def _asked_about(understood: Understanding, holdings: Holdings) -> Sequence[Norm]:
    """The norms that the question names, or the main one of its matter, as far as they are in the corpus."""
    named = references.resolve(references.find(understood.whole), holdings.names)
    if ids := dict.fromkeys(reference.norm_id for reference in named if reference.norm_id):
        return [holdings.by_id[norm_id] for norm_id in ids if norm_id in holdings.by_id]
    main = MAIN.get(understood.matter.subject)
    return holdings.aliases.get(main, ()) if main else ()


def tries_today(state: State) -> bool:
    """True, with the state turned to today, if nothing was found for the past day that the question names."""
    if state.as_of_given or state.as_of >= state.today or state.verdict is not Verdict.INSUFFICIENT:
        return False
    if refusals(state):
        return False
    state.remarks = [NOTHING.format(day=state.as_of)]
    _today_instead(state)
    state.ceiling, state.raw_search, state.reasons = CEILING, None, []
    return True


def _today_instead(state: State) -> None:
    state.other_days = (state.as_of,)
    state.as_of = state.today
