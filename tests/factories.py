"""Small invented norms for tests: every argument has a default, name only what the test is about.

document = make_norm("N-1", make_block("5", "Texto vigente.", since="2010-01-01"))
writer.save(document, chunks_of(document), {})
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from law.chunks import Chunk
from law.corpus_store import CorpusChange, CorpusWriter
from law.document_records import DocumentRecord
from law.holdings import Holdings
from law.norms import Block, BlockKind, BlockVersion, Document, Norm, Reference
from rag.question.question_reading import understand
from rag.question.understanding import Understanding
from service.config import Settings
from storage.stores import Database

SINCE = date(2000, 1, 1)


def settings_of(**values: Any) -> Settings:
    """Settings with these values, and of no file."""
    # pyright knows only the fields of settings, not the arguments of `BaseSettings.__init__`.
    return Settings(_env_file=None, **values)  # pyright: ignore[reportCallIssue]


def day(value: str | date | None) -> date | None:
    """'2010-01-31' as a date; dates and None pass."""
    return date.fromisoformat(value) if isinstance(value, str) else value


def make_version(
    text: str = "Artículo inventado. Texto de prueba.",
    *,
    since: str | date = SINCE,
    until: str | date | None = None,
    **fields: Any,
) -> BlockVersion:
    return BlockVersion(text=text, valid_from=day(since), valid_to=day(until), **fields)


def make_block(
    label: str = "1",
    *texts: str | BlockVersion,
    since: str | date = SINCE,
    until: str | date | None = None,
    position: int | None = None,
    **fields: Any,
) -> Block:
    """An article; `texts` are its wordings, oldest first (a plain string is in force from `since`).

    Without a `position`, the first number of the label gives it.
    """
    digits = "".join(c for c in label if c.isdigit())
    fields = {
        "id": "a" + label.replace(" ", ""),
        "kind": BlockKind.ARTICLE,
        "title": f"Artículo {label}. Prueba.",
    } | fields
    versions = tuple(
        make_version(text, since=since, until=until) if isinstance(text, str) else text
        for text in texts or (f"Artículo {label}. Texto inventado de prueba.",)
    )
    place = position if position is not None else int(digits or 0)
    return Block(label=label, position=place, versions=versions, **fields)


def make_norm(
    norm_id: str = "N-1", *blocks: Block, warnings: tuple[str, ...] = (), **fields: Any
) -> Document:
    """A document; without blocks it has one article."""
    fields = {"title": f"Ley inventada {norm_id}", "law": f"Ley {norm_id}", "rank": "Ley"} | fields
    return Document(norm=Norm(id=norm_id, **fields), blocks=blocks or (make_block(),), warnings=warnings)


def make_chunk(
    norm_id: str = "N-1",
    label: str = "1",
    text: str = "Texto inventado de prueba.",
    *,
    since: str | date = SINCE,
    until: str | date | None = None,
    part: int = 1,
    **fields: Any,
) -> Chunk:
    """A chunk of `make_block(label)`; its id and hash follow from the arguments."""
    block_id = fields.pop("block_id", "a" + label.replace(" ", ""))
    fields = {
        "id": f"{norm_id}/{block_id}@{day(since)}#{part}",
        "collection": "normativa",
        "kind": BlockKind.ARTICLE,
        "law": f"Ley {norm_id}",
        "section": f"Artículo {label}. Prueba.",
        "parts": part,
        "start": 0,
        "end": len(text),
        "content_hash": hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
    } | fields
    return Chunk(
        norm_id=norm_id,
        block_id=block_id,
        label=label,
        text=text,
        part=part,
        valid_from=day(since),
        valid_to=day(until),
        **fields,
    )


def chunks_of(document: Document) -> list[Chunk]:
    """One chunk a wording, as the simplest chunker would make them."""
    norm = document.norm
    return [
        make_chunk(
            norm.id,
            block.label,
            version.text,
            since=version.valid_from,
            until=version.valid_to,
            block_id=block.id,
            kind=block.kind,
            section=block.title,
            position=block.position,
            law=norm.law,
            alias=norm.alias,
            collection=norm.collection,
        )
        for block in document.blocks
        for version in block.versions
    ]


def make_reference(norm_id: str | None, label: str | None, apartado: str | None = None) -> Reference:
    """A resolved reference; both None make an unresolved one."""
    text = f"artículo {label} de {norm_id}"
    return Reference(text=text, start=0, end=len(text), norm_id=norm_id, label=label, apartado=apartado)


def refer(source: Chunk, *targets: tuple[Any, ...]) -> dict[str, Sequence[Reference]]:
    """The `references` argument of `save` for one source: refer(chunk, ("N-2", "5"), ("N-2", "6", "2"))."""
    return {source.id: tuple(make_reference(*target) for target in targets)}


def save(
    writer: CorpusWriter, document: Document, references: Mapping[str, Sequence[Reference]] | None = None
) -> CorpusChange:
    """Save the document with `chunks_of` it."""
    return writer.save(document, chunks_of(document), references or {})


def file(database: Database, record: DocumentRecord) -> None:
    """Say where a stored norm came from."""
    document = database.corpus.document(record.norm_id)
    assert document is not None
    database.corpus_writer.update(document, database.corpus.norm_chunks(record.norm_id), record)


def ids(chunks: Iterable[Chunk]) -> list[str]:
    return [chunk.id for chunk in chunks]


def understood(question: str) -> Understanding:
    """The understanding of a question by itself, with nothing loaded."""
    return understand(question, (), SINCE, Holdings())
