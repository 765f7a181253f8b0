"""Turns paragraphs of any text format into documents: the norms they hold, and the blocks of each."""

from collections.abc import Sequence

from core.errors import InputError
from law.decisions import JUDGMENTS, LAW, PAPERS
from law.norms import BRIEF, UNDATED, Block, BlockKind, BlockVersion, Document, Norm
from loading.formats import (
    agreement_facts,
    capitals,
    contract_facts,
    criterion_facts,
    generated_ids,
    norm_facts,
    papers,
    ruling_facts,
)
from loading.formats.articles import article_blocks
from loading.formats.broken_lines import Paragraph
from loading.formats.compilation import split_compilation
from loading.formats.journal import read_journal
from loading.formats.sections import section_blocks

MOVED = "Se reconoce como «{rank}»: se guarda con los de su clase, no con la normativa."
LISTED = "es una lista de {count} resoluciones y no una de ellas; descargue y suba las que necesite."
MIN_PROVISIONS = 2
BETWEEN = "\n\n"
"""Separator of the paragraphs of a brief."""


def assemble(
    name: str,
    paragraphs: Sequence[Paragraph],
    collection: str,
    warnings: Sequence[str] = (),
    reference: str = "",
    *,
    heads: Sequence[str] = (),
) -> list[Document]:
    """One document, or one a norm when the text is a compilation.

    Args:
        name: name of the file.
        warnings: sentences for the user who loads it.
        reference: BOE identifier that the file gives for itself outside its text, or empty.
        heads: lines over the text of its pages that name their journal.

    Raises:
        InputError: there is no text.
    """
    if not any(any(map(str.isalnum, paragraph.text)) for paragraph in paragraphs):
        raise InputError(f"{name}: no contiene texto; compruebe el archivo y súbalo otra vez.")
    if collection == BRIEF:
        return [_brief(name, paragraphs, warnings)]
    parts, left_out = split_compilation(paragraphs)
    if len(parts) > 1:
        name, reference, heads = "", "", ()
    documents: dict[str, Document] = {}
    for part in parts:
        document = _document(part, name, collection, reference, heads)
        norm_id = generated_ids.free(document.norm.id, documents)
        if norm_id != document.norm.id:
            document = document.model_copy(update={"norm": document.norm.model_copy(update={"id": norm_id})})
        documents[norm_id] = document
    found = list(documents.values())
    notes = (*warnings, *([left_out] if left_out else []))
    return [found[0].model_copy(update={"warnings": (*notes, *found[0].warnings)}), *found[1:]]


def _brief(name: str, paragraphs: Sequence[Paragraph], warnings: Sequence[str]) -> Document:
    """The paragraphs as they are: what a brief says of articles makes it no law."""
    text = BETWEEN.join(paragraph.text for paragraph in paragraphs)
    version = BlockVersion(valid_from=UNDATED, text=text)
    block = Block(id=BRIEF, kind=BlockKind.SECTION, versions=(version,))
    norm = Norm(id=BRIEF, collection=BRIEF, title=name, law=name)
    return Document(norm=norm, blocks=(block,), warnings=tuple(warnings))


def _document(
    part: Sequence[Paragraph], name: str, collection: str, reference: str, heads: Sequence[str]
) -> Document:
    if collection in (LAW, JUDGMENTS) and (listed := ruling_facts.listed_rulings(part)):
        raise InputError(f"{name}: {LISTED.format(count=listed)}")
    norm = _ruling_or_contract(part, name, collection)
    if norm is not None:
        told = [MOVED.format(rank=norm.rank)] if norm.collection != collection else []
        sections = contract_facts.tagged(section_blocks(part, norm), norm)
        return Document(norm=norm, blocks=sections, warnings=tuple(told))
    facts = norm_facts.describe(part, name, collection, reference, read_journal(heads).day)
    norm = _completed(facts.norm, part, heads)
    blocks, warnings = article_blocks(facts.body, norm)
    divided = provisions(blocks) >= (1 if facts.named else MIN_PROVISIONS)
    if collection == LAW:
        norm = papers.recognised(norm, part, name, divided=divided)
    if divided:
        return Document(norm=norm, blocks=tuple(blocks), warnings=tuple(warnings))
    if norm.collection != PAPERS:
        norm = norm_facts.without_articles(norm, part, name)
    return Document(norm=norm, blocks=tuple(section_blocks(part, norm)))


def described(norm: Norm, paragraphs: Sequence[Paragraph]) -> Document:
    """The document of paragraphs whose norm is told apart from them; an agreement is completed from them."""
    norm = _completed(norm, paragraphs)
    blocks, warnings = article_blocks(paragraphs, norm)
    if not provisions(blocks):
        blocks, warnings = section_blocks(paragraphs, norm), []
    return Document(norm=norm, blocks=tuple(blocks), warnings=tuple(warnings))


def provisions(blocks: Sequence[Block]) -> int:
    """Number of blocks that are provisions."""
    return sum(1 for block in blocks if block.label)


def _completed(norm: Norm, part: Sequence[Paragraph], heads: Sequence[str] = ()) -> Norm:
    return _in_small_letters(agreement_facts.completed(norm, part, heads), part)


def _in_small_letters(norm: Norm, part: Sequence[Paragraph]) -> Norm:
    """The norm with its title and name, if they are in capitals, as its sentences write them."""
    texts = [paragraph.text for paragraph in part]
    return norm.model_copy(
        update={"title": capitals.as_said(norm.title, texts), "law": capitals.as_said(norm.law, texts)}
    )


def _ruling_or_contract(part: Sequence[Paragraph], name: str, collection: str) -> Norm | None:
    return (
        ruling_facts.judgment(part, name, collection)
        or criterion_facts.criterion(part, name, collection)
        or contract_facts.contract(part, name, collection)
    )
