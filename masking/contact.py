"""Telephone numbers, addresses of e-mail and handles, as people write them."""

import re
from collections.abc import Callable

from masking.finder import PERSON, Finder, Page
from masking.identifiers import ALONE, ENDS, GAP, UNPAID, is_own
from masking.words import either

_HOUSES = either("mail_houses")


_MAIL = re.compile(
    r"(?<![\w.+%-])[\w.+%'-]{1,64} ?@ ?(?:[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.[^\W\d_]{2,24}"
    r"|[\w.-]{0,80}(?=…?\s*\Z))"
    # «ana . perez @ gmail . com», «anaperez@gmail,com», «ana@⏎gmail.com»
    rf"|(?<![\w.+%-])\w[\w.+%'-]{{0,63}}(?: \. [\w-]{{1,63}}){{0,2}}"
    rf" ?@\s?{_HOUSES}(?: ?[.,] ?[^\W\d_]{{2,3}}(?!\w)){{0,2}}"
)
_MAIL_SIGN = re.compile(r"@|usuario: ")
# Whole: nothing is put back inside an address.
_PROFILE = re.compile(
    r"(?<![\w-])(?:https?://)?(?:[a-z]{2,3}\.)?"
    r"(?:linkedin\.com/in|(?:facebook|instagram|tiktok|twitter|x)\.com|t\.me)/@?[\w.-]*\w"
)
# Systems of the administration that write their names so: «Delt@», «Import@ss».
_SYSTEM = re.compile(r"(?:delt|import|contrat|certific)@[^.]*\Z")


def _is_address(page: Page, match: re.Match[str]) -> bool:
    return _SYSTEM.match(match[0]) is None


def _has_nine(number: str) -> bool:
    return len(number) == 9


def _phone(pattern: str, check: Callable[[str], bool] | None = None, *, ends: str = UNPAID) -> Finder:
    form = re.compile(f"{ALONE}(?P<n>{pattern}){ends}", re.M)
    return Finder("TELEFONO", form, check=check, accepts=is_own)


FINDERS = (
    Finder("EMAIL", _MAIL, near=_MAIL_SIGN, accepts=_is_address),
    Finder(
        PERSON,
        re.compile(r"(?<![\w.@/])@(?=\w{0,29}[^\W\d_])\w{3,30}|(?<=usuario: )(?=\w{0,29}_)\w{4,30}"),
        near=_MAIL_SIGN,
    ),
    Finder(PERSON, _PROFILE, near=re.compile(r"\.(?:com|me)/")),
    _phone(
        r"(?:\((?:\+|00) ?34\)|(?:\+|00) ?34|\(34\))[ ./-]{0,3}\(?(?=[6789])\d(?:[ ./()-]{0,2}\d){8}",
        ends=ENDS,
    ),
    _phone(
        r"(?:\((?:\+|00 ?)(?!34)[1-9]\d{0,2}\)|(?:\+|00 ?)(?!34)[1-9]\d{0,2})(?:[ .-]{0,2}\d){7,12}",
        ends=ENDS,
    ),
    # Groups of three divided by points are an amount («612.345.678 €») unless they are a line of their own.
    _phone(r"(?=[6789])\d{2,3}(?:[ –-]?\d){6,7}", _has_nine),
    _phone(r"(?=[6789])(?:\d{3}(?:\.\d\d){3}|\d{2}[./]\d{3}\.\d{2}\.\d{2})"),
    _phone(r"^(?=[67])\d{3}\.\d{3}\.\d{3}(?=[ \t]*$)"),
    _phone(rf"\((?=[89])\d{{2,3}}\){GAP}?\d(?:{GAP}?\d){{5,6}}"),
    _phone(r"(?=[67])\d{3}/(?:\d{3}/\d{3}|\d{2}/\d{2}/\d{2})|(?=[6789])\d{2,3}/\d{2,3}[ .]\d{2}[ .]\d{2}"),
)
