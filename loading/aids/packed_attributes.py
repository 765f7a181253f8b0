"""Attributes of a block that hold several values in one text."""

from collections.abc import Iterable, Mapping

from law.norms import Block

SUMMARY, KEYWORDS, QUESTIONS = "summary", "keywords", "questions"
TERMS, AMOUNTS, DAYS, PAGES = "terminos", "importes", "fechas", "pages"
_SEPARATORS = {KEYWORDS: ", ", TERMS: ", ", QUESTIONS: "|", AMOUNTS: "|", DAYS: "|", SUMMARY: " ", PAGES: " "}


def packed(values: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """The attributes with these values, without those that stay empty."""
    return {name: text for name, parts in values.items() if (text := _SEPARATORS[name].join(parts))}


def unpacked(block: Block, name: str) -> tuple[str, ...]:
    """The values of an attribute of a block; the space around each is not part of it."""
    return split_packed(block.attributes.get(name, ""), _SEPARATORS[name].strip())


def split_packed(text: str, separator: str) -> tuple[str, ...]:
    """The parts of a text that are not empty, without the space around them; by space without a separator."""
    return tuple(part.strip() for part in text.split(separator or None) if part.strip())
