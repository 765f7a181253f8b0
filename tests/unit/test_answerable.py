"""The network that tells, by a question's meaning alone, whether the shipped norms answer it."""

import json

import numpy as np
import pytest

from core.errors import ConfigurationError
from lab.training.questions import ANSWERABILITY
from models.local_embedder import DIMENSIONS, NAME
from rag.answers.answerable import FARTHEST, Network, load_answerable, save_answerable
from rag.answers.sufficiency import ANSWERABLE, CALIBRATED
from service.config import ROOT
from text.textnorm import stems

TRAINING = ROOT / "data" / "training"
SECOND = Network("m", np.array([0.5, 0.5]), np.array([[0.0], [1.0]]), np.zeros(1), np.ones(1), -np.ones(1))
"""Says what the second number of a vector has above .5."""


def test_the_odds_grow_with_what_it_has_learned_to_see_and_are_never_too_sure():
    assert SECOND([[1.0, 0.5], [0.0, 0.75], [0.0, 100.0]]) == pytest.approx([-1.0, 1.0, FARTHEST])


def test_what_is_saved_is_read_again(tmp_path):
    save_answerable(SECOND, tmp_path / "a.npz")
    read = load_answerable(tmp_path / "a.npz")
    assert read.model == "m"
    assert read([[0.0, 0.75]]) == pytest.approx([1.0])


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut short", b"not a zip"])
def test_a_damaged_file_is_one_sentence(tmp_path, content):
    path = tmp_path / "answerable.npz"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"answerable\.npz: no se puede leer"):
        load_answerable(path)


def test_the_shipped_network_is_of_the_local_model_and_has_weights_beside_it():
    shipped = load_answerable()
    assert (shipped.model, shipped.mean.shape) == (NAME, (DIMENSIONS,))
    assert CALIBRATED.keys() == ANSWERABLE.keys() == {NAME}


def test_no_question_that_calibrates_or_measures_is_learned():
    """Nor one of the same words: people ask alike, and what is learned from would be measured."""

    def asked(path):
        lines = map(json.loads, path.read_text("utf-8").splitlines())
        return {frozenset(stems(line.get("question", ""))) for line in lines}

    learned = set().union(*(asked(TRAINING / f"{name}.jsonl") for name in (*ANSWERABILITY, "asked")))
    held = [TRAINING / "answerability_held.jsonl", *(ROOT / "data" / "evaluation").glob("*.jsonl")]
    same = {path.name: {said for said in learned & asked(path) if len(said) > 2} for path in held}
    assert same == {path.name: set() for path in held}
