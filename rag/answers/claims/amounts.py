"""Amounts that the cited text does not have. Pure functions."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from rag.answers.claims.claim import Claim
from rag.text.quantities import Quantity, spelt, unmeasured

AMOUNT = "«{said}» no consta en lo que se cita"
SAME = 0.01
"""How near equal amounts are."""

ROUGH = 0.12
"""Share by which an amount may differ that calls itself approximate."""

_ROUGHLY = re.compile(r"\b(?:algo|poco) (?:mas|menos) de $|\b(?:casi|cerca de|unas|unos|aproximadamente) $")
_FAMILY = {"days": "time", "months": "time", "hours": "time"}
_MEASURED = frozenset({"days", "months", "hours", "euros", "percent"})
_SIZES = {"days": 1.0, "months": 30.0}
_OTHER_DAYS = {"habil": "natural", "natural": "habil"}
FRACTIONS = {
    "mitad": 2.0,
    "medi[oa]": 2.0,
    "doble": 2.0,
    "triple": 3.0,
    "terci": 3.0,
    "cuart": 4.0,
    "octav": 8.0,
}
_NUMBER = re.compile(r"\b\d+(?:[.,]\d+)*\b")
_MAKES = re.compile(
    r"\b(?:sum\w*|total|mas (?:otr[oa]s?|los|las|\d)|rest\w*|qued\w*|pasad[oa]s|pasan|ampl\w*|faltan?"
    r"|prorrog\w*"
    r"|en conjunto|equival\w*|es decir|o sea|result\w*|unos|unas|aproximad\w*|alrededor|proporcional\w*"
    r"|prorrate\w*|un[oa]? por)\b"
)
_SUPPOSES = re.compile(
    r"\b(?:si|cuando|tras|quien(?:es)?|aunque|lleva\w*|llev[oe]|han? pasado|pasados|pasan|quedan?"
    r"|faltan?|ha (?:durado|trabajado|cotizado|estado)|supongamos|ejemplo|imagin\w+|en su caso|aqui|ahi"
    r"|usted)"
    r"\b[^,;:.]*$"
)
_MEASURE = re.compile(
    r"\s*(?:\w+ )?(?:por (?:cada )?(?:ano|mes|dia)|semanal\w*|diari\w+|mensual\w*|anual\w*"
    r"|de (?:antelacion|preaviso|tope|maxim\w"
    r"|minim\w|plazo"
    r"|indemnizacion|salario|multa|permiso|licencia|descanso|vacaciones|sancion))\b"
)
_WITH_CASE = re.compile(r"(?:^|[,;:.(] ?|\b(?:pero|y|o|que) )con (?:los |las |sus |solo |esos )*$")
_FIXED = re.compile(
    r"\b(?:plazo|durante|duracion|dentro|termino|solo|unic\w+|prescri\w+|caduc\w+|dura|duran|durara\w*"
    r"|(?:es|son|sera\w*) de"
    r"|exced\w+"
    r"|superior|inferior|hasta|maxim\w+|minim\w+)\b[^,;:.]{0,15}$"
)
_PERIODS = {
    "ano": re.compile(r"\b(?:(?:al|por|cada) ano|anual\w*)\b"),
    "mes": re.compile(r"\b(?:(?:al|por|cada) mes|mensual\w*)\b"),
    "semana": re.compile(r"\b(?:(?:a la|por|cada) semana|semanal\w*)\b"),
    "dia": re.compile(r"\b(?:(?:al|por|cada) dia|diari[oa]s?)\b"),
}
_EQUALS = re.compile(r"\d[^=]{0,12}=|=\s*(?:\w+ )?\d|≈")


def amounts(claim: Claim) -> Iterator[str]:
    """Amounts that the law does not have, of a kind that it has.

    The amounts of the person's text may be those of the case, and so may one that the sentence supposes («si
    ha durado ocho meses») and what one step makes of amounts that the sentence shows. A calculation is done
    again elsewhere. What the law counts in a time («ochenta al año») may be hours of that time.
    """
    if _EQUALS.search(claim.spelt):
        return
    bare = {one for text in claim.texts for one in unmeasured(text)}
    counted = {
        one.value
        for one in claim.known
        if one.kind == "rate" and _PERIODS[one.shown.split()[-1]].search(claim.folded)
    }
    for one in claim.amounts:
        same = [other for other in claim.known if _family(other) == _family(one)]
        if not same and one.kind not in _MEASURED:
            continue
        if one.article and not _is_amount(one, claim, same):
            continue
        counts = one.kind == "hours" and one.value in counted
        if has(one, claim.known) or has(one, claim.of_case) or one.value in bare or counts:
            if other := _other_days(one, claim, same):
                yield AMOUNT.format(said=other)
        elif not excused(one, claim):
            yield AMOUNT.format(said=one.shown)


def excused(one: Quantity, claim: Claim) -> bool:
    """True for an amount of the person's case, supposed by the sentence, or made of others in one step."""
    if _ROUGHLY.search(one.before) and any(_near(one, other) for other in claim.known):
        return True
    return has(one, claim.of_case) or _is_supposed(one, claim) or _is_made(one, claim)


