"""Given names and family names, plain (`masking.plain.plain`): those of Faker and some that it lacks."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import NamedTuple

from masking.plain import plain
from masking.words import WORDS

_LISTS = ("first_names", "first_names_male", "first_names_female")
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
    """The lists; read on first use, which takes a tenth of a second."""
    # Names of Spain, and of those who most often come to work there, as they are written in Latin letters.
    both = ("es_ES", "es_AR", "es_CL", "es_CO", "es_MX", "pt_PT", "ro_RO", "fr_DZ", "tw_GH", "yo_NG")
    others = ("es_CA", "fr_FR", "it_IT", "pl_PL", "pt_BR")
    given = {word for locale in (*both, *others) for word in _words(locale, _LISTS)}
    family = {word for locale in both for word in _words(locale, ("last_names",))}
    given |= {word for word in _words("zh_CN", ("first_romanized_names",)) if len(word) > 2}
    family |= {word for word in _words("zh_CN", ("last_romanized_names",)) if len(word) > 2}
    given |= WORDS["given"]
    # «Susanita», «Pepito».
    given |= {f"{word[:-1]}it{word[-1]}" for word in given if len(word) > 3 and word[-1] in "ao"}
    given |= {f"{word[:-2]}itas" for word in given if len(word) > 4 and word.endswith(("as", "es"))}
    never = WORDS["never"]
    return Names(frozenset(given - never), WORDS["family"].union(family) - never)


def _words(locale: str, lists: tuple[str, ...]) -> Iterator[str]:
    from faker.providers import person

    provider = import_module(f"{person.__name__}.{locale}").Provider
    for name in lists:
        # Some locales make this list of the two others when it is asked of an instance.
        if not isinstance(found := getattr(provider, name, ()), property):
            yield from (word for written in found for word in plain(written).split())


def is_known(word: str) -> bool:
    """True for a given or a family name."""
    given, family = names()
    return word in given or word in family
