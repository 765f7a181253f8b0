"""An answer as plain text, ready to paste in a brief; pure functions."""

import re
from collections.abc import Callable, Sequence
from datetime import date

from pages.parts.answer.documents import document_text, is_document
from pages.parts.answer.sources import NAMED_ONLY, article_name, by_source, checked
from pages.parts.common.words import band, day, number, validity
from rag.answers.citations import quoted
from rag.answers.provenance import told
from rag.types import Answer, Citation, Norm, Source


def answer_text(
    question: str, answer: Answer, as_of: date, asked_on: date, norm_of: Callable[[str], Norm | None]
) -> str:
    """Question, answer and numbered sources; `[C1]` in the text becomes `[1]`, the number of its source."""
    body = re.sub(r"\*\*(.+?)\*\*", r"\1", re.sub(r"\[C(\d+)\]", r"[\1]", answer.answer)).strip()
    parts = [f"CONSULTA\n{question.strip()}", f"RESPUESTA\n{body}"]
    cited = [_source(quotes[0], quotes, norm_of) for quotes in by_source(answer.citations)]
    named = [_source(source, (), norm_of) for source in answer.sources]
    if cited:
        parts.append("FUENTES\n" + "\n\n".join(cited))
    if named:
        parts.append(f"{NAMED_ONLY.upper()}\n" + "\n\n".join(named))
    if answer.notes:
        parts.append(f"OBSERVACIONES\n{answer.notes.strip()}")
    parts.append(f"PROCEDENCIA DEL TEXTO\n{told(answer)}")
    parts.append(_closing(answer, as_of, asked_on))
    return "\n\n".join(parts) + "\n"


def _source(citation: Source, quotes: Sequence[Citation], norm_of: Callable[[str], Norm | None]) -> str:
    if is_document(citation):
        return document_text(quotes or (citation,))
    norm = norm_of(citation.norm_id)
    law = (norm.title if norm else citation.law) or citation.source
    article = article_name(citation)
    heading = citation.section.removeprefix(article).strip(". ")
    lines = [
        f"[{citation.marker.removeprefix('C')}] {law.rstrip('. ')}. {article}"
        + (f" ({heading})" if heading else "")
        + (f", pág. {citation.page}" if citation.page is not None else "")
        + "."
    ]
    lines += map(quoted, quotes)
    details = [validity(citation.valid_from, citation.valid_to)]
    unchecked = "sin comprobar" if quotes else "fuente nombrada, sin cita comprobada"
    details.append("comprobado letra por letra" if checked(quotes) else unchecked)
    if not citation.official:
        details.append("resumen no oficial: consulte el texto publicado")
    if citation.norm_id.startswith("BOE-"):
        details.append(citation.norm_id)
    text = "; ".join(detail for detail in details if detail)
    lines.append(text[:1].upper() + text[1:] + ".")
    url = citation.url or (norm.url if norm else "")
    return "\n    ".join([*lines, url] if url else lines)


def _closing(answer: Answer, as_of: date, asked_on: date) -> str:
    trust = (
        "Sin respuesta verificada"
        if answer.refusal
        else f"Confianza {band(answer.confidence)[0]} ({number(answer.confidence, 2)})"
    )
    return (
        f"Consulta del {day(asked_on)} sobre la normativa vigente a {day(as_of)}. {trust}. "
        "Respuesta automática de Articulado; no sustituye la lectura de la fuente oficial."
    )
