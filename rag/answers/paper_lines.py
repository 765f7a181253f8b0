"""Lines of papers that state what a question asks for: a date, an amount, a length of time, a person.

A question about something that papers usually tell (`lexicon.paper_fields`) is answered by the lines that say
it; any other by those that hold most of its words. A line that lacks what is asked for answers nothing: an
honest gap is worth more than a guess.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import log
from typing import Generic, NamedTuple, TypeVar

from lexicon.paper_fields import Kind, PaperField, field_of
from text.rows import cells
from text.rows import kin as is_kin
from text.segmentation import is_row
from text.textnorm import fold_for_search, stems

Place = TypeVar("Place")

SHARE = 0.6
"""Least share of a free question's words, by rarity, that a sentence holds: measured in
tests/unit/test_review_cells.py.
"""
HEADING = 60
"""Characters of a heading, at most."""

_UNITS = r"(?:un[ao]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve)"
_NUMERAL = (
    rf"(?:\d[\d.]*(?:,\d+)?|(?:treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)(?: y {_UNITS})?"
    rf"|{_UNITS}|diez|once|doce|trece|catorce|quince|diecis[eé]is|dieci\w+|veinte|veinti\w+)"
)
VALUES: dict[Kind, re.Pattern[str]] = {
    "date": re.compile(
        r"\d{1,2}[ºª]? de [a-zé]+ (?:de|del) \d{4}|\b\d{1,2}[/.-]\d{1,2}[/.-]\d{4}\b|\b\d{4}-\d{2}-\d{2}\b"
        r"|\b\d{1,2} (?:al|y) \d{1,2} de [a-z]+(?: de \d{4})?",
        re.I,
    ),
    "money": re.compile(
        r"\d[\d.]*(?:,\d{1,2})?\s*(?:€|euros?\b|EUR\b)(?: (?:brutos|netos)\b)?"
        r"(?: (?:anuales|mensuales|diarios)\b)?",
        re.I,
    ),
    "length": re.compile(
        rf"\b{_NUMERAL} (?:d[ií]as?|semanas?|mes(?:es)?|años?|horas?)\b"
        r"(?: (?:h[aá]biles|naturales|laborables)\b)?",
        re.I,
    ),
    "person": re.compile(
        r"\b(?:[A-ZÁÉÍÓÚÑ][a-záéíóúüñ]+ ){1,4}(?:(?:de|del|la|los|y) ){0,2}[A-ZÁÉÍÓÚÑ][a-záéíóúüñ]+"
    ),
}
_IN_CELL = re.compile(r"\d{1,3}(?:\.\d{3})*,\d{2}(?:\s*(?:€|euros?))?|\d+(?:\.\d{3})*\s*(?:€|euros?)")
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("person", re.compile(r"\bquien(?:es)?\b")),
    ("date", re.compile(r"\bfecha\b|\bcuando\b|\ba partir de que\b|\bque dia\b")),
    (
        "length",
        re.compile(
            r"\bplazo\b|\bduracion\b|\bcuanto (?:tiempo|dura)|\bpreaviso\b"
            r"|\bcuant[oa]s (?:dias|meses|anos|semanas|horas)\b"
        ),
    ),
    (
        "money",
        re.compile(
            r"\bimporte\b|\bsuma\b|\bdinero\b|\bcuantia\b|\bcantidad\b|\ba cuanto\b|\bcuantos euros\b"
            r"|\bcuanto (?:es|vale|cuesta|se paga|debe)\b"
        ),
    ),
)
# Words that ask, and those that only name the kind of what is asked for.
_ASKING = frozenset(
    stems(
        "qué cuál cuáles quién cuándo cuánto cómo dónde hay dice fecha día días importe cuantía cantidad"
        " plazo duración asciende indica consta documento prevé establece fija tiene puede debe hace"
        " horas semanas meses años"
    )
)
# Words that narrow nothing down: there is one dismissal, one worker and one contract in a paper.
_USUAL = frozenset(
    stems(
        "despido extinción cese sanción trabajador trabajadora persona empresa empleador contrato carta bruto"
        " bruta neto anual mensual profesional grupo categoría aplicable aplicación colectivo pactado pactada"
        " reconocida documento laboral comunicación efectos trabajo"
    )
)
# A sentence that denies, supposes, reports or tells of others says the contrary of its value alone.
_TURNS = re.compile(
    r"[;?]|\b(?:no|nunca|tampoco|sin|salvo|excepto|ni|si|según|anterior\w*|inicial\w*|otr[oa]s?|compañer\w+"
    r"|renunci\w+|rechaz\w+|neg\w+|nieg\w+|denieg\w+|deneg\w+|care[cz]\w+|aleg\w+|pretend\w+|reclam[aeó]\w*"
    r"|solicit[aeó]\w*|pid\w+|\w+(?:r[íi]an?|(?:ie|u)[sr](?:e|a)n?))\b",
    re.I,
)
_LABEL = re.compile(r"\w+(?: \w+){0,2}:\s+(?=\S)")


class Line(NamedTuple, Generic[Place]):
    """A line of a paper: its place, its text, its words without accents, and its stems with its heading's."""

    place: Place
    text: str
    said: str
    stems: frozenset[str]


class Stated(NamedTuple, Generic[Place]):
    """A line that states what is asked for.

    Attributes:
        at: offset in `line.said` of the words that say so.
        share: of the question's words, by rarity, those that the line holds; 1 for the words of a field.
    """

    line: Line[Place]
    at: int
    share: float


