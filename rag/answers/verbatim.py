"""Place of a quotation in a text, letter by letter. Pure functions.

Only differences of typography are ignored: Unicode composition, white space, dashes, quotation marks, soft
and line-end hyphens (X.23).
"""

import re
import unicodedata
from functools import lru_cache

from rag.answers.quotation_widening import at_words

_SAME = str.maketrans(
    {
        **dict.fromkeys("«»“”„‟″", '"'),
        **dict.fromkeys("‘’‚‛′´`", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "\u00a0": " ",
        "\u202f": " ",
    }
)
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_LINE_END_HYPHEN = re.compile(r"[-\u00ad\u2010](?<=[^\W\d_].)\s*\n\s*(?=[^\W\d_])")
_COMBINING = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
_RUNS = re.compile(
    rf"(?:{_LINE_END_HYPHEN.pattern})|(?P<space>\s+)|[{''.join(sorted(_INVISIBLE))}]+"
    rf"|(?P<run>[^\s\-\u2010{''.join(sorted(_INVISIBLE))}]+|[-\u2010])"
)
_SAME_OR_NOTHING = _SAME | dict.fromkeys(map(ord, _INVISIBLE))
_SIGNS = re.compile(f"[{re.escape(''.join(map(chr, _SAME_OR_NOTHING)))}]+")


@lru_cache(maxsize=64)
def fold_typography(text: str) -> tuple[str, list[int]]:
    """The text with typography folded, and for each of its characters the offset it came from.

    Kept for a while: many quotations are looked up in one article.
    """
    if unicodedata.is_normalized("NFC", text) and not _COMBINING.search(text):
        return _fold_composed(text)
    folded: list[str] = []
    offsets: list[int] = []
    skip_until = 0
    hyphens = {match.start(): match.end() for match in _LINE_END_HYPHEN.finditer(text)}
    index = 0
    while index < len(text):
        skip_until = hyphens.get(index, index)
        if skip_until > index:
            index = skip_until
            continue
        end = index + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        for char in unicodedata.normalize("NFC", text[index:end]).translate(_SAME):
            if char in _INVISIBLE:
                continue
            if char.isspace():
                if folded and folded[-1] != " ":
                    folded.append(" ")
                    offsets.append(index)
                continue
            folded.append(char)
            offsets.append(index)
        index = end
    return "".join(folded), offsets


def _fold_composed(text: str) -> tuple[str, list[int]]:
    """`fold_typography` of a text without combining marks, a run of characters at a time."""
    folded: list[str] = []
    offsets: list[int] = []
    spaced = True
    for match in _RUNS.finditer(text):
        if match.lastgroup == "run":
            folded.append(match[0].translate(_SAME))
            offsets.extend(range(match.start(), match.end()))
            spaced = False
        elif match.lastgroup == "space" and not spaced:
            folded.append(" ")
            offsets.append(match.start())
            spaced = True
    return "".join(folded), offsets


def typeset(text: str) -> str:
    """The text as quotations are compared: typography folded, one space for any white space.

    It is the folded text of `fold_typography` without offsets; text in NFC needs no loop over characters.
    """
    if not unicodedata.is_normalized("NFC", text):
        return fold_typography(text)[0]
    # Few signs change: looking for them takes a fraction of translating every character.
    text = _SIGNS.sub(lambda signs: signs[0].translate(_SAME_OR_NOTHING), _LINE_END_HYPHEN.sub("", text))
    words = " ".join(text.split())
    return f"{words} " if words and text[-1].isspace() else words


_typeset = lru_cache(maxsize=256)(typeset)
"""Of articles, each of which many quotations are looked for in."""


def clean_quote(quote: str) -> str:
    """A quotation without the marks that surround it in the model's output."""
    return quote.strip().strip("\"'«»“”‘’").strip()


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """(start, end) character offsets of a quotation in a text; None if the text does not contain it.

    It begins and ends where words do: «procedente si…» does not stand in «improcedente si…».
    """
    wanted = typeset(clean_quote(quote)).strip()
    if not wanted or wanted not in _typeset(text):
        return None
    folded, offsets = fold_typography(text)
    start = folded.find(wanted)
    while start >= 0 and not at_words(folded, start, start + len(wanted)):
        start = folded.find(wanted, start + 1)
    if start < 0:
        return None
    last = offsets[start + len(wanted) - 1]
    end = last + 1
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return offsets[start], end


def place_of(quote: str, text: str, start: int | None) -> tuple[int, int] | None:
    """(start, end) of a quotation in a text: at its known offset if it stands there, else by `locate`."""
    if start is not None and start >= 0 and text.startswith(quote, start):
        return start, start + len(quote)
    return locate(quote, text)
