"""Every command of the README beside a running page, against the same command by itself."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

import cli
from articulado.clients.client import POINTER
from commands.engine import _client
from core.clock import today_in_spain
from lab.harness import Server
from service import config
from storage.stores import open_database
from tests.conftest import DATA, ROOT
from tests.factories import settings_of
from tests.homes import lay_demo
from tests.texts import eventually

pytestmark = pytest.mark.slow

QUESTION = "¿Cuántos días de vacaciones me corresponden al año?"
TOOL = "<tool_lexical_search><query>finiquito</query></tool_lexical_search>"
HELD = "Otro proceso tiene abierto el índice"
SETTINGS = {"EMBEDDINGS_PROVIDER": "none", "BOE_API_URL": "http://127.0.0.1:1/"}
SAME = {
    "search": ["search", "artículo 38 ET", "--as-of", "2024-03-01", "--limit", "5"],
    "search by words": ["search", "finiquito", "--mode", "lexical"],
    "diff": ["diff", "art. 38 ET"],
    "tool": ["tool", TOOL, "--question", QUESTION],
    "ask": ["ask", QUESTION],
    "evaluate": ["evaluate", "{cases}"],
    "verify": ["verify", "{answer}"],
    "reindex": ["reindex"],
}


class Done:
    """Outcome of a command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        assert self.code == 0, (self.out, self.err)
        return json.loads(self.out)


