"""A sentence of an answer held against the texts that it cites, by rules that accuse only what they can show.

One file a kind of rule, each a function of a claim that gives the Spanish reasons to doubt it. What rules
cannot see (a condition left out, what no text says) is for a reader of the sentence. Pure functions.
"""

import re
from collections.abc import Sequence

from rag.answers.claims.amounts import amounts
from rag.answers.claims.bearers import bearers
from rag.answers.claims.claim import Claim, claim, short
from rag.answers.claims.copies import changes
from rag.answers.claims.elsewhere import elsewhere
from rag.answers.claims.frames import denied_by_frame, is_law
from rag.answers.claims.limits import limits
from rag.answers.claims.measures import measures
from rag.answers.claims.modal import modals
from rag.answers.claims.negation import DENIED, denials
from rag.answers.claims.opposites import opposites
from rag.answers.claims.order import order
from rag.answers.claims.parties import parties
from rag.answers.claims.scope import scopes
from rag.answers.claims.stance import stances
from rag.answers.claims.starts import starts

TOLD = " (⚠ Compruébelo: {reasons}.)"
"""The mark beside a sentence in doubt."""
RULES = (
    amounts,
    measures,
    elsewhere,
    limits,
    order,
    starts,
    denials,
    stances,
    scopes,
    modals,
    parties,
    bearers,
    opposites,
)
"""Rules for a sentence that is no copy of one of the law; of a copy, its changed words are told."""

_NUMBER = re.compile(r"^(?:\d{1,2}\.|[a-zñ]{1,2}\)) ")
_TOLD = re.compile(r" \(⚠ Compruébelo: .*?\.\)")


def doubts(
    sentence: str, texts: Sequence[str], given: Sequence[str] = (), quotes: Sequence[str] = ()
) -> list[str]:
    """The Spanish reasons to doubt a sentence, held against the texts that it cites; empty without any.

    Args:
        given: texts of the person, whose amounts are those of the case.
        quotes: what the answer quotes beside the sentence, letter by letter from the texts.
    """
    framed, whole = denied_by_frame(sentence)
    if framed:
        inner = claim(framed, texts, given, quotes)
        if is_law(inner) and not _doubts(inner):
            return [DENIED.format(there=short(inner.nearest))]
    return [] if whole else _doubts(claim(sentence, texts, given, quotes))


def _doubts(held: Claim) -> list[str]:
    if any(_bare(one) == _bare(held.said) for one in held.near):
        return []
    return list(changes(held)) or list(dict.fromkeys(reason for rule in RULES for reason in rule(held)))


def _bare(sentence: str) -> str:
    """A sentence without its number and the marks at its end: a long quotation is read in sentences."""
    return _NUMBER.sub("", " ".join(sentence.split())).rstrip(' .»”"')


def without_told(answer: str) -> str:
    """The answer without what is told beside its sentences, whose quotations are cut."""
    return _TOLD.sub("", answer)
