"""Intents of a question (`intents.toml`) and the special regimes that it names (`regimes.toml`)."""

import re
from functools import lru_cache

from lexicon.data_files import read_toml
from text.textnorm import fold_for_search, stems

TOPIC = "topic"
TOPIC_STEMS = 4


def heading_stems(question: str) -> frozenset[str]:
    """Stems of the heading words of every intent that the question shows; the longest phrase wins.

    A question of a few words without any intent counts as a topic.
    """
    pattern, headings = _intents()
    shown = [headings[match[0]] for match in pattern.finditer(fold_for_search(question))]
    if not shown and len(stems(question)) <= TOPIC_STEMS:
        return headings[TOPIC]
    return frozenset().union(*shown)


def regimes_named(question: str) -> frozenset[str]:
    """Names of the special regimes that the question names."""
    folded = fold_for_search(question)
    return frozenset(name for name, _, words in _regimes() if words.search(folded))


@lru_cache(maxsize=20_000)
def marked(names: str) -> frozenset[str]:
    """Names of the special regimes that a provision belongs to, by the name of its norm and its headings."""
    folded = fold_for_search(names)
    return frozenset(name for name, marks, _ in _regimes() if marks.search(folded))


@lru_cache(maxsize=1)
def _intents() -> tuple[re.Pattern[str], dict[str, frozenset[str]]]:
    headings: dict[str, frozenset[str]] = {}
    for entry in read_toml("intents.toml")["intent"]:
        words = frozenset(stems(" ".join(entry["headings"])))
        if entry["name"] == TOPIC:
            headings[TOPIC] = words
        for phrase in map(fold_for_search, entry["asked"]):
            headings[phrase] = headings.get(phrase, frozenset()) | words
    phrases = sorted(headings.keys() - {TOPIC}, key=lambda phrase: (-len(phrase), phrase))
    return _any_of(phrases), headings


@lru_cache(maxsize=1)
def _regimes() -> tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]:
    entries = read_toml("regimes.toml")["regime"]
    return tuple((one["name"], _any_of(one["marks"]), _any_of(one["said"])) for one in entries)


def _any_of(phrases: list[str]) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(re.escape(fold_for_search(phrase)) for phrase in phrases) + r")\b")
