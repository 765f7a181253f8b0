"""Fusion: deterministic on every backend."""

import random

import pytest

from rag.fusion import RRF_K, merge_collections, merge_queries, rrf
from rag.types import Hit
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


def test_weights_scale_their_ranking_and_must_match_in_number():
    fused = dict(rrf([["a"], ["b"]], weights=[1.0, 0.5]))
    assert fused["b"] == pytest.approx(fused["a"] / 2)
    with pytest.raises(ValueError, match="1 weights for 2 rankings"):
        rrf([["a"], ["b"]], weights=[1.0])


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
