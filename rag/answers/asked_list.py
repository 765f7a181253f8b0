"""The list that a question asks for («¿qué requisitos…?»): all its members, not the nearest one."""

import re
from collections.abc import Sequence

from law.labels import fold
from rag.answers.passage_selection import Found, Passage
from text.segmentation import is_row

_ASKS_LIST = re.compile(
    r"\b(?:causas|requisitos|supuestos|casos|motivos|condiciones|documentos|obligaciones|deberes|funciones"
    r"|competencias|consecuencias|clases|tipos|grados|modalidades|circunstancias)\b"
    r"|\b(?:que|cuales son|cuales) (?:(?:los|las) )?(?!dias|meses|anos|horas|veces)\w{3,}[aeo]s\b"
)
"""Nouns in the plural that a question asks for; a noun of time is a measure, not members of a list."""


def asked_list(query: str, first: Passage, found: Sequence[Found]) -> list[Passage]:
    """The members of the list that the best passage is a member of, as the law has them; else none."""
    if not first.lead or not _ASKS_LIST.search(fold(query)):
        return []
    members = (one for one in found if one.index == first.hit and one.piece.lead == first.lead)
    return [one.passage(first.score) for one in members if not is_row(one.piece.text)]
