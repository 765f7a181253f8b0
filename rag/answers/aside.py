"""The part of an answer without a model that is shown apart: what may be of interest too."""

from collections.abc import Sequence

from rag.answers.quoted_words import in_marks
from text.textnorm import comparable_text

ASIDE = "También pueden interesar"
BEGINNING = 20
"""Characters by which a row of a table, which is put into words, is known in an answer."""
_HEADING = f"### {ASIDE}"


def with_aside(shown: Sequence[str], aside: Sequence[str]) -> str:
    """Paragraphs of an answer, and those that stand under the heading."""
    return "\n\n".join([*shown, *([_HEADING, *aside] if aside else [])])


def without_aside(text: str) -> tuple[str, str]:
    """The text up to the heading, and what stands under it, which may be empty."""
    shown, _, aside = text.partition(f"\n\n{_HEADING}\n\n")
    return shown, aside


def opening(text: str) -> str:
    """The text up to the first marker: what answers first."""
    return text.partition("[C")[0]


def is_shown(quote: str, shown: str) -> bool:
    """True if words of a quotation stand in a text, between marks or as a row in words."""
    said = comparable_text(quote)
    stretches = (comparable_text(shown[start:end]) for start, end in in_marks(shown))
    return any(one in said or said in one for one in stretches) or said[:BEGINNING] in comparable_text(shown)
