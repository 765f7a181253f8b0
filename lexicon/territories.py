"""The place in Spain that a question names (S2.40, X.25). Pure functions over `lexicon/territories.toml`.

Three phases: «en <territorio>»; several words, or one after «provincia de»; a single word. A city wins over
the comunidad of the same name: a filter then takes its norms, its comunidad's and the State's. A name that is
another word too, or a place in America, needs «en», «soy de» or «provincia de»; an acronym, «en» or «de».
"""

from functools import lru_cache
from typing import Literal, NamedTuple

from core.values import Value
from lexicon.data_files import read_toml
from text.phrases import Found, Phrases
from text.textnorm import words


class Territory(Value):
    """A place in Spain: a comunidad autónoma (or Ceuta or Melilla), or a municipality with its own.

    `confidence` is 1.0 after «en», 0.8 for a name of several words, 0.6 for a single word.
    """

    level: Literal["municipal", "ccaa"]
    ccaa: str
    municipality: str | None = None
    gazette: str = ""
    confidence: float
    text: str

    @property
    def names(self) -> tuple[str, ...]:
        """The territories whose norms hold there, besides those of the State."""
        return (self.municipality, self.ccaa) if self.municipality else (self.ccaa,)


AFTER_EN, SEVERAL_WORDS, ONE_WORD = 1.0, 0.8, 0.6
_ARTICLES = {"el", "la", "los", "las"}
_FROM = (["soy", "de"], ["somos", "de"])
_PROVINCE = {"provincia", "provincias"}
_REGION = {"comunidad", "comunitat", "region", "ccaa"}
_TOWN = {"ciudad", "municipio", "ayuntamiento", "localidad", "pueblo"}


class _Place(NamedTuple):
    ccaa: str
    municipality: str | None
    gazette: str


class _Gazetteer(NamedTuple):
    places: dict[str, _Place]
    regions: dict[str, _Place]
    phrases: Phrases
    acronyms: dict[str, str]
    only_after_en: frozenset[str]
    never: Phrases


def territory(question: str) -> Territory | None:
    """The first place named, by the surest phase that finds one; None without a place."""
    table = _table()
    tokens = words(question)
    found = _without(table.phrases.find(tokens), table.never.find(tokens))
    for match in found:
        if _after(tokens, match.start, {"en"}):
            return _as_territory(match, tokens, AFTER_EN)
    if acronym := _acronym(tokens, table):
        return acronym
    for match in found:
        told = _place_word(tokens, match.start)
        if told or (match.end - match.start > 1 and match.phrase not in table.only_after_en):
            return _as_territory(match, tokens, SEVERAL_WORDS)
    for match in found:
        if match.phrase not in table.only_after_en:
            return _as_territory(match, tokens, ONE_WORD)
    return None


def comunidad(department: str) -> str:
    """The comunidad autónoma that a department («Generalitat de Catalunya») names; '' for none or several."""
    regions = _table().regions
    phrases = _table().phrases.find(words(department))
    names = {regions[found.phrase].ccaa for found in phrases if found.phrase in regions}
    return names.pop() if len(names) == 1 else ""


def town(text: str) -> str:
    """The one town that a text surely names; '' for none or several, or beside a comunidad or a province."""
    table, tokens = _table(), words(text)
    found = _without(table.phrases.find(tokens), table.never.find(tokens))
    places = {table.places.get(one.phrase) for one in found}
    sure = any(
        one.phrase not in table.only_after_en
        or _after(tokens, one.start, {"en"})
        or _place_word(tokens, one.start)
        for one in found
    )
    place = places.pop() if sure and len(places) == 1 else None
    return (place.municipality or "") if place else ""


def _without(found: list[Found], never: list[Found]) -> list[Found]:
    return [f for f in found if not any(n.start < f.end and f.start < n.end for n in never)]


def _acronym(tokens: list[str], table: _Gazetteer) -> Territory | None:
    for position, token in enumerate(tokens):
        if token in table.acronyms and position and tokens[position - 1] in ("en", "de"):
            place = table.regions[table.acronyms[token]]
            return Territory(
                level="ccaa", ccaa=place.ccaa, gazette=place.gazette, confidence=AFTER_EN, text=token
            )
    return None


def _after(tokens: list[str], start: int, prepositions: set[str]) -> bool:
    """True if the name follows a preposition or «soy de», even with «la ciudad de» in between."""
    position = start - 1
    if tokens[max(0, start - 2) : start] in _FROM:
        return True
    if position >= 0 and tokens[position] in ("de", "del"):
        if position == 0 or tokens[position - 1] not in _PROVINCE | _REGION | _TOWN | {"autonoma"}:
            return False
        position -= 2
        if position >= 0 and tokens[position] in _REGION:
            position -= 1
    while position >= 0 and tokens[position] in _ARTICLES:
        position -= 1
    return position >= 0 and tokens[position] in prepositions


def _place_word(tokens: list[str], start: int) -> bool:
    """True for a name after a word such as «provincia de», «ayuntamiento de», which makes it a place."""
    return start > 1 and tokens[start - 1] == "de" and tokens[start - 2] in _PROVINCE | _REGION | _TOWN


def _as_territory(match: Found, tokens: list[str], confidence: float) -> Territory:
    table = _table()
    before = tokens[max(0, match.start - 3) : match.start]
    region = match.phrase in table.regions and bool(_PROVINCE & set(before))
    place = table.regions[match.phrase] if region else table.places[match.phrase]
    return Territory(
        level="municipal" if place.municipality else "ccaa",
        ccaa=place.ccaa,
        municipality=place.municipality,
        gazette=place.gazette,
        confidence=confidence,
        text=" ".join(tokens[match.start : match.end]),
    )


@lru_cache(maxsize=1)
def _table() -> _Gazetteer:
    data = read_toml("territories.toml")
    places: dict[str, _Place] = {}
    regions: dict[str, _Place] = {}
    acronyms: dict[str, str] = {}
    for entry in data["ccaa"]:
        region = _Place(entry["name"], None, entry["gazette"])
        for name in (entry["name"], *entry.get("aliases", ()), *entry.get("provinces", ())):
            regions[_key(name)] = region
        for name in (entry["name"], *entry.get("aliases", ())):
            places[_key(name)] = region
        acronyms.update({_key(name): _key(entry["name"]) for name in entry.get("short", ())})
    # Cities last: the city wins over a comunidad of the same name.
    for entry in data["ccaa"]:
        for city in entry["cities"]:
            names = [city] if isinstance(city, str) else city
            places.update({_key(n): _Place(entry["name"], names[0], entry["gazette"]) for n in names})
    return _Gazetteer(
        places,
        regions,
        Phrases.of([*places, *regions]),
        acronyms,
        frozenset(map(_key, data["only_after_en"])),
        Phrases.of(map(_key, data["never"])),
    )


def _key(name: str) -> str:
    return " ".join(words(name))
