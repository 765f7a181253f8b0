"""Values of facts as papers write them: days, amounts, hours, names; how they are read and compared."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from core.errors import InputError
from law import labels
from law.dates import amount, parse
from text.figures import digits
from text.numerals import HUNDREDS, NUMERALS
from text.textnorm import visible

_WORDS = rf"(?:(?:{'|'.join(map(labels.fold, [*NUMERALS, *HUNDREDS]))}|\w+enta|veinti\w+|mil|y) ?){{1,8}}"
_CATALAN = (
    *("gener", "febrer", "marc", "abril", "maig", "juny"),
    *("juliol", "agost", "setembre", "octubre", "novembre", "desembre"),
)
_MONTHS = {
    said: place
    for names in (labels.MONTHS, _CATALAN)
    for place, name in enumerate(names, start=1)
    for said in (name, name[:3])
}
_LEGAL = (
    r"(?<![A-Za-z])(?:S\. ?L\.?(?: ?[UPLN]\.?)?|S\. ?A\.?(?: ?U\.?)?|S\. ?C\.?(?: ?L\.?)?"
    r"|S\.? ?COOP\.?(?: ?[A-Z]\.?)?(?-i: [A-Z][a-z]+)?|SLU|SL|SLP|SAU|SA|SCL"
    r"|Sociedad (?:Limitada|Anonima|Cooperativa)(?: Unipersonal| Laboral)?(?-i: [A-Z][a-z]+)?)(?![A-Za-z])"
)
LEGAL_FORM = re.compile(_LEGAL, re.I)
_WORD = r"[^\W\d_][\w'’·-]*"
_NAME = r"(?!(?:NIE|NIF|DNI|CIF|SS)\b)[A-Z][A-Za-z'’·-]+"
_BODY = r"(?i:ayuntamiento|diputacion|universidad|consejeria|fundacion|asociacion|comunidad de propietarios)"
FIRM = (
    r"(?:(?!A |Entre |Reunidos |Empresa |(?:Primer|Segund|Tercer)[oa])"
    rf"\b[A-Z][\w'’.&-]*(?: (?:[A-Z][\w'’.&-]*|del?|l[ao]s?|y|e|i)){{0,8}},? {_LEGAL}"
    rf"|\b{_BODY}(?: (?:del?|l[ao]s?|[A-Z][\w'’-]*)){{0,6}} [A-Z][\w'’-]*(?!\w))"
)
_PERIOD = r"(?:mes|ano|dia|mensual(?:es)?|anual(?:es)?|diari[oa]s?|anuals)\b"
_PER = rf"(?:,? ?(?:\b(?:brut[oa]?s?|al|por|a la|de|cada)\b|\(\d\d?\)))*[ /]*{_PERIOD}"
_HALF = r"(?:y (?:media|treinta minutos) )"
_NUMBER = r"(?<![\d.,])(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d{1,2})?(?![\d.,]*\d)"
_CUT = r"[|;\n]|$|(?<!\b\w)\.\s| (?:fecha|n\.?i\.?[fe]|c\.?i\.?f|d\.?n\.?i|periodo|antiguedad|grupo cotiz)\b"
_TURN = (
    r",? (?:con|sin|en que|y (?:su|estara)|salvo|que|desde|percib\w+|en jornada|incluid[oa]|en el centro)\b"
)
_AFTER_JOB = r",? en | para | y (?:un )?(?:salario|sueldo|jornada)|, grupo|\("
_AMOUNT = rf"{_NUMBER} ?(?:€|euros?|horas)?"
DATE = (
    rf"\b(?:\d{{1,2}} al )?(?:\d{{1,2}}[ºª]?|primero|{_WORDS}) ?(?:de |d[’'])[a-z]+ del? (?:ano )?"
    r"(?:\d{4}|dos mil(?: [a-z]+){0,3}?)\b"
    r"|\b\d{1,2}[/.-]\d{1,2}[/.-]\d{4}\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[/ -][a-z]{3}\.?[/ -]\d{4}\b"
)
_PARTS = {
    "unlike": r"indemniz|compensa|\b(?:hasta|unos|plus)\b|complement|incentiv|variable|finiquito|liquidac",
    "is": r" ?[:|][:| ]*",
    "mr": r"(?:d\.? ?[ªa]?\.?|d\.?/d[nñ]a\.?|dona|don|dna\.?|sra?\.?)",
    "date": rf"(?P<date>{DATE})",
    "money": rf"(?P<money>(?:{_NUMBER}|\b{_WORDS}) ?(?:€|euros?\b|eur\b)(?:{_PER})?)",
    "amount": rf"(?P<money>{_NUMBER}(?<=,\d\d))",
    "hours": rf"(?P<hours>(?:{_NUMBER}|\b{_WORDS}) ?h(?:oras|ores)?\b ?{_HALF}?(?:de trabajo )?"
    r"(?:\[ \] al dia \[x\] )?"
    r"(?:semanales|a la semana|por semana|/ ?semana|setmanals|anuales|al ano|en computo anual))",
    "name": rf"(?P<text>(?-i:{_NAME}(?: (?:del?|l[ao]s?|i|y|{_NAME})){{0,5}} {_NAME}"
    rf"(?:, {_NAME}(?: {_NAME})?)?|{_NAME}, {_NAME}(?: {_NAME})?))",
    "legal": _LEGAL,
    "firm": rf"(?P<text>(?-i:{FIRM}))",
    "text": rf"(?P<text>[^|;:\n]{{3,110}}?)(?= *(?:{_CUT}|, con\b))",
    "words": rf"(?P<text>[^|;:\n]{{3,110}}?)(?= *(?:{_CUT}|{_TURN}|{_AFTER_JOB}))",
    "place": rf"(?P<text>[^|;:\n]{{3,110}}?)(?= *(?:{_CUT}|{_TURN}))",
    "yearly": rf"(?P<hours>{_NUMBER} horas)",
}
_UNITS = {
    "mes": re.compile(r"\bmes\b|mensual|devenga|devengo|meritat|^\nbruto"),
    "año": re.compile(r"\bano\b|anual"),
    "día": re.compile(r"\bdia\b|diari"),
    "semana": re.compile(r"seman|setman"),
}
SPELLED = re.compile(
    r"(\d{1,2})[ºª]?(?: al \d{1,2})?[ /-]*(?:de |d[’'])?([a-z]+)\.?[ /-]*(?:del? )?(?:ano )?(\d{4})"
)
# The name of the next column, or of the next row.
_LABEL = re.compile(
    r"(?:empresa|trabajador[a]?|categoria|grupo|puesto|antiguedad|centro|jornada|salario|fecha|periodo|importe|total"
    r"|convenio|concepto|cif|nif|dni|nie)(?: (?:profesional|de \w+|base|bruto|colectivo|devengado))?"
)
# Boxes of a form whose heading stands where a value does.
_HEADING = re.compile(
    r"(?:domicilio|direccion|municipio|localidad|provincia|pais)\b|calle,? n(?:[ºo.]|um)", re.I
)
_ORDINALS = {"primer": "1", "segund": "2", "tercer": "3"}
_ORDINAL = re.compile(r"\b(primer|segund|tercer)[ao]\b")
_LINKS = {"de", "del", "la", "el", "los", "las", "y", "i"}
_PERIODS = {"año": (1,), "mes": (12, 14, 15), "día": (365, 360)}
KINDS = {
    "start": "date",
    "letter": "date",
    "effects": "date",
    "resolution": "date",
    "salary": "money",
    "hours": "hours",
}
"""Kind of each fact whose value is not words."""
UNITS = {"money": ("mes", "año", "día"), "hours": ("semana", "año")}
"""Times that an amount and hours are for."""
LONGEST = 300
TOO_LONG = f"El dato admite {LONGEST} caracteres como máximo."
NO_UNIT = "Diga para qué tiempo es: {units}."
WRONG = {
    "date": "La fecha debe existir y escribirse con día, mes y año: «02/05/2017» o «2 de mayo de 2017».",
    "money": "El importe debe ser un número: «1.590,72».",
    "hours": "Las horas deben ser un número: «40» o «37,5».",
}
AGREE = 2
"""Euros a year by which the same salary may differ, told by the day, month or year."""


class FactValue(NamedTuple):
    """A value as forms take it, its unit, and the same to compare."""

    value: str
    unit: str
    known: date | Decimal | frozenset[str]


@lru_cache(maxsize=256)
def pattern(given: str) -> re.Pattern[str]:
    """The pattern of a row of `lexicon/fields.toml`; the name of its group is the kind of its value."""
    for name, part in _PARTS.items():
        given = given.replace(f"{{{name}}}", part)
    return re.compile(given, re.I)


def read_value(fact: str, kind: str, said: str, around: str) -> FactValue | None:
    """The value that stands in `said`; None if it is none, or not sure: an amount for no known time."""
    if kind == "date":
        day = day_of(labels.fold(said))
        return FactValue(f"{day:%d/%m/%Y}", "", day) if day else None
    if kind == "text":
        # The note of a printed form before the value: «(4)», «(calle, nº y localidad)».
        said = re.sub(r"^(?:\([^()]{1,40}\) ?)?(?:(?:el|la|los|las) )?", "", said)
        folded = labels.fold(said)
        if _LABEL.fullmatch(folded) or _HEADING.match(folded):
            return None
        if fact == "worker":  # «APELLIDOS, NOMBRE» in payslips.
            said = re.sub(rf"^({_WORD}(?: {_WORD}){{0,5}}), ({_WORD}(?: {_WORD})?)$", r"\2 \1", said)
        return FactValue(said, "", tokens(said)) if tokens(said) and not said[0].isdigit() else None
    folded = labels.fold(said)
    written = digits(said.lower())
    half = re.search(rf" {_HALF}", folded)
    number = (
        None
        if re.search(r"\bmil\b", written)
        else amount(digits(said[: half.start()].lower()) if half else written)
    )
    number = number + Decimal("0.5") if number is not None and half else number
    unit = _unit(folded, UNITS[kind]) or _unit(around, UNITS[kind])
    if number is None or not unit or re.search(r"\bnet[oa]s?\b|\bindemniz", around):
        return None
    shown = f"{number:,.2f}".translate(str.maketrans(",.", ".,"))
    return FactValue(shown if kind == "money" else shown.rstrip("0").rstrip(","), unit, number)


def typed_value(key: str, said: str, unit: str) -> FactValue:
    """A value as a person types it, «» for none. Raises InputError: it is none of its kind."""
    kind, said, unit = KINDS.get(key, "text"), " ".join(visible(said).split()), unit.strip().lower()
    if not said:
        return FactValue("", "", frozenset())
    if kind == "text":
        if len(said) > LONGEST:
            raise InputError(TOO_LONG)
        return FactValue(said, "", tokens(said))
    units = UNITS.get(kind, ())
    if units and unit not in units:
        raise InputError(NO_UNIT.format(units=", ".join(units)))
    typed = re.fullmatch(DATE if kind == "date" else _AMOUNT, labels.fold(said))
    value = read_value(key, kind, said, labels.fold(unit)) if typed else None
    if value is None:
        raise InputError(WRONG[kind])
    return value


def _unit(folded: str, units: Sequence[str]) -> str:
    return next((unit for unit in units if _UNITS[unit].search(folded)), "")


def day_of(folded: str) -> date | None:
    """The day that a date names; None if there is no such day."""
    turned = re.sub(r"^primero|^un[oa]? ", "1 ", digits(folded))
    with suppress(ValueError):
        found = SPELLED.search(turned)
        return date(int(found[3]), _MONTHS.get(found[2], 0), int(found[1])) if found else parse(turned)
    return None


def tokens(said: str) -> frozenset[str]:
    """Words that tell a name from another: without its legal form, accents and marks."""
    plain = LEGAL_FORM.sub(" ", labels.unaccented(said))
    plain = _ORDINAL.sub(lambda one: _ORDINALS[one[1]], plain.lower().replace("ª", " "))
    return frozenset(re.findall(r"\w+", plain)) - _LINKS


def same_value(one: FactValue, other: FactValue) -> bool:
    """True if both say the same: a name in other words, a salary by the year and by the month."""
    if isinstance(one.known, frozenset) and isinstance(other.known, frozenset):
        return one.known <= other.known or other.known <= one.known
    if isinstance(one.known, Decimal) and isinstance(other.known, Decimal) and one.unit != other.unit:
        if one.unit not in _PERIODS or other.unit not in _PERIODS:
            return True
        pairs = product(_PERIODS[one.unit], _PERIODS[other.unit])
        return any(abs(one.known * a - other.known * b) <= AGREE for a, b in pairs)
    return one.known == other.known


def agree(key: str, read: tuple[str, str], given: tuple[str, str]) -> bool:
    """True if a value and unit of a paper say what a person gave, or nothing."""
    if read == given or not any(read):
        return True
    try:
        one, other = (typed_value(key, *value) for value in (read, given))
    except InputError:
        return False
    return bool(given[0]) and same_value(one, other)
