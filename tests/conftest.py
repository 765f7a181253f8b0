"""Shared fixtures: a whole program over an invented corpus, offline or against a scripted model server."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import bootstrap
from bootstrap import App
from config import Settings
from tests.fakes import HashEmbedder
from tests.scripted import server  # noqa: F401
from tests.temporary import use_memory

use_memory()

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
SHARED = ROOT.parent / "shared"
BOE = SHARED / "boe"

# A setting of the developer's own environment must not reach a test, least of all a real key.
for name in Settings.model_fields:
    os.environ.pop(name.upper(), None)


@pytest.fixture(scope="session")
def boe() -> Path:
    """The folder of real norms; tests that read it skip where it is absent."""
    if not BOE.is_dir():
        pytest.skip("the real norms (../shared/boe) are not here")
    return BOE


Maker = Callable[..., App]


@pytest.fixture
def make_program(tmp_path: Path) -> Iterator[Maker]:
    """Build programs on a home of their own: `make_program(corpus=[paths], **settings)`."""
    made: list[App] = []

    def make(corpus: list[Path] | None = None, *, embedder: object = None, **values: object) -> App:
        home = tmp_path / f"home{len(made)}"
        chosen = Settings(_env_file=None, articulado_home=home, embeddings_provider="none", **values)
        program = bootstrap.build(chosen)
        program.embedder = HashEmbedder() if embedder is None else embedder
        made.append(program)
        if corpus:
            program.ingest(corpus)
        return program

    yield make
    for program in made:
        program.close()


@pytest.fixture
def program(make_program: Maker) -> App:
    """An offline program with the invented corpus."""
    return make_program([DATA])
