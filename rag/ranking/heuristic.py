"""Ordering candidates without a model: a linear combination of the features of each article (S2.20-S2.21).

The weights are a data file, learned by `lab.training.reranker` on questions about the demo corpus.
"""

from collections.abc import Mapping, Sequence
from math import exp

from rag.ranking.ranking_features import Asked, articles, table
from rag.ranking.weights import weights
from rag.shared.hits import Hit


def heuristic_order(
    asked: Asked, candidates: Sequence[Hit], referring: Mapping[str, Sequence[str]] | None = None
) -> list[Hit]:
    """The candidates, best first; exact hits stay in front, further parts of an article go last.

    Each has a `rerank` value, 1 for the best and e^-d at a distance of d, and, exact hits apart, the
    contribution of each feature to it.
    """
    exact = [hit.model_copy(update={"rerank": 1.0}) for hit in candidates if hit.origin == "exact"]
    found = articles([hit for hit in candidates if hit.origin != "exact"])
    shares = [contributions(row) for row in table(asked, found, referring)]
    scores = [sum(share.values()) for share in shares]
    best = max(scores, default=0.0)
    order = sorted(range(len(found)), key=lambda i: (-scores[i], -found[i].score, found[i].best.chunk.id))
    front: list[Hit] = []
    rest: list[Hit] = []
    for i in order:
        update = {"rerank": exp(scores[i] - best), "features": tuple(shares[i].items())}
        front.append(found[i].best.model_copy(update=update))
        rest += [part.model_copy(update=update) for part in found[i].parts if part is not found[i].best]
    return exact + front + rest


def contributions(row: Mapping[str, float]) -> dict[str, float]:
    """Weight times value, to 4 decimals, of each feature where neither is 0."""
    aided, unaided = weights()
    return {
        name: round(weight * value, 4)
        for name, weight in (aided if row.get("aided") or row.get("aided_words") else unaided).items()
        if weight and (value := row.get(name, 0.0))
    }
