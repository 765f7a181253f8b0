"""The seams: the rows of each, made by the program as it is now."""

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag.evaluation.results import Aids
from rag.shared.state import Services
from service.program.assembly import App
from tests.frozen import doors, models, program
from tests.frozen.files import files
from tests.frozen.row_files import Row, Rows
from tests.frozen.samples import (
    ASKED,
    DATA,
    MASKING,
    drawn,
    questions,
    questions_of_tests,
    read,
    sample,
)


@dataclass(frozen=True)
class Law:
    """The program over the real law, and a folder of its own for other homes."""

    program: App
    folder: Path

    @classmethod
    @contextmanager
    def at(cls, home: Path, folder: Path) -> Iterator["Law"]:
        """The law of a filled home, of which a copy in the folder is used."""
        with closing(program.open_law(shutil.copytree(home, folder / "law"))) as opened:
            yield cls(opened, folder)


# Seams without the law


def read_files(folder: Path) -> Rows:
    rows: Rows = {}
    for one in files(folder):
        for number, row in enumerate(program.read_file(one.path, one.collection), start=1):
            rows[f"{one.case} {number}"] = row
    return rows


def masking(_: Path) -> Rows:
    paths = sorted(MASKING.glob("*.jsonl"))
    return {one["id"]: program.masked(one["text"]) for path in paths for one in read(path)}


def calculations(_: Path) -> Rows:
    known = program.facts()
    return {
        f"{number:03} {one['name']}": program.calculated(one["name"], one["given"], known)
        for number, one in enumerate(read(DATA / "calculations.jsonl"), start=1)
    }


# Seams of the law


def corpus(law: Law) -> Rows:
    return dict(program.corpus(law.program))


async def understanding(law: Law) -> Rows:
    services = _offline(law, meaning=False)
    asked = (*questions(), *questions_of_tests())
    return {one.case: await program.understood(one, services) for one in asked}


async def search(law: Law) -> Rows:
    """The ten best chunks of each question, by words alone or without search aids, in turn by its hash.

    Those by meaning with all aids are in the answers.
    """
    kinds = {
        "words_all": _offline(law, meaning=False),
        "words_none": _offline(law, meaning=False, aids=Aids.NONE),
        "meaning_none": _offline(law, aids=Aids.NONE),
    }
    rows: Rows = {}
    for one in sample(ASKED):
        name = [*kinds][int(drawn(one), 16) % len(kinds)]
        rows[one.case] = {name: await program.ranked(one, kinds[name])}
    return rows


async def answers(law: Law) -> Rows:
    """The answer to each question by meaning and with search aids; about agreements, by their words."""
    kinds = {meaning: _offline(law, meaning=meaning) for meaning in (True, False)}
    rows: Rows = {}
    for one in sample(ASKED):
        by_meaning = not one.case.startswith("agreements/")
        rows[one.case], _ = await program.answered(one, kinds[by_meaning])
    return rows


def _offline(law: Law, *, meaning: bool = True, aids: Aids = Aids.ALL) -> Services:
    return program.offline(law.program.services, meaning=meaning, aids=aids)


def findings(law: Law) -> Rows:
    return dict(program.findings(law.program))


def _awaited(rows: Callable[[Law], Coroutine[Any, Any, Rows]]) -> Callable[[Law], Rows]:
    """The rows made in one loop: at the end of each, Python writes out all that it has returned."""
    return lambda law: asyncio.run(rows(law))


def _with_models(rows: Callable[[App, Path], Iterator[tuple[str, Row]]]) -> Callable[[Law], Rows]:
    def made(law: Law) -> Rows:
        with tempfile.TemporaryDirectory(dir=law.folder) as home:
            return dict(rows(law.program, Path(home)))

    return made


OF_FILES: dict[str, Callable[[Path], Rows]] = {
    "files": read_files,
    "masking": masking,
    "calculations": calculations,
    "openapi": lambda _: doors.openapi(),
    "commands": lambda _: doors.commands(),
    "mcp": doors.mcp,
    "guards": doors.guards,
    "documents": doors.documents,
}
"""Seams that need a folder of their own."""
OF_LAW: dict[str, Callable[[Law], Rows]] = {
    "corpus": corpus,
    "understanding": _awaited(understanding),
    "findings": findings,
    "deceits": _with_models(models.deceits),
    "sentences": _with_models(models.sentences),
    "walks": _with_models(models.walks),
    "answers": _awaited(answers),
    "search": _awaited(search),
}
"""Seams that read the real law."""
