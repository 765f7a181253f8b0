"""Identifiers by their form and, if they have one, their check: DNI, NIE, NIF, NSS, IBAN, cards, plates…

The full written form counts with a wrong check too, since people mistype; with a rarer form the check tells.
A number beside its name or label is found by `field_labels` whatever its form. Checks: DNI and cards by
`stdnum`; IBAN, ISO 13616 (mod 97); Social Security numbers, province and number mod 97.
"""

import re
from collections.abc import Callable

from stdnum import luhn
from stdnum.es import dni
from stdnum.iso7064 import mod_97_10

from masking.finder import NUMBER, SIX_DIGITS, Finder, Page, compact
from masking.words import WORDS, either
from text.textnorm import STOPWORDS

SIGHT = 70
FEWEST_DIGITS = 12
"""Digits of a foreign IBAN that counts without its check."""
FEWEST_DIFFERENT = 4
"""Different digits of a number that is written digit by digit."""
SHORTEST_CARD, SHORTEST_NAMED_CARD = 15, 13
GAP = r"[ .–-]"
ALONE = r"(?<![^\Wºª])(?<![./@-])"
ENDS = r"(?![\w@]|[.,/-]\d)"
UNPAID = r"(?!\s*(?:[€%]|euros?\b|eur\b|pesetas?\b|ptas?\b|millones\b|mil\b))" + ENDS
_DATE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}")
# Years, small numbers and thousands.
_LIST = re.compile(
    r"(?:19|20)\d\d(?: (?:(?:19|20)\d\d|\d\.\d{3}))+|\d{1,2}(?:[ .]\d{1,2})+|\d{1,3}(?:\.\d{3})*\.000"
)
_OF_PAPERS = re.compile(rf"\b(?:codigo [a-z]+|{either('papers')})(?:\s+{either('of_papers')})*\s*:?\s*\Z")

# Letters of the IBAN registry with its length; Spain has its own, looser rule.
_IBAN_LENGTHS = {
    **{22: "BG DE GB GE IE ME RS VA", 24: "AD CZ MD RO SA SE SK TN VG", 27: "FR GR IT MC SM"},
    **{18: "DK FI FO GL NL", 20: "AT BA EE LT LU XK", 21: "CH HR LI LV", 16: "BE", 25: "PT", 26: "IS TR"},
    **{28: "AL CY DO HU LB PL MA", 29: "BR UA", 15: "NO", 19: "MK SI", 31: "MT"},
}


def is_own(page: Page, match: re.Match[str]) -> bool:
    """False for the number of a norm, a judgment, a file or an invoice."""
    return _OF_PAPERS.search(page.low, max(0, match.start() - SIGHT), match.start()) is None


def is_iban(number: str) -> bool:
    """True for a valid IBAN: letters in capitals and digits, without separators."""
    return bool(mod_97_10.is_valid(number[4:] + number[:4]))


def is_social_security(number: str) -> bool:
    """True for a valid Social Security number: digits of province (2), number (7 or 8) and check (2)."""
    province, own, control = int(number[:2]), int(number[2:-2]), int(number[-2:])
    if not 1 <= province <= 53 and province != 66:
        return False
    whole = province * 10_000_000 + own if own < 10_000_000 else int(number[:-2])
    return whole % 97 == control


def _is_dni(number: str) -> bool:
    return dni.is_valid(number.zfill(9))


def _is_foreign_iban(number: str) -> bool:
    """True for a valid IBAN and, since people mistype, for one that is mostly digits."""
    return is_iban(number) or sum(char.isdigit() for char in number) >= FEWEST_DIGITS


def _is_no_count(number: str) -> bool:
    """False for «1 2 3 4 5 6 7» and «8 8 8 7 7 0 0», the columns of a table."""
    digits = [char for char in number if char.isdigit()]
    return digits != sorted(digits) and len({*digits}) >= FEWEST_DIFFERENT


def _is_no_list(number: str) -> bool:
    """False for a row of years."""
    return re.fullmatch(r"(?:(?:19|20)\d\d)+", number) is None


def _is_cut(page: Page, match: re.Match[str]) -> bool:
    """True if an ellipsis or the end of the text follows: an excerpt cut the number short.

    The number of a norm, a judgment or a form, or a date, that ends a question is whole.
    """
    if not is_own(page, match) or _DATE.fullmatch(match[0]) or _LIST.fullmatch(match[0]):
        return False
    return page.low.startswith("…", match.end()) or not page.low[match.end() : match.end() + SIGHT].strip()


