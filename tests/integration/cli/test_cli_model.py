"""`python cli.py model`: what it prints on each stream, and its exit code."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.cli.conftest import Run, in_error
from tests.model_server import ModelServer
from tests.probed_server import MODEL, cutting, sound
from tests.scripted import KEY

ABILITIES = {
    *("reachable", "key", "answers", "streaming", "structured", "several_systems", "window", "thinking"),
    *("temperature", "reply_seconds", "first_seconds", "characters_per_second", "tokens_per_second"),
}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        running.on_chat(sound)
        yield running


def env(server: ModelServer) -> dict[str, str]:
    return {
        "OPENAI_BASE_URL": server.url,
        "OPENAI_API_KEY": KEY,
        "READER_MODEL": "lector",
        "PRINCIPAL_MODEL": MODEL,
        "MODEL_RETRIES": "0",
    }


def test_each_role_has_a_table_and_the_end_says_whether_it_will_work(
    home: Path, run: Run, server: ModelServer
) -> None:
    done = run(home, "model", **env(server))
    assert done.code == 0, done
    assert done.err.startswith("Se enviarán unos 24.400 tokens") and len(done.err.splitlines()) == 1
    where = server.root.removeprefix("http://")
    for line in (
        f"Lectura (reader): lector, en {where}",
        f"Redacción (principal): {MODEL}, en {where}",
        "  ✔ Acepta la clave",
        "  Uso en el programa: salida estructurada, respuesta por partes, hasta 20.000 tokens de contexto",
        "  → Si el modelo no razona, ponga PRINCIPAL_REASONING=false",
        "El modo con modelo funcionará.",
    ):
        assert f"\n{line}" in f"\n{done.out}", done.out
    assert KEY not in done.out + done.err


def test_the_document_for_programs_has_a_value_for_each_ability(
    home: Path, run: Run, server: ModelServer
) -> None:
    done = run(home, "model", "--fast", "--json", **env(server))
    assert done.code == 0 and done.json["works"] is True
    assert [one["role"] for one in done.json["roles"]] == ["reader", "principal"]
    one = done.json["roles"][1]
    assert one.keys() == ABILITIES | {"role", "model", "host", "error", "uses", "advice", "works"}
    assert (one["streaming"], one["structured"], one["thinking"]) == (True, "obeyed", "none")
    assert one["window"] is None and not any("colina" in request.prompt for request in server.requests)


def test_a_server_that_cuts_the_prompt_makes_the_command_fail(
    home: Path, run: Run, server: ModelServer
) -> None:
    server.on_chat(cutting(4096))
    done = run(home, "model", **env(server))
    assert done.code == 1
    assert "OLLAMA_CONTEXT_LENGTH" in done.out and "no funcionará bien" in done.out


def test_without_a_model_one_sentence_says_what_to_set(home: Path, run: Run) -> None:
    assert "OPENAI_API_KEY u OPENAI_BASE_URL" in in_error(run(home, "model", "--json"))
