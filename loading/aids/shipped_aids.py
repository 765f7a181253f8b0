"""Keywords and questions for provisions of well-known norms, written one by one and shipped with the program.

One file a norm, `<BOE id>.jsonl`, one line a block: `{"block", "keywords", "questions"}`. They are search
aids: everyday words that lead to a provision written in different words. They are never shown as law or
cited. They join the aids that the loader found; a summary takes the aids of the norm that it stands for.
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from core.errors import InputError
from law.norms import SUMMARISES, Block, Document
from loading.aids.packed_attributes import KEYWORDS, QUESTIONS, packed, unpacked


class ShippedAid(BaseModel):
    """One line of a file: everyday keywords and questions that this block answers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    block: str
    keywords: tuple[str, ...]
    questions: tuple[str, ...]

    def on(self, block: Block) -> Block:
        """The block with these keywords and questions after its own."""
        added = {KEYWORDS: self.keywords, QUESTIONS: self.questions}
        joined = packed({name: dict.fromkeys((*unpacked(block, name), *added[name])) for name in added})
        return block.model_copy(update={"attributes": {**block.attributes, **joined}})


class Enrichment:
    """The search aids of a folder; empty without a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def norms(self) -> frozenset[str]:
        """Ids of the norms that have a file."""
        return frozenset(path.stem for path in self._folder.glob("*.jsonl")) if self._folder else frozenset()

    def apply(self, document: Document) -> Document:
        """The document with the aids of its norm added to its blocks.

        Raises:
            InputError: the norm's file is damaged.
        """
        norm = document.norm
        aids = self.of(norm.id if norm.official else norm.extra.get(SUMMARISES, ""))
        if not aids:
            return document
        blocks = tuple(aids[block.id].on(block) if block.id in aids else block for block in document.blocks)
        return document.model_copy(update={"blocks": blocks})

    def of(self, norm_id: str) -> dict[str, ShippedAid]:
        """Block id to its aid; empty for a norm without a file.

        Raises:
            InputError: a line is not a valid aid.
        """
        path = self._folder / f"{norm_id}.jsonl" if self._folder else None
        if path is None or not path.is_file():
            return {}
        try:
            lines = path.read_text("utf-8").splitlines()
            aids = [ShippedAid.model_validate_json(line) for line in lines if line.strip()]
        except (OSError, UnicodeDecodeError, ValidationError) as error:
            raise InputError(
                f"{path.name}: el archivo está dañado; cópielo de nuevo de los archivos del programa."
            ) from error
        return {aid.block: aid for aid in aids}
