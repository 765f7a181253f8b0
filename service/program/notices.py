"""Spanish sentences about what an installation can and cannot do now."""

OFFLINE = (
    "Sin modelo de lenguaje: las respuestas son frases literales de las normas, sin redacción. Quien "
    "administra Articulado puede conectar uno."
)
LEXICAL = "Se busca solo por las palabras: la búsqueda por el significado no está en marcha."
PENDING = (
    "{pending} pasajes se encuentran solo por sus palabras, no por su significado. Quien administra "
    "Articulado puede completar la búsqueda."
)
WORKING = (
    "Se está preparando la búsqueda por el significado: hasta entonces, {pending} pasajes se encuentran solo "
    "por sus palabras."
)
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
    working: bool = False,
    preparing: bool = False,
) -> tuple[str, ...]:
    """Sentences for the reader; `cli.py doctor` tells how to mend each problem.

    Args:
        mode: 'offline' | 'model'.
        embedder_problem: why there are no vectors; empty when there are.
        pending: chunks whose vector is not made yet.
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
        told.append((WORKING if working else PENDING).format(pending=pending))
    if demo_only:
        told.append(DEMO_ONLY)
    return tuple(told)
