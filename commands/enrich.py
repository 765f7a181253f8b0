"""Search aids by the reader model for norms of the corpus: `enrich [NORM…]`."""

import argparse
import time
from functools import partial
from typing import Any

from commands import output
from commands.common import follow
from core.errors import InputError, ModelError
from models.metering import enriching
from service.program import assembly


def enrich(program: assembly.App, options: argparse.Namespace) -> None:
    """Enrich norms under one budget; norms that are done stay when the command stops half-way."""
    wanted = options.norms or [norm.id for norm in program.database.corpus.norms()]
    session = program.aids.enricher.session()
    clock = time.perf_counter()
    done: list[dict[str, str]] = []
    problem = ""
    with output.Progress() as progress:
        for norm_id in wanted:
            try:
                with enriching(assembly.LOCAL_USER, program.usage.spend):
                    said = session.enrich(norm_id, partial(progress, norm_id))
            except (InputError, ModelError) as error:
                problem = f"{norm_id}: {error}"
                break
            done.append({"norm": norm_id, "done": said})
        follow(program, options, progress)
    document = {"norms": done, "elapsed_s": round(time.perf_counter() - clock, 2)}
    output.emit(options.json, document, _print)
    if problem:
        raise InputError(problem)


def _print(document: dict[str, Any]) -> str:
    """A line a norm."""
    lines = [f"{one['norm']}  {one['done']}" for one in document["norms"]]
    return "\n".join([*lines, f"{document['elapsed_s']} s"])
