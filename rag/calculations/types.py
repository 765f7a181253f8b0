"""Steps and results of a calculation: frozen values."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from pydantic import Field

from rag.types import Value

Amount = Decimal | date | int


class Ref(NamedTuple):
    """A provision; `norm` and `block` are its ids in the BOE's own division, '' for a text that it lacks."""

    said: str
    norm: str = ""
    block: str = ""


class Step(Value):
    """One step: what is done, the formula with its figures, what comes out, and the law it follows."""

    text: str
    formula: str = ""
    result: str = ""
    refs: tuple[Ref, ...] = ()


class Outcome(Value):
    """The result of a calculation, in Spanish.

    Attributes:
        given: (label, value) of the data, as they were understood.
        headline: (label, value) of what was asked for.
        values: the same and more, by name, for programs.
        assumptions: points that the law leaves open, and how they were decided here.
        warnings: what the person must check before they rely on it.
    """

    name: str
    title: str
    given: tuple[tuple[str, str], ...] = ()
    headline: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    values: Mapping[str, Amount] = Field(default_factory=dict)
