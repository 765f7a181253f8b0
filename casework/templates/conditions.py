"""Conditions of the rows of a template on the facts given: «tipo = despido verbal o tácito», «!nulidad».

`field` stands if it is given and `!field` if it is not; `=` one of several choices (`|` between them), `~`
some words inside it; `<`, `<=`, `>`, `>=` and `!=` compare with a day, an amount or another field. What
compares with a fact that is missing, or of another kind, does not hold.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from operator import ge, gt, le, lt, ne
from typing import Any, NamedTuple

from casework.templates.template_types import Given
from core.errors import InputError
from law.dates import amount, parse
from law.labels import fold

_WRITTEN = re.compile(r"(!?)([a-z][a-z0-9_]*)(?:\s*(!=|<=|>=|[=~<>])\s*(\S.*))?")
_ORDER = {"<": lt, "<=": le, ">": gt, ">=": ge, "!=": ne}
_NAME = re.compile(r"[a-z][a-z0-9_]*")
NOT_READ = "la condición «{text}» no se entiende; escríbala como «campo = valor»"


class Condition(NamedTuple):
    """A condition; `values`: alternatives of a choice or of words, or the one other side of a comparison."""

    name: str
    denied: bool
    sign: str
    values: tuple[str, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the facts that it looks at."""
        return (self.name, *(one for one in self.values if self.sign in _ORDER and _NAME.fullmatch(one)))

    def holds(self, facts: Mapping[str, Given]) -> bool:
        """True with these facts."""
        value = facts.get(self.name)
        if not self.sign:
            return bool(value) is not self.denied
        if value is None:
            return False
        if self.sign in _ORDER:
            other = _other_side(self.values[0], facts)
            compare: Any = _ORDER[self.sign]
            return isinstance(other, (date, Decimal)) and type(other) is type(value) and compare(value, other)
        said = fold(str(value))
        return any(fold(one) in said if self.sign == "~" else fold(one) == said for one in self.values)


def hold(conditions: Iterable[str], facts: Mapping[str, Given]) -> bool:
    """True if all of them do."""
    return all(read_condition(one).holds(facts) for one in conditions)


@cache
def read_condition(text: str) -> Condition:
    """The condition as a template writes it. Raises InputError."""
    found = _WRITTEN.fullmatch(text.strip())
    if found is None or (found[1] and found[3]):
        raise InputError(NOT_READ.format(text=text))
    values = (found[4] or "").split("|") if found[3] in ("=", "~") else [found[4] or ""]
    return Condition(found[2], bool(found[1]), found[3] or "", tuple(one.strip() for one in values))


def _other_side(text: str, facts: Mapping[str, Given]) -> Given | None:
    return facts.get(text) if _NAME.fullmatch(text) else parse(text) or amount(text)
