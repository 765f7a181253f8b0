"""The words of a refusal, and of what was not found; the reasons are those of `sufficiency`."""

from collections.abc import Sequence

from rag.shared.answer_contract import ABSTENTION, Draft
from rag.shared.state import State

MISSING = "No se ha encontrado entre las normas cargadas: {items}."


def refusal(state: State) -> Draft:
    """The draft of a refusal: the fixed sentence and the reasons."""
    return Draft(answer=" ".join([f"{ABSTENTION}.", *state.reasons]), confidence=0.0, refusal=True)


def refused(said: str, state: State) -> str:
    """The text of a refusal: the fixed sentence first (S2.31), then what is said, then the missing items."""
    if not said.startswith(ABSTENTION) and not state.understanding.courtesy:
        said = " ".join(filter(None, [f"{ABSTENTION}.", said]))
    return told_missing(said, " ", [item for item in state.missing if item not in said])


def told_missing(text: str, between: str, missing: Sequence[str]) -> str:
    """The text and, if anything is missing, what."""
    return f"{text}{between}{MISSING.format(items='; '.join(missing))}" if missing else text
