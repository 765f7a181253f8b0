"""Spanish words and formats of the pages; pure functions."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta

from core.clock import SPAIN, spanish_day, today_in_spain
from domain.accounts import LOCAL_USER
from law.norms import Norm, dated
from rag.answers.confidence import band as confidence_band
from rag.shared.cited_answer import AnswerLength

today = today_in_spain
OLDEST, YEARS_AHEAD = date(1950, 1, 1), timedelta(days=3 * 365)
Names = Mapping[str, str]
"""Account id to the name shown."""

COLLECTIONS = {
    "normativa": "Normativa",
    "sentencias": "Sentencias",
    "criterios_inss": "Criterios del INSS",
    "documentos": "Documentos",
}
ORIGINS = {
    "search": "búsqueda",
    "exact": "cita exacta",
    "part": "otra parte del artículo",
    "reference": "remisión",
    "day": "redacción de otro día",
    "need": "pedido al comprobar",
    "agent": "investigación",
}
AS_OF_FROM = {
    "reader": "elegida por usted",
    "question": "según la pregunta",
    "today": "la de hoy",
}
BANDS = {"baja": "art-low", "moderada": "art-mid", "alta": "art-high"}
"""CSS classes of the bands of confidence."""
LEVELS = {"municipal": "municipio", "ccaa": "comunidad autónoma"}
BRANCHES = {
    "own": "materia del corpus",
    "other_branch": "otra rama del Derecho",
    "not_legal": "no jurídica",
    "unknown": "sin determinar",
}
QUESTION_TYPES = {
    "article": "artículo",
    "comparison": "comparación",
    "amount": "cuantía",
    "duration": "plazo o duración",
    "requirements": "requisitos",
    "procedure": "procedimiento",
    "who": "quién",
    "effects": "efectos",
    "definition": "definición",
    "yes_no": "sí o no",
    "open": "abierta",
}
STRATEGIES = {
    "rules": "reglas",
    "model": "modelo",
    "none": "sin reordenar",
    "heuristic": "heurística",
    "listwise": "orden por modelo",
    "extractive": "extractiva",
    "refusal": "abstención",
    "courtesy": "cortesía",
}
ANSWER_SIGNALS = {
    "first": "Señal · primera frase",
    "share": "Señal · peso de lo citado",
    "left": "Señal · lo no citado",
    "margin": "Señal · ventaja sobre otra fuente",
    "sources": "Señal · fuentes",
    "kept": "Señal · frases",
    "rule": "Señal · contexto suficiente",
    "by_words": "Señal · solo por palabras",
    "amount": "Señal · preguntas",
}
LENGTHS = {AnswerLength.BRIEF: "Breve", AnswerLength.NORMAL: "Normal", AnswerLength.DETAILED: "Detallada"}
VERDICTS = {"SUFFICIENT": "suficiente", "PARTIAL": "parcial", "INSUFFICIENT": "insuficiente"}
ENDED = {
    "done": "el modelo dio por terminada la búsqueda",
    "rounds": "máximo de rondas",
    "tokens": "presupuesto de tokens agotado",
    "time": "tiempo agotado",
    "failures": "tres llamadas fallidas seguidas",
    "loop": "llamadas repetidas",
    "model": "el modelo falló",
    "no_model": "sin modelo",
}
MASKED = {
    "DNI": "DNI",
    "NIE": "NIE",
    "CIF": "CIF",
    "IBAN": "IBAN",
    "CUENTA": "número de cuenta",
    "NUSS": "número de la Seguridad Social",
    "TARJETA": "tarjeta bancaria",
    "PASAPORTE": "pasaporte",
    "SANITARIA": "tarjeta sanitaria",
    "MATRICULA": "matrícula",
    "NACIMIENTO": "fecha de nacimiento",
    "DIRECCION": "dirección",
    "TELEFONO": "teléfono",
    "EMAIL": "correo electrónico",
    "NUMERO": "número cortado",
    "PERSONA": "nombre de persona",
    "EMPRESA": "nombre de empresa",
    "NOMBRE": "nombre de la lista",
}
SPEAKERS = {"user": "Antes, la persona", "assistant": "Antes, Articulado"}
ROLES = {"reader": "lectura", "principal": "redacción", "embeddings": "búsqueda por el significado"}
SEARCH_MODES = {"hybrid": "híbrida", "lexical": "solo léxica", "semantic": "solo semántica"}
SEARCH_STRATEGIES = {"flat": "por fragmentos", "hierarchical": "por documentos (jerárquica)"}
_TECHNICAL = re.compile(r"[A-Z]{2,}_[A-Z]|HTTP|[Ll]éxic|[Vv]ector|[Ee]mbedding")
# Features of the offline reranker.
FEATURES = {
    "adapted": "parecido como respuesta",
    "sparse": "palabras (BM25)",
    "aids": "palabras afines",
    "question": "pregunta afín",
    "passage": "pasaje afín",
    "related": "palabras emparentadas",
    "aided": "tiene palabras y preguntas afines",
    "aided_words": "tiene palabras afines (sin vectores)",
    "fused": "fusión",
    "heading_explained": "rúbrica explicada",
    "norm_title": "título de la norma",
    "coverage": "palabras cubiertas",
    "asked_words": "palabras de uso común",
    "synonym_phrases": "sinónimos literales",
    "pairs": "pares de palabras",
    "intent": "lo que se pide",
    "intent_topic": "lo que se pide y su materia",
    "transitional": "transitoria",
    "final": "final o derogatoria",
    "additional": "adicional",
    "preamble": "preámbulo",
    "amending": "modifica otra norma",
    "dated": "fecha en la rúbrica",
    "length": "extensión",
    "regulation": "rango reglamentario",
    "general": "norma general (ET, LGSS)",
    "named": "norma nombrada",
    "norm_regime_said": "régimen de la norma, nombrado",
    "norm_regime_unsaid": "régimen de la norma, no nombrado",
    "regime_said": "régimen nombrado",
    "regime_unsaid": "régimen no nombrado",
    "norm_support": "apoyo de la norma",
    "chapter_support": "apoyo del capítulo",
    "referred": "remiten a él",
}
_TITLE_PART = re.compile(r"(?<!\bArt)(?<!\bart)\. ")


def day(value: date) -> str:
    """'14/03/2019'."""
    return value.strftime("%d/%m/%Y")


def ago(moment: datetime, now: datetime) -> str:
    """Time since a moment in a few words; its date after a week."""
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    minutes = int((now - moment).total_seconds() // 60)
    days = (now.astimezone(SPAIN).date() - spanish_day(moment)).days
    if minutes < 1:
        return "ahora"
    if minutes < 60:
        return f"hace {minutes} min"
    if days == 0:
        return f"hace {minutes // 60} h"
    if days == 1:
        return "ayer"
    return f"hace {days} días" if days < 8 else day(spanish_day(moment))


def number(value: float, decimals: int = 0) -> str:
    """A number in Spanish notation: 12.519 and 0,92."""
    return f"{value:,.{decimals}f}".translate(str.maketrans(",.", ".,"))


def duration(milliseconds: float) -> str:
    """'120 ms', '1,4 s'."""
    return f"{number(milliseconds)} ms" if milliseconds < 1000 else f"{number(milliseconds / 1000, 1)} s"


def plain_note(note: str) -> str:
    """A note of a stage for the waiting person; the trace has it in technical words."""
    return "con menos medios de los habituales" if _TECHNICAL.search(note) else note


def plural(count: int, one: str, many: str) -> str:
    """'1 norma', '12.519 normas'."""
    return f"{number(count)} {one if count == 1 else many}"


def counted(total: int, number: int, size: int, one: str, many: str, *, between: str = "del {} al {}") -> str:
    """'120 documentos, del 51 al 100' on page `number`; without the range if there is one page."""
    first = (number - 1) * size + 1
    shown = f", {between.format(first, min(total, first + size - 1))}" if total > size else ""
    return plural(total, one, many) + shown


def first_words(title: str) -> str:
    """'Artículo 38' of 'Artículo 38. Vacaciones anuales.', 'Art. 10' of 'Art. 10. Extinción.'"""
    return _TITLE_PART.split(title, maxsplit=1)[0].rstrip(". ")


def dotted(*parts: str) -> str:
    """The parts that are not empty, in one line: 'a · b'."""
    return " · ".join(part for part in parts if part)


def shortened(text: str, length: int) -> str:
    """A text in one line of at most `length` characters."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"


