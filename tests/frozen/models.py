"""The walk with models: a scripted endpoint over HTTP answers, deceives and judges."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from lab.scripted_reader import Reader
from law.chunks import Chunk
from rag.evaluation.cases import Case
from rag.shared.answer_contract import Draft
from rag.shared.hits import Context, Hit, SubQuery
from rag.shared.state import Services, State
from rag.stages.answer import answer
from rag.stages.verify import verify_answer
from service.program.assembly import App
from tests.frozen.program import TODAY, answered, build, shown, told, walk
from tests.frozen.row_files import Row, fingerprint
from tests.frozen.samples import DATA, EVALUATION, READ_BY_A_MODEL, Asked, asked, drawn, read
from tests.model_replies import as_json
from tests.model_server import ModelServer
from tests.scripted import KEY, MARKERS, judged

SETS = ("answers", "everyday", "examiner", "jury", "dated", "law")
TRUE = 4
"""One of so many true sentences is frozen."""
READERS: Mapping[str, Mapping[str, bool]] = {
    "careful": {},
    "sloppy": {"sloppy": True},
    "asks for more": {"needs": True},
    "chooses": {"chooses": True},
}


@contextmanager
def models(program: App, home: Path) -> Iterator[tuple[ModelServer, Services]]:
    """A scripted server, and the services of a program that asks it."""
    with ModelServer() as server:
        server.markers = dict(MARKERS)
        asking = build(home, openai_base_url=server.url, openai_api_key=KEY, model_retries=1)
        try:
            made = asking.models
            yield server, replace(program.services, reader=made.reader, principal=made.principal)
        finally:
            asking.close()


def walks(program: App, home: Path) -> Iterator[tuple[str, Row]]:
    """Questions with facts, read by readers of several kinds in turn."""
    laws = {norm.id: norm.law for norm in program.database.corpus.norms()}
    with models(program, home) as (server, services):
        for number, (one, case) in enumerate(_with_facts()):
            kind = [*READERS][number % len(READERS)]
            switches = dict(READERS[kind])
            needs = laws if switches.pop("needs", False) else {}
            server.on_chat(Reader.of([case], laws=needs, **switches))
            row, trace = asyncio.run(answered(one, services))
            yield f"{one.case} · {kind}", {**row, **walk(trace)}


def _with_facts() -> Iterator[tuple[Asked, Case]]:
    each = -(-READ_BY_A_MODEL // len(SETS))
    for name in SETS:
        told_of = [
            one for one in read(EVALUATION / f"{name}.jsonl") if {"facts", "must_contain"} & one.keys()
        ]
        pairs = [(asked(name, one), Case.model_validate(one)) for one in told_of]
        yield from sorted(pairs, key=lambda pair: drawn(pair[0]))[:each]


def deceits(program: App, home: Path) -> Iterator[tuple[str, Row]]:
    """Answers that deceive: by their letters, and by a claim that the second reader finds false."""
    with models(program, home) as (server, services):
        for one in read(DATA / "deceits.jsonl"):
            server.script(answer=[as_json(_deceiving(one))], claims=[_finds_false])
            state = _asked(one["question"], [_fragment(services, place) for place in one["fragments"]])
            asyncio.run(_answer_and_verify(state, services))
            assert state.answer is not None
            yield (
                f"{one['id']:02} {one['kind']}",
                {**shown(state.answer), "marked": state.answer.answer.count("⚠")},
            )


def _asked(question: str, chunks: Sequence[Chunk]) -> State:
    """A question for which these chunks were found."""
    state = State(question=question, as_of=TODAY, today=TODAY)
    state.queries = [SubQuery(text=question, raw=True)]
    state.hits = state.ranked = state.candidates = [Hit(chunk=chunk, score=1.0) for chunk in chunks]
    return state


async def _answer_and_verify(state: State, services: Services) -> None:
    await answer(state, services)
    await verify_answer(state, services)


def _finds_false(request: Any) -> Any:
    return judged(request, lambda sentence: False)


def _deceiving(one: Mapping[str, Any]) -> dict[str, Any]:
    cited = [{**citation, "source": "", "page": None} for citation in one["answer"]["citations"]]
    said = {"answer": one["answer"]["text"], "citations": cited}
    return {**said, "confidence": 0.99, "refusal": False, "notes": None}


def _fragment(services: Services, place: Mapping[str, str]) -> Chunk:
    """The part of an article in force that begins so; a part of another if it is not in force."""
    find = services.store.find
    parts = find(place["norm"], place["article"], TODAY) or find("BOE-A-2015-11430", "1", TODAY)
    return next((one for one in parts if place["begins"] in " ".join(one.text.split())), parts[0])


def sentences(program: App, home: Path) -> Iterator[tuple[str, Row]]:
    """False sentences, and one true one in `TRUE`, as an answer each: verified with a reader and without."""
    with models(program, home) as (server, services):
        silent = services.profile.model_copy(update={"verify_claims": False})
        for name in ("sentences", "sentences_of_another"):
            for number, one in enumerate(read(DATA / f"{name}.jsonl"), start=1):
                if one["true"] and number % TRUE:
                    continue
                server.script(claims=[lambda request, one=one: judged(request, lambda _: bool(one["true"]))])
                kinds = {"read": services, "certain": replace(services, profile=silent)}
                yield (
                    f"{name}/{number:03}",
                    {kind: _verified(one, chosen) for kind, chosen in kinds.items()},
                )


def _verified(one: Mapping[str, Any], services: Services) -> list[Any]:
    """Confidence, marks, verified quotations and notes of an answer of one sentence."""
    cited = [chunk for norm, block in one["cites"] for chunk in _parts(services, norm, block)]
    marks = "".join(f"[C{number}]" for number in range(1, len(cited) + 1))
    before = f"{one['answer']} {marks}\n\n" if one.get("answer") else ""
    quote = one.get("quote") or _quotable(cited[0].text)
    holder = next((number for number, chunk in enumerate(cited, 1) if quote in chunk.text), 1)
    state = _asked(one["question"], cited)
    state.context = Context(hits=tuple(state.hits), as_of=TODAY)
    citation = {"quote": quote, "source": cited[0].law, "page": None, "marker": f"C{holder}"}
    values = {"citations": [citation], "confidence": 0.9, "refusal": False, "notes": None}
    state.draft = Draft.model_validate({"answer": f"{before}{one['sentence']} {marks}", **values})
    asyncio.run(verify_answer(state, services))
    made = state.answer
    assert made is not None
    notes = [told(line) for line in (made.notes or "").splitlines()]
    verified = sum(citation.verified for citation in made.citations)
    return [round(made.confidence, 3), made.answer.count("⚠"), verified, fingerprint(made.answer), *notes]


def _parts(services: Services, norm: str, block: str) -> Sequence[Chunk]:
    found = services.store.block(norm, block)
    parts = services.store.find(norm, found.label, TODAY) if found else []
    return [one for one in parts if one.block_id == block]


def _quotable(text: str) -> str:
    body = text.partition("\n")[2] or text
    return body[: body.find(".", 60) + 1 or 300][:300]
