"""Rulings and criteria that a question names, by number, appeal, ECLI, day, or court and place."""

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from law import dates
from law.decisions import CRITERIA, JUDGMENTS, Decisions, numbers
from law.labels import fold
from law.norms import Norm
from law.rulings import rulings
from rag.question.understanding import Decided, Missing, Pointed
from text.textnorm import stems, words

CENDOJ = "el CENDOJ (poderjudicial.es) o en la página del tribunal que la dictó"
SEAT = "la sede electrónica de la Seguridad Social"
NOT_HELD = "No está entre lo cargado {what}: puede buscarse en {where}.{near}"
ONLY_NAMED = "qué resuelve"
"""Asked of a decision by a question that only names it."""
NEAR = " Con ese número sí está cargado: {names}."

_DECISION = re.compile(
    r"\b(?:sentencias?|stsj?|tsj|tsxg|juzgado|tribunal|sala|audiencia nacional|fallo|voto particular|recurso"
    r"|casacion|suplicacion|rcud|asunto|magistrad[oa]|ponente|pleno|supremo|cendoj)\b"
)
_RULING = re.compile(r"\b(?:sentencias?|stsj?|tsj|tsxg|voto particular)\b|\bl[ao] del (?:juzgado|tribunal)\b")
"""Words for a ruling; a court alone is also where one sues."""
_LAW = re.compile(
    r"\b(?:ley|leyes|decretos?|legislativo|rd|rdl|rdleg|lo|orden|directiva|reglamento|resolucion|convenio)"
    r"(?: organica|[- ]ley)? (?:n\S* )?$"
)
_LOOSE = re.compile(r"(?<![\w/])(?:[ct]\s?[-\u2010-\u2015]\s?)?\d{1,6}/\d{2,4}(?![\w/])", re.I)
_CRITERION = re.compile(
    r"\b(?:criterios?(?: de gestion| interpretativos?| tecnicos?)?|consultas?|cg)"
    r"(?: (?:del? (?:la )?\w+))?(?: n(?:um(?:ero)?\.?|\.?\s?[oº°]\.?))?\s?(\d{1,4}/\d{2,4})"
)
_DAY = re.compile(
    rf"\b(?:sentencia|fallo|resoluci[oó]n|(?:supremo|tsj|tribunal|juzgado) de)\b[^.?¿]{{0,60}}?({dates.ANY})",
    re.I,
)
_CENDOJ = re.compile(r"\b\d{20}\b")
_TSXG, _SJSO = re.compile(r"\bTSXG\b", re.I), re.compile(r"\bSJSO\b", re.I)


_PARTS = (
    ("voto", re.compile(r"\bvotos? (?:pa\w+|discrepante)|\bdiscrep|\bdisident")),
    (
        "fallo",
        re.compile(
            r"\bfallo\b|\bparte dispositiva\b|\bcomo falla\b"
            r"|\bque (?:se |ha )?(?:acuerda|acordo|acordado|falla)\b"
        ),
    ),
    ("hechos", re.compile(r"\bhechos\b|\bcronologia\b")),
    ("cabecera", re.compile(r"\bponente\b|\bque (?:sala|seccion|tribunal|juzgado)\b")),
    ("fundamentos", re.compile(r"\bdoctrina\b|\bfundament|\bratio\b|\brazona|\bresum")),
)
"""Words that ask for a part of a ruling."""


class _Named(NamedTuple):
    """A decision that a question names: its words, where they stand, and the ids of those held."""

    start: int
    end: int
    ids: tuple[str, ...]
    criterion: bool = False


