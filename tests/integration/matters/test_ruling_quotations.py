"""Quotations of rulings in briefs: held against the ruling that an expediente has, or that is loaded."""

import pytest

from casework.briefs.findings import Kind, State
from core.errors import Forbidden, NotFound
from domain.accounts import Identity, Role, Scope
from service.contract.citations import CitationsRequest
from service.members.member import Member
from tests.integration.matters.conftest import person
from tests.unit.test_ruling_heads import CENDOJ

SAID = (
    "el torrero que apaga el faro sin orden del capitán incumple gravemente su deber de vigilancia nocturna"
)
LONG = " ".join(f"La farola número {n} lució la noche entera sin que nadie la apagase." for n in range(200))
RULING = f"""{CENDOJ.replace("2031", "2021").replace("2029", "2019")}
ANTECEDENTES DE HECHO
PRIMERO.- {LONG}
FUNDAMENTOS DE DERECHO
PRIMERO.- Esta Sala entiende que {SAID}. No cabe apagar el faro antes del alba de ningún día.
FALLO
Desestimamos el recurso.
"""
CITED = "STS 77/2021, de 12 de marzo (rec. 900/2019)"


@pytest.fixture
def case(ana):
    found = ana.matters.create("Faro").id
    ana.papers.upload(found, "sentencia.txt", RULING.encode())
    return found


def quoted(ana, text, matter=""):
    report = ana.law.citations(CitationsRequest(text=text, matter=matter))
    return [one for one in report.findings if one.kind is Kind.QUOTATION], report


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("La {cited} declaró que «{said}».", State.EXACT),
        ("«{said}» ({cited}).", State.EXACT),
        ("Lo dice la {cited}: «el torrero que apaga el faro (…) incumple gravemente su deber».", State.EXACT),
        ("La {cited} sostiene que «el torrero que apaga el faro sin permiso incumple levemente su deber de"
         " vigilar de noche».", State.DIFFERENT),
        ("La {cited} afirma que «cabe apagar el faro antes del alba de ningún día».", State.DIFFERENT),
        ("La {cited} señala que «la indemnización del grumete asciende a treinta doblones».", State.ABSENT),
        ("La STS 78/2021, de 13 de marzo, declaró que «{said}».", State.UNCHECKED),
        ("Las SSTS 77/2021, de 12 de marzo, y 90/2020, de 3 de mayo, dicen que «{said}».", State.EXACT),
        ("La {cited}, con cita del art. 2 LTF, sostiene que «{said}».", State.EXACT),
        ("La {cited} se dictó. La empresa dijo al actor que «usted no vuelve nunca más por aquí».", None),
    ],
)  # fmt: skip
def test_a_quotation_is_compared_with_the_attached_ruling(ana, case, text, state):
    found, report = quoted(ana, text.format(cited=CITED, said=SAID), case)
    assert [one.state for one in found] == ([] if state is None else [state])
    assert report.unattributed == (state is None)
    for one in found:
        assert ("Doc 1" in one.source) is (state is not State.UNCHECKED)
        assert bool(one.runs) is (state is State.DIFFERENT)


def test_without_the_expediente_it_is_unchecked_and_the_ruling_is_not_said_to_be_held(ana, case):
    text = f"La {CITED} declaró que «{SAID}»."
    (found,), report = quoted(ana, text)
    assert (found.state, found.source) == (State.UNCHECKED, "")
    assert [one.state for one in report.findings if one.kind is Kind.RULING] == [State.WELL_FORMED]
    (held,) = (one for one in quoted(ana, text, case)[1].findings if one.kind is Kind.RULING)
    assert held.state is State.HELD and held.said == "Está aportada: Doc 1, «sentencia.txt»."


def test_nobody_else_reads_the_expediente_by_a_brief(program, case):
    luis = person(program, "luis")
    with pytest.raises(NotFound):
        quoted(luis, f"La {CITED} declaró que «{SAID}».", case)
    token = Identity(id="ana", username="ana", name="Ana", roles=(Role.LAWYER,), scopes=(Scope.READ,))
    with pytest.raises(Forbidden):
        quoted(Member(program, token), "El art. 2 ET.", case)
