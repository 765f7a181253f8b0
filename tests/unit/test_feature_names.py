"""The debug view names every feature that the reranker weighs."""

from pages.parts.common.words import FEATURES
from rag.ranking.weights import weights


def test_every_feature_has_a_name_for_reviewers_and_every_name_a_feature():
    assert FEATURES.keys() == weights().aided.keys() | weights().unaided.keys()
