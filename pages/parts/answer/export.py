"""An answer as plain text, ready to paste in a brief; pure functions."""

import re
from collections.abc import Callable
from datetime import date

from law.norms import Norm
from pages.parts.answer.documents import document_text, is_document
from pages.parts.answer.sources import NAMED_ONLY, article_name, checked, pages_of
from pages.parts.common.words import band, day, validity
from rag.answers.article_numbers import CitedArticle, articles_of, numbered, with_numbers
from rag.answers.provenance import provenance_told
from rag.answers.quotation_check import quoted
from rag.shared.cited_answer import Answer
from service.opinions.opinion import CERTIFIED


def answer_text(
    question: str,
    answer: Answer,
    as_of: date,
    asked_on: date,
    norm_of: Callable[[str], Norm | None],
    *,
    seal: str = "",
) -> str:
    """Question, answer and sources, numbered as on the page; `seal`: SHA-256 of its certificate."""
    numbers = numbered(answer)
    articles = articles_of(answer, numbers)
    body = re.sub(r"\*\*(.+?)\*\*|(?m:^#+ )", r"\1", with_numbers(answer.answer, numbers)).strip()
    parts = [f"CONSULTA\n{question.strip()}", f"RESPUESTA\n{body}"]
    cited = [_source(article, norm_of) for article in articles if article.quotes]
    named = [_source(article, norm_of) for article in articles if not article.quotes]
    if cited:
        parts.append("FUENTES\n" + "\n\n".join(cited))
    if named:
        parts.append(f"{NAMED_ONLY.upper()}\n" + "\n\n".join(named))
    if answer.notes:
        parts.append(f"OBSERVACIONES\n{answer.notes.strip()}")
    parts.append(f"PROCEDENCIA DEL TEXTO\n{provenance_told(answer)}")
    if seal:
        parts.append(CERTIFIED.format(sha=seal))
    parts.append(_closing(answer, as_of, asked_on))
    return "\n\n".join(parts) + "\n"


def _source(cited: CitedArticle, norm_of: Callable[[str], Norm | None]) -> str:
    number, citation, quotes = cited
    if is_document(citation):
        return document_text(cited)
    norm = norm_of(citation.norm_id)
    law = (norm.title if norm else citation.law) or citation.source
    article = article_name(citation)
    heading = citation.section.removeprefix(article).strip(". ")
    lines = [
        f"[{number}] {law.rstrip('. ')}. {article}"
        + (f" ({heading})" if heading else "")
        + (f", {pages}" if (pages := pages_of(cited)) else "")
        + "."
    ]
    inside = {
        one.quote
        for one in quotes
        for other in quotes
        if one.quote != other.quote and one.quote in other.quote
    }
    lines += (quoted(one) for one in quotes if one.quote not in inside)
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
        else f"Confianza {band(answer.confidence)[0]}{f': {answer.because}' if answer.because else ''}"
    )
    return (
        f"Consulta del {day(asked_on)} sobre la normativa vigente a {day(as_of)}. {trust}. "
        "Respuesta automática de Articulado; no sustituye la lectura de la fuente oficial."
    )
