"""The text of an answer, as «Copiar» and «Descargar» ask for it."""

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from domain.accounts import LOCAL, LOCAL_USER, Identity
from domain.audit import AuditAction
from pages.parts.answer import copying
from rag.shared.cited_answer import Answer
from rag.shared.messages import MessageState
from service.program.assembly import App
from tests.homes import lexical_program, overriding
from tests.hostile import TEXTS
from tests.pages.samples import citation
from web.api.person import named
from web.base.access import ANSWER

QUESTION = "¿Cuántos días de vacaciones?"
ANSWERED = Answer(answer="Son **treinta** [C4].", citations=(citation(marker="C4"),), confidence=0.9)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with lexical_program(tmp_path_factory.mktemp("copying")) as made, overriding(made):
        yield made


@pytest.fixture(scope="module")
def client(program: App) -> Iterator[TestClient]:
    """Asks as the one person of this machine, or as nobody any more with the header `gone`."""
    inner = Starlette(routes=copying.routes())

    async def let_in(scope: Scope, receive: Receive, send: Send) -> None:
        gone = any(name == b"gone" for name, _ in scope.get("headers", ()))
        now: Identity | None = None if gone else LOCAL
        await inner(named(scope, LOCAL, lambda: now, ""), receive, send)

    with TestClient(let_in) as made:
        yield made


def message(program: App, owner: str = LOCAL_USER, state: MessageState = MessageState.COMPLETE) -> int:
    """The id of an answer."""
    chat = program.database.conversations.create(owner, QUESTION).id
    _, reply = program.database.conversations.ask(owner, chat, QUESTION)
    answer = ANSWERED if state is MessageState.COMPLETE else None
    if state is not MessageState.PENDING:
        program.database.conversations.finish(reply.id, state, "Son treinta [C4].", answer, None)
    return reply.id


def test_the_text_has_question_answer_and_sources_and_is_recorded(program: App, client: TestClient) -> None:
    number = message(program)
    reply = client.get(ANSWER, params={"m": number})
    assert reply.headers["content-type"] == "text/plain; charset=utf-8"
    assert f"CONSULTA\n{QUESTION}\n\nRESPUESTA\nSon treinta [1]." in reply.text
    assert "FUENTES\n[1] " in reply.text
    entry = program.audit.log.entries()[0]
    assert (entry.action, entry.target, entry.detail) == (
        AuditAction.EXPORTED,
        str(number),
        {"what": "answer"},
    )


def test_the_file_is_the_same_text_under_a_name(program: App, client: TestClient) -> None:
    number = message(program)
    file = client.get(ANSWER, params={"m": number, copying.FILE: "1"})
    assert file.headers["content-disposition"] == f'attachment; filename="articulado-{number}.txt"'
    assert file.text == client.get(ANSWER, params={"m": number}).text


@pytest.mark.parametrize("state", [MessageState.PENDING, MessageState.STOPPED, MessageState.FAILED])
def test_an_answer_that_is_not_complete_is_not_copied(
    program: App, client: TestClient, state: MessageState
) -> None:
    assert client.get(ANSWER, params={"m": message(program, state=state)}).status_code == 404


def test_nobody_copies_what_is_anothers_or_a_question(program: App, client: TestClient) -> None:
    other = message(program, "ana")
    before = program.audit.log.entries()
    for number in (other, message(program) - 1, 10**17):
        reply = client.get(ANSWER, params={"m": number})
        assert reply.status_code == 404
        assert "treinta" not in reply.text
    assert program.audit.log.entries() == before, "what was not taken out is not recorded"


def test_who_has_been_signed_out_meanwhile_copies_nothing(program: App, client: TestClient) -> None:
    reply = client.get(ANSWER, params={"m": message(program)}, headers={"gone": "1"})
    assert reply.status_code == 403
    assert "treinta" not in reply.text


def test_digits_of_another_script_name_no_file(program: App, client: TestClient) -> None:
    wide = str(message(program)).translate({ord("0") + n: ord("０") + n for n in range(10)})
    assert client.get(ANSWER, params={"m": wide, copying.FILE: "1"}).status_code == 404


def test_a_hostile_number_is_no_answer(client: TestClient) -> None:
    for text in (*TEXTS, "-1", "1.0", "1e3", "٣", "１", " 1", "9" * 400, "0x1", "true"):
        sent = text.encode("utf-8", "replace").decode()[:3000]
        reply = client.get(ANSWER, params={"m": sent})
        assert reply.status_code == 404, repr(sent[:60])
