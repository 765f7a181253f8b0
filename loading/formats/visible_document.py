"""A document as a reader sees it: no hidden characters, no letters that pass for others."""

from collections.abc import Mapping

from law.norms import Block, Document
from text.legible import legible, letters_told

NAMES = ("title", "law", "alias", "rank", "number", "department", "territory", "status")
URL = "url"


def as_seen(document: Document, *, official: bool = False) -> Document:
    """The document with all its words legible, metadata and search aids too; what was changed is warned of.

    Not those of the BOE's own XML (`official`), which has soft hyphens and the like in places.
    """
    hidden, mixed = 0, list[str]()

    def seen(text: str) -> str:
        nonlocal hidden
        found = legible(text)
        hidden += found.hidden
        mixed.extend(found.mixed)
        return found.text

    def each(values: Mapping[str, str]) -> dict[str, str]:
        return {key: value if key == URL else seen(value) for key, value in values.items()}

    def block_seen(block: Block) -> Block:
        versions = tuple(
            version.model_copy(update={"text": seen(version.text), "notes": tuple(map(seen, version.notes))})
            for version in block.versions
        )
        headings = {"title": seen(block.title), "path": tuple(map(seen, block.path))}
        return block.model_copy(
            update={**headings, "versions": versions, "attributes": each(block.attributes)}
        )

    norm = document.norm
    names = {name: seen(getattr(norm, name)) for name in NAMES}
    more = {"aliases": tuple(map(seen, norm.aliases)), "extra": each(norm.extra)}
    norm = norm.model_copy(update={**names, **more})
    blocks = tuple(map(block_seen, document.blocks))
    warnings = (*document.warnings, *([] if official else letters_told(hidden, mixed)))
    return document.model_copy(update={"norm": norm, "blocks": blocks, "warnings": warnings})
