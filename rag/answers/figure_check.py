"""The figures of an answer: where they come from, and its calculations done again (X.23)."""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from core.errors import ArticuladoError
from law.chunks import Chunk
from law.dates import days_named, without_days
from law.labels import MONTHS
from law.norms import dated
from rag.answers import calculations_used
from rag.answers.derived_figures import (
    MOST_FIGURES,
    counts,
    days_told,
    explained,
    otherwise,
    paragraphs,
    spans,
    value_of,
)
from rag.shared.state import Services, State
from text.figures import measured_digits, unsupported_figures
from text.markers import markers
from text.quantities import quantities
from text.sums import CALENDAR, Sum, sums


class Figures(NamedTuple):
    """The figures of an answer.

    Attributes:
        sums: the calculations that it shows, done again.
        nowhere: the figures and dates, in digits, that stand in nothing read and that nothing explains.
        unshown: the same where they may come, by a calculation that the answer does not show, from a figure
            or a day of the question or from amounts of money: only a reader can tell.
    """

    sums: Sequence[Sum] = ()
    nowhere: tuple[str, ...] = ()
    unshown: tuple[str, ...] = ()


def check_figures(answer: str, state: State, services: Services) -> Figures:
    """The figures that stand nowhere, and the calculations, of an answer whose context the state has.

    A figure may stand, in any words, in a text of the context or its dates, in the question or an earlier
    one, in a reference to an article that the corpus has or to a norm that it knows; be of a calculation of
    the program, the result of a right one, an interval between two days that are named, or one step of other
    figures (`rag.answers.derived_figures`).
    """
    done = sums(answer)
    given = [state.question, state.background, *(one.text for one in state.history if one.role == "user")]

    def read() -> Iterator[str]:
        """Texts that a figure may come from, the cited ones first: most answers need no more."""
        cited = set(markers(answer))
        hits = sorted(state.context.marked.items(), key=lambda one: one[0] not in cited)
        yield from (_words(hit.chunk) for _, hit in hits)
        yield from state.context.titles.values()
        yield from given
        yield f"{state.as_of:%d/%m/%Y} {state.today:%d/%m/%Y}"
        yield from _referred(answer, state, services)
        yield from calculations_used.figures(state)
        yield from (operand for one in done for operand in one.operands if operand in CALENDAR)

    # The result of a shown calculation does not explain its own operands, unless it stands elsewhere.
    results = unsupported_figures("; ".join(one.result for one in done), read())
    said = measured_digits(answer)
    shown = [one.result for one in done]
    days, undated = days_told(said, chain(read(), shown), given, state.today)
    shown.append(" ".join(spans(days)))
    unknown = unsupported_figures(without_days(said), map(_figures, chain(read(), shown)))
    unexplained = _unexplained(unknown, answer, said, [*read(), *shown], results) if unknown else []
    nowhere = (*(f"{one.day} de {MONTHS[one.month - 1]}" for one in undated), *unexplained)
    if nowhere and counts(given, answer):
        return Figures(done, unshown=nowhere)
    return Figures(done, nowhere)


def _unexplained(
    unknown: list[str], answer: str, said: str, texts: list[str], results: Collection[str]
) -> list[str]:
    """The unknown figures that the texts do not tell in other words and that are not one step of others."""
    same = otherwise(texts)
    amounts = {(one.kind, one.value) for text in texts for one in quantities(text)}
    spelt = {one.shown.split()[0] for one in quantities(said) if (one.kind, one.value) in amounts}
    unknown = [one for one in unknown if one not in spelt and value_of(one) not in same]
    unexplained = list(unknown)
    told = paragraphs(answer)
    for one in unknown[:MOST_FIGURES]:
        if explained(one, told, {*unexplained, *results}):
            unexplained.remove(one)
    return unexplained


def _figures(text: str) -> str:
    """The text with the years of its days alone: the 24 of a 24 October is no figure of an amount."""
    return " ".join([without_days(text), *(str(day.year) for day in days_named(text))])


def _words(chunk: Chunk) -> str:
    days = [f"{day:%d/%m/%Y}" for day in (dated(chunk.valid_from), chunk.valid_to) if day]
    return " ".join((chunk.text, chunk.section, chunk.chapter, chunk.law, chunk.label, *days))


def _referred(answer: str, state: State, services: Services) -> list[str]:
    """The references of the answer, as written, to articles of the corpus and to norms of the catalogue.

    While the corpus cannot be read nothing is known of any, and their numbers are told as not found.
    """
    try:
        found = services.holdings().references(answer)
        return [
            reference.text
            for reference in found
            if reference.norm_id
            and (not reference.label or services.store.find(reference.norm_id, reference.label, state.as_of))
        ]
    except ArticuladoError:
        return []
