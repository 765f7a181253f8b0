"""The command line as programs use it: what it prints on each stream and its JSON contracts."""

import io
import json
import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from rag.evaluation.results import EvaluationState
from storage.stores import open_database
from tests.conftest import DATA, ROOT
from tests.integration.cli.conftest import ASK, SEARCH, TAXES, VACATIONS, Run, process
from tests.tool_corpus import xml

CITATION = {"marker", "quote", "source", "page", "norm_id", "block_id", "article", "law", "section"} | {
    *("chunk_id", "url", "verified"),
    *("chapter", "collection", "official", "valid_from", "valid_to"),  # ours
    *("cut_before", "cut_after", "wording_sha256", "start"),  # ours
}
STAGES = ["understand", "decompose", "search", "rerank", "expand", "assess", "answer", "verify"]
INGEST = {"documents", "failures", "index", "elapsed_s"}
DOCUMENT = {"path", "norm_id", "law", "added", "changed", "removed", "unchanged", "warnings", "skipped"}
NOTICE = ("causa=objetivo", "comunicacion=2025-05-01")
CALL = xml("lexical_search", query="vacaciones")
INDEX = {"deleted", "sparse", "dense", "from_cache", "notice"}


# What each command prints


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


def test_evaluate_shows_intervals_and_saves_what_the_page_reads(
    own_home: Path, run: Run, tmp_path: Path
) -> None:
    cases = tmp_path / "propias.jsonl"
    line = {"id": "a", "question": VACATIONS, "relevant": [{"norm": "X-LTF", "article": "2", "grade": 2}]}
    cases.write_text(json.dumps(line), encoding="utf-8")

    shown = run(own_home, "evaluate", str(cases))
    saved = run(own_home, "evaluate", str(cases), "--save", "--json")

    assert (shown.code, saved.code) == (0, 0)
    assert re.search(r"^hit@3 +1\.0000  \[1\.000, 1\.000\]  de 1$", shown.out, re.MULTILINE)
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
    ("arguments", "shown"),
    [
        (("search", "vacaciones"), "vacaciones"),
        (("ask", VACATIONS), "vacaciones"),
        (("ask", TAXES), ""),
        (("doctor",), ""),
        (("search", "xyzzy"), ""),
        (("calculate", "nacimiento"), "unico: Hay una única persona progenitora (sí, no)"),
        (("calculate", "preaviso", *NOTICE), "- Primer día posible de efectos: viernes, 16 de mayo de 2025"),
        (("tool", CALL, "--question", VACATIONS), f'Pregunta original del usuario: "{VACATIONS}"'),
    ],
)
def test_without_json_the_output_is_for_reading(
    home: Path, run: Run, arguments: tuple[str, ...], shown: str
) -> None:
    done = run(home, *arguments)
    assert done.code == 0
    assert done.out.strip() and shown in done.out
    assert not done.out.startswith("{")


def test_the_calls_of_tools_come_from_standard_input_too(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CALL.encode())))
    assert "Búsqueda léxica: 'vacaciones'" in run(home, "tool", "-").out


@pytest.mark.slow
def test_what_has_no_date_is_cited_without_a_first_day_and_its_quotations_are_found_again(
    own_home: Path, run: Run, tmp_path: Path
) -> None:
    text = "---\nid: X-FARO\ntitle: Reglamento del farero\n---\n\n#### Artículo 7. Turno del farero.\n\n"
    (tmp_path / "faro.md").write_text(f"{text}El turno del farero dura cuatro horas.\n", "utf-8")
    assert run(own_home, "ingest", str(tmp_path / "faro.md"), "--collection", "criterios_inss").code == 0
    done = run(own_home, "ask", "¿Cuánto dura el turno del farero?", "--json")
    cited = [one for one in done.json["citations"] if one["norm_id"] == "X-FARO"]
    assert [one["valid_from"] for one in cited] == [None] * len(cited) != []
    (tmp_path / "answer.json").write_text(done.out, "utf-8")
    again = run(own_home, "verify", str(tmp_path / "answer.json"), "--json")
    assert again.code == 0
    assert {one["outcome"] for one in again.json["citations"]} == {"comprobada"}


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
    assert "'index.edge'" in imported
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
