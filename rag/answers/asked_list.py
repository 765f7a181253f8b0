"""The list that a question asks for («¿qué requisitos…?»): all its members, not the nearest one."""

import re
from collections.abc import Sequence
from itertools import takewhile

from law.labels import fold
from rag.answers.passage_selection import Found, Passage
from rag.answers.quotable import item_mark
from rag.answers.quotation_widening import points_to_list
from text.segmentation import is_row

_ASKS_LIST = re.compile(
    r"\b(?:causas|requisitos|supuestos|casos|motivos|condiciones|documentos|obligaciones|deberes|funciones"
    r"|competencias|consecuencias|clases|tipos|grados|modalidades|circunstancias)\b"
    r"|\b(?:que|cuales son|cuales) (?:(?:los|las) )?(?!dias|meses|anos|horas|veces)\w{3,}[aeo]s\b"
)
"""Nouns in the plural that a question asks for; a noun of time is a measure, not members of a list."""


def asked_list(query: str, quoted: Sequence[Passage], found: Sequence[Found]) -> list[Passage]:
    """The members, as the law has them, of the list that is asked for or mostly quoted already; else none.

    It is that of the first passage quoted which is a member of one, or which begins with what it says. Those
    with which another part of the article begins are of the list too.
    """
    first = next((one for one in quoted if one.lead or points_to_list(one.text)), None)
    if first is None:
        return []
    chunk = next(one.hit.chunk for one in found if one.index == first.hit)
    own = sorted((one for one in found if one.hit.chunk.wording_key == chunk.wording_key), key=_place)
    before = (one.piece.lead for one in reversed(own) if _place(one) < chunk.start + first.start)
    lead = first.lead or next(filter(None, before), "")
    places = [place for place, one in enumerate(own) if lead and one.piece.lead == lead]
    if not places:
        return []
    end = places[-1] + 1
    last, mark = own[end - 1], item_mark(own[end - 1].piece.text)
    going_on = takewhile(
        lambda one: one.index != last.index and mark is not None and item_mark(one.piece.text) == mark,
        own[end:],
    )
    members = [*(own[place] for place in places), *going_on]
    said = {one.text for one in quoted}.intersection(one.piece.text for one in members)
    asked = _ASKS_LIST.search(fold(query)) or not first.lead
    if not asked and 2 * len(said) < max(len(members), 3):
        return []
    return [one.passage(first.score) for one in members if not is_row(one.piece.text)]


def _place(found: Found) -> int:
    """Offset of a stretch in its wording."""
    return found.hit.chunk.start + found.piece.start
