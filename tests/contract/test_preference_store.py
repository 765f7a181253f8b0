"""Preferences of people on both databases."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from pydantic import ValidationError

from core.errors import InputError
from domain.preferences import DefaultDay, Notice, Preferences, Theme
from rag.shared.cited_answer import AnswerLength

pytest_plugins = ("tests.postgres",)
DAY = date(2019, 3, 14)
CHOSEN = {
    "theme": Theme.DARK,
    "length": AnswerLength.BRIEF,
    "fixed_day": DAY,
    "day": DefaultDay.FIXED,
    "shortcuts": False,
    "notice": Notice.TAB,
    "toured": True,
    "detail": True,
}


@pytest.fixture
def store(database):
    return database.preferences


def test_who_has_chosen_nothing_has_the_defaults_and_no_row(store, database):
    assert store.read("ana") == Preferences()
    assert database.privacy.preferences("ana") is None


def test_every_preference_is_kept_and_nobody_elses_changes(store):
    for name, value in CHOSEN.items():
        store.change("ana", **{name: value})
    assert store.read("ana") == Preferences(**CHOSEN)
    assert CHOSEN.keys() == Preferences.model_fields.keys()
    assert store.read("blas") == Preferences()


def test_a_fixed_day_needs_its_day(store):
    with pytest.raises(InputError, match="día fijo"):
        store.change("ana", day=DefaultDay.FIXED)
    assert store.read("ana") == Preferences()
    store.change("ana", day=DefaultDay.FIXED, fixed_day=DAY)
    with pytest.raises(InputError, match="día fijo"):
        store.change("ana", fixed_day=None)
    assert store.read("ana").fixed_day == DAY


@pytest.mark.parametrize("wrong", [{"theme": "pink"}, {"unheard_of": 1}], ids=str)
def test_what_is_no_preference_is_refused_and_changes_nothing(store, wrong):
    with pytest.raises(ValidationError):
        store.change("ana", **wrong)
    assert store.read("ana") == Preferences()


def test_two_windows_change_different_things_and_both_stay(store):
    def change(name):
        store.change("ana", **{name: CHOSEN[name]})

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(change, ("theme", "length", "shortcuts", "notice")))
    found = store.read("ana")
    assert (found.theme, found.length, found.shortcuts, found.notice) == ("dark", "brief", False, "tab")


def test_they_go_with_the_person(store, database):
    store.change("ana", theme=Theme.DARK)
    store.change("blas", theme=Theme.LIGHT)
    database.privacy.erase("ana")
    assert database.privacy.preferences("ana") is None
    assert store.read("blas").theme is Theme.LIGHT
