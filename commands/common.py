"""Steps that several commands share."""

import argparse
import sys

from commands.output import Json, Progress
from core.errors import IndexHeld, IndexUnavailable
from service.program import assembly

FOLLOWED = "El índice lo tiene abierto otro proceso (la página), que lo pone al día con lo guardado."


def follow(program: assembly.App, options: argparse.Namespace, progress: Progress) -> Json | None:
    """Counts of the index update, or None, told on stderr, when it is not for this process to do."""
    try:
        return program.keeper.sync(dense=not options.lexical_only, on_progress=progress).model_dump()
    except IndexUnavailable as error:
        print(FOLLOWED if isinstance(error, IndexHeld) else error, file=sys.stderr)
        return None
