"""Judgments and orders cited in a text, with their numbers, dates and ECLI. Pure functions."""

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from rag.briefs.findings import Ruling
from rag.briefs.ruling_form import ecli_problems, number_problems, year_of
from rag.law import dates
from rag.law.labels import MONTHS, fold

_NUMBER = (
    r"(?!\d{1,2}/\d{1,2}/(?:19|20)?\d\d\b)(?:\d{1,3}\.\d{3}|\d{1,6})/[\dOl]{2,4}(?![\dOl])(?:[/-]\w{1,6})*"
)
"""A number, «1.402/2020» too, and what is none: «12/2O22», «431/24/2», «1024/2019-bis»."""
_THOUSANDS = re.compile(r"(?<=\d)\.(?=\d{3}/)")
_REGION = r"[A-ZÁÉÍÓÚ][\wáéíóúñ]+(?: y León|-La Mancha| de Madrid| Vasco)?"
_ACRONYMS = "SSTS|STSJUE|STJUE|SSTJUE|STJCE|SSTSJ|STSJ|SSTC|SSAN|STEDH|STS|STC|SAN|SAP|SJS|ATSJ|ATS|ATC|AAN"
_TRIBUNAL = (
    rf"(?:Tribunal (?:Supremo|Constitucional|Superior de Justicia(?: de(?:l| la| las| los)? {_REGION})?"
    r"|de Justicia de la Unión Europea|Europeo de Derechos Humanos)|Audiencia (?:Nacional|Provincial)"
    r"|TS|TC|TSJ|TJUE|AN)"
)
_COURT = (
    rf"(?P<court>(?:{_ACRONYMS})\b"
    rf"|(?:[Ss]entencias?|[Aa]utos?) (?:de la Sala [^,.;]{{3,30}} )?(?:del?|de la) {_TRIBUNAL}\b)"
)
_FILLER = (
    r"(?:\s*[,/–-]?\s*(?:\([^()\n]{1,60}\)|Sec(?:c(?:ión)?)?\.?\s\d{1,2}(?:\.?ª)?|(?:de|del)\s+(?:la\s+)?(?:Sala|Pleno|Sección)[^,.;()\d]{0,40}"
    r"|Sala\s+[^,;()]{2,30}(?:\.ª)?|(?:de la |de |del )?[A-ZÁÉÍÓÚ][a-záéíóúñ-]+(?: y León| La Mancha)?"
    r"|\d\.?ª|IV\b|núm(?:ero|\.)?|n\.?\s?[ºo°]\.?|unificación de doctrina)\s?[–-]?){0,4}"
)
_DAY = (
    rf"(?:{dates.SPELLED}|{dates.NUMERIC}|\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2}}\b"
    r"|\d{1,2} de [a-zñ]+\b(?! de? ?\d)"
    rf"|\d{{1,2}} (?:{'|'.join(MONTHS)})\b(?: \d{{4}}\b)?)"
)
_SHORT_DAY = re.compile(r"(\d{1,2}) ([a-z]+) (\d{4})")
_CITED = re.compile(
    rf"\b{_COURT}{_FILLER}(?:\s*,?\s*(?P<number>{_NUMBER}))?"
    rf"(?P<day>(?:\s*,?\s*(?:(?:de(?: fecha)?|del)\s+)?(?:día\s+)?{_DAY})?)"
)
_BACKWARDS = re.compile(
    rf"\b(?P<kind>[Ss]entencia|[Aa]uto)(?:\s(?:núm(?:ero|\.)?|n\.?\s?[ºo°]\.?))?(?:\s*(?P<number>{_NUMBER}))?"
    rf"(?P<day>(?:\s*,?\s*(?:de(?: fecha)?|del)\s+(?:día\s+)?{_DAY})?)\s*,?\s*"
    r"(?:dictada por (?:el|la)|del|de la)\s"
    rf"(?:Sala [^,.;()¶]{{3,40}}?\s(?:del|de la)\s)?(?P<court>{_TRIBUNAL}\b)(?: de (?:la |las )?{_REGION})?"
)
"""«Sentencia n.º 44/2020, de 3 de febrero, del TSJ de Galicia»."""
_DOTTED = re.compile(
    r"\b(?:S\.\s?S\.|SS\.|[SA]\.)\s?(?:T\.\s?(?:S\.\s?J\.|[SC]\.|J\.\s?U\.\s?E\.|E\.\s?D\.\s?H\.)|A\.\s?N\.)(?!\w)"
)
_PLURAL = re.compile(r"SS|[Ss]entencias|[Aa]utos")
_ALSO = re.compile(
    rf"\s*(?:[,;]|[,;]?\s[ye]\s)\s*(?:(?:la\s+)?(?:núm\.?\s*|n\.?º\s*)?(?P<number>{_NUMBER}))?"
    rf"(?P<day>(?:\s*,?\s*(?:(?:de(?: fecha)?|del|la de)\s+)?(?:día\s+)?{_DAY})?)"
)
"""Another ruling of the same court: «SSTS de 3 de mayo de 2017 y 4 de junio de 2018»."""
_APPEAL = re.compile(
    r"\s*,?\s*\(?\s*(?:rec(?:urso|s?\.)?|r\.?c\.?u\.?d\.?|rcuds?\.?|rco\.?|asuntos?|proc(?:edimiento|\.)?)"
    r"(?:\s+de\s+(?:casación|suplicación)[\w ]{0,40}?)?\s*(?:núm(?:ero|\.)?|n\.?\s?[ºo°]\.?)?"
    rf"\s*(?P<appeal>C-\d{{1,4}}/\d{{2}}|{_NUMBER})\)?|\s*,?\s*\(?(?P<case>C-\d{{1,4}}/\d{{2}})\)?",
    re.IGNORECASE,
)
_ECLI = re.compile(r"\bECLI\s*:\s*[A-Za-z]{0,3}\s*:\s*[A-Za-z0-9:.]*|\b(?:ES|EU):[A-Z]{1,7}:\d{2,4}:\w+")
NEAR = 60
_BRACKET = re.compile(r"\s*[(\[]\s*")
_BESIDE = re.compile(r"[\s,–-]*(?:;?\s*\[?R[Oo][Jj]\b[^,;()¶]{0,30}[\s,;–-]*)?")
"""What stands between a ruling and the ECLI that is part of its citation; one in brackets is another."""
_NAMES = {
    "supremo": "TS", "constitucional": "TC", "superior": "TSJ", "union europea": "TJUE",
    "derechos humanos": "TEDH", "nacional": "AN", "provincial": "AP",
}  # fmt: skip
_OLD = {"STJCE": "STJUE", "STSJUE": "STJUE"}


