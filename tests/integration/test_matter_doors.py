"""Attempts to read another's expediente or document, at every door: each fails, none tells that it exists."""

import asyncio
import io
import zipfile
from collections.abc import Callable, Iterator
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from core.errors import ArticuladoError, InputError
from domain.accounts import Identity, Permission, Role
from domain.accounts import Scope as TokenScope
from domain.reviews import QueueFilter
from index.points import IndexFilter
from pages.parts.answer import pane
from rag.shared.messages import MessageState
from service.contract.answers import AskRequest
from service.contract.search import SearchRequest
from service.contract.tools import ToolRequest
from service.members.member import Member
from service.program import assembly
from service.program.assembly import App
from tests.homes import lexical_program
from tests.matter_files import DNI, NOTICE, SALARY, WORKER, letter, payslip
from tests.pages.fakes import local_accounts
from tests.tool_corpus import xml
from web.api.person import named
from web.base.access import SOURCE

QUESTION = "¿Qué salario base consta en la nómina de Filomena Zurrutúa?"
NAME = "Despido Zurrutúa"
SECRETS = (SALARY, "Zurrut", "zurrut", DNI, WORKER, "carta.pdf", "nomina.docx", NOTICE[:60])


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    people = ("rosa=admin", "ana=abogado", "eva=abogado", "rev=revisor")
    with lexical_program(tmp_path_factory.mktemp("doors")) as made:
        made.accounts = local_accounts(made.database.engines, *people)
        yield made


def who(program: App, username: str) -> Identity:
    account = program.accounts.named(None, username)
    return Identity(id=account.id, username=username, name=username, roles=account.roles)


@pytest.fixture(scope="module")
def hers(program: App) -> Any:
    """Ana's expediente with two documents and an answer from them."""
    ana = Member(program, who(program, "ana"))
    matter = ana.matters.create(NAME, "EXP-1").id
    paper = ana.papers.upload(matter, "carta.pdf", letter()).id
    ana.papers.upload(matter, "nomina.docx", payslip())
    chat = ana.conversations.create("", matter).id
    run = ana.runs.start(chat, QUESTION)
    assert run.done.wait(30) and run.state is MessageState.COMPLETE and SALARY in run.text
    return SimpleNamespace(matter=matter, paper=paper, chat=chat, message=run.message_id, ana=ana)


@pytest.fixture(params=["eva", "rosa", "rev"])
def stranger(program: App, request: pytest.FixtureRequest) -> Member:
    """Another lawyer, the admin and a reviewer: no role opens an expediente."""
    return Member(program, who(program, request.param))


def answer(run: Any) -> object:
    assert run.done.wait(30)
    return run.text, run.answer


