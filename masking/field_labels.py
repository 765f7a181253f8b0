"""Labels of forms and headers of tables («DNI», «Tel.»), and the value that stands beside a label.

A value that a label announces is masked whatever its form is, if it has digits enough to be somebody's:
«D.N.I.: 0388 462», «Nº SS⏎08 0966…», «2207714 (mi móvil)», «el DNI de Saturnino, 6237454Y».
"""

import re
from typing import NamedTuple

from masking.finder import Finder, Page, Place
from masking.words import either, plain_letters

LONGEST = 30
"""Characters of a header."""
FEWEST, FEWEST_LOOSE = 3, 5
"""Digits of a value right beside its label, and with words between."""


class Label(NamedTuple):
    """The kind of data, the label that tells it in plain text, and the form of a whole cell of it."""

    kind: str
    label: re.Pattern[str]
    cell: re.Pattern[str]


_PERSON = (
    r"(?:nombre|apellido|trabajador|emplead|client|titular|nom\b|cognom|nome\b|apelido|izen|abizen"
    r"|perceptor|langile"
    r"|treballador|testig|alumn|tripulant|asistent|socio|operari|solicitant|demandant|firmant|heredero"
    r"|paciente|persona\b)"
)
_NUMBER = re.compile(r"[\w*•.-]*[\d*•]{2,}[\w*• ./-]*")
LABELS = tuple(
    Label(kind, re.compile(label), cell)
    for kind, label, cell in (
        (
            "NACIMIENTO",
            r"\bnac(?:im|id|\.|\b)|naix|jaio|\bf\.? ?n\b|\bborn\b|\bd\.?o\.?b\b",
            re.compile(r"\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}"),
        ),
        ("PASAPORTE", r"pas+(?:ap|port)|\bpass\b|\bpasp\b|carta nacional de identidad", _NUMBER),
        ("IBAN", r"\biban\b", _NUMBER),
        (
            "DNI",
            r"\bd\. ?n\. ?i|\bdni|\bn\. ?i\. ?[ef]\b|\bni[ef]\b|\bi\. ?p\. ?f\b|\bipf\b"
            r"|\bdoc(?:umento)?\b|\bnan\b"
            r"|\bident|\bt\.?i\.?e\b|\bcedula|\bid\b",
            _NUMBER,
        ),
        ("CIF", r"\bc\.?i\.?f\b|\bifk\b|\bvat\b", _NUMBER),
        (
            "NUSS",
            r"\bn\.? ?[ua]?\.? ?s\. ?s|\bn[ua]?ss\b|\bn\.?a\.?f\b|afiliac|\bafil\b|seg\w*\.? soc|\bss\b"
            r"|\bs\. ?s\b"
            r"|\binscr|\bpatronal\b|\bcotizacion\b|\bc\. ?c\. ?c\b|\bccc\b",
            _NUMBER,
        ),
        (
            "SANITARIA",
            r"\bc\.?i\.?p(?:\.?[as]|na)?\b|\bt\. ?s\. ?i?|\btsi\b|\btis\b|\bn\.?h\.?c\b|sanitaria"
            r"|\bcartilla|\bhistoria\b|\bn\.?u\.?h?\.?u?s\.?a\b"
            r"|\bepisodio\b|\bsip\b|\bsns\b|\bcite\b|\bh\. ?c\b|\bh[ªa]\b|(?:codigo|n\.?º"
            r"|numero)(?: de)? paciente",
            _NUMBER,
        ),
        ("TARJETA", r"\btarjeta|\bvisa\b|\btargeta|\btarxeta", _NUMBER),
        ("MATRICULA", r"matric|\bmatr?\b", re.compile(r"[\w -]*\d{4}[\w -]*")),
        ("CUENTA", r"\bcuenta|\bcta\b|\bc/c\b|\bc\.c\.|compte|\bkontu", re.compile(r"[\w /-]*\d{4}[\w /-]*")),
        (
            "TELEFONO",
            r"\bt(?:el|fn|lf|ln)|movil|mobil|telef|\btfo\b|\bfax\b|whats|wh?ats|\bwasap|guasap|\bcontact"
            r"|\bmv\b"
            r"|\bllam[ae]|\blocaliz|\bmi numero\b|\bbizum\b|[📞☎📱]",
            re.compile(r"[+(\d][\d ()./-]{6,}"),
        ),
        ("EMAIL", r"\be-?mail|correo|\bmail\b", re.compile(r"\S+@\S+")),
        ("DIRECCION", r"domicil|direcc|adrec|enderezo|helbid", re.compile(r".*\w.*")),
        ("EMPRESA", r"\bempresa:?\Z|razon social", re.compile(r"(?!.*\d{5})[^\W\d_].{2,60}")),
        ("PERSONA", _PERSON, re.compile(r"[^\W\d_][^\d]*[^\W\d_]\.?")),
    )
)
NUMBERS = frozenset(
    {"DNI", "CIF", "NUSS", "PASAPORTE", "SANITARIA", "TARJETA", "MATRICULA", "CUENTA", "IBAN", "TELEFONO"}
)

