"""Checks that several commands share."""

from __future__ import annotations

import sys

import bootstrap

EMPTY_CORPUS = "El corpus está vacío: se carga el corpus de demostración (resúmenes no oficiales)."


def ensure_corpus(program: bootstrap.App) -> None:
    """Load the demo corpus into an empty home, with a notice on stderr."""
    if not program.corpus.norms():
        print(EMPTY_CORPUS, file=sys.stderr)
        program.load_demo()
