"""The facts sheet of an expediente over a whole program: read, contradicted, corrected, and for whom."""

import pytest

from core.errors import Forbidden, InputError, NotFound
from domain.accounts import Identity, Role
from domain.accounts import Scope as TokenScope
from service.members.facts import FactRequest
from service.members.member import Member
from tests.integration.matters.conftest import person


def test_a_fact_comes_with_its_sentence_and_page(ana, matter):
    one = ana.facts.sheet(matter)["effects"]
    assert (one.value, one.paper, one.page) == ("15/03/2025", "Doc 1", 1)
    assert "con efectos de 15 de marzo de 2025" in one.sentence


def test_what_another_paper_says_is_a_contradiction_until_a_person_chooses(ana, matter):
    ana.papers.upload(
        matter, "otra.txt", b"Le comunicamos que su despido tiene efectos el 20 de marzo de 2025."
    )
    sheet = ana.facts.sheet(matter)
    assert {sheet["effects"].value, *(one.value for one in sheet["effects"].others)} == {
        "15/03/2025",
        "20/03/2025",
    }
    assert sheet.sure("effects") == ""
    sheet = ana.facts.correct(matter, "effects", FactRequest(value="20 de marzo de 2025"))
    assert (sheet.sure("effects"), sheet["effects"].by) == ("20/03/2025", "ana")
    sheet = ana.facts.correct(matter, "effects", FactRequest())
    assert (sheet.sure("effects"), sheet["effects"].by) == ("", "")


def test_a_denial_is_no_fact_and_is_told(ana, matter):
    ana.papers.upload(matter, "otra.txt", "El despido no surtirá efectos el 15 de abril de 2025.".encode())
    sheet = ana.facts.sheet(matter)
    assert sheet["effects"].value == "15/03/2025"


def test_a_correction_of_no_known_fact_or_value_changes_nothing(ana, matter):
    with pytest.raises(NotFound, match="No existe ese dato"):
        ana.facts.correct(matter, "luna", FactRequest(value="llena"))
    with pytest.raises(InputError, match="La fecha debe existir"):
        ana.facts.correct(matter, "start", FactRequest(value="30/02/2020"))
    assert ana.facts.sheet(matter)["start"].by == ""


def test_a_stranger_and_a_token_that_may_only_read_learn_nothing(program, matter):
    eva = person(program, "eva", Role.LAWYER, Role.ADMIN)
    for target in (matter, "0" * 32):
        for act in (
            lambda target=target: eva.facts.sheet(target),
            lambda target=target: eva.facts.correct(target, "start", FactRequest(value="01/01/2020")),
        ):
            with pytest.raises(NotFound, match="No existe ese expediente"):
                act()
    ana = Identity(id="ana", username="ana", name="Ana", roles=(Role.LAWYER,))
    reading = ana.model_copy(update={"scopes": (TokenScope.READ,), "token": "t"})
    with pytest.raises(Forbidden):
        Member(program, reading).facts.sheet(matter)
