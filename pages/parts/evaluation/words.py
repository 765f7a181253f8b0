"""Spanish words, formats and tables of the evaluation pages; pure functions."""

from collections.abc import Mapping

from pages.parts.common.words import moment, number
from rag.evaluation.types import Aids, CaseResult, Evaluation, EvaluationState, Interval, Label

DATASETS = {
    "core": "Preguntas generales",
    "law": "Normativa real",
    "review": "Casos de revisión",
    "unanswerable": "Preguntas que deben rechazarse",
}
CATEGORIES = {
    "acronyms": "Siglas",
    "article-reference": "Cita de un artículo",
    "basic_info": "Información básica",
    "civil": "Derecho civil",
    "colloquial": "Lenguaje coloquial",
    "como_solicitar": "Cómo solicitarlo",
    "comparison": "Comparación",
    "consumer": "Consumo",
    "criminal": "Derecho penal",
    "documentos": "Documentos",
    "follow-up": "Pregunta de seguimiento",
    "foreign": "Derecho extranjero",
    "general": "General",
    "immigration": "Extranjería",
    "invented": "Derechos inventados",
    "negative": "Ajenas al corpus",
    "norm-not-loaded": "Norma no cargada",
    "not-legal": "No jurídica",
    "plazos": "Plazos",
    "professional": "Lenguaje técnico",
    "requisitos": "Requisitos",
    "review": "Revisión",
    "situational": "Caso contado",
    "tax": "Tributos",
    "temporal": "Normativa de otra fecha",
    "tenancy": "Arrendamientos",
    "territorial": "Con territorio",
    "traffic": "Tráfico",
}
METRICS = {
    "right": ("Preguntas correctas", "Cumplen todas las comprobaciones."),
    "hit@1": ("Acierto en el primer lugar", "El primer artículo encontrado es uno de los que responden."),
    "hit@3": (
        "Acierto entre los 3 primeros",
        "Uno de los artículos que responden está entre los 3 primeros.",
    ),
    "mrr@10": ("Rango recíproco medio", "1 si el artículo está el primero, 1/2 si es el segundo, 1/3…"),
    "ndcg@10": ("nDCG entre los 10 primeros", "Calidad del orden; 1 es el orden ideal."),
    "precision@3": ("Precisión entre los 3 primeros", "Parte de los 3 primeros que es pertinente."),
    "recall@1": ("Exhaustividad, 1 primero", "Parte de los artículos pertinentes que aparece."),
    **{
        f"recall@{k}": (f"Exhaustividad, {k} primeros", "Parte de los artículos pertinentes que aparece.")
        for k in (3, 5, 10, 30)
    },
    "refusal_accuracy": ("Decisión de responder o no", "Responde lo que debe y rechaza lo que debe."),
    "answered": ("Respondidas de las que debían", "Preguntas con respuesta que no se rechazan."),
    "refused": ("Rechazadas de las que debían", "Preguntas sin respuesta que se rechazan."),
    "territory_accuracy": ("Territorio reconocido", "La comunidad o el municipio de la pregunta."),
    "as_of_accuracy": ("Fecha reconocida", "El día cuya normativa se aplica."),
    "must_contain_accuracy": ("Redacción correcta", "El texto encontrado es el de la fecha que toca."),
}
POINTS = " p. p."
DECIMAL = frozenset({"mrr@10", "ndcg@10"})
HEADLINES = ("right", "hit@3", "mrr@10", "refusal_accuracy")
CHECKS = {
    "refusal": "Decisión de responder o no",
    "retrieval": "Artículo entre los 3 primeros",
    "territory": "Territorio",
    "as_of": "Fecha de la normativa",
    "must_contain": "Redacción de la fecha",
}
STATES = {
    EvaluationState.RUNNING: ("en curso", ""),
    EvaluationState.DONE: ("terminada", "art-high"),
    EvaluationState.CANCELLED: ("cancelada", "art-mid"),
    EvaluationState.FAILED: ("fallida", "art-low"),
    EvaluationState.INTERRUPTED: ("interrumpida", "art-mid"),
}
FACTS = {
    "dataset": "Conjunto (huella)",
    "mode": "Modo",
    "reader": "Modelo de lectura",
    "principal": "Modelo de redacción",
    "embeddings": "Modelo de vectores",
    "prompts": "Instrucciones (huella)",
    "index": "Índice",
    "norms": "Normas",
    "chunks": "Fragmentos",
    "pending_vectors": "Fragmentos sin vector",
    "aids": "Ayudas de búsqueda",
    "corpus": "Corpus (huella)",
}
AIDS: Mapping[str, str] = {
    Aids.ALL: "todas: como busca el programa",
    Aids.MIXED: "todas menos las de las normas preguntadas: como si las hubiera cargado usted",
    Aids.NONE: "ninguna: solo las palabras de la ley",
}
MODES = {"offline": "sin modelo", "model": "con modelo"}
FACT_VALUES: Mapping[str, Mapping[str, str]] = {"mode": MODES, "aids": AIDS}


