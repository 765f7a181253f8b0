"""A model that deceives: sixty answers from real articles, written by somebody who had not seen the checks.

`must_not_verify` may not be shown as checked as it stands: as a quotation it is refused or grows to what it
left out; within the answer it loses its quotation marks, or is told beside its sentence. Where the quotation
is true and the claim lies (`by_letters` false), only a reader of the sentence can tell.
"""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from law.chunks import Chunk
from rag.shared.answer_contract import ABSTENTION
from rag.shared.cited_answer import Answer
from rag.shared.hits import Hit, SubQuery
from rag.shared.state import State
from rag.stages.answer import answer as write
from rag.stages.verify import verify_answer
from service.program.assembly import App
from tests.homes import new_program
from tests.model_replies import as_json
from tests.model_server import ModelServer
from tests.real_law import RealLaw
from tests.scripted import KEY, MARKERS

TODAY = date(2026, 11, 22)
DECEITS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "deceits.jsonl").read_text("utf-8").splitlines()
]
MARKED = re.compile(r"[«“\"‘'‹„]([^»”\"’'›]+)[»”\"’'›]")
BY_LETTERS = [one for one in DECEITS if one["by_letters"]]
CLAIMS = [one for one in DECEITS if not one["by_letters"]]


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    """One for every deceit, as the models that ask it: a program takes longer than an answer."""
    with ModelServer() as running:
        running.markers = MARKERS | {"claims": "Compruebas frases"}
        yield running


@pytest.fixture(scope="module")
def models(server: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    home = tmp_path_factory.mktemp("models")
    with closing(new_program(home, openai_base_url=server.url, openai_api_key=KEY, model_retries=1)) as made:
        yield made


def plain(text: str) -> str:
    return " ".join(text.split()).strip('«»"“” ')


def fragment(program: App, place: dict[str, str]) -> Chunk:
    """The part of the article in force that begins as the fragment does; its first part if none does.

    What is not in force or no article (a preamble) never reaches a context: another article takes its place.
    """
    find = program.services.store.find
    parts = find(place["norm"], place["article"], TODAY) or find("BOE-A-2015-11430", "1", TODAY)
    holds = (part for part in parts if place["begins"] in " ".join(part.text.split()))
    return next(holds, parts[0])


def answered(
    law: RealLaw, models: App, server: ModelServer, deceit: dict[str, Any], **profile: Any
) -> Answer:
    program = law.program
    hits = tuple(Hit(chunk=fragment(program, place), score=1.0) for place in deceit["fragments"])
    state = State(question=deceit["question"], as_of=TODAY, today=TODAY)
    state.queries = [SubQuery(text=state.question, raw=True)]
    state.hits = state.ranked = state.candidates = list(hits)
    citations = [
        {"quote": one["quote"], "source": "", "page": None, "marker": one["marker"]}
        for one in deceit["answer"]["citations"]
    ]
    text = deceit["answer"]["text"]
    reply = {"answer": text, "citations": citations, "confidence": 0.99, "refusal": False, "notes": None}
    server.script(answer=[as_json(reply)])
    services = replace(
        program.services,
        profile=program.services.profile.model_copy(update=profile),
        principal=models.services.principal,
        reader=models.services.reader,
    )

    async def both() -> Answer:
        await write(state, services)
        await verify_answer(state, services)
        assert state.answer is not None
        return state.answer

    return asyncio.run(both())


@pytest.mark.parametrize("deceit", BY_LETTERS, ids=[f"{one['id']}-{one['kind']}" for one in BY_LETTERS])
def test_what_deceives_by_its_letters_is_not_shown_as_checked(
    real_law: RealLaw, models: App, server: ModelServer, deceit: dict[str, Any]
) -> None:
    answer = answered(real_law, models, server, deceit)
    bad = plain(deceit["must_not_verify"])
    assert answer.refusal == answer.answer.startswith(ABSTENTION)
    by_marker = [(one.marker, plain(one.quote)) for one in answer.citations if one.verified]
    for marker, quote in by_marker:
        if quote == bad:
            # A member of a list may stand alone beside the sentence that announces it.
            assert any(other == marker and held.endswith(":") for other, held in by_marker)
    if answer.mode == "model":
        assert not any(bad in plain(words) for words in MARKED.findall(answer.answer))
    if answer.mode == "model" and bad in plain(answer.answer):
        assert answer.confidence <= 0.5
        assert "⚠" in answer.answer or bad[:60] in (answer.notes or "")


@pytest.mark.parametrize("deceit", CLAIMS, ids=[f"{one['id']}-{one['kind']}" for one in CLAIMS])
def test_a_false_claim_about_a_true_quotation_is_told_when_the_second_reader_says_so(
    real_law: RealLaw, models: App, server: ModelServer, deceit: dict[str, Any]
) -> None:
    judged = [{"frase": number, "juicio": "no", "motivo": "no dice eso"} for number in range(1, 9)]
    server.script(claims=[as_json(judged)])
    answer = answered(real_law, models, server, deceit, verify_claims=True)
    assert answer.mode == "offline" or (
        answer.confidence <= 0.5 and "según un segundo lector" in answer.answer
    )
