"""Spanish sentences about what an installation can and cannot do now."""

from collections.abc import Callable
from datetime import date

from core.clock import today_in_spain
from law.corpus_store import VectorGaps

OFFLINE = (
    "Sin modelo de lenguaje: las respuestas son frases literales de las normas, sin redacción. Quien "
    "administra Articulado puede conectar uno."
)
LEXICAL = "Se busca solo por las palabras: la búsqueda por el significado no está en marcha."
LACKING = (
    "Mientras no se preparen para la búsqueda por el significado los pasajes que faltan ({which}), {then}"
)
IN_FORCE = "{missing} de los {total} en vigor"
OTHERS = "{pending} que hoy no están en vigor"
SOME = "los documentos a los que pertenecen se buscan enteros solo por sus palabras."
SOME_OF_THE_PAST = (
    "los documentos a los que pertenecen se buscan solo por sus palabras al preguntar por esos días."
)
ALL = "todo se busca solo por las palabras."
WORKING = "Se están preparando ahora."
WAITING = "Quien administra Articulado puede completar la búsqueda."
PREPARING = (
    "Se están cargando las normas de demostración: tarda unos segundos. Puede preguntar ya: la respuesta "
    "llegará en cuanto terminen de cargarse."
)
DEMO_ONLY = (
    "Normas de demostración: resúmenes no oficiales de artículos seleccionados. "
    "Importe el texto de las normas desde el BOE antes de usar las respuestas."
)


def notices(
    mode: str,
    embedder_problem: str,
    pending: int,
    demo_only: bool,
    *,
    gaps: Callable[[date], VectorGaps],
    working: bool = False,
    preparing: bool = False,
) -> tuple[str, ...]:
    """Sentences for the reader; `cli.py doctor` tells how to mend each problem.

    Args:
        mode: 'offline' | 'model'.
        embedder_problem: why there are no vectors; empty when there are.
        pending: chunks whose vector is not made yet.
        gaps: reads those among them that are in force on a day.
        demo_only: nothing of the corpus is official.
        working: the vectors are being made.
        preparing: the demo corpus is being loaded.
    """
    told = [] if mode == "model" else [OFFLINE]
    if preparing:
        return PREPARING, *told
    if embedder_problem:
        told.append(LEXICAL)
    elif pending:
        told.append(f"{_lacking(pending, gaps(today_in_spain()))} {WORKING if working else WAITING}")
    if demo_only:
        told.append(DEMO_ONLY)
    return tuple(told)


def _lacking(pending: int, gaps: VectorGaps) -> str:
    if not gaps.missing:
        return LACKING.format(which=OTHERS.format(pending=pending), then=SOME_OF_THE_PAST)
    which = IN_FORCE.format(missing=gaps.missing, total=gaps.total)
    return LACKING.format(which=which, then=ALL if gaps.too_many else SOME)
