"""Spanish names of the stages of an answer."""

SENTENCES = "sentences"
STAGES = {
    "split": "Preguntas del texto",
    "understand": "Comprensión de la pregunta",
    "agent": "Investigación",
    "decompose": "Análisis de la consulta",
    "search": "Búsqueda en normativa",
    "rerank": "Selección de fragmentos",
    "expand": "Remisiones",
    "assess": "Comprobación del contexto",
    "answer": "Redacción",
    "verify": "Verificación de citas",
    SENTENCES: "Comprobación frase a frase",
}


def stage_name(name: str) -> str:
    """The name of a stage, of a round of the investigation ('agent/2') or of a question ('question/2')."""
    stage, _, part = name.partition("/")
    if stage == "question":
        return f"Pregunta {part}"
    return f"{STAGES.get(stage, stage)} · ronda {part}" if part else STAGES.get(name, name)
