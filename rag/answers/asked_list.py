"""The list that a question asks for («¿qué requisitos…?»): all its members, not the nearest one."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile

from law.labels import fold
from rag.answers.passage_selection import ASKS_FIGURE, Found, Passage
from rag.answers.quotable import item_mark
from text.figures import bounds, counted
from text.segmentation import is_row
from text.textnorm import stems

_ASKS_LIST = re.compile(
    r"\b(?:causas|requisitos|supuestos|casos|motivos|condiciones|documentos|obligaciones|deberes|funciones"
    r"|competencias|consecuencias|clases|tipos|grados|modalidades|circunstancias|escalas?|tablas?|baremos?"
    r"|relacion|listado)\b"
    r"|\b(?:que|cuales son|cuales) (?:(?:los|las) )?(?!dias|meses|anos|horas|veces)\w{3,}[aeo]s\b"
)
"""Nouns in the plural that a question asks for; a noun of time is a measure, not members of a list."""


_NAME = re.compile(r"\w{1,3}\) (?:el|la|los|las) ((?:muy )?\w+(?:es|[aeo]s))(?:,| con\b| se\b|:)")
"""A member of a scale that begins with its name: «c) Las muy graves con multa…»."""


def asked_list(query: str, quoted: Sequence[Passage], found: Sequence[Found]) -> list[Passage]:
    """The members, as the law has them, of the list that is asked for or mostly quoted already; else none.

    It is that of the first passage quoted which is a member of one. Those with which another part of the
    article begins are of the list too.
    """
    # Rows may be of other articles, those that a passage sends to.
    sentences = [one for one in quoted if not is_row(one.text)]
    if scale := _scale_beside(query, sentences, found):
        return scale
    lists = {(one.index, one.piece.start): _list(one) for one in found}
    first = next((one for one in sentences if lists.get((one.hit, one.start)) is not None), None)
    if first is None:
        return []
    own = _wording(first, found)
    places = [place for place, one in enumerate(own) if _list(one) == lists[first.hit, first.start]]
    end = places[-1] + 1
    last, mark = own[end - 1], item_mark(own[end - 1].piece.text)
    going_on = takewhile(
        lambda one: one.index != last.index and mark is not None and item_mark(one.piece.text) == mark,
        own[end:],
    )
    members = [*(own[place] for place in places), *going_on]
    said = {one.text for one in quoted}.intersection(one.piece.text for one in members)
    kept = [one for one in members if not is_row(one.piece.text)]
    if held := _of_the_scale(query, kept):
        others = [one.passage(first.score) for one in kept if one is not held]
        return [held.passage(first.score), *(replace(one, aside=True) for one in others)]
    if not _ASKS_LIST.search(fold(query)) and 2 * len(said) < max(len(members), 3):
        return []
    return [one.passage(first.score) for one in kept]


def _list(one: Found) -> int | None:
    """Where the sentence that announces the list of a stretch begins in its wording; None of no list."""
    return None if one.piece.listed is None else one.hit.chunk.start + one.piece.listed


def _scale_beside(query: str, quoted: Sequence[Passage], found: Sequence[Found]) -> list[Passage]:
    """Of the article quoted first, the paragraph whose range holds the number, if a figure is asked for."""
    if not (quoted and ASKS_FIGURE.search(query)):
        return []
    ranges = [one for one in _wording(quoted[0], found) if not one.piece.lead and bounds(one.piece.text)]
    held = _that_hold(query, ranges, lambda one: one.piece.text)
    return [held[0].passage(quoted[0].score)] if len(held) == 1 else []


def _wording(passage: Passage, found: Sequence[Found]) -> list[Found]:
    """The stretches of the wording of a passage, in their order."""
    key = next(one.hit.chunk.wording_key for one in found if one.index == passage.hit)
    own = (one for one in found if one.hit.chunk.wording_key == key)
    return sorted(own, key=lambda one: one.hit.chunk.start + one.piece.start)


def _of_the_scale(query: str, members: Sequence[Found]) -> Found | None:
    """Of a list that is a scale the one member that the question means, if it means one.

    Its range holds a number of what the question counts, or its name («las muy graves») is the longest of
    those that the question says.
    """
    held = _that_hold(query, members, lambda one: one.piece.text)
    held = held or _that_hold(query, members, lambda one: f"{one.piece.lead} {one.piece.text}")
    if held:
        # «35 de 400 trabajadores»: which of the numbers is meant is not known.
        return held[0] if all(one is held[0] for one in held) else None
    named = [(one, found[1]) for one in members if (found := _NAME.match(fold(one.piece.text)))]
    said = [
        (len(name), one) for one, name in named if re.search(rf"\b{name.removesuffix('s')}s?\b", fold(query))
    ]
    longest = [one for length, one in said if length == max(said, key=lambda pair: pair[0])[0]]
    return longest[0] if len(named) > 1 and len(longest) == 1 else None


def _that_hold(query: str, members: Sequence[Found], said: Callable[[Found], str]) -> list[Found]:
    """The members whose range holds a number of the query; its noun stands in what is said of them."""
    held = []
    for number, noun in counted(query):
        wanted = set(stems(noun))
        of_it = [one for one in members if wanted <= set(stems(said(one)))]
        ranges = [(one, span) for one in of_it if (span := bounds(one.piece.text))]
        held += [one for one, (low, high) in ranges if low <= number <= high and len(ranges) > 1]
    return held
