"""Antecedentes and conclusions by a model: what is checked enters, the rest gives way and is told."""

import pytest

from casework.matters.case_facts import CaseFact, FactsSheet
from core.errors import ConfigurationError, Forbidden
from domain.accounts import Identity, Role
from domain.usage import QuotaExceeded
from rag.shared.cited_answer import Answer
from service.members.member import Member
from service.opinions.background import TOLD as SAID
from service.opinions.background import Case, with_facts
from service.opinions.drafting import checked
from service.opinions.formats import Format
from service.program.assembly import App
from tests.homes import new_program
from tests.model_replies import as_json, fails, says
from tests.opinions import consulted
from tests.scripted import QUOTE

ASKED = "Trabajo en una empresa de Madrid desde 2019. ¿Cuántos días de vacaciones me corresponden al año?"
ASSEMBLED = SAID.format(said="Trabajo en una empresa de Madrid desde 2019.")
TOLD = "La persona consultante trabaja en una empresa de Madrid desde 2019."
CONCLUSION = f"Le corresponden 31 días naturales de vacaciones por año trabajado: «{QUOTE}»."


@pytest.fixture
def program(model_program: App) -> App:
    return model_program


def person(program, **fields):
    return Member(program, Identity(id="ana", username="ana", name="Ana", roles=(Role.LAWYER,), **fields))


@pytest.fixture
def given(program, server):
    """A conversation with an answer of the model, and what drafts an opinion of it."""
    server.markers["opinion"] = "Preparas dos partes de un dictamen"
    ana = person(program)
    conversation = ana.conversations.create("X").id
    run = ana.runs.start(conversation, ASKED)
    assert run.done.wait(30)

    def drafted(reply, *, accepted=True) -> str:
        server.script(opinion=[reply])
        answers = [run.message_id]
        draft = ana.opinions.draft(conversation, answers, answers if accepted else [])
        made = ana.opinions.dictamen(
            conversation, answers, Format.MARKDOWN, draft=draft, accepted=answers if accepted else []
        )
        return made.decode()

    return drafted


def reply(background=(TOLD,), conclusion=CONCLUSION, number=1):
    return as_json(
        {"antecedentes": list(background), "conclusiones": [{"cuestion": number, "texto": conclusion}]}
    )


def test_what_holds_enters_and_is_told_to_be_a_models(given):
    text = given(reply())
    assert TOLD in text and ASSEMBLED not in text
    assert f"- Cuestión 1. {CONCLUSION}" in text
    assert "Redactado por un modelo de lenguaje" in text and "descartado" not in text


def test_an_answer_that_nobody_accepts_gets_no_conclusion_of_a_model(given):
    text = given(reply(), accepted=False)
    assert TOLD in text and CONCLUSION not in text
    assert "las conclusiones de las cuestiones" not in text and "descartado" not in text


def test_a_conclusion_may_rest_on_the_facts_of_the_papers():
    effects = CaseFact(
        key="effects", label="Fecha de efectos", kind="date", value="10/11/2026", paper="Doc 1"
    )
    case = Case(name="X", papers={}, sheet=FactsSheet(facts=(effects,)))
    asked = [consulted(Answer(answer="Veinte días hábiles.", confidence=0.9))]
    said = "Son veinte días hábiles desde el 10 de noviembre de 2026."
    found = {"antecedentes": [], "conclusiones": [{"cuestion": 1, "texto": said}]}
    assert checked(found, with_facts(asked, case)) == ([], {1: said}, [])
    assert checked(found, with_facts(asked, None))[1] == {}


LIES = {
    "figure": "Le corresponden 45 días naturales de vacaciones.",
    "spelled figure": "Le corresponden cuarenta y cinco días naturales de vacaciones.",
    "quotation": f"Dice la ley: «{QUOTE} y cinco hábiles».",
    "short quotation": "Son «días hábiles» de vacaciones.",
    "negation": "No le corresponden 31 días naturales de vacaciones por año trabajado.",
    "too long": CONCLUSION * 30,
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_conclusion_that_says_more_gives_way_to_the_assembled_one(given, lie):
    text = given(reply(conclusion=lie))
    concluded = text.partition("## Conclusiones")[2].partition("## Procedencia")[0]
    assert lie not in concluded and "45" not in concluded and "hábiles" not in concluded
    assert "se ha descartado: la conclusión de la cuestión 1" in text
    assert "- Cuestión 1. Le corresponden 31 días naturales de vacaciones por año trabajado" in text
    assert TOLD in text, "what holds stays"


FACTS = {
    "name": "La persona consultante, doña Rosa, trabaja en una empresa de Madrid.",
    "figure": "La persona consultante trabaja en una empresa de Madrid desde 2018.",
    "event": "La persona consultante fue despedida en Madrid.",
    "negation": "La persona consultante no trabaja en una empresa de Madrid.",
    "quotation": "La persona consultante dice: «Trabajo en Madrid».",
}


@pytest.mark.parametrize("fact", FACTS.values(), ids=FACTS)
def test_a_fact_that_nobody_told_gives_way(given, fact):
    text = given(reply(background=(TOLD, fact)))
    assert fact not in text and ASSEMBLED in text
    assert "se ha descartado: los antecedentes" in text
    assert "- Cuestión 1. Le corresponden 31 días" in text


@pytest.mark.parametrize(
    "broken",
    [fails(500), says("No puedo."), says("[1]"), as_json({"antecedentes": 3, "conclusiones": {"a": 1}})],
    ids=["fails", "words", "list", "other shape"],
)
def test_a_call_that_fails_leaves_the_assembled_opinion_and_says_so(given, broken):
    text = given(broken)
    assert ASSEMBLED in text and "El modelo no redactó antecedentes ni conclusiones" in text
    assert "- Cuestión 1. Le corresponden 31 días naturales" in text


@pytest.mark.parametrize("number", [0, 2, "1", None, True, 10**30])
def test_a_conclusion_of_no_question_is_left_out(given, number):
    assert given(reply(conclusion="Otra cosa.", number=number)).count("Otra cosa.") == 0


def test_a_draft_counts_in_the_quota_and_needs_the_permission_and_a_model(program, given, tmp_path):
    conversation = person(program).conversations.conversations()[0].id
    messages = list(person(program).opinions.answers(conversation))
    program.database.usage.quota = program.database.usage.quota.model_copy(update={"questions": 1})
    with pytest.raises(QuotaExceeded):
        person(program).opinions.draft(conversation, messages)
    with pytest.raises(Forbidden):
        person(program, token="t", scopes=()).opinions.draft(conversation, messages)
    offline = new_program(tmp_path / "offline")
    try:
        ana = person(offline)
        with pytest.raises(ConfigurationError, match="No hay ningún modelo"):
            ana.opinions.draft(ana.conversations.create("X").id, [])
    finally:
        offline.close()
