"""The topic of a block, from the words of its headings: one of the subjects of `lexicon/topics.toml`."""

import re
from functools import lru_cache

from law.labels import fold
from lexicon.data_files import read_toml

GENERAL = "general"


def section_type(section: str, chapter: str, title: str) -> str:
    """The first subject whose words occur in the heading, else in the chapter, else in the norm's title."""
    for text in (section, chapter, title):
        folded = fold(text)
        for subject, pattern in _subjects():
            if pattern.search(folded):
                return subject
    return GENERAL


@lru_cache(maxsize=1)
def _subjects() -> tuple[tuple[str, re.Pattern[str]], ...]:
    subjects = read_toml("topics.toml").items()
    return tuple((name, re.compile(rf"\b(?:{'|'.join(words)})")) for name, words in subjects)
