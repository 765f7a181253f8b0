"""Builds embedding requests and reads vectors from the answers: pure helpers of the remote embedders."""

import math
from collections.abc import Iterator, Sequence
from itertools import islice

Vector = tuple[float, ...]


def unit(vector: Sequence[float]) -> Vector:
    """`vector` with length 1.

    Raises:
        ValueError: it is null, or holds NaN or infinity.
    """
    norm = math.sqrt(math.fsum(value * value for value in vector))
    if not math.isfinite(norm) or norm == 0.0:
        raise ValueError("the vector has no direction")
    return tuple(value / norm for value in vector)


def windows(text: str, size: int) -> list[str]:
    """`text` in pieces of `size` characters at most, cut at white space where there is any."""
    pieces = []
    while len(text) > size:
        cut = text.rfind(" ", size // 2, size)
        cut = size if cut < 0 else cut
        pieces.append(text[:cut])
        text = text[cut:].lstrip()
    return [*pieces, text] if text else pieces


def batches(texts: Sequence[str], most: int, characters: int) -> Iterator[list[str]]:
    """`texts` in order, `most` at a time and no more than `characters` together (one text at least)."""
    batch: list[str] = []
    total = 0
    for text in texts:
        if batch and (len(batch) == most or total + len(text) > characters):
            yield batch
            batch, total = [], 0
        batch.append(text)
        total += len(text)
    if batch:
        yield batch


def means(vectors: Sequence[Vector], sizes: Sequence[int]) -> list[Vector]:
    """One unit vector per group of consecutive unit vectors: the normalised mean of its windows."""
    rest = iter(vectors)
    groups = (list(islice(rest, size)) for size in sizes)
    return [
        group[0] if len(group) == 1 else unit([sum(axis) for axis in zip(*group, strict=True)])
        for group in groups
    ]
