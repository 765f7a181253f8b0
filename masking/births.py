"""Dates of birth: after a birth or its label, before them, and beside an age («47 años (06.06.1977)»)."""

import re

from masking.finder import Finder, Page
from masking.words import WORDS, either
from text.numerals import TENS

_MONTH = either("months")
_DAY = either("said_days")
_TENS = rf"(?:{'|'.join(TENS[1:])})(?: y [a-z]+)?"
_YEAR = rf"(?:{_TENS}|(?:mil |dos ?mil ?)(?: ?(?:[a-z]+cientos|{_TENS}|{_DAY})){{0,3}}|\d{{2,4}}(?!\d))"
_NUMBERS = (
    r"\d{1,2}\s?[/.-]\s?\d{1,2}\s?[/.-]\s?\d{2,4}(?!\d)|\d{4}\s?[/.-]\s?\d{1,2}\s?[/.-]\s?\d{1,2}(?!\d)"
    r"|\d{4} [01]?\d [0-3]?\d(?!\d)|[0-3]?\d [01]?\d (?:19|20)?\d\d(?!\d)|(?:19|20)\d\d[01]\d[0-3]\d(?!\d)"
    r"|\d{1,2} del? \d{1,2} del? \d{2,4}(?!\d)|\d{1,2}[./-][ivx]{1,4}[./-]\d{2,4}|[0-3]\d[01]\d(?:19"
    r"|20)\d\d(?!\d)"
)
_DATE = (
    rf"(?:{_NUMBERS}|(?:19|20)\d\d,? (?:de )?{_MONTH},? \d{{1,2}}(?!\d)|{_MONTH} \d{{1,2}},? (?:de )?(?:19"
    rf"|20)\d\d(?!\d)"
    rf"|\d{{1,2}}[ºª]?[ /-](?:de |d['’])?{_MONTH}\.?(?:[ ,/-]+(?:d[eo] (?:l['’]any )?|del(?: ano)? "
    rf"|d['’])?{_YEAR})?"
    rf"|(?:{_DAY}|\d{{1,2}}) (?:del? )?(?:{_MONTH}|{_DAY}|\d{{1,2}}) del? (?:ano )?{_YEAR}"
    r"|\d{4}ko [a-z]+ \d{1,2}\w*)"
)
_BORN = rf"{either('born')}(?!\w)(?:\s(?:los\s)?\d\d(?:\s?anos)?)?"
_LABEL = (
    r"f(?:ec(?:ha)?|ch)?\.? ?(?:y lugar )?(?:de )?n(?:ac(?:imiento|im|mto|to|\.)?|to|ac)?|f\.? ?d?\.? ?n"
    r"|fdo\.? nto|f/n"
    r"|d\.?o\.?b|data (?:de )?(?:naixement|nacemento|naix\.?|nac\.?)|jaiotz[ae][ -]?(?:data|eguna)|jaioteguna"
)
_BIRTH = (
    rf"(?:{_BORN}(?P<gap>[^\d\n;]{{0,45}}?)|(?:{_LABEL})(?!\w)(?P<after>[^\d\n;]{{0,45}}?\n? {{0,9}})"
    r"|nac(?:imiento|im|to|\. (?:en|a) [^\W\d]+)?(?!\w)\.? ?(?:\([^)\n]{0,20}\))?[.:)\s|,-]{0,5}(?:(?:el|es"
    r"|dia) )*"
    r"(?:(?<=[:.] )[^\W\d]+(?: [^\W\d]+){0,3}(?:,| a| el) )?|n(?:to)?[.:/] ?(?=\d)"
    r"|natural de [^\d\n;:.]{2,35}, (?:el )?(?=\d))(?<!\w)"
)
# «47 años (06.06.1977)»
_AGED = r"(?:anos[ ,]{0,2}\((?:n\.? |nac\w*\.? |el )?|edad ?: ?\d\d(?: anos)?[ ,]{0,2}\()"
_PERIOD = re.compile(rf"\b{either('periods')}\w*\b")
# «12/08/1990 (fecha de nacimiento)»
_TOLD_AFTER = r" ?(?:[(,–-]|es) ?(?:(?:mi|su|la|el|de|fecha|f\.|dia) )*(?=nac)"
_NAC = re.compile(r"(?<![^\W_])nac")
# «Izan, 14-6-2015, y Saray, 2-12-2018»: after a birth, another.
_NEXT = re.compile(rf" ?(?:,|;|y|e|\n) ?(?:[ye] )?(?:[^\W\d]+[ ,:(]{{1,3}}){{1,3}}(?P<n>{_DATE})")


def _is_birth(page: Page, match: re.Match[str]) -> bool:
    """False for «nacido antes del 1 de enero de 1967» and «permiso por nacimiento desde…»."""
    return _PERIOD.search(page.low, match.start(), match.start("n")) is None


def _row(before: str, after: str = "", *, opens: frozenset[str] = frozenset()) -> Finder:
    form = re.compile(rf"{before}(?P<n>{_DATE}){after}")
    return Finder("NACIMIENTO", form, opens, _NAC, accepts=_is_birth, again=_NEXT)


FINDERS = (
    _row(_BIRTH, opens=WORDS["births"]),
    _row(_AGED, r"\)", opens=WORDS["births"]),
    _row(r"(?<![\w/.-])", _TOLD_AFTER),
    # «47582910G 17 09 1993»
    Finder(
        "NACIMIENTO",
        re.compile(
            r"\d{7}[a-z] ?[,/–-]? ?(?P<n>\d{1,2}[ ./-]\d{1,2}[ ./-](?:19[2-9]|200)\d)(?![\w/]|[.,-]\d)"
        ),
    ),
)
