"""Collective agreements that a question names by sector, company or place. Pure functions."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from math import fsum, log
from typing import NamedTuple

from law.agreement_names import GENERIC, AgreementNames
from law.labels import fold
from law.norms import Norm
from lexicon.data_files import read_toml
from lexicon.territories import Territory, comunidad
from rag.question.understanding import Agreements, Missing
from text.phrases import Phrases
from text.textnorm import stems, words

REGISTER = "el registro de convenios REGCON o el boletín oficial de su ámbito"
NOT_LOADED = (
    "El convenio colectivo que nombra ({name}) no está cargado: puede buscarse en {where}, y quien "
    "administra Articulado puede cargarlo en «Normativa»."
)

# An agreement that matches nearly as well as the best may be the one meant.
NEAR = 0.6
# A word of the scope, or a name that a job or a place of work implies, counts less than one of the name; a
# name is said with this share of its words.
OF_SCOPE, IMPLIED, SAID = 0.5, 0.7, 0.6
SEVERAL = 2

_SPOKEN = re.compile(r"\bconvenios?\b")
_TYPED = re.compile(r"\w+")
_KINDS = {"colectivo", "estatal", "provincial", "nacional", "autonomico"}
_FILLERS = _KINDS | {
    "de", "del", "la", "el", "los", "las", "para", "sector", "empresa", "empresas", "general", "convenio",
    "mi",
}  # fmt: skip
_NO_SECTOR = {
    "aplicacion", "trabajo", "ambito", "referencia", "eficacia", "caracter", "grupo", "centro", "duracion",
    "forma", "manera", "acuerdo", "otra", "otro", "aplicable", "vigente", "nuestra", "nuestro",
}  # fmt: skip
_OF_ALL = {
    "acreedores", "partes", "trabajadores", "trabajadoras", "empleados", "empleadas", "personas",
    "sindicatos", "practicas", "naciones", "derechos", "servicios", "paises", "otros", "otras", "nuestros",
    "nuestras", "mis", "dias", "horas", "meses", "vacaciones", "salarios", "bienes", "bases",
    "minimos", "grupos",
}  # fmt: skip
"""Plurals that say whom any agreement is of, or of what kind one that is not collective is."""
_TRADES = re.compile(r".{4,}(?:[aeo]s|eria)")
_SHORT = 4


def meant(question: str, agreements: AgreementNames, place: Territory | None = None) -> Agreements:
    """The agreements that the question names, and those left out because it is about another one.

    It is about those whose own words it says best: words of the name, or several of the scope, weighted by
    how few agreements have them. They count as named only when it speaks of an agreement or says most of the
    name. The comunidad of its `place` counts beside other words, never alone.
    """
    asked = set(stems(question)) - GENERIC
    implied = set(stems(" ".join(_implied(question)))) - GENERIC - asked
    there = implied | set(stems(place.ccaa)) - GENERIC - asked if place else implied
    uses, total = agreements.uses, len(agreements.norms)
    scores: dict[str, float] = {}
    for norm_id in agreements.called(asked | implied):
        name, scope = agreements.words[norm_id]
        own = {stem for stem in asked & scope if uses[stem] == 1}
        if (asked | implied) & name or len(own) >= SEVERAL:
            counts = dict.fromkeys(own, OF_SCOPE) | dict.fromkeys(there & name, IMPLIED)
            counts |= dict.fromkeys(asked & name, 1.0)
            scores[norm_id] = fsum(w * log(1 + total / uses[stem]) for stem, w in counts.items())
    best = max(scores.values(), default=0.0)
    about = {norm_id: None for norm_id, score in scores.items() if score >= NEAR * best}
    spoken = _SPOKEN.search(fold(question)) is not None
    return Agreements(
        about=tuple(about),
        named=tuple(i for i in about if spoken or _says(asked | there, agreements.words[i].name)),
        others=tuple(norm_id for norm_id in agreements.norms if about and norm_id not in about),
    )


def _says(said: set[str], name: frozenset[str]) -> bool:
    return not said.isdisjoint(name) and len(said & name) >= SAID * len(name)


def _implied(question: str) -> list[str]:
    """Names of sectors by the jobs and places of work said, and places by their demonyms."""
    tables, tokens = _tables(), words(question)
    said = [name for found in tables.words.find(tokens) for name in tables.names[int(found.phrase)]]
    return said + [tables.demonyms[token] for token in tokens if token in tables.demonyms]


def missing(question: str, agreements: AgreementNames, place: Territory | None) -> Missing | None:
    """The agreement that the question names, when none of `agreements` covers its sector and place."""
    name, text, known = _named(words(question))
    if not name or covering(name, agreements, place):
        return None
    if not known and meant(question, agreements, place).about:
        return None
    name = next((word for word in _TYPED.findall(question) if fold(word) == name), name)
    what, said = f"el convenio colectivo que nombra ({name})", NOT_LOADED.format(name=name, where=REGISTER)
    return Missing(what=what, where=REGISTER, text=text, said=said)


def covering(name: str, agreements: AgreementNames, place: Territory | None) -> list[Norm]:
    """The agreements whose name or scope says the sector by any of its names, of that place or of all."""
    alike = next((names for names in _tables().names if name in names), (name,))
    # «colectividades» has the stem of every «convenio colectivo».
    asked = (own for one in alike if not (own := set(stems(one))) <= GENERIC)
    return [norm for norm in agreements.having(asked) if _holds(norm, place)]


def _holds(norm: Norm, place: Territory | None) -> bool:
    """False for an agreement of another comunidad autónoma than the place."""
    return place is None or comunidad(norm.title) in ("", place.ccaa)


def _named(tokens: list[str]) -> tuple[str, str, bool]:
    """Sector or company of the agreement, and the words that name it; True if it is a known one.

    Two empty texts without one.
    """
    tables = _tables()
    spoken = False
    for start, token in enumerate(tokens):
        if token not in ("convenio", "convenios"):
            continue
        spoken = True
        position = start + 1
        while position < len(tokens) and tokens[position] in _FILLERS:
            position += 1
        if position == len(tokens):
            continue
        if sector := tables.called.at(tokens, position):
            return sector.phrase, " ".join(tokens[start : sector.end]), True
        said, name = tokens[start:position], tokens[position]
        if _is_sector(name) and (_names_one(said) or _names_trade(said, name)):
            return name, " ".join([*said, name]), False
    found = tables.companies.find(tokens) if spoken else []
    return (found[0].phrase, found[0].phrase, True) if found else ("", "", False)


def _names_one(said: Sequence[str]) -> bool:
    """True for «convenio colectivo de…», «convenio estatal del sector de…»: the next word names a sector."""
    return bool(_KINDS & set(said)) and said[-1] in {"de", "del", "empresas", "empresa"} and "mi" not in said


def _names_trade(said: Sequence[str], word: str) -> bool:
    """True for «convenio de las heladerías», «del sector de panadería»: a trade or those who have it."""
    return len(said) > 1 and "mi" not in said and word not in _OF_ALL and _TRADES.fullmatch(word) is not None


def _is_sector(word: str) -> bool:
    return len(word) > _SHORT and word not in _NO_SECTOR


class _Tables(NamedTuple):
    """Sectors, their names and companies' (`called`), and their words, each with the number of its sector."""

    names: list[tuple[str, ...]]
    words: Phrases
    called: Phrases
    companies: Phrases
    demonyms: dict[str, str]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    data = read_toml("sectors.toml")
    companies = read_toml("elsewhere.toml")["agreement"]["companies"]
    names = [tuple(sector["names"]) for sector in data["sector"]]
    return _Tables(
        names,
        Phrases({tuple(words(w)): str(i) for i, one in enumerate(data["sector"]) for w in one["words"]}),
        Phrases.of([*chain.from_iterable(names), *companies]),
        Phrases.of(companies),
        {words(name)[0]: place for name, place in data["demonyms"].items()},
    )
