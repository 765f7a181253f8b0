"""Fields of forms and what people label: «D.N.I.: 0388 462», «Nº SS⏎08 0966…», «2207714 (mi móvil)».

A value that a label announces is masked whatever its form is, if it has digits enough to be somebody's.
"""

import re
from collections.abc import Iterator

from masking.field_labels import NUMBERED, NUMBERS, STARTS, label_of
from masking.page import Page
from masking.spans import Span

FEWEST, FEWEST_LOOSE = 3, 5
"""Digits of a value beside its label and a colon, or with words between."""
_POINTED = ("DNI", "TELEFONO")
"""Written with a point at each thousand too."""
_S = r"[ \u00a0]"
_PIECE = r"[a-z]{0,4}[\d*•][\w*•]{0,30}"
_VALUE = (
    rf"(?P<n>[(+]?(?:[a-z]{{1,4}}{_S}?[-./]?{_S}?)?{_PIECE}(?:[)]?(?:{_S}?[./–-]{_S}?"
    rf"|{_S})[(]?(?:{_PIECE}|(?<=\d[ ./–-])[b-df-tv-xz](?!\w))){{0,12}})"
    r"(?![\w@]|[.,/]\d)(?!\s*(?:€|%|euros?\b|eur\b|anos?\b|dias\b|horas\b|meses\b|de\s[a-z]+\sde\b))"
)
# Between a label and its value: what else names it, and a colon, a bar, two blanks or the end of the line.
_AFTER_LABEL = re.compile(
    rf"(?P<more>[^\n:=|\t;,\d]{{0,{FEWEST_LOOSE * 6}}}?)"
    rf"(?P<mark>[ \u00a0]*(?:[:=|\t]|\.{{2,40}}|[ \u00a0]{{2}})[ \t\u00a0|]{{0,20}}(?:\n[ \t\u00a0]*)?"
    rf"|[ \t]*\n[ \t]*)"
    rf"(?P<words>(?:\(?[^\W\d]+[.)º°:]{{0,2}}{_S}){{0,2}}(?:n[º°.]{{1,2}}{_S}?)?){_VALUE}"
)
# «44 850 95 Z, es mi DNI», «2207714 (móvil)»
_BEFORE_LABEL = re.compile(
    rf"(?<![\w.,/-]){_VALUE}[ \u00a0,]{{0,3}}(?P<open>[(–—=-]|es(?!\w))[ \u00a0]*(?:(?:es|mi|su|el|la|de"
    rf"|del|n\.?º)[ \u00a0])*\Z"
)
_DATE = re.compile(r"\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}")
_AMOUNT = re.compile(r"\d{1,3}(?:\.\d{3})+")
_OTHER = re.compile(
    r"convenio|expedient|exp\b|recurso|auto|sentencia|acuerdo|acta|ley\b|norma|referencia|ref\b|objeto"
    r"|codigo de c(?!uenta)"
)


def find(page: Page) -> Iterator[Span]:
    """Every number that a label beside it announces; they may overlap."""
    low = page.low
    for word, start in page.words:
        label = NUMBERED.match(low, start) if word[:3] in STARTS else None
        if label is None:
            continue
        known = label_of(label[0])
        if known is None or known.kind not in NUMBERS:
            continue
        if (after := _AFTER_LABEL.match(low, label.end())) and _is_value(after, known.kind):
            yield _span(after, known.kind)
        if (before := _BEFORE_LABEL.search(low, max(0, label.start() - 60), label.start())) and _digits(
            before
        ) >= FEWEST_LOOSE:
            yield _span(before, known.kind)


def _digits(match: re.Match[str]) -> int:
    return sum(char.isdigit() for char in match["n"])


def _is_value(match: re.Match[str], kind: str) -> bool:
    """True if there are digits enough, and nothing between label and value names another thing."""
    if _AMOUNT.fullmatch(match["n"]) and kind not in _POINTED:
        return False
    if _DATE.fullmatch(match["n"]) or _OTHER.search(match["more"] + match["words"]):
        return False
    return _digits(match) >= (FEWEST_LOOSE if match["words"].strip() or match["more"].strip() else FEWEST)


def _span(match: re.Match[str], kind: str) -> Span:
    return Span(*match.span("n"), kind, re.sub(r"[\W_]+", "", match["n"]).upper())
