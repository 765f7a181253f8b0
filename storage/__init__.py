"""The SQL database: corpus, embedding cache, conversations, reviews, evaluations, documents and jobs."""

from __future__ import annotations

from storage.conversations import SqlConversationStore
from storage.corpus import SqlCorpusStore
from storage.database import Engines
from storage.documents import SqlDocumentStore
from storage.evaluations import SqlEvaluationStore
from storage.feedback import SqlFeedbackStore
from storage.jobs import SqlJobStore
from storage.migrate import upgrade
from storage.reviews import SqlReviewStore
from storage.vectors import SqlVectorCache

__all__ = [
    "Database",
    "SqlConversationStore",
    "SqlCorpusStore",
    "SqlDocumentStore",
    "SqlEvaluationStore",
    "SqlFeedbackStore",
    "SqlJobStore",
    "SqlReviewStore",
    "SqlVectorCache",
    "open_database",
]


class Database:
    """The stores over one engine; make one a process and share it between threads."""

    def __init__(self, engines: Engines) -> None:
        self.engines = engines
        self.corpus = SqlCorpusStore(engines)
        self.conversations = SqlConversationStore(engines)
        self.evaluations = SqlEvaluationStore(engines)
        self.vectors = SqlVectorCache(engines)
        self.documents = SqlDocumentStore(engines)
        self.jobs = SqlJobStore(engines)
        self.feedback = SqlFeedbackStore(engines)
        self.reviews = SqlReviewStore(engines)

    def close(self) -> None:
        self.engines.close()


def open_database(url: str) -> Database:
    """Connect to `url` (sqlite:///file or postgresql://…), create or update its tables, and wire the stores.

    Raises:
        ConfigurationError: the URL cannot be used.
        StorageError: the database cannot be reached, or a newer version of the program wrote it.
    """
    engines = Engines(url)
    try:
        upgrade(engines)
    except Exception:
        engines.close()
        raise
    return Database(engines)
