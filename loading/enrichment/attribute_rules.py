"""Rules that find terms, amounts and dates in the blocks of a document, stored as attributes.

They describe a fragment to its reader. They are not search aids: measured as keywords, words that the text
already has ranked titles above the sections that answer.
"""

from collections.abc import Sequence

from law.norms import Block, Norm
from loading.aids import amounts_and_days, keywords
from loading.aids.packed_attributes import AMOUNTS, DAYS, TERMS, packed
from loading.chunking.chunk import has_substance


def text_of(block: Block) -> str:
    """The latest wording."""
    return block.versions[-1].text if block.versions else ""


def with_terms(blocks: Sequence[Block], norm: Norm) -> list[Block]:
    """The blocks that are searched, each with its `terminos` when rules find any."""
    texts = [f"{block.title}\n{text_of(block)}" for block in blocks]
    found = keywords.by_rule(texts, keywords.limit(norm.collection))
    return [
        _with(block, {TERMS: words}) if searched(block) else block
        for block, words in zip(blocks, found, strict=True)
    ]


def searched(block: Block) -> bool:
    """True if the latest wording of a block is searched."""
    return bool(block.versions) and has_substance(block, block.versions[-1])


def with_values(block: Block) -> Block:
    """The block with the amounts (`importes`) and dates (`fechas`) of its latest wording."""
    text = text_of(block)
    return _with(block, {AMOUNTS: amounts_and_days.amounts(text), DAYS: amounts_and_days.days(text)})


def _with(block: Block, found: dict[str, tuple[str, ...]]) -> Block:
    added = packed(found)
    return block.model_copy(update={"attributes": {**block.attributes, **added}}) if added else block
