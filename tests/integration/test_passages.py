"""A passage of a document with its page, for the reading pane: to whom it is open, and kept nowhere."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from core.errors import NotFound
from domain.accounts import Identity, Role
from loading.parsing.file_reader import FileReader
from pages.parts.answer import passage
from pages.parts.answer.documents import addresses
from service.members.member import Member
from service.program import assembly
from service.program.assembly import App
from tests.conftest import DATA, Maker
from tests.hostile import TEXTS, live_html
from tests.matter_files import REASON, SALARY, WORKER, letter, payslip
from web.api.person import named
from web.base.access import PASSAGE

QUESTION = "¿Desde qué fecha tiene efectos el despido disciplinario por faltas de puntualidad?"
ROW = f"| Salario base | {SALARY} euros |"


def person(program: App, name: str) -> Member:
    return Member(program, Identity(id=name, username=name, name=name.title(), roles=(Role.LAWYER,)))


@contextmanager
def browser(program: App, name: str) -> Iterator[TestClient]:
    """Asks as that person."""
    inner, who = Starlette(routes=passage.routes()), person(program, name).identity

    async def let_in(scope: Scope, receive: Receive, send: Send) -> None:
        await inner(named(scope, who, lambda: who, ""), receive, send)

    assembly.override(program)
    try:
        with TestClient(let_in) as client:
            yield client
    finally:
        assembly.override(None)


@pytest.fixture
def hers(program: App) -> Any:
    """Ana's expediente, in which Blas is a member, with a letter and a payslip."""
    ana = person(program, "ana")
    matter = ana.matters.create("Despido de F. Z.").id
    carta = ana.papers.upload(matter, "carta.pdf", letter()).id
    nomina = ana.papers.upload(matter, "nomina.docx", payslip()).id
    program.database.matters.add_member("ana", matter, "blas")
    return SimpleNamespace(ana=ana, blas=person(program, "blas"), matter=matter, carta=carta, nomina=nomina)


def asked(document_id: str, *quotes: str, number: Any = 1) -> str:
    return addresses(document_id, number, quotes)[1]


def test_the_page_comes_with_its_marks_and_the_text_that_was_read(program: App, hers: Any) -> None:
    with browser(program, "ana") as client:
        reply = client.get(asked(hers.carta, REASON))
    assert reply.status_code == 200
    assert reply.text.count('src="data:image/jpeg;base64,') == 1
    assert reply.text.count('<mark style="left:') == 3
    assert f"<mark>{REASON}</mark>" in reply.text.replace("\n", " ")
    assert "Imagen de la página 1, con lo citado señalado" in reply.text
    assert "Doc 1</h2>" in reply.text and "carta.pdf" in reply.text


def test_a_quotation_that_is_not_on_the_page_is_told_and_nothing_is_marked(program: App, hers: Any) -> None:
    with browser(program, "ana") as client:
        alone = client.get(asked(hers.carta, "El despido es improcedente."))
        beside = client.get(asked(hers.carta, "El despido es improcedente.", REASON))
    assert "La cita no se ha podido situar con exactitud" in alone.text
    assert "<mark" not in alone.text and "<img" in alone.text
    assert "en la imagen 1 de 2 citas" in beside.text
    assert beside.text.count('<mark style="left:') == 3


def test_a_document_without_pages_is_read_as_text_alone(program: App, hers: Any) -> None:
    with browser(program, "ana") as client:
        reply = client.get(asked(hers.nomina, ROW))
    assert reply.status_code == 200
    assert "<img" not in reply.text and "no se ha podido" not in reply.text
    assert SALARY in reply.text and "<mark>" in reply.text


def test_a_page_that_cannot_be_drawn_leaves_the_text_and_says_why(program: App, hers: Any) -> None:
    (program.home / "matters" / hers.carta).write_bytes(b"%PDF-1.4 roto")
    with browser(program, "ana") as client:
        reply = client.get(asked(hers.carta, REASON))
    assert reply.status_code == 200
    assert "el PDF está dañado" in reply.text
    assert "<img" not in reply.text and f"<mark>{REASON}" in reply.text


