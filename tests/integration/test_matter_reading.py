"""Documents of expedientes while others are read: nobody waits for the vectors or the fault of another."""

import threading

import pytest

from domain.accounts import Identity, Role
from domain.matters import DocumentState
from service.members.member import Member
from service.program import papers as program_papers
from service.program.assembly import App
from tests.matter_files import letter, payslip

WAIT = 30


@pytest.fixture
def ana(program: App) -> Member:
    return Member(program, Identity(id="ana", username="ana", name="Ana", roles=(Role.LAWYER,)))


def states(who: Member, matter_id: str) -> list[DocumentState]:
    return [one.state for one in who.papers.documents(matter_id)]


def test_an_upload_is_read_between_the_vectors_of_the_one_before(ana, program: App, monkeypatch):
    matter = ana.matters.create("Despido").id
    begun, uploaded, done = threading.Event(), threading.Event(), threading.Event()
    seen: list[list[DocumentState]] = []
    embed = program.models.embedder.embed_passages

    def slow(texts):
        seen.append(states(ana, matter))
        if len(seen) == 1:
            begun.set()
            assert uploaded.wait(WAIT)
        if len(seen) == 3:
            done.set()
        return embed(texts)

    monkeypatch.setattr(program_papers, "AT_ONCE", 1)
    monkeypatch.setattr(program.models.embedder, "embed_passages", slow)
    program.papers.passes.start()
    try:
        ana.papers.upload(matter, "carta.pdf", letter())
        assert begun.wait(WAIT)
        ana.papers.upload(matter, "nomina.docx", payslip())
        uploaded.set()
        assert done.wait(WAIT)
    finally:
        program.papers.stop()
    assert seen[0] == [DocumentState.READ]
    assert seen[1] == [DocumentState.READ, DocumentState.READ]


def test_a_file_at_which_the_program_fails_is_told_once_and_holds_nobody_up(ana, program: App, monkeypatch):
    matter = ana.matters.create("Despido").id
    read, tried = program_papers.read_paper, []

    def fails(path, name, *rest):
        if name == "carta.pdf":
            tried.append(name)
            raise ZeroDivisionError
        return read(path, name, *rest)

    monkeypatch.setattr(program_papers, "read_paper", fails)
    ana.papers.upload(matter, "carta.pdf", letter())
    ana.papers.upload(matter, "nomina.docx", payslip())
    program.papers.work()
    carta, nomina = ana.papers.documents(matter)
    assert (carta.state, nomina.state) == (DocumentState.FAILED, DocumentState.READ)
    assert "«carta.pdf» no se ha podido leer" in carta.problem
    assert tried == ["carta.pdf"]
