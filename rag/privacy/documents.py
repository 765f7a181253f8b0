"""Number plates, cards, passports, health cards and dates of birth, as they are written in Spain.

A card counts with its check digit or after its name; a plate in small letters, near a vehicle; a date, after
a birth.
"""

import re
from collections.abc import Callable, Iterator

from stdnum import luhn

from rag.privacy.page import Page
from rag.privacy.spans import Span
from rag.privacy.words import WORDS
from rag.text.textnorm import STOPWORDS

NEAR = 70
_PROVINCES = "|".join(sorted(WORDS["plates"])).upper()
_CONSONANTS = "BCDFGHJKLMNPRSTVWXYZ"
_NOT_INSIDE = r"(?<![\w/.,-])"
_PLATE = re.compile(rf"{_NOT_INSIDE}\d{{4}}[ \u00a0-]?[{_CONSONANTS}]{{3}}(?![\w-])")
_OLD_PLATE = re.compile(
    rf"{_NOT_INSIDE}(?P<province>{_PROVINCES})[ \u00a0-]?\d{{4}}[ \u00a0-]?(?P<ending>[A-Z]{{1,2}}"
    rf"|[{_CONSONANTS}]{{3}})(?![\w-])"
)
_LOW_PLATE = re.compile(
    rf"{_NOT_INSIDE}(?:\d{{4}}[ -]?[{_CONSONANTS}]{{3}}|(?P<province>{_PROVINCES})[ -]?\d{{4,6}}(?:[ -]?"
    rf"(?P<ending>[A-Z]{{1,3}}))?)(?![\w-])",
    re.I,
)
_VEHICLES = WORDS["vehicles"]
_CARD = re.compile(
    r"(?<![\w/.,])(?<!\d[ -])(?:\d{4}(?P<gap>[ .\u00a0-]?)(?:\d{4}(?P=gap)){2}\d{1,7}"
    r"|\d{4}[ -]?\d{6}[ -]?\d{5})(?![\w/]|[ -]\d|[.,]\d)"
)
_HIDDEN_CARD = re.compile(r"(?<!\w)\d{4}[ -]?(?:[*xX•]{4}[ -]?){2}\d{3,4}(?!\w)")
_CARD_NAMED = re.compile(r"tarjeta|\bvisa\b|mastercard|targeta|tarxeta|txartel|amex")
_SHORTEST_CARD = 13
_PASSPORT = re.compile(r"pas\w+[^\d\n;]{0,40}?(?<!\w)(?P<n>[a-z]{0,3}[ -]?\d{5,9}[a-z]?)(?!\w|[/.,]\d)")
_PASSPORT_ALONE = re.compile(rf"{_NOT_INSIDE}[PX][A-Z]{{2}}[ -]?\d{{6}}[A-Z]?(?!\w)")
_HEALTH = re.compile(
    r"(?:(?:tarjeta|tarxeta|targeta)\s(?:\w+\s)?(?:sanitaria|de\s(?:la\s)?salud|de\ssalut|osakidetza"
    r"|sergas)|tarjeta\sde\sla\sseguridad\ssocial|osasun[ -]?txartel\w*|cartilla"
    r"|t\.?s\.?i|t\.?i\.?s|c\.?i\.?p(?:\.?a)?|s\.?i\.?p|n\.?u\.?h\.?s\.?a|n\.?h\.?c|historia\sclinica"
    r"|cat\s?salut)(?!\w)"
    r"[^\d\n;]{0,45}?(?<!\w)(?P<n>(?:[a-z]{2,10}[ -]?)?\d(?:[ .-]?\d){5,15})(?!\w|[/.,]\d)"
)
_HEALTH_ALONE = re.compile(
    r"(?<![\w-])(?:[A-Z]{4}[ -]?[01][ -]?\d{6}[ -]?\d{2}[ -]?\d|[A-Z]{4}\d{12}|B{8}[A-Z]{2}\d{6}"
    r"|AN[ -]?\d{10})(?!\w)"
)
_MONTHS = (
    r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|ene"
    r"|feb|mar|abr"
    r"|may|jun|jul|ago|sep?t?|oct|nov|dic|gener|febrer|marc|maig|juny|juliol|agost|setembre|novembre|desembre"
    r"|xaneiro|febreiro|maio|xuno|xullo|setembro|outubro|novembro|decembro)"
)
_DATE = (
    r"(?:\d{1,2}\s?[/.-]\s?\d{1,2}\s?[/.-]\s?\d{2,4}(?!\d)|\d{4}[/-]\d{1,2}[/-]\d{1,2}(?!\d)"
    rf"|\d{{1,2}}[ºª]?[ /-](?:de[ ]|d['’])?{_MONTHS}\.?(?:[ ,/-]+(?:d[eo][ ](?:l['’]any[ ])?|del"
    rf"(?:[ ]ano)?[ ]|d['’])?\d{{2,4}}(?!\d))?"
    rf"|\d{{1,2}}[ ]del?[ ]\d{{1,2}}[ ]del?[ ]\d{{2,4}}(?!\d)|\d{{1,2}}[./-][ivx]{{1,4}}[./-]\d{{2,4}}"
    rf"|[0-3]\d[01]\d(?:19|20)\d\d(?!\d)"
    rf"|[a-z]+[ ]de[ ]{_MONTHS}[ ]del?[ ](?:(?:treinta|cuarenta|cincuenta|sesenta|setenta|ochenta"
    rf"|noventa)(?:[ ]y[ ][a-z]+)?|mil[ ][a-z]+(?:[ ][a-z]+){{0,4}}|dos[ ]mil(?:[ ][a-z]+){{0,3}}|\d{{4}})"
    r"|\d{4}ko[ ][a-z]+[ ]\d{1,2}\w*)"
)
_BIRTH = re.compile(
    rf"(?:(?:naci|nacio|nacid[oa]|nascuda?|nascut|neix\w*|nad[oa]|nacin|naceu|jaio\w*|cumpl(?:o|e|io)"
    rf"(?:\s(?:los\s)?\d\d(?:\s?anos)?)?|cumpleanos|soy\sdel(?=\s\d+[/-]))(?!\w)"
    rf"(?P<gap>[^\d\n;]{{0,45}}?)"
    rf"|(?:f(?:ec(?:ha)?)?\.?[ ]?(?:de[ ])?nac(?:imiento|mto|to)?|f\.?n(?:ac)?|data[ ]de[ ](?:naixement"
    rf"|nacemento)"
    rf"|jaiotze[ -]?(?:data|eguna)|jaioteguna|f/n|dob|fch\.?[ ]?nac|nac(?:imiento|im)?)(?!\w)\.?[ ]?"
    rf"(?:\([^)\n]{{0,20}}\))?[.:)\s|-]{{0,5}}(?:el[ ]|es[ ](?:el[ ])?)?)(?<!\w)(?P<n>{_DATE})"
)
_PERIOD = re.compile(
    r"\b(?:antes|despues|partir|desde|hasta|posterior|anterior|entre|ley|articulo|a contar|durante"
    r"|plazo)\w*\b"
)


