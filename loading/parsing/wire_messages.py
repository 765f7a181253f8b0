"""Messages between the program and the process that reads files: one line of JSON each.

The answer comes from a process that a file may have taken over: it is validated text and no pickle.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from core.values import Value
from law.norms import Block, Document
from loading.formats.pictured_page import PicturedPassage
from loading.formats.word_comments import Comment

MAX_ANSWER = 24 << 20
"""Bytes of an answer; the longest law of the BOE, with all its wordings, takes a ninth of it."""

Check = Callable[[], None]
"""Asked ten times a second whether a task is still wanted; what it raises ends it at once."""


class Task(NamedTuple):
    """A file to read, a ZIP to unpack below `folder` when one is named, or a `page` to draw when it is not 0.

    Attributes:
        comments: of the copy of a Word file that is to be written to the path `folder`.
        quotes: to be marked on the page; `around` is the passage that they are from.
    """

    path: str
    collection: str = ""
    name: str = ""
    folder: str = ""
    page: int = 0
    quotes: Sequence[str] = ()
    around: str = ""
    comments: Sequence[Comment] | None = None


class Piece(Value):
    """A part of an answer.

    Attributes:
        document: the next document, still without its blocks.
        blocks: the next ones of the last document.
        passage: the pages drawn.
        made: the result of any other task, as JSON.
        error: why the file cannot be read, in Spanish.
        starved: True if the memory was not enough.
        last: True if nothing follows.
        spent: True if the process should read no other file.
    """

    document: Document | None = None
    blocks: tuple[Block, ...] = ()
    passage: PicturedPassage | None = None
    made: str = ""
    error: str = ""
    starved: bool = False
    last: bool = False
    spent: bool = False
