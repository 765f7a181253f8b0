"""Cutting a long wording into parts: at apartados, else letters, else sentences, else white space."""

import re
from collections import deque
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from law.provision import Provision
from law.provision_reading import read_provision
from text.segmentation import Span
from text.token_count import CHARS_PER_TOKEN, count_tokens

SMALL = 4


class Part(NamedTuple):
    """A slice of the text; from `fresh` on it repeats nothing of the part before it."""

    start: int
    end: int
    fresh: int


class _Piece(NamedTuple):
    start: int
    end: int
    level: int


def cut(text: str, limit: int, overlap: int) -> list[Part]:
    """Parts of at most `limit` characters that together cover `text`; white space at their ends is dropped.

    A part may begin by repeating the last whole sentences of the one before it, `overlap` characters at most.
    Each part ends after the one before it, so that no part lies inside another.
    """
    parts: list[Part] = []
    # Cuts that know the BOE's glued marks would change texts whose vectors travel with the program.
    provision = read_provision(text, glued=False)
    for span in _pack(provision, limit):
        start = _overlap(provision, parts[-1], span, limit, overlap) if parts else span.start
        parts.append(Part(start, span.end, span.start))
    return parts


def cut_by_tokens(text: str, limit: int, overlap: int) -> list[Part]:
    """The same in tokens (`text.token_count`), for texts without apartados: sentences, else words (S3.10).

    A sentence longer than `limit` is cut after a semicolon, a comma or a word; never in an amount or after an
    abbreviation.
    """
    pieces = [
        piece for sentence in read_provision(text).sentences for piece in _fitting(text, sentence.span, limit)
    ]
    sizes = [count_tokens(text[piece.start : piece.end]) for piece in pieces]
    parts: list[Part] = []
    first = 0
    while first < len(pieces):
        # The tail that the next part repeats always leaves room for one piece of its own.
        start = _tail(sizes, first, overlap, limit - sizes[first])
        end = first + 1
        used = sum(sizes[start:end])
        while end < len(pieces) and used + sizes[end] <= limit:
            used += sizes[end]
            end += 1
        parts.append(Part(pieces[start].start, pieces[end - 1].end, pieces[first].start))
        first = end
    return parts


def _tail(sizes: list[int], first: int, overlap: int, room: int) -> int:
    """Index from which the pieces before `first` fit together in `overlap` and in `room` tokens."""
    left = min(overlap, room)
    start = first
    while start > 0 and sizes[start - 1] <= left:
        start -= 1
        left -= sizes[start]
    return start


def _characters(text: str, limit: int) -> int:
    """The longest beginning of `text` of at most `limit` tokens, in characters; at least one."""
    low, high = 1, min(len(text), limit * CHARS_PER_TOKEN * 2)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count_tokens(text[:middle]) <= limit else (low, middle - 1)
    return low


def _fitting(text: str, span: Span, limit: int) -> Iterator[Span]:
    """The span, or pieces of it of at most `limit` tokens."""
    start = span.start
    # No more than this counts below the limit, so that a long span is not looked at again and again.
    most = limit * CHARS_PER_TOKEN * 2
    while count_tokens(body := text[start : min(span.end, start + most + 1)]) > limit or len(body) > most:
        stop = _words(body, _characters(body, limit))[0].end
        yield Span(start, start + stop)
        start = _after_blanks(text, start + stop, span.end)
    if start < span.end:
        yield Span(start, span.end)


def _pack(provision: Provision, limit: int) -> Iterator[Span]:
    """Greedy: whole pieces while they fit; a piece is divided when it alone exceeds a part."""
    queue = deque(_divide(provision, _Piece(0, len(provision.text), 0), limit))
    start: int | None = None
    end = 0
    while queue:
        piece = queue.popleft()
        begin = piece.start if start is None else start
        if piece.end - begin <= limit:
            start, end = begin, piece.end
        elif start is None or _should_divide(piece, end - start, limit):
            queue.extendleft(reversed(_divide(provision, piece, limit)))
        else:
            yield Span(start, end)
            start = None
            queue.appendleft(piece)
    if start is not None:
        yield Span(start, end)


def _should_divide(piece: _Piece, filled: int, limit: int) -> bool:
    """A part that holds little more than a heading takes the beginning of the next piece."""
    return filled < limit // SMALL and piece.level < 3


def _divide(provision: Provision, piece: _Piece, limit: int) -> list[_Piece]:
    """The pieces of the next finer level: apartados, letters, sentences, words."""
    level = piece.level + 1
    parts = [part for part in provision.parts if piece.start <= part.start < piece.end]
    if level == 1:
        groups = (list(group) for _, group in groupby(parts, key=lambda part: part.path[:1]))
        return [_Piece(group[0].start, group[-1].end, level) for group in groups]
    if level == 2:
        return [_Piece(part.start, part.end, level) for part in parts]
    if level == 3:
        inside = (one for one in provision.sentences if piece.start <= one.start < piece.end)
        return [_Piece(one.start, one.end, level) for one in inside]
    text = provision.text
    first, _ = _words(text[piece.start : min(piece.end, piece.start + limit)], limit)
    stop = piece.start + first.end
    return [_Piece(piece.start, stop, level), _Piece(_after_blanks(text, stop, piece.end), piece.end, level)]


def _words(body: str, limit: int) -> list[Span]:
    """The longest beginning that fits, and the rest: cut after a semicolon, a comma or a word.

    A word that ends in a full stop here is an abbreviation: the text after it stays with it.
    """
    for mark in (";", ",", r"[^\s.]"):
        stops = [found.end(1) for found in re.finditer(rf"({mark})\s", body[limit // 2 : limit])]
        if stops:
            stop = limit // 2 + stops[-1]
            return [Span(0, stop), Span(stop, len(body))]
    return [Span(0, limit), Span(limit, len(body))]


def _after_blanks(text: str, start: int, end: int) -> int:
    """The first place from `start` on that is no white space; `end` when there is none."""
    while start < end and text[start].isspace():
        start += 1
    return start


def _overlap(provision: Provision, before: Part, span: Span, limit: int, overlap: int) -> int:
    """Start of a part that repeats whole sentences of the previous part."""
    lowest = max(before.fresh + 1, span.start - overlap, span.end - limit)
    starts = (one.start for one in provision.sentences if one.start < before.end)
    return next((start for start in starts if start >= lowest), span.start)
