"""Homes of the invented and the demo corpus: ingested once a process, then laid out again."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from index.points import IndexPoint
from loading.indexing.index_sync import IndexSync
from loading.jobs.job_loop import Worker
from models.embedder import Embedder
from service.program import assembly
from service.program.assembly import App
from tests.factories import settings_of
from tests.fakes import HashEmbedder

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Stock:
    """Database and points that `ingest` leaves of the invented corpus, with the vectors of one embedder."""

    database: bytes
    points: Sequence[IndexPoint]

    def fill(self, index_of: App) -> None:
        """Put the points into the index of a program whose home has the database.

        Loading a copy of the index's files would cost more than writing so few points: the engine reads its
        files whole, and they are mostly empty.
        """
        index_of.index.open(index_of.models.fingerprint)
        index_of.index.upsert(self.points)


def new_program(home: Path, **settings: object) -> App:
    """An offline program without vectors on a home of its own."""
    return assembly.build(settings_of(articulado_home=home, embeddings_provider="none", **settings))


def stock_of(embedder: Embedder | None) -> Stock:
    """Ingest the invented corpus."""
    with TemporaryDirectory() as folder:
        program = new_program(Path(folder))
        program.models.embedder = embedder
        program.loading.ingest([DATA])
        sync = IndexSync(
            program.database.corpus, program.database.ledger, program.index, program.database.vectors
        )
        chunks = [chunk for batch in program.database.corpus.all_chunks() for chunk in batch]
        points = sync.points(chunks, program.models.embedder)
        program.close()
        return Stock((Path(folder) / "articulado.db").read_bytes(), points)


@cache
def stock() -> Stock:
    """That of `HashEmbedder`."""
    return stock_of(HashEmbedder())


@cache
def _lexical_stock() -> Stock:
    return stock_of(None)


@contextmanager
def lexical_program(home: Path, **settings: object) -> Iterator[App]:
    """An offline program over the invented corpus without vectors, closed after the block."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    (home / "articulado.db").write_bytes(_lexical_stock().database)
    program = new_program(home, **settings)
    _lexical_stock().fill(program)
    try:
        yield program
    finally:
        program.close()


def lay_demo(home: Path) -> None:
    """Put the demo corpus, without vectors, into a home that has no database."""
    shutil.copytree(Path(_demo().name) / "home", home, dirs_exist_ok=True)


@cache
def _demo() -> TemporaryDirectory[str]:
    folder = TemporaryDirectory()
    with closing(new_program(Path(folder.name) / "home")) as program:
        program.load_demo()
    return folder


@contextmanager
def overriding(program: App) -> Iterator[App]:
    """Within the block pages and routes use this program."""
    assembly.override(program)
    try:
        yield program
    finally:
        assembly.override(None)


def work(program: App) -> None:
    """Do every job that waits, as the worker's process would."""
    worker = Worker(program.database.jobs, program.job_runner().run)
    while worker.run_next():
        pass
