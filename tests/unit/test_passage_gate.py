"""Passages of several articles beside each other: what compares them, and the gate that weighs it."""

import numpy as np
import pytest

from core.errors import ConfigurationError
from rag.answers import passage_gate
from rag.answers.passage_gate import Gate, beside_each_other, compared, load_gate, save_gate
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


def only(**weights: float) -> Gate:
    """A gate whose log-odds are each feature times its weight, for what is above 0 once more by its units."""
    names = tuple(weights)
    size = len(names)
    each = np.array(list(weights.values()))
    return Gate(
        names, np.zeros(size), np.ones(size), each, np.zeros(1), np.eye(size), np.zeros(size), each
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


def test_the_gate_that_ships_knows_only_features_that_passages_have():
    (row, *_) = compared(passages())
    assert set(load_gate().names) <= set(row)


def test_the_gate_orders_by_the_features_that_it_weighs(monkeypatch):
    found = passages({"quince": 0.8})
    monkeypatch.setattr(passage_gate, "load_gate", lambda: only(in_rank=1.0))
    assert beside_each_other(found)[0].text != found[0].text
    monkeypatch.setattr(passage_gate, "load_gate", lambda: only(adapted=1.0))
    assert beside_each_other(found)[0].text == found[0].text


def test_its_units_add_only_above_their_threshold():
    gate = only(in_rank=1.0)
    assert gate([{"in_rank": -2.0}, {"in_rank": 2.0}]).tolist() == [-2.0, 4.0]


def test_a_feature_far_beyond_what_was_learned_counts_as_the_farthest_one():
    gate = only(in_rank=1.0)
    assert gate([{"in_rank": 1e9}]) == gate([{"in_rank": passage_gate.FARTHEST}])


def test_scores_are_odds(monkeypatch):
    monkeypatch.setattr(passage_gate, "load_gate", lambda: only(n_art=2.0))
    assert all(0 < one.score < 1 for one in beside_each_other(passages()))


def test_no_passages_are_none():
    assert beside_each_other([]) == []


def test_a_gate_is_read_as_it_was_written(tmp_path):
    save_gate(only(in_rank=0.5, margin=2.0), tmp_path / "n.npz")
    read = load_gate(tmp_path / "n.npz")
    assert read.names == ("in_rank", "margin")
    assert read([{"in_rank": 2.0, "margin": 1.0}]) == pytest.approx([6.0])


def test_a_damaged_file_is_told_in_a_sentence(tmp_path):
    path = tmp_path / "passage_gate.npz"
    path.write_bytes(b"PK\x03\x04 damaged")
    with pytest.raises(ConfigurationError, match=r"passage_gate\.npz: no se puede leer"):
        load_gate(path)
