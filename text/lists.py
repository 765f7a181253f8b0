"""Lists of Spanish legal text: the sentence that announces the members of each («Son faltas graves:»)."""

from functools import lru_cache
from typing import NamedTuple

from text.segmentation import Span, apartados, sentences

KEPT = 256
"""Texts whose lists stay in memory: each quotation of an article asks for them."""


class Member(NamedTuple):
    """The first paragraph of an apartado or letter, and the sentence that announces its list."""

    start: int
    end: int
    lead: Span


@lru_cache(KEPT)
def members(text: str) -> tuple[Member, ...]:
    """The members of the lists that a sentence with a colon announces, in reading order.

    What follows the first paragraph of a member may belong to the whole list, and is no part of it.
    """
    found: list[Member] = []
    leads: dict[int, Span | None] = {}
    announced: Span | None = None
    for unit in apartados(text):
        leads = {level: lead for level, lead in leads.items() if level <= unit.level}
        if announced or unit.level not in leads:
            leads[unit.level] = announced
        lead = leads[unit.level]
        body = text[unit.start : unit.end]
        if lead is not None:
            begin = unit.start + len(body) - len(body.lstrip())
            found.append(Member(begin, begin + len(text[begin : unit.end].partition("\n")[0]), lead))
        last = sentences(body)[-1]
        ends = body[last.start : last.end].endswith(":")
        announced = Span(unit.start + last.start, unit.start + last.end) if ends else None
    return tuple(found)
