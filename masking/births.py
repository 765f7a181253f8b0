"""Dates of birth: after a birth or its label, before them, and beside an age («47 años (06.06.1977)»)."""

import re
from collections.abc import Iterator

from masking.page import Page
from masking.spans import Span
from masking.words import WORDS
from text.numerals import TENS

SIGHT = 40
_MONTHS = (
    r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|ene"
    r"|feb|mar|abr"
    r"|may|jun|jul|ago|sep?t?|oct|nov|dic|gener|febrer|marc|maig|juny|juliol|agost|setembre|novembre|desembre"
    r"|xaneiro|febreiro|maio|xuno|xullo|setembro|outubro|novembro|decembro|january|february|march|april|june|july|august"
    r"|september|october|november|december|janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|decembre|januar|februar|marz|juni|juli|oktober|dezember|aug|apr|jan|dec)"
)
_SAID_DAY = (
    r"(?:primero|un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dotze|onze|tretze"
    r"|dieci\w+|veint\w+|treinta(?:[ ]y[ ]uno)?)"
)
_TENS = rf"(?:{'|'.join(TENS[1:])})(?:[ ]y[ ][a-z]+)?"
_SAID_YEAR = (
    rf"(?:{_TENS}|(?:mil[ ]|dos[ ]?mil[ ]?)(?:[ ]?(?:[a-z]+cientos|{_TENS}|{_SAID_DAY})){{0,3}}"
    rf"|\d{{2,4}}(?!\d))"
)
_DATE = (
    r"(?:\d{1,2}\s?[/.-]\s?\d{1,2}\s?[/.-]\s?\d{2,4}(?!\d)|\d{4}\s?[/.-]\s?\d{1,2}\s?[/.-]\s?\d{1,2}(?!\d)"
    r"|\d{4} [01]?\d [0-3]?\d(?!\d)|[0-3]?\d [01]?\d (?:19|20)?\d\d(?!\d)|(?:19|20)\d\d[01]\d[0-3]\d(?!\d)"
    rf"|(?:19|20)\d\d,? (?:de )?{_MONTHS},? \d{{1,2}}(?!\d)|{_MONTHS} \d{{1,2}},? (?:de )?(?:19|20)\d\d(?!\d)"
    rf"|\d{{1,2}}[ºª]?[ /-](?:de[ ]|d['’])?{_MONTHS}\.?(?:[ ,/-]+(?:d[eo][ ](?:l['’]any[ ])?|del"
    rf"(?:[ ]ano)?[ ]|d['’])?(?:\d{{2,4}}(?!\d)|{_SAID_YEAR}))?"
    rf"|\d{{1,2}}[ ]del?[ ]\d{{1,2}}[ ]del?[ ]\d{{2,4}}(?!\d)|\d{{1,2}}[./-][ivx]{{1,4}}[./-]\d{{2,4}}"
    rf"|[0-3]\d[01]\d(?:19|20)\d\d(?!\d)"
    rf"|{_SAID_DAY}[ ](?:de[ ])?{_MONTHS}[ ]del?[ ](?:ano[ ])?{_SAID_YEAR}"
    rf"|(?:{_SAID_DAY}|\d{{1,2}})[ ](?:del?[ ])(?:{_SAID_DAY}|\d{{1,2}})[ ]del?[ ](?:ano[ ])?{_SAID_YEAR}"
    r"|\d{4}ko[ ][a-z]+[ ]\d{1,2}\w*)"
)
_BORN = re.compile(
    rf"(?:(?:naci|nacio|nacid[oax]|nascuda?|nascut|neix\w*|nad[oa]|nascid[oa]|nacin|naceu|jaio\w*"
    rf"|cumpl(?:o|e|io|ire|ira)(?:\s(?:los\s)?\d\d(?:\s?anos)?)?|cumple(?:anos)?|soy\sdel(?=\s\d+[/-])|ne[e]?\sle|born"
    rf"|geboren|vin[eo]\sal\smundo)(?!\w)(?P<gap>[^\d\n;]{{0,45}}?)"
    rf"|(?:f(?:ec(?:ha)?|ch)?\.?[ ]?(?:y[ ]lugar[ ])?(?:de[ ])?n(?:ac(?:imiento|im|mto|to|\.)?|to|ac)?"
    rf"|f\.?[ ]?d?\.?[ ]?n|fdo\.?[ ]nto"
    rf"|data[ ](?:de[ ])?(?:naixement|nacemento|naix\.?|nac\.?)|jaiotz[ae][ -]?(?:data|eguna)|jaioteguna"
    rf"|f/n|d\.?o\.?b"
    rf"|date[ ]of[ ]birth|geburtsdatum|date[ ]de[ ]naissance)(?!\w)(?P<gap2>[^\d\n;]{{0,45}}?\n?[ ]{{0,9}})"
    rf"|nac(?:imiento|im|to|\.[ ](?:en|a)[ ][^\W\d]+)?(?!\w)\.?[ ]?(?:\([^)\n]{{0,20}}\))?[.:)\s|,-]{{0,5}}"
    rf"(?:(?:el|es|dia)[ ])*(?:(?<=[:.] )[^\W\d]+(?: [^\W\d]+){{0,3}}(?:,| a| el) )?"
    rf"|n(?:to)?[.:/][ ]?(?=\d)|natural[ ]de[ ][^\d\n;:.]{{2,35}},[ ](?:el[ ])?(?=\d))(?<!\w)(?P<n>{_DATE})"
)
# «47 años (06.06.1977)», «12/08/1990 (fecha de nacimiento)»
_AGED = re.compile(rf"anos[ ,]{{0,2}}\((?:n\.?[ ]|nac\w*\.?[ ]|el[ ])?(?P<n>{_DATE})\)")
_AGE = re.compile(rf"edad[ ]?:[ ]?\d\d(?:[ ]anos)?[ ,]{{0,2}}\((?P<n>{_DATE})\)")
_TOLD_AFTER = re.compile(
    rf"(?<![\w/.-])(?P<n>{_DATE})[ ]?(?:[(,–-]|es)[ ]?(?:(?:mi|su|la|el|de|fecha|f\.|dia)[ ])*\Z"
)
_PERIOD = re.compile(
    r"\b(?:antes|despues|partir|desde|hasta|posterior|anterior|entre|ley|articulo|a contar|durante"
    r"|plazo|permiso|antiguedad|alta|efectos|solicitud)\w*\b"
)
# «Izan, 14-6-2015, y Saray, 2-12-2018»: after a birth, another.
_NEXT = re.compile(rf"[ ]?(?:,|;|y|e|\n)[ ]?(?:y[ ]|e[ ])?(?:[^\W\d]+[ ,:(]{{1,3}}){{1,3}}(?P<n>{_DATE})")
_OPENERS = WORDS["births"]


def find(page: Page) -> Iterator[Span]:
    """Every date of birth; they may overlap."""
    low = page.low
    for word, start in page.places(_OPENERS):
        if (birth := _BORN.match(low, start)) and not _PERIOD.search(birth["gap"] or birth["gap2"] or ""):
            yield _span(birth)
            while more := _NEXT.match(low, birth.end()):
                if _PERIOD.search(more[0]):
                    break
                birth = more
                yield _span(birth)
        elif aged := (_AGED.match(low, start) or _AGE.match(low, start)):
            yield _span(aged)
        elif word.startswith("nac") and (told := _TOLD_AFTER.search(low, max(0, start - SIGHT), start)):
            yield _span(told)


def _span(match: re.Match[str]) -> Span:
    return Span(*match.span("n"), "NACIMIENTO", re.sub(r"\W+", "/", match["n"]))
