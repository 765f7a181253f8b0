"""Stage 5c: sufficiency of the context. At most two verdicts; DROP first, then NEED (S0.50-S0.55, X.10).

READY, and DROP alone, is SUFFICIENT; NEED is PARTIAL until all that it asks for is found; nothing usable left
is INSUFFICIENT. There is a second verdict when something was not found, which the model is told, or when
nothing was left: then it is about the next candidates. What no verdict found is listed, and the answer is
written from the hits at hand.

A question that itself points outside the corpus (another branch of law, a norm or a territory that the corpus
lacks) limits the model's verdict too: READY becomes PARTIAL with a note, any other verdict INSUFFICIENT.
FUERA is INSUFFICIENT unless the rules are sure that the hits answer.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.errors import ArticuladoError
from models.chat import ChatMessage, ChatModel, ModelCall
from rag.answers import answerable
from rag.answers.asked_text import emptied
from rag.answers.confidence import UNSURE, band
from rag.answers.ruling_parts import is_decision
from rag.answers.sufficiency import TOP, judge_context, subject
from rag.question.unloaded_norm import missing, nearest, stands_for
from rag.retrieval.hybrid import embed
from rag.shared.asking import NAME, ask, day_told, excerpt, listed, question_told, wanted
from rag.shared.cited_answer import Verdict
from rag.shared.hits import Hit
from rag.shared.notices import Kind, Notice
from rag.shared.state import Services, State
from rag.shared.trace import AssessRecord, AssessRound, Candidate
from rag.stages.needed_articles import Fetched, Need, fetch
from rag.stages.past_days import check_wording

MAX_NEEDS = 3
MOST_KEPT, KEPT = 12, ("exact", "need", "day")
"""Fragments that reach the answer, in their order, and the origins of those that do in any case."""
OPENING = 200
"""Characters of the beginning of each fragment that a verdict sees."""
OTHER_DAY = "También se ha leído la redacción que regía a {day:%d/%m/%Y}: {name}."
OUTSIDE = "La pregunta no es materia de las normas laborales y de Seguridad Social que están cargadas."
NONE_HELPS = "Ninguno de los textos que se han encontrado contesta a la pregunta."
NOT_THERE = "Ya se ha buscado y no está en el corpus: {items}."


@dataclass
class Reply:
    """A parsed verdict: ready, no matter of these norms, or articles needed and indices of hits dropped."""

    ready: bool = False
    outside: bool = False
    needs: list[Need] = field(default_factory=list)
    drops: list[int] = field(default_factory=list)


async def assess(state: State, services: Services) -> AssessRecord:
    """Adjust `state.hits`; set `state.verdict`, `state.missing` and, without a model, the confidence."""
    if not state.hits and (services.principal is None or not state.ranked):
        state.verdict = Verdict.INSUFFICIENT
        return AssessRecord(verdict=state.verdict)
    await check_wording(state, services)
    await asyncio.to_thread(_tell_emptied, state, services)
    await _beside_known(state, services)
    if services.principal is None:
        return await _by_rules(state, services)
    return await _by_model(services.principal, state, services)


def _tell_emptied(state: State, services: Services) -> None:
    """Tell of a letter or an apartado that the question names and that has no text any more."""
    for asked in state.understanding.parts:
        if asked.norm_id is None or not asked.path:
            continue
        if chunks := services.store.find(asked.norm_id, asked.label, state.as_of):
            text = "\n".join(chunk.text for chunk in chunks)
            told = emptied(asked.path, text, chunks[0].name)
            state.notices += [Notice(Kind.DATE, told, cap=UNSURE)] if told else []


async def _beside_known(state: State, services: Services) -> None:
    """Set `state.unloaded`, a norm that is not loaded and seems to answer better, and `state.answerable`.

    Neither when the search had no vectors, as it would wait for them again, nor when the best hit is of a
    norm whose questions nobody knows: it may answer.
    The odds only when the norms that they speak of are here: no better one is missing, and the best hits are
    of their texts, not of summaries or of what somebody else loaded.
    """
    known, holdings, embedder = services.known, services.holdings(), services.embedder
    if known is None or embedder is None or not state.queries or not state.vectors:
        return
    ids = known.norms() - services.unseen
    law = [hit for hit in (state.hits or state.ranked) if not is_decision(hit.chunk)]
    best = [hit.chunk.norm_id for hit in law[:TOP]]
    if not best:
        return
    lacking = missing(ids, holdings)
    network = answerable.load_answerable()
    told = network.model == embedder.name and all(
        norm in ids and norm not in services.without_aids for norm in best
    )
    if stands_for(best[0], holdings) not in ids or not (lacking or told):
        return
    left = state.own_seconds(services.profile.search_seconds)
    (vector,), _, _ = await embed(services, [subject(state)], state.as_of, seconds=left, made=state.vectors)
    if vector is None:
        return
    if lacking:
        near = await asyncio.to_thread(known.nearness, embedder.name, vector)
        state.unloaded = nearest({norm: value for norm, value in near.items() if norm in ids}, lacking)
    if told and state.unloaded is None:
        state.answerable = round(float(network([vector])[0]), 4)


async def _by_rules(state: State, services: Services) -> AssessRecord:
    judged = await asyncio.to_thread(judge_context, state, services)
    state.verdict, state.rule_confidence = judged.verdict, judged.confidence
    state.reasons, state.signals = list(judged.reasons), judged.signals
    state.notices += judged.notices
    return AssessRecord(
        verdict=judged.verdict, signals=judged.signals, context=tuple(map(Candidate.of, state.hits))
    )


async def _by_model(model: ChatModel, state: State, services: Services) -> AssessRecord:
    rounds: list[AssessRound] = []
    calls: list[ModelCall] = []
    fallbacks: list[str] = []
    state.verdict, outside = Verdict.SUFFICIENT, False
    last = services.profile.assess_rounds - 1
    system = services.prompts.render("assess", day=day_told(state, services))
    for number in range(services.profile.assess_rounds):
        messages = [
            ChatMessage(role="system", content=system),
            ChatMessage(
                role="user",
                content=listing(
                    question_told(state, services), state.hits, wanted(state, services), state.missing
                ),
            ),
        ]
        done, call = await ask(model, messages, state.seconds_left(services.profile.assess_seconds))
        calls.append(call)
        reply = parse_reply(done.output) if done else None
        if done is None or reply is None:
            reason = call.error if done is None else "su respuesta no seguía el formato"
            fallbacks.append(f"Se da por suficiente: el modelo no emitió un veredicto ({reason}).")
            break
        outside = reply.outside
        round_, fetch_calls, without = await _correct(reply, state, services)
        calls.extend(fetch_calls)
        fallbacks.extend(without)
        rounds.append(round_.model_copy(update={"raw": done.output}))
        state.verdict = Verdict.PARTIAL if round_.missing else Verdict.SUFFICIENT
        if round_.dropped and not state.hits and number < last:
            state.hits = _next_best(state, services, round_.dropped)
        elif not round_.missing:
            break
    if rounds:
        extra = [hit for hit in state.hits if hit.origin not in KEPT][MOST_KEPT:]
        state.hits = [hit for hit in state.hits if hit not in extra]
    judged = await asyncio.to_thread(judge_context, state, services)
    _weigh(judged.outside, state)
    if outside and band(judged.confidence) != "alta":
        state.verdict, state.reasons = Verdict.INSUFFICIENT, [OUTSIDE]
    if not state.hits:
        state.verdict = Verdict.INSUFFICIENT
        state.reasons = state.reasons or [NONE_HELPS]
    state.signals = judged.signals
    return AssessRecord(
        strategy="model",
        verdict=state.verdict,
        signals=judged.signals,
        rounds=tuple(rounds),
        context=tuple(map(Candidate.of, state.hits)),
        calls=tuple(calls),
        fallback=" ".join(dict.fromkeys(fallbacks)),
    )


def _weigh(outside: tuple[str, ...], state: State) -> None:
    """Lower the model's verdict when the question itself points outside the corpus."""
    if not outside:
        return
    if state.verdict is Verdict.SUFFICIENT:
        state.verdict = Verdict.PARTIAL
        state.notices += [Notice(Kind.LAW, one) for one in outside]
    else:
        state.verdict = Verdict.INSUFFICIENT
        state.reasons = list(outside)


