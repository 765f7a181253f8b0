"""Tables that a text announces and does not have: some exports of a norm leave them out."""

import re
from itertools import pairwise

from text.segmentation import is_row

_ANNOUNCED = re.compile(
    r"\bsiguientes? (?P<first>cuadro|tabla|escala|baremo)s?\b"
    r"|\b(?P<last>cuadro|tabla|escala|baremo)s? siguientes?\b"
)
_SAID = {"cuadro": "un cuadro", "tabla": "una tabla", "escala": "una escala", "baremo": "un baremo"}
_APARTADO = re.compile(r"\d{1,2}\.\s")
_ITEM = re.compile(r"\s*(?:[-–—•*]|\w{1,2}[.)º]|\d|.{0,40}?\d)")


def lacking(text: str) -> list[str]:
    """The tables that paragraphs announce and no row or list follows, in Spanish («un cuadro»), in order.

    The last paragraph is left out: what it announces may be in another part of its article.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    found = []
    for line, following in pairwise(lines):
        announced = _ANNOUNCED.search(line)
        if announced and not is_row(line) and not _goes_on(line, following):
            found.append(_SAID[announced["first"] or announced["last"]])
    return list(dict.fromkeys(found))


def _goes_on(line: str, following: str) -> bool:
    """True if what follows a paragraph may be the table that it announces."""
    if is_row(following):
        return True
    if line.endswith(":"):
        return _ITEM.match(following) is not None
    return _ITEM.match(following) is not None and _APARTADO.match(following) is None
