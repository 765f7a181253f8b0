"""Manual corrections to the metadata that loaders find, kept for later versions of the document."""

import re
from collections.abc import Mapping
from datetime import date

from core.errors import InputError
from law.chunks import Chunk
from law.decisions import LAW, PAPERS
from law.norms import UNDATED, Document, Norm
from law.validity import ENDED
from loading.aids.packed_attributes import split_packed
from loading.chunking.chunk import block_url, content_hash
from loading.formats.boe_xml import ended
from loading.formats.front_matter import DATES, TEXTS
from loading.formats.norm_facts import is_rank
from loading.ingestion.merged_articles import begun

EXTRA = "extra."
ID, COLLECTION = "id", "collection"
NEEDED = {
    "title": "el título",
    "law": "el nombre de la norma",
    "territory": "el territorio",
    COLLECTION: "la colección",
}


def corrected(document: Document, changes: Mapping[str, str]) -> Document:
    """The document with these fields of its norm changed, and its wordings ended when the norm ends.

    Args:
        changes: field to new value: those of `TEXTS`, `aliases` (comma separated), `DATES` (ISO, or empty
            for none), `collection` and `extra.<key>` (empty removes it).

    Raises:
        InputError: an unknown field, or an invalid value.
    """
    if document.norm.collection == PAPERS and is_rank(changes.get("rank", "")):
        changes = {COLLECTION: LAW, **changes}
    norm = _norm(document.norm, changes)
    blocks = document.blocks
    starts = {version.valid_from for block in blocks for version in block.versions}
    undated = starts == {UNDATED}
    start = norm.valid_from or (norm.published if undated else None)
    if start and (undated or start != document.norm.valid_from) and len(starts) == 1:
        blocks = tuple(begun(block, start) for block in blocks)
    if norm.repealed_on != document.norm.repealed_on:
        blocks = tuple(ended(block, norm.repealed_on, document.norm.repealed_on) for block in blocks)
    return document.model_copy(update={"norm": norm, "blocks": blocks})


def identified(document: Document, norm_id: str) -> Document:
    """The document under another identifier; an empty one leaves it as it is.

    Raises:
        InputError: it holds more than letters, digits, dots, hyphens and underscores.
    """
    if not norm_id:
        return document
    if not re.fullmatch(r"[\w.\-]{1,100}", norm_id):
        raise InputError(f"«{norm_id}» no sirve como identificador: use letras, cifras, puntos y guiones.")
    return document.model_copy(update={"norm": document.norm.model_copy(update={"id": norm_id})})


def day_of(text: str) -> date | None:
    """An ISO date, or None for an empty text. Raises InputError for anything else."""
    try:
        return date.fromisoformat(text.strip()) if text.strip() else None
    except ValueError:
        raise InputError(f"«{text.strip()}» no es una fecha: escríbala como 2024-03-01.") from None


def restamped(chunks: list[Chunk], document: Document) -> list[Chunk] | None:
    """The chunks of a corrected document, with the same cuts; None when it must be chunked again."""
    norm = document.norm
    ends = {
        (block.id, version.valid_from): version.valid_to
        for block in document.blocks
        for version in block.versions
    }
    if any((chunk.block_id, chunk.valid_from) not in ends for chunk in chunks):
        return None
    blocks = {block.id: block for block in document.blocks}
    stamped = [
        chunk.model_copy(
            update={
                "collection": norm.collection,
                "law": norm.law,
                "alias": norm.alias,
                "rank": norm.rank,
                "territory": norm.territory,
                "url": blocks[chunk.block_id].attributes.get("url") or block_url(norm, chunk.block_id),
                "valid_to": ends[chunk.block_id, chunk.valid_from],
            }
        )
        for chunk in chunks
    ]
    return [chunk.model_copy(update={"content_hash": content_hash(chunk, norm)}) for chunk in stamped]


def _norm(norm: Norm, changes: Mapping[str, str]) -> Norm:
    fields: dict[str, object] = {}
    extra = dict(norm.extra)
    for key, value in changes.items():
        text = value.strip()
        if key in TEXTS or key == COLLECTION:
            if key in NEEDED and not text:
                raise InputError(f"Escriba {NEEDED[key]}: no puede quedar vacío.")
            fields[key] = text
        elif key in DATES:
            fields[key] = day_of(text)
        elif key == "aliases":
            fields[key] = split_packed(value, ",")
        elif key.startswith(EXTRA):
            extra[key.removeprefix(EXTRA)] = text
        else:
            raise InputError(f"«{key}» no es un dato que se pueda cambiar.")
    fields["extra"] = {key: value for key, value in extra.items() if value}
    if fields.get("status") == "Vigente" and "repealed_on" not in fields:
        fields["repealed_on"] = None
    changed = norm.model_copy(update=fields)
    if changed.status in ENDED and changed.repealed_on is None:
        raise InputError(f"Indique el último día de vigencia: la norma pasa a «{changed.status}».")
    if changed.valid_from and changed.repealed_on and changed.repealed_on < changed.valid_from:
        raise InputError("El último día de vigencia no puede ser anterior al primero.")
    return changed
