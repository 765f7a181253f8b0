"""The reranking strategies of the reader model, over HTTP, and what they fall back to (X.11)."""

import asyncio
import json
import re
from datetime import date

import pytest

from rag.ranking.model_order import parse_mark, parse_marks
from rag.run.pipeline import run_stages
from tests.conftest import DATA
from tests.model_replies import as_json, fails, says
from tests.scripted import QUESTION

TODAY = date(2026, 6, 1)
VACATIONS = "Artículo 2. Vacaciones"


def ask(make_program, server, strategy):
    program = make_program(
        [DATA],
        openai_base_url=server.url,
        openai_api_key="clave",
        rag_rerank_strategy=strategy,
        model_retries=0,
    )
    outcome = asyncio.run(run_stages(QUESTION, program.services, as_of=TODAY, today=TODAY))
    return outcome.trace.stage("rerank"), outcome


def judged(request, right=9, wrong=1):
    """The marks of a judge that knows the answer."""
    lines = [line for line in request.prompt.splitlines() if re.match(r"\[\d+\]", line)]
    rows = [{"index": i, "score": right if VACATIONS in line else wrong} for i, line in enumerate(lines)]
    return json.dumps({"scores": rows})


def test_the_judge_marks_ten_fragments_in_one_call(make_program, server):
    server.script(judge=[judged])
    record, _ = ask(make_program, server, "judge")
    assert (record.strategy, record.fallback, server.count("judge")) == ("judge", "", 1)
    assert "Artículo 2" in record.kept[0].name
    assert record.kept[0].rerank == pytest.approx(0.9)
    prompt = server.last("judge").body["messages"][1]["content"]
    assert len(re.findall(r"^\[\d+\]", prompt, re.M)) <= 10


@pytest.mark.parametrize(
    "bad", [says("8, 9 y 3"), as_json({"scores": [{"index": 99, "score": 5}]}), as_json([1, 2]), fails(500)]
)
def test_a_judge_without_marks_leaves_the_order_of_the_heuristic(make_program, server, bad):
    server.script(judge=[bad])
    record, _ = ask(make_program, server, "judge")
    by_rules, _ = ask(make_program, server, "heuristic")
    assert record.strategy == "heuristic"
    assert "el modelo no dio un orden" in record.fallback
    assert [c.chunk_id for c in record.kept] == [c.chunk_id for c in by_rules.kept]


def test_pointwise_asks_once_for_each_of_ten_fragments(make_program, server):
    server.script(pointwise=[lambda request: "9" if VACATIONS in request.prompt else "Nota: 2,5"] * 10)
    record, _ = ask(make_program, server, "pointwise")
    assert server.count("pointwise") == len(record.calls) <= 10
    assert "Artículo 2" in record.kept[0].name
    assert [c.rerank for c in record.kept[:2]] == pytest.approx([0.9, 0.25])


def test_a_mark_that_is_no_number_is_the_one_of_the_heuristic(make_program, server):
    server.script(pointwise=[lambda request: "no sé" if VACATIONS in request.prompt else "0"] * 10)
    record, _ = ask(make_program, server, "pointwise")
    assert record.strategy == "pointwise"
    assert re.match(r"1 de \d+ notas son de la heurística", record.fallback)
    assert "Artículo 2" in record.kept[0].name


def test_pointwise_without_any_mark_is_the_heuristic(make_program, server):
    server.script(pointwise=[fails(500)] * 10)
    record, outcome = ask(make_program, server, "pointwise")
    assert record.strategy == "heuristic"
    assert "el modelo no dio un orden" in record.fallback
    assert not outcome.answer.refusal


def test_listwise_reads_the_best_thirty_of_the_heuristic(make_program, server):
    record, _ = ask(make_program, server, "listwise")
    assert record.candidates <= 30
    assert server.count("rerank") == 1


@pytest.mark.parametrize("strategy", ["listwise", "pointwise", "judge"])
def test_a_model_strategy_without_a_model_says_that_rules_ordered(make_program, strategy):
    program = make_program([DATA], rag_rerank_strategy=strategy)
    outcome = asyncio.run(run_stages(QUESTION, program.services, as_of=TODAY, today=TODAY))
    record = outcome.trace.stage("rerank")
    assert record.strategy == "heuristic"
    assert "no hay modelo" in record.fallback


@pytest.mark.parametrize(
    ("output", "mark"),
    [("7", 7), ("8.5", 8.5), ("8,5/10", 8.5), ("Nota: 3", 3), ("11", None), ("-2", None), ("ocho", None)],
)
def test_a_mark_is_a_number_from_0_to_10(output, mark):
    assert parse_mark(output) == mark


def test_marks_out_of_range_or_repeated_do_not_count():
    rows = [
        {"index": 0, "score": 4},
        {"index": 0, "score": 9},
        {"index": 1, "score": 12},
        {"index": True, "score": 1},
        {"index": 2, "score": "5"},
        "nada",
    ]
    assert parse_marks(json.dumps({"scores": rows}), 3) == {0: 4.0}


def test_a_list_has_each_article_once_by_its_nearest_passage(make_program, server, tmp_path):
    filler = "La persona titular del faro comunicará por escrito los datos de la plantilla inventada. " * 14
    parts = "\n\n".join(f"{n}. Vacaciones anuales, caso {n}. {filler}" for n in range(1, 7))
    (tmp_path / "faro.md").write_text(
        "---\nid: X-FARO\ntitle: Ley del faro\nlaw: Ley del Faro\ncollection: normativa\n"
        f"valid_from: 2020-01-01\n---\n#### Artículo 7. Vacaciones anuales.\n\n{parts}\n",
        "utf-8",
    )
    program = make_program([DATA, tmp_path], openai_base_url=server.url, model_retries=0)
    server.script(rerank=[as_json([])])
    asyncio.run(run_stages(QUESTION, program.services, as_of=TODAY, today=TODAY))
    lines = [one for one in server.last("rerank").prompt.splitlines() if re.match(r"\[\d+\]", one)]
    of_faro = [one for one in lines if "Ley del Faro" in one]
    assert len(program.database.corpus.find("X-FARO", "7", TODAY)) == 3
    assert len(of_faro) == 1
    assert "Vacaciones anuales, caso" in of_faro[0].partition("): ")[2]
    assert len(lines) > 3