Attempt = Callable[[Member, Any], object]
BY_ID: dict[str, Attempt] = {
    "its name": lambda m, its: m.matters.matter(its.matter),
    "its members": lambda m, its: m.matters.members(its.matter),
    "its conversations": lambda m, its: m.matters.conversations(its.matter),
    "its notes, by changing them": lambda m, its: m.matters.change(its.matter, notes="x"),
    "joining it": lambda m, its: m.matters.add_member(its.matter, m.identity.id),
    "putting its member out": lambda m, its: m.matters.remove_member(its.matter, its.ana.identity.id),
    "deleting it": lambda m, its: m.matters.delete(its.matter),
    "its documents": lambda m, its: m.papers.documents(its.matter),
    "a document": lambda m, its: m.papers.document(its.paper),
    "a fragment": lambda m, its: m.papers.fragment(its.paper, 1),
    "a page": lambda m, its: m.papers.pictured(its.paper, 1, [NOTICE]),
    "a file": lambda m, its: m.papers.original(its.paper),
    "deleting a document": lambda m, its: m.papers.remove(its.paper),
    "adding a document": lambda m, its: m.papers.upload(its.matter, "x.txt", b"texto propio"),
    "adding the same file, to learn of it": lambda m, its: m.papers.upload(its.matter, "x.pdf", letter()),
    "documents of its conversation": lambda m, its: m.papers.of_conversation(its.chat),
    "adding to its conversation": lambda m, its: m.papers.upload_to_conversation(its.chat, "x.txt", b"y"),
    "a conversation in it": lambda m, its: m.conversations.create("x", its.matter),
    "its conversation": lambda m, its: m.conversations.conversation(its.chat),
    "its messages": lambda m, its: m.conversations.messages(its.chat),
    "its history": lambda m, its: m.conversations.history(its.chat, 10**6, 5),
    "its trace": lambda m, its: m.conversations.trace(its.message),
    "renaming its conversation": lambda m, its: m.conversations.rename(its.chat, "x"),
    "deleting its conversation": lambda m, its: m.conversations.delete(its.chat),
    "asking in its conversation": lambda m, its: m.runs.start(its.chat, QUESTION),
    "asking there as a program": lambda m, its: m.asking.start(
        AskRequest(question=QUESTION, conversation=its.chat)
    ),
    "what would leave from it": lambda m, its: m.leaving(QUESTION, its.chat),
    "the vote on its answer": lambda m, its: m.feedback.feedback(its.message),
}
"""Doors that take an id: what the id of somebody else gives is what an invented one gives."""
LISTS: dict[str, Attempt] = {
    "the votes in its conversation": lambda m, its: m.feedback.votes(its.chat),
    "the expedientes": lambda m, its: m.matters.matters(),
    "the conversations": lambda m, its: (m.conversations.conversations(), m.conversations.listed(500)),
    "a search in conversations": lambda m, its: m.conversations.search("zurrutua"),
    "a search for the salary": lambda m, its: m.conversations.search("1.873,45"),
    "the answer under way": lambda m, its: m.runs.active(its.chat),
    "a plain question": lambda m, its: answer(m.runs.start(m.conversations.create("x").id, QUESTION)),
    "a question that names the ids": lambda m, its: answer(
        m.runs.start(
            m.conversations.create("x").id, f"Expediente {its.matter}, documento {its.paper}: salario"
        )
    ),
    "a search in the corpus": lambda m, its: m.law.search(SearchRequest(query=QUESTION)),
    "the norms": lambda m, its: m.law.norms(0, 1000),
    "a norm of that id": lambda m, its: _refused(lambda: m.law.norm(its.paper)),
    "an article of that id": lambda m, its: _refused(lambda: m.law.article_of(its.paper, "1")),
    "a lookup of its name": lambda m, its: _refused(lambda: m.law.named("Doc 1")),
    "the words by a tool": lambda m, its: m.law.tool(
        ToolRequest(calls=xml("lexical_search", query="liquidación de haberes en el domicilio"))
    ),
    "the words by a pattern": lambda m, its: m.law.tool(
        ToolRequest(calls=xml("regex_search", pattern="liquidaci[oó]n de haberes"))
    ),
    "the file by a tool": lambda m, its: m.law.tool(ToolRequest(calls=xml("file_content", doc_id=its.paper))),
    "the corpus": lambda m, its: (m.corpus.norm(its.paper), m.corpus.counts(), m.corpus.document(its.paper)),
    "the catalogue": lambda m, its: m.documents.get(its.paper),
    "a copy of one's data": lambda m, its: _unzipped(m.account.export()),
}
"""Doors without an id, or of the corpus: nothing of the documents is in what they give."""
FOR_SOME: dict[str, tuple[Permission, Attempt]] = {
    "the review queue": (Permission.REVIEW, lambda m, its: m.reviews.queue(QueueFilter())),
    "an answer under review": (
        Permission.REVIEW,
        lambda m, its: _refused(lambda: m.reviews.item(its.message, 9)),
    ),
    "its trace under review": (Permission.REVIEW, lambda m, its: m.reviews.answer_trace(its.message)),
    "the index of the corpus": (
        Permission.INSPECT,
        lambda m, its: m.services.index.ids(IndexFilter(collections=(f"m:{its.matter}", "expediente"))),
    ),
    "the toolbox": (
        Permission.INSPECT,
        lambda m, its: _tool(m, xml("lexical_search", query="liquidación de haberes en el domicilio")),
    ),
    "the audit log": (Permission.AUDIT, lambda m, its: m.audit.entries()),
    "the jobs": (Permission.LOAD, lambda m, its: m.jobs.jobs()),
}


def _refused(act: Callable[[], object]) -> object:
    try:
        return act()
    except ArticuladoError as error:
        return str(error)


def _tool(member: Member, calls: str) -> object:
    return asyncio.run(member.toolbox.run(calls, as_of=date(2026, 1, 1), question=QUESTION))


def _unzipped(content: bytes) -> object:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [archive.read(name).decode() for name in archive.namelist()]


def shows(found: object) -> list[str]:
    """The secrets in what was given."""
    return [secret for secret in SECRETS if secret in repr(found).replace(repr(QUESTION)[1:-1], "")]


def test_there_are_forty_attempts_at_least() -> None:
    assert len(BY_ID) + len(LISTS) + len(FOR_SOME) >= 50


