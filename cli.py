"""The command line. Its `--json` output is a contract: one document on stdout and nothing else.

Exit codes: 0 done, 1 failed with one clear line on stderr, 2 wrong usage. What each command does is in
`commands/`.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import bootstrap
from commands.audit import arguments as audit_arguments
from commands.audit import attended, audit
from commands.backup import backup, restore, verify
from commands.boe import boe
from commands.corpus import demo, doctor, ingest, reindex
from commands.diff import diff
from commands.enrich import enrich
from commands.evaluation import evaluate
from commands.questions import ask, search
from commands.tool import tool
from commands.usage import privacy, privacy_arguments, usage, usage_arguments
from commands.users import arguments as users_arguments
from commands.users import users
from config import settings
from rag.answers.contract import ABSTENTION
from rag.errors import ArticuladoError, ConfigurationError
from rag.stages.search import MODES


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    _write_utf8()
    options = _parser().parse_args(arguments)
    try:
        if options.command == "restore" and options.verify_only:
            return verify(options)
        program = bootstrap.build(settings())
    except (ArticuladoError, OSError) as error:
        return _failed(error)
    try:
        with attended(program, options):
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


def _failed(error: ArticuladoError | OSError) -> int:
    if isinstance(error, OSError):
        error = ConfigurationError(f"ARTICULADO_HOME cannot be used as a folder: {error.strerror}.")
    print(" ".join(str(error).split()), file=sys.stderr)
    return 1


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

    def command(name: str, text: str, json: bool = True) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text, description=text)
        if json:
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
    one.add_argument("--agent", action="store_true", help="let the model itself search, with the tools")
    one = command("evaluate", "metrics over questions with known answers")
    one.add_argument("cases", type=Path)
    one.add_argument("--save", action="store_true", help="keep it, to be read on the page «Evaluación»")
    command("demo", "bring in the demo corpus")
    command("reindex", "rebuild the index from the database")
    one = command("doctor", "check that database, index, files and settings agree")
    one.add_argument("--mend", action="store_true", help="mend what can be mended")
    one = command("backup", "everything but the index into one file, while the program works")
    one.add_argument("file", type=Path, metavar="FILE.zip")
    one.add_argument("--without-vectors", action="store_true", help="smaller; they are computed again")
    one = command("restore", "a backup into an empty home and database")
    one.add_argument("file", type=Path, metavar="FILE.zip")
    one.add_argument("--verify-only", action="store_true", help="read it whole and touch nothing")
    one = command("diff", "two wordings of an article, word by word")
    one.add_argument("article", help="«art. 48 ET», «da 3 LGSS»…")
    one.add_argument(
        "--from", dest="since", type=_day, help="the earlier day (the wording before, if absent)"
    )
    one.add_argument("--to", dest="until", type=_day, help="the later day (today, if absent)")
    one = command("enrich", "summaries, keywords and questions by the reader model; without NORM, for all")
    one.add_argument(
        "norms", nargs="*", metavar="NORM", help="identifier, as «boe list» and the page show it"
    )
    one.add_argument("--lexical-only", action="store_true", help="leave the vectors for a later run")
    one = command("tool", "the document tools by hand, called as a model calls them")
    one.add_argument("calls", help="'<tool_lexical_search>…</tool_lexical_search>', or - for standard input")
    one.add_argument("--as-of", type=_day)
    one.add_argument("--question", default="", help="the question that the model would be answering")
    audit_arguments(command("audit", "the audit log: verify, list, export", json=False), _day)
    usage_arguments(command("usage", "what people used of the models, and its cost"), _day)
    privacy_arguments(command("privacy", "what is kept of people: apply, export, erase", json=False))
    users_arguments(command("users", "accounts: list, add, reset, roles, disable, remove…", json=False))
    _add_boe(command("boe", "norms of the BOE: add, update, list", json=False))
    return parser


def _add_boe(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)

    def action(name: str, text: str) -> argparse.ArgumentParser:
        added = actions.add_parser(name, help=text, description=text)
        added.add_argument("--json", action="store_true", help="one JSON document on stdout")
        return added

    one = action("add", "bring in norms by their identifier, or up to date if they are there")
    which = one.add_mutually_exclusive_group(required=True)
    which.add_argument("ids", nargs="*", default=[], metavar="ID", help="BOE-A-2015-11430")
    which.add_argument("--list", type=Path, metavar="FILE", help="a file with an identifier a line")
    which.add_argument("--all", action="store_true", help="every norm of the bundled list")
    two = action("update", "bring what changed, told article by article; without ID, every norm of the BOE")
    two.add_argument("ids", nargs="*", metavar="ID")
    for added in (one, two):
        added.add_argument("--lexical-only", action="store_true", help="leave the vectors for a later run")
    action("list", "the bundled list of labour and Social Security norms, ✔ those of the corpus")


COMMANDS: dict[str, Callable[[bootstrap.App, argparse.Namespace], int]] = {
    "ingest": ingest,
    "search": search,
    "ask": ask,
    "evaluate": evaluate,
    "demo": demo,
    "reindex": reindex,
    "doctor": doctor,
    "backup": backup,
    "restore": restore,
    "diff": diff,
    "tool": tool,
    "boe": boe,
    "enrich": enrich,
    "users": users,
    "audit": audit,
    "usage": usage,
    "privacy": privacy,
}

if __name__ == "__main__":
    sys.exit(main())
