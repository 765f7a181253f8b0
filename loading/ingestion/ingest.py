"""Stores a document in the corpus: chunks it, resolves its references and saves both in one transaction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.clock import today_in_spain
from core.errors import InputError
from law import references
from law.chunks import Chunk
from law.corpus_store import CorpusChange, CorpusStore, CorpusWriter
from law.norm_names import NormCatalogue
from law.norms import SUMMARISES, Block, Document, Norm, Reference
from law.reference_reading import find_mentions
from loading.chunking.chunk import chunk_document
from loading.ingestion.load_doubts import load_doubts
from loading.ingestion.loaded_norms import LoadedNorms
from loading.ingestion.rewording import has_history

LOST_HISTORY = (
    "{law} ya está en el corpus con todas sus redacciones, y este archivo solo tiene una de cada artículo: "
    "actualícela desde el BOE, o elimínela antes si de verdad quiere sustituirla."
)

HAS_OFFICIAL = "el texto oficial ({source}) ya está en el corpus"


@dataclass(frozen=True)
class Ingested:
    """One document that was loaded, or left out on purpose (`skipped` says why)."""

    path: Path
    norm: Norm
    change: CorpusChange
    warnings: tuple[str, ...] = ()
    skipped: str = ""


@dataclass(frozen=True)
class Failure:
    """One file that could not be read; its earlier stored contents stay."""

    path: Path
    reason: str


@dataclass(frozen=True)
class IngestReport:
    """Documents and failures of one call."""

    documents: tuple[Ingested, ...]
    failures: tuple[Failure, ...]


def left_out(norm: Norm, path: Path, reason: str) -> Ingested:
    """The outcome of a document that changes nothing, with the reason in Spanish."""
    return Ingested(path, norm, CorpusChange(norm_id=norm.id), skipped=reason)


Save = Callable[[Sequence[Chunk], Mapping[str, Sequence[Reference]]], CorpusChange]


def catalogue_of(store: CorpusStore, *more: Norm) -> NormCatalogue:
    """Every norm that a reference may name: those loaded, then the well-known ones that are not.

    An unofficial summary represents its norm until the norm itself is loaded.
    """
    loaded = LoadedNorms(store)
    loaded.refresh()
    for norm in more:
        loaded.add(norm)
    return loaded.catalogue


def store_document(
    path: Path,
    document: Document,
    store: CorpusStore,
    writer: CorpusWriter,
    loaded: LoadedNorms | None = None,
    *,
    save: Save | None = None,
    remove: Callable[[str], CorpusChange] | None = None,
) -> Ingested:
    """Chunk a document, resolve its references and save it in the corpus.

    Args:
        loaded: cache of the other norms, kept from one document to the next.
        save: stores its chunks and their references; without it, `CorpusWriter.save` does.
        remove: deletes a summary that it takes the place of; without it, `CorpusWriter.remove` does.

    Raises:
        InputError: it repeats one of its identifiers, or would lose the history of a norm.
        StorageError: the database failed and keeps what it had.
    """
    norm, loaded = document.norm, loaded or LoadedNorms(store)
    loaded.refresh()
    source = norm.extra.get(SUMMARISES)
    if source and source in loaded:
        reason = HAS_OFFICIAL.format(source=source)
        return Ingested(path, norm, CorpusChange(norm_id=norm.id), skipped=reason)
    if problem := lost_history(document, store):
        raise InputError(problem)
    chunks = chunk_document(document)
    with loaded.including(norm) as catalogue:
        found = cross_references(document, chunks, catalogue)
        change = save(chunks, found) if save else writer.save(document, chunks, found)
    loaded.changed(change)
    for summary in loaded.summaries(norm.id) if norm.official else ():
        loaded.removed((remove or writer.remove)(summary))
    told = load_doubts(document, chunks, today_in_spain())
    return Ingested(path, norm, change, (*told, *document.warnings))


def superseded(norm: Norm, store: CorpusStore) -> str:
    """Reason to leave a summary out, in Spanish: its norm is stored; else empty.

    Raises:
        StorageError: the database failed.
    """
    source = norm.extra.get(SUMMARISES)
    if source and store.norm(source) is not None:
        return f"{norm.law}: {HAS_OFFICIAL.format(source=source)}."
    return ""


def lost_history(document: Document, store: CorpusStore) -> str:
    """A Spanish warning when a text with one wording of each block would replace a norm with all of them.

    A PDF or a web page of a norm has its identifier and no history. Empty when nothing would be lost.
    """
    if has_history(document):
        return ""
    stored = store.document(document.norm.id)
    if stored is None or not has_history(stored):
        return ""
    return LOST_HISTORY.format(law=stored.norm.law)


def cross_references(
    document: Document, chunks: Sequence[Chunk], catalogue: NormCatalogue
) -> dict[str, list[Reference]]:
    """For each chunk id, the references of its text that resolve to a norm and a label."""
    blocks = {block.id: block for block in document.blocks}
    labelled = [block for block in document.blocks if block.label]
    place = {block.id: i for i, block in enumerate(labelled)}
    scope = catalogue.with_labels(document.norm.id, [block.label for block in labelled])
    found: dict[str, list[Reference]] = {}
    for chunk in chunks:
        block = blocks[chunk.block_id]
        resolved = references.resolve(
            find_mentions(chunk.text),
            scope,
            norm_id=chunk.norm_id,
            block_label=block.label,
            previous=_neighbour(labelled, place, block, -1),
            next=_neighbour(labelled, place, block, +1),
            written=chunk.valid_from,
        )
        kept = [
            r
            for r in resolved
            if r.norm_id and r.label and (r.norm_id, r.label) != (chunk.norm_id, chunk.label)
        ]
        if kept:
            found[chunk.id] = kept
    return found


def _neighbour(labelled: Sequence[Block], place: dict[str, int], block: Block, step: int) -> str | None:
    index = place.get(block.id)
    if index is None or not 0 <= index + step < len(labelled):
        return None
    return labelled[index + step].label
