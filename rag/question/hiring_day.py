"""The day on which the work that a question tells of began, as far as its words say. Pure functions."""

import re
from datetime import date, timedelta

from law.labels import fold
from rag.question.periods import COUNTS, periods, without_names
from rag.question.understanding import TimeScope

_BEFORE = 200
"""Characters before a day that may tell of what it is."""
_DAYS = {"ano": 365, "mes": 30}
# «El contrato terminó en 2019», «contratos anteriores a 2012»: the day is not that of the hire.
_ELSE = r"desp[ei]|ech[ao]|termin|acab|ces|extin|finaliz|hasta|venc|fallec|jubil|baja|ante|prev|poste|que"
_HIRED = re.compile(
    r"\b(?:contrat(?:e|aron|ad[oa]s?|o|amos|os)|firm(?:e|amos) (?:el|mi|un) contrato|antiguedad"
    r"|(?:entr[eo]|ingres[eo]|empec?[ez]\w*) (?:a trabajar|en (?:la|esta|mi|su) )"
    r"|(?:indefinid|fij|emplead|trabaj)\w*(?=.* desde(?: el| hace)? ?$))"
    rf"(?:(?!\b(?:{_ELSE}))[^.;?¿])*$"
)
_LASTED = rf"(?<!mas de )\b(?P<{{0}}>\d{{{{1,2}}}}|{'|'.join(COUNTS)}) (?P<{{0}}_unit>ano|mes)(?:s|es)?"
_WORKED = re.compile(
    rf"\bllev\w+ (?:ya |unos )?{_LASTED.format('a')} (?:y (?:medio|pico) )?"
    r"(?:fij|indefinid|contratad|interin|trabajando|limpiando|cuidando|emplead|en (?:la|esta|mi|su) empresa"
    r"|de (?:alta|contrato|antiguedad|intern|interin|camarer))"
    rf"|{_LASTED.format('b')} de (?:antiguedad|servicio)|\bantiguedad de {_LASTED.format('c')}"
)


def hired(text: str, time: TimeScope | None, today: date) -> date | None:
    """The earliest day that the text allows for the beginning of the work that it tells of; None if unknown.

    Args:
        time: that of the text: years of work count back from the first past day that it names, or from today.
    """
    folded = fold(text)
    told = periods(without_names(folded), today)
    found = [one.first for one in told if _HIRED.search(folded, max(0, one.start - _BEFORE), one.start)]
    past = [day for day in (time.as_of, *time.days) if day] if time else []
    for worked in _WORKED.finditer(folded):
        name = next(key for key in "abc" if worked[key])
        count, unit = worked[name], worked[f"{name}_unit"]
        number = int(count) if count.isdigit() else COUNTS[count]
        found.append(min([*past, today]) - timedelta(days=_DAYS[unit] * (number + 1)))
    return min(found, default=None)
