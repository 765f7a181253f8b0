"""The list that a question asks for («¿qué requisitos…?»): all its members, not the nearest one."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from law.labels import fold
from rag.answers.passage_selection import Found, Passage
from rag.answers.quotable import item_mark, wording
from text.segmentation import is_row

_ASKS_LIST = re.compile(
    r"\b(?:causas|requisitos|supuestos|casos|motivos|condiciones|documentos|obligaciones|deberes|funciones"
    r"|competencias|consecuencias|clases|tipos|grados|modalidades|circunstancias)\b"
    r"|\b(?:que|cuales son|cuales) (?:(?:los|las) )?(?!dias|meses|anos|horas|veces)\w{3,}[aeo]s\b"
)
"""Nouns in the plural that a question asks for; a noun of time is a measure, not members of a list."""


def asked_list(query: str, quoted: Sequence[Passage], found: Sequence[Found]) -> list[Passage]:
    """The members, as the law has them, of the list that is asked for or mostly quoted already; else none.

    It is that of the first passage quoted which is a member of one.
    """
    first = next((one for one in quoted if one.lead), None)
    if first is None:
        return []
    members = [one for one in found if one.index == first.hit and one.piece.lead == first.lead]
    members += _in_the_next_part(members[-1], found)
    said = {one.text for one in quoted}.intersection(one.piece.text for one in members)
    if not _ASKS_LIST.search(fold(query)) and 2 * len(said) < max(len(members), 3):
        return []
    return [one.passage(first.score) for one in members if not is_row(one.piece.text)]


def _in_the_next_part(last: Found, found: Sequence[Found]) -> Iterator[Found]:
    """The members with which the next part of an article begins, if a list ends with its part."""
    ends = last is [one for one in found if one.index == last.index][-1]
    own, mark = last.hit.chunk, item_mark(last.piece.text)
    following = (
        one
        for one in found
        if ends and wording(one.hit.chunk) == wording(own) and one.hit.chunk.part == own.part + 1
    )
    return takewhile(lambda one: mark is not None and item_mark(one.piece.text) == mark, following)