async def _correct(
    reply: Reply, state: State, services: Services
) -> tuple[AssessRound, list[ModelCall], list[str]]:
    """Drop and fetch; returns (the round, its calls, Spanish notes of searches without vectors)."""
    dropped = {i for i in reply.drops if i < len(state.hits)}
    gone = [hit for i, hit in enumerate(state.hits) if i in dropped]
    state.hits = [hit for i, hit in enumerate(state.hits) if i not in dropped]
    fetched: list[Hit] = []
    missing: list[str] = []
    calls: list[ModelCall] = []
    fallbacks: list[str] = []
    for need in reply.needs:
        have = {hit.key for hit in [*state.hits, *fetched]}
        try:
            seconds = state.own_seconds(services.profile.search_seconds)
            result = await fetch(need, state.as_of, services, seconds)
        except ArticuladoError:
            result = Fetched([])
        calls.extend(result.calls)
        fallbacks.extend(filter(None, [result.fallback]))
        if not result.found:
            missing.append(str(need))
        fetched.extend(hit for hit in result.hits if hit.key not in have)
        if result.found and result.hits[0].day:
            told = OTHER_DAY.format(name=result.hits[0].chunk.name, day=result.hits[0].day)
            state.notices.append(Notice(Kind.DATE, told))
    state.hits = [*state.hits, *fetched]
    state.missing = list(dict.fromkeys([*state.missing, *missing]))
    record = AssessRound(
        verdict=Verdict.PARTIAL if reply.needs else Verdict.SUFFICIENT,
        needed=tuple(map(str, reply.needs)),
        dropped=tuple(hit.chunk.id for hit in gone),
        fetched=tuple(map(Candidate.of, fetched)),
        missing=tuple(missing),
    )
    return record, calls, fallbacks


