"""Norms and benefits that a question asks for and the corpus lacks, with where to find them. Pure functions.

Four sources: norms known by name but not loaded, the list of `rag/lexicon/elsewhere.toml`, a collective
agreement of a sector or company, and the norms of a comunidad autónoma or a town.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from rag.lexicon.data import read
from rag.text.textnorm import words
from rag.types import Reference
from rag.understanding.phrases import Phrases
from rag.understanding.types import Missing, Territory

_FILLERS = {
    "de", "del", "la", "el", "los", "las", "para", "sector", "colectivo", "estatal", "provincial", "nacional",
    "empresa", "empresas", "general", "autonomico", "convenio", "mi",
}  # fmt: skip
_SCOPES = {"colectivo", "estatal", "provincial", "nacional", "autonomico"}
_NO_SECTOR = {
    "aplicacion", "trabajo", "ambito", "referencia", "eficacia", "caracter", "grupo", "centro", "duracion",
    "forma", "manera", "acuerdo", "otra", "otro", "aplicable", "vigente", "nuestra", "nuestro",
}  # fmt: skip
_SHORT = 4
BOE = "el Boletín Oficial del Estado, {id}"


class _Entry(NamedTuple):
    what: str
    where: str
    norm: str


class _Tables(NamedTuple):
    entries: dict[str, _Entry]
    names: Phrases
    regional: Phrases
    sectors: Phrases
    agreement: _Entry


def missing(
    question: str,
    named: Sequence[Reference],
    loaded: Collection[str],
    place: Territory | None,
    territories: Collection[str] = (),
) -> tuple[Missing, ...]:
    """Items that the question asks for and the corpus lacks, each once.

    Args:
        named: the references that the question makes, resolved.
        loaded: ids of the norms of the corpus; empty = unknown, and then no reference counts as missing.
        place: the territory that the question names.
        territories: the territories, besides the State, whose norms are loaded.
    """
    tables = _tables()
    tokens = words(question)
    found = [
        Missing(what=reference.text, where=BOE.format(id=reference.norm_id), text=reference.text)
        for reference in named
        if loaded and reference.norm_id and reference.norm_id not in loaded
    ]
    for match in tables.names.find(tokens):
        entry = tables.entries[match.phrase]
        if not entry.norm or entry.norm not in loaded:
            found.append(Missing(what=entry.what, where=entry.where, text=match.phrase))
    found += _agreement(tokens, tables)
    if place and not set(place.names) & set(territories):
        asked = tables.regional.find(tokens)
        if asked:
            what = f"la normativa propia de {place.municipality or place.ccaa}"
            found.append(Missing(what=what, where=f"el {place.gazette}", text=place.text))
    return tuple({item.what: item for item in found}.values())


def _agreement(tokens: list[str], tables: _Tables) -> list[Missing]:
    for start, token in enumerate(tokens):
        if token not in ("convenio", "convenios"):
            continue
        position = start + 1
        while position < len(tokens) and tokens[position] in _FILLERS:
            position += 1
        sector = tables.sectors.at(tokens, position) if position < len(tokens) else None
        if sector and position > start + 1:
            end, name = sector.end, sector.phrase
        elif _names_one(tokens[start:position]) and position < len(tokens) and _is_sector(tokens[position]):
            end, name = position + 1, tokens[position]
        else:
            continue
        text = " ".join(tokens[start:end])
        what = f"{tables.agreement.what} que nombra ({name})"
        return [Missing(what=what, where=tables.agreement.where, text=text)]
    return []


def _names_one(said: Sequence[str]) -> bool:
    """True for «convenio colectivo de…», «convenio estatal del sector de…»: the next word names a sector."""
    return bool(_SCOPES & set(said)) and said[-1] in {"de", "del", "empresas", "empresa"} and "mi" not in said


def _is_sector(word: str) -> bool:
    return len(word) > _SHORT and word not in _NO_SECTOR


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    data = read("elsewhere.toml")
    entries: dict[str, _Entry] = {}
    for item in data["norm"]:
        for name in item["names"]:
            entries[" ".join(words(name))] = _Entry(item["what"], item["where"], item.get("norm", ""))
    agreement = data["agreement"]
    return _Tables(
        entries,
        _phrases(entries),
        _phrases(data["regional"]["words"]),
        _phrases(agreement["words"]),
        _Entry(agreement["what"], agreement["where"], ""),
    )


def _phrases(names: Collection[str]) -> Phrases:
    return Phrases({tuple(words(name)): name for name in names})
