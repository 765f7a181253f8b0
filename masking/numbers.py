"""Identifiers and contact data: found by their form and, if they have one, their check digit or letter.

A number preceded by its name («DNI 12345678») counts without a valid check: people mistype.
The full written form of a DNI, NIE, company NIF, Spanish IBAN or account counts without it too. Checks: DNI,
company NIF and account number, by `stdnum`; IBAN, ISO 13616 (mod 97); Social Security numbers, province and
number mod 97.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

from stdnum.es import ccc, cif, dni
from stdnum.iso7064 import mod_97_10

from masking.page import windows
from masking.spans import Span, person

CUT = "NUMERO"
ROOM = 60
FEWEST_DIGITS = 12
"""Digits of a foreign IBAN that counts without its check."""
FEWEST_DIFFERENT = 4
"""Different digits of a number that is written digit by digit."""
_HOUSES = "gmail|hotmail|outlook|yahoo|icloud|live|msn|telefonica|movistar|proton(?:mail)?|orange"
# Systems of the administration that write their names so: «Delt@», «Import@ss».
_SYSTEM = re.compile(r"(?:delt|import|contrat|certific)@[^.]*\Z", re.I)
_EMAIL = re.compile(
    r"(?<![\w.+%-])[\w.+%'-]{1,64} ?@ ?(?:[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.[^\W\d_]{2,24}"
    r"|[\w.-]{0,80}(?=…?\s*\Z))"
    # «ana . perez @ gmail . com», «anaperez@gmail,com», «ana@⏎gmail.com»
    rf"|(?<![\w.+%-])\w[\w.+%'-]{{0,63}}(?: \. [\w-]{{1,63}}){{0,2}}"
    rf" ?@\s?(?:{_HOUSES})(?: ?[.,] ?[^\W\d_]{{2,3}}(?!\w)){{0,2}}",
    re.I,
)
_HANDLE = re.compile(r"(?<![\w.@/])@(?=\w{0,29}[^\W\d_])\w{3,30}|(?<=usuario: )(?=\w{0,29}_)\w{4,30}", re.I)
_DIGITS = re.compile(r"\d(?:[^\w\n]{0,3}\d){5}")
_NO_ALNUM = re.compile(r"[\W_]+")
# Separators between the groups of a number: PDF and word processors use hard spaces and other dashes.
_GAP = r"[ .\-\u00a0\u202f\u2009\u2010-\u2013]"
_BLANK = r"[ \u00a0\u202f\u2009]"
# «29 / 18386171 / 36» too.
_BREAK = r"(?:[ \u00a0]?[/\-][ \u00a0]?|[ \u00a0])?"
_ALONE = r"(?<![^\Wºª])(?<![./@-])"
_ENDS = r"(?![\w@]|[.,/-]\d)"
_MONEY = r"(?!\s*(?:€|%|euros?\b|EUR\b|pesetas?\b|ptas?\b|millones\b|mil\b))"
_UNPAID = _MONEY + _ENDS
_DATE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}")
# Years, small numbers and thousands.
_LIST = re.compile(
    r"(?:19|20)\d\d(?: (?:(?:19|20)\d\d|\d\.\d{3}))+|\d{1,2}(?:[ .]\d{1,2})+|\d{1,3}(?:\.\d{3})*\.000"
)
_OF_LAW = re.compile(
    r"\b(?:ley|decreto|decreto-ley|r\.?d\.?l?|orden|directiva|reglamento|sentencia|sts|stsj|stc|modelo"
    r"|estatuto|marco|c[óo]digo|convenio|expediente|exp\.?|expte\.?|autos|recurso|rec\.?|rcud\.?|factura"
    r"|nig|procedimiento"
    r"|p[óo]liza|pedido|referencia|ref\.?|n\.?i\.?g\.?|oferta|ticket|incidencia|siltra|acuse|lote|serie|versi[óo]n"
    r"|registro|liquidaci[óo]n|col\.|colegiad[oa]|asiento|acta|cod\.|csv|boe|cn[oa]e?|c[óo]d|epígrafe|isbn|ean|localizador|justificante|n\.?r\.?c"
    r"|modelo|impreso|formulario|oficina|c[óo]digo\s[a-z]+)(?:\s+(?:n\.?[º°o]\.?|n[úu]m(?:ero|\.)?|de|la|oferta|web|interno|general"
    r"|electr[óo]nic[oa]|salida|entrada|convenio|europe[oa]|\((?:UE|CEE?|EURATOM)\)))*\s*:?\s*$",
    re.I,
)

# Letters of the IBAN registry with its length; Spain has its own, looser rule.
_IBAN_LENGTHS = {
    **{22: "BG DE GB GE IE ME RS VA", 24: "AD CZ MD RO SA SE SK TN VG", 27: "FR GR IT MC SM"},
    **{18: "DK FI FO GL NL", 20: "AT BA EE LT LU XK", 21: "CH HR LI LV", 16: "BE", 25: "PT", 26: "IS TR"},
    **{28: "AL CY DO HU LB PL MA", 29: "BR UA", 15: "NO", 19: "MK SI", 31: "MT"},
}


class Rule(NamedTuple):
    """The form of an identifier.

    `check` validates a number in capitals, without its separators, and `accepts` where it stands in the text.
    """

    kind: str
    pattern: re.Pattern[str]
    check: Callable[[str], bool] = lambda number: True
    accepts: Callable[[str, int, int], bool] = lambda text, start, end: True


def find(text: str) -> Iterator[Span]:
    """Every identifier, account, telephone number and e-mail address written in digits; they may overlap."""
    if "@" in text:
        for match in _EMAIL.finditer(text):
            if not _SYSTEM.match(match[0]):
                yield Span(*match.span(), "EMAIL", match[0].lower())
    for match in _HANDLE.finditer(text):
        yield person(text, *match.span())
    for start, end in windows(text, _DIGITS, ROOM):
        for kind, pattern, check, accepts in RULES:
            for match in pattern.finditer(text, start, end):
                number = _compact(match["n"])
                if check(number) and accepts(text, match.start(), match.end()):
                    yield Span(*match.span("n"), kind, _same(kind, number))


def _compact(written: str) -> str:
    """The number in capitals and ASCII digits, without its separators."""
    return "".join(str(unicodedata.decimal(char, char)) for char in _NO_ALNUM.sub("", written)).upper()


def _is_cut(text: str, start: int, end: int) -> bool:
    """True if an ellipsis or the end of the text follows: an excerpt cut the number short.

    The number of a norm, a judgment or a form, or a date, that ends a question is whole.
    """
    if (
        not _is_own(text, start, end)
        or _DATE.fullmatch(text, start, end)
        or _LIST.fullmatch(text, start, end)
    ):
        return False
    return text.startswith("…", end) or not text[end : end + ROOM].strip()


def _is_own(text: str, start: int, end: int) -> bool:
    """False for the number of a norm, a judgment, a file or an invoice."""
    return _OF_LAW.search(text[max(0, start - ROOM) : start]) is None


def _is_dni(number: str) -> bool:
    return dni.is_valid(number.zfill(9))


def is_iban(number: str) -> bool:
    """True for a valid IBAN: letters in capitals and digits, without separators."""
    return bool(mod_97_10.is_valid(number[4:] + number[:4]))


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


def is_social_security(number: str) -> bool:
    """True for a valid Social Security number: digits of province (2), number (7 or 8) and check (2)."""
    province, own, control = int(number[:2]), int(number[2:-2]), int(number[-2:])
    if not 1 <= province <= 53 and province != 66:
        return False
    whole = province * 10_000_000 + own if own < 10_000_000 else int(number[:-2])
    return whole % 97 == control


def _same(kind: str, number: str) -> str:
    """Key shared by the spellings of a number: telephones lose the country code, a DNI its leading zeros."""
    if kind == "TELEFONO":
        return re.sub(r"^(?:0034|34)(?=\d{9}$)", "", number)
    return number.lstrip("0") if kind == "DNI" else number


def _rule(
    kind: str,
    pattern: str,
    check: Callable[[str], bool] | None = None,
    *,
    flags: int = re.I,
    ends: str = _ENDS,
    accepts: Callable[[str, int, int], bool] = lambda text, start, end: True,
) -> Rule:
    compiled = re.compile(f"{_ALONE}(?P<n>{pattern}){ends}", flags)
    return Rule(kind, compiled, check or (lambda number: True), accepts)


def _named(kind: str, names: str, pattern: str) -> Rule:
    """Rule for a number preceded by its name, without a check: «D.N.I. n.º 12.345.678»."""
    words = (
        r"(?:\s+(?:n(?:ú|u)m(?:ero|\.)?|n\.?\s?[º°o]\.?|es|el|al?|en|de|con|la|mi|su|por|cuenta|personal"
        r"|m[óo]vil|testigo|buen[oa]|correct[oa]|nuev[oa]|antigu[oa]|anterior|actual|mal|pone"
        r"|tel[eé]fono|fijo|o|y|este|siguiente|espa[ñn]ol|caducado|vigente|mujer|marido|suyo|suya|empresa))*"
    )
    # «D.N.I./N.I.F.:» names it twice.
    twice = rf"(?<!\w)(?:{names})(?:\s?[/-]\s?(?:{names}))*(?!\w)"
    return Rule(
        kind, re.compile(rf"{twice}{words}[\s:.,;|ºn°=#(\[«\"/?>-]{{0,12}}(?P<n>{pattern}){_ENDS}", re.I)
    )


def _near(kind: str, names: str, pattern: str) -> Rule:
    """Rule for a number of full form a few words after its name: «el DNI de Saturnino, 6237454Y»."""
    return Rule(
        kind, re.compile(rf"(?<!\w)(?:{names})(?!\w)[^\d;]{{0,45}}?(?<![^\W_])(?P<n>{pattern}){_ENDS}", re.I)
    )


_EIGHT = rf"\d{{1,2}}{_GAP}?\d{{3}}{_GAP}?\d{{3}}"


def _phone(gap: str) -> str:
    """Pattern of nine digits in the usual groups: 612 345 678, 612 34 56 78, 91 234 56 78."""
    forms = (
        rf"\d{{3}}(?:{gap}\d{{3}}){{2}}",
        rf"\d{{3}}(?:{gap}\d{{2}}){{3}}",
        rf"\d{{2}}{gap}\d{{3}}{gap}\d{{2}}{gap}\d{{2}}",
        rf"\d{{2}}{gap}\d{{7}}",
        r"\d{9}",
    )
    return f"(?=[6789])(?:{'|'.join(forms)})"


_OTHER_IBANS = "|".join(
    rf"(?:{'|'.join(countries.split())})\d\d(?:{_GAP}?[A-Z0-9]){{{length - 4}}}"
    for length, countries in _IBAN_LENGTHS.items()
)

_IDENTITY = (
    r"D\.?\s?N\.?\s?I\.?|N\.?\s?I\.?\s?[FE]\.?|N\.?A\.?N\.?|T\.?I\.?E\.?|c[ée]dula|carn[ée](?: de identidad)?"
    r"|doc(?:umento|\.)?(?: nacional)?(?: de)?(?: identidad| ident(?:\.|ificativo|ificaci[óo]n)?)?"
    r"|ident(?:ificaci[óo]n|\.)"
    r"(?: (?:fiscal|de extranjer[oa]s?))?|identidad de extranjer[oa]s?|tarjeta de residencia"
    r"|permiso de residencia"
)
_SECURITY = (
    r"N\.?U?\.?S\.?S\.?|N\.?A\.?F\.?|N\.?A\.?S\.?S\.?|(?:n[úu]m(?:ero|\.)?|n\.?[º°]|mi|la) (?:de )?(?:la )?"
    r"(?:SS|S\.\s?S\.?|seg(?:uridad|\.)? soc(?:ial|\.)?)|seg(?:uridad|\.)? soc(?:ial|\.)?|S\.?S\.?"
    r"|(?:n[º°.]+ ?)?afil(?:iaci[óo]n|iad[oa]|\.)?(?: (?:a|de|en|con) (?:la )?(?:seguridad social"
    r"|s\.?s\.?))?(?: con el)?"
)
_QUOTA = (
    r"C\.?\s?C\.?\s?C\.?|cuenta(?: de)? cotizaci[óo]n|cotizaci[óo]n|(?:n[úu]mero )?patronal"
    r"|insc\.(?: (?:S\.?S\.?|empresa))?|inscripci[óo]n(?: (?:de|en) (?:la )?(?:empresa|seguridad social))?"
)
_LETTER = (
    r"(?:(?:letra )?(?:zeta|ceta|equis|jota|hache|eme|ene|ele|erre|efe|uve|cu|pe|be|ce|ge|ka|i griega)"
    r"|letra [a-z]{1,4})"
)
_PROVINCE = r"(?:0[1-9]|[1-4]\d|5[0-3]|66)"
RULES: tuple[Rule, ...] = (
    # An account is broken over the lines of a form; what has its form counts with a mistyped control too.
    _rule("IBAN", rf"ES{_GAP}?\d\d(?:[ .\-\u00a0\u202f\u2009\u2010-\u2013/]{{0,2}}\s{{0,2}}\d){{20}}"),
    # A digit or more too few.
    _rule("IBAN", r"ES[ -]?\d\d(?:[ .\-\u00a0/]{0,2}\d){13,24}", flags=0),
    _rule("IBAN", rf"(?:{_OTHER_IBANS})", _is_foreign_iban, flags=0),
    _named("IBAN", r"I\.?B\.?A\.?N\.?", r"[A-Z]{2} ?\d\d(?:[ .\-/\u00a0]{0,2}\s?[0-9]){6,26}"),
    _rule(
        "CUENTA",
        rf"\d{{4}}[ \-/\u00a0]?\d{{4}}[ \-/\u00a0]?\d\d[ \-/\u00a0]?\d(?:{_BLANK}?\d){{9}}",
        ccc.is_valid,
    ),
    _rule("CUENTA", r"\d{20}", accepts=_is_own),
    _rule("CUENTA", r"\d{4}([ .\-/\u00a0])\d{4}\2\d\d\2\d{10}"),
    _named(
        "CUENTA",
        r"(?:c(?:uen)?ta(?:\.|s)?|c/c|c\.c\.|compte|kontu\w*)(?:\s(?:corriente|bancaria|corrent"
        r"|del? banco|personal))*",
        r"\d{4}(?:[ .\-/\u00a0]{0,3}\s?\d){11,20}",
    ),
    _rule("DNI", rf"(?:{_EIGHT})(?:{_GAP}|/)?[A-Z]", _is_dni, flags=0),
    _rule("DNI", rf"(?:{_EIGHT})(?:[-.]{_BLANK}?)?[a-z]", _is_dni, flags=0),
    _rule("DNI", rf"(?:{_EIGHT}){_BLANK}[b-df-xz]", _is_dni, flags=0),
    _rule("DNI", rf"(?:{_EIGHT})[ ,;–—-]{{0,3}}letra [a-z](?:[a-z]{{1,3}}(?!\w))?"),
    _rule("DNI", rf"\d{{8}}[ ,;–—-]{{1,3}}(?:{_LETTER}|te|ese)(?!\w)"),
    # People mistype: the form alone counts, of which the law has none.
    _rule("DNI", r"\d{8}(?: ?[-–/] ?)?[A-Za-z]|\d\d[. ]\d{3}[. ]\d{3}(?: ?[-–./ ] ?)?[A-Z]", flags=0),
    _rule("NIE", r"(?:[XYZ] ?[-./]? ?0?\d{7}|[XYZ][ -.]?0?\d\.\d{3}\.\d{3})(?: ?[-–./] ?| )?[A-Z]", flags=0),
    _rule("NIE", r"[xyz][-.]?\d{7}[-.]?[a-z]", flags=0),
    _rule(
        "CIF",
        rf"[A-HJNP-SUVW]{_GAP}?(?:\d{{7}}|\d\d{_GAP}\d{{3}}{_GAP}\d\d){_GAP}?[0-9A-J]",
        cif.is_valid,
        flags=0,
    ),
    _rule("CIF", r"[A-HJNP-SUVW](?:[-. ]?\d{8}|[-. ]?\d\d\.\d{3}\.\d{3}|[-. ]?\d{7}[ -]?[A-J])", flags=0),
    _rule("CIF", r"[a-hjnp-suvw]-?\d{7}[0-9a-j]", flags=0),
    # A digit or a letter more or less: beside its name it is one.
    _named(
        "DNI",
        _IDENTITY,
        r"(?![\d ./-]{6,12} de )\d(?:[ .,\-/\u00a0]?\d){5,9}"
        rf"(?:[ .,\-–/\u00a0]{{0,3}}(?:{_LETTER}|[a-z]))?",
    ),
    _near("DNI", _IDENTITY, r"\d{7,8} ?-?[A-Z]"),
    _rule("NIE", rf"(?:equis|zeta|ye|[iy] griega)[ ,-]{{1,2}}\d{{7,8}}(?:[ ,-]{{1,2}}(?:{_LETTER}|[a-z]))?"),
    _named("NIE", _IDENTITY, r"[XYZLKM](?:[ .\-/]{0,2}\d){5,9}(?:[ .\-/]{0,3}[A-Z])?"),
    _named(
        "CIF",
        r"C\.?I\.?F\.?|N\.?I\.?F\.?|I\.?F\.?K\.?",
        r"[A-HJNP-SUVW][ .\-/]{0,2}(?:\d[ .\-/]?){6,9}[0-9A-J]",
    ),
    _rule("NUSS", rf"\d\d{_BREAK}\d{{7,8}}{_BREAK}\d\d", is_social_security),
    _rule("NUSS", rf"\d\d(?:{_GAP}?\d){{9,10}}", is_social_security),
    _rule("NUSS", r"(?:0[1-9]|[1-4]\d|5[0-3]|66) ?([-/ ]) ?\d{7,8} ?\2 ?\d\d"),
    _rule("NUSS", r"\d{4}[ /-](?:0[1-9]|[1-4]\d|5[0-3])[ /-]?\d{7}[ /-]?\d\d"),
    # «07/161009741», of a company, and twelve digits with no name at all.
    _rule("NUSS", rf"{_PROVINCE} ?[/-] ?\d{{9,10}}"),
    _rule("NUSS", rf"{_PROVINCE}\d{{10}}", accepts=_is_own),
    _near("NUSS", _SECURITY, r"\d\d[ /-]?\d{7,8}[ /-]?\d\d"),
    _named("NUSS", _SECURITY, r"\d(?:[ ./\-\u00a0]{0,3}\d){8,15}"),
    _named("NUSS", _QUOTA, r"\d(?:[ ./\-\u00a0]{0,3}\d){8,15}"),
    _rule(
        "TELEFONO",
        rf"(?:\((?:\+|00){_BLANK}?34\)|(?:\+|00){_BLANK}?34"
        rf"|\(34\))[ .\-/]{{0,3}}(?=[6789])\d(?:[ .\-/]{{0,2}}\d){{8}}",
    ),
    # Groups of three separated by points are an amount («612.345.678 €») unless a name or prefix precedes.
    _rule("TELEFONO", _phone(rf"(?:{_BLANK}|-)"), ends=_UNPAID, accepts=_is_own),
    _rule("TELEFONO", r"(?:\(\+(?!34)[1-9]\d{0,2}\)|\+(?!34)[1-9]\d{0,2})(?:[ .\-\u00a0]{0,2}\d){7,12}"),
    _rule(
        "TELEFONO", r"(?:\(00(?!34)[1-9]\d{1,2}\)|00 ?(?!34)[1-9]\d{1,2})(?:[ .\-\u00a0]{1,2}\d{1,4}){2,5}"
    ),
    # Points between two and two digits divide no amount: 957.41.22.06, 91.234.56.78.
    _rule("TELEFONO", r"(?=[6789])(?:\d{3}(?:\.\d\d){3}|\d{2}[./]\d{3}\.\d{2}\.\d{2})", ends=_UNPAID),
    _rule("TELEFONO", r"(?m:^)(?=[67])\d{3}\.\d{3}\.\d{3}(?=[ \t]*$)", flags=re.M),
    _rule("TELEFONO", rf"\((?=[89])\d{{2,3}}\){_GAP}?\d(?:{_GAP}?\d){{5,6}}"),
    _rule("TELEFONO", rf"(?=[67])\d(?:{_BLANK}\d\d){{4}}", ends=_UNPAID),
    _rule("TELEFONO", r"(?=[67])\d{3}/\d{3}/\d{3}|(?=[6789])\d{2,3}/\d{2,3}[ .]\d{2}[ .]\d{2}"),
    _rule("TELEFONO", r"(?=[67])\d{3}/\d{2}/\d{2}/\d{2}"),
    _named(
        "TELEFONO",
        r"t(?:e?l[eé]?[fn]{0,2}(?:o?no?)?\.?|elèfon\w*|fno\.?)|tel[eé]fon\w*|m[óo]v(?:il|\.)?|mòbil"
        r"|mugikorra\w*|fax"
        r"|tel[eé]fonoa|ll[aá]m[aáeé]\w*|whats?app|wh?ats[ua]p|wass?ap\w*|guasap|contact\w+|localiz\w+"
        r"|mi n[uú]mero|bizum"
        r"|📞|☎️?|📱",
        r"(?=[6789])\d(?:[ .\-/\u00a0]{0,2}\d){7,9}|\(?(?:00"
        r"|\+)?(?:[1-9]\d{0,2})\)?[ .-]?\d(?:[ .-]?\d){7,10}",
    ),
    _rule(
        "TELEFONO",
        r"(?=[6789])\d{2,3}(?:[ -]?\d){6,7}",
        lambda number: len(number) == 9,
        ends=_UNPAID,
        accepts=_is_own,
    ),
    _rule("TELEFONO", r"34[ .-]?(?=[67])\d(?:[ .-]?\d){8}"),
    # Digits said or typed one by one, and long numbers of no known form, which the law has none of.
    _rule(CUT, r"(?:[A-Z][ ,])?\d(?:([ .,-])\d)(?:\2\d){5,24}(?:[ ,-][A-Z])?", _is_no_count),
    _rule(
        CUT,
        r"(?<!\d )\d{1,4}[ /-]\d{7,10}(?:[ /-]\d{1,2})?(?:[ -]?[A-Z])?",
        ends=_UNPAID,
        accepts=_is_own,
        flags=0,
    ),
    _rule(CUT, r"\d{4}([ -])\d{4}\2\d\d\2\d{6,10}", ends=_UNPAID, accepts=_is_own),
    _rule(CUT, r"\d{4}(?:([ -])\d{4}){2,5}(?:\2?\d{1,3})?", _is_no_list, ends=_UNPAID, accepts=_is_own),
    _rule(
        CUT,
        r"(?<!\d )(?:[A-Z]{1,4}-?|[A-Z]{2} )?\d{7,24}(?:[ -]?[A-Z]{1,3})?",
        ends=_UNPAID,
        accepts=_is_own,
        flags=0,
    ),
    # A number cut short by an excerpt has lost its check, but still identifies someone.
    _rule(CUT, rf"(?:ES)?\d(?:(?:{_GAP}|/)?\d){{5,24}}", ends="", accepts=_is_cut),
)
