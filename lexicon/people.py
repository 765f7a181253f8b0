"""People to whom the common norms of employees do not apply as they are (`people.toml`)."""

import re
from functools import lru_cache

from core.values import Value
from law.chunks import ArticleKey
from law.labels import fold
from lexicon.data_files import read_toml

# «Soy autónomo», «estoy de alta como autónomo», «como autónomo, ¿…?»; not «el trabajo por cuenta propia».
_BEING = (
    r"(?:(?<!¿)\b(?:soy|somos|siendo|al ser)|\bestoy (?:dad[oa] )?de(?: alta)?(?: como| en| de)?"
    r"|(?<!un )(?<!el )(?<!al )(?<!de )(?<!del )(?<!otro )\btrabaj(?:o|amos)(?: como| de)?"
    r"|\bcotizo (?:como|en|por)"
    r"|(?:^|[.,;:¿?¡!] ?)como) (?:un[ao]? |de |el |los |personal )?"
)
# «¿Cuántas vacaciones tiene un autónomo?», «¿Les corresponde a los funcionarios…?»
_ENTITLED = re.compile(
    r"\b(?:tienen?|tendran?|corresponden?|cobran?|puede[n]?|debe[n]?|derechos?|cuant[oa]s?|pierden?|disfrutan?)\b"
)
_SUBJECT = r"\b(?<!con )(?<!contra )(?<!por )(?:un|una|los|las|el|la|todo|cada|al|del|de los|de las) "


class _Person(Value):
    nouns: str
    unless: tuple[str, ...]
    norms: frozenset[str]
    also: frozenset[str] = frozenset()
    of_them: frozenset[str] = frozenset()
    note: str


def person(question: str, asked: str) -> str:
    """Name of the person that a question is of, or empty.

    Args:
        asked: the sentences of it that ask; outside them only who asks tells who he is.
    """
    folded, asking = fold(question), fold(asked)
    entitled = _ENTITLED.search(asking) is not None
    return next(
        (
            name
            for name, (being, subject, unless) in _patterns().items()
            if (being.search(folded) or (entitled and subject.search(asking))) and not unless.search(folded)
        ),
        "",
    )


def of_others(name: str, article: ArticleKey) -> bool:
    """True if a provision (norm and block of the BOE's text) governs others than that person."""
    one = _people().get(name)
    place = "/".join(article)
    return one is not None and (
        place in one.also or (article[0] in one.norms and place not in one.of_them | _of_all())
    )


def note(name: str) -> str:
    """Sentence that follows the names of the provisions of others."""
    return _people()[name].note


@lru_cache(maxsize=1)
def _of_all() -> frozenset[str]:
    return frozenset(read_toml("people.toml")["of_all"])


@lru_cache(maxsize=1)
def _people() -> dict[str, _Person]:
    data = read_toml("people.toml")
    named = ((item.pop("name"), {"norms": data["employees"]} | item) for item in data["person"])
    return {name: _Person.model_validate(fields) for name, fields in named}


@lru_cache(maxsize=1)
def _patterns() -> dict[str, tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]]:
    """By person: who asks says to be one, one is the subject of a question, and it is about another thing."""
    return {
        name: (
            re.compile(rf"{_BEING}(?:{one.nouns})\b"),
            re.compile(rf"{_SUBJECT}(?:{one.nouns})\b"),
            re.compile("|".join(one.unless)),
        )
        for name, one in _people().items()
    }