def process(home: Path, *arguments: str) -> Any:
    """The real command, in a process of its own."""
    return subprocess.Popen(
        [sys.executable, str(ROOT / "cli.py"), *arguments],
        env=os.environ | SETTINGS | {"ARTICULADO_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        # A suite that runs in the background ignores Ctrl-C, and so would what it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )


class Desk:
    """Runs commands in this process, on the home of the page or on a copy that nobody has open."""

    def __init__(self, folder: Path, monkeypatch: Any, capsys: Any) -> None:
        self.files = {name: str(folder / name) for name in ("cases", "answer", "nothing")}
        self.homes = {"page": folder / "home", "own": folder / "own"}
        self._patch, self._capsys = monkeypatch, capsys

    def __call__(self, where: str, *arguments: str, **settings: str) -> Done:
        config.settings.cache_clear()
        self._capsys.readouterr()
        with self._patch.context() as patch:
            for name, value in {**SETTINGS, "ARTICULADO_HOME": str(self.homes[where]), **settings}.items():
                patch.setenv(name, value)
            code = cli.main([one.format(**self.files) if one[:1] == "{" else one for one in arguments])
        return Done(code, *self._capsys.readouterr())


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running page on the demo corpus."""
    folder = tmp_path_factory.mktemp("beside")
    for name in ("home", "own"):
        lay_demo(folder / name)
    case = {"id": "a", "question": QUESTION, "relevant": [{"norm": "demo-et", "article": "38"}]}
    (folder / "cases").write_text(json.dumps(case), encoding="utf-8")
    with Server(folder, SETTINGS) as server:
        yield server


@pytest.fixture
def desk(page: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Desk]:
    made = Desk(page.log.parent, monkeypatch, capsys)
    answer = Path(made.files["answer"])
    if not answer.exists():
        answer.write_text(made("page", "ask", QUESTION, "--json").out, encoding="utf-8")
    yield made
    config.settings.cache_clear()


def timeless(document: Any) -> Any:
    """A document without what differs from one run to the next."""
    if isinstance(document, dict):
        changing = ("elapsed", "execution_time", "started", "trace", "provenance")
        return {key: timeless(value) for key, value in document.items() if not key.startswith(changing)}
    return [timeless(one) for one in document] if isinstance(document, list) else document


def readable(text: str) -> str:
    """A readable output without its times."""
    return re.sub(r"\d+([.,]\d+)? ?m?s\b", "…", text)


@pytest.mark.parametrize("name", SAME)
def test_a_command_gives_through_the_page_what_it_gives_by_itself(desk: Desk, name: str) -> None:
    arguments = SAME[name]
    asked, own = desk("page", *arguments, "--json"), desk("own", *arguments, "--json")
    assert asked.json.keys() == own.json.keys()
    assert timeless(asked.json) == timeless(own.json)
    assert asked.err == own.err
    told, own = desk("page", *arguments), desk("own", *arguments)
    assert (told.code, readable(told.out), told.err) == (0, readable(own.out), own.err)


def test_the_other_way_fails_as_long_as_the_page_has_the_index(desk: Desk) -> None:
    for arguments in (["search", "finiquito"], ["reindex"], ["ask", QUESTION], ["tool", TOOL]):
        done = desk("page", *arguments, "--direct")
        assert (done.code, done.out) == (1, "") and HELD in done.err
    assert desk("page", "diff", "art. 38 ET", "--direct").code == 0


def test_an_evaluation_is_saved_for_the_page_as_by_itself(desk: Desk) -> None:
    hashes = set()
    for where in ("page", "own"):
        saved = desk(where, "evaluate", "{cases}", "--save", "--json").json["saved"]
        with closing(open_database(f"sqlite:///{desk.homes[where] / 'articulado.db'}")) as database:
            stored = database.evaluations.evaluation(saved)
            hashes.add((stored.dataset, stored.dataset_hash, stored.total))
    assert len(hashes) == 1


def test_the_other_commands_work_on_the_database(desk: Desk, tmp_path: Path) -> None:
    loaded = desk("page", "ingest", str(DATA), "--json").json
    assert "la aplicación, que lo ha puesto al día" in loaded["index"]["notice"]
    assert desk("page", "search", "vacaciones ficticio", "--json").json["hits"]
    assert desk("page", "ingest", str(DATA), "--lexical-only", "--json").json["failures"] == []
    assert desk("page", "demo", "--json").json["norms"] > 30
    assert desk("page", "doctor", "--json").json["healthy"] is True
    assert desk("page", "backup", str(tmp_path / "b.zip"), "--json").json["tables"]
    assert desk("page", "restore", str(tmp_path / "b.zip"), "--verify-only", "--json").json["tables"]
    assert desk("page", "users", "list", "--json").json == {"users": []}
    assert desk("page", "audit", "verify", "--json").json["problem"] == ""
    assert desk("page", "usage", "--json").json["total"]["questions"] >= 0
    assert desk("page", "boe", "list", "--json").json["norms"]
    assert "OPENAI_API_KEY" in desk("page", "enrich", "demo-et").err
    failed = desk("page", "boe", "add", "BOE-A-2015-11430", "--json")
    assert failed.code == 1
    assert "Guardado" not in failed.err and "cierre" not in failed.err


def test_the_address_of_a_server_takes_the_commands_there_and_those_it_cannot_take_say_so(
    page: Server, desk: Desk
) -> None:
    there = {"ARTICULADO_URL": page.address, "ARTICULADO_TOKEN": "art_x"}
    found = desk("own", "search", "finiquito", "--json", **there).json
    assert timeless(found) == timeless(desk("page", "search", "finiquito", "--json").json)
    by_itself = desk("own", "search", "finiquito", "--json", "--direct", **there)
    assert by_itself.json.keys() == found.keys()
    for command in (["ingest", str(DATA)], ["demo"], ["doctor"], ["users", "list"], ["boe", "list"]):
        done = desk("own", *command, **there)
        assert (done.code, done.out) == (1, "")
        assert f"«{command[0]}» no se puede pedir a otro servidor" in done.err
    nobody = desk("own", "search", "finiquito", ARTICULADO_URL="http://127.0.0.1:1")
    assert (nobody.code, len(nobody.err.splitlines())) == (1, 1)
    assert "No se puede conectar" in nobody.err


def test_a_real_process_prints_its_document_and_imports_little(page: Server, desk: Desk) -> None:
    asked = process(desk.homes["page"], "search", "finiquito", "--json")
    out, err = asked.communicate(timeout=60)
    assert (asked.returncode, out.count("\n")) == (0, 1)
    assert timeless(json.loads(out)) == timeless(desk("page", "search", "finiquito", "--json").json)
    assert "solo léxica" in err
    code = "import sys, cli; cli.main(['search', 'finiquito']); print(*sys.modules)"
    given = os.environ | SETTINGS | {"ARTICULADO_HOME": str(desk.homes["page"])}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=given, capture_output=True, check=True)
    names = set(done.stdout.decode().splitlines()[-1].split())
    assert names.isdisjoint(
        {"service.program.assembly", "storage", "sqlalchemy", "numpy", "rag.run.pipeline", "fastapi"}
    )


@contextmanager
def long_evaluation(desk: Desk, name: str) -> Iterator[tuple[Any, Callable[[], Any]]]:
    """A real command in the middle of an evaluation that the page stores, and what is stored of it."""
    cases = Path(desk.files["cases"]).with_name(f"{name}.jsonl")
    cases.write_text("\n".join([Path(desk.files["cases"]).read_text("utf-8")] * 5000), encoding="utf-8")
    with closing(open_database(f"sqlite:///{desk.homes['page'] / 'articulado.db'}")) as database:

        def stored() -> Any:
            return next((one for one in database.evaluations.evaluations() if one.dataset == name), None)

        running = process(desk.homes["page"], "evaluate", str(cases), "--save")
        eventually(lambda: stored() is not None and stored().done > 0)
        yield running, stored


def test_the_question_of_a_command_has_no_key_so_that_it_ends_with_the_command(desk: Desk) -> None:
    client = _client(settings_of(articulado_home=desk.homes["page"]))
    assert client is not None and not client.repeats
    client.close()


def test_a_command_works_with_its_own_settings_where_the_index_is_on_a_server(desk: Desk) -> None:
    home = desk.homes["page"]
    assert _client(settings_of(articulado_home=home, qdrant_url="http://127.0.0.1:1")) is None


def test_ctrl_c_stops_the_work_that_the_page_does_for_a_command(desk: Desk) -> None:
    with long_evaluation(desk, "left") as (running, stored):
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
        assert (running.returncode, out) == (1, "")
        assert err == "Interrumpido; lo que ya estaba guardado se conserva.\n"
        eventually(lambda: stored().state == "cancelled")


def test_a_page_that_is_killed_in_mid_work_is_told_and_the_next_command_works_by_itself(
    page: Server, desk: Desk
) -> None:
    with long_evaluation(desk, "killed") as (running, _):
        page.stop(signal.SIGKILL)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (1, "")
    assert err.startswith("Articulado ha dejado de responder") and len(err.splitlines()) == 1
    assert (desk.homes["page"] / POINTER).exists()
    found = desk("page", "search", "finiquito", "--json").json
    assert found["as_of"] == today_in_spain().isoformat()
