"""Agent mode: wordings of other days, asked for by a call, read, chosen and quoted as what they are."""

import re
from datetime import date
from typing import Any

import pytest

from loading.chunking.chunk import chunk_document
from service.program.assembly import App
from tests.factories import make_block, make_norm, make_version
from tests.integration.agent.conftest import DONE, ask, record_of
from tests.model_replies import Request, as_json, says
from tests.model_server import ModelServer
from tests.scripted import reply
from tests.tool_corpus import xml

LAMP = "¿Cuánto aceite llevaba el farol en 2022? ¿Y hoy?"
OLD, NEW = "El farol lleva un litro de aceite.", "El farol lleva dos litros de aceite."
CITED = {"query": "artículo 3 LFA"}
BEFORE, NOW = "N-1/a3@2000-01-01#1", "N-1/a3@2024-01-01#1"


@pytest.fixture
def program(server: ModelServer, make_program: Any) -> App:
    """Two wordings of a third article, whose number on each day is another: the second came in 2023."""
    made = make_program(openai_base_url=server.url, model_retries=0)
    first = make_version(f"Artículo 3. Farol.\n{OLD}", until=date(2023, 12, 31))
    second = make_version(f"Artículo 3. Farol.\n{NEW}", since=date(2024, 1, 1))
    norm = make_norm(
        "N-1",
        make_block("1", "Artículo 1. Torre.\nLa torre tiene una puerta.", position=1),
        make_block("2", "Artículo 2. Mecha.\nLa mecha es de lino.", since=date(2023, 1, 1), position=2),
        make_block("3", first, second, title="Artículo 3. Farol.", position=3),
        law="Ley del Farol",
        alias="LFA",
    )
    made.database.corpus_writer.save(norm, chunk_document(norm), {})
    made.keeper.sync()
    return made


def cites_both(request: Request) -> Any:
    blocks = re.split(r"(?=\[C\d+\] \[Fuente)", request.prompt)
    markers = {text: next(b for b in blocks if text in b)[1:3] for text in (OLD, NEW)}
    return as_json(
        reply(
            answer=f"Llevaba un litro de aceite [{markers[OLD]}]. Hoy lleva dos litros [{markers[NEW]}].",
            citations=[
                {"quote": text, "source": "LFA, artículo 3", "page": None, "marker": marker}
                for text, marker in markers.items()
            ],
        )
    )


def ids_of(text: str) -> list[str]:
    return re.findall(r"^ID: (\S+)$", text, re.M)


def test_both_wordings_of_an_article_are_read_chosen_by_their_ids_and_quoted(program, server):
    calls = xml("lexical_search", **CITED) + xml("lexical_search", **CITED, as_of="2022-05-05")

    def choose(request: Request) -> Any:
        return says(f"LISTO|{', '.join(ids_of(request.messages[-1]['content']))}")

    server.script(agent=[says(calls), choose], answer=[cites_both])
    outcome = ask(program, LAMP)
    record = record_of(outcome)
    told = record.rounds[0].results
    now, then = ids_of(told)
    assert (now[-4:], then[-15:]) == ("0003", "0002@2022-05-05")
    assert "Vigente: desde 01/01/2024\n" in told and "Vigente: desde 01/01/2000 hasta 31/12/2023\n" in told
    assert {one.chunk_id for one in record.context} == {BEFORE, NOW}
    assert "Vigente: desde 01/01/2000 hasta 31/12/2023" in server.last("answer").prompt
    assert [c.verified for c in outcome.answer.citations] == [True, True]
    assert not outcome.answer.refusal


def test_a_number_without_a_day_is_of_the_day_of_the_question(program, server):
    search = xml("lexical_search", **CITED, as_of="2022-05-05")
    read = xml("file_section", file_name="LFA", chunk_start=1, chunk_end=3)

    def undated(request: Request) -> Any:
        (then,) = ids_of(request.messages[-1]["content"])[:1]
        return says(f"LISTO|{then.partition('@')[0]}")

    server.script(agent=[says(search + read), undated])
    assert [one.chunk_id for one in record_of(ask(program, LAMP)).context] == ["N-1/a2@2023-01-01#1"]


@pytest.mark.parametrize("structure", ["true", "false"])
def test_a_document_of_another_day_is_context_in_its_wordings(program, server, structure):
    asked = xml("file_content", file_name="LFA", include_structure=structure, as_of="2022-05-05")
    server.script(agent=[says(asked), DONE])
    assert {one.chunk_id for one in record_of(ask(program, LAMP)).context} == {"N-1/a1@2000-01-01#1", BEFORE}


def test_a_date_that_is_none_fails_in_one_sentence(program, server):
    server.script(agent=[says(xml("lexical_search", **CITED, as_of="en 2022")), DONE])
    (call,) = record_of(ask(program, LAMP)).rounds[0].calls
    assert call.error == "«as_of» debe ser una fecha escrita como 2024-03-01, no «en 2022»."