def decided(question: str, held: Decisions, today: date) -> Decided:
    """The rulings and criteria that a question names, and those that it only points to by court and place."""
    named = [*_named(question, held, today)]
    ids = dict.fromkeys(i for one in named for i in one.ids)
    missing = tuple(_missing(question, one, held) for one in named if not one.ids)
    rest = question
    for one in sorted(named, reverse=True):
        rest = f"{rest[: one.start]} {rest[one.end :]}"
    norms = [held.norms[i] for i in ids]
    for court in {norm.extra.get("court", "") for norm in norms}:
        rest = _without_court(rest, court)
    points = _pointing(norms, sure=True)
    if not named and _RULING.search(fold(question)):
        points = _pointing([held.norms[i] for i in held.placed(words(question))], sure=False)
    if named and not stems(_RULING.sub(" ", fold(rest))):
        rest = ONLY_NAMED
    rest = " ".join(rest.split()) if named else ""
    return Decided(points=points, missing=missing, rest=rest, parts=_parts(fold(question)))


def _without_court(rest: str, court: str) -> str:
    """The question without the name of the court, whose number and place may be left out or in."""
    first, *others = words(court) or [""]
    if not others:
        return rest
    name = "|".join({*others, "n", "º", "nº", "num", "numero", r"\d{1,2}"})
    said = re.compile(rf"(?:\b(?:del?|el|la) )*\b{first}(?:\W+(?:{name})\b)+")
    for match in reversed([*said.finditer(fold(rest))]):
        rest = f"{rest[: match.start()]} {rest[match.end() :]}"
    return rest


def _pointing(norms: list[Norm], *, sure: bool) -> Pointed:
    where: dict[str, tuple[str, ...]] = {}
    for norm in norms:
        where[norm.collection] = (*where.get(norm.collection, ()), norm.id)
    names = tuple(norm.name for norm in norms)
    return Pointed(where=where, conditions=names, sure=sure and bool(norms), dated=sure and bool(norms))


def _named(question: str, held: Decisions, today: date) -> Iterator[_Named]:
    said = _SJSO.sub("SJS ", _TSXG.sub("STSJ", question))
    folded = fold(said)
    taken: set[int] = set()
    for match in _CRITERION.finditer(folded):
        taken.update(range(*match.span()))
        yield _Named(*match.span(), tuple(held.numbered(*numbers(match[1]), "criterion")), criterion=True)
    for ruling in rulings(said, today):
        if taken.isdisjoint(range(ruling.start, ruling.end)) and not _LAW.search(folded[: ruling.start]):
            taken.update(range(ruling.start, ruling.end))
            yield _Named(ruling.start, ruling.end, tuple(held.of(ruling)))
    if not _DECISION.search(folded):
        return
    for match in _LOOSE.finditer(said):
        number = next(iter(numbers(match[0])), "")
        ids = held.numbered(number, "number", "appeal", "roj") if number else []
        if ids and taken.isdisjoint(range(*match.span())) and not _LAW.search(folded[: match.start()]):
            taken.update(range(*match.span()))
            yield _Named(*match.span(), tuple(ids))
    for match in _CENDOJ.finditer(said):
        taken.update(range(*match.span()))
        yield _Named(*match.span(), tuple(held.numbered(match[0], "cendoj")))
    for match in () if taken else _DAY.finditer(said):
        day = dates.parse(match[1])
        if day and taken.isdisjoint(range(*match.span(1))) and (ids := held.on(day)):
            yield _Named(*match.span(1), tuple(ids))


def _parts(folded: str) -> tuple[str, ...]:
    return tuple(part for part, words_of in _PARTS if words_of.search(folded))


def _missing(question: str, one: _Named, held: Decisions) -> Missing:
    """The sentence that says that a decision is not held, and which alike ones are."""
    text = question[one.start : one.end].strip(" ,.;")
    what = text if re.match(r"(?:el|la|los|las) ", fold(text)) else f"«{text}»"
    alike = held.alike(numbers(text), CRITERIA if one.criterion else JUDGMENTS)
    near = NEAR.format(names=", ".join(held.norms[i].name for i in alike)) if alike else ""
    where = SEAT if one.criterion else CENDOJ
    return Missing(what=what, where=where, text=text, said=NOT_HELD.format(what=what, where=where, near=near))
