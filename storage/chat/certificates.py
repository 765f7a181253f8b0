"""Certificates of sources that have been given out: one an answer, which stays as it was signed."""

from datetime import UTC, datetime

from storage.base.engine import Store
from storage.chat.feedback import lock_own_answer
from storage.tables.reviews import CertificateRow


class SqlCertificateStore(Store):
    """Certificates of the owners' own answers.

    Raises (all methods): StorageError; NotFound when the answer does not exist or is another owner's.
    """

    def kept(self, owner: str, message_id: int) -> bytes | None:
        """The certificate of an answer, if one has been given out."""
        with self._db.read() as session:
            lock_own_answer(session, owner, message_id)
            row = session.get(CertificateRow, message_id)
            return row.content.encode() if row else None

    def keep(self, owner: str, message_id: int, content: bytes) -> bytes:
        """Keep a certificate unless the answer has one already; the one that is kept."""
        with self._db.write() as session:
            lock_own_answer(session, owner, message_id)
            row = session.get(CertificateRow, message_id)
            if row is None:
                row = CertificateRow(
                    message_id=message_id, content=content.decode(), made_at=datetime.now(UTC)
                )
                session.add(row)
            return row.content.encode()
