"""Generated identifiers for norms and blocks that come without one."""

import re
from collections.abc import Collection

from law import labels
from law.norms import BlockKind

NORM_LENGTH, BLOCK_LENGTH = 80, 40
TRIED = 50
_SLUG = re.compile(r"[^a-z0-9]+")


def slug(text: str, most: int | None = None) -> str:
    """ASCII words joined by hyphens, in at most so many characters."""
    return (_SLUG.sub("-", labels.fold(text)).strip("-") or "documento")[:most].strip("-")


def block_id(found: labels.Label) -> str:
    """'a48bis', 'daprimera', 'anexoi'."""
    compact = labels.fold(found.label).replace(" ", "")
    return f"a{compact}" if found.kind is BlockKind.ARTICLE else compact


def free(derived: str, taken: Collection[str]) -> str:
    """`derived`, or with the first number (after TRIED: a number) that makes it new: 'hechos-2'."""
    if derived not in taken:
        return derived
    number = next((n for n in range(2, TRIED + 1) if f"{derived}-{n}" not in taken), 0)
    if not number:
        # Thousands of one name, each of which must not try all those before it.
        low, number = TRIED, TRIED * 2
        while f"{derived}-{number}" in taken:
            low, number = number, number * 2
        while number - low > 1:
            middle = (low + number) // 2
            low, number = (middle, number) if f"{derived}-{middle}" in taken else (low, middle)
    return f"{derived}-{number}"
