"""A sentence of an answer held against the texts that it cites, by rules that accuse only what they can show.

One file a kind of rule, each a function of a claim that gives the Spanish reasons to doubt it. What rules
cannot see (a condition left out, what no text says) is for a reader of the sentence. Pure functions.
"""

import re
from collections.abc import Sequence

from rag.answers.claims.amounts import amounts
from rag.answers.claims.claim import claim
from rag.answers.claims.copies import changes
from rag.answers.claims.limits import limits
from rag.answers.claims.measures import measures
from rag.answers.claims.modal import modals
from rag.answers.claims.negation import denials
from rag.answers.claims.opposites import opposites
from rag.answers.claims.order import order
from rag.answers.claims.parties import parties

TOLD = " (⚠ Compruébelo: {reasons}.)"
"""What stands beside a sentence in doubt."""
RULES = (amounts, measures, limits, order, denials, modals, parties, opposites)
"""What holds a sentence that is no copy of one of the law; a copy is told its changed words."""

_TOLD = re.compile(r" \(⚠ Compruébelo: .*?\.\)")


def doubts(sentence: str, texts: Sequence[str], given: Sequence[str] = ()) -> list[str]:
    """The Spanish reasons to doubt a sentence, held against the texts that it cites; empty without any.

    Args:
        given: texts of the person, whose amounts are those of the case.
    """
    held = claim(sentence, texts, given)
    return list(changes(held)) or list(dict.fromkeys(reason for rule in RULES for reason in rule(held)))


def without_told(answer: str) -> str:
    """The answer without what is told beside its sentences, whose quotations are cut."""
    return _TOLD.sub("", answer)
