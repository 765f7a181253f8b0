"""The time left of work under way."""

import sys
from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from commands import output
from core.progress import Pace


def said(steps: Sequence[tuple[float, int]], total: int) -> list[str]:
    """The words told after each step of (seconds, things done)."""
    pace, now, done = Pace(), 0.0, 0
    told = [pace.left(now, done, total)]
    for seconds, count in steps:
        now, done = now + seconds, done + count
        told.append(pace.left(now, done, total))
    return told


def test_nothing_is_said_of_the_time_left_before_the_pace_is_known() -> None:
    told = said([(1.0, 10)] * 20, 2600)
    assert told[:15] == [""] * 15
    assert told[20] == "quedan unos 4 min"
    assert not any(said([(5.0, 1)] * 3, 100))


@pytest.mark.parametrize(
    ("total", "text"),
    [
        (200, ""),
        (230, "queda menos de 1 min"),
        (810, "quedan unos 2 min"),
        (50_000, "quedan unos 83 min"),
        (72_200, "quedan unas 2 h"),
    ],
)
def test_the_time_left_is_told_in_minutes_or_hours(total: int, text: str) -> None:
    assert said([(1.0, 10)] * 20, total)[-1] == text


def test_the_pace_is_that_of_the_last_minute() -> None:
    kept_already, made_now = [(0.05, 16)] * 200, [(2.0, 16)] * 150
    told = said(kept_already + made_now, 5600)
    assert told[-1 - 120] == "quedan unos 4 min"


def test_work_of_uneven_steps_has_no_time_left() -> None:
    assert not any(said([(1.0, 1)] * 10 + [(30.0, 1)] * 2, 60))


def test_steps_that_take_long_count_too() -> None:
    assert said([(40.0, 1)] * 6, 30)[-1] == "quedan unos 16 min"


def test_another_step_of_the_work_begins_anew() -> None:
    pace = Pace()
    for now in range(30):
        pace.left(now, now * 10, 10_000)
    assert pace.left(30, 300, 10_000)
    assert not pace.left(31, 0, 500)


def test_the_command_line_tells_the_time_left_beside_the_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    clock = iter(range(100))
    monkeypatch.setattr(output, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    with output.Progress() as progress:
        for done in range(21):
            progress("dense", done * 10, 2600)
    assert "\rvectores 200/2600 · quedan unos 4 min" in capsys.readouterr().err
