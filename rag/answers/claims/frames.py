"""A true sentence in a frame that denies it: «no es cierto que…», «la ley no exige que…». Pure functions."""

import re

from rag.answers.claims.claim import Claim
from rag.answers.claims.negation import ANY
from rag.answers.claims.words import keys
from rag.text.textnorm import fold

SUPPORTED, FEWEST = 0.7, 3
"""Share of the keys within a frame, and fewest of them, that the law has when it says the same."""

_FALSE = re.compile(
    r"^\W*(?:(?:pues|en realidad|y|pero),? )*(?:(?:no es|no parece|no seria|tampoco es)"
    r" (?:cierto|verdad|correcto|exacto)|es (?:falso|incorrecto|mentira|un error)|acaso)"
    r"(?: (?:decir|afirmar|creer|sostener|pensar))?(?: que)? (?P<inner>.+)$"
)
_NOT_SAID = re.compile(
    r"^\W*(?:la ley|la norma|el articulo|el estatuto|el precepto|el texto|la regla)"
    r"(?: [a-z0-9.]+){0,6}? no"
    r" (?:dice|preve|establece|dispone|contempla|exige|impone|ordena|reconoce|obliga a|fija|senala|requiere)"
    r" que (?P<inner>.+)$"
)


def denied_by_frame(sentence: str) -> tuple[str, bool]:
    """(what a frame denies, True if the sentence says nothing else); ('', False) without a frame."""
    folded = " ".join(fold(sentence).split())
    if found := _FALSE.match(folded):
        return found["inner"], True
    found = _NOT_SAID.match(folded)
    return (found["inner"], False) if found else ("", False)


def is_law(inner: Claim) -> bool:
    """True if the near sentence says what a frame denies: its keys, its amounts, and as many negations."""
    own = keys(inner.said)
    held = own & keys(inner.nearest)
    there = {(one.kind, one.value) for one in inner.known}
    return (
        len(held) >= max(FEWEST, SUPPORTED * len(own))
        and all((one.kind, one.value) in there for one in inner.amounts)
        and bool(ANY.search(inner.folded)) == bool(ANY.search(inner.there))
    )
