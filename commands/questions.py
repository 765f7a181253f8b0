"""Questions and searches: `ask`, `search`."""

import argparse
import asyncio
import sys

import bootstrap
from commands import output
from commands.common import ensure_corpus
from rag.consult import consult
from rag.errors import InputError
from rag.runs import askable
from rag.types import MessageState
from service.contract.answers import NEW, AnswerDocument, answer_document
from service.contract.program import dumped, request
from service.contract.search import SearchRequest
from service.contract.search import search as find


def search(program: bootstrap.App, options: argparse.Namespace) -> None:
    """Print the hits of a query."""
    ensure_corpus(program)
    given = {name: getattr(options, name) for name in SearchRequest.model_fields}
    document = find(program, request(SearchRequest, **given))
    if document.notice:
        print(document.notice, file=sys.stderr)
    output.emit(options.json, dumped(document), output.print_search)


def ask(program: bootstrap.App, options: argparse.Namespace) -> None:
    """Print the answer to a question."""
    question = askable(options.question)
    ensure_corpus(program)
    if options.conversation:
        document = _ask_in_conversation(program, options)
    else:
        toolbox = program.toolbox if options.agent else None
        outcome = asyncio.run(consult(question, program.services, as_of=options.as_of, toolbox=toolbox))
        document = answer_document(outcome.answer, outcome.trace)
    output.emit(options.json, dumped(document), output.print_answer)


def _ask_in_conversation(program: bootstrap.App, options: argparse.Namespace) -> AnswerDocument:
    owner, conversation = bootstrap.LOCAL_USER, options.conversation
    if conversation == NEW:
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
    return answer_document(message.answer, trace, conversation)
