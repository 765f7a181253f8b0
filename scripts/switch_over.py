"""Rehearse the move of a home to servers: `python -m scripts.switch_over HOME QUESTIONS.jsonl...`

A copy of HOME (SQLite, embedded index) gets a few conversations with votes and verdicts; it is backed up,
restored into an empty PostgreSQL and reindexed into a stand-in for a Qdrant server (tests/), which is slow.
Then every row and the first ten chunks of each question, today and on an earlier day, are compared. Prints
the differences; exit code above 0 if there are any. Needs PostgreSQL and requirements-dev.txt.
"""

import argparse
import asyncio
import math
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import MetaData, select

from benchmarks.harness import program
from core.clock import today_in_spain
from domain.accounts import LOCAL_USER
from domain.reviews import ReviewVerdict, Vote
from rag.evaluation.cases import Case, read_dataset
from rag.shared.hits import Hit
from rag.shared.messages import MessageState
from service.backup import backup as backups
from service.contract.search import hits_of
from service.program import assembly
from service.review_cases import case_of
from storage.base.engine import Engines
from storage.tables.core import Base
from tests.postgres import Postgres, binaries
from tests.qdrant_stub import qdrant_stub

TOP = 10
CLOSE = 1e-6
EARLIER = date(2019, 6, 1)
TALKS = 4
OF_THE_INDEX = ("index_state", "embedded_with", "passages_with")
"""Columns that say what the index holds; a backup leaves them out."""
Asked = tuple[str, date]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.switch_over", description=__doc__)
    parser.add_argument("home", type=Path, help="ARTICULADO_HOME; it is copied, not touched")
    parser.add_argument("questions", type=Path, nargs="+", help="files of cases, as in data/evaluation")
    parser.add_argument("--limit", type=int, default=60, help="questions, spread over the files")
    options = parser.parse_args()
    cases = [case for path in options.questions for case in read_dataset(path).cases]
    cases = cases[:: max(1, len(cases) // options.limit)][: options.limit]
    programs = binaries()
    if programs is None:
        raise SystemExit("PostgreSQL is not installed (apt-get install postgresql).")
    folder = Path(tempfile.mkdtemp(prefix="articulado-switch-"))
    server = Postgres(programs)
    try:
        with qdrant_stub() as qdrant:
            return compare(options.home, cases, folder, server.create(), qdrant)
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def compare(home: Path, cases: Sequence[Case], folder: Path, database: str, qdrant: str) -> int:
    """Print the differences; the number of their kinds (rows, rankings, conversations), 0 to 3."""
    shutil.copytree(home, folder / "before")
    asked = [pair for case in cases for pair in days(case)]
    archive = folder / "switch.zip"
    with program(folder / "before") as laptop:
        message = talk(laptop, cases[:TALKS])
        before = timed("searches, SQLite and embedded index", lambda: searches(laptop, asked))
        made = timed(
            "backup", lambda: backups.backup(laptop.database.engines, laptop.home, archive, vectors=True)
        )
        rows = table_rows(laptop.database.engines)
    with program(folder / "after", database_url=database, qdrant_url=qdrant, qdrant_timeout=600) as firm:
        timed("restore", lambda: backups.restore(firm.database.engines, firm.home, archive))
        restored = table_rows(firm.database.engines)
        timed("reindex", firm.keeper.reindex)
        after = timed("searches, PostgreSQL and served index", lambda: searches(firm, asked))
        goes_on = talk(firm, cases[:1]) > message
    print(f"{sum(made.tables.values())} rows backed up, {len(made.files)} files")
    found = (differing_rows(rows, restored), differing_ranks(asked, before, after), not goes_on)
    print(f"conversations go on after the move: {goes_on}")
    return sum(map(bool, found))


def timed(name: str, work: Any) -> Any:
    """The result of `work`; prints its seconds."""
    started = time.perf_counter()
    result = work()
    print(f"{name}: {time.perf_counter() - started:.1f} s", flush=True)
    return result


def days(case: Case) -> list[Asked]:
    """The question today, and on the day that it speaks of or an earlier one."""
    return [(case.question, today_in_spain()), (case.question, case.as_of or case.expected_as_of or EARLIER)]


def talk(app: assembly.App, cases: Sequence[Case]) -> int:
    """Two questions a conversation, a vote, a verdict and a case of it; the id of the last answer."""
    last = 0
    for case in cases:
        conversation = app.database.conversations.create(LOCAL_USER, case.question).id
        for question in (case.question, "¿Y en qué plazo?"):
            run = app.runs.start(LOCAL_USER, conversation, question, case.as_of)
            run.done.wait()
            last = run.message_id
            if run.state is not MessageState.COMPLETE:
                raise SystemExit(f"no answer: {run.text}")
        app.database.feedback.vote(LOCAL_USER, last, Vote.UP, "Útil: ¡sí! — «€» 😀")
        app.database.reviews.judge(
            LOCAL_USER, last, ReviewVerdict.WRONG, must_refuse=True, notes="No consta."
        )
        item = app.database.reviews.item(LOCAL_USER, last, 6)
        app.database.reviews.save_case(LOCAL_USER, last, case_of(item, {}))
    return last


def searches(app: assembly.App, asked: Sequence[Asked]) -> list[list[Hit]]:
    """The hits of `cli.py search --mode hybrid` for each question."""
    found = []
    for question, as_of in asked:
        hits, notice = asyncio.run(hits_of(app.services, question, as_of, "hybrid"))
        if notice:
            raise SystemExit(notice)
        found.append(hits[:TOP])
    return found


def table_rows(engines: Engines) -> dict[str, Counter[str]]:
    """Rows of the tables that a backup holds, read from the database without the models."""
    stays = {table.name for table in Base.metadata.sorted_tables if not table.info.get("backup", True)}
    reflected = MetaData()
    with engines.engine.connect() as connection:
        reflected.reflect(connection)
        return {
            table.name: Counter(
                repr({name: plain(value) for name, value in sorted(row.items()) if name not in OF_THE_INDEX})
                for row in connection.execute(select(table)).mappings()
            )
            for table in reflected.sorted_tables
            if table.name not in stays
        }


def plain(value: Any) -> Any:
    """A value that is equal in both databases: SQLite has neither time zones nor booleans."""
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC)
    return int(value) if isinstance(value, bool) else value


def differing_rows(before: dict[str, Counter[str]], after: dict[str, Counter[str]]) -> int:
    """Print and count the rows that are only in one of two databases, by table."""
    different = 0
    for table in sorted(before.keys() | after.keys()):
        one, other = before.get(table, Counter()), after.get(table, Counter())
        lost, new = (one - other).total(), (other - one).total()
        print(f"  {table}: {one.total()} rows, {lost} not there afterwards, {new} that were not there")
        for row in [*(one - other), *(other - one)][:2]:
            print(f"    {row[:300]}")
        different += lost + new
    print(f"rows that differ: {different}")
    return different


def differing_ranks(
    asked: Sequence[Asked], before: Sequence[Sequence[Hit]], after: Sequence[Sequence[Hit]]
) -> int:
    """Print and count the questions whose rankings differ, plus one if scores differ by more than CLOSE."""
    different, apart = 0, {"score": 0.0, "dense": 0.0, "sparse": 0.0, "question": 0.0}
    for (question, as_of), one, other in zip(asked, before, after, strict=True):
        if [hit.key for hit in one] != [hit.key for hit in other]:
            different += 1
            print(f"  {as_of} {question}\n    {ids(one)}\n    {ids(other)}")
            continue
        for a, b in zip(one, other, strict=True):
            for name, most in apart.items():
                apart[name] = max(most, gap(getattr(a, name), getattr(b, name)))
    print(f"rankings that differ: {different} of {len(asked)} ({sum(map(len, before))} chunks)")
    print("largest difference of a score: " + ", ".join(f"{name} {most:.1e}" for name, most in apart.items()))
    return different + (apart["score"] > CLOSE)


def gap(one: float | None, other: float | None) -> float:
    if one is None or other is None:
        return 0.0 if one is other else math.inf
    return abs(one - other)


def ids(hits: Sequence[Hit]) -> str:
    return " ".join(hit.chunk.id for hit in hits)


if __name__ == "__main__":
    sys.exit(main())
