"""Alerts: whom 400 changed articles of one norm touch, among 5,000 conversations; and plain questions beside.

Half of the conversations cite the norm that changes, each eight of its articles; the others cite another.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from sqlalchemy import insert

from benchmarks.table import Row, Tables, Watch, percentile, timed
from core.clock import today_in_spain
from rag.shared.messages import MessageState
from storage.stores import Database
from storage.tables.alerts import CitedArticleRow
from storage.tables.core import ConversationRow, MessageRow
from tests.alerts import answered, cites, law
from tests.databases import new_database
from tests.factories import SINCE, save

CONVERSATIONS, ARTICLES, CITED, PEOPLE = 5000, 400, 8, 20
LABELS = tuple(str(n) for n in range(1, ARTICLES + 1))
ROUNDS = 30


def _fill(database: Database) -> None:
    now = datetime.now(UTC) - timedelta(hours=1)
    conversations, messages, cited = [], [], []
    for n in range(CONVERSATIONS):
        owner, chat = f"p{n % PEOPLE}", f"c{n:06}"
        conversations.append({"id": chat, "owner": owner, "title": "x", "created_at": now, "updated_at": now})
        question, reply = 2 * n + 1, 2 * n + 2
        common = {"conversation_id": chat, "state": MessageState.COMPLETE.value, "created_at": now}
        common |= {"updated_at": now, "finished_at": now}
        messages.append({"id": question, "role": "user", "text": "¿Qué plazo hay?", **common})
        messages.append({"id": reply, "role": "assistant", "text": "R", "reply_to": question, **common})
        norm = "N-1" if n % 2 else "N-2"
        for place in range(CITED):
            block = f"a{(n * CITED + place) % ARTICLES + 1}"
            row = {"message_id": reply, "ordinal": place, "norm_id": norm, "block_id": block}
            cited.append(row | {"valid_from": SINCE})
    with database.engines.write() as session:
        session.execute(insert(ConversationRow), conversations)
        session.execute(insert(MessageRow), [one for one in messages if "reply_to" not in one])
        session.execute(insert(MessageRow), [one for one in messages if "reply_to" in one])
        session.execute(insert(CitedArticleRow), cited)


def _save(database: Database, since: date | None = None) -> float:
    watch = Watch()
    save(database.corpus_writer, law(*LABELS, since=since))
    return watch.wall


def _rows(folder: Path) -> Iterator[Row]:
    database = new_database(folder / "alerts.db")
    first = _save(database)
    _fill(database)
    database.news.match(datetime.now(UTC))
    kept = _kept(database)
    changed = _save(database, today_in_spain())
    watch = Watch()
    found = database.news.match(datetime.now(UTC))
    matched = watch.wall
    if found != ARTICLES or not database.news.unread("p1"):
        raise RuntimeError(f"{found} events, {database.news.unread('p1')} news of one person")
    yield Row(f"loading a norm of {ARTICLES} articles", first, "s")
    yield Row(f"  storing {ARTICLES} new wordings, events included", changed, "s")
    yield Row(f"who is affected, of {CONVERSATIONS} conversations", matched, "s", 5.0)
    watch = Watch()
    database.news.match(datetime.now(UTC))
    yield Row("  when nothing has changed", watch.wall * 1000, "ms")
    watch = Watch()
    page = database.news.news("p1", 400)
    yield Row(
        f"the list of one person ({len(page.items)} changes, {page.answers} answers)", watch.wall, "s", 1.0
    )
    unread = timed(lambda _: database.news.unread("p1"), ROUNDS)
    yield Row("the badge of the chat, p50", percentile(unread, 50), "ms", 5.0)
    ratio = percentile(_kept(database), 50) / percentile(kept, 50)
    yield Row("storing a question and its answer, p50, after ÷ before", ratio, "×", 1.5)
    database.close()


def _kept(database: Database) -> list[float]:
    """Milliseconds to store a question with an answer that cites eight articles."""
    sources = [cites(label) for label in LABELS[:CITED]]
    return timed(lambda _: answered(database, "p0", *sources), ROUNDS)


def tables(folder: Path) -> Tables:
    yield "Alerts", list(_rows(folder))
