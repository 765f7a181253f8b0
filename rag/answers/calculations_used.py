"""Calculations of the program that an answer may use: what the model reads of them, and their notices.

A model chooses the data of a calculation. What neither the question nor an earlier one says, it supposed.
"""

import re
from collections.abc import Iterator

from calculations.outcome import Outcome
from law import dates
from rag.answers.context_block import defuse
from rag.shared.notices import Kind, Notice
from rag.shared.state import State
from text.figures import unsupported_figures
from text.textnorm import stems

HEADING = (
    "CÁLCULOS DE LA CASA (los ha hecho el programa con estos datos; no son texto de ninguna norma ni llevan "
    "marca). Un «dato supuesto» no consta en la pregunta: si usa el resultado, diga que parte de él."
)
NOTE = (
    "Cálculo de la investigación: {title}. Datos: {given}. Resultado: {found}. Compruébelo con sus pasos en "
    "la página «Calcular»."
)
SUPPOSED = " (dato supuesto)"
YES, NO = "sí", "no"
_QUANTITY = re.compile(r"[\d.,]+(?: [€%])?")
_DATE = re.compile(dates.ANY, re.I)


def block(state: State) -> str:
    """The calculations as data for the message of the question; empty without any."""
    told = [
        "\n".join(
            [
                one.title,
                *(f"- {line}" for line in _given(one, state)),
                *(f"- Resultado. {label}: {value}" for label, value in one.headline),
            ]
        )
        for one in state.calculated
    ]
    return "\n\n".join([HEADING, *told]) if told else ""


def notices(state: State) -> Iterator[Notice]:
    """A notice of each calculation, with its data and its results."""
    for one in state.calculated:
        found = "; ".join(f"{label}: {value}" for label, value in one.headline)
        told = NOTE.format(title=one.title, given="; ".join(_given(one, state)), found=found)
        yield Notice(Kind.CALCULATIONS, told)


def figures(state: State) -> Iterator[str]:
    """Texts with the figures of the calculations: data and results."""
    for one in state.calculated:
        yield from (value for _, value in (*one.given, *one.headline))


def _given(one: Outcome, state: State) -> list[str]:
    said = "\n".join(
        [*(turn.text for turn in state.history if turn.role == "user"), state.background, state.question]
    )
    marks = ("" if _held(label, value, said, state) else SUPPOSED for label, value in one.given)
    return [f"{label}: {defuse(value)}{mark}" for (label, value), mark in zip(one.given, marks, strict=True)]


def _held(label: str, value: str, said: str, state: State) -> bool:
    """True if what was said holds a date or a quantity, or any word of a choice; nothing ticked is held."""
    if _DATE.fullmatch(value):
        day = dates.parse(value)
        return day == state.today or day in {dates.parse(one) for one in _DATE.findall(said)}
    if _QUANTITY.fullmatch(value):
        return not unsupported_figures(value, [said])
    words = set(stems(label if value == YES else value))
    return value == NO or not words or not words.isdisjoint(stems(said))
