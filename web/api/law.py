"""Routes of the corpus: search, norms, articles, comparison, verification and document tools."""

import hashlib
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from calculations.outcome import Outcome
from service.contract.articles import (
    LONGEST_REFERENCE,
    ArticleDocument,
    DiffDocument,
    DiffRequest,
    NormDocument,
    NormsDocument,
)
from service.contract.calculations import CalculationRequest
from service.contract.citations import CitationsRequest
from service.contract.news import MOST_NEWS, NewsDocument
from service.contract.search import SearchDocument, SearchRequest
from service.contract.tools import ToolDocument, ToolRequest
from service.contract.verification import StoredAnswer, VerificationDocument
from service.opinions.verification import NAME, CertificateDocument, CertificateRequest
from web.api.dependencies import Person
from work.briefs.findings import CitationReport

MOST_NORMS, MOST_OFFSET = 500, 10_000_000
router = APIRouter(tags=["normativa"])
AsOf = Annotated[date | None, Query(description="Normativa vigente ese día; hoy, si falta.")]
Name = Annotated[str, Path(max_length=200)]


@router.get("/search", summary="Fragmentos que encuentra una búsqueda, el mejor primero")
def search(person: Person, request: Annotated[SearchRequest, Query()]) -> SearchDocument:
    return person.law.search(request)


@router.get("/norms", summary="Normas del corpus, por páginas")
def norms(
    person: Person,
    offset: Annotated[int, Query(ge=0, le=MOST_OFFSET)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_NORMS)] = 100,
) -> NormsDocument:
    return person.law.norms(offset, limit)


@router.get("/norms/{norm_id}", summary="Una norma")
def norm(person: Person, norm_id: Name) -> NormDocument:
    return person.law.norm(norm_id)


@router.get(
    "/norms/{norm_id}/articles/{label}",
    response_model=ArticleDocument,
    summary="Un artículo en su redacción de un día, por norma y número («48 bis», «da 3»)",
    responses={304: {"description": "Es la misma redacción que la de If-None-Match."}},
)
def article_of(  # noqa: PLR0917
    person: Person, request: Request, response: Response, norm_id: Name, label: Name, as_of: AsOf = None
) -> Any:
    return _tagged(request, response, person.law.article_of(norm_id, label, as_of))


@router.get(
    "/articles",
    response_model=ArticleDocument,
    summary="Un artículo en su redacción de un día, por su cita («art. 48 ET»)",
    responses={304: {"description": "Es la misma redacción que la de If-None-Match."}},
)
def article(
    person: Person,
    request: Request,
    response: Response,
    reference: Annotated[str, Query(max_length=LONGEST_REFERENCE)],
    as_of: AsOf = None,
) -> Any:
    return _tagged(request, response, person.law.article(reference, as_of))


@router.get("/diff", summary="Dos redacciones de un artículo, palabra por palabra")
def diff(person: Person, request: Annotated[DiffRequest, Query()]) -> DiffDocument:
    return person.law.diff(request)


@router.get("/news", summary="Lo que ha cambiado en la normativa y afecta a la persona")
def news(
    person: Person,
    limit: Annotated[int, Query(ge=1, le=MOST_NEWS)] = 100,
    unread: Annotated[bool, Query(description="Solo lo que no ha leído.")] = False,
) -> NewsDocument:
    return person.news.document(limit, unread=unread)


@router.post(
    "/verify",
    summary="Comprueba otra vez las citas de una respuesta guardada",
)
def verify(person: Person, stored: StoredAnswer) -> VerificationDocument:
    return person.law.verify(stored)


@router.post("/citations", summary="Comprueba las normas, artículos, citas y sentencias de un escrito")
def citations(person: Person, request: CitationsRequest) -> CitationReport:
    return person.law.citations(request)


@router.post("/certificates/verify", summary="Comprueba un certificado de fuentes y si un texto lo nombra")
def certificate(person: Person, request: CertificateRequest) -> CertificateDocument:
    return person.law.certificate(NAME, request.content, request.text)


@router.post("/calculations/{name}", summary="Un plazo o una cantidad, con sus pasos, artículos y supuestos")
def calculation(person: Person, name: Name, request: CalculationRequest) -> Outcome:
    return person.calculations.calculate(name, request.data)


@router.post("/tool", summary="Las herramientas de documentos, como las llama un modelo")
def tool(person: Person, request: ToolRequest) -> ToolDocument:
    return person.law.tool(request)


def _tagged(request: Request, response: Response, document: ArticleDocument) -> ArticleDocument | Response:
    """The article with its ETag, or 304 for a client that has it already."""
    tag = f'"{hashlib.sha256(document.model_dump_json().encode()).hexdigest()[:32]}"'
    known = [one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")]
    if tag in known:
        return Response(status_code=304, headers={"ETag": tag})
    response.headers["ETag"] = tag
    return document
