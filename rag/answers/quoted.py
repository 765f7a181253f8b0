"""Words between quotation marks in the body of an answer, held against the fragments that it cites."""

import re
from collections.abc import Iterable, Iterator

from rag.answers.citations import locate

MIN_WORDS = 5
_SEAL = re.compile(
    r"\s*(?:[✔✓☑✅]\ufe0f?\s*)+|\s*\bcitas? comprobadas?(?: letra por letra)?\b", re.IGNORECASE
)
_QUOTED = re.compile(
    r"«([^«»]+)»|“([^“”]+)”|\"([^\"\n]+)\"|‘([^‘’]+)’|‹([^‹›]+)›|„([^„“”]+)[“”]|(?<!\w)'([^'\n]+)'(?!\w)"
)


def without_false_marks(answer: str, texts: Iterable[str]) -> tuple[str, list[str]]:
    """The answer without the quotation marks around words that stand in none of the texts, and those words.

    Fewer than MIN_WORDS words may be a name or a term, and stay; a first letter may change its case.
    """
    held = list(texts)
    lost: list[str] = []

    def checked(match: re.Match[str]) -> str:
        inside = next(group for group in match.groups() if group is not None)
        spellings = (inside, inside[:1].swapcase() + inside[1:])
        if len(inside.split()) < MIN_WORDS or any(locate(one, text) for one in spellings for text in held):
            return match[0]
        lost.append(inside)
        return inside

    return _QUOTED.sub(checked, answer), lost


def in_marks(answer: str) -> Iterator[tuple[int, int]]:
    """(start, end) of the words between each pair of quotation marks."""
    for match in _QUOTED.finditer(answer):
        yield match.span(match.lastindex or 0)


def without_seals(answer: str) -> str:
    """The answer without the words and signs by which the page says that a quotation has been checked."""
    return _SEAL.sub("", answer)
