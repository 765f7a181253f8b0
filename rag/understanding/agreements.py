"""Collective agreements that a question names by sector, company or place. Pure functions."""

from collections.abc import Sequence
from functools import lru_cache

from rag.lexicon.data import read
from rag.text.textnorm import stems, words
from rag.types import Norm
from rag.understanding.phrases import Phrases
from rag.understanding.territory import comunidad
from rag.understanding.types import Missing, Territory

RANK = "Convenio colectivo"
SCOPE = "ambito_funcional"
REGISTER = "el registro de convenios REGCON o el boletín oficial de su ámbito"

_SCOPES = {"colectivo", "estatal", "provincial", "nacional", "autonomico"}
_FILLERS = _SCOPES | {
    "de", "del", "la", "el", "los", "las", "para", "sector", "empresa", "empresas", "general", "convenio",
    "mi",
}  # fmt: skip
_NO_SECTOR = {
    "aplicacion", "trabajo", "ambito", "referencia", "eficacia", "caracter", "grupo", "centro", "duracion",
    "forma", "manera", "acuerdo", "otra", "otro", "aplicable", "vigente", "nuestra", "nuestro",
}  # fmt: skip
_SHORT = 4


def missing(question: str, agreements: Sequence[Norm], place: Territory | None) -> Missing | None:
    """The agreement that the question names, when none of `agreements` covers its sector and place."""
    name, text = _named(words(question))
    if not name or covering(name, agreements, place):
        return None
    return Missing(what=f"el convenio colectivo que nombra ({name})", where=REGISTER, text=text)


def covering(name: str, agreements: Sequence[Norm], place: Territory | None) -> list[Norm]:
    """The agreements whose name or functional scope says the sector, of that place or of every place."""
    asked = set(stems(name))
    return [
        norm
        for norm in agreements
        if asked <= set(stems(f"{norm.title} {norm.law} {norm.extra.get(SCOPE, '')}")) and _holds(norm, place)
    ]


def _holds(norm: Norm, place: Territory | None) -> bool:
    """False for an agreement of another comunidad autónoma than the place."""
    return place is None or comunidad(norm.title) in ("", place.ccaa)


def _named(tokens: list[str]) -> tuple[str, str]:
    """Sector or company of the agreement, and the words that name it; two empty texts without one."""
    sectors, companies = _tables()
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
        if sector := sectors.at(tokens, position):
            return sector.phrase, " ".join(tokens[start : sector.end])
        if _names_one(tokens[start:position]) and _is_sector(tokens[position]):
            return tokens[position], " ".join(tokens[start : position + 1])
    found = companies.find(tokens) if spoken else []
    return (found[0].phrase, found[0].phrase) if found else ("", "")


def _names_one(said: Sequence[str]) -> bool:
    """True for «convenio colectivo de…», «convenio estatal del sector de…»: the next word names a sector."""
    return bool(_SCOPES & set(said)) and said[-1] in {"de", "del", "empresas", "empresa"} and "mi" not in said


def _is_sector(word: str) -> bool:
    return len(word) > _SHORT and word not in _NO_SECTOR


@lru_cache(maxsize=1)
def _tables() -> tuple[Phrases, Phrases]:
    """Names of sectors and companies, and those of companies alone."""
    entry = read("elsewhere.toml")["agreement"]
    companies = {tuple(words(name)): name for name in entry["companies"]}
    return Phrases({tuple(words(name)): name for name in entry["sectors"]} | companies), Phrases(companies)
