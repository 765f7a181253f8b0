"""State of norms, blocks and wordings on a day; what changed since an answer."""

from datetime import date

import pytest

from law.norms import UNDATED, Norm
from law.validity import Validity, state_of_block, state_of_norm, state_of_version
from rag.answers.changed_citations import changed_since
from rag.shared.cited_answer import Citation
from tests.factories import make_block, make_norm, make_version, save
from tests.fakes import MemoryCorpus

TODAY = date(2025, 1, 1)
HEAD = "Artículo 1. Prueba.\n"
LIVING = make_block(
    "1",
    make_version(HEAD + "Uno.", since="2010-01-01", until="2019-12-31"),
    make_version(HEAD + "Dos.", since="2020-01-01", amended_by="BOE-A-2019-7"),
)
COMING = make_block(
    "2",
    make_version(HEAD + "Uno.", since="2010-01-01", until="2025-06-30"),
    make_version(HEAD + "Dos.", since="2025-07-01"),
)
FUTURE = make_block("3", make_version(HEAD + "Uno.", since="2025-07-01"))
GONE = make_block(
    "4",
    make_version(HEAD + "Uno.", since="2010-01-01", until="2014-12-31"),
    make_version(HEAD + "(Derogado)", since="2015-01-01", until="2017-12-31", amended_by="BOE-A-2014-7"),
    make_version(HEAD + "(Suprimido).", since="2018-01-01"),
)
BETWEEN = make_block(
    "7",
    make_version(HEAD + "Uno.", since="2010-01-01", until="2014-12-31"),
    make_version(HEAD + "Dos.", since="2020-01-01"),
)
ENDED = make_block("5", make_version(HEAD + "Uno.", since="2010-01-01", until="2022-03-31"))
ONE_LINE = make_block("6", make_version("(Derogado)", since="2010-01-01"))


@pytest.mark.parametrize(
    ("block", "day", "said"),
    [
        (LIVING, TODAY, "Vigente desde el 1 de enero de 2020"),
        (LIVING, date(2015, 1, 1), "Vigente desde el 1 de enero de 2010; cambia el 1 de enero de 2020"),
        (LIVING, date(2019, 12, 31), "Vigente desde el 1 de enero de 2010; cambia el 1 de enero de 2020"),
        (COMING, TODAY, "Vigente desde el 1 de enero de 2010; cambia el 1 de julio de 2025"),
        (FUTURE, TODAY, "Entra en vigor el 1 de julio de 2025"),
        (GONE, TODAY, "Derogado desde el 1 de enero de 2015"),
        (ENDED, TODAY, "Derogado desde el 1 de abril de 2022"),
        (ENDED, date(2022, 3, 31), "Vigente desde el 1 de enero de 2010"),
        (ONE_LINE, TODAY, "Derogado desde el 1 de enero de 2010"),
        # A state begins on its first day.
        (LIVING, date(2020, 1, 1), "Vigente desde el 1 de enero de 2020"),
        (FUTURE, date(2025, 7, 1), "Vigente desde el 1 de julio de 2025"),
        (BETWEEN, date(2014, 12, 31), "Vigente desde el 1 de enero de 2010; cambia el 1 de enero de 2020"),
        (BETWEEN, date(2015, 1, 1), "Derogado desde el 1 de enero de 2015; cambia el 1 de enero de 2020"),
        (ENDED, date(2022, 4, 1), "Derogado desde el 1 de abril de 2022"),
        (GONE, date(2018, 1, 1), "Derogado desde el 1 de enero de 2015"),
    ],
)
def test_a_block_says_its_state_on_a_day(block, day, said):
    assert str(state_of_block(block, day)) == said


@pytest.mark.parametrize(
    ("block", "number", "state"),
    [
        (LIVING, 0, Validity.SUPERSEDED),
        (LIVING, 1, Validity.IN_FORCE),
        (COMING, 1, Validity.FUTURE),
        (GONE, 0, Validity.REPEALED),
        (GONE, 2, Validity.REPEALED),
        (ENDED, 0, Validity.REPEALED),
    ],
)
def test_a_wording_says_its_state_on_a_day(block, number, state):
    assert state_of_version(block, block.versions[number], TODAY).validity is state


