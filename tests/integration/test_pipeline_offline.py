"""The whole walk without a model, over an invented law: real database, real index, real stages."""

import asyncio
from datetime import date

import pytest

from models.chat import Turn
from rag.answers.verbatim import locate
from rag.run.pipeline import RunFailed, run_stages
from rag.shared.answer_contract import ABSTENTION, is_courtesy
from rag.shared.cited_answer import Verdict

TODAY = date(2026, 6, 1)


def ask(program, question, **options):
    return asyncio.run(run_stages(question, program.services, as_of=options.pop("as_of", TODAY), **options))


@pytest.mark.parametrize(
    ("question", "article", "phrase"),
    [
        ("¿Cuántos días de vacaciones me corresponden al año?", "2", "treinta y un días naturales"),
        ("¿Cuántas horas extraordinarias puedo hacer al año?", "4", "setenta horas"),
        ("¿Con cuánto preaviso tengo que dimitir?", "7", "preaviso de veinte días"),
        ("Me han echado estando embarazada", "6 bis", "nulo el despido"),
        ("artículo 3 de la Ley del Trabajo Ficticio", "3", "calendario laboral"),
    ],
)
def test_the_answer_quotes_the_right_article_to_the_letter(program, question, article, phrase):
    outcome = ask(program, question)
    answer = outcome.answer
    assert not answer.refusal
    assert phrase in answer.answer
    cited = {c.article for c in answer.citations}
    assert article in cited
    for citation in answer.citations:
        chunk = program.database.corpus.chunks([citation.chunk_id])[0]
        assert citation.verified
        assert locate(citation.quote, chunk.text) is not None
        assert f"[{citation.marker}]" in answer.answer
        wording = program.database.corpus.block(citation.norm_id, citation.block_id).wording_on(TODAY).text
        assert wording.startswith(citation.quote, citation.start)


@pytest.mark.parametrize(
    "question",
    ["¿Cómo se calcula el impuesto de sociedades de una cooperativa?", "¿Qué tiempo hará mañana en Cuenca?"],
)
def test_what_the_corpus_does_not_treat_is_refused_with_the_fixed_sentence(program, question):
    outcome = ask(program, question)
    assert outcome.answer.refusal
    assert outcome.answer.answer.startswith(ABSTENTION)
    assert outcome.answer.citations == ()
    assert outcome.answer.confidence == 0.0
    assert outcome.trace.stage("assess").verdict is Verdict.INSUFFICIENT


@pytest.mark.parametrize(("said", "begins"), [("hola", "Hola."), ("¿Qué día es hoy?", "Hoy es 01/06/2026.")])
def test_a_courtesy_is_answered_in_a_line_without_any_search(program, said, begins):
    outcome = ask(program, said, today=TODAY)
    assert outcome.answer.answer.startswith(begins)
    assert is_courtesy(outcome.answer)
    assert (outcome.answer.citations, outcome.answer.notes) == ((), None)
    assert [one.name for one in outcome.trace.stages] == ["understand", "answer", "verify"]


def test_every_stage_leaves_its_record(program):
    trace = ask(program, "¿Cuántos días de vacaciones me corresponden?").trace
    names = [record.name for record in trace.stages]
    assert names == ["understand", "decompose", "search", "rerank", "expand", "assess", "answer", "verify"]
    assert all(record.elapsed_ms > 0 for record in trace.stages)
    assert trace.elapsed_ms >= max(record.started_ms + record.elapsed_ms for record in trace.stages) - 1
    top = trace.stage("search").merged[0]
    assert top.dense is not None and top.sparse is not None and top.fused is not None
    assert trace.model_validate_json(trace.model_dump_json()) == trace


def test_two_runs_give_the_same_answer_and_the_same_candidates(program):
    first, second = (ask(program, "indemnización por despido") for _ in range(2))
    assert first.answer == second.answer
    ids = [[c.chunk_id for c in o.trace.stage("search").merged] for o in (first, second)]
    assert ids[0] == ids[1]


def test_a_follow_up_takes_the_previous_question_along(program):
    history = [
        Turn(role="user", text="¿Cuántos días de vacaciones tengo?"),
        Turn(role="assistant", text="31."),
    ]
    outcome = ask(program, "¿Y con cuánta antelación lo sabré?", history=history)
    assert "vacaciones" in outcome.trace.stage("decompose").queries[0]
    assert "dos meses de antelación" in outcome.answer.answer


def test_a_comparison_is_split_into_its_concepts(program):
    outcome = ask(program, "¿Qué diferencia hay entre el despido improcedente y dimitir con preaviso?")
    assert len(outcome.trace.stage("decompose").queries) == 3
    assert {"6", "7"} <= {c.article for c in outcome.answer.citations}


def test_referenced_articles_join_the_context(program):
    record = ask(program, "¿Desde qué día se cobra la incapacidad temporal?").trace.stage("expand")
    kept = ask(program, "¿Desde qué día se cobra la incapacidad temporal?").trace.stage("rerank").kept
    assert record.refs_found >= 1
    assert {c.chunk_id for c in record.added}.isdisjoint({c.chunk_id for c in kept})
    assert all(c.origin == "reference" and c.via for c in record.added)


def test_without_vectors_the_search_is_lexical_and_says_so(make_program):
    from tests.conftest import DATA

    program = make_program()
    program.models.embedder = None
    program.models.embedder_problem = "no hay modelo local."
    program.loading.ingest([DATA])
    outcome = ask(program, "¿Cuántos días de vacaciones me corresponden?")
    assert "solo léxica" in outcome.trace.stage("search").fallback
    assert "treinta y un días naturales" in outcome.answer.answer
    assert any("solo por las palabras" in notice for notice in program.notices)


def test_judgments_are_searched_with_their_weight(program):
    merged = ask(program, "vacaciones y baja médica").trace.stage("search").merged
    assert "sentencias" in {candidate.collection for candidate in merged}


def test_an_empty_corpus_refuses(make_program):
    outcome = ask(make_program(), "¿Cuántos días de vacaciones tengo?")
    assert outcome.answer.refusal


def test_a_date_before_the_law_existed_finds_nothing(program):
    assert ask(program, "¿Cuántos días de vacaciones tengo?", as_of=date(2001, 1, 1)).answer.refusal


def test_a_closed_index_fails_with_a_clear_sentence_and_the_trace_so_far(program):
    services = program.services
    program.index.close()
    with pytest.raises(RunFailed) as caught:
        asyncio.run(run_stages("¿Vacaciones?", services, as_of=TODAY))
    assert caught.value.trace.error
    assert caught.value.trace.stages[0].name == "understand"