def read_lines(said: Iterable[tuple[Place, str]]) -> Iterator[Line[Place]]:
    """The lines of a text in their order, each with the stems of the heading above it."""
    above = ""
    for place, text in said:
        folded = " ".join(fold_for_search(text).split())
        yield Line(place, text, folded, frozenset(stems(f"{above} {folded}")))
        headed = len(text) <= HEADING and not is_row(text) and text[-1] not in ".;,"
        above = folded if headed else ""


def stated(question: str, lines: Sequence[Line[Place]], rest: str = "") -> list[Stated[Place]]:
    """The lines that state what is asked for, the surest first; none when none is likely to.

    Args:
        rest: the question without the words that name its paper, if it names one.
    """
    field = asked_field(question, rest)
    return by_field(field, lines, _kind(question)) if field else _by_words(rest or question, lines)


def asked_kind(question: str, rest: str = "") -> Kind:
    """The kind of value that a question asks for."""
    field = asked_field(question, rest)
    return (field.kind if field else "") or _kind(question)


def by_field(field: PaperField, lines: Sequence[Line[Place]], kind: Kind = "") -> list[Stated[Place]]:
    """Lines that tell it, with where the words that say so begin: the surest pattern first, then in order."""
    found = []
    for place, one in enumerate(lines):
        if any(never.search(one.said) for never in field.never) or not has_value(
            one.text, field.kind or kind
        ):
            continue
        for rank, cue in enumerate(field.says):
            if match := cue.search(one.said):
                found.append((rank, place, one, match.start()))
                break
    return [Stated(one, at, 1.0) for _, _, one, at in sorted(found, key=lambda each: each[:2])]


def _by_words(question: str, lines: Sequence[Line[Place]]) -> list[Stated[Place]]:
    """Lines that hold enough of the question's words, those with most of them first."""
    said, kind = fact_words(question), _kind(question)
    wanted = said - _USUAL or said
    if not wanted:
        return []
    weigh = rarities(wanted, lines)
    total = sum(weigh.values())
    found = []
    for place, one in enumerate(lines):
        held = held_by(wanted, one)
        share = sum(weigh[stem] for stem in held) / total
        if (
            share >= SHARE
            and not one.text.isupper()
            and has_value(one.text, kind)
            and not one.text.endswith(("?", ":"))
        ):
            first = min((at for stem in held if (at := one.said.find(stem[:5])) >= 0), default=0)
            found.append((-share, place, one, first))
    best = min((each[0] for each in found), default=0.0)
    ordered = sorted(found, key=lambda each: each[:2])
    return [Stated(one, at, -share) for share, _, one, at in ordered if share == best]


def asked_field(question: str, rest: str = "") -> PaperField | None:
    """Subject of the question, unless it asks for a detail of it: «forma de pago de la indemnización»."""
    field = field_of(question)
    if field is None:
        return None
    said = " ".join(match[0] for match in field.asked.finditer(fold_for_search(question)))
    known = _ASKING | _USUAL | frozenset(stems(f"{field.name} {said}"))
    return field if frozenset(stems(rest or question)) <= known else None


def fact_words(question: str) -> frozenset[str]:
    """Stems of the words that a line which answers may hold: not those that only ask."""
    return frozenset(stems(question)) - _ASKING


def rarities(wanted: Iterable[str], lines: Sequence[Line[Place]]) -> dict[str, float]:
    """Rarity of each stem among the lines; one that none holds weighs most."""
    held = Counter(stem for one in lines for stem in held_by(wanted, one))
    return {stem: log(1 + len(lines) / (1 + held[stem])) for stem in wanted}


def held_by(wanted: Iterable[str], one: Line[Place]) -> set[str]:
    """The stems that the line, or the heading above it, has: the same or of the same family."""
    return {stem for stem in wanted if stem in one.stems or is_kin(stem, one.stems)}


def _kind(question: str) -> Kind:
    said = fold_for_search(question)
    for kind, pattern in _KINDS:
        if pattern.search(said):
            return kind
    return ""


def has_value(text: str, kind: Kind) -> bool:
    """True for a text with a value of this kind."""
    return not kind or any(True for _ in _values(text, kind))


def _values(text: str, kind: Kind) -> Iterator[tuple[int, str]]:
    """(offset, value) of each value of a kind."""
    pattern = _IN_CELL if kind == "money" and is_row(text) else VALUES[kind]
    for match in pattern.finditer(text):
        yield match.start(), match[0].strip()


def value_told(one: Line[Place], cue: int, kind: Kind) -> str:
    """The value asked for where there is no doubt about it, else the whole sentence.

    A sentence that denies or excepts something is shown whole: its value alone could say the contrary.
    """
    if not kind:
        if is_row(one.text):
            return cells(one.text)[-1] or one.text
        label = _LABEL.match(one.text)
        return one.text[label.end() :] if label and cue < label.end() else one.text
    if _TURNS.search(one.text):
        return one.text
    values = list(_values(one.text, kind))
    after = [value for at, value in values if at >= cue]
    return after[0] if after and len(after) == 1 else values[0][1] if len(values) == 1 else one.text


def differs(one: str, other: str, kind: Kind) -> bool:
    """True if two answers give another value; of answers without a kind nothing is told."""
    return bool(kind) and fold_for_search(one) != fold_for_search(other)
