"""A sentence of an answer held against the texts that it cites, by rules that accuse only what they can show.

Words changed in what is otherwise a copy, amounts, negations, duties and faculties. What rules cannot see
(who is bound, a condition left out) is for a reader of the sentence. Pure functions.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import combinations, pairwise

from rag.text.figures import digits
from rag.text.quantities import Quantity, quantities
from rag.text.segmentation import sentences
from rag.text.textnorm import fold, stems

TOLD = " (⚠ Compruébelo: {reasons}.)"
"""What stands beside a sentence in doubt."""
CHANGED = "el texto dice «{there}» donde aquí se dice «{said}»"
ADDED = "el texto no dice «{said}»"
LEFT_OUT = "al texto le falta aquí «{there}»"
AMOUNT = "«{said}» no consta en lo que se cita"
DENIED = "lo que se cita dice lo contrario: «{there}»"
FACULTY = "lo que se cita es una facultad y no un deber: «{there}»"
DUTY = "lo que se cita es un deber y no una facultad: «{there}»"
NEAR = 0.45
"""Share of the stems of a sentence that a sentence of the law has, for the two to say the same."""
LITERAL, COPIED = 12, 0.7
"""Words in a row, and share of the words of a sentence, that make it a copy."""
MOST_CHANGES, FEW = 2, 3
OPENING, SAME = 6, 0.01
"""Words that open a sentence and may suppose a case («Con mil días…»); how near equal amounts are."""
SHOWN = 12
"""Words of the law that a reason shows."""

_TOLD = re.compile(r" \(⚠ Compruébelo: .*?\.\)")
_WORD = re.compile(r"\w+")
_REFERENCE = re.compile(
    r"\b(?:art[íi]culos?|apartados?|letras?|ley|estatuto|real decreto)\b|\d+", re.IGNORECASE
)
_HALF = re.compile(r"\b(?:mitad|medi[oa]|doble)\b")
_NUMBER = re.compile(r"\b\d{1,5}\b")
_SUPPOSES = re.compile(r"(?:con|si|en|tras|cuando|quien|para|a|un|una|por|\d[\d.]*)\b")
_OTHER_DAYS = {"habil": "natural", "natural": "habil"}
_NEGATION = r"(?:no|tampoco)"
_DENIES = re.compile(
    rf"\b{_NEGATION}\s+(?:(?:se|le|les|lo|la|los|las|nos)\s+)?(?:(?:podran?|pueden?|puedan?|seran?|es|son|han?|ven?|veran?|quedan?|quedaran?"
    r"|deberan?|deben?)\s+(?:ser\s+|de\s+)?)?(?P<word>[a-z]{4,})\b(?!(?:\s+\w+){{0,2}}\s+(?:mas|menos) de\b)"
)
_ANY_NEGATION = re.compile(
    r"\b(?:no|ni|sin|nunca|tampoco|nul[oa]s?|salvo|excepto|excluid\w+|exclu\w+|ningun\w*|carec\w+|menos)\b"
)
_THEN = r"\s+(?:(?:se|ser|haber|tambien|igualmente|asimismo)\s+)*(?P<word>[a-z]{4,})"
_CAN = re.compile(rf"\b(?:podran?|pued[ea]n?|podrian?|cabra?|cabe){_THEN}")
_MUST = re.compile(
    r"\b(?:deberan?|deb[ea]n?|habran? de|han? de|tendran? que|tienen? que|obligad[oa]s? a|obligacion de"
    rf"|es obligatorio){_THEN}"
)


def doubts(sentence: str, texts: Sequence[str], given: Sequence[str] = ()) -> list[str]:
    """The Spanish reasons to doubt a sentence, held against the texts that it cites; empty without any.

    Args:
        given: texts of the person, whose amounts are those of the case.
    """
    own = frozenset(stems(sentence))
    law = [one for text in texts for one in _sentences(text)]
    shares = sorted(((len(own & held) / max(1, len(own)), one) for one, held in law), reverse=True)
    near = [one for share, one in shares if share >= NEAR]
    if changed := list(_changed(sentence, near)):
        return changed
    nearest = near[0] if near else ""
    return [*_amounts(sentence, texts, given), *_denials(sentence, nearest), *_modals(sentence, nearest)]


@lru_cache(maxsize=128)
def _sentences(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The sentences of a text of the law, each with its stems."""
    said = (text[span.start : span.end] for span in sentences(text))
    return tuple((one, frozenset(stems(one))) for one in said)


def without_told(answer: str) -> str:
    """The answer without what is told beside its sentences, whose quotations are cut."""
    return _TOLD.sub("", answer)


