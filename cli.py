"""The command line. Its `--json` output is a contract: one document on stdout and nothing else.

Exit codes: 0 done, 1 failed with one clear line on stderr, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import bootstrap
import output
from config import settings
from rag.contract import ABSTENTION
from rag.errors import ArticuladoError, ConfigurationError, EmbedderUnavailable, InputError
from rag.evaluation.cases import read_cases
from rag.evaluation.run import evaluate
from rag.pipeline import run
from rag.services import Services
from rag.stages.scope import plan
from rag.stages.search import MODES, embed, search_one
from rag.types import Hit, MessageState, SubQuery

EMPTY_CORPUS = "El corpus está vacío: se carga el corpus de demostración (resúmenes no oficiales)."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    _write_utf8()
    options = _parser().parse_args(arguments)
    try:
        program = bootstrap.build(settings())
    except ArticuladoError as error:
        return _failed(error)
    except OSError as error:
        return _failed(ConfigurationError(f"ARTICULADO_HOME cannot be used as a folder: {error.strerror}."))
    try:
        code = COMMANDS[options.command](program, options)
        sys.stdout.flush()
        return code
    except ArticuladoError as error:
        return _failed(error)
    except KeyboardInterrupt:
        print("Interrupted; what was stored stays.", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader has gone: what is left in the buffer must not fail again when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    finally:
        _close(program)


def _write_utf8() -> None:
    """JSON is UTF-8 whatever the console's encoding; a broken argument, which has none, becomes '?'."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _close(program: bootstrap.App) -> None:
    """What the command did is done and stored: trouble on the way out is told, not raised."""
    try:
        program.close()
    except ArticuladoError as error:
        _failed(error)


def _failed(error: ArticuladoError) -> int:
    print(" ".join(str(error).split()), file=sys.stderr)
    return 1


def _ingest(program: bootstrap.App, options: argparse.Namespace) -> int:
    _check_collection(program, options.collection)
    clock = time.perf_counter()
    progress = output.Progress()
    report, index = program.ingest(
        options.paths, options.collection, dense=not options.lexical_only, on_progress=progress
    )
    progress.close()
    elapsed = time.perf_counter() - clock
    output.emit(options.json, output.ingestion_document(report, index, elapsed), output.print_ingestion)
    if report.failures and not report.documents:
        return _failed(InputError(f"Nothing went in: {report.failures[0].reason}"))
    return 0


def _search(program: bootstrap.App, options: argparse.Namespace) -> int:
    if not options.query.strip():
        raise InputError("Escriba qué quiere buscar.")
    if options.collection:
        _check_collection(program, options.collection)
    _ensure_corpus(program)
    as_of = options.as_of or date.today()
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
    hits, notice = asyncio.run(_hits(services, options.query, as_of, options.mode))
    elapsed = (time.perf_counter() - clock) * 1000
    if notice and options.mode == "semantic":
        raise EmbedderUnavailable(f"--mode semantic necesita vectores. {notice}")
    if notice:
        print(notice, file=sys.stderr)
    # An article that the query names is looked up wherever it stands.
    hits = [hit for hit in hits if options.collection in (None, hit.chunk.collection)]
    found = output.search_document(options.query, as_of, hits[: options.limit], elapsed)
    output.emit(options.json, found, output.print_search)
    return 0


async def _hits(services: Services, query: str, as_of: date, mode: str) -> tuple[list[Hit], str]:
    (vector,), _, notice = await embed(services, [query], mode)
    _, hits = await search_one(services, SubQuery(text=query), vector, plan(services, as_of, mode=mode))
    return hits, notice


def _check_collection(program: bootstrap.App, name: str) -> None:
    known = program.settings.collection_weights
    if name not in known:
        raise InputError(f"There is no collection '{name}'. Collections: {', '.join(known)}.")


def _with_profile(services: Services, **changes: Any) -> Services:
    return replace(services, profile=services.profile.model_copy(update=changes))


def _ask(program: bootstrap.App, options: argparse.Namespace) -> int:
    question = options.question.strip()
    if not question:
        raise InputError("Escriba una pregunta.")
    _ensure_corpus(program)
    if options.conversation:
        return _ask_in_conversation(program, options)
    outcome = asyncio.run(run(question, program.services, as_of=options.as_of))
    output.emit(options.json, output.answer_document(outcome.answer, outcome.trace), output.print_answer)
    return 0


