"""Number plates, cards, passports and health cards, as they are written in Spain.

A card counts with its check digit or after its name; a plate in small letters, near a vehicle.
"""

import re
from collections.abc import Callable, Iterator

from stdnum import luhn

from masking.page import Page, windows
from masking.spans import Span
from masking.words import WORDS
from text.textnorm import STOPWORDS

NEAR = 70
ROOM = 30
_FOUR = re.compile(r"\d\d(?:[ -]?\d){2}|[*xX•]{4}")
_PROVINCES = "|".join(sorted(WORDS["plates"])).upper()
_CONSONANTS = "BCDFGHJKLMNPRSTVWXYZ"
_NOT_INSIDE = r"(?<![\w/.,-])"
_PLATE = re.compile(rf"{_NOT_INSIDE}\d{{4}}[ \u00a0-]?[{_CONSONANTS}]{{3}}(?![\w-])")
_OLD_PLATE = re.compile(
    rf"{_NOT_INSIDE}(?P<province>{_PROVINCES})[ \u00a0-]?\d{{4}}[ \u00a0-]?(?P<ending>[A-Z]{{1,2}}"
    rf"|[{_CONSONANTS}]{{3}})(?![\w-])"
)
_LOW_PLATE = re.compile(
    rf"{_NOT_INSIDE}(?:\d{{4}}(?:[ -]?|[./]| - )[{_CONSONANTS}]{{3}}"
    rf"|(?P<province>{_PROVINCES})[ -]?\d{{4,6}}(?:[ -]?"
    rf"(?P<ending>[A-Z]{{1,3}}))?)(?![\w-])",
    re.I,
)
_FOREIGN_PLATE = re.compile(
    r"mat(?:ricula|\.)(?:\s(?:es|la|numero|n\.?[ºo°]\.?|[a-z]+(?=\s?:|\s[a-z]+-?\d)))*[\s:]{1,3}"
    r"(?P<n>(?=[a-z0-9 -]{0,8}\d[ -]?\d)(?:[a-z]{1,3}[ -]?\d{2,4}[ -]?[a-z]{1,3}"
    r"|\d{2,4}[ -]?[a-z]{2,3}[ -]?\d{0,2}))(?![\w-])"
)
_NATIONAL_PLATE = re.compile(
    r"mat(?:ricula|r?\.?) [a-z]+ (?P<n>\d\d-?[a-z]{2}-?\d\d|[a-z]{2}-?\d{2,3}-?[a-z]{2,3})(?![\w-])"
)
_HIDDEN = re.compile(r"(?<![\w*])[*•]{2,4}\d{3,5}[*•]{0,4}-?[A-Z]?(?![\w*])")
_VEHICLES = WORDS["vehicles"]
_CARD = re.compile(
    r"(?<![\w/.,])(?<!\d[ -])(?:\d{4}(?P<gap>[ .\u00a0-]?)(?:\d{4}(?P=gap)){2}\d{1,7}"
    r"|\d{4}[ -]?\d{6}[ -]?\d{5})(?![\w/]|[ -]\d|[.,]\d)"
)
_HIDDEN_CARD = re.compile(r"(?<!\w)\d{4}[ -]?(?:[*xX•]{4}[ -]?){2}\d{3,4}(?!\w)")
# Beside its name an amount may follow: «la visa 4548 8120 3377 5163 340 €».
_SAID_CARD = re.compile(
    r"(?<![\w/.,])(?<!\d[ -])\d{4}(?P<gap>[ .\u00a0-])\d{4}(?P=gap)\d{4}(?P=gap)\d{4}(?!\d)"
)
_CARD_NAMED = re.compile(r"tarjeta|\bvisa\b|mastercard|targeta|tarxeta|txartel|amex")
_SHORTEST_CARD = 13
_SHORTEST_UNNAMED = 15
_PASSPORT = re.compile(
    r"pas\w+[^\d\n;]{0,40}?(?:\n[^\d\n;]{0,9}?)?(?<!\w)(?P<n>\d\d[a-z]{2}\d{5}"
    r"|(?:[a-z]{1,3}[ -]?\d?[a-z]?)?\d"
    r"(?:[ .-]?\d){4,8}[a-z]{0,2})"
    r"(?!\w|[/.,]\d)"
)
_IDENTITY_CARD = re.compile(
    r"(?:carta|tarjeta)(?:\snacional)?\sde\sidentidad[^\d\n;]{0,30}?(?<!\w)(?P<n>[a-z]{1,3}\d{5,8}[a-z]{0,2})(?!\w)"
)
_PASSPORT_ALONE = re.compile(rf"{_NOT_INSIDE}[PX][A-Z]{{2}}[ -]?\d{{6}}[A-Z]?(?!\w)")
_HEALTH = re.compile(
    r"(?:(?:tarjeta|tarxeta|targeta)\s(?:individual\s|de\s(?:la\s)?)*(?:sanitaria|salud|salut|saude"
    r"|seguridad\ssocial"
    r"|osakidetza|sergas|sas|sespa|sacyl|ib-?salut|scs|catsalut)|(?:usuari\w+"
    r"|asegurad\w+)(?:\sdel)?\s(?:sns|sas|sergas"
    r"|sespa|sacyl)|osasun[ -]?txartel\w*|cartilla|t\.?s\.?i|t\.?i\.?s|c\.?i\.?p(?:\.?[as]|\.?sns)?"
    r"|s\.?i\.?p|cite"
    r"|n\.?u\.?h?\.?u?s\.?a|n\.?h\.?c|historial?\s(?:clinic[ao]|medic[ao])|historia(?=\s\d{5})"
    r"|episodio(?=[\s.:nºo°]{1,6}\d)|cat\s?salut)(?!\w)"
    r"[^\d\n;]{0,45}?(?:\n[^\d\n;]{0,9})?(?<![^\W_])"
    r"(?P<n>(?:(?!es |del? |en |tis |sip |cip|num)[a-z]{2,10}[ .-]?)?"
    r"(?!(?:19|20)\d\d(?!\d))\d(?:[ ./-]?\d){3,15}(?:[ -]?[a-z]{2,4}(?:[ -]?\d){2,10}|-?[a-z](?!\w))?)"
    r"(?!\w|[/.,]\d)"
)
_HEALTH_ALONE = re.compile(
    r"(?<![\w-])(?:[A-Z]{4}[ -]?[01][ -]?\d{6}[ -]?\d{2}[ -]?\d|[A-Z]{4}\d{10,12}|B{8}[A-Z]{2}\d{6}"
    r"|AN[ -]?\d{10}|(?:CYL|CARM|ARAG|CANT|NAV|EXT|RIOJ|BAL)[A-Z]{0,4}[ -]?\d{8,12}|\d{6}[A-Z]{4}\d{4})(?!\w)"
)
_OPENERS = _VEHICLES | WORDS["documents"]


