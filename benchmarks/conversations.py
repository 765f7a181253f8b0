"""Milliseconds of the list of conversations and of a search in them: CONVERSATIONS of ten messages each.

The texts are invented words by Zipf's law. The database is SQLite in a file, or that of
`BENCHMARK_DATABASE_URL`, which must be empty.
"""

import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from sqlalchemy import insert

from benchmarks.search import texts
from benchmarks.table import Row, Tables, Watch, spread, timed
from domain.accounts import LOCAL_USER
from rag.shared.messages import MessageState
from storage.stores import Database, open_database
from storage.tables.core import ConversationRow, MessageRow, searchable

CONVERSATIONS = int(os.environ.get("CONVERSATIONS", "5000"))
EXCHANGES, ASKED, ANSWERED = 5, 20, 250
SEARCH_MS, LIST_MS, TIMES = 100.0, 20.0, 30
START = datetime(2026, 1, 1, tzinfo=UTC)
# p1q is the most frequent word.
QUERIES = {
    "one rare word": ("p2af8q", "p1b3cq", "p3e19q"),
    "one frequent word": ("p1q", "p2q", "p3q"),
    "the beginning of many words": ("p1", "p2"),
    "three frequent words": ("p1q p2q p3q", "p4q p5q p6q"),
    "a frequent and a rare word": ("p1q p2af8q", "p1b3cq p2q"),
    "a word that is nowhere": ("indemnización",),
}


def fill(database: Database) -> None:
    """Conversations of one person, each with its finished answers."""
    rng = np.random.default_rng(3)
    for number in range(CONVERSATIONS):
        at = START + timedelta(minutes=number)
        asked, answered = texts(rng, EXCHANGES, ASKED), texts(rng, EXCHANGES, ANSWERED)
        times: dict[str, object] = {"created_at": at, "updated_at": at}
        title = asked[0][:80]
        conversation = {"id": f"{number:032x}", "owner": LOCAL_USER, "title": title} | times
        said = [("user", one) for one in asked] + [("assistant", one) for one in answered]
        messages = [
            {
                "conversation_id": conversation["id"],
                "role": role,
                "text": text,
                "state": MessageState.COMPLETE.value,
                "finished_at": at,
            }
            | times
            for role, text in said
        ]
        with database.engines.write() as session:
            session.execute(insert(ConversationRow), [conversation | {"title_words": searchable(title)}])
            session.execute(insert(MessageRow), messages)


def searches(database: Database) -> Sequence[Row]:
    """Rows of each kind of query, as the page asks for it."""
    rows: list[Row] = []
    for name, queries in QUERIES.items():

        def search(number: int, queries: tuple[str, ...] = queries) -> object:
            return database.conversations.search(LOCAL_USER, queries[number % len(queries)])

        rows += spread(f"search: {name}", timed(search, TIMES), "ms", None, SEARCH_MS)
    return rows


def exchanges(database: Database) -> Sequence[Row]:
    """Milliseconds to store a question with its answer, and to delete a conversation."""
    store = database.conversations
    answer = texts(np.random.default_rng(5), 1, ANSWERED)[0]
    made: list[str] = []

    def ask(number: int) -> None:
        made.append(store.create(LOCAL_USER, f"p{number}").id)
        _, reply = store.ask(LOCAL_USER, made[-1], answer[:200])
        store.finish(reply.id, MessageState.COMPLETE, answer, None, None)

    asked = timed(ask, TIMES)
    deleted = timed(lambda number: store.delete(LOCAL_USER, made[number - 1]) if number else None, TIMES)
    return [
        *spread("a question and its answer stored", asked, "ms"),
        *spread("a conversation deleted", deleted, "ms"),
    ]


def tables(folder: Path) -> Tables:
    url = os.environ.get("BENCHMARK_DATABASE_URL") or f"sqlite:///{folder / 'articulado.db'}"
    database = open_database(url)
    watch = Watch()
    fill(database)
    filled = watch.wall
    listed = timed(lambda _: database.conversations.listed(LOCAL_USER, 13), TIMES)
    rows = [
        Row("messages written", CONVERSATIONS * EXCHANGES * 2 / filled, "/s"),
        *spread("list of twelve", listed, "ms", None, LIST_MS),
        *searches(database),
        *exchanges(database),
    ]
    database.close()
    yield f"{CONVERSATIONS} conversations of ten messages", rows
