"""Personal data as a voice says it: «ana arroba correo punto es», «seis doce treinta…», «be ce de»."""

import re
from collections.abc import Iterator

from masking.page import Page
from masking.spans import Span
from masking.words import WORDS
from text.numerals import HUNDREDS, NUMERALS, TENS
from text.textnorm import fold

FEWEST = 4
"""Spoken numbers that make an identifier after its name."""
NEAR = 45
_AT = r"(?: ?arroba ?| ?[\[({] ?(?:at|arroba) ?[\])}] ?)"
_DOT = r"(?:\.| ?[\[({] ?(?:dot|punto|\.) ?[\])}] ?| punto | guion(?: bajo| medio)? | barra baja )"
_EMAIL = re.compile(
    rf"(?<!\w)(?:(?<=correo )(?:\w{{1,20}} ){{0,3}})?[\w+-]{{1,64}}"
    rf"(?:{_DOT}[\w+-]{{1,64}}){{0,4}}{_AT}[\w-]{{1,63}}(?:{_DOT}[\w-]{{1,63}}){{0,3}}"
)
_UNITS = {
    **{fold(word): value for value, word in enumerate(NUMERALS, start=1)},
    **{word: 10 * value for value, word in enumerate(TENS, start=2)},
    **{word: 100 * value for value, word in enumerate(HUNDREDS, start=1)},
    **{"cero": 0, "un": 1, "una": 1, "veintiun": 21, "cien": 100},
}
_SAID = rf"(?:{'|'.join(sorted(_UNITS, key=len, reverse=True))}|doble|mil|millones|\d{{1,3}})(?!\w)"
_LETTER = (
    r"(?:[a-zñ]|alfa|be|uve|ce|de|efe|ge|hache|jota|ka|ele|eme|ene|pe|cu|erre|ese|te|uve doble|doble uve"
    r"|equis|i griega|ye|zeta|ceta)"
)
_RUN = re.compile(
    rf"{_SAID}(?:[ ,.;–-]{{1,3}}(?:y )?{_SAID}){{{FEWEST - 1},}}"
    rf"(?P<letter>[ ,.-]{{1,3}}(?:(?:con )?(?:la )?letra )?{_LETTER}(?!\w))?"
)
_LETTER_BEFORE = re.compile(r"(?<!\w)(?:equis|i griega|ye|zeta|x|y|z)[ ,]+\Z")
_NAMED = re.compile(
    r"(?<!\w)(?:telefono|tlf\w*|tel|movil|fijo|dni|nie|nif|pasaporte|numero|llam\w+|cuenta|iban|tarjeta"
    r"|wasap|whatsapp"
    r"|contact\w+|afiliacion|seguridad social|documento|naf|nuss|matricula)(?!\w)"
)
_MONEY = re.compile(
    r"\W{0,2}(?:euros?|pesetas|anos|dias|horas|meses|por ciento|personas|trabajador\w*|kilometros)(?!\w)"
)
_PLATE = re.compile(
    rf"(?<!\w)(?:\d{{4}}"
    rf"|{_SAID}(?:[ ,]+(?:y )?{_SAID}){{0,5}})[ ,-]{{1,3}}(?:{_LETTER}[ ,.-]+){{2}}{_LETTER}(?!\w)"
)
_VEHICLES = WORDS["vehicles"]
PHONE = 9
FAR = 90
_ATS = {"arroba", "at"}
_OPENERS = _VEHICLES | _ATS | set(_UNITS)


def find(page: Page) -> Iterator[Span]:
    """Every dictated address of mail, number and plate; they may overlap."""
    low = page.low
    done = 0
    for word, start in page.places(_OPENERS):
        if start < done:
            continue
        if word in _ATS:
            for mail in _EMAIL.finditer(low, max(done, start - FAR), start + FAR):
                done = mail.end()
                yield Span(*mail.span(), "EMAIL", mail[0])
        elif word in _UNITS and (match := _RUN.match(low, start)):
            done = match.end()
            if _is_number(low, match):
                first = _LETTER_BEFORE.search(low, max(0, start - NEAR), start)
                yield Span(first.start() if first else start, done, "NUMERO", " ".join(match[0].split()))
        elif word in _VEHICLES and (plate := _PLATE.search(low, start, start + 90)):
            yield Span(*plate.span(), "MATRICULA", " ".join(plate[0].split()))


def _is_number(low: str, match: re.Match[str]) -> bool:
    """True for what its name announces, and for the nine digits of a telephone."""
    said = sum(word in _UNITS for word in re.findall(r"\w+", match[0]))
    if said < FEWEST - 1 or _MONEY.match(low, match.end()):
        return False
    if _NAMED.search(low, max(0, match.start() - NEAR), match.start()):
        return True
    digits = _digits(match[0])
    return len(digits) == PHONE and digits[0] in "6789"


def _digits(said: str) -> str:
    """The digits of «seis doce treinta y cuatro»: 61234."""
    digits, tens = "", 0
    words = re.findall(r"\w+", said)
    for place, word in enumerate(words):
        value = int(word) if word.isdigit() else _UNITS.get(word)
        if value is None:
            continue
        if tens and word in _UNITS and value < 10 and words[place - 1] == "y":
            digits = digits[:-1] + str(value)
            tens = 0
            continue
        digits += word if word.isdigit() else str(value)
        tens = value if 30 <= value < 100 and value % 10 == 0 else 0
    return digits
