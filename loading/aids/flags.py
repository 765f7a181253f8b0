"""Rule-based content flags of a fragment: the `contiene_*` flags of the requirements (X.21)."""

import re
from collections.abc import Callable

from law.labels import of_heading

_NUMBER_WORD = (
    r"una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|quince|veinte|treinta|cuarenta|sesenta"
    r"|noventa"
)
# Found by their units first, which is ten times as fast as by their numbers.
_UNIT = re.compile(r" (?:d[íi]as?|mes(?:es)?|años?|semanas?|horas?)\b(?! de edad)")
_COUNT = re.compile(
    rf"(?<!mayores de )(?<!menores de )\b(?:\d+|{_NUMBER_WORD})(?: \(\d+\))?(?: primeros| [úu]ltimos)?$"
)
_COUNT_LENGTH = 40
_DATE = re.compile(r"\b\d{1,2}/\d{1,2}/\d{4}\b")
_PERIOD = re.compile(r"\bplazos?\b|\bt[ée]rmino de\b")
_MONEY = re.compile(
    r"\d[\d.,]*\s*(?:mil(?:lones)? (?:de )?)?(?:€|euros?\b|eur\b|pesetas\b)|\bmil(?:lones)? (?:de )?euros\b"
)
_REMISSION = re.compile(
    r"\bart(?:[íi]culos?|s?\.) \d|\bdisposici(?:[óo]n|ones) (?:adicional|transitoria|final|derogatoria)"
    r"|\b(?:ley(?: org[áa]nica)?|real decreto(?:[- ]ley| legislativo)?|reglamento \([a-z]+\))"
    r" (?:n\.º )?\d+/\d{4}"
    r"|\b(?:apartados?|p[áa]rrafos?) (?:\d|anterior)"
)


def _has_time(text: str) -> bool:
    """True if a text has a deadline, a duration or a date; ages do not count."""
    if ("plazo" in text or "rmino de" in text) and _PERIOD.search(text):
        return True
    if "/" in text and _DATE.search(text):
        return True
    return any(
        _COUNT.search(text, max(0, unit.start() - _COUNT_LENGTH), unit.start())
        for unit in _UNIT.finditer(text)
    )


def _holds(pattern: str | re.Pattern[str], *needed: str) -> Callable[[str], bool]:
    """A test for the pattern; a text without any of the `needed` words fails it early."""
    compiled = re.compile(pattern)
    return lambda text: any(word in text for word in needed) and compiled.search(text) is not None


# All over text in lower case.
_FLAGS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("plazo", _has_time),
    ("importe", _holds(_MONEY, "euro", "eur", "€", "pesetas")),
    (
        "porcentaje",
        _holds(
            r"\d\s?%|\bpor (?:ciento|cien|mil|100)\b", "%", "por ciento", "por cien", "por mil", "por 100"
        ),
    ),
    ("remision", _holds(_REMISSION, "art", "disposici", "/", "apartado", "rrafo")),
    (
        "derogado",
        _holds(r"\b(?:derogad[oa]s?|suprimid[oa]s?|sin contenido)\b", "derogad", "suprimid", "sin contenido"),
    ),
    (
        "aval",
        _holds(
            r"\baval(?:ad[oa]s?|es|istas?)?\b|\bfianzas?\b|\bgarant[íi]as? definitivas?\b",
            "aval",
            "fianza",
            "definitiva",
        ),
    ),
)


def flags(text: str) -> tuple[str, ...]:
    """Names of the `_FLAGS` that a text has, in that order; its own heading is not counted as a reference."""
    heading, line, rest = text.partition("\n")
    body = (rest if line and of_heading(heading) is not None else text).lower()
    return tuple(name for name, holds in _FLAGS if holds(body))