@pytest.mark.parametrize("name", ["eva", "rosa"])
@pytest.mark.parametrize("which", ["carta", "nomina", "matter"])
def test_a_stranger_gets_what_an_invented_id_gives(program: App, hers: Any, name: str, which: str) -> None:
    with browser(program, name) as client:
        told = [client.get(asked(key, REASON)) for key in (getattr(hers, which), "0" * 32, "", "../carta")]
    assert {reply.status_code for reply in told} == {404}
    assert len({reply.text for reply in told}) == 1
    assert "img" not in told[0].text and WORKER not in told[0].text


@pytest.mark.parametrize("number", [0, 99, -1, "x", "1e3", "²", "9" * 30, ""])
def test_a_forged_number_gives_nothing(program: App, hers: Any, number: object) -> None:
    with browser(program, "ana") as client:
        reply = client.get(asked(hers.carta, REASON, number=number))
    assert reply.status_code == 404
    assert "<img" not in reply.text


def test_a_member_who_is_removed_while_the_page_is_drawn_does_not_get_it(
    program: App, hers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with browser(program, "blas") as client:
        assert "<img" in client.get(asked(hers.carta, REASON)).text
        picture = FileReader.picture

        def removed(*args: Any) -> object:
            hers.ana.matters.remove_member(hers.matter, "blas")
            return picture(*args)

        monkeypatch.setattr(FileReader, "picture", removed)
        reply = client.get(asked(hers.carta, REASON))
    assert reply.status_code == 404
    assert "<img" not in reply.text and REASON not in reply.text


def test_the_page_of_a_deleted_expediente_is_gone(program: App, hers: Any) -> None:
    hers.ana.matters.delete(hers.matter)
    with pytest.raises(NotFound):
        hers.ana.papers.pictured(hers.carta, 1, [REASON])


def test_nothing_of_a_page_is_left_on_disk(program: App, hers: Any) -> None:
    names = {path.name for path in program.home.iterdir()}
    (page,) = hers.ana.papers.pictured(hers.carta, 1, [REASON]).pages
    picture = base64.b64decode(page.data)
    # A process that is spent has ended, and its folder with it.
    scratch = [Path(process._scratch.name) for process in program.papers._reader()._idle]
    assert {path.name for path in program.home.iterdir()} == names
    for place in (program.home, *scratch):
        for path in filter(Path.is_file, place.rglob("*")):
            held = path.read_bytes()
            assert picture[1000:1100] not in held and page.data[1000:1100].encode() not in held, path
    hers.ana.matters.delete(hers.matter)
    assert not (program.home / "matters").exists()


def test_a_look_is_in_the_log_without_a_word_of_it(program: App, hers: Any) -> None:
    hers.blas.papers.pictured(hers.carta, 1, [REASON])
    (entry,) = [
        one for one in program.audit.log.entries() if one.actor == "blas" and one.target == hers.carta
    ]
    assert (entry.action.value, entry.detail.get("what")) == ("read", "document")
    assert "despido" not in repr(entry)


def test_a_question_of_the_expediente_draws_no_page(
    make_program: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture is for its reader: nothing of the walk of a question asks for one, so no model gets it."""
    program = make_program([DATA])
    ana = person(program, "ana")
    matter = ana.matters.create("Uno").id
    ana.papers.upload(matter, "carta.pdf", letter())
    drawn: list[object] = []
    monkeypatch.setattr(FileReader, "picture", lambda *args: drawn.append(args))
    run = ana.runs.start(ana.conversations.create("", matter).id, QUESTION)
    assert run.done.wait(30) and "15 de marzo" in run.text
    assert drawn == []


def test_hostile_addresses_and_names_show_nothing_alive(program: App, hers: Any) -> None:
    evil = hers.ana.papers.upload(hers.matter, '"><img src=x onerror=alert(1)>.txt', b"Una carta.").id
    with browser(program, "ana") as client:
        reply = client.get(asked(evil, "<script>"))
        assert reply.status_code == 200
        assert live_html(reply.text) == []
        for text in TEXTS[:60]:
            sent = text.encode("utf-8", "replace").decode()[:1500]
            for address in (
                {"d": hers.nomina, "n": "1", "q": sent},
                {"d": sent, "n": "1"},
                {"d": evil, "n": sent},
            ):
                reply = client.get(PASSAGE, params=address)
                assert reply.status_code in (200, 404), repr(sent[:60])
                assert live_html(reply.text) == [], repr(sent[:60])
