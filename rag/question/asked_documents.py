"""Documents that a question points to by their metadata: number, party, amount, dates, title (S3.32).

Pure functions. Only documents with such metadata take part: contracts, and documents with a number of their
own. The conditions of the question become ids of documents before any search.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from math import fsum, log

from core.values import Value
from law.document_metadata import PARTY, Records, hyphened
from law.labels import fold
from law.norms import Norm
from rag.question.ranges import amounts, decimal, period
from rag.question.understanding import Pointed
from text.textnorm import stems

AMOUNT = "importe_eur"
START, END, SIGNED = "fecha_inicio_iso", "fecha_fin_iso", "fecha_firma_iso"
# A word in more than one of every four titles distinguishes none.
COMMON = 4
# A title that matches nearly as well as the best may be the one meant.
NEAR = 0.8

_CONTRACTS = re.compile(
    r"\b(?:contratos?|contratistas?|expedientes?|licitacion(?:es)?|adjudicacion(?:es)?|adjudicad[oa]s?"
    r"|pliegos?|proyectos?|acuerdos? marco|documentos?)\b"
)
_PAPERS = re.compile(
    r"\b(?:borrador(?:es)?|plantillas?|cartas?|demandas?|notas?|escritos?|informes?|dictamen(?:es)?)\b"
)
_SEVERAL = re.compile(
    r"\b(?:que|cuales|cuantos|todos|listado de|lista de)\b[^?]{0,20}?\b(?:contratos|expedientes)\b"
)
_LEGAL_FORM = re.compile(
    r"\b(?:s\.?\s?[al]\.?(?:\s?u\.?)?|s\.?p\.?a\.?|gmbh|inc|ltd|llc|sociedad (?:anonima|limitada))(?=\W|$)"
)
# «un contrato con un sueldo de más de 1.000 euros» asks about the law, not about a contract of ours.
_OF_A_CONTRACT = re.compile(
    r"\b(?:importes?|presupuestos?|licitacion(?:es)?|expedientes?|adjudica\w+|millon(?:es)?)\b"
)
_DATED: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    (
        SIGNED,
        "firma",
        re.compile(
            r"\b(?:firm(?:ad[oa]s?|aron|o)|formaliz(?:ad[oa]s?|aron|o)|suscrit[oa]s?"
            r"|fecha de (?:la )?firma)\b"
        ),
    ),
    (
        START,
        "inicio",
        re.compile(
            r"\b(?:empiezan?|empezaron|empezo|comienzan?|comenzaron|comenzo|inici(?:an?|aron|o|ad[oa]s?)"
            r"|fecha de inicio)\b"
        ),
    ),
    (
        END,
        "fin",
        re.compile(
            r"\b(?:termin(?:an?|aron|o|en)|finaliz(?:an?|aron|o|en)|acab(?:an?|aron|o|en)"
            r"|venc(?:en?|ieron|io)|concluyen?|fecha de (?:fin|finalizacion))\b"
        ),
    ),
)
_AVAL = re.compile(r"\b(?:aval(?:es|ad[oa]s?|istas?)?|garantias? definitivas?|fianzas?)\b")
_SECTION = re.compile(r"\b(?:seccion|apartado|clausulas?) (?:de(?: las?| los?)? )?(?P<name>[a-z]+)")
_SECTIONS = {
    "garantias": "garantias", "avales": "garantias", "economicas": "economicas", "precio": "economicas",
    "importe": "economicas", "fechas": "plazos", "plazos": "plazos", "objeto": "objeto", "partes": "partes",
    "resolucion": "resolucion", "jurisdiccion": "jurisdiccion", "especiales": "clausulas",
    "obligaciones": "obligaciones", "normas": "normas",
}  # fmt: skip


class _Condition(Value):
    """One condition of the question, in Spanish (`told`), and the documents that meet it."""

    told: str
    ids: frozenset[str]
    sure: bool = True
    dated: bool = False


def may_point(question: str) -> bool:
    """True if the documents' metadata are worth reading: the question names a contract or has a digit."""
    folded = fold(question)
    named = _CONTRACTS.search(folded) or _PAPERS.search(folded)
    return named is not None or any(map(str.isdigit, question))


def pointed(question: str, records: Records) -> Pointed:
    """The documents of the corpus that the question points to, and its conditions on them."""
    folded = fold(question)
    found = [*_by_number(folded, records)]
    contracts = records.contracts
    about = _CONTRACTS.search(folded) if contracts else None
    if about is not None:
        found += _by_party(question, folded, contracts)
        found += _by_amount(folded, contracts)
        found += _by_dates(folded, contracts)
        found = found or [*_by_title(folded[about.end() :], records)]
    elif records.titles and not found:
        found += _by_title(folded, records, own_words=2)
    if about is None and not found:
        return Pointed()
    ids = frozenset[str].intersection(*(one.ids for one in found)) if found else frozenset()
    where: dict[str, tuple[str, ...]] = {norm.collection: () for norm in contracts} if about else {}
    for norm in records.those(ids):
        where[norm.collection] = (*where.get(norm.collection, ()), norm.id)
    return Pointed(
        where=where,
        conditions=tuple(one.told for one in found),
        sure=any(one.sure for one in found),
        flags=("aval",) if about and _AVAL.search(folded) else (),
        section_types=_sections(folded) if about else (),
        several=about is not None and _SEVERAL.search(folded) is not None,
        dated=any(one.dated for one in found),
    )