def _near(one: Quantity, other: Quantity) -> bool:
    """True for amounts of the same kind, or lengths of time, that are roughly the same."""
    if _in_days(one) and _in_days(other):
        return abs(_in_days(one) - _in_days(other)) <= ROUGH * _in_days(other)
    return one.kind == other.kind and abs(one.value - other.value) <= ROUGH * other.value


def _family(one: Quantity) -> str:
    return _FAMILY.get(one.kind, one.kind)


def has(one: Quantity, others: Iterable[Quantity]) -> bool:
    """True for an amount of the others, in its unit or in days."""
    return any(
        (one.kind == other.kind and abs(one.value - other.value) < SAME)
        or (_in_days(one) > 0 and abs(_in_days(one) - _in_days(other)) < SAME)
        for other in others
    )


def _in_days(one: Quantity) -> float:
    """A length of time in days, months of thirty; 0 for another kind."""
    return one.value * _SIZES.get(one.kind, 0.0)


def _is_amount(one: Quantity, claim: Claim, same: Sequence[Quantity]) -> bool:
    """True if «un», which may be the article, counts: after a limit, and the law has no such unit alone."""
    unit = one.shown.split()[-1].rstrip("s")
    alone = re.search(rf"\b(?:el|al|del|por|cada|otro|ese) {unit}\b|\b{unit[:3]}ual\b", claim.law)
    return bool(same) and bool(_FIXED.search(one.before)) and not alone


def _is_supposed(one: Quantity, claim: Claim) -> bool:
    """True for an amount of a case that the sentence supposes, or whose number the person gives."""
    if {one.value, _written(one)} & _given(claim):
        return True
    if _MEASURE.match(one.after):
        return False
    return bool(_WITH_CASE.search(one.before)) or (bool(_SUPPOSES.search(one.before)) and not one.limit)


def _written(one: Quantity) -> float:
    """The number as written, before its unit makes days or months of it."""
    found = _NUMBER.match(one.shown)
    return value_of(found[0]) if found else one.value


def value_of(number: str) -> float:
    """The value of a number in Spanish format, of figures alone («1,2,3») that of «1,23»."""
    whole, _, decimals = number.partition(",")
    return float(f"{whole.replace('.', '')}.{re.sub(r'[.,]', '', decimals) or 0}")


def _given(claim: Claim) -> set[float]:
    """The numbers of the person's texts."""
    return {value_of(one) for text in claim.given for one in _NUMBER.findall(spelt(text))}


def _is_made(one: Quantity, claim: Claim) -> bool:
    """True for the sum, difference, product or quotient of known amounts, one of them in the sentence."""
    others = [other for other in claim.amounts if other is not one]
    if has(one, [other for other in others if other.kind != one.kind]):
        return True
    numbers = {value_of(number) for number in _NUMBER.findall(claim.spelt)} - {one.value, _written(one)}
    shown = numbers | {size for other in others for size in (other.value, _in_days(other))}
    given = _given(claim)
    factors = given | {size for name, size in FRACTIONS.items() if re.search(rf"\b{name}", claim.folded)}
    makes = bool(_MAKES.search(claim.spelt))
    known = (*claim.known, *claim.of_case, *others)
    percents = {other.value for other in known if other.kind == "percent"}
    if _of_the_case(one, given, shown | {other.value for other in claim.known}, percents):
        return True
    alike = {other.value for other in known if other.kind == one.kind}
    in_days = {_in_days(other) for other in known}
    return any(
        abs(made - value) < SAME
        for value, sizes in ((one.value, alike), (_in_days(one), in_days))
        if value
        for a, b, made in _steps(sizes - {0.0}, factors - {0.0})
        if makes or a in shown or b in shown
    )


def _of_the_case(one: Quantity, given: set[float], others: set[float], percents: set[float]) -> bool:
    """True for what a number of the person makes with another: 132 days at 60 euros, 70 % of 2.000."""
    for a in given:
        for b in others | given:
            if not b:
                continue
            made = [
                a * b,
                a / b,
                *([a * b / 100] if {a, b} & percents else []),
                *([b / a] if a else []),
                *([100 * a / b] if one.kind == "percent" else []),
            ]
            if one.kind == "hours":
                made.append((b - a) % 24)
            if any(abs(one.value - value) < SAME or abs(_written(one) - value) < SAME for value in made):
                return True
    return False


def _steps(sizes: set[float], factors: set[float]) -> Iterator[tuple[float, float, float]]:
    """(amount, other number, result) of sums and differences, and of products and quotients by a factor."""
    for a, b in combinations(sorted(sizes), 2):
        yield from ((a, b, a + b), (a, b, b - a))
    for a in sizes:
        for b in factors:
            yield from ((a, b, a * b), (a, b, a / b))


def _other_days(one: Quantity, claim: Claim, same: Sequence[Quantity]) -> str:
    """The amount in días hábiles where the law counts naturales, or the other way; '' if it does not."""
    if not one.days:
        return ""
    other = _OTHER_DAYS[one.days]
    held = {quantity.days for quantity in same if quantity.value == one.value and quantity.kind == one.kind}
    told = re.search(rf"\bdias [^.;]{{0,60}}{other}", claim.law) and not re.search(
        rf"\bdias [^.;]{{0,60}}{one.days}", claim.law
    )
    if held == {other} or (one.days not in held and told):
        return f"{one.shown} {'naturales' if one.days == 'natural' else 'habiles'}"
    return ""
