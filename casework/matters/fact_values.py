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
from lexicon.paper_fields import is_label
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
} | {"sept": 9, "setiembre": 9}
_LEGAL = (
    r"(?<![A-Za-z])(?:S\. ?L\.?(?: ?[UPLN]\.?)?|S\. ?A\.?(?: ?[UT]\b\.?)?|S\. ?C\.?(?: ?L\.?)?|C\. ?B\.?"
    r"|S\.? ?COOP\.?(?-i: (?:DE|de) [A-Z][\w-]+(?: [A-Z][\w-]+)?)|SLU|SL|SLP|SAU|SA|SCL"
    r"|S\.? ?COOP\.?(?! ?(?:CIF|NIF|CCC|con\b))(?-i: [A-Z][A-Za-z]{1,8}\.?| ?[A-Z]\b\.?)?"
    r"|Sociedad (?:Limitada|Anonima|Cooperativa)(?: Unipersonal| Laboral)?(?-i: [A-Z][a-z]+)?)(?![A-Za-z])"
)
LEGAL_FORM = re.compile(_LEGAL, re.I)
_NAME = r"(?!(?:NIE|NIF|DNI|CIF|SS|EN|POR|LA|EL|CON|PARA|SIN|AL)\b)[A-Z][A-Za-z'’·-]+"
PERSON = (
    rf"(?:M[ªa]\.? )?{_NAME}(?: (?:del?|l[ao]s?|i|y|{_NAME})){{0,5}} {_NAME}(?:, {_NAME}(?: {_NAME})?)?"
    rf"|{_NAME}, {_NAME}(?: {_NAME})?"
)
MR = r"(?:d\.? ?/? ?[ªa]?\.?|d\.?/d[nñ]a\.?|dona|don|dna\.?|sra?\.?)"
_BODY = r"(?i:ayuntamiento|diputacion|universidad|consejeria|fundacion|asociacion|comunidad de propietarios)"
_NO_FIRM = (
    r"(?:A|De|Por|La|Entre|Reunidos|Empresa|Direccion|Dias|Presidente|Administradora?|Gerente|Directora?"
    r"|Consejer[oa]|Apoderad[oa]|Acta|(?:[IVX]+ )?Convenio) |(?:Primer|Segund|Tercer)[oa]"
)
FIRM = (
    rf"(?:(?!{_NO_FIRM})\b[A-Z][\w'’.&-]*(?: (?:[A-Z][\w'’.&-]*|del?|l[ao]s?|y|e|i)){{0,8}},? {_LEGAL}"
    rf"|\b{_BODY}(?: (?:del?|l[ao]s?|[A-Z][\w'’-]*)){{0,6}} [A-Z][\w'’-]*(?!\w))"
)
_PERIOD = r"(?:mes|ano|dia|mensual(?:es)?|anual(?:es)?|diari[oa]s?|anuals)\b"
_PER = rf"(?:,? ?(?:\b(?:brut[oa]?s?|al|por|a la|de|cada|els?|la)\b|\(\d\d?\)))*[ /]*{_PERIOD}"
_HALF = r"(?:y (?:media|treinta minutos|30 minutos))"
_NUMBER = r"(?<![\d.,/])(?:\d{1,3}(?:[. ]\d{3})+|\d+)(?:,\d{1,2}|\.\d\d)?(?![\d.,]*\d)"
_AMOUNT = rf"{_NUMBER} ?(?:€|euros?|horas)?"
MONEY = (
    rf"(?:(?:{_NUMBER}|\b{_WORDS}) ?(?:€|euros?\b|eur\b)(?: con \w+(?: y \w+)? centimos)?"
    rf"|(?:€|eur) ?{_NUMBER})(?: de)?(?:{_PER})?"
)
AMOUNT = rf"{_NUMBER}(?<=[.,]\d\d)"
HOURS = (
    rf"(?:{_NUMBER}|\b{_WORDS}) ?(?:h\b\.?|horas?\b|hores\b)?(?: ?{_HALF}(?: horas)?)?"
    r"(?: ?(?:de trabajo|efectivas|efectivo|ordinarias|reales))*(?: ?\[ \] al dia \[x\])?"
    r" ?(?:se(?:m|rn)anal(?:es)?|a la semana|por semana|/ ?sem(?:ana)?\b|setmanals|anual(?:es)?|al ano"
    r"|/ ?ano\b|en computo (?:anual|semanal))"
    rf"|(?:{_NUMBER}|\b{_WORDS}) ?(?:horas\b|hores\b|h\b)|\A *{_NUMBER} *\Z"
)
_NUMERAL = rf"(?:{'|'.join(map(labels.fold, NUMERALS))}|\w+enta|veinti\w+|y)\b"
_YEAR = rf"(?:\d{{4}}|dos mil(?: {_NUMERAL}){{0,3}})"
DATE = (
    rf"\b(?:\d{{1,2}} (?:al|y|a) )?(?:\d{{1,2}}[ºª°]?|primero|{_WORDS}) ?(?:de |d[’'])[a-z]+"
    rf" (?:del?|any|de l[’']any) (?:ano )?{_YEAR}\b|\b\d{{1,2}}[/.-]\d{{1,2}}[/.-](?:\d{{4}}|\d\d)\b"
    r"(?![/.-]\d)|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[/ -][a-z]{3,10}\.?[/ -]\d{4}\b"
)
_CUT = (
    r"[|;\n]|$|(?<!\b[a-z])(?<!\b(?:km|av|pl|no|na|n[ºo]))\.(?=\s|$)"
    r"|,? (?:fecha|n\.?i\.?[fe]|c\.?i\.?f|d\.?n\.?i|periodo|antiguedad|grupo cotiz)\b"
)
_TURN = (
    r",? (?:con(?! (?:mand|person|funcion))|sin perjuicio|en que|y (?:su|estara|percib\w+|realiz\w+|con|en)"
    r"|salvo|que|desde|percib\w+|en jornada|incluid[oa]|segun|siendo|por|donde|sita?o? en|dentro"
    r"|encuadrad|mediante|durante|a (?:partir|jornada|tiempo)|a razon|(?:con )?(?:jornada|horario|salario)"
    r"|al centr\w+|se|\w+[ai]e?ndo\b|i (?:un|amb)|amb)\b"
    r"|, (?!carretera|primera|tercera)(?-i:[a-z]{3,})(?:ara|era|ira)n?\b"
)
_AFTER_JOB = (
    r",? en(?! practicas| general)\b| para | y (?:un )?(?:salario|sueldo|jornada|antiguedad)"
    r"|,? (?:del? )?(?:nivel|grupo) |\(|, (?:a|de) | a (?:d[ªa.]|don\b|dna|sra?\b)"
    r"|, (?:y|que|prest|viene|ha) ?|, \w+[ai]d[oa]s?\b"
)
_AFTER_NAME = (
    r" y (?:su|se|con|un|el)\b"
    r"|,? (?:segun|con|que|en (?:lo|todo|su)|salvo|sin|siendo|publicad\w*|aplicable|vigente)\b"
)
_PARTS = {
    "text": rf"(?P<text>[^|;\n]{{3,110}}?)(?= *(?:{_CUT}|, con\b))",
    "words": rf"(?P<text>[^|;:\n]{{3,110}}?)(?= *(?:{_CUT}|{_TURN}|{_AFTER_JOB}))",
    "place": rf"(?P<text>[^|;:\n]{{3,110}}?)(?= *(?:{_CUT}|{_TURN}))",
    "legal": _LEGAL,
    "cut": rf"(?:{_CUT}|{_AFTER_NAME})",
}
_UNITS = {
    "mes": re.compile(r"\bmes\b|mensual|devenga|devengo|meritat"),
    "año": re.compile(r"\bano\b|anual"),
    "día": re.compile(r"\bdia\b|diari"),
    "semana": re.compile(r"sem\b|se(?:m|rn)an|setman"),
}
SPELLED = re.compile(
    r"(\d{1,2})[ºª]?(?: (?:al|y|a) \d{1,2})?[ /-]*(?:de |d[’'])?([a-z]+)\.?[ /-]*(?:del? )?(?:ano )?(\d{4})"
)
_SHORT_YEAR = re.compile(r"(\d{1,2}[/.-]\d{1,2}[/.-])(\d\d)")
_TWENTIES = re.compile(r"veinti(un|ún|dos|tres|seis)\b")
_ACCENTED = {"un": "uno", "ún": "uno", "dos": "dós", "tres": "trés", "seis": "séis"}
NEXT_CENTURY = 50
_PAYMENTS = re.compile(r"\b(?:1[2-6]|doce|catorce|quince|dieciseis) (?:pagas|mensualidades)\b")
MOST_A_MONTH = 6000
"""Euros below which an amount «en 14 pagas» is that of each."""
# Boxes of a form whose heading stands where a value does.
_BOX = re.compile(
    r"(?:antiguedad|fecha|periodo|jornada|salario|n\.?i\.?f|d\.?n\.?i|categoria|puesto|trabajador\w*|empresa|mi|su|nuestr[oa]|citad[oa]|dich[oa]|mism[oa]|referid[oa]|propi[oa])\b"
    r"|(?:domicilio(?! sito)|direccion|municipio|localidad|provincia|pais|calle,? n(?:[ºo.]|um))\b(?! de)",
    re.I,
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
    """The pattern of a row of `lexicon/paper_fields.toml` around a value of words, its group `text`."""
    for name, part in _PARTS.items():
        given = given.replace(f"{{{name}}}", part)
    return re.compile(given, re.I)


def read_value(kind: str, said: str, before: str, after: str = "") -> FactValue | None:
    """The value that stands in `said`; None if it is none, or not sure: an amount for no known time."""
    folded = labels.fold(said)
    if kind == "date":
        day = day_of(folded)
        return FactValue(f"{day:%d/%m/%Y}", "", day) if day else None
    if kind == "text":
        # The note of a printed form before the value: «(4)», «(calle, nº y localidad)».
        if re.match(r"(?:(?:el|la|lo) )?que\b", folded):
            return None
        said = re.sub(r" \((?=[a-z])[^()]*\)?$", "", said)
        said = re.sub(r"^(?:\([^()]{1,40}\) ?)?(?:(?:el|la|los|las) )?", "", said).strip(" .,-|·–—:")
        folded = labels.fold(said)
        sure = tokens(said) and not said[0].isdigit() and not is_label(folded) and not _BOX.match(folded)
        return FactValue(said, "", tokens(said)) if sure else None
    number = _number(said.lower())
    units = UNITS[kind]
    unit = _unit(folded, units) or _unit(before, units) or _by_payments(kind, number, f"{before} {after}")
    if number is None or not unit:
        return None
    shown = f"{number:,.2f}".translate(str.maketrans(",.", ".,"))
    return FactValue(shown if kind == "money" else shown.rstrip("0").rstrip(","), unit, number)


def _number(said: str) -> Decimal | None:
    """The number of an amount or of hours: «24150.00», «mil euros con diez centimos», «37 y media»."""
    said = _TWENTIES.sub(lambda one: f"veinti{_ACCENTED[one[1]]}", said)
    half = re.search(rf" {_HALF}", labels.fold(said))
    written = labels.fold(digits(said[: half.start()] if half else said))
    if re.search(r"\bmil\b", written):
        return None
    written = re.sub(r"\.(\d\d)(?!\d)", r",\1", re.sub(r"(?<=\d) (?=\d{3}\b)", ".", written))
    number, cents = amount(written), re.search(r"con (\d\d?) cent", written)
    if number is None:
        return None
    return number + Decimal("0.5" if half else "0") + (Decimal(cents[1]) / 100 if cents else 0)


def _by_payments(kind: str, number: Decimal | None, around: str) -> str:
    """An amount in fourteen payments is for a month or a year, by its size."""
    if kind != "money" or number is None or not _PAYMENTS.search(around):
        return ""
    return "mes" if number < MOST_A_MONTH else "año"


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
    value = read_value(kind, said, labels.fold(unit)) if typed else None
    if value is None:
        raise InputError(WRONG[kind])
    return value


def _unit(folded: str, units: Sequence[str]) -> str:
    """The time that is named last."""
    ends = [(max((one.end() for one in _UNITS[unit].finditer(folded)), default=-1), unit) for unit in units]
    return max(ends)[1] if max(ends)[0] >= 0 else ""


def day_of(folded: str) -> date | None:
    """The day that a date names; None if there is no such day."""
    turned = re.sub(r"^primero|^un[oa]? ", "1 ", digits(folded))
    if short := _SHORT_YEAR.fullmatch(turned):
        turned = f"{short[1]}{'19' if int(short[2]) > NEXT_CENTURY else '20'}{short[2]}"
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
