"""Nearness of words that are not the same, and how it is learned."""

import numpy as np
import pytest

from core.errors import ConfigurationError
from index.word_vectors import Table, WordVectors, load, save
from scripts import train_word_vectors
from scripts.train_adapter import FOLDS
from scripts.train_word_vectors import Batch, Material, Question, fit
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
    save(TWO, tmp_path / "a.npz")
    read = load(tmp_path / "a.npz")
    assert (read.places, read.folds, read.tables.keys()) == (TWO.places, TWO.folds, TWO.tables.keys())
    assert nearness("sueldo", "salario", of=read) == pytest.approx([0.8], abs=0.01)
    assert nearness("sueldo", "salario", of=read, unseen=("N-1",)) == pytest.approx([0.6], abs=0.01)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut short", b"not a zip"])
def test_a_damaged_file_is_one_sentence(tmp_path, content):
    path = tmp_path / "word_vectors.npz"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"word_vectors\.npz: no se puede leer"):
        load(path)


def test_a_file_with_fewer_vectors_than_words_is_damaged(tmp_path):
    save(TWO._replace(places=PLACES | {"otr": 4}), tmp_path / "word_vectors.npz")
    with pytest.raises(ConfigurationError, match="no se puede leer"):
        load(tmp_path / "word_vectors.npz")


def test_the_shipped_tables_lack_up_to_two_folds_or_every_question():
    shipped = load()
    assert {len(unseen) for unseen in shipped.tables if unseen is not None} == {0, 1, 2}
    assert None in shipped.tables
    assert set(shipped.folds.values()) == set(range(FOLDS))


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("me han bajado el sueldo", "Se reducirá la cuantía salarial.", "Se notificará el alta."),
        ("me quieren echar", "El despido será nulo.", "La huelga será voluntaria."),
        ("se ha muerto mi abuela", "Por fallecimiento de parientes.", "Por matrimonio."),
    ],
)
def test_everyday_words_are_nearer_to_the_words_of_the_law_that_answers(question, right, wrong):
    near = nearness(question, right, wrong, of=load())
    assert near[0] > near[1]


def material() -> Material:
    """Thirty words asked, each answered by one passage, which has another word, and ten other passages."""
    dice = np.random.default_rng(0)
    count = 30
    passages = np.full((count, train_word_vectors.LONGEST), 2 * count)
    passages[:, 0] = count + np.arange(count)
    others = [[place for place in range(count) if place != one] for one in range(count)]
    return Material(
        tuple(f"w{place}" for place in range(2 * count)),
        dice.normal(size=(2 * count, 96)) / 10 + 0.2,
        np.ones(2 * count),
        passages,
        np.arange(count),
        tuple(Question((one,), one, "N", frozenset(), frozenset()) for one in range(count)),
        np.array(others),
    )


def right(of: Material, learned: Table) -> float:
    """Share of the questions whose nearest passage is the right one."""
    near = learned.asked[:30] @ learned.said[of.passages[:, 0]].T
    return float((near.argmax(1) == np.arange(30)).mean())


def test_words_that_stand_in_questions_and_answers_come_near_each_other():
    of = material()
    before, after = fit(of, [], 0), fit(of, range(30), 600)
    assert right(of, before) < 0.2
    assert right(of, after) > 0.8
    assert np.linalg.norm(after.asked[:-1], axis=1) == pytest.approx(1.0)
    assert not after.asked[-1].any()


@pytest.mark.parametrize("side", [0, 1])
def test_the_gradient_is_the_slope_of_the_loss(side):
    """By central differences, for several components of the vectors of each side."""
    of = material()
    dice = np.random.default_rng(3)
    asked, said = (dice.normal(size=(61, 5)) / 4 for _ in range(2))
    asked[-1] = said[-1] = 0
    weight = dice.normal(size=60)
    best = frozenset({4, 5})
    questions = [
        Question((1, 2, 3), 4, "N", best, frozenset({6})),
        Question((7, 8), 9, "N", frozenset(), best),
    ]
    batch = Batch(questions, [one.words for one in questions], np.arange(20))

    def loss(one: np.ndarray, other: np.ndarray) -> float:
        total = 0.0
        counts = np.logaddexp(0, weight)
        for question in questions:
            near = np.maximum(one[list(question.words)] @ other[of.passages[:20, 0]].T, 0)
            own = counts[list(question.words)]
            sums = own @ near / own.sum() * train_word_vectors.SHARPNESS
            if question.best:
                kept = [place for place in range(20) if place not in question.helps]
                meant = sorted(question.best)
            else:
                kept, meant = list(range(20)), [question.article]
            total += float(np.log(np.exp(sums[kept]).sum()) - np.log(np.exp(sums[meant]).sum()))
        return total / len(questions)

    slopes = train_word_vectors._gradients(of, batch, asked, said, weight)
    step = 1e-6
    for row, column in [(1, 0), (3, 2), (8, 4)] if side == 0 else [(34, 0), (36, 1), (45, 3)]:
        ends = []
        for sign in (1, -1):
            both = [asked.copy(), said.copy()]
            both[side][row, column] += sign * step
            ends.append(loss(*both))
        assert slopes[side][row, column] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-4)
