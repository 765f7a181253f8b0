"""An expediente with a letter and a payslip over a whole program."""

import pytest

from domain.accounts import Identity, Role
from rag.run.runs import Run
from rag.shared.messages import MessageState
from service.members.member import Member
from service.program.assembly import App
from tests.conftest import DATA, Maker
from tests.matter_files import INJECTION, WORKER, letter, payslip
from tests.model_server import ModelServer

BOTH = "¿Cuántos días de vacaciones me corresponden al año y qué salario base consta en la nómina?"


def person(program: App, name: str, *roles: Role) -> Member:
    return Member(program, Identity(id=name, username=name, name=name.title(), roles=roles or (Role.LAWYER,)))


@pytest.fixture
def ana(program: App) -> Member:
    return person(program, "ana")


@pytest.fixture
def matter(ana: Member) -> str:
    """Ana's expediente with the letter and the payslip."""
    found = ana.matters.create("Despido de F. Z.", "EXP-1").id
    ana.papers.upload(found, "carta.pdf", letter())
    ana.papers.upload(found, "nomina.docx", payslip())
    return found


def asked(who: Member, question: str, matter_id: str | None = None) -> Run:
    conversation = who.conversations.create("", matter_id).id
    run = who.runs.start(conversation, question)
    assert run.done.wait(30)
    assert run.state is MessageState.COMPLETE, run.text
    return run


@pytest.fixture
def modelled(server: ModelServer, make_program: Maker) -> tuple[App, Member, str]:
    """A program with a model, which masks what leaves; its person; an expediente of one letter."""
    program = make_program(
        [DATA],
        openai_base_url=server.url,
        openai_api_key="sk-test-key",
        model_retries=0,
        mask_personal_data=True,
        mask_names=WORKER,
    )
    ana = person(program, "ana")
    matter = ana.matters.create("Uno").id
    ana.papers.upload(matter, "carta.pdf", letter(INJECTION))
    return program, ana, matter
