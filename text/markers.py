"""Markers of an answer, which number the fragments that it was written from: [C1]."""

import re
from collections.abc import Iterable

MARKER = r"\[(C\d+)\]"
"""Pattern of a marker, with its name as a group."""


def markers(answer: str) -> list[str]:
    """Markers of an answer in order of first appearance: 'C1', 'C3'."""
    return list(dict.fromkeys(re.findall(MARKER, answer)))


def keep_markers(answer: str, known: Iterable[str]) -> str:
    """The answer without the markers that are not in `known`."""
    allowed = set(known)
    return re.sub(f" ?{MARKER}", lambda m: m[0] if m[1] in allowed else "", answer)
