"""Quantities that a passage leaves to another article: «dentro del plazo señalado en el artículo 103»."""

import re
from collections.abc import Sequence

from law.norm_names import NormCatalogue
from law.norms import DOCUMENT
from rag.answers.passage_selection import Passage, in_asked_unit, stretches
from rag.answers.tables_sent_to import labels
from rag.shared.hits import Hit
from text.textnorm import stems

_REMITS = re.compile(
    r"\b(?:plazo|cuant[ií]a|importe|porcentaje|duraci[oó]n|l[ií]mite|edad)s?\b[^.;:]{0,60}?"
    r"\b(?:señal|previst|prev[eé]|establec|fij|indic|regul|determin|contempl|dispuest)\w*"
    r" (?:en |por )?(?:el|la|los|las) (?:art[ií]culo|disposici[oó]n)[^.;:]{0,80}",
    re.I,
)
"""A quantity, and the article of the same norm that says it."""


def followed(
    passages: Sequence[Passage], hits: Sequence[Hit], question: str, catalogue: NormCatalogue
) -> list[Passage]:
    """The passage of the context with the quantity that a question asks for and its first passage remits to.

    None if the first passage has such a quantity itself, or no hit is the article that it names.
    """
    if not passages or in_asked_unit(question, passages[0].text):
        return []
    first = passages[0]
    norm_id = hits[first.hit].chunk.norm_id
    named = [label for part in _REMITS.findall(first.text) for label in labels(part, norm_id, catalogue)]
    parts = [
        (number, hit)
        for number, hit in enumerate(hits)
        if hit.origin != DOCUMENT and hit.chunk.norm_id == norm_id and hit.chunk.label in named
    ]
    wanted = frozenset(stems(f"{question} {first.text}"))
    telling = [one for one in stretches(parts) if in_asked_unit(question, one.piece.text)]
    best = max(telling, key=lambda one: len(wanted.intersection(stems(one.piece.text))), default=None)
    return [] if best is None else [best.passage(0.0)]