def rulings(text: str, today: date) -> list[Ruling]:
    """The rulings that a text cites, in order; an ECLI beside a citation is part of it.

    Args:
        today: no ruling is of a later day.
    """
    text = _DOTTED.sub(lambda one: re.sub(r"[.\s]", "", one[0]).ljust(len(one[0])), text)
    eclis = {match.start(): match for match in _ECLI.finditer(text)}
    found: list[Ruling] = []
    for one in sorted(_written_rulings(text)):
        if found and one.start < found[-1].end:
            continue
        near = next((at for at in eclis if 0 <= at - one.end <= NEAR), None)
        beside = near is not None and _BESIDE.fullmatch(text, one.end, near)
        ecli = eclis.pop(near) if near is not None and beside else None
        words = text[one.start : ecli.end() if ecli else one.end].rstrip(" ,.;")
        made = Ruling(
            start=one.start,
            end=one.start + len(words),
            text=words,
            court=_court(one.court),
            number=one.number,
            appeal=one.appeal,
            ecli=_written(ecli),
        )
        found.append(_examined(made, one.day, today))
        if near is not None and not beside and _BRACKET.fullmatch(text, one.end, near):
            found.append(_of_ecli(eclis.pop(near), today, found[-1]))
    found += (_of_ecli(ecli, today) for ecli in eclis.values())
    return sorted(found, key=lambda one: one.start)


class _Written(NamedTuple):
    """A ruling as it is written: its words for the court, its number, day and appeal, which may be empty."""

    start: int
    end: int
    court: str
    number: str
    day: str
    appeal: str


def _written_rulings(text: str) -> Iterator[_Written]:
    """Every ruling with its number, day or appeal, also those that follow «SSTS de 3 de mayo de 2017 y»."""
    for match in _CITED.finditer(text):
        one = _read(text, match, match["court"])
        while one is not None:
            yield one
            more = _ALSO.match(text, one.end) if _PLURAL.match(one.court) else None
            one = _read(text, more, one.court) if more else None
    for match in _BACKWARDS.finditer(text):
        if one := _read(text, match, f"{match['kind']} del {match['court']}"):
            yield one


def _read(text: str, match: re.Match[str], court: str) -> _Written | None:
    appeal = _APPEAL.match(text, match.end())
    number, day = _THOUSANDS.sub("", match["number"] or ""), match["day"]
    if not (number or day.strip() or (appeal and "court" in match.groupdict())):
        return None
    start = match.start() if "court" in match.groupdict() else match.end() - len(match[0].lstrip(" ,;"))
    cited = (appeal["appeal"] or appeal["case"]) if appeal else ""
    return _Written(start, appeal.end() if appeal else match.end(), court, number, day, cited)


def _examined(ruling: Ruling, day_words: str, today: date) -> Ruling:
    """The ruling with its day, which may leave the year to the number, and with what is wrong in it."""
    year = year_of(ruling.number)
    day_words = _SHORT_DAY.sub(r"\1 de \2 de \3", day_words)
    if year and day_words.strip() and not re.search(r"\d{4}", day_words):
        day_words = f"{day_words.strip()} de {year}"
    day = dates.parse(day_words)
    problems = [
        *number_problems(ruling.court, ruling.number, day_words, today),
        *ecli_problems(ruling.court, ruling.number, day, ruling.ecli, today),
    ]
    return ruling.model_copy(update={"day": day, "problem": " ".join(problems)})


def _of_ecli(match: re.Match[str], today: date, of: Ruling | None = None) -> Ruling:
    """An ECLI by itself; `of`: the ruling that it has to fit."""
    words, ecli = match[0].rstrip(" ,.;"), _written(match)
    court, number, day = (of.court, of.number, of.day) if of else ("", "", None)
    problem = " ".join(ecli_problems(court, number, day, ecli, today))
    start = match.start()
    return Ruling(start=start, end=start + len(words), text=words, ecli=ecli, problem=problem)


def _written(ecli: re.Match[str] | None) -> str:
    written = "".join(ecli[0].split()).rstrip(".,;") if ecli else ""
    return f"ECLI:{written}" if written and not written.startswith("ECLI") else written


def _court(words: str) -> str:
    """'STS' of 'SSTS' and of 'sentencia del Tribunal Supremo'."""
    if words.isupper() and " " not in words:
        single = words.removeprefix("S") if words.startswith("SS") else words
        return _OLD.get(single, single)
    folded = fold(words)
    kind = "A" if folded.startswith("auto") else "S"
    return kind + next((code for name, code in _NAMES.items() if name in folded), words.rsplit(" ", 1)[-1])