def test_a_superseded_wording_says_since_when():
    assert (
        str(state_of_version(LIVING, LIVING.versions[0], TODAY))
        == "Redacción sustituida el 1 de enero de 2020"
    )


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"valid_from": date(2010, 1, 1)}, "Vigente desde el 1 de enero de 2010"),
        ({}, "Vigente"),
        ({"valid_from": UNDATED}, "Vigente"),
        ({"valid_from": date(2026, 1, 1)}, "Entra en vigor el 1 de enero de 2026"),
        ({"status": "Derogado", "repealed_on": date(2020, 5, 1)}, "Derogado desde el 2 de mayo de 2020"),
        ({"repealed_on": date(2025, 1, 1)}, "Vigente"),
        ({"status": "Anulado"}, "Derogado"),
    ],
)
def test_a_norm_says_its_state_on_a_day(fields, said):
    assert str(state_of_norm(Norm(id="N-1", title="Ley", law="Ley", **fields), TODAY)) == said


@pytest.fixture
def corpus() -> MemoryCorpus:
    store = MemoryCorpus()
    save(store, make_norm("N-1", LIVING, COMING, GONE, ENDED))
    return store


def cited(*labels: str, norm: str = "N-1") -> list[Citation]:
    return [
        Citation(marker="C1", quote="x", source="x", norm_id=norm, block_id=f"a{label}", law="Ley N-1")
        for label in labels
    ]


@pytest.mark.parametrize(
    ("label", "answered", "today", "change"),
    [
        ("1", "2019-06-01", "2025-01-01", ("2020-01-01", False)),
        ("1", "2019-12-31", "2020-01-01", ("2020-01-01", False)),
        ("1", "2019-06-01", "2019-12-31", None),
        ("1", "2020-01-01", "2025-01-01", None),
        ("2", "2024-01-01", "2025-06-30", None),
        ("2", "2024-01-01", "2025-07-01", ("2025-07-01", False)),
        ("4", "2014-06-01", "2016-01-01", ("2015-01-01", True)),
        ("5", "2020-01-01", "2022-04-01", ("2022-04-01", True)),
        ("5", "2020-01-01", "2022-03-31", None),
        ("5", "2023-01-01", "2025-01-01", None),
        ("5", "2022-04-01", "2025-01-01", None),
        ("5", "2022-03-31", "2025-01-01", ("2022-04-01", True)),
    ],
)
def test_a_cited_article_has_changed_once_its_new_wording_is_in_force(corpus, label, answered, today, change):
    found = changed_since(cited(label), date.fromisoformat(answered), corpus, date.fromisoformat(today))
    assert [(c.changed_on.isoformat(), c.repealed) for c in found] == ([change] if change else [])


def test_the_change_names_the_article_and_the_norm_that_brought_it(corpus):
    (change,) = changed_since(cited("1"), date(2019, 1, 1), corpus, TODAY)
    assert (change.article, change.law, change.amended_by) == ("1", "Ley N-1", "BOE-A-2019-7")


def test_an_article_cited_twice_is_told_once(corpus):
    assert len(changed_since(cited("1", "1", "5"), date(2019, 1, 1), corpus, TODAY)) == 2


@pytest.mark.parametrize(("norm", "label"), [("N-9", "1"), ("N-1", "99")])
def test_what_is_not_in_the_corpus_any_more_is_told_without_a_day(corpus, norm, label):
    (gone,) = changed_since(cited(label, norm=norm), date(2019, 1, 1), corpus, TODAY)
    assert (gone.norm_id, gone.removed, gone.changed_on) == (norm, True, None)


def test_what_names_no_block_or_one_with_another_id_says_nothing(corpus):
    nameless = Citation(marker="C1", quote="x", source="x")
    moved = Citation(marker="C1", quote="x", source="x", norm_id="N-1", block_id="otro", article="1")
    assert changed_since([nameless, moved], date(2019, 1, 1), corpus, TODAY) == []


def test_a_wording_that_only_begins_again_with_the_same_words_is_no_change():
    store = MemoryCorpus()
    same = make_block(
        "1",
        make_version(HEAD + "Uno.", since="2010-01-01", until="2019-12-31"),
        make_version(HEAD + "Uno.", since="2020-01-01"),
    )
    save(store, make_norm("N-1", same))
    assert changed_since(cited("1"), date(2019, 1, 1), store, TODAY) == []


@pytest.mark.parametrize(
    ("block", "number", "day", "said"),
    [
        (COMING, 1, TODAY, "Entra en vigor el 1 de julio de 2025"),
        (COMING, 1, date(2025, 7, 1), "Vigente desde el 1 de julio de 2025"),
        (ENDED, 0, TODAY, "Derogado desde el 1 de abril de 2022"),
    ],
)
def test_a_wording_says_since_when_its_state_holds(block, number, day, said):
    assert str(state_of_version(block, block.versions[number], day)) == said


def test_a_norm_is_in_force_on_its_first_day():
    norm = make_norm().norm.model_copy(update={"valid_from": TODAY})
    assert state_of_norm(norm, TODAY).validity is Validity.IN_FORCE
