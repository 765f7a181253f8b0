"""Commands as another program runs them, in this process or in one of their own, over the invented corpus."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import cli
from index.points import Fingerprint
from loading.chunking.chunk import CHUNKER
from service import config
from tests.conftest import ROOT
from tests.homes import lexical_program

SEARCH = {"query", "as_of", "hits", "elapsed_ms"} | {"notice"}  # ours
ASK = {"answer", "citations", "sources", "confidence", "refusal", "notes", "mode", "trace", "parts"} | {
    *("provenance", "as_of", "conversation", "because"),  # ours
}
VACATIONS = "¿Cuántos días de vacaciones me corresponden al año?"
TAXES = "¿Cómo se calcula el impuesto de sociedades de una cooperativa?"
PRINT = Fingerprint(embedding="none", dimensions=0, chunker=CHUNKER)


@dataclass(frozen=True)
class Result:
    """Outcome of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def hits(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.json["hits"]
        return found

    @property
    def articles(self) -> list[tuple[str, str]]:
        return [(hit["norm_id"], hit["article"]) for hit in self.hits]


def process(home: Path, *arguments: str, stdout: Any = subprocess.PIPE, **settings: str) -> Result:
    """`python cli.py …` as another program would run it."""
    given = {"ARTICULADO_HOME": str(home), "EMBEDDINGS_PROVIDER": "none"} | settings
    done = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *arguments],
        env=os.environ | given,
        cwd=home.parent,
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
        timeout=120,
    )
    return Result(done.returncode, (done.stdout or b"").decode("utf-8"), done.stderr.decode("utf-8"))


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """`cli.main` in this process: the same streams and codes, without the start of an interpreter."""

    def one(home: Path, *arguments: str, **settings: str) -> Result:
        given = {"ARTICULADO_HOME": str(home), "EMBEDDINGS_PROVIDER": "none"} | settings
        config.settings.cache_clear()
        capsys.readouterr()
        with monkeypatch.context() as patch:
            for name, value in given.items():
                patch.setenv(name, value)
            try:
                code = cli.main(arguments)
            except SystemExit as stop:
                code = int(str(stop.code))
        return Result(code, *capsys.readouterr())

    yield one
    config.settings.cache_clear()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the invented corpus, lexical; tests that change it make their own."""
    made = tmp_path_factory.mktemp("cli") / "home"
    with lexical_program(made):
        return made


@pytest.fixture
def own_home(home: Path, tmp_path: Path) -> Path:
    """A copy of that home: no command has it open between tests."""
    return shutil.copytree(home, tmp_path / "home")


def in_error(result: Result) -> str:
    """The one line of a failure; nothing may stand on stdout."""
    assert result.code == 1, result
    assert result.out == ""
    assert "Traceback" not in result.err
    lines = result.err.splitlines()
    assert len(lines) == 1, result.err
    return lines[0]
