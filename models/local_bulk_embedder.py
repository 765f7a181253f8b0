"""The local embedder for whole corpora: runs in separate processes, so that the application stays fast."""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait

from core.errors import EmbedderUnavailable
from models.chat import ModelCall
from models.local_embedder import DIMENSIONS, NAME, LocalEmbedder
from models.vector_requests import Vector

_NICENESS = 10
_TASK_TEXTS = 4


class BulkEmbedder:
    """An `Embedder` whose passages run in `processes` workers at low priority; queries run here.

    One single-threaded worker per core embeds more texts a minute than one worker with a thread per core.
    Workers start at first use, end with `close`, and end by themselves if this process dies.
    """

    name = NAME
    dimensions = DIMENSIONS

    def __init__(self, processes: int | None = None) -> None:
        self._processes = processes or os.cpu_count() or 1
        self._queries = LocalEmbedder()
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    def load(self) -> None:
        """Load the model of the queries now; workers load their own."""
        self._queries.load()

    async def embed_queries(self, texts: Sequence[str]) -> tuple[list[Vector], ModelCall]:
        return await self._queries.embed_queries(texts)

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Unit vectors of `texts`, in order.

        Raises:
            EmbedderUnavailable: there is no engine here, or a worker died; the next call starts new ones.
            ValueError: a text is empty.
        """
        parts = [texts[i : i + _TASK_TEXTS] for i in range(0, len(texts), _TASK_TEXTS)]
        vectors: dict[int, list[Vector]] = {}
        futures: dict[Future[list[Vector]], int] = {}
        try:
            pool = self._workers()
            futures = {pool.submit(_embed, list(part)): number for number, part in enumerate(parts)}
            for future in as_completed(futures):
                vectors[futures[future]] = future.result()
        except BrokenProcessPool as error:
            self.close()
            raise EmbedderUnavailable(
                "El proceso que calcula los embeddings se ha interrumpido (¿falta memoria?):"
                " repita la indexación, que seguirá donde quedó."
            ) from error
        finally:
            for future in futures:
                future.cancel()
        return [vector for number in range(len(parts)) for vector in vectors[number]]

    def close(self) -> None:
        """End the workers once their current texts are done; closing twice is harmless."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    def _workers(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(
                    self._processes, multiprocessing.get_context("spawn"), initializer=_start_worker
                )
            return self._pool


_worker: LocalEmbedder | None = None


def _embed(texts: list[str]) -> list[Vector]:
    global _worker  # noqa: PLW0603
    if _worker is None:
        _worker = LocalEmbedder()
    return _worker.embed_passages(texts)


def _start_worker() -> None:
    """Lower the priority, ignore Ctrl-C (the parent decides) and exit when the parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(_NICENESS)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_die_with, args=(parent.sentinel,), daemon=True).start()


def _die_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
