"""Time until a lawyer sees the first stage of an answer, and the page itself.

In the process: from `RunRegistry.start` to the first stage of the run, offline and with a scripted model.
In Chromium: from Enter to the first stage on screen; from an empty home to a page that can be used, as with
`make run`, and the wait of its first question, for which the demo corpus is loaded.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bootstrap
from benchmarks.harness import Scene, Server, program, scene
from benchmarks.pipeline import DELAYS, QUESTION
from benchmarks.table import Row, Tables, Watch, percentile, spread
from config import ROOT

STAGE_MS, START_SECONDS = 500.0, 10.0
RUNS, QUESTIONS, STARTS = 15, 8, 3
BOX = "Escriba su consulta"
STAGE_LINE = '.art-stages li:not(:has-text("Preparando"))'
SOURCES = 'h3.art-head:has-text("Fuentes citadas")'
# As `make run` starts it, without settings of this environment.
AS_MAKE = {"EMBEDDINGS_PROVIDER": "local"}


def in_process(home: Path, name: str, **settings: Any) -> list[Row]:
    """Rows for a program with these settings; the first question is left out."""
    with program(home, **settings) as app:
        app.load_demo()
        _question(app)
        seen, finished = zip(*(_question(app) for _ in range(RUNS)), strict=True)
    return [
        *spread(f"{name}: start to first stage", seen, "ms", STAGE_MS, STAGE_MS),
        *spread(f"{name}: start to first stage done", finished, "ms", STAGE_MS, STAGE_MS),
    ]


def _question(app: bootstrap.App) -> tuple[float, float]:
    """Milliseconds from the start of an answer to its first stage, and to that stage's end."""
    owner = bootstrap.LOCAL_USER
    conversation = app.conversations.create(owner, QUESTION).id
    watch = Watch()
    current = app.runs.start(owner, conversation, QUESTION)
    seen = _when(watch, lambda: bool(current.stages))
    finished = _when(watch, lambda: current.stages[0].elapsed_ms is not None)
    current.done.wait()
    return seen, finished


def _when(watch: Watch, happened: Callable[[], bool]) -> float:
    while not happened():
        time.sleep(0.0005)
    return watch.ms


def in_browser(place: Scene) -> list[Row]:
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
        rows = [*_start(place.folder, page), *_stage_on_screen(place, page)]
        browser.close()
    return rows


def _start(folder: Path, page: Any) -> list[Row]:
    wholes: list[float] = []
    answers: list[float] = []
    for number in range(STARTS):
        start = folder / f"start{number}"
        start.mkdir()
        watch = Watch()
        with Server(start, AS_MAKE) as server:
            _open(page, server)
            wholes.append(watch.wall)
            answers.append(_ask(page, SOURCES))
    whole = percentile(wholes, 50)
    return [
        Row(f"empty home to usable page, median of {STARTS}", whole, "s", START_SECONDS),
        Row("first answer of that page, offline: Enter to answer on screen", percentile(answers, 50), "ms"),
    ]


def _stage_on_screen(place: Scene, page: Any) -> list[Row]:
    _demo(place.folder / "model")
    times = []
    with Server(place.folder / "model", AS_MAKE | place.settings) as server:
        for _ in range(QUESTIONS + 1):
            _open(page, server)
            times.append(_ask(page, STAGE_LINE))
            page.locator(SOURCES).wait_for()
    return spread("browser: Enter to first stage on screen", times[1:], "ms", STAGE_MS, STAGE_MS)


def _open(page: Any, server: Server) -> None:
    page.goto(server.address)
    page.get_by_placeholder(BOX).wait_for()


def _ask(page: Any, awaited: str) -> float:
    """Milliseconds from Enter until an element of that selector is on screen."""
    box = page.get_by_placeholder(BOX)
    box.fill(QUESTION)
    watch = Watch()
    box.press("Enter")
    page.locator(awaited).first.wait_for()
    return watch.ms


def _demo(folder: Path) -> None:
    """`make demo` on the home that a server of that folder uses."""
    folder.mkdir()
    home = {"ARTICULADO_HOME": str(folder / "home"), "OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}
    environment = os.environ | AS_MAKE | home
    subprocess.run(
        [sys.executable, "cli.py", "demo"], cwd=ROOT, env=environment, check=True, capture_output=True
    )


def tables(folder: Path) -> Tables:
    """In the process and in the browser."""
    name = f"model ({DELAYS['decompose'] * 1000:.0f} ms to decompose)"
    with scene(folder, DELAYS) as place:
        rows = [
            *in_process(folder / "offline", "offline"),
            *in_process(folder / "scripted", name, **place.settings),
            *in_browser(place),
        ]
    yield "Page: first stage and start", rows
