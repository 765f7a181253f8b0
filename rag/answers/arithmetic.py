"""The figures of an answer: where they come from, and its calculations done again (X.23)."""

from typing import NamedTuple

from rag.errors import ArticuladoError
from rag.law import references
from rag.state import Services, State
from rag.text.figures import unsupported_figures
from rag.text.sums import CALENDAR, sums
from rag.types import Chunk

RIGHT = "Cálculos de la respuesta, rehechos y correctos (no son texto de ninguna norma): {sums}."
WRONG = "Cálculo erróneo en la respuesta: «{shown}»; el resultado es {value}."
UNKNOWN = (
    "Compruebe estas cifras, que no figuran en los textos leídos ni en la pregunta ni salen de un cálculo "
    "mostrado: {figures}."
)


class Checked(NamedTuple):
    """Spanish notes on the figures of an answer; `wrong` is True if a calculation of it is."""

    notes: list[str]
    wrong: bool


def check_figures(answer: str, state: State, services: Services) -> Checked:
    """The figures that stand nowhere, and the calculations, of an answer whose context the state has.

    A figure may stand in any fragment of the context, in the question or an earlier one, in a reference to
    an article that the corpus has or to a norm that it knows, or be the right result of a shown calculation.
    """
    done = sums(answer)
    right = [one for one in done if one.right]
    wrong = [one for one in done if not one.right]
    texts = [
        *(_words(hit.chunk) for hit in state.context.hits),
        *state.context.titles.values(),
        *(turn.text for turn in state.history if turn.role == "user"),
        state.question,
        f"{state.as_of:%d %m %Y} {state.today:%d %m %Y}",
        *_referred(answer, state, services),
        *(one.result for one in done),
        *(operand for one in done for operand in one.operands if operand in CALENDAR),
    ]
    notes = [WRONG.format(shown=one.shown, value=one.value) for one in wrong]
    if right:
        notes.append(RIGHT.format(sums="; ".join(dict.fromkeys(one.shown for one in right))))
    if unknown := unsupported_figures(answer, texts):
        notes.append(UNKNOWN.format(figures=", ".join(unknown)))
    return Checked(notes, bool(wrong))


def _words(chunk: Chunk) -> str:
    since = f"{chunk.valid_from:%d %m %Y}"
    return " ".join((chunk.text, chunk.section, chunk.chapter, chunk.law, chunk.label, since))


def _referred(answer: str, state: State, services: Services) -> list[str]:
    """The references of the answer, as written, to articles of the corpus and to norms of the catalogue.

    While the corpus cannot be read nothing is known of any, and their numbers are told as not found.
    """
    try:
        found = references.resolve(references.find(answer), services.catalogue())
        return [
            reference.text
            for reference in found
            if reference.norm_id
            and (not reference.label or services.store.find(reference.norm_id, reference.label, state.as_of))
        ]
    except ArticuladoError:
        return []
