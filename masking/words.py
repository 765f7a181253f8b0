"""The word lists of masking by name, plain (`masking.plain.plain`)."""

import tomllib
from pathlib import Path

from masking.plain import plain

WORDS: dict[str, frozenset[str]] = {
    name: frozenset(plain(words).split())
    for name, words in tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8")).items()
}
# Capitalised words that begin with one of these are not a name; a name ends before any of these.
NO_NAMES = WORDS["legal"]
REGIONS = WORDS["regions"]
# Surnames that are usually another word: never masked on their own.
NOT_ALONE = REGIONS | WORDS["ambiguous"]
# Words of places and institutions: a name that nothing announces and that has one of them is not a person's.
NO_PERSON = REGIONS | WORDS["places"]
# What many companies' names begin with.
TRADES = WORDS["trades"]
