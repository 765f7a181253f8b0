"""Sources that a question asks for and the corpus lacks, with where to find them. Pure functions.

Norms named by number or by a known name that are not loaded, the lists of `lexicon/elsewhere.toml` (norms
and benefits, amounts that a norm fixes for one year, and requests that no norm answers: case law, statistics,
addresses), a collective agreement, and the norms of a comunidad autónoma or a town.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Self

from law.holdings import Holdings
from law.labels import fold
from law.norm_names import NUMBERED
from law.norms import Reference
from lexicon.data_files import read_toml
from lexicon.territories import Territory
from rag.question import asked_agreements
from rag.question.matter import asking
from rag.question.understanding import Missing, TimeScope
from text.phrases import Phrases
from text.textnorm import words

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


class _Item(NamedTuple):
    """Something that the corpus may lack, while none of `norms` is loaded and nothing of `collection`.

    `title`: part of the titles of the norms that fix an amount for one year.
    """

    what: str
    where: str
    norms: frozenset[str]
    title: str
    collection: str
    patterns: tuple[re.Pattern[str], re.Pattern[str] | None]

    @classmethod
    def of(cls, item: Mapping[str, Any]) -> Self:
        """An item of the file; its norms are those that its `where` names by identifier or number."""
        where = item["where"]
        norms = frozenset([*map(fold, _NUMBERS.findall(where)), *_IDENTIFIER.findall(where)])
        unless = re.compile("|".join(item["unless"])) if "unless" in item else None
        patterns = re.compile("|".join(item.get("asked", ()))), unless
        return cls(item["what"], where, norms, item.get("title", ""), item.get("collection", ""), patterns)

    def asked(self, folded: str) -> re.Match[str] | None:
        """The words by which a text asks for it, which no others of the text contradict."""
        asked, unless = self.patterns
        return None if unless and unless.search(folded) else asked.search(folded)

    def loaded(self, holdings: Holdings) -> bool:
        held = (holdings.norms, holdings.numbers)
        norms = any(not self.norms.isdisjoint(known) for known in held)
        return norms or self.collection in holdings.collections


class _Tables(NamedTuple):
    entries: dict[str, _Item]
    names: Phrases
    annual: tuple[_Item, ...]
    requests: tuple[_Item, ...]
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
        if not entry.loaded(holdings):
            found.append(Missing(what=entry.what, where=entry.where, text=match.phrase))
    found += _annual(folded, tables.annual, holdings, time)
    found += _requested(folded, tables.requests, holdings)
    if agreement := asked_agreements.missing(question, holdings.agreements, place):
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
    folded: str, entries: Sequence[_Item], holdings: Holdings, time: TimeScope | None
) -> Iterator[Missing]:
    """Amounts of one year whose norm, named by its title and that year, is not loaded; none of the future."""
    named = dict.fromkeys(_YEAR.findall(folded))
    years = [*named] or ([str(time.as_of.year)] if time and time.as_of else [])
    for entry in entries if years and not (time and time.kind == "future") else ():
        if not entry.asked(folded):
            continue
        titles = [fold(norm.title) for norm in holdings.by_id.values() if entry.title in fold(norm.title)]
        for year in years:
            if not any(year in title for title in titles):
                text = year if named else time.text if time else ""
                yield Missing(what=f"{entry.what} de {year}", where=entry.where.format(year=year), text=text)


def _requested(folded: str, requests: Sequence[_Item], holdings: Holdings) -> Iterator[Missing]:
    for request in requests:
        if not request.loaded(holdings) and (found := request.asked(folded)):
            yield Missing(what=request.what, where=request.where, text=found[0])


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    data = read_toml("elsewhere.toml")
    norms = ((_Item.of(item), name) for item in data["norm"] for name in item["names"])
    entries = {" ".join(words(name)): item for item, name in norms}
    annual, requests = (tuple(map(_Item.of, data[kind])) for kind in ("annual", "request"))
    return _Tables(entries, Phrases.of(entries), annual, requests, Phrases.of(data["regional"]["words"]))
