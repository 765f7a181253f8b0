"""Personal data as a voice says it: «ana arroba correo punto es», «seis doce treinta…», «be ce de»."""

import re

from masking.finder import NUMBER, Finder, Page, Place
from masking.words import WORDS, either
from text.numerals import HUNDREDS, NUMERALS, TENS
from text.textnorm import fold_for_search

FEWEST, NEAR, PHONE = 4, 45, 9
"""Spoken numbers that make an identifier after its name, how near that is, and digits of a telephone."""
_AT = r"(?: ?arroba ?| ?[\[({] ?(?:at|arroba) ?[\])}] ?)"
_DOT = r"(?:\.| ?[\[({] ?(?:dot|punto|\.) ?[\])}] ?| punto | guion(?: bajo| medio)? | barra baja )"
_MAIL = re.compile(
    rf"(?<!\w)(?:(?<=correo )(?:\w{{1,20}} ){{0,3}})?[\w+-]{{1,64}}"
    rf"(?:{_DOT}[\w+-]{{1,64}}){{0,4}}{_AT}[\w-]{{1,63}}(?:{_DOT}[\w-]{{1,63}}){{0,3}}"
)
_UNITS = {
    **{fold_for_search(word): value for value, word in enumerate(NUMERALS, start=1)},
    **{word: 10 * value for value, word in enumerate(TENS, start=2)},
    **{word: 100 * value for value, word in enumerate(HUNDREDS, start=1)},
    **{"cero": 0, "un": 1, "una": 1, "veintiun": 21, "cien": 100},
}
_SAID = rf"(?:{'|'.join(sorted(_UNITS, key=len, reverse=True))}|doble|mil|millones|\d{{1,3}})(?!\w)"
_LETTER = rf"(?:{either('letters', 'more_letters')}|[a-zñ])(?!\w)"
_RUN = re.compile(
    rf"{_SAID}(?:[ ,.;–-]{{1,3}}(?:y )?{_SAID}){{{FEWEST - 1},}}"
    rf"(?:[ ,.-]{{1,3}}(?:(?:con )?(?:la )?letra )?{_LETTER})?(?!\W{{0,2}}{either('counted')}(?!\w))"
)
_LETTER_BEFORE = re.compile(r"(?<!\w)(?:equis|i griega|ye|zeta|x|y|z)[ ,]+\Z")
_NAMED = re.compile(rf"(?<!\w){either('said_after')}")
_PLATE = re.compile(
    rf"\w+\b.{{0,80}}?(?<!\w)(?P<n>(?:\d{{4}}|{_SAID}(?:[ ,]+(?:y )?{_SAID}){{0,5}})[ ,-]{{1,3}}"
    rf"(?:{_LETTER}[ ,.-]+){{2}}{_LETTER})",
    re.S,
)


def _number(page: Page, match: re.Match[str]) -> Place | None:
    """The number that its name announces, with a letter before it, or the nine digits of a telephone."""
    start, end = match.span()
    if sum(word in _UNITS for word in re.findall(r"\w+", match[0])) < FEWEST - 1:
        return None
    digits = _digits(match[0])
    phone = len(digits) == PHONE and digits[0] in "6789"
    if not phone and not _NAMED.search(page.low, max(0, start - NEAR), start):
        return None
    letter = _LETTER_BEFORE.search(page.low, max(0, start - NEAR), start)
    return letter.start() if letter else start, end


def _digits(said: str) -> str:
    """The digits of «seis doce treinta y cuatro»: 61234."""
    digits, tens = "", 0
    words = re.findall(r"\w+", said)
    for place, word in enumerate(words):
        value = int(word) if word.isdigit() else _UNITS.get(word)
        if value is None:
            continue
        if tens and word in _UNITS and value < 10 and words[place - 1] == "y":
            digits, tens = digits[:-1] + str(value), 0
            continue
        digits += word if word.isdigit() else str(value)
        tens = value if 30 <= value < 100 and value % 10 == 0 else 0
    return digits


FINDERS = (
    Finder("EMAIL", _MAIL, near=re.compile(r"(?i:arroba|[\[({] ?at ?[\])}])")),
    Finder(NUMBER, _RUN, frozenset(_UNITS), reads=_number),
    Finder("MATRICULA", _PLATE, WORDS["vehicles"]),
)