def _ask_in_conversation(program: bootstrap.App, options: argparse.Namespace) -> int:
    owner, conversation = bootstrap.LOCAL_USER, options.conversation
    if conversation == "new":
        conversation = program.conversations.create(owner, options.question).id
        print(f"conversation {conversation}", file=sys.stderr)
    current = program.runs.start(owner, conversation, options.question, options.as_of)
    current.done.wait()
    if current.state is not MessageState.COMPLETE:
        raise InputError(current.text or "La respuesta no se completó.")
    message = program.conversations.messages(owner, conversation, limit=1)[-1]
    trace = program.conversations.trace(owner, message.id)
    if message.answer is None or trace is None:
        raise InputError("La respuesta no se pudo leer de la base de datos.")
    output.emit(options.json, output.answer_document(message.answer, trace), output.print_answer)
    return 0


def _evaluate(program: bootstrap.App, options: argparse.Namespace) -> int:
    cases = read_cases(options.cases)
    _ensure_corpus(program)
    progress = output.Progress()
    report = asyncio.run(
        evaluate(
            cases,
            program.services,
            today=date.today(),
            on_progress=lambda done, total: progress("evaluate", done, total),
        )
    )
    progress.close()
    output.emit(options.json, report, output.print_evaluation)
    return 0


def _demo(program: bootstrap.App, options: argparse.Namespace) -> int:
    progress = output.Progress()
    program.load_demo(on_progress=progress)
    progress.close()
    output.emit(options.json, program.corpus.counts().model_dump(), output.print_pairs)
    return 0


def _reindex(program: bootstrap.App, options: argparse.Namespace) -> int:
    progress = output.Progress()
    report = program.reindex(on_progress=progress)
    progress.close()
    output.emit(options.json, report.model_dump(), output.print_pairs)
    return 0


def _doctor(program: bootstrap.App, options: argparse.Namespace) -> int:
    findings = program.doctor()
    output.emit(options.json, findings, output.print_doctor)
    return 0 if findings["healthy"] else 1


def _ensure_corpus(program: bootstrap.App) -> None:
    if not program.corpus.norms():
        print(EMPTY_CORPUS, file=sys.stderr)
        program.load_demo()


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no date: write it as 2019-03-01") from None


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 100:
        raise argparse.ArgumentTypeError("needs a number from 1 to 100")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cli.py", description=f"Articulado, from the command line. It says «{ABSTENTION}» when it must."
    )
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, text: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text, description=text)
        added.add_argument("--json", action="store_true", help="one JSON document on stdout")
        return added

    one = command("ingest", "bring in files or folders: BOE XML folders, Markdown")
    one.add_argument("paths", nargs="+", type=Path)
    one.add_argument("--collection", default="normativa")
    one.add_argument(
        "--lexical-only", action="store_true", help="leave the vectors for `reindex` or a later run"
    )
    one = command("search", "the chunks that a query finds, best first")
    one.add_argument("query")
    one.add_argument("--mode", choices=MODES, default="hybrid")
    one.add_argument("--limit", type=_count, default=10)
    one.add_argument("--as-of", type=_day)
    one.add_argument("--collection")
    one = command("ask", "an answer with verified citations")
    one.add_argument("question")
    one.add_argument("--as-of", type=_day)
    one.add_argument("--conversation", metavar="ID", help="go on with a conversation, or 'new'")
    one = command("evaluate", "metrics over questions with known answers")
    one.add_argument("cases", type=Path)
    command("demo", "bring in the demo corpus")
    command("reindex", "rebuild the index from the database")
    command("doctor", "check that database, index and settings agree")
    return parser


COMMANDS: dict[str, Callable[[bootstrap.App, argparse.Namespace], int]] = {
    "ingest": _ingest,
    "search": _search,
    "ask": _ask,
    "evaluate": _evaluate,
    "demo": _demo,
    "reindex": _reindex,
    "doctor": _doctor,
}

if __name__ == "__main__":
    sys.exit(main())