def band(confidence: float) -> tuple[str, str]:
    """Confidence band: its word and the CSS class that colours it."""
    word = confidence_band(confidence)
    return word, BANDS[word]


def validity(valid_from: date | None, valid_to: date | None) -> str:
    """'Vigente desde 14/03/2019' · 'Vigente desde 14/03/2019 hasta 30/03/2022' · empty when None."""
    if valid_from and not dated(valid_from):
        return f"Sin fecha de inicio, vigente hasta {day(valid_to)}" if valid_to else "Sin fecha de vigencia"
    start = f"desde {day(valid_from)}" if valid_from else ""
    end = f"hasta {day(valid_to)}" if valid_to else ""
    return f"Vigente {start} {end}".replace("  ", " ").strip() if start or end else ""


def moment(when: datetime) -> str:
    """'21/11/2026, 10:32', in Spain."""
    local = (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(SPAIN)
    return f"{day(local.date())}, {local:%H:%M}"


def article(norm: str, label: str, norms: dict[str, Norm]) -> str:
    """'ET · Artículo 38' of a label, by the shortest name of its norm."""
    known = norms.get(norm)
    name = known.name if known else norm
    block = f"Artículo {label}" if label[:1].isdigit() else label.capitalize()
    return f"{name} · {block}"


def norms_by_label(norms: Iterable[Norm]) -> dict[str, Norm]:
    """Norms by the identifier that labels use: their own, or that of the norm that they summarise."""
    found: dict[str, Norm] = {}
    for norm in norms:
        source = norm.extra.get("source_norm")
        if source and norm.collection == "normativa":
            found.setdefault(source, norm)
        found[norm.id] = norm
    return found


def owner_name(owner: str, names: Names) -> str:
    """The name of an account, «este equipo» or «cuenta eliminada»."""
    return "este equipo" if owner in ("", LOCAL_USER) else names.get(owner, "cuenta eliminada")
