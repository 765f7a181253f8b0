"""Records of loaded documents, the catalogue and deletions: frozen values, no I/O."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import Field

from core.values import Value
from law.norms import Document, Norm


class DocumentRecord(Value):
    """Origin of a norm of the corpus.

    Attributes:
        content_hash: SHA-256 (hex) of the file or folder.
        format: suffix without its dot, or 'boe'.
        source: path of the kept original, relative to the home; empty when it stays elsewhere.
        review: reason to review it, in Spanish; empty when nothing is wrong.
        overrides: corrections made by hand; they survive a new version of the document.
    """

    norm_id: str
    file_name: str = ""
    content_hash: str = ""
    format: str = ""
    source: str = ""
    bytes: int = 0
    loaded_by: str = ""
    loaded_at: datetime
    review: str = ""
    overrides: Mapping[str, str] = Field(default_factory=dict)


class JobChange(Value):
    """A norm that a job has changed, as it was before.

    Attributes:
        document, record: None when the corpus did not have it.
        after: its `CorpusWriter.norm_hash` when the job was done with it; empty when the job removed it.
    """

    job_id: str
    norm_id: str
    document: Document | None = None
    record: DocumentRecord | None = None
    after: str = ""


class DocumentSummary(Value):
    """A row of the catalogue; `record` is None for a norm loaded by an earlier version of the program."""

    norm: Norm
    versions: int
    fragments: int
    record: DocumentRecord | None = None


class DocumentPage(Value):
    """Some rows of the catalogue and how many match in all."""

    rows: tuple[DocumentSummary, ...]
    total: int


class Referrer(Value):
    """A fragment of another norm whose text names the one that was deleted."""

    norm_id: str
    law: str
    section: str
    chunk_id: str


class DeletionReport(Value):
    """Counts and referrers of a deleted norm.

    Attributes:
        fragments, vectors: how many of each.
        source: whether a kept file was removed from disk.
    """

    norm_id: str
    title: str
    fragments: int = 0
    vectors: int = 0
    source: bool = False
