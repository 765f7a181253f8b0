"""`python cli.py tool`: what it prints, its JSON, its exit codes."""

import io
import json
import sys

import pytest

import cli
from service import config
from tests.tool_corpus import FILES, xml

QUESTION = "¿Qué turnos hay?"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli_tool")
    for name, text in FILES.items():
        path = folder / "documents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


@pytest.fixture
def run(home, monkeypatch, capsys):
    monkeypatch.setenv("ARTICULADO_HOME", str(home / "home"))
    monkeypatch.setenv("EMBEDDINGS_PROVIDER", "none")

    def one(*arguments: str) -> tuple[int, str, str]:
        config.settings.cache_clear()
        capsys.readouterr()
        return cli.main(arguments), *capsys.readouterr()

    if not (home / "home").exists():
        assert one("ingest", str(home / "documents"))[0] == 0
    yield one
    config.settings.cache_clear()


def test_the_text_is_what_a_model_reads(run):
    code, out, err = run("tool", xml("lexical_search", query="turnos"), "--question", QUESTION)
    assert (code, err) == (0, "")
    assert out.startswith(
        f'[RESULTADOS DE TU BÚSQUEDA]\n\nRECORDATORIO - Pregunta original del usuario: "{QUESTION}"'
    )
    assert "ID: nota_chunk_0001" in out


def test_calls_come_from_standard_input_too(run, monkeypatch):
    given = io.TextIOWrapper(io.BytesIO(xml("file_content", file_name="GC").encode()))
    monkeypatch.setattr(sys, "stdin", given)
    code, out, _ = run("tool", "-")
    assert code == 0 and "Estructura disponible: Sí" in out


def test_json_has_every_call_with_its_result(run):
    calls = xml("lexical_search", query="turnos", top_k=40) + xml("file_section", file_name="GC")
    code, out, err = run("tool", calls, "--as-of", "2023-01-01", "--json")
    document = json.loads(out)
    assert (code, err, document["as_of"]) == (0, "", "2023-01-01")
    assert set(document) == {"as_of", "calls", "text", "elapsed_ms"}
    found, failed = document["calls"]
    assert found["result"]["search_params"]["clamped"] == {"top_k": 40}
    assert found["chunk_ids"][0] == found["result"]["results"][0]["metadata"]["chunk"]
    assert failed["result"] is None and "Falta" in failed["error"]


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        ("¿turnos?", "No hay ninguna llamada"),
        (xml("file_content", file_name="zzzz"), "No existe el documento"),
    ],
)
def test_nothing_done_is_a_failure_with_one_line(run, calls, told):
    code, _, err = run("tool", calls)
    assert code == 1 and told in err and len(err.splitlines()) == 1
