"""Sparse vectors for the lexical search: BM25 split between the document, the query and the engine.

Score of a document d for a query q (Robertson and Zaragoza, 2009), k1 = 1.2, b = 0.75:

    Σ over terms  weight(q) · IDF · tf (k1 + 1) / (tf + k1 (1 - b + b · len / avg_len))

The last factor is stored with the document, the first is the query vector, and the engine multiplies by the
IDF of the live collection (`Modifier.IDF`), so there is no vocabulary to rebuild.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import mmh3

from index.points import SparseVector
from law.chunks import Chunk
from law.norms import Norm, Reference
from text.textnorm import fold_for_search, stems

K1 = 1.2
B = 0.75
# Mean number of stems in `lexical_text` over the 7,311 chunks of 48 norms; tests/unit/test_sparse.py measures
# it again.
AVG_LEN = 166.0
EXTRA_WEIGHT = 0.5
TOKEN_WEIGHT = 1.0

_NUMBER = re.compile(r"\b\d{1,4}/\d{4}\b")
_DISPOSITION = re.compile(r"^(da|dt|df|dd|anexo)\s+(.+)$")


def document_vector(text: str, tokens: Iterable[str] = ()) -> SparseVector:
    """BM25 term saturation of a chunk's lexical text; `tokens` are terms taken as they are."""
    terms = stems(text)
    norm = K1 * (1 - B + B * len(terms) / AVG_LEN)
    counts = Counter(terms)
    counts.update(set(tokens))
    return _vector({term: tf * (K1 + 1) / (tf + norm) for term, tf in counts.items()})


def query_vector(text: str, extra_terms: Iterable[str] = (), tokens: Iterable[str] = ()) -> SparseVector:
    """Weights of a query: its own terms by frequency, `extra_terms` (synonyms) half a term each."""
    weights: dict[str, float] = {term: float(tf) for term, tf in Counter(stems(text)).items()}
    for extra in extra_terms:
        for term in stems(extra):
            weights.setdefault(term, EXTRA_WEIGHT)
    for token in tokens:
        weights.setdefault(token, TOKEN_WEIGHT)
    return _vector(weights)


def term_vector(stem: str) -> SparseVector:
    """A query for one stem: its best score is about its IDF; no result means that no chunk has it."""
    return _vector({stem: 1.0})


def reference_tokens(references: Iterable[Reference]) -> tuple[str, ...]:
    """Tokens of the references of a question; one whose norm is unknown still has its article."""
    return tuple(dict.fromkeys(token for reference in references for token in _tokens(reference)))


def _tokens(reference: Reference) -> Iterator[str]:
    if reference.label:
        yield label_token(reference.label)
    if reference.norm_id:
        yield norm_token(reference.norm_id)


def term_id(term: str) -> int:
    """Unsigned 32-bit MurmurHash3 of a term: the same on every machine and in every release."""
    return mmh3.hash(term, signed=False)


def label_token(label: str) -> str:
    """Reference token of a block label: '48 bis' → 'art:48 bis', 'da 3' → 'da:3', 'anexo I' → 'anexo:i'."""
    folded = " ".join(fold_for_search(label).split())
    match = _DISPOSITION.match(folded)
    return f"{match[1]}:{match[2]}" if match else f"art:{folded}"


def number_token(number: str) -> str:
    """Reference token of a norm's number: '295/2009' → 'n:295/2009'."""
    return f"n:{number.strip().lower()}"


def norm_token(norm_id: str) -> str:
    """Reference token of a norm: 'BOE-A-2015-11430' → 'norm:BOE-A-2015-11430'."""
    return f"norm:{norm_id}"


def lexical_tokens(chunk: Chunk, norm: Norm | None = None) -> tuple[str, ...]:
    """The reference tokens that a chunk answers to: its block, its norm's number if it has one, its norm.

    Without `norm`, a number is the one in the law's name, «Ley 10/2021».
    """
    named = _NUMBER.search(chunk.law)
    number = (norm.number if norm else "") or (named[0] if named else "")
    return (
        *((label_token(chunk.label),) if chunk.label else ()),
        *((number_token(number),) if number else ()),
        norm_token(chunk.norm_id),
    )


def _vector(weights: Mapping[str, float]) -> SparseVector:
    """Terms hashed and sorted; two terms with one hash add up."""
    by_id: dict[int, float] = {}
    for term, weight in weights.items():
        by_id[term_id(term)] = by_id.get(term_id(term), 0.0) + weight
    ids = sorted(by_id)
    return SparseVector(indices=tuple(ids), values=tuple(by_id[i] for i in ids))
