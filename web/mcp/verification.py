"""Checking of citations: those of a stored answer, and words quoted from an article that is only named."""

from articulado.clients.calls import Json
from articulado.clients.client import AsyncClient
from articulado.clients.errors import ApiProblem
from rag.shared.cited_answer import Citation
from service.contract.articles import ArticleDocument
from service.contract.program import dumped
from service.contract.verification import StoredAnswer
from web.mcp.documents import PlainCitation, VerifyRequest

OF_ARTICLE = ArticleDocument.model_fields.keys() & Citation.model_fields.keys()
"""Fields that the document of an article and a citation of it share."""


async def verify(client: AsyncClient, request: VerifyRequest) -> Json:
    """The document of `CheckedAnswer`."""
    citations = [
        await _looked_up(client, number, one) if isinstance(one, PlainCitation) else one
        for number, one in enumerate(request.citations, start=1)
    ]
    stored = StoredAnswer(
        answer=request.answer, citations=tuple(citations), sources=request.sources, parts=request.parts
    )
    document: Json = await client.verify(dumped(stored))
    for checked, citation in zip(document["citations"], citations, strict=True):
        checked["url"] = citation.url
    return document


async def _looked_up(client: AsyncClient, number: int, plain: PlainCitation) -> Citation:
    """The citation of the wording in force that day; of none, and why, if the corpus has none."""
    marker = f"C{number}"
    try:
        found = await client.article(plain.article, plain.as_of)
    except ApiProblem as error:
        if not error.of_request:
            raise
        return Citation(marker=marker, quote=plain.quote, source=f"{plain.article}: {error}")
    facts = {name: found[name] for name in OF_ARTICLE}
    source = f"{found['law']}, {found['title']}"
    return Citation.model_validate({"marker": marker, "quote": plain.quote, "source": source, **facts})
