"""Nearness of words that are not the same."""

import numpy as np
import pytest

from core.errors import ConfigurationError
from index.word_vectors import Table, WordVectors, load_word_vectors, save_word_vectors
from text.textnorm import stems

STEMS = ("sueld", "salari", "gat", "perr")
PLACES = {stem: place for place, stem in enumerate(STEMS)}


def table(near: float, weight: tuple[float, ...] = (1, 1, 1, 1)) -> Table:
    """«sueldo» asked is as near as `near` to «salario» said; every other word only to itself."""
    said = np.vstack([np.eye(4), np.zeros(4)]).astype(np.float32)
    asked = said.copy()
    asked[0] = [np.sqrt(1 - near**2), near, 0, 0]
    return Table(asked, said, np.array([*weight, 0], dtype=np.float32))


TWO = WordVectors(
    PLACES,
    {"N-1": 0, "N-2": 1},
    {None: table(0.0), frozenset(): table(0.8), frozenset({0}): table(0.6)},
)


def nearness(question: str, *passages: str, of: WordVectors = TWO, unseen: tuple[str, ...] = ()):
    return of.nearness(stems(question), [of.of(stems(one)) for one in passages], unseen)


def test_a_word_is_as_near_as_the_nearest_of_the_passage():
    assert nearness("sueldo", "salario y gato", "gato", "sueldo") == pytest.approx([0.8, 0.0, 0.6])


def test_words_count_by_how_much_they_say_and_unknown_ones_not_at_all():
    heavy = WordVectors(PLACES, {}, {None: table(0.8), frozenset(): table(0.8, (3, 1, 1, 1))})
    assert nearness("sueldo, gato", "salario") == pytest.approx([0.4])
    assert nearness("sueldo, gato", "salario", of=heavy) == pytest.approx([0.6])
    assert nearness("sueldo de un marciano", "salario") == pytest.approx([0.8])


@pytest.mark.parametrize("question", ["", "marciano", "de la"])
def test_a_question_without_a_known_word_is_near_to_nothing(question):
    assert nearness(question, "salario", "gato") == [0.0, 0.0]


def test_a_passage_without_a_known_word_is_near_to_nothing_and_no_passage_is_no_error():
    assert nearness("sueldo", "", "marciano", "salario") == pytest.approx([0.0, 0.0, 0.8])
    assert nearness("sueldo") == []


@pytest.mark.parametrize(
    ("unseen", "expected"), [(("N-1",), 0.6), (("unknown",), 0.8), (("N-1", "unknown"), 0.6)]
)
def test_norms_that_must_not_have_taught_anything_choose_the_table_without_them(unseen, expected):
    assert nearness("sueldo", "salario", unseen=unseen) == pytest.approx([expected])


def test_without_such_a_table_that_of_no_question_serves():
    assert nearness("sueldo", "salario", unseen=("N-2",)) == [0.0]


def test_what_is_saved_is_read_again(tmp_path):
    save_word_vectors(TWO, tmp_path / "a.npz")
    read = load_word_vectors(tmp_path / "a.npz")
    assert (read.places, read.folds, read.tables.keys()) == (TWO.places, TWO.folds, TWO.tables.keys())
    assert nearness("sueldo", "salario", of=read) == pytest.approx([0.8], abs=0.01)
    assert nearness("sueldo", "salario", of=read, unseen=("N-1",)) == pytest.approx([0.6], abs=0.01)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut short", b"not a zip"])
def test_a_damaged_file_is_one_sentence(tmp_path, content):
    path = tmp_path / "word_vectors.npz"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"word_vectors\.npz: no se puede leer"):
        load_word_vectors(path)


def test_a_file_with_fewer_vectors_than_words_is_damaged(tmp_path):
    save_word_vectors(TWO._replace(places=PLACES | {"otr": 4}), tmp_path / "word_vectors.npz")
    with pytest.raises(ConfigurationError, match="no se puede leer"):
        load_word_vectors(tmp_path / "word_vectors.npz")


def test_the_shipped_tables_lack_up_to_two_folds_or_every_question():
    shipped = load_word_vectors()
    assert {len(unseen) for unseen in shipped.tables if unseen is not None} == {0, 1, 2}
    assert None in shipped.tables
    assert set(shipped.folds.values()) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("me han bajado el sueldo", "Se reducirá la cuantía salarial.", "Se notificará el alta."),
        ("me quieren echar", "El despido será nulo.", "La huelga será voluntaria."),
        ("se ha muerto mi abuela", "Por fallecimiento de parientes.", "Por matrimonio."),
    ],
)
def test_everyday_words_are_nearer_to_the_words_of_the_law_that_answers(question, right, wrong):
    near = nearness(question, right, wrong, of=load_word_vectors())
    assert near[0] > near[1]
