"""Spanish words, formats and tables of the evaluation pages; pure functions."""

from collections.abc import Iterable, Mapping

from pages.parts.common.words import moment, number, plural
from rag.evaluation.results import Aids, CaseResult, Evaluation, EvaluationState, Interval, Label, Miss

DATASETS = {
    "core": "Preguntas generales",
    "law": "Fechas, comparaciones y remisiones",
    "desk": "Lo que más se pregunta en un despacho",
    "everyday": "Lenguaje corriente",
    "answers": "Respuestas y los hechos que deben decir",
    "consults": "Consultas sobre muchas normas",
    "examiner": "Preguntas amplias y los hechos que deben decirse",
    "jury": "Preguntas variadas y los hechos que deben decirse",
    "outsider": "Preguntas de una persona ajena al programa",
    "fresh": "Decidir si se contesta o se rechaza",
    "loaded": "Preguntas sin las palabras de la norma",
    "dated": "Preguntas sobre otro día",
    "unanswerable": "Preguntas que deben rechazarse",
    "review": "Casos de revisión",
    "agreements": "Convenios inventados, que hay que cargar antes",
}
"""Sets in the order in which they are offered, after a user's own."""
CATEGORIES = {
    "acronyms": "Siglas",
    "article-reference": "Cita de un artículo",
    "basic_info": "Información básica",
    "case": "Caso contado",
    "case-law": "Jurisprudencia",
    "civil": "Derecho civil",
    "collective-agreement": "Convenio colectivo",
    "colloquial": "Lenguaje coloquial",
    "como_solicitar": "Cómo solicitarlo",
    "comparison": "Comparación",
    "consumer": "Consumo",
    "criminal": "Derecho penal",
    "dated": "De otra fecha",
    "documentos": "Documentos",
    "false_premise": "Parte de algo que no es así",
    "follow-up": "Pregunta de seguimiento",
    "foreign": "Derecho extranjero",
    "foreign-law": "Derecho extranjero",
    "general": "General",
    "hr": "Recursos humanos",
    "hr+aside": "Recursos humanos, con otra materia de paso",
    "immigration": "Extranjería",
    "invented": "Derechos inventados",
    "lawyer": "Letrado",
    "lawyer+aside": "Letrado, con otra materia de paso",
    "negative": "Ajenas al corpus",
    "no-law": "Sin Derecho o datos",
    "norm-not-in-corpus": "Norma no cargada",
    "norm-not-loaded": "Norma no cargada",
    "not-legal": "No jurídica",
    "other-branch": "Otra rama",
    "other-branch-labour-words": "Otra rama, con palabras laborales",
    "plain": "Pregunta directa",
    "plazos": "Plazos",
    "professional": "Lenguaje técnico",
    "requisitos": "Requisitos",
    "review": "Revisión",
    "simple": "Sencilla",
    "situation": "Caso contado",
    "situational": "Caso contado",
    "tax": "Tributos",
    "temporal": "Normativa de otra fecha",
    "tenancy": "Arrendamientos",
    "territorial": "Con territorio",
    "traffic": "Tráfico",
    "two_provisions": "Dos preceptos",
    "worker": "Trabajador",
    "worker+aside": "Trabajador, con otra materia de paso",
    "yes_no": "De sí o no",
}
METRICS = {
    "right": (
        "Pasan las comprobaciones",
        "Se decide bien si responder y uno de los artículos está entre los 3 primeros; donde se anotan los "
        "hechos, además se dicen todos.",
    ),
    "facts_told": ("Hechos dichos", "De lo que una respuesta correcta debe decir, la parte que se dice."),
    "all_facts": ("Respuestas con todos los hechos", "Dicen todo lo que deben decir."),
    "some_fact": ("Respuestas con algún hecho", "Dicen al menos uno de los hechos que deben decir."),
    "quotes_with_fact": (
        "Citas que llevan un hecho",
        "De las citas comprobadas, sin las que van aparte, las que dicen algo debido.",
    ),
    "first_with_fact": ("Primera cita con un hecho", "Respuestas cuya primera cita dice algo debido."),
    "opens_with_fact": (
        "Abre con lo que decide",
        "De las de sí o no, las que empiezan por el hecho que decide, hasta su primera marca.",
    ),
    "yes_no_said": ("Empieza por sí o no", "De las de sí o no, las que la respuesta decide con esa palabra."),
    "yes_no_accuracy": ("Sí o no acertado", "De las que empiezan por sí o no, las que aciertan."),
    "high": ("Respuestas con confianza alta", "De las respuestas dadas, las que se muestran como «alta»."),
    "high_right": (
        "Acierto de la confianza alta",
        "De las respuestas «alta», las que dicen todos los hechos.",
    ),
    "brier": ("Error de la confianza (Brier)", "Media de (confianza − acierto)²; 0 es lo ideal."),
    "ece": (
        "Desajuste de la confianza (ECE)",
        "Distancia media entre la confianza y el acierto; 0 es lo ideal.",
    ),
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
    "refused_rightly": ("Rechazos acertados", "De las preguntas rechazadas, las que debían rechazarse."),
    "refused_or_warned": (
        "Rechazadas o avisadas por su fecha",
        "De las preguntas sobre un día cuya norma no está cargada, las que se rechazan o avisan de ello "
        "sin confianza alta.",
    ),
    "refusal_f1": ("F1 de los rechazos", "Media armónica de los rechazos acertados y de los debidos."),
    "territory_accuracy": ("Territorio reconocido", "La comunidad o el municipio de la pregunta."),
    "as_of_accuracy": ("Fecha reconocida", "El día cuya normativa se aplica."),
    "must_contain_accuracy": (
        "Redacción correcta encontrada",
        "La redacción de la fecha que toca está en lo que se leería.",
    ),
    "quoted_accuracy": ("Redacción correcta citada", "Alguna cita trae las palabras de la fecha que toca."),
    "not_quoted_accuracy": ("Sin citas de otra redacción", "Ninguna cita trae palabras de otra fecha."),
    "forbidden_accuracy": ("Sin lo que no debe decir", "No dice lo que solo dice una respuesta equivocada."),
}
POINTS = " p. p."
DECIMAL = frozenset({"mrr@10", "ndcg@10", "brier", "ece"})
HEADLINES = (
    "right", "facts_told", "hit@3", "mrr@10", "refusal_accuracy", "quoted_accuracy", "refused_or_warned",
)  # fmt: skip
CHECKS = {
    "refusal": "Decisión de responder o no",
    "retrieval": "Artículo entre los 3 primeros",
    "territory": "Territorio",
    "as_of": "Fecha de la normativa",
    "must_contain": "Redacción de la fecha, encontrada",
    "quoted": "Redacción de la fecha, citada",
    "not_quoted": "Ninguna cita de otra redacción",
    "facts": "Todos los hechos",
    "forbidden": "Nada que no deba decirse",
    "yes_no": "Sí o no",
    "surplus": "Ninguna cita que sobre",
    "cited": "Cita un artículo que responde",
}
MISSES = {
    Miss.RETRIEVAL: "no se encontró el texto que lo dice",
    Miss.DECISION: "estaba en lo encontrado, pero se rechazó la pregunta",
    Miss.SENTENCE: "estaba en lo encontrado, pero se citaron otras frases",
    Miss.REASONING: "el modelo lo tenía delante y no lo dijo",
    Miss.VERIFICATION: "se descartó al comprobar las citas",
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


MADE = ("aids", "dataset", "mode", "reader", "principal", "embeddings")
FOLLOWS = ("prompts", "index", "norms", "chunks", "pending_vectors", "corpus")
"""Facts that somebody chooses, and those that follow from a load or from another version of the program."""


def in_order(names: Iterable[str]) -> list[str]:
    """Names of sets as they are offered: a user's own, then ours."""
    ours = list(DATASETS)
    return sorted(names, key=lambda name: ours.index(name) if name in DATASETS else -1)


def dataset_name(name: str) -> str:
    """'Preguntas generales (core)'; a user's own file by its name."""
    return f"{DATASETS[name]} ({name})" if name in DATASETS else name


def first_made(name: str) -> tuple[bool, int]:
    """Order of the facts that differ between two evaluations: those that somebody chose come first."""
    return name in FOLLOWS, MADE.index(name) if name in MADE else len(MADE)


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
    """The failed checks in a few words, or 'sin fallos'."""
    if not result.held:
        return "aparte: su artículo no está en el corpus"
    if result.right:
        return "sin fallos"
    wrong = []
    if not result.checks["refusal"]:
        wrong.append("rechazada por error" if result.answerable else "respondida por error")
    if result.checks.get("retrieval") is False:
        wrong.append(f"artículo en el lugar {result.rank}" if result.rank else "artículo no encontrado")
    if result.told and not result.refused and (facts := result.told.facts):
        missing = sum(not fact.told for fact in facts)
        wrong += [f"faltan {missing} de {plural(len(facts), 'hecho', 'hechos')}"] if missing else []
    other = [
        CHECKS[name].lower()
        for name in CHECKS
        if name not in ("refusal", "retrieval", "facts")
        if result.checks.get(name) is False
    ]
    return ", ".join(wrong + [f"falla: {name}" for name in other])


def decision_wanted(result: CaseResult) -> str:
    """'responder', 'rechazar' or, where no law of the day is loaded, 'rechazar o avisar'."""
    if result.warned is not None:
        return "rechazar o avisar"
    return "responder" if result.answerable else "rechazar"


def place(label: Label) -> str:
    """'3.º', 'no encontrado' or 'no está en el corpus'."""
    if label.rank is not None:
        return f"{label.rank}.º"
    return "no encontrado" if label.held else "no está en el corpus"
