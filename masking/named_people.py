"""Given names and family names, plain (`masking.words`): those of Faker and some that it lacks."""

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from masking.words import WORDS

FILE = Path(__file__).with_name("names.toml")
# Names that are words of every day too: in small letters, or alone, they name nobody.
COMMON = WORDS["common"]
# Of these, the ones that mostly name somebody where they have a capital within a sentence.
FIRST = WORDS["first"]


class Names(NamedTuple):
    """Given names and family names, one word each."""

    given: frozenset[str]
    family: frozenset[str]


@cache
def names() -> Names:
    """The lists; read on first use."""
    listed = {
        name: frozenset(words.split()) for name, words in tomllib.loads(FILE.read_text("utf-8")).items()
    }
    given, never = listed["given"] | WORDS["given"], WORDS["never"]
    # «Susanita», «Pepito».
    given |= {f"{word[:-1]}it{word[-1]}" for word in given if len(word) > 3 and word[-1] in "ao"}
    given |= {f"{word[:-2]}itas" for word in given if len(word) > 4 and word.endswith(("as", "es"))}
    return Names(given - never, (listed["family"] | WORDS["family"]) - never)


def is_known(word: str) -> bool:
    """True for a given or a family name."""
    given, family = names()
    return word in given or word in family
