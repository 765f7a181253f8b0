"""Labelled lines that a question asks for, of contracts and rulings: «Importe total: 28.500 EUR»."""

import re
from collections.abc import Sequence

from rag.answers.passage_selection import Found, Passage
from text.textnorm import STOPWORDS, words

_LINE = re.compile(r"^[-–—*•]?\s*(?P<label>[^\W\d_][^:|\n]{1,60}):[^\S\n]+(?P<value>\S.{0,200})$", re.M)
_ASIDE = re.compile(r"\([^)]*\)")
_ASKS = re.compile(
    r"\b(?:cu[aá]l(?:es)?|qu[eé]|qui[eé]n(?:es)?|cu[aá]nt\w+|cu[aá]ndo|d[oó]nde|d[ií]me|dame)\b", re.I
)
_OF_DOCUMENTS = frozenset(
    words(
        "contrato sentencia resolucion convenio criterio documento expediente empresa tribunal supremo"
        " recurso rcud"
    )
)
LEFT_OVER = 1
"""Words of a question that neither the label nor the name of its document may say."""


def asked_lines(query: str, found: Sequence[Found]) -> list[Passage]:
    """The lines of the first document whose whole label the question says, if it asks for little else.

    The longest labels win: «Fecha de vencimiento del aval» over «Fecha». Of a question that says more than
    the label and the document's name, the line cannot be known to be what it asks for: none.
    """
    if not found or not _ASKS.search(query):
        return []
    first = min(found, key=lambda one: one.place).hit.chunk
    own = [one for one in found if one.hit.chunk.norm_id == first.norm_id]
    asked = _words(query)
    sized = [(size, one) for one in own if (size := _longest(asked, one))]
    longest = max((size for size, _ in sized), default=0)
    return [one.passage(1.0) for size, one in sized if size == longest]


def _longest(asked: set[str], one: Found) -> int:
    """How many words the longest label of a stretch has that is asked for; 0 for none."""
    chunk = one.hit.chunk
    sizes = [0]
    for line in _LINE.finditer(one.piece.text):
        label = _words(_ASIDE.sub(" ", line["label"]))
        named = f"{chunk.law} {chunk.alias} {chunk.section} {line['label']}"
        if label and label <= asked and len(asked - _words(named) - _OF_DOCUMENTS) <= LEFT_OVER:
            sizes.append(len(label))
    return max(sizes)


def _words(text: str) -> set[str]:
    """Words without their plural: stems would make one of «contrato» and «contratista»."""
    return {re.sub(r"e?s$", "", word) for word in words(text) if word not in STOPWORDS}
