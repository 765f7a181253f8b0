"""Cost of hostile files: how reading grows with their size, and what others notice while they are read.

First each of the things that files may repeat, so many and twice as many, turn about. Then the files that are
too much are previewed one after another, as an upload does, while the same questions are asked as before.
"""

import gc
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from benchmarks.harness import program
from benchmarks.latency import SAMPLES, answers
from benchmarks.table import Row, Tables, percentile
from core.errors import InputError
from loading.chunking.chunk import chunk_document
from loading.formats import load
from loading.ingestion.load_request import UploadRequest
from service.program import assembly
from tests.bombs import CRUSHERS, PATTERNS, Pattern

TWICE, RATIO, SECONDS = 2.6, 1.5, 31.0
TIMES, ROUNDS = 8, 5


def growth(folder: Path, pattern: Pattern) -> float:
    """Processor time of twice as many ÷ that of so many; the shortest of each."""
    few, many = (_made(folder / str(times), pattern, times) for times in (TIMES, 2 * TIMES))
    pairs = [(_seconds(few), _seconds(many)) for _ in range(ROUNDS)]
    return min(two for _, two in pairs) / min(one for one, _ in pairs)


def _made(folder: Path, pattern: Pattern, times: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / pattern.name
    path.write_bytes(pattern.made(pattern.count * times))
    return path


def _seconds(path: Path) -> float:
    began = time.process_time()
    with suppress(InputError):
        for document in load(path):
            chunk_document(document)
    return time.process_time() - began


def previewed(app: assembly.App) -> list[Row]:
    """Rows for a program on an empty home."""
    app.load_demo()
    times = answers(app)
    for _ in range(SAMPLES // 6):
        next(times)
    idle = [next(times) for _ in range(SAMPLES)]
    told: dict[str, tuple[float, str]] = {}
    reading = threading.Thread(target=_preview_all, args=(app, told.__setitem__), daemon=True)
    reading.start()
    busy: list[float] = []
    while reading.is_alive():
        busy.append(next(times))
    again = [next(times) for _ in range(SAMPLES)]
    base = max(percentile(idle, 95), percentile(again, 95))
    return [
        *(Row(f"{name}: {said[:60]}", seconds, "s", SECONDS) for name, (seconds, said) in told.items()),
        Row("answer and catalogue, idle, p95", base, "ms"),
        Row(f"  while they are read ({len(busy)} samples), p95", percentile(busy, 95), "ms"),
        Row("while they are read ÷ idle", percentile(busy, 95) / base, "×", RATIO),
    ]


def _preview_all(app: assembly.App, tell: Callable[[str, tuple[float, str]], None]) -> None:
    for name, made in CRUSHERS.items():
        data = made()
        began = time.perf_counter()
        staged = app.loading.preview(UploadRequest([(name, data)]))
        found = staged.found[0][1]
        tell(name, (time.perf_counter() - began, found if isinstance(found, str) else "previewed"))
        app.loading.discard(staged)


def tables(folder: Path) -> Tables:
    gc.disable()  # as in the process that reads files
    grown = [
        Row(f"{pattern.name}: {name}", growth(folder / name, pattern), "×", TWICE)
        for name, pattern in PATTERNS.items()
    ]
    gc.enable()
    yield "Loaders: twice as much ÷ once, processor time", grown
    with program(folder / "home", embeddings_provider="none") as app:
        yield "Loaders: hostile files previewed while others ask", previewed(app)
