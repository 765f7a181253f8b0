"""The door of every file from outside: it is read in a process with limits, never in the program itself."""

import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from core.errors import InputError
from law.norms import Block, Document
from loading.formats import unpacked
from loading.formats.pictured_page import PicturedPassage
from loading.formats.word_comments import Comment
from loading.parsing.kept_processes import KeptProcesses
from loading.parsing.limits import Limits
from loading.parsing.reading_process import LOOK_SECONDS, Died, TooBig, TooLong, TooSlow
from loading.parsing.wire_messages import Check, Piece, Task

AT_ONCE = 2
MAX_ERROR = 1000
TOO_SLOW = (
    "{name}: ha tardado más de {seconds} segundos en leerse; divídalo en partes o guárdelo en otro formato."
)
TOO_BIG = (
    "{name}: leerlo necesita más de {memory} MB de memoria; divídalo en partes o guárdelo en otro formato."
)
TOO_LONG = "{name}: contiene demasiado texto; divídalo en partes."
DIED = (
    "{name}: ha cerrado de golpe el programa que lo leía, porque está dañado o necesita más de {memory} MB "
    "de memoria; expórtelo otra vez, divídalo en partes o guárdelo en otro formato."
)
_SENTENCES: dict[type[Exception], str] = {TooSlow: TOO_SLOW, TooBig: TOO_BIG, TooLong: TOO_LONG, Died: DIED}


def go_on() -> None:
    """Nobody wants it to end."""


class FileReader(KeptProcesses):
    """Reads files in processes that are kept for the next ones; two at once, others wait. For any thread."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self._slots = threading.BoundedSemaphore(AT_ONCE)

    def load(
        self,
        path: Path,
        collection: str = "normativa",
        name: str = "",
        check: Check = go_on,
    ) -> list[Document]:
        """The documents of a file or of a BOE folder; see `loading.formats.load`.

        Raises:
            InputError: it cannot be read, or not within the limits.
        """
        found: list[tuple[Document, list[Block]]] = []
        task = Task(str(path.absolute()), collection, name)
        for piece in self._answer(task, name or path.name, check):
            if piece.document is not None:
                found.append((piece.document, []))
            elif piece.blocks and found:
                found[-1][1].extend(piece.blocks)
        return [document.model_copy(update={"blocks": tuple(blocks)}) for document, blocks in found]

    def unzip(self, path: Path, name: str, folder: Path, check: Check = go_on) -> list[Path]:
        """Unpack a ZIP below `folder`; see `loading.formats.unzip`.

        Raises:
            InputError: it cannot be unpacked, or not within the limits.
        """
        self._answer(Task(str(path.absolute()), "", name, str(folder.absolute())), name, check)
        return unpacked(folder)

    def picture(
        self, path: Path, name: str, page: int, quotes: Sequence[str], around: str
    ) -> PicturedPassage:
        """A page of a file as a picture with the quotations marked; see `page_picture.pictured`.

        Raises:
            InputError: it cannot be drawn, or not within the limits.
        """
        task = Task(str(path.absolute()), name=name, page=page, quotes=quotes, around=around)
        found = (piece.passage for piece in self._answer(task, name, go_on))
        return next(filter(None, found), PicturedPassage())

    def comment(self, path: Path, name: str, comments: Sequence[Comment], into: Path) -> None:
        """Write a copy of a Word file with comments; see `word_comments.write`.

        Raises:
            InputError: it cannot be written, or not within the limits.
        """
        task = Task(str(path.absolute()), name=name, folder=str(into.absolute()), comments=comments)
        self._answer(task, name, go_on)

    def _answer(self, task: Task, name: str, check: Check) -> list[Piece]:
        while not self._slots.acquire(timeout=LOOK_SECONDS):
            check()
        try:
            pieces = self._asked(task, check)
        except tuple(_SENTENCES) as error:
            told = _SENTENCES[type(error)]
            limits = self.limits
            raise InputError(
                told.format(name=name, seconds=limits.seconds, memory=limits.memory_mb)
            ) from error
        finally:
            self._slots.release()
        for piece in pieces:
            if piece.error:
                raise InputError(piece.error[:MAX_ERROR])
        return pieces


@cache
def reader_of(limits: Limits) -> FileReader:
    """The reader with these limits, one for the whole program: its processes serve every caller."""
    return FileReader(limits)
