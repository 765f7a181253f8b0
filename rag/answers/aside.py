"""The part of an answer without a model that is shown apart: what may be of interest too."""

from collections.abc import Sequence

ASIDE = "También pueden interesar"
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