def _is_card(page: Page, match: re.Match[str]) -> bool:
    number = compact(match[0])
    named = _CARD_NAME.search(page.low, max(0, match.start() - SIGHT), match.start())
    shortest = SHORTEST_NAMED_CARD if named else SHORTEST_CARD
    return len(number) >= shortest and bool(named or luhn.is_valid(number)) and bool(number.strip("0"))


def _is_plate(page: Page, match: re.Match[str]) -> bool:
    """False for «a 2015 en»."""
    return " " not in match[0] or not {match["province"], match["ending"]} & STOPWORDS


def _row(
    kind: str,
    pattern: str,
    check: Callable[[str], bool] | None = None,
    accepts: Callable[[Page, re.Match[str]], bool] | None = None,
    *,
    cased: bool = False,
    ends: str = ENDS,
    near: re.Pattern[str] = SIX_DIGITS,
) -> Finder:
    """The row of a number by its form, which stands by itself."""
    form = re.compile(f"{ALONE}(?P<n>{pattern}){ends}")
    return Finder(kind, form, near=near, cased=cased, check=check, accepts=accepts)


_EIGHT = rf"\d{{1,2}}{GAP}?\d{{3}}{GAP}?\d{{3}}"
_SAID_LETTER = rf"(?:(?:letra )?{either('letters')}|letra [a-z]{{1,4}})"
_PROVINCE = r"(?:0[1-9]|[1-4]\d|5[0-3]|66)"
_PLATES = "|".join(sorted(WORDS["plates"])).upper()
_CONSONANTS = "BCDFGHJKLMNPRSTVWXYZ"
_FOUR_DIGITS = re.compile(r"\d{4}")
_VEHICLES = WORDS["vehicles"]
_LOW_PLATE = (
    rf"(?P<n>\d{{4}}(?:[ -]?|[./]| - )[{_CONSONANTS.lower()}]{{3}}"
    rf"|(?P<province>{_PLATES.lower()})[ -]?\d{{4,6}}(?:[ -]?(?P<ending>[a-z]{{1,3}}))?)"
)
_FOREIGN_PLATE = (
    r"(?!es |la |de |\d+ ?(?:km|cv|cc|kg))(?=[a-z0-9 -]{0,8}\d[ -]?\d)"
    r"(?:[a-z]{1,3}(?P<gap>[ -]?)\d{2,4}(?P=gap)[a-z]{1,3}|\d{2,4}[ -]?[a-z]{2,3}[ -]?\d{0,2})"
)
_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_CARD_NAME = re.compile(either("card_names"))
_OTHER_IBANS = "|".join(
    rf"(?:{'|'.join(countries.split())})\d\d(?:{GAP}?[A-Z0-9]){{{length - 4}}}"
    for length, countries in _IBAN_LENGTHS.items()
)

