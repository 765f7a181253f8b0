"""Judgments and orders cited in a text, with their numbers, dates and ECLI. Pure functions.

A ruling is a word for one (an acronym, «sentencia», a court) and pieces in any order behind it: room, place,
number, date, appeal. The next ones of a list need no such word.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple

from law import dates
from law.cited_span import Span
from law.labels import MONTHS, fold
from law.ruling_form import appeal_problems, ecli_problems, number_problems, region_problems, year_of

_NUMBER = (
    r"(?!\d{1,2}/\d{1,2}/(?:19|20)?\d\d\b)(?:\d{1,3}\.\d{3}|\d[\dOl]{0,5})/[\dOl]{2,4}(?![\dOl])"
    r"(?:[/-]\w{1,6})*"
)
"""A number, «1.402/2020» too, and what is none: «12/2O22», «431/24/2», «1024/2019-bis»."""
_SCANNED = str.maketrans("Ol", "01")
_THOUSANDS = re.compile(r"(?<=\d)\.(?=\d{3}/)")
_TRIBUNAL = (
    r"(?:Tribunal (?:Supremo|Constitucional|Superior de Justicia|de Justicia(?: de la Unión Europea)?"
    r"|Europeo de Derechos Humanos)|Audiencia (?:Nacional|Provincial)|Juzgado de lo Social"
    r"|TSJ|TS|TC|TJUE|TEDH|AN)\b"
)
_WORD = re.compile(
    r"(?<![\w-])(?:(?P<acronym>S?S(?:TS|TC|TSJ|TJUE|TEDH|AN|AP|JS)|STSJUE|STJCE|A?A(?:TSJ|TS|TC|AN)"
    r"|s?sts|s?stsj|s?stc|stjue)|(?P<kind>[Ss]entencias?|SENTENCIAS?|[Aa]utos?|AUTOS?)"
    rf"|(?P<court>{_TRIBUNAL}))(?!\w)"
)
"""The beginning of a ruling."""
_DAY = (
    rf"(?:{dates.SPELLED}|{dates.NUMERIC}|\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2}}\b"
    r"|\d{1,2} de [a-zñ]+\b(?! de? ?\d)"
    rf"|\d{{1,2}} (?:{'|'.join(MONTHS)})\b(?: \d{{4}}\b)?)"
)
_SHORT_DAY = re.compile(r"(\d{1,2}) ([a-z]+) (\d{4})")
_NTH = r"(?:[Nn]úm(?:ero\b|s?\.)?|[Nn]\.?\s?[ºo°]\.?)"
_CASE = r"[CT][-‑]\d{1,4}/\d{2}"
_ECLI = re.compile(r"\bECLI\s*:\s*[A-Za-z]{0,3}\s*:\s*[A-Za-z0-9:.]*|\b(?:ES|EU):[A-Z]{1,7}:\d{2,4}:\w+")
_APPEAL = (
    r"(?i:r\.?c\.?u\.?d\.?|rco\.?|rsu\.?|rec(?:ursos?\b|s?\.|(?=\s))|r\.(?=\s?\d)|asuntos?\b|proc(?:edimiento\b|\.))"
    r"(?:\s+(?:de\s+)?(?:casación|suplicación|amparo|acumulados|rcud|cud)\b(?:[a-zñóí ]{0,40}(?=[\sn]))?)?"
)
_PLACE = r"[A-ZÁÉÍÓÚ][a-záéíóúñ-]+(?: y León|-La Mancha| La Mancha| Vasco| Rioja)?"
_LOWER = (
    "andaluc[íi]a|sevilla|m[áa]laga|granada|arag[óo]n|asturias|baleares|canarias|cantabria"
    "|castilla y le[óo]n|burgos|castilla[- ]la mancha|catalu[ñn]a|extremadura|galicia|la rioja|madrid|murcia"
    "|navarra|pa[íi]s vasco|valencia"
)
_ROOM = (
    r"(?:Gran Sala|[Ss]ala|[Ss]ec(?:ción\b|c?\.)|[Pp]leno)"
    r"(?:\s(?:\d{1,2}(?![\d/])\.?ª?|[^,.;:()\d«»¶]{2,40}?(?=\s?[,.;:()\d¶]|\sdel? (?:el |la )?T)))?"
)
_PIECES: Mapping[str, re.Pattern[str]] = {
    name: re.compile(rf"[\s,–—/-]{{0,6}}[(\[]?(?:{pattern})[)\]]?")
    for name, pattern in {
        "appeal": rf"{_APPEAL}\s*{_NTH}?\s*(?P<value>{_NUMBER}|{_CASE})|(?P<case>{_CASE})",
        "day": rf"(?P<value>(?:(?:(?:de|con|en) fecha(?: de)?|de|del|(?:dictad|fechad)[oa] el) )?"
        rf"(?:día )?{_DAY})",
        "number": rf"(?:{_NTH}\s*)?(?P<value>{_NUMBER})",
        "court": rf"(?:dictad[oa] )?(?:por|del?|en) (?:el |la )?(?P<value>{_TRIBUNAL})",
        "room": rf"(?:(?:dictad[oa] )?(?:por|del?) (?:la |el )?)?{_ROOM}"
        r"|(?<=[(\[])[^()\[\]¶\d«»]{2,60}(?=[)\]])",
        "place": rf"(?:(?:con )?sede (?:en|de) |del? (?:la |las |los )?)?{_PLACE}"
        rf"|(?:de )?(?:{_LOWER})\b",
        "ecli": rf"(?:;?\s*\[?R[Oo][Jj]\b[^,;()¶]{{0,30}}[\s,;–-]*)?;?\s?[(\[]?(?P<value>{_ECLI.pattern})",
        "other": rf"\d\.?ª|IV\b|{_NTH}\s*\d{{1,3}}(?![\d/.])|(?:en )?unificación de doctrina"
        rf"|asunto [^,;()¶\d]{{2,60}}|[A-ZÁÉÍÓÚ][\w. áéíóúñ]{{2,60}}(?=,? ?[(\[]?(?:{_CASE}|ECLI))",
    }.items()
}
"""Parts that may follow it, in any order."""
_TOLD = ("appeal", "day", "number", "ecli")
MOST_PIECES = 16
_NEXT = re.compile(
    r"\s*(?:[,;]|[,;]?\s(?:y|e|o|así como|junto con|también|y también))\s+"
    r"(?:(?:y|e) )?(?:(?:en )?l[ao]s? (?:(?:posterior|anterior|más reciente) )?)?(?=de|n|N|\d|\(|[rR]ec|rcu)"
)
"""Text between two rulings of a list."""
_BY_COURT = re.compile(rf"(?:{_TRIBUNAL}|\bSala (?:Cuarta|IV|4\.?ª|de lo Social))[^.;¶«»]{{0,70}}$")
_DOTTED = re.compile(
    r"\b(?:S\.\s?S\.|SS\.|[SA]\.)\s?(?:T\.\s?(?:S\.\s?J\.|[SC]\.|J\.\s?U\.\s?E\.|E\.\s?D\.\s?H\.)|A\.\s?N\.)(?!\w)"
)
_CLOSED = re.compile(r"\s*(?:[.,;:)»¶|\]]|$)")
_ROJ = re.compile(r"[\s,;(\[–-]*R[Oo][Jj]\b:?\s*")
_INITIALS = {
    "supremo": "TS", "constitucional": "TC", "superior": "TSJ", "derechos humanos": "TEDH",
    "de justicia": "TJUE", "union europea": "TJUE", "nacional": "AN", "provincial": "AP", "juzgado": "JS",
    "de instancia": "JS",
}  # fmt: skip
JUDGMENTS_OF = frozenset(f"S{court}" for court in _INITIALS.values())
"""Acronyms of the judgments of a court: 'STS', 'STSJ', 'STC'…"""
_OLD = {"STJCE": "STJUE", "STSJUE": "STJUE"}


class Ruling(Span):
    """A judgment or order as a text cites it.

    Attributes:
        court: 'STS', 'STSJ', 'STC'…; empty when only an ECLI is given.
        problem: what is wrong with its form, in Spanish; empty if nothing is.
    """

    court: str = ""
    number: str = ""
    day: date | None = None
    appeal: str = ""
    ecli: str = ""
    problem: str = ""


def rulings(text: str, today: date) -> list[Ruling]:
    """The rulings that a text cites, in order; an ECLI beside a citation is part of it.

    Args:
        today: no ruling is of a later day.
    """
    text = _DOTTED.sub(lambda one: re.sub(r"[.\s]", "", one[0]).ljust(len(one[0])), text)
    found: list[Ruling] = []
    for one in _written_rulings(text):
        words = text[one.start : one.end].rstrip(" ,.;")
        made = Ruling(
            start=one.start,
            end=one.start + len(words),
            text=words,
            court=_court(one.court),
            number=one.number,
            appeal=one.appeal,
            ecli=_written(one.ecli),
        )
        found.append(_examined(made, one.day, today))
    taken = {place for one in found for place in range(one.start, one.end)}
    found += (_of_ecli(ecli, today) for ecli in _ECLI.finditer(text) if ecli.start() not in taken)
    return sorted(found, key=lambda one: one.start)


class _Written(NamedTuple):
    """A ruling as it is written: its words for the court, its number, day and appeal, which may be empty."""

    start: int
    end: int
    court: str
    number: str = ""
    day: str = ""
    appeal: str = ""
    ecli: str = ""


def _written_rulings(text: str) -> Iterator[_Written]:
    """Every ruling with its number, day or appeal, also those that follow «SSTS de 3 de mayo de 2017 y»."""
    end = 0
    for word in _WORD.finditer(text):
        if word.start() < end or (end and _ROJ.fullmatch(text, end, word.start())):
            continue
        read = _read(text, word.start(), word.end(), word[0])
        one = read if _is_ruling(text, word, read) else None
        while one is not None:
            yield one
            end = one.end
            more = _NEXT.match(text, end)
            one = _next(text, more, one) if more else None


def _read(text: str, start: int, at: int, court: str, *, listed: bool = False) -> _Written:
    """The ruling with the pieces that stand from `at` on; its end is that of the last one that says which."""
    told: dict[str, str] = {}
    end, plural = at, court.startswith("SS") or court.endswith("s")
    for _ in range(MOST_PIECES):
        found = _piece(text, at, told)
        if found is None:
            break
        name, match = found
        value = next(filter(None, match.groups()), "")
        if name == "number" and "day" in told:
            if plural:
                break
            # «STS 12-3-2020, 2145/2017» has its appeal there.
            year = re.search(r"\d{4}|\d\d$", told["day"])
            name = "number" if year and str(year_of(value))[-2:] == year[0][-2:] else "appeal"
        if (listed and not told and name not in _TOLD) or _is_of_another(text, start, match, name):
            break
        at = match.end()
        told.setdefault(name, value)
        end = at if name in _TOLD else end
    while end > start and text[end - 1] in ")]" and text.count("(", start, end) < text.count(")", start, end):
        end -= 1
    number = _THOUSANDS.sub("", told.get("number", "")).translate(_SCANNED)
    words = f"{court} {told['court']}" if "court" in told else court
    return _Written(
        start, end, words, number, told.get("day", ""), told.get("appeal", ""), told.get("ecli", "")
    )


def _is_of_another(text: str, start: int, piece: re.Match[str], name: str) -> bool:
    """True of an ECLI behind a semicolon that stands in no parenthesis of the ruling."""
    apart = name == "ecli" and ";" in piece[0] and "oj" not in piece[0].lower()
    return apart and text.count("(", start, piece.start()) <= text.count(")", start, piece.start())


def _piece(text: str, at: int, told: Mapping[str, str]) -> tuple[str, re.Match[str]] | None:
    for name, pattern in _PIECES.items():
        if (name not in told or name not in _TOLD) and (match := pattern.match(text, at)):
            return name, match
    return None


def _is_ruling(text: str, word: re.Match[str], one: _Written) -> bool:
    """True if the pieces say which ruling it is: a date alone is that of many a «sentencia»."""
    if word["acronym"]:
        return bool(one.number or one.appeal or (one.day and word[0].isupper()))
    if word["court"]:
        said = word[0].isupper() and (one.number or re.search(r"\d{4}|\d$", one.day))
        return bool(said or (one.day and (one.number or one.appeal)))
    of_court = one.court != word[0] or _BY_COURT.search(text, max(0, word.start() - 90), word.start())
    return bool((one.number and word[0].lower() != "autos") or (of_court and one.day + one.number))


def _next(text: str, joint: re.Match[str], last: _Written) -> _Written | None:
    """Another ruling of the same court: «SSTS de 3 de mayo de 2017 y 4 de junio de 2018»."""
    one = _read(text, joint.end(), joint.end(), last.court, listed=True)
    dated = re.search(r"\d{4}|\d$", one.day) and (
        last.court.startswith("SS") or last.court.endswith("s") or _CLOSED.match(text, one.end)
    )
    return one if one.number or one.appeal or dated else None


def _examined(ruling: Ruling, day_words: str, today: date) -> Ruling:
    """The ruling with its day, which may leave the year to the number, and with what is wrong in it."""
    year = year_of(ruling.number)
    day_words = _SHORT_DAY.sub(r"\1 de \2 de \3", day_words)
    if year and day_words.strip() and not re.search(r"\d{4}", day_words):
        day_words = f"{day_words.strip()} de {year}"
    day = dates.parse(day_words)
    problems = [
        *number_problems(ruling.court, ruling.number, day_words, today),
        *appeal_problems(ruling.appeal, day),
        *ecli_problems(ruling.court, ruling.number, day, ruling.ecli, today),
        *region_problems(ruling.text, ruling.ecli),
    ]
    return ruling.model_copy(update={"day": day, "problem": " ".join(problems)})


def _of_ecli(match: re.Match[str], today: date) -> Ruling:
    """An ECLI by itself."""
    words, ecli = match[0].rstrip(" ,.;"), _written(match[0])
    problem = " ".join(ecli_problems("", "", None, ecli, today))
    start = match.start()
    return Ruling(start=start, end=start + len(words), text=words, ecli=ecli, problem=problem)


def _written(ecli: str) -> str:
    written = "".join(ecli.split()).rstrip(".,;")
    return f"ECLI:{written}" if written and not written.startswith("ECLI") else written


def _court(words: str) -> str:
    """'STS' of 'SSTS', of 'TS' and of 'sentencia del Tribunal Supremo'."""
    folded = fold(words)
    if not folded.startswith(("sent", "auto", "trib", "aud", "juzg")):
        acronym = words.split(maxsplit=1)[0].upper()
        single = acronym.removeprefix("S") if acronym.startswith("SS") else acronym
        return _OLD.get(single, f"S{single}" if re.fullmatch(_TRIBUNAL, single) else single)
    kind = "A" if folded.startswith("auto") else "S"
    return kind + (initials(folded) or words.rsplit(" ", 1)[-1])


def initials(court: str) -> str:
    """'TS' of the folded name of a court; empty if none is known."""
    return next((code for name, code in _INITIALS.items() if name in court), "")
