"""Search aids that a model wrote for blocks, kept on disk: one file a document, one line a block.

A line is appended as soon as its block is done, so a killed pass resumes where it stopped; a line that the
kill cut short is ignored and written again. The key covers text and prompt: a new wording, or a new prompt,
has no aid yet.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from core.errors import StorageError
from core.values import Value
from law.norms import Block
from loading.aids.packed_attributes import KEYWORDS, QUESTIONS, SUMMARY, packed
from loading.enrichment.kept_outputs import prefix

ORIGIN = "aids"
MODEL = "modelo"
"""Value of ORIGIN for aids by a model; without it they come from the document or the program's files."""
WRITTEN = "aids_written"
"""Names of the attributes that the model wrote, parted by spaces."""


class Aid(Value):
    """Search aids that a model wrote for one block; a field is empty if the block had its own."""

    summary: str = ""
    keywords: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()

    def on(self, block: Block) -> Block:
        """The block with this aid; values from the document or the program's files stay."""
        own = block.attributes
        values = packed({SUMMARY: [self.summary], KEYWORDS: self.keywords, QUESTIONS: self.questions})
        added = {key: value for key, value in values.items() if not own.get(key)}
        if not added:
            return block
        written = " ".join(dict.fromkeys((*own.get(WRITTEN, "").split(), *added)))
        return block.model_copy(update={"attributes": {**own, **added, ORIGIN: MODEL, WRITTEN: written}})


def without_written_aids(block: Block) -> Block:
    """The block without the aids that a model wrote."""
    own = block.attributes
    if own.get(ORIGIN) != MODEL:
        return block
    # Blocks stored by an earlier version do not tell which: nearly always all three.
    gone = {ORIGIN, WRITTEN, *(own.get(WRITTEN) or f"{SUMMARY} {KEYWORDS} {QUESTIONS}").split()}
    return block.model_copy(update={"attributes": {k: v for k, v in own.items() if k not in gone}})


@dataclass(frozen=True)
class AidFiles:
    """The aids of a folder."""

    folder: Path

    def of(self, norm_id: str) -> Mapping[str, Aid]:
        """Key to aid, of one document; a damaged line counts as not there."""
        try:
            lines = self._path(norm_id).read_text("utf-8", errors="replace").split("\n")
        except OSError:
            return {}
        found: dict[str, Aid] = {}
        for line in lines:
            try:
                entry = json.loads(line) if line else None
                if isinstance(entry, dict):
                    key = str(entry.pop("key"))
                    found[key] = Aid.model_validate(entry)
            except (ValueError, KeyError, ValidationError):
                continue
        return found

    def add(self, norm_id: str, key: str, aid: Aid) -> None:
        """Keep the aid of a block; it is on disk when this returns.

        Raises:
            StorageError: the disk fails.
        """
        path = self._path(norm_id)
        entry = json.dumps({"key": key, **aid.model_dump()}, ensure_ascii=False)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab") as file:
                # A line feed in front ends a line that a kill cut short.
                file.write(f"\n{entry}\n".encode("utf-8", "replace"))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise StorageError(
                f"No se pudo guardar lo enriquecido: compruebe el espacio y los permisos ({error.strerror})."
            ) from error

    def forget(self, norm_id: str) -> None:
        self._path(norm_id).unlink(missing_ok=True)

    def _path(self, norm_id: str) -> Path:
        return self.folder / f"{prefix(norm_id)}.jsonl"