def _next_best(state: State, services: Services, dropped: tuple[str, ...]) -> list[Hit]:
    """The next candidates in the reranker's order, when all that were kept have been dropped."""
    left = [hit for hit in state.ranked if hit.chunk.id not in dropped]
    return left[: services.profile.rag_max_chunks_in_prompt]


def listing(question: str, hits: list[Hit], wanted: frozenset[str], missing: Sequence[str] = ()) -> str:
    """The user prompt: the question as asked, and each hit: `[i] <ley> > <sección>` and its excerpt (S0.52).

    Args:
        missing: what was asked for and is not in the corpus.
    """
    blocks = [
        f"[{i}] {listed(hit.chunk.law, NAME)} > {listed(hit.chunk.section, NAME)}"
        f"{f' (vigente {hit.chunk.in_force})' if hit.chunk.in_force else ''}\n"
        f"{excerpt(hit.chunk, wanted, opening=OPENING)}"
        for i, hit in enumerate(hits)
    ]
    told = [NOT_THERE.format(items="; ".join(missing))] if missing else []
    shown = "Fragmentos disponibles:\n" + ("\n\n".join(blocks) or "(ninguno)")
    return "\n\n".join([question, *told, shown])


def parse_reply(output: str) -> Reply | None:
    """A verdict, or None when the output is in neither form.

    READY counts only as a whole line: inside a sentence («not READY yet») it says nothing.
    """
    reply = Reply()
    for line in (raw.strip().strip("`*") for raw in output.splitlines()):
        if line == "READY":
            reply.ready = True
        elif line == "FUERA":
            reply.outside = True
        elif line.startswith("NEED|"):
            parts = [part.strip() for part in line.split("|")]
            if len(parts) >= 3 and parts[1] and parts[2]:
                when = next((part for part in parts[3:4] if any(map(str.isdigit, part))), "")
                reply.needs.append(Need(number=parts[1], law=parts[2], when=when))
        elif line.startswith("DROP|") and not reply.drops:
            reply.drops = [int(p) for p in line[5:].replace(" ", "").split(",") if p.isdigit()]
    reply.needs = list(dict.fromkeys(reply.needs))[:MAX_NEEDS]
    if reply.needs or reply.drops:
        reply.ready = reply.outside = False
    return reply if reply.ready or reply.outside or reply.needs or reply.drops else None
