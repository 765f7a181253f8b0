"""Replies as servers really send them, each at the answer stage of the whole walk: whose answer is shown.

The rows are those of the tests: `tests/contract/openai_odd_replies.py` (transport) with a right answer in the
place of theirs, and `tests/integration/test_replies_of_a_model.py` (contract). A row loses its question when
neither the model's answer nor a right quotation is shown.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.harness import program
from benchmarks.table import Row
from rag.run.pipeline import run
from rag.shared.cited_answer import Answer
from tests.contract.openai_odd_replies import ANSWER, BY_CHAT, ROWS
from tests.homes import DATA
from tests.integration.test_replies_of_a_model import AS_MEANT
from tests.model_replies import Reply, Request, as_json, says
from tests.model_server import ModelServer
from tests.scripted import KEY, MARKERS, QUESTION, QUOTE, TODAY, judged, reply, vacation_first

WHOLE = json.dumps(reply(), ensure_ascii=False)
LIMITS = {"run_budget_seconds": 30, "answer_seconds": 8, "model_retries": 1}
RECOVERED = 45


def tables(folder: Path) -> Iterator[tuple[str, list[Row]]]:
    shown: Counter[str] = Counter()
    with ModelServer() as server:
        server.markers = dict(MARKERS)
        settings = {"openai_base_url": server.url, "openai_api_key": KEY, "embeddings_provider": "none"}
        with program(folder / "home", **settings) as app:
            app.loading.ingest([DATA])
        for name, replies in _rows():
            server.script(
                decompose=[as_json(["vacaciones anuales retribuidas"])],
                rerank=[vacation_first],
                assess=[says("READY")],
                claims=[judged],
                answer=replies,
            )
            with program(folder / "home", **settings, **LIMITS) as app:
                answer = asyncio.run(run(QUESTION, app.services, as_of=TODAY, today=TODAY)).answer
            kind = _kind(answer)
            shown[kind] += 1
            print(f"{kind}: {name}")
    yield (
        "replies at the answer stage",
        [
            Row("rows", sum(shown.values()), ""),
            Row("the model's answer", shown["model"], "", RECOVERED, at_least=True),
            Row("a right quotation without it", shown["literal"], ""),
            Row("questions lost", shown["lost"], "", 0),
        ],
    )


def _rows() -> Iterator[tuple[str, list[Any]]]:
    for row in ROWS:
        if set(row.modes) & set(BY_CHAT):
            yield row.name, [_right(one) for one in row.replies]
    for name, said in AS_MEANT.items():
        yield name, [says(said) if isinstance(said, str) else as_json(said)]


def _right(one: Any) -> Any:
    """The scripted reply with a right answer in the place of its own."""
    if callable(one):
        return lambda request: _right(_called(one, request))
    if not isinstance(one, Reply):
        return one
    pieces = one.pieces and (_put("".join(one.pieces)),)
    return replace(one, text=_put(one.text), body=_put(one.body), events=_put(one.events), pieces=pieces)


def _called(one: Any, request: Request) -> Any:
    return one(request)


def _put(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace(ANSWER, WHOLE).replace(ANSWER[:9], WHOLE[:9]).replace(ANSWER[9:], WHOLE[9:])
    if isinstance(value, dict):
        return {key: _put(one) for key, one in value.items()}
    return type(value)(map(_put, value)) if isinstance(value, list | tuple) else value


def _kind(answer: Answer) -> str:
    if answer.mode == "model" and not answer.refusal and "31 días" in answer.answer:
        return "model"
    return "literal" if any(QUOTE in one.quote for one in answer.citations) else "lost"
