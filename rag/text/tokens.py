"""Counts tokens without a tokenizer: an upper estimate, so that a budget is never exceeded."""

import re
from math import ceil

_PIECE = re.compile(r"\w+|[^\w\s]")
CHARS_PER_TOKEN = 4


def count_tokens(text: str) -> int:
    """Estimated tokens: every started four letters of a word count one, every other sign one.

    On Spanish legal text this is above the count of the tokenizers of the OpenAI and e5 families,
    which keep most words of up to seven letters whole.
    """
    return sum(ceil(len(piece) / CHARS_PER_TOKEN) for piece in _PIECE.findall(text))
