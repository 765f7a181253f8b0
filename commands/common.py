"""Steps that several commands share."""

import argparse
import sys

import bootstrap
from commands.output import Json, Progress
from rag.errors import IndexUnavailable

EMPTY_CORPUS = "El corpus está vacío: se carga el corpus de demostración (resúmenes no oficiales)."
ELSEWHERE = "Guardado. El índice lo tiene abierto otro proceso (la página), que lo pondrá al día."


def ensure_corpus(program: bootstrap.App) -> None:
    """Load the demo corpus into an empty home, with a notice on stderr."""
    if not program.corpus.norms():
        print(EMPTY_CORPUS, file=sys.stderr)
        program.load_demo()


def follow(program: bootstrap.App, options: argparse.Namespace, progress: Progress) -> Json | None:
    """Counts of the index update, or None when another process holds the index and will update it."""
    try:
        return program.keeper.sync(dense=not options.lexical_only, on_progress=progress).model_dump()
    except IndexUnavailable as error:
        print(f"{ELSEWHERE} ({error})", file=sys.stderr)
        return None
