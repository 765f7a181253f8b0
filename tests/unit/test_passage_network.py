"""Passages of several articles beside each other: what compares them, and the network that weighs it."""

from dataclasses import replace

import numpy as np
import pytest

from core.errors import ConfigurationError
from rag.answers import passage_network
from rag.answers.passage_network import Network, beside_each_other, compared, load_network, save_network
from rag.answers.passage_selection import Passage, scored, stretches, with_meaning
from rag.shared.hits import Hit
from tests.factories import make_chunk

QUERY = "¿Cuántos días de descanso hay?"
TEXTS = {
    "a7": "Artículo 7. Descanso.\n1. El descanso inventado es de quince días.\n2. Se pide por escrito antes.",
    "a8": "Artículo 8. Salario.\n1. El salario inventado se paga cada mes vencido.",
}  # fmt: skip


def passages(cosines: dict[str, float] | None = None) -> list[Passage]:
    hits = [
        (number, Hit(chunk=make_chunk(block_id=block, id=f"n/{block}/0", text=text), score=1.0))
        for number, (block, text) in enumerate(TEXTS.items())
    ]
    found = scored(QUERY, (), stretches(hits))
    values = [next((v for words, v in (cosines or {}).items() if words in one.text), 0.5) for one in found]
    return with_meaning(found, values, values)


def only(**weights: float) -> Network:
    """A network that adds each feature times its weight, for values above 0."""
    names = tuple(weights)
    size = len(names)
    return Network(
        names, np.zeros(size), np.ones(size), np.eye(size), np.zeros(size),
        np.array(list(weights.values())), np.zeros(1),
    )  # fmt: skip


def test_a_passage_is_compared_with_the_best_of_its_article_and_its_article_with_the_others():
    found = passages({"quince": 0.8, "escrito": 0.7, "salario": 0.6})
    rows = dict(zip([one.text[:12] for one in found], compared(found), strict=True))
    best, second, other = rows["1. El descan"], rows["2. Se pide p"], rows["1. El salari"]
    assert best["in_adapted"] == best["art_adapted"] == best["in_rank"] == 0
    assert second["in_adapted"] == pytest.approx(-1)
    assert second["art_adapted"] == 0
    assert other["in_adapted"] == 0
    assert other["art_adapted"] == pytest.approx(-2)
    assert best["margin"] == pytest.approx(1)
    assert second["margin"] == pytest.approx(-1)
    assert best["n_in"] == pytest.approx(np.log(2))
    assert other["n_in"] == 0


def test_the_network_that_ships_knows_only_features_that_passages_have():
    (row, *_) = compared(passages())
    assert set(load_network().names) <= set(row)


def test_a_network_that_adds_nothing_leaves_the_scores(monkeypatch):
    monkeypatch.setattr(passage_network, "load_network", lambda: only(in_rank=0.0))
    found = passages()
    again = beside_each_other(found)
    assert [one.text for one in again] == [one.text for one in found]
    assert [one.score for one in again] == pytest.approx([one.score for one in found])


def test_what_the_network_adds_can_overturn_the_order(monkeypatch):
    found = passages({"quince": 0.8})
    monkeypatch.setattr(passage_network, "load_network", lambda: only(in_rank=50.0))
    assert beside_each_other(found)[0].text != found[0].text


def test_a_feature_far_beyond_what_was_learned_counts_as_the_farthest_one():
    network = only(in_rank=1.0)
    assert network([{"in_rank": 1e9}]) == network([{"in_rank": passage_network.FARTHEST}])


def test_certain_scores_stay_finite():
    sure = [replace(one, score=score) for one, score in zip(passages(), (1.0, 0.0, 0.5), strict=True)]
    assert all(0 < one.score < 1 for one in beside_each_other(sure))


def test_no_passages_are_none():
    assert beside_each_other([]) == []


def test_a_network_is_read_as_it_was_written(tmp_path):
    save_network(only(in_rank=0.5, margin=2.0), tmp_path / "n.npz")
    read = load_network(tmp_path / "n.npz")
    assert read.names == ("in_rank", "margin")
    assert read([{"in_rank": 2.0, "margin": 1.0}]) == pytest.approx([3.0])


def test_a_damaged_file_is_told_in_a_sentence(tmp_path):
    path = tmp_path / "passage_network.npz"
    path.write_bytes(b"PK\x03\x04 damaged")
    with pytest.raises(ConfigurationError, match=r"passage_network\.npz: no se puede leer"):
        load_network(path)
