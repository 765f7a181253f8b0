"""Reads ready-made JSON chunks (law, chapter, section, text, resumen, palabras_clave…) into documents."""

import json
import re
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, Field, ValidationError, field_validator

from core.errors import InputError
from law import labels
from law.norms import UNDATED, Block, BlockKind, BlockVersion, Document, Norm
from loading.aids.packed_attributes import KEYWORDS, QUESTIONS, SUMMARY, packed
from loading.formats import generated_ids, norm_facts
from loading.formats.broken_lines import Paragraph
from loading.formats.encoding import clean, decode, one_line
from loading.formats.source_file import Source

_LISTS = ("chunks", "data", "documents", "fragmentos")
_PART = re.compile(r"\s*[\[(](?:parte|part\.?)\s*\d+(?:\s*(?:de|/)\s*\d+)?[\])]\s*\.?$", re.IGNORECASE)
_LOOKS = re.compile(rb'"(?:text|texto)"\s*:')


class _Entry(BaseModel):
    """One chunk as the file gives it; its other fields (ids, refs) are ignored."""

    law: str = ""
    chapter: str | None = ""
    section: str | None = ""
    text: str = Field(min_length=1)
    resumen: str | None = ""
    palabras_clave: list[str] = []
    preguntas: list[str] = []

    @field_validator("palabras_clave", "preguntas", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return [] if value is None else [value] if isinstance(value, str) else value


def looks_right(head: bytes) -> bool:
    """True if the first bytes of a file could begin such a list."""
    return _LOOKS.search(head) is not None


def load(source: Source, collection: str) -> list[Document]:
    """One document a law, in the order in which the laws first appear.

    Raises:
        InputError: it is not JSON, or not a list of chunks with text.
    """
    entries = _entries(source)
    laws: dict[str, list[_Entry]] = {}
    for entry in entries:
        laws.setdefault(entry.law.strip(), []).append(entry)
    documents: dict[str, Document] = {}
    for law, chunks in laws.items():
        norm = norm_facts.describe(
            [Paragraph(law or source.stem)], source.name if not law else "", collection
        ).norm
        norm_id = generated_ids.free(norm.id, documents)
        norm = norm.model_copy(update={"id": norm_id})
        documents[norm_id] = Document(norm=norm, blocks=tuple(_blocks(chunks, norm)))
    return list(documents.values())


def _entries(source: Source) -> list[_Entry]:
    try:
        content = json.loads(decode(source.data, source.name))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{source.name}: no es un JSON válido; compruébelo y súbalo otra vez.") from error
    if isinstance(content, dict):
        content = next((content[key] for key in _LISTS if isinstance(content.get(key), list)), None)
    if not isinstance(content, list) or not content:
        raise InputError(
            f"{source.name}: debe ser una lista de fragmentos con los campos law, chapter, section y text."
        )
    entries: list[_Entry] = []
    for number, item in enumerate(content, 1):
        try:
            entries.append(_Entry.model_validate(_cleaned(item)))
        except ValidationError as error:
            field = ".".join(map(str, error.errors()[0]["loc"])) or "text"
            raise InputError(
                f"{source.name}: el fragmento {number} no sirve: revise su campo «{field}»."
            ) from error
    return entries


def _cleaned(value: Any) -> Any:
    """The value with its strings cleaned: JSON escapes can write halves of surrogate pairs."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: _cleaned(item) for key, item in value.items()}
    return [_cleaned(item) for item in value] if isinstance(value, list) else value


def _blocks(chunks: Sequence[_Entry], norm: Norm) -> list[Block]:
    """A block a section; the parts of one article, one after another, are one block."""
    blocks: dict[str, Block] = {}
    last = ("", "")
    for entry in chunks:
        section = _PART.sub("", one_line(entry.section or ""))
        chapter = one_line(entry.chapter or "")
        text = entry.text.strip()
        if not text:
            continue
        if section and last == (chapter, section):
            block = blocks.popitem()[1]
            blocks[block.id] = _joined(block, entry, text)
            continue
        last = (chapter, section)
        block = _block(entry, section, chapter, text, norm)
        block_id = generated_ids.free(block.id, blocks)
        blocks[block_id] = block.model_copy(update={"id": block_id, "position": len(blocks)})
    return list(blocks.values())


def _block(entry: _Entry, section: str, chapter: str, text: str, norm: Norm) -> Block:
    found = labels.of_heading(section)
    whole = text if not section or text.startswith(section) else f"{section}\n{text}"
    version = BlockVersion(valid_from=norm.valid_from or UNDATED, text=whole)
    return Block(
        id=generated_ids.block_id(found)
        if found
        else generated_ids.slug(section or "texto", generated_ids.BLOCK_LENGTH),
        kind=found.kind if found else BlockKind.SECTION,
        label=found.label if found else "",
        title=section,
        path=tuple(part.strip() for part in chapter.split(">") if part.strip()),
        versions=(version,),
        attributes=_attributes(entry),
    )


def _attributes(entry: _Entry) -> dict[str, str]:
    words = (one_line(word.replace(",", " ")) for word in entry.palabras_clave)
    questions = (one_line(question).replace("|", "/") for question in entry.preguntas)
    return packed({SUMMARY: [one_line(entry.resumen or "")], KEYWORDS: words, QUESTIONS: questions})


def _joined(block: Block, entry: _Entry, text: str) -> Block:
    version = block.versions[0]
    own, more = block.attributes, _attributes(entry)
    merged = packed(
        {name: dict.fromkeys(one[name] for one in (own, more) if name in one) for name in {**own, **more}}
    )
    longer = version.model_copy(update={"text": f"{version.text}\n{text}"})
    return block.model_copy(update={"versions": (longer,), "attributes": merged})