LONG_AMOUNT = 10
_POINTED = ("DNI", "TELEFONO")
_BY_FORM = ("TARJETA", "MATRICULA")
"""Told by their form alone (`masking.identifiers`)."""
_PIECE = r"[a-z]{0,4}[\d*•][\w*•]{0,30}"
_VALUE = (
    rf"(?<![^\W_])(?P<n>[(+]?(?:[a-z]{{1,4}} ?[./-]? ?)?{_PIECE}(?:[)]?(?: ?[./–-] ?|,(?=\d{{3}}(?!\d))"
    rf"| )(?:{_PIECE}|LETTER)){{0,20}})"
    rf"(?![\w@]|[.,/]\d)(?!\s*(?:[€%]|{either('counted')}\b|de\s[a-z]+\sde\b))"
)
# Between a label and its value: a colon, a bar, two blanks or the end of the line, or other words.
_MARK = r"(?: *(?:[:=|\t]|\.{2,40}|  )[ \t|]{0,20}(?:\n[ \t]*)?|[ \t]*\n[ \t]*)"
_MARKED = (
    rf"(?P<more>[^\n:=|\t;,\d]{{0,30}}?){_MARK}"
    r"(?P<words>(?:\(?[^\W\d]+[.)º°:]{0,2} ){0,2}(?:n[º°.]{1,2} ?)?)"
)
_LOOSE = r"(?P<loose>[^\d;]{0,45}?)"
_BEFORE = r"[ ,]{0,3}(?:[(–—=-]|es\b) *(?:(?:es|mi|su|el|la|de|del|n\.?º) *)*"
_LETTER = r"(?<=\d[ ./–-])[a-z](?!\w)"
_DIGITS = re.compile(r"\d(?:[^\w\n]{0,3}[\d*•]){2}|[*•]{3}")
_DATE = re.compile(r"\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}|(?:19|20)\d\d(?:[ /-](?:19|20)\d\d)+")
_AMOUNT = re.compile(r"\d{1,3}(?:\.\d{3})+")
_OTHER = re.compile(rf"\b{either('papers')}(?!\w)")


def _is_value(page: Page, match: re.Match[str]) -> bool:
    """True if there are digits enough, and nothing between label and value names another thing."""
    value, groups = page.low[slice(*_trimmed(page, match))], match.groupdict()
    between = " ".join(groups.get(name) or "" for name in ("more", "words", "loose"))
    if _DATE.fullmatch(value) or _OTHER.search(between + value):
        return False
    loose = groups.get("loose") is not None or between.strip()
    return sum(map(str.isdigit, value)) >= (FEWEST_LOOSE if loose else FEWEST)


def _is_no_amount(page: Page, match: re.Match[str]) -> bool:
    return _is_value(page, match) and _AMOUNT.fullmatch(page.low, *_trimmed(page, match)) is None


def _is_pointed(page: Page, match: re.Match[str]) -> bool:
    """True for a value with points too, if it is as long as a DNI or right beside its label."""
    amount = _AMOUNT.fullmatch(page.low, *_trimmed(page, match))
    return _is_value(page, match) and (not amount or match["loose"] is None or len(amount[0]) >= LONG_AMOUNT)


def _trimmed(page: Page, match: re.Match[str]) -> Place:
    """The value alone: without «es», another label («TIS 04471932») or a bracket before it, «y» after it."""
    start, end = match.span("n")
    if page.text[start] == "(" and ")" not in match["n"]:
        start += 1
    first = _FIRST.match(page.text, start)
    if first and (first["small"] or label_of(plain_letters(first["word"]))):
        start = first.end()
    last = _LAST.search(page.text, start, end)
    return start, last.start() if last else end


_FIRST = re.compile(
    r"(?P<word>(?P<small>[a-záéíóú]{2,4}|[aeiouyáéíóú]|[A-Z](?=\.))|[A-Z]{1,4})[ .:/-]+(?=[\w*•])"
)
_LAST = re.compile(r"[ .–/-]+[aeiouy]\Z")


def _beside(label: Label) -> Finder:
    value = _VALUE.replace("LETTER", _LETTER if label.kind == "DNI" else "(?!)")
    accepts = _is_pointed if label.kind in _POINTED else _is_no_amount
    form = re.compile(rf"(?:{label.label.pattern})(?:{_MARKED}|{_LOOSE}){value}")
    return Finder(label.kind, form, near=_DIGITS, accepts=accepts, reads=_trimmed)


def _is_long(number: str) -> bool:
    return sum(map(str.isdigit, number)) >= FEWEST_LOOSE


FINDERS = (
    *(_beside(label) for label in LABELS if label.kind in NUMBERS and label.kind not in _BY_FORM),
    # «44 850 95 Z, es mi DNI»
    Finder(
        "DNI",
        re.compile(rf"(?<![\w.,/-]){_VALUE.replace('LETTER', _LETTER)}{_BEFORE}d\.?n\.?i\b"),
        near=_DIGITS,
        check=_is_long,
        reads=_trimmed,
    ),
)


def label_of(text: str) -> Label | None:
    """Kind of data that a header or a label in plain text announces."""
    if len(text) > LONGEST or re.search(r"\d{3}", text):
        return None
    return next((one for one in LABELS if one.label.search(text)), None)
