"""How many candidates reach the reranker: the profile's cuts for a model, wider ones for the heuristic."""

from __future__ import annotations

import dataclasses

import pytest

from rag.profile import WIDE, Cuts, Profile
from rag.services import Services


def services(reader=None, **values):
    fields = dict.fromkeys(field.name for field in dataclasses.fields(Services))
    return Services(**(fields | {"profile": Profile(**values), "reader": reader}))


def test_a_model_reads_the_cuts_of_the_profile():
    assert services(reader=object()).cuts == Cuts(20, 10, 20, 30)


def test_the_heuristic_ranks_more_and_never_fewer_than_the_profile_says():
    assert services().cuts == WIDE
    assert services(search_merged=300).cuts.merged == 300


@pytest.mark.parametrize("strategy", ["none", "listwise"])
def test_other_strategies_keep_the_cuts_of_the_profile(strategy):
    assert services(rag_rerank_strategy=strategy).cuts == Profile().cuts
