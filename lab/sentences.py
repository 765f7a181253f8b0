"""Sentences of a model's answers, true and false, through the verification: who is accused of what.

The exchanges of a strong model (../shared/model), the true sentences and lies of two hands (`tests/data`) one
by one, and the true ones again in answers of ten. The scripted reader, over HTTP, finds wrong what the set
marks as false and nothing else. «Certain» is the same without a reader.
"""

import asyncio
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

from lab.harness import BOE, has_norms, program
from lab.table import Row
from law.chunks import Chunk
from law.dates import parse
from rag.answers.doubts import without_told
from rag.shared.answer_contract import Draft, parse_draft
from rag.shared.cited_answer import Answer
from rag.shared.hits import Context, Hit
from rag.shared.state import Services, State
from rag.stages.notice_rules import UNSHOWN
from rag.stages.verify import verify_answer
from service.config import ROOT
from tests.model_replies import Reply, Request
from tests.model_server import ModelServer
from tests.scripted import KEY, MARKERS, judged
from text.segmentation import sentences

EXCHANGES = ROOT.parent / "shared" / "model" / "answers.jsonl"
SETS = ("sentences.jsonl", "sentences_of_another.jsonl")
TODAY = date(2026, 11, 28)
TEN, CONFIDENCE = 10, 0.9
KEPT = 0.85
"""Share of the model's confidence that a right answer keeps."""
CERTAIN = frozenset({"figure", "quotation"})
_FRAGMENT = re.compile(
    r"^\[(C\d+)\] \[Fuente.*?^Fuente: \S*?id=(\S+?)#(\S+)$.*?^Texto: (.{0,60})", re.S | re.M
)
_DAY = re.compile(r"Se aplica la normativa vigente a (\d\d/\d\d/\d{4})")
_BEHIND = re.compile(r"<texto>\n(.*)\n</texto>", re.S)


@dataclass(frozen=True)
class Shown:
    """An answer as shown, and the share of the model's confidence that it kept.

    Attributes:
        told: something of it was marked or told as wrong.
    """

    answer: Answer
    told: bool
    kept: float


@dataclass
class Scene:
    """The real norms, and a reader that finds wrong the sentences of `lies`."""

    services: Services
    lies: Sequence[str]

    def chunks(self, norm: str, block: str, day: date) -> list[Chunk]:
        """The parts of a block in force."""
        found = self.services.store.block(norm, block)
        parts = self.services.store.find(norm, found.label, day) if found else []
        return [one for one in parts if one.block_id == block]

    def shown(self, state: State, draft: Draft, *, read: bool) -> Shown:
        profile = self.services.profile.model_copy(update={"verify_claims": read})
        state.draft = draft.model_copy(deep=True)
        record = asyncio.run(verify_answer(state, replace(self.services, profile=profile)))
        answer = state.answer
        assert answer is not None
        false_marks = "Se presentaban como cita" in (answer.notes or "")
        dropped = any(not one.verified for one in record.checks)
        unshown = UNSHOWN.partition("{")[0] in (answer.notes or "")
        told = "⚠" in answer.answer or unshown or false_marks or answer.mode == "offline" or dropped
        return Shown(answer, told, answer.confidence / draft.confidence)

    def judge(self, request: Request) -> Reply:
        return judged(request, lambda text: not any(_same(text, lie) for lie in self.lies))


def tables(folder: Path) -> Iterator[tuple[str, list[Row]]]:
    if not has_norms():
        return
    sets = {name: _read(ROOT / "tests" / "data" / name) for name in SETS}
    rows = [row for read in sets.values() for row in read]
    with ModelServer() as server:
        server.markers = MARKERS
        settings = {"openai_base_url": server.url, "openai_api_key": KEY, "embeddings_provider": "none"}
        with program(folder / "home", **settings) as app:
            app.loading.ingest([BOE])
            scene = Scene(app.services, [one["sentence"] for one in rows if not one["true"]])
            server.on_chat(scene.judge)
            yield "exchanges of a strong model", _exchanges(scene)
            for name, own in sets.items():
                yield f"{name}, one an answer", _one_by_one(scene, own)
                yield f"{name}, true ones in answers of {TEN}", _by_ten(scene, [r for r in own if r["true"]])


