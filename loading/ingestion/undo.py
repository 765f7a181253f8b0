"""Undoes what a job has stored: what it replaced comes back, unless something else has changed it since."""

from collections.abc import Sequence

from core.errors import InputError
from law.corpus_store import CorpusStore, CorpusWriter
from law.document_records import JobChange
from law.norms import Document
from loading.chunking.chunk import chunk_document
from loading.ingestion.ingest import cross_references
from loading.ingestion.loaded_norms import LoadedNorms
from loading.records.jobs import Job, JobState

NOTHING = "Esta carga no tiene nada que deshacer."
ALREADY = "Esta carga ya está deshecha: si la quiere otra vez, cargue de nuevo sus documentos."
TOUCHED = (
    "No se puede deshacer esta carga: después de ella ha cambiado «{title}», por otra carga o a mano. "
    "Si fue otra carga, deshaga antes esa."
)


def check(job: Job, changes: Sequence[JobChange], store: CorpusStore, writer: CorpusWriter) -> None:
    """See that each norm is as the job left it, or gone if the job had added it.

    Raises:
        InputError: one is not, or there is none.
        StorageError: the database failed.
    """
    if not changes:
        raise InputError(ALREADY if job.state is JobState.UNDONE else NOTHING)
    for change in changes:
        now = writer.norm_hash(change.norm_id)
        if now != change.after and (now or change.document):
            norm = store.norm(change.norm_id) or (change.document and change.document.norm)
            raise InputError(TOUCHED.format(title=norm.title if norm else change.norm_id))


def restore(document: Document, change: JobChange, loaded: LoadedNorms, writer: CorpusWriter) -> None:
    """Store what a norm was before the change, and forget the change with it.

    Args:
        loaded: cache of the other norms, kept from one document to the next.

    Raises:
        InputError: another writer has changed the norm meanwhile.
        StorageError: the norm stays as it is.
    """
    chunks = chunk_document(document)
    loaded.refresh()
    with loaded.including(document.norm) as catalogue:
        references = cross_references(document, chunks, catalogue)
        saved = writer.save(document, chunks, references, change.record, change.after, undone=change.job_id)
    loaded.changed(saved)
