"""The process that checks the citations of briefs: `python -m service.program.brief_child SECONDS MEGABYTES`.

Its first line is the URL of the database, each next one a brief with days and papers. A brief that costs too
much ends with this process and slows nobody's page.
"""

import json
import os
import sys
from collections.abc import Sequence
from datetime import date
from typing import Any

from casework.briefs.brief_check import check
from casework.briefs.ruling_state import Paper
from core.errors import ArticuladoError
from loading.parsing.limits import Limits
from loading.parsing.wire_messages import Piece
from service.program.held import KeptHoldings
from storage.base.engine import Engines
from storage.corpus.reads import SqlCorpusStore

PROCESSOR_SECONDS = 20
"""Of one brief: three times what the longest of the citations of our sets takes on a slow machine."""


def main() -> None:
    """Check briefs until standard input is closed."""
    answers = os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not pass for an answer.
    os.dup2(2, 1)
    limits = Limits(*map(int, sys.argv[1:]))
    limits.confine()
    holdings = KeptHoldings(SqlCorpusStore(Engines(json.loads(sys.stdin.buffer.readline()))))
    for line in sys.stdin.buffer:
        limits.allow_time(PROCESSOR_SECONDS)
        for piece in (_checked(holdings, *json.loads(line)), Piece(last=True)):
            answers.write(piece.model_dump_json().encode() + b"\n")
        answers.flush()


def _checked(
    holdings: KeptHoldings, text: str, days: Sequence[str], revision: str, papers: Sequence[Sequence[Any]]
) -> Piece:
    day, today = map(date.fromisoformat, days)
    try:
        own = [Paper(*one) for one in papers]
        held = holdings.library(), holdings.catalogue()
        found = check(text, *held, day, today, revision=revision, papers=own)
    except ArticuladoError as error:
        return Piece(error=str(error))
    except MemoryError:
        return Piece(starved=True)
    return Piece(made=found.model_dump_json())


if __name__ == "__main__":
    main()
