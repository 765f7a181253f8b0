"""The day whose law a question asks about, by the periods that it names. Pure functions."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Literal

from law.labels import fold
from rag.question.asked_reforms import reforms_named
from rag.question.past_events import (
    HAPPENED,
    IMPERFECT,
    NOW,
    Asked,
    asks_of_both,
    asks_of_today,
    asks_what_changed,
    main_clause,
)
from rag.question.periods import Found, middle, periods, without_names
from rag.question.understanding import BOTH, TimeScope

# «¿Y hace dos años?» asks about then; «trabajo aquí hace dos años» does not.
ALONE = 4

_FUTURE = re.compile(r"\b(?:el )?(?:ano que viene|proximo ano|ano proximo|mes que viene|proximo mes)\b")
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
# «¿Qué diferencia hay entre el permiso de 2018 y el de hoy?» tells no beginning.
_DIFFERENCE = re.compile(r"\b(?:diferenci|compar)\w+[^,]{0,15}? entre\b")
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
# The birth of a child is what a leave for it is judged by.
_BORN = re.compile(
    r"\b(?:(?:hij[oa]s?|bebes?|nin[oa]s?|mellizos|gemelos)(?: de(?: [a-z]+){1,3})? (?:nacio|nacieron)"
    r"|fui (?:padre|madre))\b"
    r"|(?<!fecha de )\bnacimiento(?: (?:de|del|el|en|mi|un|una|la|dia|hij[oa]s?|bebe))*\s*$"
)
_BIRTH_LEAVE = re.compile(
    r"\b(?:(?:permiso|suspension|prestacion|baja|semanas)\b[^?.;]* (?:nacimiento|paternidad|maternidad))"
)


# A statement ends at a full stop that no digit follows, or where a question begins.
_CLAUSE = re.compile(r"[.](?!\d)|[?;¿\n]")
_TOLD = ("reforms", "several", "future", "right", "since")


def time_scope(question: str, today: date, asks: str = "") -> TimeScope | None:
    """The time that the question names, or None.

    Args:
        asks: what is asked about a text that tells a case, as `question`; empty if `question` asks it.

    A past day is the law's when the question asks for that day's law or names the hecho causante; other dates
    (hire, birth, contributions), and those beside «hoy» or «ahora», give `as_of` None and kind 'since'; that
    of something past when a right of today is asked for, None and 'right'. A question about the law of a
    past day and that of today gives None and BOTH.
    Two different days («entre 2018 y 2023») give None and kind 'several', unless the question asks about
    «entonces», which is the last of them; several possible reforms, None and 'reforms'. Future days give None
    and kind 'future': the law of the future is not known.
    """
    folded = fold(question)
    asked = _asking(fold(asks), case=True) if asks else _asking(folded)
    scopes = [*_reforms(question, folded, asked), *_periods(question, folded, today, asked)]
    if not scopes:
        return None
    if both := [scope for scope in scopes if scope.kind == BOTH]:
        return _undecided(both[0], BOTH, *both)
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
        if len(days) == 1 and asks_of_both(asked, folded[named.start : named.end]):
            yield scope.model_copy(update={"kind": BOTH})
        elif NOW.search(folded) or _of_a_start(folded[:start], folded, asked):
            yield scope
        elif len(days) == 1:
            yield scope.model_copy(update={"as_of": days[0], "kind": "before", "days": ()})
        else:
            laws = tuple(one.law for one in named.reforms)
            yield scope.model_copy(update={"kind": "reforms", "laws": laws})
        return


def _periods(question: str, folded: str, today: date, asked: Asked) -> Iterator[TimeScope]:
    masked = without_names(folded)
    if future := _FUTURE.search(masked):
        start, end = future.span()
        yield TimeScope(as_of=None, text=question[start:end], kind="future", start=start, end=end)
    every = periods(masked, today)
    found = [one for one in every if not any(_within(other, one) for other in every)]
    closed = -1
    for index, one in enumerate(found):
        scope = _scope(one, masked, question, today, asked) if index != closed else None
        following = found[index + 1] if index + 1 < len(found) else None
        between = masked[one.end : following.start] if following else ""
        if scope and following and _is_range(scope, masked[: one.start], between):
            ends = [middle(period, today) for period in (one, following) if period.first <= today]
            scope = scope.model_copy(update={"as_of": None, "kind": "several", "days": tuple(ends)})
            closed = index + 1
        if scope:
            yield scope


def _within(one: Found, whole: Found) -> bool:
    """True if a period lies inside a longer one: «una falta de 2021: cogió la baja el 3 de mayo de 2021»."""
    shorter = one.last - one.first < whole.last - whole.first
    return shorter and whole.first <= one.first and one.last <= whole.last


def _is_range(scope: TimeScope, head: str, between: str) -> bool:
    """True for «entre 2018 y 2023» and «de 2018 a 2023», but not for the time that somebody worked."""
    joined = re.fullmatch(r"\s*(?:y|a|hasta|al|-)\s*(?:el |enero )?", between) is not None
    return joined and (scope.kind != "since" or re.search(r"\bentre(?: el)? ?$", head) is not None)


def _scope(one: Found, masked: str, question: str, today: date, asked: Asked) -> TimeScope | None:
    # A year was found with its preposition («de 2021»), which may end «a partir de».
    numbered = one.form == "year" and masked[one.end - 4 : one.end].isdigit()
    head = masked[: one.end - 4 if numbered else one.start]
    bare = re.sub(r"\b(?:en|el|de|del|durante|a|mes de|dia|ano)(?: el)? ?$", "", head)

    def scope(as_of: date | None, kind: str, start: int = one.start, *days: date) -> TimeScope:
        text = question[start : one.end].strip()
        past = tuple(day for day in days if day < today)
        return TimeScope(as_of=as_of, text=text, kind=kind, start=start, end=one.end, days=past)

    if since := _SINCE.search(head) or _SINCE.search(bare):
        changed = one.first <= today and asks_what_changed(asked, masked[one.start : one.end])
        days = (one.first - timedelta(days=1),) if changed else ()
        return scope(None, BOTH if changed else "since", since.start(), *days)
    before = _BEFORE.search(head) or _BEFORE.search(bare)
    day = one.first - timedelta(days=1) if before else middle(one, today)
    start = before.start() if before else one.start
    if (day if before else one.first) > today:
        return scope(None, "future")
    happened = HAPPENED.search(masked)
    past = happened or _BACK_THEN.search(masked) or len(masked.split()) <= ALONE
    if one.form == "ago" and not past:
        return None
    kind = _kind(one, head[: before.start()] if before else head, masked, asked)
    if kind != "then":
        return scope(None, kind, start, day)
    if before:
        return scope(day, "before", start)
    return scope(day, "event" if happened else "relative" if one.form == "ago" else one.form)


def _kind(one: Found, head: str, masked: str, asked: Asked) -> str:
    """As `_law_of`; 'since' beside «hoy», and BOTH if the law of that day and that of today are asked for."""
    kind = _law_of(one, head, masked, asked)
    if kind == "then" and asks_of_both(asked, masked[one.start : one.end]):
        return BOTH
    return "since" if NOW.search(masked) or NOW.search(asked.text) else kind


def _law_of(one: Found, head: str, masked: str, asked: Asked) -> Literal["then", "right", "since"]:
    """'then' if the question asks for the law of that period or names a hecho causante then.

    'right' if it names one and asks for a right of today, 'since' if the date is of something else.

    Args:
        head: the text before the period and its preposition.
    """
    if _LAW_OF.search(head):
        return "then"
    if _of_a_start(head, masked, asked):
        return "then" if _BORN.search(head) and _BIRTH_LEAVE.search(masked) else "since"
    first, last = _sentence(masked, one.start, one.end)
    if HAPPENED.search(masked, first, last):
        return "right" if asks_of_today(asked, masked[first:last]) else "then"
    rest = f"{masked[first : one.start]} {masked[one.end : last]}"
    asks = masked[first - 1 : first] == "¿" or masked[last : last + 1] == "?"
    states = "?" in masked and not asks and len(re.findall(r"[a-z]{3,}", rest)) > 1
    return "then" if not states or _LAW_THEN.search(main_clause(asked.text)) else "since"


def _of_a_start(head: str, masked: str, asked: Asked) -> bool:
    """True if the text before a date says that something began then, whose law is not asked for."""
    clause = _CLAUSE.split(head)[-1]
    started = _STARTED.search(clause)
    if started is None or HAPPENED.search(clause, started.start()) or _DIFFERENCE.search(clause):
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
