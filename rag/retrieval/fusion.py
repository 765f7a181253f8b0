"""Merging rankings: pure functions, deterministic on every backend.

Reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009, score = Σ 1 / (k + rank).
The engine's own fusion breaks ties at random, so it is done here with ties broken by id.
"""

from collections.abc import Iterable, Mapping, Sequence

from rag.shared.hits import Hit

RRF_K = 60
TOP_CHUNKS = 3


def rrf(rankings: Iterable[Iterable[str]]) -> list[tuple[str, float]]:
    """Fuse rankings of ids (best first) into (id, score), best first, ties by id.

    An id repeated within one ranking counts once, at its best rank.
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            scores[item] = scores.get(item, 0.0) + 1 / (RRF_K + rank)
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def merge_collections(
    per_collection: Mapping[str, Iterable[Hit]], weights: Mapping[str, float], limit: int = 20
) -> list[Hit]:
    """One sub-query's hits over its collections by score × weight, best first, cut to `limit` (S0.24)."""
    weighted = [
        hit if weight == 1.0 else hit.model_copy(update={"score": hit.score * weight})
        for collection, hits in per_collection.items()
        for weight in (weights.get(collection, 1.0),)
        for hit in hits
    ]
    return sorted(weighted, key=by_score)[:limit]


def merge_queries(per_query: Iterable[Iterable[Hit]], limit: int = 30) -> list[Hit]:
    """Union over sub-queries, deduplicated by (collection, id) keeping the highest score (S0.20, X.1)."""
    best: dict[tuple[str, str], Hit] = {}
    for hits in per_query:
        for hit in hits:
            known = best.get(hit.key)
            if known is None:
                best[hit.key] = hit
                continue
            winner = min(known, hit, key=by_score)
            seen = tuple(dict.fromkeys(known.sub_queries + hit.sub_queries))
            best[hit.key] = winner.model_copy(update={"sub_queries": seen})
    return sorted(best.values(), key=by_score)[:limit]


def by_document(hits: Sequence[Hit], documents: int = 15, each: int = 3) -> list[Hit]:
    """The best chunks of the best documents, best document first (S3.40, X.9).

    The score of a document is the sum of its three best chunks' scores divided by three, also when it has
    fewer: several mentions count for more than one.

    Args:
        hits: best first; the document of a hit is its norm.
        documents, each: number of documents kept, and of chunks of each.
    """
    groups: dict[tuple[str, str], list[Hit]] = {}
    for hit in sorted(hits, key=by_score):
        groups.setdefault((hit.chunk.collection, hit.chunk.norm_id), []).append(hit)
    value = {key: sum(hit.score for hit in group[:TOP_CHUNKS]) / TOP_CHUNKS for key, group in groups.items()}
    best = sorted(groups, key=lambda key: (-value[key], key))[:documents]
    return [hit for key in best for hit in groups[key][:each]]


def by_score(hit: Hit) -> tuple[float, str, str]:
    """Sort key: best score first, then (collection, id) so that ties never depend on arrival."""
    return (-hit.score, hit.chunk.collection, hit.chunk.id)