def dataset_name(name: str) -> str:
    """'Preguntas generales (core)'; a user's own file by its name."""
    return f"{DATASETS[name]} ({name})" if name in DATASETS else name


def fact_value(name: str, fact: str) -> str:
    """The value of a fact in words, where it has any; '—' for an empty one."""
    return FACT_VALUES.get(name, {}).get(fact, fact) or "—"


def category_name(name: str) -> str:
    """The Spanish name of a category; an unknown one in words."""
    return (
        CATEGORIES.get(name) or CATEGORIES.get(name.replace("_", "-")) or name.replace("_", " ").capitalize()
    )


def metric_name(name: str) -> str:
    """The Spanish name of a measure; an unknown one unchanged."""
    return METRICS[name][0] if name in METRICS else name


def value(name: str, share: float) -> str:
    """'82,4 %', or '0,82' for a measure that is not a share."""
    return number(share, 2) if name in DECIMAL else f"{number(100 * share, 1)} %"


def spread(name: str, interval: Interval | None) -> str:
    """'75,0 – 88,1 %', the 95 % interval; empty for None."""
    if interval is None:
        return ""
    low, high = interval
    if name in DECIMAL:
        return f"{number(low, 2)} – {number(high, 2)}"
    return f"{number(100 * low, 1)} – {number(100 * high, 1)} %"


def signed(name: str, difference: float) -> str:
    """'+2,5 p. p.' (percentage points) for a share, '+0,03' for the other measures."""
    sign = "+" if difference > 0 else "−" if difference < 0 else ""
    size = abs(difference)
    return f"{sign}{number(size, 2)}" if name in DECIMAL else f"{sign}{number(100 * size, 1)}{POINTS}"


def signed_spread(name: str, interval: Interval) -> str:
    """'−1,0 a +2,5', the interval of a difference."""
    low, high = (signed(name, end).removesuffix(POINTS) for end in interval)
    return f"{low} a {high}"


def short(evaluation: Evaluation) -> str:
    """Dataset and moment, to name an evaluation in a tooltip."""
    return f"{dataset_name(evaluation.dataset)} · {moment(evaluation.created_at)}"


def verdict(result: CaseResult) -> str:
    """The failed checks in a few words, or 'correcta'."""
    if not result.held:
        return "aparte: su artículo no está en el corpus"
    if result.right:
        return "correcta"
    wrong = []
    if not result.checks["refusal"]:
        wrong.append("rechazada por error" if result.answerable else "respondida por error")
    if result.checks.get("retrieval") is False:
        wrong.append(f"artículo en el lugar {result.rank}" if result.rank else "artículo no encontrado")
    other = [
        CHECKS[name].lower()
        for name in ("territory", "as_of", "must_contain")
        if result.checks.get(name) is False
    ]
    return ", ".join(wrong + [f"falla: {name}" for name in other])


def place(label: Label) -> str:
    """'3.º', 'no encontrado' or 'no está en el corpus'."""
    if label.rank is not None:
        return f"{label.rank}.º"
    return "no encontrado" if label.held else "no está en el corpus"
