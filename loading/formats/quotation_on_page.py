"""Where a quotation stands among the words of a page: exactly there, or nowhere. Pure functions."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from loading.formats.page_furniture import EDGE
from rag.answers.verbatim import locate

Edges = tuple[float, float, float, float]
"""Left, upper, right and lower edge, in pixels."""
Span = tuple[int, int]

AROUND = (8, 3)
"""Words on a side of a quotation that tell it from the same words elsewhere on the page; the most first."""
_BARS = re.compile(r"\s*\|(?:\s*-{3}\s*\|)*\s*")
_WORD = re.compile(r"\S+")
_LINE_END = re.compile(r"(?<=[^\W\d_]-)\s*\n\s*(?=[^\W\d_])")


class Sign(NamedTuple):
    """A character or a word of a page; blanks have no box."""

    text: str
    box: Edges | None = None


class PlacedText:
    """The text of a page in one order, with the box of each character."""

    def __init__(self, signs: Iterable[Sign]) -> None:
        kept = list(signs)
        self.text = "".join(sign.text for sign in kept)
        self._boxes = [sign.box for sign in kept for _ in sign.text]

    def places(self, quote: str) -> list[Span]:
        """Every place of a quotation, letter by letter as `locate` finds it; two at most are looked for."""
        found: list[Span] = []
        start = 0
        while len(found) < 2 and (span := locate(quote, self.text[start:])) is not None:
            found.append((start + span[0], start + span[1]))
            start = found[-1][1]
        return found

    def boxes(self, span: Span) -> list[Edges]:
        """A box for each line of a stretch."""
        # The characters of a word that OCR read have one box.
        return list(_lines(box for box in dict.fromkeys(self._boxes[slice(*span)]) if box is not None))

    def unbroken(self) -> "PlacedText":
        """The same with the hyphens at line ends, which `locate` takes for signs of a divided word."""
        ends = {place for match in _LINE_END.finditer(self.text) for place in range(*match.span())}
        signs = map(Sign, self.text, self._boxes)
        return PlacedText(sign for place, sign in enumerate(signs) if place not in ends)


def located(
    quote: str, around: str, page: Sequence[PlacedText], following: Sequence[PlacedText]
) -> tuple[list[Edges], list[Edges]] | None:
    """Boxes of a quotation on its page and on the one that follows it; None if the place is not certain.

    It is certain when the words stand once on the page, or once together with the words beside them; when
    they are not on the page, once on the following one; or when they end one and begin the other.

    Args:
        around: the text that the quotation is from.
        page, following: the text of each page, in the orders that it may be read in.
    """
    wanted = _words(quote)
    for one in page:
        if places := one.places(wanted):
            span = places[0] if len(places) == 1 else _beside(one, wanted, _words(around))
            return (one.boxes(span), []) if span else None
    for one in following:
        if places := one.places(wanted):
            return ([], one.boxes(places[0])) if len(places) == 1 else None
    for first, second in zip(page, following, strict=False):
        if halves := _over_the_end(wanted, first, second):
            return halves
    return None


def _words(text: str) -> str:
    """A text without the bars between the cells of tables, which no page shows."""
    return _BARS.sub(" ", text)


def _beside(page: PlacedText, quote: str, around: str) -> Span | None:
    """The place of a quotation that the page has twice, told by the words beside it."""
    span = locate(quote, around)
    if span is None:
        return None
    for count in AROUND:
        first = _start_of_last(around[: span[0]], count)
        last = span[1] + _end_of_first(around[span[1] :], count)
        for start, end in ((first, span[1]), (span[0], last), (first, last)):
            whole = page.places(around[start:end]) if end - start > span[1] - span[0] else []
            if len(whole) == 1:
                return _inside(page, whole[0], around[start : span[0]], quote)
    return None


def _inside(page: PlacedText, whole: Span, before: str, quote: str) -> Span | None:
    """The place of a quotation in a stretch of a page that begins with the words before it."""
    head = locate(before, page.text[slice(*whole)])
    start = whole[0] + (head[1] if head else 0)
    inner = locate(quote, page.text[start : whole[1]])
    return (start + inner[0], start + inner[1]) if inner else None


def _start_of_last(text: str, count: int) -> int:
    """Where the last words of a text begin."""
    starts = [match.start() for match in _WORD.finditer(text)]
    return starts[-count] if len(starts) >= count else 0


def _end_of_first(text: str, count: int) -> int:
    """Where the first words of a text end."""
    ends = [match.end() for match in _WORD.finditer(text)]
    return ends[count - 1] if len(ends) >= count else len(text)


def _over_the_end(
    quote: str, first: PlacedText, second: PlacedText
) -> tuple[list[Edges], list[Edges]] | None:
    """The two parts of a quotation that ends a page and goes on at the beginning of the next one.

    Only headers, footers and page numbers stand between them, as on the pages when they were read.
    """
    words = quote.split()
    for count in range(len(words) - 1, 0, -1):
        heads = first.places(" ".join(words[:count]))
        if not heads:
            continue
        tails = second.places(" ".join(words[count:]))
        if len(heads) != 1 or len(tails) != 1:
            return None
        (head,), (tail,) = heads, tails
        if max(_line_count(first.text[head[1] :]), _line_count(second.text[: tail[0]])) > EDGE:
            return None
        return first.boxes(head), second.boxes(tail)
    return None


def _line_count(text: str) -> int:
    return sum(1 for line in text.splitlines() if line.strip())


def _lines(boxes: Iterable[Edges]) -> Iterator[Edges]:
    """Boxes that follow each other in one line, as one."""
    last: Edges | None = None
    for box in boxes:
        if last is not None and _in_line(last, box):
            last = min(last[0], box[0]), min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3])
            continue
        if last is not None:
            yield last
        last = box
    if last is not None:
        yield last


def _in_line(last: Edges, box: Edges) -> bool:
    """True if a box goes on to the right of another, less than three of its heights away.

    Both are about as high as each alone: the box of a slanted line would cover others.
    """
    height = min(last[3] - last[1], box[3] - box[1])
    whole = max(last[3], box[3]) - min(last[1], box[1])
    return whole < 1.5 * height and -height <= box[0] - last[2] <= 3 * height
