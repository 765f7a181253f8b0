"""The SQL database: corpus, embedding cache, conversations, reviews, evaluations, documents, jobs
and accounts."""

from domain.usage import Quota
from storage.alerts.addresses import SqlAddressStore
from storage.alerts.digests import SqlDigestStore
from storage.alerts.news import SqlNewsStore
from storage.alerts.references import SqlReferenceStore
from storage.alerts.watches import SqlWatchStore
from storage.base.engine import Engines
from storage.casework.document_tables import SqlDocumentTableStore
from storage.casework.facts import SqlFactStore
from storage.casework.matter_documents import SqlMatterDocumentStore
from storage.casework.matters import SqlMatterStore
from storage.casework.terms import SqlTermStore
from storage.chat.certificates import SqlCertificateStore
from storage.chat.conversations import SqlConversationStore
from storage.chat.feedback import SqlFeedbackStore
from storage.chat.reviews import SqlReviewStore
from storage.corpus.documents import SqlDocumentStore
from storage.corpus.jobs import SqlJobStore
from storage.corpus.ledger import SqlIndexLedger
from storage.corpus.reads import SqlCorpusStore
from storage.corpus.vectors import SqlVectorCache
from storage.corpus.writer import SqlCorpusWriter
from storage.evaluations import SqlEvaluationStore
from storage.health import SqlHealth
from storage.migrate import upgrade
from storage.people.accounts import SqlAccountStore
from storage.people.audit import SqlAuditLog
from storage.people.login_sessions import SqlAttemptStore, SqlLoginSessionStore
from storage.people.preferences import SqlPreferenceStore
from storage.people.privacy import SqlPrivacyStore
from storage.people.tokens import SqlTokenStore
from storage.people.usage import NO_QUOTA, SqlUsageStore


class Database:
    """The stores over one engine; make one a process and share it between threads."""

    def __init__(self, engines: Engines, audit_key: str = "", quota: Quota = NO_QUOTA) -> None:
        self.engines = engines
        self.corpus = SqlCorpusStore(engines)
        self.corpus_writer = SqlCorpusWriter(engines)
        self.ledger = SqlIndexLedger(engines)
        self.audit = SqlAuditLog(engines, audit_key.encode())
        self.usage = SqlUsageStore(engines, quota=quota)
        self.conversations = SqlConversationStore(engines, self.usage.count_question)
        self.privacy = SqlPrivacyStore(engines)
        self.evaluations = SqlEvaluationStore(engines)
        self.vectors = SqlVectorCache(engines)
        self.documents = SqlDocumentStore(engines)
        self.jobs = SqlJobStore(engines)
        self.feedback = SqlFeedbackStore(engines)
        self.certificates = SqlCertificateStore(engines)
        self.health = SqlHealth(engines)
        self.reviews = SqlReviewStore(engines)
        self.accounts = SqlAccountStore(engines)
        self.login_sessions = SqlLoginSessionStore(engines)
        self.attempts = SqlAttemptStore(engines)
        self.tokens = SqlTokenStore(engines)
        self.preferences = SqlPreferenceStore(engines)
        self.matters = SqlMatterStore(engines)
        self.matter_documents = SqlMatterDocumentStore(engines)
        self.watches = SqlWatchStore(engines)
        self.news = SqlNewsStore(engines)
        self.references = SqlReferenceStore(engines)
        self.document_tables = SqlDocumentTableStore(engines)
        self.terms = SqlTermStore(engines)
        self.facts = SqlFactStore(engines)
        self.digests = SqlDigestStore(engines)
        self.addresses = SqlAddressStore(engines)

    def close(self) -> None:
        self.engines.close()


def open_database(url: str, audit_key: str = "", quota: Quota = NO_QUOTA) -> Database:
    """Connect to `url` (sqlite:///file or postgresql://…), create or update its tables, and wire the stores.

    Args:
        audit_key: signs the audit log; see `storage.people.audit`.
        quota: of each person and day.

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
    return Database(engines, audit_key, quota)
