"""Values as a writ says them: names in their case, amounts in words, sums of lists. Pure functions."""

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal

from calculations.written_amounts import euros
from casework.templates.template_types import Given, Kind
from law.dates import amount, spelled

_PARTICLES = frozenset(
    ["de", "del", "la", "las", "los", "el", "y", "e", "i", "da", "das", "do", "dos", "van", "von", "di", "al"]
)
_FORMS = frozenset(["sl", "sa", "slu", "sau", "sll", "sal", "slp", "slne", "sc", "scp", "cb"])
"""Legal forms by their letters, «sl» and «S.L.» alike."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_FORM = re.compile(r"\b([A-Za-z](?:\.? ?[A-Za-z]){1,3})\.?(?=$|[\s,)])")
_INITIALS = re.compile(r"[^aeiouáéíóúü]+|([b-df-hjkm-np-tv-z])\1.*", re.I)
"""Words that nobody pronounces: «SGPS», «BBVA»."""
_TOTAL = re.compile(r"(?:sub)?total|suma[n ]", re.I)
_EUROS = re.compile(r"(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d{1,2})?(?=\s*(?:€|euros?))|\d[\d.]*,\d\d(?!\d)", re.I)


def in_words(value: Given, kind: Kind) -> str:
    """A fact as a brief says it: '5 de mayo de 2031', '1.250,00 euros', 'María de la Peña López'."""
    if isinstance(value, bool):
        return "sí" if value else "no"
    if isinstance(value, date):
        return spelled(value)
    if isinstance(value, Decimal):
        return f"{euros(value).removesuffix(' €')} euros"
    if kind == "name":
        return _WORD.sub(_cased(value, company=False), value)
    if kind == "phrase":
        acronym = value[1:2].isupper()
        return value.lower() if value.isupper() else value if acronym else value[:1].lower() + value[1:]
    return _company(value) if kind == "company" else value


def sum_of(text: str) -> Decimal | None:
    """The amounts in euros that a text lists, without those of a multiplication or a total; None without any.

    «12 horas × 15,00 € = 180,00 €» counts 180.
    """
    counted = [
        found
        for line in re.split(r"[\n;]", text)
        if not _TOTAL.match(line.strip(" -•—*\t"))
        for found in _EUROS.findall(line.rpartition("=")[2])
    ]
    amounts = [one for one in map(amount, counted) if one is not None]
    return sum(amounts, Decimal(0)) if amounts else None


def _company(text: str) -> str:
    """A company's name in its case, with the dots of its legal form."""
    cased = _WORD.sub(_cased(text, company=True), text)
    for found in _FORM.finditer(cased):
        letters = re.sub(r"[^A-Za-z]", "", found[1])
        if found.start() and letters.lower() in _FORMS:
            return f"{cased[: found.start()]}{'.'.join(letters.upper())}.{cased[found.end() :]}"
    return cased


def _cased(text: str, *, company: bool) -> Callable[[re.Match[str]], str]:
    """The replacement of a word of a name: one typed in its case is left as it is.

    Surnames are often typed in capitals beside a name that is not; a company may be called by capitals.
    """
    plain = text.isupper() or text.islower()

    def cased(found: re.Match[str]) -> str:
        word = found[0]
        capitals = word.isupper() and (len(word) > 2 or word.lower() in _PARTICLES)
        if not (plain or (capitals and not company)):
            return word
        before, after = text[: found.start()], text[found.end() :][:1]
        if before.endswith(".") or after == "." or (company and word.isupper() and _INITIALS.fullmatch(word)):
            return word.upper() if len(word) == 1 or word.isupper() else word.capitalize()
        if before and word.lower() in _PARTICLES:
            return word.lower()
        return "".join(part.capitalize() for part in re.split(r"(['’])", word))

    return cased
