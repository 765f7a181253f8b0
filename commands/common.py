"""Steps that several commands share."""

import argparse
import sys

import bootstrap
from commands.output import Json, Progress
from rag.errors import IndexHeld, IndexUnavailable

FOLLOWED = "El índice lo tiene abierto otro proceso (la página), que lo pone al día con lo guardado."


def follow(program: bootstrap.App, options: argparse.Namespace, progress: Progress) -> Json | None:
    """Counts of the index update, or None, told on stderr, when it is not for this process to do."""
    try:
        return program.keeper.sync(dense=not options.lexical_only, on_progress=progress).model_dump()
    except IndexUnavailable as error:
        print(FOLLOWED if isinstance(error, IndexHeld) else error, file=sys.stderr)
        return None