def find(page: Page) -> Iterator[Span]:
    """Every plate, card, passport and health card; they may overlap."""
    text, low = page.text, page.low
    for start, end in windows(text, _FOUR, ROOM):
        yield from _formed(text, low, start, end)
    for word, start in page.places(_OPENERS):
        yield from _announced(page, word, start)


def _formed(text: str, low: str, start: int, end: int) -> Iterator[Span]:
    """Kind that its form alone gives between two offsets."""

    def each(
        pattern: re.Pattern[str], kind: str, accepts: Callable[[re.Match[str]], bool] = lambda match: True
    ) -> Iterator[Span]:
        for match in pattern.finditer(text, start, end):
            if accepts(match):
                yield Span(*match.span(), kind, _compact(match[0]))

    yield from each(_PLATE, "MATRICULA")
    yield from each(_OLD_PLATE, "MATRICULA", _is_plate)
    yield from each(_CARD, "TARJETA", lambda match: _is_card(low, match))
    yield from each(_SAID_CARD, "TARJETA", lambda match: _is_card(low, match))
    yield from each(_HIDDEN_CARD, "TARJETA")
    yield from each(_HIDDEN, "DNI")
    yield from each(_PASSPORT_ALONE, "PASAPORTE")
    yield from each(_HEALTH_ALONE, "SANITARIA")


def _announced(page: Page, word: str, start: int) -> Iterator[Span]:
    low = page.low
    if word in _VEHICLES:
        if plate := _FOREIGN_PLATE.match(low, start) or _NATIONAL_PLATE.match(low, start):
            yield Span(*plate.span("n"), "MATRICULA", _compact(plate["n"]))
        for plate in _LOW_PLATE.finditer(page.text, start, start + NEAR):
            if _is_plate(plate):
                yield Span(*plate.span(), "MATRICULA", _compact(plate[0]))
    elif word.startswith("pas"):
        if passport := _PASSPORT.match(low, start):
            yield Span(*passport.span("n"), "PASAPORTE", _compact(passport["n"]))
    elif card := _IDENTITY_CARD.match(low, start):
        yield Span(*card.span("n"), "PASAPORTE", _compact(card["n"]))
    elif health := _HEALTH.match(low, start):
        yield Span(*health.span("n"), "SANITARIA", _compact(health["n"]))


def _is_card(low: str, match: re.Match[str]) -> bool:
    number = _compact(match[0])
    named = _CARD_NAMED.search(low, max(0, match.start() - NEAR), match.start())
    shortest = _SHORTEST_CARD if named else _SHORTEST_UNNAMED
    return len(number) >= shortest and bool(named or luhn.is_valid(number)) and bool(number.strip("0"))


def _is_plate(match: re.Match[str]) -> bool:
    """False for «a 2015 en»."""
    return " " not in match[0] or not {match["province"], match["ending"]} & STOPWORDS


def _compact(written: str) -> str:
    return re.sub(r"[\W_]+", "", written).upper()
