"""Certain findings against a sentence of a model, and the mark beside a sentence in doubt. Pure functions.

A figure or a day that stands in nothing read, and the plain denial of a clause that the answer quotes.
Anything else that a sentence may get wrong is for a reader of it (`judged_sentences`;
docs/decisions/answers.md).
"""

import re
from collections.abc import Collection, Sequence

from law.dates import days_named, without_days
from law.labels import MONTHS
from text.figures import measured_digits, unsupported_figures
from text.markers import MARKER
from text.textnorm import fold_for_search, stems

TOLD = " (⚠ Compruébelo: {reasons}.)"
"""The mark beside a sentence in doubt."""
NOWHERE = "«{figure}» no consta en lo leído ni en la pregunta, ni sale de una cuenta que se muestre"
DENIED = "lo que se cita dice lo contrario: «{there}»"
SHOWN = 12
"""Words of the law that a reason shows."""
FEWEST, LEFT_OUT = 3, 0.2
"""Stems of a sentence that may deny a clause, and the share of the clause's that it may leave out, or one."""

_TOLD = re.compile(r" \(⚠ Compruébelo: .{0,4000}?\.\)")
_MARKUP = re.compile(rf"<!--.{{0,200}}?-->|{MARKER}|[*_~`#|]+")
_CLAUSE = re.compile(r"[.;:](?!\d)")
_NO = re.compile(r"\b(?:no|nunca|jamas|tampoco|en ningun caso)\b")
_NOT_PLAIN = re.compile(
    r"\b(?:si|cuando|mientras|salvo|excepto|sino|pero|aunque|sol[oa]|solamente|unicamente|sin|ni|menos|ademas"
    r"|ningun\w*|nadie|nada|parcial\w*|por (?:lo )?tanto|(?:y|e|o|u) (?:no|nunca|tampoco))\b|[?¿,(]"
)
"""Words of conditions, exceptions and second clauses: a sentence with one is not read whole."""
_AUXILIARY = re.compile(
    r"\b(?:tien\w+|ten(?:dr\w+|er|ga\w*)|pued\w+|podr\w+|deb\w+|habr\w+|ha|han|haya\w*|hay|es|son|ser\w*|sea\w*"
    r"|esta\w*|se|que|de|a)\b"
)


def without_told(answer: str) -> str:
    """The answer without the marks of doubt, whose quotations of the law are cut."""
    return _TOLD.sub("", answer)


def sentence_doubts(sentence: str, nowhere: Collection[str] = (), quotes: Sequence[str] = ()) -> list[str]:
    """The Spanish reasons to doubt a sentence; empty without any.

    Args:
        nowhere: figures and days of the answer that stand in nothing read (`rag.answers.figure_check`).
        quotes: passages that the answer quotes beside the sentence, letter by letter.
    """
    own = _figures(sentence) if nowhere else ()
    found = [NOWHERE.format(figure=one) for one in dict.fromkeys(own) if one in nowhere]
    return [*found, *(DENIED.format(there=there) for there in filter(None, [_denied(sentence, quotes)]))]


def _figures(sentence: str) -> list[str]:
    """The days and figures of a sentence, as `arithmetic` writes them."""
    said = measured_digits(sentence)
    days = (f"{one.day} de {MONTHS[one.month - 1]}" for one in days_named(said))
    return [*days, *unsupported_figures(without_days(said), ())]


def _denied(sentence: str, quotes: Sequence[str]) -> str:
    """The first words of the quoted clause that a sentence plainly denies; '' without one.

    Both are one plain clause, of the same words but for a negation that only one of them has.
    """
    said = _plain(sentence)
    own = _stems(said)
    if len(own) < FEWEST or _NOT_PLAIN.search(said):
        return ""
    for quote in quotes:
        for clause in filter(str.strip, _CLAUSE.split(" ".join(quote.split()))):
            there = _plain(clause)
            theirs = _stems(there)
            whole = own <= theirs and len(theirs - own) <= max(1, LEFT_OUT * len(theirs))
            negations = sorted(len(_NO.findall(one)) for one in (said, there))
            if whole and negations == [0, 1] and not _NOT_PLAIN.search(there):
                words = clause.split()
                return " ".join(words[:SHOWN]) + "…" * (len(words) > SHOWN)
    return ""


def _plain(text: str) -> str:
    return fold_for_search(" ".join(_MARKUP.sub(" ", text).split())).strip(' .»«"')


def _stems(folded: str) -> frozenset[str]:
    return frozenset(stems(_AUXILIARY.sub(" ", _NO.sub(" ", folded))))
