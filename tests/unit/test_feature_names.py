"""The debug view names every feature that the reranker weighs."""

from pages._words import FEATURES
from rag.legal.ranking import weights


def test_every_feature_has_a_name_for_reviewers_and_every_name_a_feature():
    assert FEATURES.keys() == weights().keys()
