"""The evaluation with a scripted reader over real HTTP: what is lost around a model, and what is caught."""

import pytest

from lab.scripted import losses, measure, row
from lab.scripted_reader import LONG, Fault, Reader
from rag.evaluation.cases import Case, Fact, Relevant
from rag.evaluation.results import Miss
from service.program.assembly import App
from tests.model_server import ModelServer

LAW = "X-LTF"


def case(question: str, article: str, *facts: tuple[str, str]) -> Case:
    source = (Relevant(norm=LAW, article=article, grade=2),)
    told = tuple(Fact(fact=said, any_of=(held,), source=source) for said, held in facts)
    return Case(id=article, question=question, relevant=source, facts=told)


HOLIDAYS = case(
    "¿Cuántos días de vacaciones me corresponden al año?",
    "2",
    ("Son treinta y un días naturales por año trabajado.", "treinta y un días naturales"),
    ("El calendario se conoce con dos meses de antelación.", "dos meses de antelación"),
)
OVERTIME = case(
    "¿Cuántas horas extraordinarias puedo hacer al año?",
    "4",
    ("No más de setenta horas extraordinarias al año.", "no podrá superar las setenta horas"),
)
UNWRITTEN = case("¿Cuántas pausas hay al día en el trabajo?", "4", ("Hay nueve.", "nueve pausas al día"))
UNANSWERABLE = Case(id="tax", question="¿Cuánto se paga de impuesto de sociedades por las vacaciones?")


@pytest.fixture
def reader(server: ModelServer) -> Reader:
    """A reader in the place of the fixture's scripts."""
    made = Reader.of([HOLIDAYS, OVERTIME, UNWRITTEN, UNANSWERABLE])
    server.script(
        **{stage: [made] for stage in ("decompose", "rerank", "assess", "answer", "shorten", "claims")}
    )
    return made


def test_a_perfect_reader_tells_what_is_in_the_context_and_nothing_of_it_is_lost_or_doubted(
    model_program: App, reader: Reader, server: ModelServer
) -> None:
    cases = [HOLIDAYS, OVERTIME, UNWRITTEN, UNANSWERABLE]
    results, told = measure(model_program, cases, reader)
    assert [[fact.miss for fact in one.told.facts] for one in results if one.told] == [
        [None, None],
        [None],
        [Miss.RETRIEVAL],
        [],
    ]
    assert [one.refused for one in results] == [False, False, True, True]
    assert [one.harm for one in told] == [[], []]
    assert server.count("answer") == 4
    assert list(losses(results, told)) == ["4: retrieval: Hay nueve.", "4: refused wrongly"]
    assert row("prueba", results, told).startswith(
        "| prueba | 3 | 4 | 0.750 | 0.67 | 1 | 0 | 0 | 0 | 0 | 0 of 3 |"
    )


@pytest.mark.parametrize("fault", [one for one in Fault if one is not Fault.NONE])
def test_each_fault_of_a_sloppy_reader_is_caught_and_what_is_none_stays(
    model_program: App, reader: Reader, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lab.scripted_reader.fault_of", lambda _: fault)
    reader.sloppy = True
    results, [told] = measure(model_program, [HOLIDAYS], reader)
    assert told.written.fault is fault
    assert told.caught
    assert results[0].told is not None
    assert (len(results[0].told.text) > LONG) is (fault is Fault.LONG)


def test_an_article_that_is_not_shown_is_asked_for_once(
    model_program: App, reader: Reader, server: ModelServer
) -> None:
    reader.laws = {LAW: "Ley del Trabajo Ficticio"}
    server.script(rerank=["[]"])
    results, _ = measure(model_program, [OVERTIME], reader)
    assert "(ninguno)" in server.last("assess").prompt
    assert results[0].told is not None
    assert [fact.told for fact in results[0].told.facts] == [True]