_OPENERS = _VEHICLES | WORDS["documents"]


def find(page: Page) -> Iterator[Span]:
    """Every plate, card, passport, health card and date of birth; they may overlap."""
    text, low = page.text, page.low
    yield from _each(_PLATE, text, "MATRICULA")
    yield from _each(_OLD_PLATE, text, "MATRICULA", _is_plate)
    yield from _each(_CARD, text, "TARJETA", lambda match: _is_card(low, match))
    yield from _each(_HIDDEN_CARD, text, "TARJETA")
    yield from _each(_PASSPORT_ALONE, text, "PASAPORTE")
    yield from _each(_HEALTH_ALONE, text, "SANITARIA")
    for word, start in page.places(_OPENERS):
        yield from _announced(page, word, start)


def _announced(page: Page, word: str, start: int) -> Iterator[Span]:
    low = page.low
    if word in _VEHICLES:
        for plate in _LOW_PLATE.finditer(page.text, start, start + NEAR):
            if _is_plate(plate):
                yield Span(*plate.span(), "MATRICULA", _compact(plate[0]))
    elif word.startswith("pas"):
        if passport := _PASSPORT.match(low, start):
            yield Span(*passport.span("n"), "PASAPORTE", _compact(passport["n"]))
    elif health := _HEALTH.match(low, start):
        yield Span(*health.span("n"), "SANITARIA", _compact(health["n"]))
    elif (birth := _BIRTH.match(low, start)) and not _PERIOD.search(birth["gap"] or ""):
        yield Span(*birth.span("n"), "NACIMIENTO", re.sub(r"\W+", "/", birth["n"]))


def _is_card(low: str, match: re.Match[str]) -> bool:
    number = _compact(match[0])
    named = _CARD_NAMED.search(low, max(0, match.start() - NEAR), match.start())
    return len(number) >= _SHORTEST_CARD and bool(named or luhn.is_valid(number)) and bool(number.strip("0"))


def _is_plate(match: re.Match[str]) -> bool:
    """False for «a 2015 en»."""
    return " " not in match[0] or not {match["province"], match["ending"]} & STOPWORDS


def _each(
    pattern: re.Pattern[str],
    text: str,
    kind: str,
    accepts: Callable[[re.Match[str]], bool] = lambda match: True,
) -> Iterator[Span]:
    for match in pattern.finditer(text):
        if accepts(match):
            yield Span(*match.span(), kind, _compact(match[0]))


def _compact(written: str) -> str:
    return re.sub(r"[\W_]+", "", written).upper()
