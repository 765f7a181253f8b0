"""How much work is done at once, of each person and of all, and how much may wait."""

from core.turns import Turns
from service.config import Settings

AT_ONCE, WAITING, CROWD = 2, 6, 36
"""Pieces of costly work, one for each person; that wait of one person, and of all."""
ANSWERS, WITH_MODEL, ANSWERS_WAITING, ANSWERS_CROWD = 60, 3, 60, 600
"""The same of answers; `WITH_MODEL` of one person where a model answers."""


def of_costly_work() -> Turns:
    """Turns at briefs, opinions, checks and tools."""
    return Turns(AT_ONCE, 1, WAITING, CROWD)


def of_answers(chosen: Settings) -> Turns:
    """Turns at answers: without a model each takes a processor, with one it mostly waits."""
    each = WITH_MODEL if chosen.has_model else 1
    return Turns(ANSWERS, ANSWERS if chosen.auth_mode == "personal" else each, ANSWERS_WAITING, ANSWERS_CROWD)
