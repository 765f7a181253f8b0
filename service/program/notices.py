"""Spanish sentences about what an installation can and cannot do now."""

OFFLINE = (
    "Modo sin modelo: las respuestas son frases literales de las normas, sin redacción. "
    "Para que un modelo redacte, configure OPENAI_API_KEY u OPENAI_BASE_URL."
)
LEXICAL = "Búsqueda solo léxica: {reason}"
PENDING = (
    "Faltan los vectores de {pending} fragmentos, que hasta entonces solo se encuentran por sus palabras: "
    "ejecute «python cli.py reindex» con la página cerrada."
)
WORKING = (
    "Se están calculando los vectores de {pending} fragmentos: hasta entonces solo se encuentran por sus "
    "palabras."
)
DEMO_ONLY = (
    "Corpus de demostración: resúmenes no oficiales de artículos seleccionados. "
    "Importe el texto de las normas desde el BOE antes de usar las respuestas."
)


def notices(
    mode: str, embedder_problem: str, pending: int, demo_only: bool, *, working: bool = False
) -> tuple[str, ...]:
    """Sentences for the reader.

    Args:
        mode: 'offline' | 'model'.
        embedder_problem: why there are no vectors; empty when there are.
        pending: chunks whose vector is not made yet.
        demo_only: nothing of the corpus is official.
        working: they are being made.
    """
    told = [] if mode == "model" else [OFFLINE]
    if embedder_problem:
        told.append(LEXICAL.format(reason=embedder_problem))
    elif pending:
        told.append((WORKING if working else PENDING).format(pending=pending))
    if demo_only:
        told.append(DEMO_ONLY)
    return tuple(told)
