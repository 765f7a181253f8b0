"""Turns paragraphs of any text format into documents: the norms they hold, and the blocks of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rag.chunking.chunk import SECTION_TYPE
from rag.errors import InputError
from rag.loaders import contract_facts, ids, norm_facts, ruling_facts
from rag.loaders.articles import article_blocks
from rag.loaders.compilation import split
from rag.loaders.lines import Paragraph
from rag.loaders.sections import section_blocks
from rag.types import Block, Document, Norm

MIN_PROVISIONS = 2


class Reading(NamedTuple):
    """Result of a format's reader.

    Attributes:
        name: name of the file.
        warnings: sentences for the user who loads it.
        reference: BOE identifier that the file gives for itself outside its text, or empty.
    """

    name: str
    paragraphs: list[Paragraph]
    warnings: tuple[str, ...] = ()
    reference: str = ""


def assemble(reading: Reading, collection: str) -> list[Document]:
    """One document, or one a norm when the text is a compilation.

    Raises:
        InputError: there is no text.
    """
    if not any(any(map(str.isalnum, paragraph.text)) for paragraph in reading.paragraphs):
        raise InputError(f"{reading.name}: no contiene texto; compruebe el archivo y súbalo otra vez.")
    parts, left_out = split(reading.paragraphs)
    documents: dict[str, Document] = {}
    for part in parts:
        document = _document(part, reading, collection, alone=len(parts) == 1)
        norm_id = ids.free(document.norm.id, documents)
        if norm_id != document.norm.id:
            document = document.model_copy(update={"norm": document.norm.model_copy(update={"id": norm_id})})
        documents[norm_id] = document
    found = list(documents.values())
    notes = (*reading.warnings, *([left_out] if left_out else []))
    return [found[0].model_copy(update={"warnings": (*notes, *found[0].warnings)}), *found[1:]]


def _document(part: Sequence[Paragraph], reading: Reading, collection: str, alone: bool) -> Document:
    name = reading.name if alone else ""
    norm = _ruling_or_contract(part, name, collection)
    if norm is not None:
        return Document(norm=norm, blocks=tuple(_tagged(norm, section_blocks(part, norm))))
    facts = norm_facts.describe(part, name, collection, reading.reference if alone else "")
    blocks, warnings = article_blocks(facts.body, facts.norm)
    provisions = sum(1 for block in blocks if block.label)
    if provisions >= (1 if facts.named else MIN_PROVISIONS):
        return Document(norm=facts.norm, blocks=tuple(blocks), warnings=tuple(warnings))
    norm = norm_facts.without_articles(facts.norm, part, name)
    return Document(norm=norm, blocks=tuple(section_blocks(part, norm)))


def _ruling_or_contract(part: Sequence[Paragraph], name: str, collection: str) -> Norm | None:
    return (
        ruling_facts.judgment(part, name, collection)
        or ruling_facts.criterion(part, name, collection)
        or contract_facts.contract(part, name, collection)
    )


def _tagged(norm: Norm, blocks: list[Block]) -> list[Block]:
    if norm.rank != contract_facts.RANK:
        return blocks
    return [
        block.model_copy(
            update={"attributes": {**block.attributes, SECTION_TYPE: contract_facts.subject(block.title)}}
        )
        for block in blocks
    ]