FINDERS = (
    # An account is broken over the lines of a form; a digit or more may be missing.
    _row("IBAN", rf"es{GAP}?\d\d(?:[ ./–-]{{0,2}}\s{{0,2}}\d){{20}}"),
    _row("IBAN", r"ES[ -]?\d\d(?:[ ./-]{0,2}\d){13,24}", cased=True),
    _row("IBAN", rf"(?:{_OTHER_IBANS})", _is_foreign_iban, cased=True),
    _row("CUENTA", r"\d{4}(?P<gap>[ ./-]?)\d{4}(?P=gap)\d\d(?P=gap)\d{10}", None, is_own),
    _row("DNI", rf"{_EIGHT}(?:{GAP}|/)?[A-Z]", _is_dni, cased=True),
    _row(
        "DNI",
        r"\d{8}(?: ?[–/-] ?)?[A-Za-z]|\d{8} [A-Z]|\d\d[. ]\d{3}[. ]\d{3}(?: ?[–./ -] ?)?[A-Z]",
        cased=True,
    ),
    _row("DNI", rf"{_EIGHT}[ ,;–—-]{{1,3}}(?:{_SAID_LETTER}|te|ese)(?!\w)"),
    _row("NIE", r"[XYZ] ?[./-]? ?0?\d\.?\d{3}\.?\d{3}(?: ?[–./-] ?| )?[A-Z]", cased=True),
    _row("NIE", r"[xyz][.-]?\d{7}[.-]?[a-z]"),
    _row(
        "NIE", rf"(?:equis|zeta|ye|[iy] griega)[ ,-]{{1,2}}\d{{7,8}}(?:[ ,-]{{1,2}}(?:{_SAID_LETTER}|[a-z]))?"
    ),
    _row("CIF", r"[A-HJNP-SUVW][. -]?(?:\d{8}|\d\d\.\d{3}\.\d{3}|\d{7}[ -]?[A-J])", cased=True),
    _row("CIF", r"[a-hjnp-suvw]-?\d{7}[0-9a-j]"),
    _row("NUSS", r"\d\d(?: ?[./ –-]? ?\d){9,10}", is_social_security),
    _row("NUSS", rf"{_PROVINCE} ?(?P<gap>[/ -]) ?\d{{7,8}} ?(?P=gap) ?\d\d"),
    _row("NUSS", rf"{_PROVINCE}\d{{10}}", None, is_own),
    _row(
        "TARJETA",
        r"\d{4}(?P<gap>[ .-]?)(?:\d{4}(?P=gap)){2}\d{1,7}|\d{4}[ -]?\d{6}[ -]?\d{5}",
        None,
        _is_card,
    ),
    _row("TARJETA", r"\d{4}[ -]?(?:[*x•]{4}[ -]?){2}\d{3,4}"),
    _row("DNI", r"[*•]{2,4} ?\d{3,5}[*•]{0,4}-?[a-z]?", near=re.compile(r"[*•]{2}")),
    _row("PASAPORTE", r"[PX][A-Z]{2}[ -]?\d{6}[A-Z]?", cased=True),
    # CIP of Cataluña, of Madrid and others: letters of the name, sex and birth.
    _row("SANITARIA", r"[A-Z]{4}[ -]?[01][ -]?\d{6}[ -]?\d{2}[ -]?\d|[A-Z]{4}\d{10,12}", cased=True),
    _row("SANITARIA", r"B{8}[A-Z]{2}\d{6}|AN[ -]?\d{10}|\d{6}[A-Z]{4}\d{4}", cased=True),
    _row("SANITARIA", r"[A-Z]{3,4} ?\d{6} ?(?:[A-Z]{4} ?\d ?\d\d|\d{3} \d{3})", cased=True),
    _row("MATRICULA", rf"\d{{4}}[ -]?[{_CONSONANTS}]{{3}}", cased=True, near=_FOUR_DIGITS),
    _row(
        "MATRICULA",
        rf"(?P<province>{_PLATES})[ -]?\d{{4}}[ -]?(?P<ending>[A-Z]{{1,2}}|[{_CONSONANTS}]{{3}})",
        None,
        _is_plate,
        cased=True,
        near=_FOUR_DIGITS,
    ),
    # Near a vehicle a plate may be in small letters, or a foreign one.
    Finder(
        "MATRICULA",
        re.compile(rf"\w+\b.{{0,70}}?(?<![\w/.,-]){_LOW_PLATE}(?![\w-])", re.S),
        _VEHICLES,
        accepts=_is_plate,
    ),
    Finder(
        "MATRICULA",
        re.compile(rf"mat(?:ricula|r?\.?)\b.{{0,25}}?(?<!\w)(?P<n>{_FOREIGN_PLATE})(?![\w-])"),
        _VEHICLES,
    ),
    # The place of a home in the cadastre, and of a machine in a network.
    _row("DIRECCION", r"\d{7}[A-Z]{2}\d{4}[A-Z]\d{4}[A-Z]{2}", cased=True),
    _row(NUMBER, rf"(?=(?:\.?\d){{8}}){_OCTET}(?:\.{_OCTET}){{3}}", None, is_own),
    # Digits said or typed one by one, and long numbers of no known form, which the law has none of.
    _row(NUMBER, r"(?:[a-z][ ,])?\d(?P<gap>[ .,-])\d(?:(?P=gap)\d){5,24}(?:[ ,-][a-z])?", _is_no_count),
    _row(
        NUMBER,
        r"(?<!\d )\d{1,4}[ /-]\d{7,10}(?:[ /-]\d{1,2})?(?:[ -]?[A-Z])?",
        None,
        is_own,
        cased=True,
        ends=UNPAID,
    ),
    _row(NUMBER, r"\d{4}(?:(?P<gap>[ -])\d{4}){2,5}(?:(?P=gap)?\d{1,3})?", _is_no_list, is_own, ends=UNPAID),
    _row(
        NUMBER,
        r"(?<!\d )(?:[A-Z]{1,4}-?|[A-Z]{2} )?\d{7,24}(?:[ -]?[A-Z]{1,3})?",
        None,
        is_own,
        cased=True,
        ends=UNPAID,
    ),
    # A number cut short by an excerpt has lost its check, but still identifies someone.
    _row(NUMBER, rf"(?:es)?\d(?:(?:{GAP}|/)?\d){{5,24}}", None, _is_cut, ends=""),
)
