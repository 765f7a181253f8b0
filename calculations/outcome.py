"""Steps and results of a calculation: frozen values."""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from pydantic import Field

from core.values import Value

Amount = Decimal | date | int
_CITED = re.compile(
    r"(?P<place>art\. \d+(?: bis)?|D[TA] \d+)\S* (?P<law>ET|LGSS|LRJS|RD 1620/2011|RD 1382/1985|RD 2720/1998)"
)


class Ref(NamedTuple):
    """A provision as a lawyer cites it, and the name of its article, by which the corpus is asked for it.

    `named` is empty for a norm that is none of the corpus's.
    """

    said: str
    named: str = ""


def refs(text: str) -> tuple[Ref, ...]:
    """The provisions of «art. 49.1.c ET y DT 8.ª ET»; one of a law that is not in the corpus has no name."""
    return tuple(_ref(one) for one in text.split(" y ") if one)


def _ref(said: str) -> Ref:
    found = _CITED.fullmatch(said)
    place = found["place"].replace("DT", "dt").replace("DA", "da") if found else ""
    return Ref(said, f"{place} {found['law']}" if found else "")


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
