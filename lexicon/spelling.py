"""Words of a question typed with one error, as the law and shipped questions spell them (`words.txt`).

A word that the list does not have is read as the one of its words that sounds the same, or that is one slip
of the keyboard away. Words of the list with a number, their uses, are those that another may be read as.
`python -m lab accents` writes the file.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from law.labels import fold
from lexicon.data_files import FOLDER, read_lines
from text.textnorm import STOPWORDS, stems

FILE = FOLDER / "words.txt"
LEAST, LEAST_SLIPPED, LONG = 4, 6, 10
"""Letters of a word that may sound like another, of one with a slip, and of one with a letter too many or any
other letter."""
TIMES = 8
"""Times that a word is used for each use of the next likely one, if no other is meant."""

_QUOTED = r"«[^»]*»|“[^”]*”|\"[^\"]*\""
_WORD = re.compile(rf"{_QUOTED}|(?<![\w@./'’-])([^\W\d_]{{2,}})(?![\w@'’]|[./-]\w)")
_FOREIGN = re.compile(r"[çãõàèìòùâêîôûäëïö]|l·l", re.I)
_SOUNDS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        ("ch", "C"), ("h", ""), ("v", "b"), ("ll", "y"), ("qu(?=[ei])|q|c(?![ei])", "k"), ("g(?=[ei])", "j"),
        ("gu(?=[ei])", "g"), ("[cz]", "s"), ("x(?![aeiou])", "s"), (r"(.)\1", r"\1"), (r"ado(s?)$", r"ao\1"),
    )
)  # fmt: skip
_LETTERS = "abCcdefghijklmnopqrstuvwxyz"
_KEYS = "qwertyuiop asdfghjkl zxcvbnm"
_ENDINGS = re.compile(
    r"(?:(?:[aei]r|[ae]ndo|iendo|[ae])(?:me|te|se|nos|os)?(?:l[aeo]s?)?|[aei]mos|[aei]is|[ai]d[oa]s?|aos?"
    r"|[aei][ns]?|o|aste|iste|aron|ieron|io|aba(?:s|n|mos)?|ia(?:s|n|mos)?"
    r"|[aei]r(?:e|as?|an|emos|ia(?:s|n|mos)?)|(?:a|ie)(?:ra|se)(?:s|n|mos)?)$"
)
"""Endings of the forms of verbs."""
STRANGE = 4
"""Letters from which on an unknown word is no abbreviation."""


def misspelled(text: str) -> dict[str, str]:
    """The words typed with an error, in the order of the text, each with the word that it is read as.

    None in a text of another language, most of whose unknown words are like none of ours. Capitals,
    references and quotations are left alone.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    if _FOREIGN.search(text):
        return {}
    typed = dict.fromkeys(match[1] for match in _WORD.finditer(text) if match[1] and match[1].islower())
    unknown = [word for word in typed if not _is_known(fold(word))]
    read = {word: meant for word in unknown if (meant := _meant(fold(word)))}
    strange = [
        word for word in unknown if len(word) >= STRANGE and word not in read and not _is_form(fold(word))
    ]
    return read if len(strange) < len(read) else {}


def respelled(text: str, read: dict[str, str]) -> str:
    """The text with each of these words as it is read."""
    return _WORD.sub(lambda match: read.get(match[1] or "", match[0]), text) if read else text


def _is_known(word: str) -> bool:
    return word in STOPWORDS or word in _known()


def _meant(word: str) -> str:
    """The one word that an unknown word is read as; '' if it may be right, or several are as likely."""
    if len(word) < LEAST:
        return ""
    sounds, uses = _by_sound(), _known()
    found = sounds.get(sound(word), [])
    if not found:
        if len(word) < LEAST_SLIPPED or _is_form(word):
            return ""
        found = [one for near in _slips(sound(word)) for one in sounds.get(near, ())]
        found += [one for one in _slips(word) if uses.get(one, ("", 0))[1]]
    found = sorted(dict.fromkeys(found), key=lambda one: (-uses[one][1], one))
    own = stems(word)
    if not found or any(stems(one) == own for one in found):
        return ""
    others = (one for one in found[1:] if stems(one) != stems(found[0]))
    best = uses[found[0]]
    return best[0] if best[1] >= TIMES * max((uses[one][1] for one in others), default=0) else ""


def unheard(word: str) -> list[str]:
    """The stems of a word that no word of the list has."""
    return [stem for stem in stems(word) if stem not in _stems()]


def _is_form(word: str) -> bool:
    """True for a form of a known verb or of another known word that the list itself lacks."""
    if not unheard(word):
        return True
    said = sound(word)
    endings = (_ENDINGS.match(said, place) for place in range(2, len(said)))
    roots = [said[: ending.start()] for ending in endings if ending]
    return any(f"{root}{verb}" in _verbs() for root in roots for verb in ("ar", "er", "ir"))


def sound(word: str) -> str:
    """The word as it sounds: «vacaciones» and «bacasiones» alike."""
    for pattern, said in _SOUNDS:
        word = pattern.sub(said, word)
    return word


def _slips(said: str) -> Iterator[str]:
    """The words one slip away: a letter missing, or in the place of its neighbour or of the next key."""
    for place in range(len(said)):
        before, letter, after = said[:place], said[place], said[place + 1 :]
        if place and len(said) >= LONG:
            yield before + after
        if place:
            yield from (before + other + letter + after for other in _LETTERS)
        if after:
            yield before + after[0] + letter + after[1:]
        yield from (
            before + other + after
            for other in _LETTERS
            if letter + other in _KEYS or other + letter in _KEYS or (place and len(said) >= LONG)
        )
    yield from (said + other for other in _LETTERS)


@lru_cache(maxsize=1)
def _known() -> dict[str, tuple[str, int]]:
    """Each word without its accents to its spelling and its uses, 0 of one that none is read as."""
    known = {}
    for line in read_lines(FILE.name):
        word, _, uses = line.partition(" ")
        known[fold(word)] = (word, int(uses or 0))
    return known


@lru_cache(maxsize=1)
def _by_sound() -> dict[str, list[str]]:
    """The words that another is read as, by their sound."""
    by_sound = defaultdict(list)
    for word, (_, uses) in _known().items():
        if uses:
            by_sound[sound(word)].append(word)
    return dict(by_sound)


@lru_cache(maxsize=1)
def _verbs() -> frozenset[str]:
    """The infinitives as they sound: «saquen» is of «sacar»."""
    return frozenset(sound(word) for word in _known() if word.endswith(("ar", "er", "ir")))


@lru_cache(maxsize=1)
def _stems() -> frozenset[str]:
    return frozenset(stems(" ".join(_known())))


def forget() -> None:
    """Read the file again: it was written anew."""
    for kept in (_known, _by_sound, _verbs, _stems):
        kept.cache_clear()
