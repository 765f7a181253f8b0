"""The network that moves a question's vector toward the texts that answer it."""

import numpy as np
import pytest

from core.errors import ConfigurationError
from index.query_adapter import FILE, OF_PASSAGES, Adapter, Network, load_adapter, save_adapter
from models.local_embedder import DIMENSIONS, NAME


def _network(turn: list[list[float]]) -> Network:
    """The network that adds `turn` to (1, 0) and (0, 1), and to what lies between, a share of each."""
    outer = np.array(turn, dtype=np.float32)
    return Network.of(np.eye(2, dtype=np.float32), np.zeros(2, np.float32), outer, np.zeros(2, np.float32))


TURN = _network([[-1.0, 1.0], [-1.0, -1.0]])
"""Vectors of two positive numbers turn by 90 degrees."""
NONE = _network([[0.0, 0.0], [0.0, 0.0]])
TWO = Adapter("m", {"N-1": 0, "N-2": 1}, {frozenset(): TURN, frozenset({0}): NONE})


def test_a_question_is_moved_and_stays_a_unit_vector():
    assert TWO.adapted((1.0, 0.0)) == pytest.approx((0.0, 1.0), abs=1e-6)
    assert np.linalg.norm(TWO.adapted((0.6, 0.8))) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("unseen", "expected"),
    [(["N-1"], (1.0, 0.0)), (["unknown"], (0.0, 1.0)), (["N-1", "unknown"], (1.0, 0.0))],
)
def test_norms_that_must_not_have_taught_anything_choose_the_network_without_them(unseen, expected):
    assert TWO.adapted((1.0, 0.0), unseen) == pytest.approx(expected)


def test_without_such_a_network_the_question_stays_as_it_is():
    assert TWO.adapted((1.0, 0.0), ["N-2"]) == (1.0, 0.0)


def test_what_is_saved_is_read_again(tmp_path):
    save_adapter(TWO, tmp_path / "a.npz")
    read = load_adapter(tmp_path / "a.npz")
    assert (read.model, read.folds) == (TWO.model, TWO.folds)
    assert read.adapted((0.6, 0.8)) == pytest.approx(TWO.adapted((0.6, 0.8)), abs=1e-3)
    assert read.adapted((1.0, 0.0), ["N-1"]) == (1.0, 0.0)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut short", b"not a zip"])
def test_a_damaged_file_is_one_sentence(tmp_path, content):
    path = tmp_path / "adapter.npz"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"adapter\.npz: no se puede leer"):
        load_adapter(path)


@pytest.mark.parametrize("file", [FILE, OF_PASSAGES])
def test_the_shipped_networks_are_of_the_local_model_and_lack_up_to_two_folds(file):
    shipped = load_adapter(file)
    assert shipped.model == NAME
    assert {len(unseen) for unseen in shipped.networks} == {0, 1, 2}
    assert {one.inner.shape[0] for one in shipped.networks.values()} == {DIMENSIONS}
    assert set(shipped.folds.values()) == {0, 1, 2, 3}
