"""Sources that a question asks for and the corpus lacks, with where to find them. Pure functions.

Norms named by number or by a known name that are not loaded, the lists of `rag/lexicon/elsewhere.toml` (norms
and benefits, amounts that a norm fixes for one year, and requests that no norm answers: case law, statistics,
addresses), a collective agreement, and the norms of a comunidad autónoma or a town.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from rag.law.holdings import Holdings
from rag.law.labels import fold
from rag.law.norm_names import NUMBERED
from rag.lexicon.data import read
from rag.text.textnorm import words
from rag.types import Reference
from rag.understanding import agreements
from rag.understanding.matter import asking
from rag.understanding.phrases import Phrases
from rag.understanding.types import Missing, Territory, TimeScope

BOE = "el Boletín Oficial del Estado, {id}"
JOURNAL = "el Boletín Oficial del Estado, si existe"
EUROPEAN = "EUR-Lex, el diario oficial de la Unión Europea"
_EUROPEAN = re.compile(
    r"\b(?P<rank>directiva|reglamento|decision)s? (?:\(?(?:ce|ue|cee|eee|euratom)\)? )?(?:n[.º°o]* )?"
    r"(?P<number>\d{2,4}/\d{1,4})(?:/(?:ce|ue|cee))?\b(?!/\d)"
)
_NUMBERS = re.compile(r"\b(?:Ley(?: Orgánica)?|Real Decreto(?:-ley| Legislativo)?) \d+/\d{4}\b")
_IDENTIFIER = re.compile(r"\bBOE-A-\d{4}-\d+\b")
_YEAR = re.compile(r"\b(?:19[89]|20[0-4])\d\b(?!/)")
_FEMININE = re.compile(r"(?:ley|orden|l\.|lo\b|l\.o|directiva|decision|o\.m)")


class _Entry(NamedTuple):
    what: str
    where: str
    norms: frozenset[str]


class _Request(NamedTuple):
    what: str
    where: str
    norms: frozenset[str]
    collection: str
    asked: re.Pattern[str]
    unless: re.Pattern[str] | None


class _Annual(NamedTuple):
    what: str
    where: str
    title: str
    asked: re.Pattern[str]
    unless: re.Pattern[str] | None


class _Tables(NamedTuple):
    entries: dict[str, _Entry]
    names: Phrases
    annual: tuple[_Annual, ...]
    requests: tuple[_Request, ...]
    regional: Phrases


def missing(
    question: str,
    named: Sequence[Reference],
    holdings: Holdings,
    place: Territory | None,
    time: TimeScope | None = None,
) -> tuple[Missing, ...]:
    """Items that the question asks for and the corpus lacks, each once; none for an empty corpus.

    Args:
        named: the references that the question makes, resolved with the names of `holdings`.
        place: the territory that the question names.
        time: the day that it names, and the words that only say when («tras el Real Decreto-ley 3/2012»).
    """
    if not holdings.norms:
        return ()
    tables = _tables()
    dated_by = time.text if time else ""
    tokens = words(question)
    folded = fold(question)
    told = asking(question)
    norms = [
        Missing(what=reference.text, where=BOE.format(id=reference.norm_id), text=reference.text)
        for reference in named
        if reference.norm_id and reference.norm_id not in holdings.norms
    ]
    norms += _by_number(question, holdings)
    # A norm of the story («alega, por analogía, la Ley General Tributaria») is not what is asked for.
    found = [item for item in norms if item.text in told and item.text not in dated_by]
    for match in tables.names.find(tokens):
        entry = tables.entries[match.phrase]
        if not _loaded(entry.norms, holdings):
            found.append(Missing(what=entry.what, where=entry.where, text=match.phrase))
    found += _annual(folded, tables.annual, holdings, time)
    found += _requested(folded, tables.requests, holdings)
    if agreement := agreements.missing(question, holdings.agreements, place):
        found.append(agreement)
    if place and not set(place.names) & holdings.territories and tables.regional.find(tokens):
        what = f"la normativa propia de {place.municipality or place.ccaa}"
        found.append(Missing(what=what, where=f"el {place.gazette}", text=place.text))
    return tuple({item.what: item for item in found}.values())


def _by_number(question: str, holdings: Holdings) -> Iterator[Missing]:
    """Norms named by a number that no known norm has: «RD 171/2004», «Directiva 2023/970»."""
    folded = fold(question)
    for pattern, where in ((NUMBERED, JOURNAL), (_EUROPEAN, EUROPEAN)):
        for match in pattern.finditer(folded):
            named = holdings.names.at(folded, match.start()) if pattern is NUMBERED else None
            if (named and named.norm_id) or match["number"] in holdings.numbers:
                continue
            text = " ".join(question[match.start() : match.end()].split())
            article = "la" if _FEMININE.match(match["rank"]) else "el"
            yield Missing(what=f"{article} {text}", where=where, text=text)


def _annual(
    folded: str, entries: Sequence[_Annual], holdings: Holdings, time: TimeScope | None
) -> Iterator[Missing]:
    """Amounts of one year whose norm, named by its title and that year, is not loaded; none of the future."""
    named = dict.fromkeys(_YEAR.findall(folded))
    years = [*named] or ([str(time.as_of.year)] if time and time.as_of else [])
    for entry in entries if years and not (time and time.kind == "future") else ():
        if not entry.asked.search(folded) or (entry.unless and entry.unless.search(folded)):
            continue
        titles = [fold(norm.title) for norm in holdings.by_id.values() if entry.title in fold(norm.title)]
        for year in years:
            if not any(year in title for title in titles):
                text = year if named else time.text if time else ""
                yield Missing(what=f"{entry.what} de {year}", where=entry.where.format(year=year), text=text)


def _loaded(norms: frozenset[str], holdings: Holdings) -> bool:
    """True if one of these norms, by its identifier or its number, is in the corpus."""
    return not norms.isdisjoint(holdings.norms) or not norms.isdisjoint(holdings.numbers)


def _requested(folded: str, requests: Sequence[_Request], holdings: Holdings) -> Iterator[Missing]:
    for request in requests:
        if request.collection in holdings.collections or _loaded(request.norms, holdings):
            continue
        found = request.asked.search(folded)
        if found and not (request.unless and request.unless.search(folded)):
            yield Missing(what=request.what, where=request.where, text=found[0])


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    data = read("elsewhere.toml")
    entries: dict[str, _Entry] = {}
    for item in data["norm"]:
        for name in item["names"]:
            entries[" ".join(words(name))] = _Entry(item["what"], item["where"], _norms(item))
    requests = (
        _Request(
            item["what"],
            item["where"],
            _norms(item),
            item.get("collection", ""),
            *_conditions(item),
        )
        for item in data["request"]
    )
    annual = (_Annual(one["what"], one["where"], one["title"], *_conditions(one)) for one in data["annual"])
    regional = _phrases(data["regional"]["words"])
    return _Tables(entries, _phrases(entries), tuple(annual), tuple(requests), regional)


def _norms(item: Mapping[str, Any]) -> frozenset[str]:
    """The norms that an item would be in, by their identifiers and numbers («ley 40/2003»)."""
    return frozenset(map(fold, _NUMBERS.findall(item["where"]))) | frozenset(
        _IDENTIFIER.findall(item["where"])
    )


def _conditions(item: Mapping[str, Any]) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    """The patterns by which an item is asked for, and those that contradict it."""
    unless = re.compile("|".join(item["unless"])) if "unless" in item else None
    return re.compile("|".join(item["asked"])), unless


def _phrases(names: Collection[str]) -> Phrases:
    return Phrases({tuple(words(name)): name for name in names})
