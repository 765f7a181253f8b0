"""Dates and periods in a question: the day whose law it asks about. Pure functions.

A year or a month stands for its middle day: a wording in force for more than half of it was in force on that
day, and norms published at the very end of a year do not count as that year's law. The current year or month
stands for today. A number that belongs to a norm's name or to an amount is never a year.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from rag.law.labels import MONTHS, fold
from rag.law.labels import month as month_of
from rag.text.numerals import NUMERALS
from rag.understanding.events import reforms_named
from rag.understanding.happened import HAPPENED, IMPERFECT, Asked, asks_of_today, main_clause
from rag.understanding.types import TimeScope

OLDEST = 1900
# «¿Y hace dos años?» asks about then; «trabajo aquí hace dos años» does not.
ALONE = 4

_MONTH = rf"(?P<month>{'|'.join(MONTHS)}|setiembre)"
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d|/|[.,]\d|-\d)"
_OF = r"\s+(?:(?:de|del)\s+)?(?:(?:el\s+)?ano\s+)?"
_COUNTS = {"un": 1, "una": 1} | {fold(word): value for value, word in enumerate(NUMERALS[1:], start=2)}
_COUNT = rf"(?P<count>\d{{1,2}}|{'|'.join(_COUNTS)})"

_PERIODS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("day", re.compile(rf"\b(?P<day>\d{{1,2}}|uno|primero)[º°]? de {_MONTH}{_OF}{_YEAR}")),
    ("day", re.compile(rf"(?<![\d/.-])(?P<day>\d{{1,2}})(?P<sep>[/.-])(?P<monthn>\d{{1,2}})(?P=sep){_YEAR}")),
    ("day", re.compile(r"(?<![\d/-])(?P<year>(?:19|20)\d\d)-(?P<monthn>\d\d)-(?P<day>\d\d)(?![\d-])")),
    ("day", re.compile(rf"\b(?P<day>\d{{1,2}}) de {_MONTH} del (?P<last>ano pasado)\b")),
    ("month", re.compile(rf"\b{_MONTH}{_OF}{_YEAR}")),
    ("month", re.compile(rf"\b{_MONTH} del (?P<last>ano pasado)\b")),
    ("month", re.compile(rf"\b{_MONTH} de (?P<this>este ano)\b")),
    ("month", re.compile(rf"\b(?:el pasado (?:mes de )?{_MONTH})\b")),
    ("month", re.compile(rf"\b{_MONTH} pasado\b")),
    ("month", re.compile(r"\b(?P<lastmonth>(?:el )?(?:mes pasado|pasado mes)(?! de))\b")),
    ("year", re.compile(r"\b(?:el )?(?P<last>ano pasado|pasado ano)\b")),
    ("year", re.compile(r"\b(?:el )?(?P<before>ano antepasado)\b")),
    (
        "ago",
        re.compile(rf"\bhace (?:ya |unos |unas |casi )?{_COUNT} (?P<unit>anos?|meses|mes|semanas?|dias?)\b"),
    ),
    ("ago", re.compile(r"\b(?P<yesterday>ayer)\b")),
    (
        "year",
        re.compile(
            rf"\b(?:en|durante|de|del|para|a|entre|y|antes de|hasta|desde)(?: el| todo)?(?: ano)? {_YEAR}"
        ),
    ),
    ("year", re.compile(rf"\b(?:ano|ejercicio|anualidad) {_YEAR}")),
    ("year", re.compile(rf"(?<![\d/.,-])\b{_YEAR}(?=\s*(?:[?!.,;)]|$))")),
)
_FUTURE = re.compile(r"\b(?:el )?(?:ano que viene|proximo ano|ano proximo|mes que viene|proximo mes)\b")

_NORM_WORD = (
    r"ley|leyes|estatuto|constitucion|codigo|reglamento|real decreto|decreto|orden|convenio|reforma|directiva"
    r"|texto refundido|pacto"
)
_NAMES = (
    # «Ley 31/1995, de 8 de noviembre», «STS 123/2019», «TAS/2865/2003», «expediente 45/2018»
    re.compile(r"(?<![\d/])\d{1,5}/(?:19|20)\d\d\b(?:,? de \d{1,2} de [a-z]+)?"),
    # «la Ley de Empleo de 2003», «el convenio de hostelería de 2019»
    re.compile(
        rf"\b(?:{_NORM_WORD})(?: (?!en\b|sobre\b|para\b|que\b|y\b)[a-z]+){{0,8}} del? (?:ano )?(?:19|20)\d\d"
    ),
    re.compile(r"\b(?:et|lgss|lisos|lprl|lrjs|leta|ce|rdl?)(?: de(?:l ano)?)? (?:19|20)\d\d"),
    re.compile(r"\b(?:boe|bocm|doue?|dogc|dogv)[^?.;]{0,20}?(?:19|20)\d\d"),
)
_MEASURED = re.compile(
    r"\s*(?:euros?|eur\b|€|pesetas|personas|trabajador|emplead|horas|dias|jornadas|kilometros|km\b|metros"
    r"|por ciento|%|habitantes|afiliad)"
)

_BEFORE = re.compile(
    r"\b(?:antes|anterior(?:es)?|previ[oa]s?|con anterioridad)(?: de| del| a| al)?(?: el| la)? ?$"
)
_SINCE = re.compile(
    r"\b(?:desde|a partir de|a partir del|despues de|despues del|tras|posterior(?:es)? a|posterior al"
    r"|a contar desde)(?: el| la| hace)?(?: mes de)? ?$"
)
# Hire, birth, contributions: the dates of a biography choose no law.
_STARTED = re.compile(
    r"\b(?:naci|nacio|nacid[oa]s?|nacimos|nacieron|nacimiento|empece|empezo|empezado|comence|comenzo"
    r"|entre(?: a trabajar)?|entrad[oa]|ingrese|ingreso en"
    r"|entro|contrat(?:e|aron|ad[oa]s?|o|acion)|contratos? (?:anterior(?:es)?|de(?= (?:el )?(?:dia )?$))"
    r"|firme|firmo|firmad[oa]s?|firmamos|antiguedad|alta|fij[oa]s?"
    r"|cas[eo]|casad[oa]s?|divorci[eo]|divorciad[oa]s?|separ[eo]|separad[oa]s?"
    r"|constituid[oa]|cotic[eo]|cotizad[oa]s?|cotizando|cotizacion(?:es)?"
    r"|trabaje|(?<!de )(?<!del )trabajo|trabajando|trabajado)"
    r"\b[^?;]{0,40}$"
)
_BACK_THEN = re.compile(rf"\b(?:{IMPERFECT}|era|eran|iban?|fue|fueron|hubo|vigente|en vigor)\b")
# Said of a date of hire: «¿qué duración permitía la ley?», «¿lo permitía la ley de aquel día?»
_LAW_THEN = re.compile(
    rf"\b(?:{IMPERFECT}|eran?|entonces|(?:aquel|ese|mismo) (?:dia|mes|ano|momento)"
    r"|(?:aquella|esa) (?:fecha|epoca)|vigente cuando)\b"
)
# «¿Qué recargo le correspondía entonces?» speaks of the day told last.
_THAT_DAY = re.compile(r"\b(?:entonces|(?:aquel|ese) (?:dia|momento)|(?:aquella|esa) fecha)\b")
_LAW_OF = re.compile(
    r"\b(?:vigentes?|en vigor|redaccion|ley|leyes|normativa|legislacion|regulacion)"
    r"(?: (?:vigente|en vigor|aplicable))?(?: (?:a|al|el|en|de|del))?(?: (?:fecha|dia)(?: de(?:l)?)?)? ?$"
)
# «Y ahora leo que son cinco» tells when somebody learnt of it, and asks for no law of today.
_LEARNT = (
    r"(?: (?:me|nos))? (?:leo|leemos|veo|vemos|descubro|peleo|discuto|pleiteo|me entero|dicen que"
    r"|(?:he|hemos) (?:leido|visto|sabido|descubierto))\b"
)
_NOW = re.compile(rf"\b(?:hoy|ahora|actualmente|en la actualidad)\b(?!{_LEARNT})")
# The birth of a child is what a leave for it is judged by.
_BORN = re.compile(
    r"\b(?:(?:hij[oa]s?|bebes?|nin[oa]s?|mellizos|gemelos) (?:nacio|nacieron)|fui (?:padre|madre))\b"
    r"|(?<!fecha de )\bnacimiento(?: (?:de|del|el|en|mi|un|una|la|dia|hij[oa]s?|bebe))*\s*$"
)
_BIRTH_LEAVE = re.compile(
    r"\b(?:(?:permiso|suspension|prestacion|baja|semanas)\b[^?.;]* (?:nacimiento|paternidad|maternidad))"
)


# A statement ends at a full stop that no digit follows, or where a question begins.
_CLAUSE = re.compile(r"[.](?!\d)|[?;¿\n]")
_TOLD = ("reforms", "several", "future", "since")


class _Found(NamedTuple):
    first: date
    last: date
    start: int
    end: int
    form: str


def time_scope(question: str, today: date, asks: str = "") -> TimeScope | None:
    """The time that the question names, or None.

    Args:
        asks: what is asked about a text that tells a case, as `question`; empty if `question` asks it.

    A past day is the law's when the question asks for that day's law or names the hecho causante; other dates
    (hire, birth, contributions), and every date beside «hoy» or «ahora», give `as_of` None and kind 'since'.
    Two different days («entre 2018 y 2023») give None and kind 'several', unless the question asks about
    «entonces», which is the last of them; several possible reforms, None and 'reforms'. Future days give None
    and kind 'future': the law of the future is not known.
    """
    folded = fold(question)
    asked = _asking(fold(asks), case=True) if asks else _asking(folded)
    scopes = [*_reforms(question, folded, asked), *_periods(question, folded, today, asked)]
    if not scopes:
        return None
    dated = list({scope.as_of: scope for scope in scopes if scope.as_of is not None}.values())
    if len(dated) > 1 and _THAT_DAY.search(asked.text):
        last = max(dated, key=lambda scope: scope.end)
        others = [scope.as_of for scope in dated if scope.as_of and scope is not last]
        return last.model_copy(update={"days": (*last.days, *others)})
    if len(dated) > 1:
        return _undecided(dated[0], "several", *dated)
    if dated:
        return dated[0]
    told = min(scopes, key=lambda scope: _TOLD.index(scope.kind))
    return _undecided(told, told.kind, *scopes)


def _undecided(scope: TimeScope, kind: str, *scopes: TimeScope) -> TimeScope:
    """The scope without a day of the law, with every day that the question may be about."""
    days = [day for one in scopes for day in (one.days or (one.as_of,)) if day is not None]
    return scope.model_copy(update={"as_of": None, "kind": kind, "days": tuple(dict.fromkeys(days))})


def _reforms(question: str, folded: str, asked: Asked) -> Iterator[TimeScope]:
    for named in reforms_named(folded):
        before = _BEFORE.search(folded, 0, named.start)
        if before is None or before.end() != named.start:
            continue
        start, end = before.start(), named.end
        days = tuple(one.last for one in named.reforms)
        scope = TimeScope(
            as_of=None, text=question[start:end].strip(), kind="since", start=start, end=end, days=days
        )
        if _NOW.search(folded) or _of_a_start(folded[:start], folded, asked):
            yield scope
        elif len(days) == 1:
            yield scope.model_copy(update={"as_of": days[0], "kind": "before", "days": ()})
        else:
            laws = tuple(one.law for one in named.reforms)
            yield scope.model_copy(update={"kind": "reforms", "laws": laws})
        return


def _periods(question: str, folded: str, today: date, asked: Asked) -> Iterator[TimeScope]:
    masked = _without_names(folded)
    if future := _FUTURE.search(masked):
        start, end = future.span()
        yield TimeScope(as_of=None, text=question[start:end], kind="future", start=start, end=end)
    every = sorted(_found(masked, today), key=lambda one: one.start)
    found = [one for one in every if not any(_within(other, one) for other in every)]
    closed = -1
    for index, one in enumerate(found):
        scope = _scope(one, masked, question, today, asked) if index != closed else None
        following = found[index + 1] if index + 1 < len(found) else None
        between = masked[one.end : following.start] if following else ""
        if scope and following and _is_range(scope, masked[: one.start], between):
            ends = [_middle(period, today) for period in (one, following) if period.first <= today]
            scope = scope.model_copy(update={"as_of": None, "kind": "several", "days": tuple(ends)})
            closed = index + 1
        if scope:
            yield scope


def _within(one: _Found, whole: _Found) -> bool:
    """True if a period lies inside a longer one: «una falta de 2021: cogió la baja el 3 de mayo de 2021»."""
    shorter = one.last - one.first < whole.last - whole.first
    return shorter and whole.first <= one.first and one.last <= whole.last


def _is_range(scope: TimeScope, head: str, between: str) -> bool:
    """True for «entre 2018 y 2023» and «de 2018 a 2023», but not for the time that somebody worked."""
    joined = re.fullmatch(r"\s*(?:y|a|hasta|al|-)\s*(?:el |enero )?", between) is not None
    return joined and (scope.kind != "since" or re.search(r"\bentre(?: el)? ?$", head) is not None)


def _without_names(folded: str) -> str:
    """The text with the numbers that belong to norms blanked, at the same length."""
    for pattern in _NAMES:
        folded = pattern.sub(_blank, folded)
    return folded


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"\d", "_", match[0])


def _found(masked: str, today: date) -> Iterator[_Found]:
    taken: list[tuple[int, int]] = []
    for form, pattern in _PERIODS:
        for match in pattern.finditer(masked):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            if form == "year" and _MEASURED.match(masked, match.end()):
                continue
            span = _span(form, match.groupdict(), today)
            if span:
                taken.append(match.span())
                start = match.start() + _leading(match[0])
                yield _Found(*span, start, match.end(), form)


def _leading(text: str) -> int:
    """Length of the preposition before a year («antes de», «hasta», «desde»…), which `_scope` reads."""
    match = re.match(r"(?:antes de|hasta|desde|entre|y|a)(?: el)? ", text)
    return match.end() if match else 0


def _span(form: str, groups: dict[str, str | None], today: date) -> tuple[date, date] | None:
    """First and last day of the period named; None if no such day exists."""
    if form == "ago":
        return _ago(groups, today)
    if groups.get("lastmonth"):
        last = today.replace(day=1) - timedelta(days=1)
        return last.replace(day=1), last
    month = int(groups.get("monthn") or month_of(groups.get("month") or ""))
    year = _year(groups, today, month)
    if year is None or year < OLDEST or not (form == "year" or 1 <= month <= 12):
        return None
    if form == "year":
        return date(year, 1, 1), date(year, 12, 31)
    days = monthrange(year, month)[1]
    written = groups.get("day") or ""
    first = 1 if form == "month" else int(written) if written.isdigit() else 1
    last_day = days if form == "month" else first
    return (date(year, month, first), date(year, month, last_day)) if 1 <= first <= days else None


def _year(groups: dict[str, str | None], today: date, month: int) -> int | None:
    if groups.get("year"):
        return int(groups["year"] or 0)
    if groups.get("last"):
        return today.year - 1
    if groups.get("before"):
        return today.year - 2
    if groups.get("this"):
        return today.year
    return (today.year if month < today.month else today.year - 1) if month else None


def _ago(groups: dict[str, str | None], today: date) -> tuple[date, date]:
    if groups.get("yesterday"):
        day = today - timedelta(days=1)
        return day, day
    written, unit = groups["count"] or "", groups["unit"] or ""
    count = int(written) if written.isdigit() else _COUNTS[written]
    if unit[:3] in ("sem", "dia"):
        day = today - timedelta(days=count * (7 if unit.startswith("sem") else 1))
        return day, day
    months = today.year * 12 + today.month - 1 - count * (12 if unit.startswith("ano") else 1)
    year, month = divmod(months, 12)
    day = date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))
    return day, day


def _scope(one: _Found, masked: str, question: str, today: date, asked: Asked) -> TimeScope | None:
    # A year was found with its preposition («de 2021»), which may end «a partir de».
    numbered = one.form == "year" and masked[one.end - 4 : one.end].isdigit()
    head = masked[: one.end - 4 if numbered else one.start]
    bare = re.sub(r"\b(?:en|el|de|del|durante|a|mes de|dia|ano)(?: el)? ?$", "", head)

    def scope(as_of: date | None, kind: str, start: int = one.start) -> TimeScope:
        text = question[start : one.end].strip()
        return TimeScope(as_of=as_of, text=text, kind=kind, start=start, end=one.end)

    if since := _SINCE.search(head) or _SINCE.search(bare):
        return scope(None, "since", since.start())
    before = _BEFORE.search(head) or _BEFORE.search(bare)
    day = one.first - timedelta(days=1) if before else _middle(one, today)
    start = before.start() if before else one.start
    if (day if before else one.first) > today:
        return scope(None, "future")
    happened = HAPPENED.search(masked)
    past = happened or _BACK_THEN.search(masked) or len(masked.split()) <= ALONE
    if one.form == "ago" and not past:
        return None
    if not _is_of_the_law(one, head[: before.start()] if before else head, masked, asked):
        return scope(None, "since", start).model_copy(update={"days": (day,) if day < today else ()})
    if before:
        return scope(day, "before", start)
    return scope(day, "event" if happened else "relative" if one.form == "ago" else one.form)


def _is_of_the_law(one: _Found, head: str, masked: str, asked: Asked) -> bool:
    """True if the question asks for the law of that period or names a hecho causante then.

    Args:
        head: the text before the period and its preposition.
    """
    if _NOW.search(masked):
        return False
    if _LAW_OF.search(head):
        return True
    if _of_a_start(head, masked, asked):
        return _BORN.search(head) is not None and _BIRTH_LEAVE.search(masked) is not None
    first, last = _sentence(masked, one.start, one.end)
    if HAPPENED.search(masked, first, last):
        return not asks_of_today(asked, masked)
    rest = f"{masked[first : one.start]} {masked[one.end : last]}"
    asks = masked[first - 1 : first] == "¿" or masked[last : last + 1] == "?"
    states = "?" in masked and not asks and len(re.findall(r"[a-z]{3,}", rest)) > 1
    return not states or _LAW_THEN.search(main_clause(asked.text)) is not None


def _of_a_start(head: str, masked: str, asked: Asked) -> bool:
    """True if the text before a date says that something began then, whose law is not asked for."""
    clause = _CLAUSE.split(head)[-1]
    started = _STARTED.search(clause)
    if started is None or HAPPENED.search(clause, started.start()):
        return False
    return HAPPENED.search(masked) is not None or _LAW_THEN.search(main_clause(asked.text)) is None


def _sentence(masked: str, start: int, end: int) -> tuple[int, int]:
    """Where the statement or the question around a period begins and ends."""
    first = max((match.end() for match in _CLAUSE.finditer(masked, 0, start)), default=0)
    following = _CLAUSE.search(masked, end)
    return first, following.start() if following else len(masked)


def _asking(masked: str, *, case: bool = False) -> Asked:
    """The sentences that ask; the whole text when none is marked as a question."""
    asked = re.findall(r"¿[^?]*|(?:^|(?<=[.;?]))[^.;?¿]*(?=\?)", masked)
    return Asked(" ".join(asked) or masked, marked=case or bool(asked), case=case)


def _middle(one: _Found, today: date) -> date:
    if one.last >= today:
        return today
    return one.first + (one.last - one.first) / 2