def _changed(sentence: str, law: Sequence[str]) -> Iterator[str]:
    """What a sentence that copies one of the law says otherwise, the first MOST_CHANGES of it."""
    said = _WORD.findall(sentence)
    if len(said) < LITERAL:
        return
    folded = list(map(fold, said))
    for one in law:
        there = _WORD.findall(one)
        matcher = SequenceMatcher(None, list(map(fold, there)), folded, autojunk=False)
        blocks = [block for block in matcher.get_matching_blocks() if block.size >= FEW]
        if sum(block.size for block in blocks) < max(LITERAL, COPIED * len(said)):
            continue
        gaps = (
            (there[first.a + first.size : second.a], said[first.b + first.size : second.b])
            for first, second in pairwise(blocks)
        )
        changed = [(gone, new) for gone, new in gaps if _matters(" ".join(gone), " ".join(new))]
        for gone, new in changed[:MOST_CHANGES]:
            told = CHANGED if gone and new else ADDED if new else LEFT_OUT
            yield told.format(there=" ".join(gone), said=" ".join(new))
        return


def _matters(gone: str, new: str) -> bool:
    """True for words that a copy has changed or added, and for a negation that it has left out.

    Other words left out may be a summary; references may be added.
    """
    if new:
        return bool(set(stems(_REFERENCE.sub(" ", new))) - set(stems(gone)))
    return len(gone.split()) <= FEW and bool(_ANY_NEGATION.search(fold(gone)))


def _amounts(sentence: str, texts: Sequence[str], given: Sequence[str]) -> Iterator[str]:
    """Amounts that the law does not have, of a kind that it has.

    An amount within a limit of the law («hasta nueve meses») may be that of a case, and so may the amounts of
    the person's text and what one step makes of them and the law's (so many years of it, half of it).
    Calculations are done again elsewhere.
    """
    if "=" in sentence:
        return
    known = [quantity for text in texts for quantity in quantities(text)]
    of_case = [one for text in given for one in quantities(text)]
    halved = {2.0} if _HALF.search(fold(sentence)) else set[float]()
    numbers = halved | {float(one) for text in given for one in _NUMBER.findall(digits(text))}
    opening = fold(digits(" ".join(sentence.split()[:OPENING])))
    opening = opening if _SUPPOSES.match(opening) else ""
    for one in quantities(sentence):
        same = [other for other in known if other.kind == one.kind]
        supposed = one.shown in opening or (not one.limit and any(other.limit for other in same))
        if not same or one.article or supposed:
            continue
        sizes = [_in_days(other) for other in (*known, *of_case) if _in_days(other) or other.kind == one.kind]
        values = [other.value for other in (*known, *of_case) if other.kind == one.kind]
        if not _is_step(one.value, values, numbers) and not _is_step(_in_days(one), sizes, numbers):
            yield AMOUNT.format(said=one.shown)
        elif one.days and {other.days for other in same if other.value == one.value} == {
            _OTHER_DAYS[one.days]
        }:
            yield AMOUNT.format(said=f"{one.shown} {one.days}es")


def _in_days(one: Quantity) -> float:
    """A length of time in days, months of thirty; 0 for another kind."""
    return one.value * {"days": 1.0, "months": 30.0}.get(one.kind, 0.0)


def _is_step(value: float, known: Sequence[float], numbers: Iterable[float]) -> bool:
    """True for one of the known amounts, the sum or difference of two, or one by a number of the person's."""
    made = {number for a, b in combinations(known, 2) for number in (a + b, abs(a - b))}
    made |= {result for a in known for b in numbers if b for result in (a * b, a / b)}
    return value > 0 and any(abs(value - other) < SAME for other in (*known, *made))


def _denials(sentence: str, near: str) -> Iterator[str]:
    """A verb that one side denies, and a clause of the other has without any negation."""
    said, there = fold(sentence), fold(near)
    if len(_ANY_NEGATION.findall(said)) > 1:
        return
    if _denied(there) & _affirmed(said) - _denied(said) or _denied(said) & _affirmed(there) - _denied(there):
        yield DENIED.format(there=_short(near))


def _affirmed(folded: str) -> set[str]:
    clauses = re.split(r"[,;:.]", folded)
    return {stem for one in clauses if not _ANY_NEGATION.search(one) for stem in stems(one)}


def _denied(folded: str) -> set[str]:
    return {stem for match in _DENIES.finditer(folded) for stem in stems(match["word"])}


def _modals(sentence: str, near: str) -> Iterator[str]:
    """The same verb as a duty on one side and as a faculty on the other."""
    can, must = _governed(_CAN, near), _governed(_MUST, near)
    says_can, says_must = _governed(_CAN, sentence), _governed(_MUST, sentence)
    if (says_must & can) - must - says_can:
        yield FACULTY.format(there=_short(near))
    elif (says_can & must) - can - says_must:
        yield DUTY.format(there=_short(near))


def _governed(modal: re.Pattern[str], text: str) -> set[str]:
    folded = fold(text)
    return {
        stem
        for match in modal.finditer(folded)
        if not re.search(rf"\b{_NEGATION}\s+(?:se\s+)?$", folded[: match.start()])
        for stem in stems(match["word"])
    }


def _short(sentence: str) -> str:
    said = sentence.split()
    return " ".join(said) if len(said) <= SHOWN else f"{' '.join(said[:SHOWN])}…"
