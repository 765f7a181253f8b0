"""How many candidates reach the reranker: wide cuts for the heuristic, the profile's without a reranker."""

import dataclasses

import pytest

from core.profile import WIDE, Cuts, Profile
from rag.shared.state import Services


def services(reader=None, **values):
    fields = dict.fromkeys(field.name for field in dataclasses.fields(Services))
    return Services(**(fields | {"profile": Profile(**values), "reader": reader}))


@pytest.mark.parametrize("strategy", [None, "heuristic", "listwise", "pointwise", "judge"])
def test_the_heuristic_ranks_more_than_the_profile_says_whoever_reads_the_best_of_them(strategy):
    assert services(rag_rerank_strategy=strategy).cuts == WIDE
    assert services(rag_rerank_strategy=strategy, search_merged=300).cuts.merged == 300


def test_without_a_reranker_the_cuts_are_those_of_the_profile():
    assert services(rag_rerank_strategy="none").cuts == Profile().cuts == Cuts(20, 10, 20, 30)


def test_the_old_name_of_the_pointwise_strategy_is_understood():
    assert Profile(rag_rerank_strategy="gemini").rag_rerank_strategy == "pointwise"
