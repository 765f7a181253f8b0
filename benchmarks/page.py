"""How soon a lawyer sees something: the first stage of an answer, and the page itself.

In the process: from `RunRegistry.start` to the first stage of the run, offline and with the scripted model of
`benchmarks.pipeline`. In Chromium: from Enter to the first stage on screen; and from an empty home to a page
that can be used (`cli.py demo`, then `streamlit run app.py`, as `make run` does).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bootstrap
from benchmarks import ROOT, build
from benchmarks.pipeline import DELAYS, QUESTION, scripted_model
from benchmarks.table import Row, percentile, show, spread

STAGE_MS, START_SECONDS = 500.0, 10.0
RUNS, QUESTIONS, STARTS = 15, 8, 3
BOX = "Escriba su consulta"
STAGE_LINE = '.art-stages li:not(:has-text("Preparando"))'
SOURCES = 'h3:has-text("Fuentes citadas")'
# As `make run` starts it, whatever this environment says.
AS_MAKE = {"EMBEDDINGS_PROVIDER": "local"}


def in_process(home: Path, name: str, **settings: Any) -> list[Row]:
    """Rows for a program with these settings; the first question is left out."""
    program = build(home, **settings)
    program.load_demo()
    _question(program)
    seen, finished = zip(*(_question(program) for _ in range(RUNS)), strict=True)
    program.close()
    return [
        *spread(f"{name}: start to first stage", seen, "ms", STAGE_MS, STAGE_MS),
        *spread(f"{name}: start to first stage done", finished, "ms", STAGE_MS, STAGE_MS),
    ]


def _question(program: bootstrap.App) -> tuple[float, float]:
    """Milliseconds from the start of an answer to its first stage, and to that stage's end."""
    owner = bootstrap.LOCAL_USER
    conversation = program.conversations.create(owner, QUESTION).id
    started = time.perf_counter()
    current = program.runs.start(owner, conversation, QUESTION)
    seen = _when(lambda: bool(current.stages))
    finished = _when(lambda: current.stages[0].elapsed_ms is not None)
    current.done.wait()
    return (seen - started) * 1000, (finished - started) * 1000


def _when(happened: Callable[[], bool]) -> float:
    while not happened():
        time.sleep(0.0005)
    return time.perf_counter()


def in_browser(folder: Path) -> list[Row]:
    """Rows measured in Chromium, or none when it is not here."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("page: skipped in the browser, playwright is not installed (requirements-dev.txt)")
        return []
    from tests.e2e.conftest import CHROMIUM

    if CHROMIUM is None:
        print("page: skipped in the browser, Chromium is not installed (set CHROMIUM to its path)")
        return []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        page = browser.new_page(locale="es-ES")
        page.set_default_timeout(60_000)
        rows = [*_start(folder, page), *_stage_on_screen(folder / "model", page)]
        browser.close()
    return rows


def _start(folder: Path, page: Any) -> list[Row]:
    demos: list[float] = []
    wholes: list[float] = []
    answers: list[float] = []
    for number in range(STARTS):
        home = folder / f"start{number}"
        home.mkdir()
        started = time.perf_counter()
        _demo(home)
        demos.append(time.perf_counter() - started)
        with _served(home) as address:
            page.goto(address)
            page.get_by_placeholder(BOX).wait_for()
            wholes.append(time.perf_counter() - started)
            answers.append(_ask(page, SOURCES))
    whole = percentile(wholes, 50)
    return [
        Row(f"empty home to usable page, median of {STARTS}", whole, "s", START_SECONDS),
        Row("  of it `cli.py demo`", percentile(demos, 50), "s"),
        Row("first answer of that page, offline: Enter to answer on screen", percentile(answers, 50), "ms"),
    ]


def _stage_on_screen(folder: Path, page: Any) -> list[Row]:
    folder.mkdir()
    _demo(folder)
    with (
        scripted_model() as base,
        _served(folder, OPENAI_BASE_URL=base, OPENAI_API_KEY="sk-benchmark") as address,
    ):
        times = []
        for _ in range(QUESTIONS + 1):
            page.goto(address)
            page.get_by_placeholder(BOX).wait_for()
            times.append(_ask(page, STAGE_LINE))
            page.locator(SOURCES).wait_for()
    return spread("browser: Enter to first stage on screen", times[1:], "ms", STAGE_MS, STAGE_MS)


def _ask(page: Any, awaited: str) -> float:
    """Milliseconds from Enter until something of that selector is on screen."""
    box = page.get_by_placeholder(BOX)
    box.fill(QUESTION)
    started = time.perf_counter()
    box.press("Enter")
    page.locator(awaited).first.wait_for()
    return (time.perf_counter() - started) * 1000


def _demo(folder: Path) -> None:
    """`make demo` on the home that the served page of that folder uses."""
    home = {"ARTICULADO_HOME": str(folder / "home"), "OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}
    subprocess.run(
        [sys.executable, "cli.py", "demo"],
        cwd=ROOT,
        env={**os.environ, **AS_MAKE, **home},
        check=True,
        capture_output=True,
    )


def _served(folder: Path, **settings: str) -> Any:
    from tests.e2e.conftest import served

    return served(folder, **AS_MAKE, **settings)


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = in_process(folder / "offline", "offline")
        with scripted_model() as base:
            model = f"model ({DELAYS['decompose'] * 1000:.0f} ms to decompose)"
            rows += in_process(
                folder / "scripted", model, openai_base_url=base, openai_api_key="sk-benchmark"
            )
        rows += in_browser(folder)
    show("Page: first stage and start", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
