"""What several commands need."""

from __future__ import annotations

import sys

import bootstrap
from rag.errors import InputError

EMPTY_CORPUS = "El corpus está vacío: se carga el corpus de demostración (resúmenes no oficiales)."


def ensure_corpus(program: bootstrap.App) -> None:
    """Load the demo corpus into an empty home, and say so on stderr."""
    if not program.corpus.norms():
        print(EMPTY_CORPUS, file=sys.stderr)
        program.load_demo()


def check_collection(program: bootstrap.App, name: str) -> None:
    """Raises InputError when there is no such collection."""
    known = program.settings.collection_weights
    if name not in known:
        raise InputError(f"There is no collection '{name}'. Collections: {', '.join(known)}.")