def _read(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _exchanges(scene: Scene) -> list[Row]:
    if not EXCHANGES.is_file():
        return []
    found = _read(EXCHANGES)
    rows = []
    for read in (True, False):
        shown = [
            scene.shown(_state_of(one["messages"], scene), parse_draft(one["reply"]), read=read)
            for one in found
        ]
        rows += _harmless(shown, "with the reader" if read else "certain")
        for one in shown:
            _print_marked(one.answer)
    return rows


def _harmless(shown: Sequence[Shown], name: str) -> list[Row]:
    marked = sum("⚠" in one.answer.answer for one in shown)
    noted = sum(UNSHOWN.partition("{")[0] in (one.answer.notes or "") for one in shown)
    least = min(one.kept for one in shown)
    return [
        Row(f"{name}: answers of {len(shown)} with a mark", marked, "", 0),
        Row(f"{name}: answers of {len(shown)} with a note on figures", noted, ""),
        Row(f"{name}: least share of the confidence kept", least, "", KEPT, at_least=True),
    ]


def _one_by_one(scene: Scene, rows: Sequence[Mapping[str, Any]]) -> list[Row]:
    true, lies = ([one for one in rows if one["true"] is kind] for kind in (True, False))
    made: list[Row] = []
    for read in (True, False):
        name = "with the reader" if read else "certain"
        shown = [scene.shown(*_made([one], scene), read=read) for one in true]
        made += _harmless(shown, name)
        for one in shown:
            _print_marked(one.answer)
        told = {lie["sentence"]: scene.shown(*_made([lie], scene), read=read).told for lie in lies}
        wanted = [lie["sentence"] for lie in lies if read or lie["kind"] in CERTAIN]
        for sentence in (one for one in wanted if not told[one]):
            print(f"not told ({name}): {sentence}")
        what, target = ("lies", 0.95) if read else ("invented quotations and figures", 1.0)
        share = sum(told[one] for one in wanted) / max(1, len(wanted))
        made.append(Row(f"{name}: share of {len(wanted)} {what} told", share, "", target, at_least=True))
        if not read:
            made.append(Row("certain: share of all lies told", sum(told.values()) / max(1, len(told)), ""))
    return made


def _by_ten(scene: Scene, true: Sequence[Mapping[str, Any]]) -> list[Row]:
    rest = iter(sorted(true, key=lambda one: str(one["matter"])))
    groups = iter(lambda: list(islice(rest, TEN)), [])
    answers = [_made(group, scene) for group in groups]
    rows: list[Row] = []
    for read in (True, False):
        shown = [scene.shown(state, draft, read=read) for state, draft in answers]
        for one in shown:
            _print_marked(one.answer)
        rows += _harmless(shown, "with the reader" if read else "certain")
    return rows


def _made(rows: Iterable[Mapping[str, Any]], scene: Scene) -> tuple[State, Draft]:
    """An answer of the sentences, a paragraph each, with a true quotation of every first article."""
    state = State(question="", as_of=TODAY, today=TODAY)
    hits: dict[str, Hit] = {}
    paragraphs, citations = [], []
    for one in rows:
        cited = [chunk for norm, block in one["cites"] for chunk in scene.chunks(norm, block, TODAY)]
        hits |= {chunk.id: Hit(chunk=chunk, score=1.0) for chunk in cited}
        places = {chunk_id: f"C{place}" for place, chunk_id in enumerate(hits, start=1)}
        marks = "".join(f"[{places[chunk.id]}]" for chunk in cited)
        before = f"{one['answer']} {marks}\n\n" if one.get("answer") else ""
        paragraphs.append(f"{before}{one['sentence']} {marks}")
        quote = one.get("quote") or _quotable(cited[0])
        holder = next((chunk for chunk in cited if quote in chunk.text), cited[0])
        citations.append({"quote": quote, "source": holder.law, "page": None, "marker": places[holder.id]})
        state.question = f"{state.question} {one['question']}".strip()
    state.context = Context(hits=tuple(hits.values()), as_of=TODAY)
    values = {"citations": citations, "confidence": CONFIDENCE, "refusal": False, "notes": None}
    return state, Draft.model_validate({"answer": "\n\n".join(paragraphs), **values})


def _quotable(chunk: Chunk) -> str:
    body = chunk.text.partition("\n")[2] or chunk.text
    whole = (body[span.start : span.end] for span in sentences(body))
    return next((one for one in whole if 40 <= len(one) <= 480), body[:300])


def _state_of(messages: Sequence[Mapping[str, str]], scene: Scene) -> State:
    """The state that the verification of an exchange begins with, from its messages."""
    said = "\n\n".join(one["content"] for one in messages)
    day = _DAY.search(said)
    as_of = (parse(day[1]) if day else None) or TODAY
    asked = [one["content"] for one in messages if one["role"] == "user"]
    behind = next((found[1] for one in asked if (found := _BEHIND.search(one))), "")
    state = State(question=asked[-1], background=behind, as_of=as_of, today=TODAY)
    hits = []
    for _, norm, block, begins in _FRAGMENT.findall(said):
        parts = scene.chunks(norm, block, as_of)
        hits.append(next((one for one in parts if one.text.startswith(begins)), parts[0]))
    state.context = Context(hits=tuple(Hit(chunk=one, score=1.0) for one in hits), as_of=as_of)
    return state


def _same(said: str, lie: str) -> bool:
    """True for a sentence as the reader is shown it: false marks of quotation are off."""
    return re.sub(r"\W+", " ", said).strip() == re.sub(r"\W+", " ", lie).strip()


def _print_marked(answer: Answer) -> None:
    if answer.confidence < CONFIDENCE * KEPT:
        print(f"{answer.confidence:.2f}: {(answer.notes or '').replace(chr(10), ' | ')}")
    if "⚠" in answer.answer:
        for line in answer.answer.splitlines():
            if line != without_told(line):
                print(f"marked: {line}")
