"""The word lists of masking by name, plain (`rag.privacy.plain.plain`)."""

import tomllib
from pathlib import Path

from rag.privacy.plain import plain

WORDS: dict[str, frozenset[str]] = {
    name: frozenset(plain(words).split())
    for name, words in tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8")).items()
}
