"""A document as a reader sees it: no hidden characters, no letters that pass for others."""

from rag.text.legible import legible, told
from rag.types import Document

NAMES = ("title", "law", "alias", "department")


def as_seen(document: Document, *, official: bool = False) -> Document:
    """The document with legible names, headings and texts; what was changed joins its warnings.

    Not those of the BOE's own XML (`official`), which has soft hyphens and the like in places.
    """
    hidden, mixed = 0, list[str]()

    def seen(text: str) -> str:
        nonlocal hidden
        found = legible(text)
        hidden += found.hidden
        mixed.extend(found.mixed)
        return found.text

    norm = document.norm.model_copy(update={name: seen(getattr(document.norm, name)) for name in NAMES})
    blocks = tuple(
        block.model_copy(
            update={
                "title": seen(block.title),
                "path": tuple(map(seen, block.path)),
                "versions": tuple(
                    version.model_copy(update={"text": seen(version.text)}) for version in block.versions
                ),
            }
        )
        for block in document.blocks
    )
    warnings = (*document.warnings, *([] if official else told(hidden, mixed)))
    return document.model_copy(update={"norm": norm, "blocks": blocks, "warnings": warnings})
