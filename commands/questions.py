"""Questions and searches: `ask`, `search`."""

import argparse
import asyncio
import sys
import time
from dataclasses import replace
from datetime import date
from typing import Any

import bootstrap
from commands import output
from commands.common import ensure_corpus
from rag.clock import today_in_spain
from rag.consult import consult
from rag.errors import EmbedderUnavailable, InputError
from rag.retrieval.hybrid import embed, search_one
from rag.retrieval.scope import plan
from rag.runs import askable
from rag.state import Services
from rag.types import Hit, MessageState, SubQuery


def search(program: bootstrap.App, options: argparse.Namespace) -> None:
    """Print the hits of a query."""
    if not options.query.strip():
        raise InputError("Escriba qué quiere buscar.")
    if options.collection:
        program.check_collection(options.collection)
    ensure_corpus(program)
    as_of = options.as_of or today_in_spain()
    services = program.services
    if options.collection:
        weights = {options.collection: services.profile.collection_weights[options.collection]}
        services = _with_profile(services, collection_weights=weights)
    services = _with_profile(
        services,
        search_prefetch=max(options.limit, services.profile.search_prefetch),
        search_per_collection=max(options.limit, services.profile.search_per_collection),
        search_per_query=options.limit,
    )
    clock = time.perf_counter()
    hits, notice = asyncio.run(hits_of(services, options.query, as_of, options.mode))
    elapsed = (time.perf_counter() - clock) * 1000
    if notice and options.mode == "semantic":
        raise EmbedderUnavailable(f"--mode semantic necesita vectores. {notice}")
    if notice:
        print(notice, file=sys.stderr)
    # An article that the query names is looked up wherever it stands.
    hits = [hit for hit in hits if options.collection in (None, hit.chunk.collection)]
    found = output.search_document(options.query, as_of, hits[: options.limit], elapsed)
    output.emit(options.json, found, output.print_search)


async def hits_of(services: Services, query: str, as_of: date, mode: str) -> tuple[list[Hit], str]:
    """The hits of a query, the best first, and why it was searched without vectors, or ''."""
    (vector,), _, notice = await embed(services, [query], as_of, mode)
    _, hits = await search_one(services, SubQuery(text=query), vector, plan(services, as_of, mode=mode))
    return hits, notice


def _with_profile(services: Services, **changes: Any) -> Services:
    return replace(services, profile=services.profile.model_copy(update=changes))


def ask(program: bootstrap.App, options: argparse.Namespace) -> None:
    """Print the answer to a question."""
    question = askable(options.question)
    ensure_corpus(program)
    if options.conversation:
        document = _ask_in_conversation(program, options)
    else:
        toolbox = program.toolbox if options.agent else None
        outcome = asyncio.run(consult(question, program.services, as_of=options.as_of, toolbox=toolbox))
        document = output.answer_document(outcome.answer, outcome.trace)
    output.emit(options.json, document, output.print_answer)


def _ask_in_conversation(program: bootstrap.App, options: argparse.Namespace) -> output.Json:
    owner, conversation = bootstrap.LOCAL_USER, options.conversation
    if conversation == "new":
        conversation = program.conversations.create(owner, options.question).id
        print(f"conversación {conversation}", file=sys.stderr)
    current = program.runs.start(owner, conversation, options.question, options.as_of, agent=options.agent)
    current.done.wait()
    if current.state is not MessageState.COMPLETE:
        raise InputError(current.text or "La respuesta no se completó.")
    message = program.conversations.messages(owner, conversation, limit=1)[-1]
    trace = program.conversations.trace(owner, message.id)
    if message.answer is None or trace is None:
        raise InputError("La respuesta no se pudo leer de la base de datos.")
    return output.answer_document(message.answer, trace)
