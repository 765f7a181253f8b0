"""Term of a collective agreement: its first and last agreed days, and what its text says comes afterwards."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from law import dates
from law.labels import fold
from loading.formats.entry_into_force import on_publication
from text.numerals import NUMERALS

LONGEST = 1500
MAX_AFTER = 600

_OF_IT = r"(?! de(?!l? (?:presente |este )?convenio))"
_ON_TERM = re.compile(rf"\b(?:vigencia|ambito temporal|duracion{_OF_IT}|entrada en vigor)\b")
_ON_AFTER = re.compile(rf"\b(?:denuncia|prorroga{_OF_IT}|ultraactividad)\b")
_ALONE = re.compile(r"\bultraactividad\b")
_OF_CONTRACTS = re.compile(r"\b(?:contratos?|contratacion|contratados?)\b")
_OF_TERM = re.compile(r"\b(?:vigencia|vigor|efectos|duraci[oó]n|rige|regir[áa])\b", re.IGNORECASE)

_DAY = rf"(?:el |del )?(?:pr[óo]ximo )?(?:d[ií]a )?({dates.ANY})"
_ENDS = r"(?:hasta|finali[sz]\w*|termin\w*|conclu\w*|expir\w*|venc\w*|exting\w*|caduc\w*|acab\w*)"
# What may stand between a word and its day: one sentence, in which nothing ends, is extended or denounced.
_BETWEEN = rf"(?:(?!\b(?:{_ENDS}|prorrog|denunci|al (?:d[ií]a )?\d))(?:[^.\n]|\.(?!\s+(?-i:[A-ZÁÉÍÓÚ]))))"
_BARE = r"\d{1,2}[ºª]? de [a-zñ]+"
# «Del 1 de enero de 2025 al 31 de diciembre de 2027», «del 1 de enero al 31 de diciembre de 2026».
_RANGES = (
    re.compile(
        rf"\b(?:del|desde|a partir de|efectos)\b{_BETWEEN}{{0,40}}?{_DAY}"
        rf"[^\n]{{0,60}}?\b(?:al|a|{_ENDS}) {_DAY}",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:de|entre) {_DAY},? (?:al?|y|{_ENDS}) {_DAY}", re.IGNORECASE),
    re.compile(
        rf"\b(?:del?|desde|entre)(?: el)?(?: d[ií]a)? ({_BARE}) (?:al?|y|{_ENDS}) {_DAY}", re.IGNORECASE
    ),
)
_START = re.compile(
    rf"\b(?:entra(?:r[áa]n?)? en vigor|surtir[áa]n? efectos?)\b{_BETWEEN}{{0,80}}?\b{_DAY}", re.IGNORECASE
)
_OWN_START = re.compile(
    rf"\b(?:(?:vigencia|duraci[oó]n|efectos?|rige|regir[áa])\b{_BETWEEN}{{0,60}}?"
    rf"\b(?:desde|a partir|con fecha)(?: de)?|retrotra[^.\n\d]{{0,60}}?\bal?"
    rf"|(?:inici|comen[zc]|comienz)[^.\n\d]{{0,40}}?) {_DAY}",
    re.IGNORECASE,
)
_END = re.compile(rf"\b{_ENDS}\b[^.\n\d]{{0,40}}?{_DAY}", re.IGNORECASE)
_YEARS = re.compile(
    r"\b(?:(?:años?|ejercicios?|per[ií]odo|bienio|trienio|cuatrienio)\b[^.\n\d]{0,12}?"
    r"|(?:vigencia|duraci[oó]n|rige|regir[áa])\b[^.\n\d]{0,60}?)"
    r"\b(20\d\d)((?:\s*(?:,|/|-|–|y|al?|hasta)\s*20\d\d)+)\b",
    re.IGNORECASE,
)
_OF_PAY = re.compile(r"%|\b(?:increment|sub(?:e|ir|id)|salari|tabla|retributiv)", re.IGNORECASE)
_COUNTS = ("un", *NUMERALS[1:10])
_DURATION = re.compile(
    rf"\b(?:dur(?:a|ar[áa]|aci[oó]n)|vigencia|durante|por)\b{_BETWEEN}{{0,60}}?"
    rf"\b(\d{{1,2}}|{'|'.join(_COUNTS)}) "
    r"(?:\([^)]{1,8}\) )?años?\b",
    re.IGNORECASE,
)
_TABLES_OF_YEAR = re.compile(
    r"\btablas? (?:salarial|retributiv|de salarios|de retribuciones)[^.\d]{0,60}\b(20\d\d)\b", re.IGNORECASE
)
_SENTENCES = re.compile(r"(?<=[.;])\s+(?=[A-ZÁÉÍÓÚÑ¿«])")
_AFTER = re.compile(
    r"\bprorrog|\bultraactividad\b|\bperd(?:er|id)\w* (?:de )?(?:su |la )?(?:vigencia|eficacia)\b|\bdecaer"
    r"|\b(?:mant[ei]\w+|siguen?|seguir\w*|continu\w+|permanec\w+|conserv\w+|subsist\w+|qued\w+)\b"
    r"[^.]{0,80}\b(?:vigen|vigor|aplic|eficacia|durante |hasta )"
    r"|\bhasta (?:tanto|que se|la (?:firma|suscripcion|entrada en vigor|aprobacion|publicacion)\b)"
)
# What a provision on nothing else says of it without these words: «Dieciséis meses desde la denuncia».
_AFTER_ALONE = re.compile(r"\b(?:meses|años?|denuncia\w*|plazo|mientras|despues|pasad\w+|se aplica\w*)\b")


class Term(NamedTuple):
    """First and last agreed day, and the sentences on what comes after the last one; '' when not said."""

    since: date | None = None
    until: date | None = None
    after: str = ""


def read_term(
    provisions: Sequence[tuple[str, str]],
    paragraphs: Sequence[str],
    title: str = "",
    published: date | None = None,
) -> Term:
    """The term by the provisions on it, by the first paragraph that tells it, or by the year of the tables.

    Args:
        provisions: title, folded, and text of each.
        title: of the document, «… Tablas salariales 2026».
        published: day of its journal, for a term that begins with its publication.
    """
    own = [text[:LONGEST] for title, text in provisions if _ON_TERM.search(title)]
    since, until = _days(own, own=True)
    if since is None and published:
        since = on_publication(own, published)
    if since is None and until is None:
        told = [text[:LONGEST] for text in paragraphs if _OF_TERM.search(text[:LONGEST])]
        since, until = _days([text for text in told if not own or "convenio" in text.lower()])
    if since and until and since >= until:
        since = None
    if since is None and until is None and (year := _TABLES_OF_YEAR.search(title)):
        since = date(int(year[1]), 1, 1)
    return Term(since, until, _after(provisions))


def _days(texts: Sequence[str], *, own: bool = False) -> tuple[date | None, date | None]:
    """Days that the texts tell.

    Args:
        own: they are about the term alone, so that a number of years is its length.
    """
    for one in _RANGES:
        if found := _first(one, texts):
            until = dates.parse(found[2])
            return dates.parse(found[1]) or (
                dates.parse(f"{found[1]} de {until.year}") if until else None
            ), until
    start = _first(_START, texts) or (_first(_OWN_START, texts) if own else None)
    since = dates.parse(start[1]) if start else None
    if not own:
        return since, None
    if end := _first(_END, texts):
        return since, dates.parse(end[1])
    texts = [one for text in texts for one in _SENTENCES.split(text) if not _OF_PAY.search(one)]
    if years := _first(_YEARS, texts):
        return since or date(int(years[1]), 1, 1), date(int(years[2][-4:]), 12, 31)
    length = _first(_DURATION, texts)
    return since, _last_day(since, length[1]) if since and length else None


def _first(pattern: re.Pattern[str], texts: Sequence[str]) -> re.Match[str] | None:
    return next((found for text in texts if (found := pattern.search(text))), None)


def _last_day(since: date, years: str) -> date:
    count = int(years) if years.isdigit() else _COUNTS.index(years.lower()) + 1
    month_end = since.month == 2 and since.day == 29
    return (since.replace(day=28) if month_end else since).replace(year=since.year + count) - timedelta(
        days=1
    )


def _after(provisions: Sequence[tuple[str, str]]) -> str:
    """The sentences of provisions on the term that say what follows it, at most MAX_AFTER characters."""
    said = " ".join(_following(provisions))
    return said if len(said) <= MAX_AFTER else said[:MAX_AFTER].rpartition(" ")[0] + " […]"


def _following(provisions: Sequence[tuple[str, str]]) -> Iterator[str]:
    for title, text in provisions:
        if (_ON_TERM.search(title) or _ON_AFTER.search(title)) and not _OF_CONTRACTS.search(title):
            alone = _ALONE.search(title)
            for one in _SENTENCES.split(text):
                if _AFTER.search(fold(one)) or (alone and _AFTER_ALONE.search(fold(one))):
                    yield one
