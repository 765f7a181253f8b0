"""The index built again: `reindex`."""

import argparse

from commands import output
from commands.engine import Engine


def reindex(engine: Engine, options: argparse.Namespace) -> None:
    """Rebuild the index from the database."""
    with output.Progress() as progress:
        document = engine.reindex(tell=progress)
    output.emit(options.json, document, output.print_pairs)