def _by_number(folded: str, records: Records) -> Iterator[_Condition]:
    """Documents named by number; sure only with letters in it: '10/2021' alone may be a law's number."""
    if named := records.named(hyphened(folded)):
        numbers = dict.fromkeys(named.values())
        sure = all(re.search(r"[a-z]", number) for number in numbers)
        yield _Condition(told=f"número {', '.join(numbers)}", ids=frozenset(named), sure=sure)


def _by_party(question: str, folded: str, contracts: Sequence[Norm]) -> Iterator[_Condition]:
    """Contracts of a contractor, named in full or by a capitalised word unique among names and titles."""
    parties = {party: _words(_LEGAL_FORM.sub(" ", fold(party))) for party in _values(contracts, PARTY)}
    uses = Counter(word for words in parties.values() for word in set(words))
    titles = {word for norm in contracts for word in _words(fold(f"{norm.title} {norm.law}"))}
    capitals = {fold(word) for word in re.findall(r"\b[A-ZÁÉÍÓÚÑ][\wáéíóúñ]{2,}", question)}
    asked = f"-{hyphened(folded)}-"
    own = {
        party: any(word in capitals and uses[word] == 1 and word not in titles for word in words)
        for party, words in parties.items()
    }
    named = [
        party for party, words in parties.items() if own[party] or (words and f"-{'-'.join(words)}-" in asked)
    ]
    if named:
        ids = frozenset(norm.id for norm in contracts if norm.extra.get(PARTY) in named)
        yield _Condition(told=f"contratista {', '.join(named)}", ids=ids)


def _words(folded: str) -> list[str]:
    return [word for word in re.findall(r"[a-z0-9]+", folded) if len(word) > 1]


def _values(contracts: Sequence[Norm], key: str) -> list[str]:
    return list(dict.fromkeys(value for norm in contracts if (value := norm.extra.get(key, ""))))


def _by_amount(folded: str, contracts: Sequence[Norm]) -> Iterator[_Condition]:
    asked = amounts(folded)
    if asked is not None:
        ids = frozenset(
            norm.id
            for norm in contracts
            if (value := decimal(norm.extra.get(AMOUNT, ""))) is not None and value in asked
        )
        yield _Condition(told=f"importe {asked}", ids=ids, sure=_OF_A_CONTRACT.search(folded) is not None)


def _by_dates(folded: str, contracts: Sequence[Norm]) -> Iterator[_Condition]:
    """Contracts «que terminan antes de 2026», «firmados en marzo de 2025»; never sure: it may ask for law."""
    for key, name, verb in _DATED:
        match = verb.search(folded)
        asked = period(folded[match.end() :]) if match else None
        if asked is not None:
            ids = frozenset(
                norm.id
                for norm in contracts
                if (day := _day(norm.extra.get(key, ""))) is not None and day in asked
            )
            yield _Condition(told=f"fecha de {name} {asked}", ids=ids, sure=False, dated=True)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _by_title(folded: str, records: Records, own_words: int = 0) -> Iterator[_Condition]:
    """The contracts whose titles share most words with the text, weighted by rarity among titles.

    Never sure: «el contrato de un vigilante de seguridad privada» is not a title.

    Args:
        own_words: minimum number of shared words that occur in no other title.
    """
    titles, uses, total = records.titles, records.uses, len(records.titles)
    asked = {stem for stem in stems(folded) if 0 < uses[stem] < max(2, total)}
    scores = {
        norm_id: fsum(log(1 + total / uses[stem]) for stem in asked & titles[norm_id])
        for norm_id in records.titled(asked)
        if sum(uses[stem] == 1 for stem in asked & titles[norm_id]) >= own_words
    }
    best = max(scores.values(), default=0.0)
    if best < log(1 + total / max(2, total // COMMON)):
        return
    ids = frozenset(norm_id for norm_id, score in scores.items() if score >= NEAR * best)
    names = ", ".join(sorted(norm.name for norm in records.those(ids)))
    yield _Condition(told=f"contrato {names}", ids=ids, sure=False)


def _sections(folded: str) -> tuple[str, ...]:
    match = _SECTION.search(folded)
    return (_SECTIONS[match["name"]],) if match and match["name"] in _SECTIONS else ()
