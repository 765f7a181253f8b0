"""The process that reads files: `python -m loading.parsing.child SECONDS MEGABYTES`.

It takes tasks from its standard input until that closes; a file that is too much for it costs nobody else.
"""

import gc
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from core.errors import ArticuladoError
from law.norms import Document
from loading.formats import load, unzip, word_comments
from loading.formats.page_picture import pictured
from loading.formats.word_comments import Comment
from loading.parsing.limits import Limits
from loading.parsing.wire_messages import Piece, Task

BATCH = 1 << 20
"""Characters of text in one piece: its reader lets others go on between pieces."""


def main() -> None:
    """Answer tasks until standard input is closed."""
    answers = os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not pass for an answer.
    os.dup2(2, 1)
    limits = Limits(*map(int, sys.argv[1:]))
    limits.confine()
    # Documents hold no circles, and looking for them costs more the more is read.
    gc.disable()
    for line in sys.stdin.buffer:
        limits.allow_time()
        for piece in _answer(Task(*json.loads(line))):
            answers.write(piece.model_dump_json().encode() + b"\n")
        end = Piece(last=True, spent=limits.is_spent())
        answers.write(end.model_dump_json().encode() + b"\n")
        answers.flush()


def _answer(task: Task) -> Iterator[Piece]:
    try:
        if task.comments is not None:
            comments = [Comment(*one) for one in task.comments]
            word_comments.write(Path(task.path), task.name, comments, Path(task.folder))
            return
        if task.folder:
            unzip(Path(task.path), task.name, Path(task.folder))
            return
        if task.page:
            path, named = Path(task.path), task.name
            yield Piece(passage=pictured(path, named, task.page, task.quotes, task.around))
            return
        for document in load(Path(task.path), task.collection, task.name):
            yield from _pieces(document)
    except ArticuladoError as error:
        yield Piece(error=str(error))
    except MemoryError:
        yield Piece(starved=True)


def _pieces(document: Document) -> Iterator[Piece]:
    yield Piece(document=document.model_copy(update={"blocks": ()}))
    start = size = 0
    for place, block in enumerate(document.blocks, 1):
        size += sum(len(version.text) for version in block.versions)
        if size > BATCH or place == len(document.blocks):
            yield Piece(blocks=document.blocks[start:place])
            start, size = place, 0


if __name__ == "__main__":
    main()
