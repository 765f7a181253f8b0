"""Revisions: short texts that a write replaces in its transaction, so that readers know when to forget."""

from uuid import uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from storage.base.engine import Engines, translated
from storage.tables.declarative import MetaRow

CORPUS, DOCUMENTS = "corpus_revision", "documents_revision"
"""Replaced when norms, blocks, chunks or references change; when the record of a document does."""


def renew(session: Session, key: str) -> str:
    """Replace the revision under `key` in the session's transaction; the new one."""
    revision = uuid4().hex
    session.merge(MetaRow(key=key, value=revision))
    return revision


def current(session: Session, key: str) -> str:
    """The revision under `key` as the session's transaction sees it, or empty before the first write."""
    return session.scalar(select(MetaRow.value).where(MetaRow.key == key)) or ""


def read(engines: Engines, *keys: str) -> str:
    """The revisions under these keys, as one text."""
    query = select(MetaRow.key, MetaRow.value).where(MetaRow.key.in_(keys))
    with translated(), engines.engine.connect() as connection:
        found = {key: value for key, value in connection.execute(query)}
    return " ".join(found.get(key, "") for key in keys)
