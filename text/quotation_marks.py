"""Quotation marks in a text: what each pair of them encloses, of whatever kind they are. Pure functions."""

import re
from typing import NamedTuple

_OPENING = {"«", "“", "„", "‟", "❝", "〝", "「", "『", "‹", "<<", "&laquo;", "&ldquo;", "‘", "‚", "❮"}
_CLOSING = {"»", "”", "❞", "〞", "」", "』", "›", ">>", "&raquo;", "&rdquo;", "’", "❯"}
_SINGLE = {"‘", "’", "‚", "'"}
# An apostrophe stands between letters, or after them («els treballadors d'», «años '90» is rare enough).
_MARK = re.compile(
    r"&[lr](?:aquo|dquo);|&quot;|<<|>>|''|``|[«»“”„‟❝❞〝〞「」『』‹›❮❯\"″＂`]"
    r"|(?<!\w)['‘‚](?=\S)|(?<=\S)['’](?!\w)"
)
_PARAGRAPH = re.compile(r"\n\s*\n")


class Marked(NamedTuple):
    """A stretch between quotation marks: `start` and `end` with its marks, `first` and `last` without.

    One that is never closed goes to the end of its paragraph.
    """

    start: int
    first: int
    last: int
    end: int


def marked(text: str) -> list[Marked]:
    """Every stretch between quotation marks, an outer one before those inside of it.

    Marks of different kinds may open and close; a closing mark that closes nothing opens, if another closes
    it. Marks with two sides may go over several paragraphs, as a quotation of several does.
    """
    ends = [*(gap.start() for gap in _PARAGRAPH.finditer(text)), len(text)]
    found: list[Marked] = []
    open_: list[re.Match[str]] = []
    paragraph = 0
    for mark in _MARK.finditer(text):
        while mark.start() > ends[paragraph]:
            paragraph += 1
            open_ = [one for one in open_ if one[0] in _OPENING]
        closes = mark[0] in _CLOSING or mark[0] not in _OPENING
        if closes and (place := _opened(open_, mark[0])) is not None:
            begun = open_[place]
            found.append(Marked(begun.start(), begun.end(), mark.start(), mark.end()))
            found += [_unclosed(one, ends) for one in open_[place + 1 :] if one[0] in _OPENING - _SINGLE]
            del open_[place:]
        elif mark[0] not in _SINGLE or mark[0] not in _CLOSING:
            open_.append(mark)
    found += [_unclosed(one, ends) for one in open_ if one[0] not in _SINGLE | _CLOSING]
    return sorted(found, key=lambda one: (one.start, -one.end))


def _unclosed(mark: re.Match[str], ends: list[int]) -> Marked:
    end = next(one for one in ends if one >= mark.end())
    return Marked(mark.start(), mark.end(), end, end)


def _opened(open_: list[re.Match[str]], mark: str) -> int | None:
    """The place of the mark that this one closes: the last, and of the same kind if it has no side."""
    sided = mark in _CLOSING
    for place in range(len(open_) - 1, -1, -1):
        other = open_[place][0]
        if other == mark or (sided and (other in _SINGLE) == (mark in _SINGLE)):
            return place
    return None
