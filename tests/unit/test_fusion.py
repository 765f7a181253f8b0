"""Fusion: deterministic on every backend."""

import random

import pytest

from rag.retrieval.fusion import RRF_K, by_document, merge_collections, merge_queries, rrf
from rag.shared.hits import Hit
from tests.factories import make_chunk


def hit(chunk_id: str, score: float, collection: str = "normativa", sub_queries: tuple[int, ...] = ()) -> Hit:
    chunk = make_chunk(id=chunk_id, collection=collection)
    return Hit(chunk=chunk, score=score, sub_queries=sub_queries)


def test_rrf_adds_the_reciprocal_ranks():
    fused = dict(rrf([["a", "b"], ["b", "c"]]))
    assert fused["b"] == pytest.approx(1 / (RRF_K + 2) + 1 / (RRF_K + 1))
    assert fused["a"] == pytest.approx(1 / (RRF_K + 1))


def test_ties_are_broken_by_id_whatever_the_order_of_arrival():
    for seed in range(20):
        rankings = [["z", "m"], ["m", "z"], ["b"], ["a"]]
        random.Random(seed).shuffle(rankings)
        assert [chunk for chunk, _ in rrf(rankings)] == ["m", "z", "a", "b"]


def test_an_id_repeated_within_a_ranking_counts_once_at_its_best_rank():
    assert dict(rrf([["a", "a", "b"]])) == pytest.approx({"a": 1 / (RRF_K + 1), "b": 1 / (RRF_K + 2)})


def test_collections_are_merged_by_weighted_score_and_cut():
    merged = merge_collections(
        {"normativa": [hit("n", 0.8)], "sentencias": [hit("s", 0.9, "sentencias")]},
        {"normativa": 1.0, "sentencias": 0.8},
        limit=1,
    )
    assert [(h.chunk.id, h.score) for h in merged] == [("n", 0.8)]


def test_the_union_keeps_the_highest_score_and_every_sub_query():
    merged = merge_queries([[hit("a", 0.2, sub_queries=(0,))], [hit("a", 0.7, sub_queries=(1,))]])
    assert [(h.score, h.sub_queries) for h in merged] == [(0.7, (0, 1))]


def test_the_same_id_in_two_collections_is_two_hits():
    merged = merge_queries([[hit("1", 0.5)], [hit("1", 0.5, "sentencias")]])
    assert len(merged) == 2


def by_norm(scores: dict[str, list[float]]) -> list[Hit]:
    return [
        Hit(chunk=make_chunk(norm, str(i)), score=score)
        for norm, values in scores.items()
        for i, score in enumerate(values)
    ]


def test_a_document_that_is_mentioned_often_beats_one_better_mention():
    hits = by_document(by_norm({"ONE": [0.9], "MANY": [0.5, 0.5, 0.5, 0.5]}))
    assert [hit.chunk.norm_id for hit in hits] == ["MANY"] * 3 + ["ONE"]


def test_only_the_best_documents_and_their_best_chunks_are_kept():
    hits = by_document(by_norm({f"N{n:02}": [n / 100, n / 200, n / 300, n / 400] for n in range(1, 20)}))
    assert len(hits) == 15 * 3
    assert hits[0].chunk.norm_id == "N19"
    assert [hit.score for hit in hits[:3]] == [0.19, 0.095, 19 / 300]


def test_documents_that_tie_come_in_the_order_of_their_ids():
    hits = by_norm({"B": [0.5], "A": [0.5]})
    assert [h.chunk.norm_id for h in by_document(hits)] == [h.chunk.norm_id for h in by_document(hits[::-1])]