@pytest.mark.parametrize("name", BY_ID)
def test_the_id_of_anothers_is_an_unknown_one(program: App, hers: Any, stranger: Member, name: str) -> None:
    told = []
    for its in (hers, SimpleNamespace(matter="x", paper="x", chat="x", message=10**9, ana=hers.ana)):
        with pytest.raises(ArticuladoError) as refused:
            BY_ID[name](stranger, its)
        told.append((type(refused.value), str(refused.value)))
    assert told[0] == told[1]
    assert not shows(told)
    assert hers.ana.papers.documents(hers.matter)[0].id == hers.paper


@pytest.mark.parametrize("name", LISTS)
def test_nothing_of_a_document_is_in_what_another_door_gives(hers: Any, stranger: Member, name: str) -> None:
    assert shows(_refused(lambda: LISTS[name](stranger, hers))) == []


@pytest.mark.parametrize("name", FOR_SOME)
def test_no_role_sees_anything_of_a_document(hers: Any, stranger: Member, name: str) -> None:
    permission, attempt = FOR_SOME[name]
    if stranger.may(permission):
        assert shows(attempt(stranger, hers)) == []


def test_its_owner_gets_through_the_same_doors(hers: Any) -> None:
    assert hers.ana.matters.matter(hers.matter).name == NAME
    assert shows(hers.ana.conversations.search("zurrutua"))
    assert hers.ana.papers.original(hers.paper)[1] == letter()


@pytest.mark.parametrize("doc", ["paper", "matter", "chat"])
def test_the_reading_pane_knows_no_document(program: App, hers: Any, doc: str) -> None:
    inner, eva = Starlette(routes=pane.routes()), who(program, "eva")

    async def let_in(scope: Scope, receive: Receive, send: Send) -> None:
        await inner(named(scope, eva, lambda: eva, ""), receive, send)

    assembly.override(program)
    with TestClient(let_in) as client:
        reply = client.get(SOURCE, params={"doc": getattr(hers, doc), "block": "1", "q": SALARY})
    assert reply.status_code == 404
    assert not shows(reply.text)


# The log tells of every act, and never of a word of it


def test_every_act_is_recorded_without_a_name_or_a_word(program: App, hers: Any) -> None:
    ana, eva = hers.ana, who(program, "eva").id
    other = ana.matters.create("Zurrutúa, otro").id
    paper = ana.papers.upload(other, "nomina.docx", payslip()).id
    ana.papers.fragment(paper, 1)
    ana.papers.original(paper)
    ana.matters.change(other, notes=WORKER)
    ana.matters.add_member(other, eva)
    ana.matters.remove_member(other, eva)
    ana.papers.remove(paper)
    ana.matters.delete(other)
    entries = [one for one in program.audit.log.entries() if one.actor == ana.identity.id]
    told = {(one.action.value, one.target, one.detail.get("what")) for one in entries}
    assert told >= {
        ("changed", "matters", "matter"),
        ("loaded", other, "document"),
        ("read", paper, "document"),
        ("exported", paper, "document"),
        ("changed", other, "matter"),
        ("changed", other, "member"),
        ("deleted", paper, "document"),
        ("deleted", other, "matter"),
    }
    assert shows(entries) == []


def test_without_a_record_nothing_is_done(program: App, hers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object) -> None:
        raise InputError("El registro no se puede escribir.")

    monkeypatch.setattr(program.audit.log, "append", full)
    for act in (
        lambda: hers.ana.matters.create("x"),
        lambda: hers.ana.matters.delete(hers.matter),
        lambda: hers.ana.papers.upload(hers.matter, "x.txt", b"texto"),
        lambda: hers.ana.papers.remove(hers.paper),
        lambda: hers.ana.papers.original(hers.paper),
    ):
        with pytest.raises(InputError):
            act()
    assert len(hers.ana.papers.documents(hers.matter)) == 2


@pytest.mark.parametrize("role", Role)
def test_every_role_has_expedientes_of_its_own(program: App, role: Role) -> None:
    person = Member(program, Identity(id=f"p-{role.value}", username="p", name="P", roles=(role,)))
    made = person.matters.create("Propio")
    assert [one.id for one in person.matters.matters()] == [made.id]
    person.matters.delete(made.id)


def test_a_token_that_may_only_read_opens_no_expediente(program: App, hers: Any) -> None:
    reading = who(program, "ana").model_copy(update={"scopes": (TokenScope.READ,), "token": "t"})
    member = Member(program, reading)
    for act in (
        member.matters.matters,
        lambda: member.matters.matter(hers.matter),
        lambda: member.papers.documents(hers.matter),
        lambda: member.papers.original(hers.paper),
    ):
        with pytest.raises(ArticuladoError, match="no tiene permiso"):
            act()
