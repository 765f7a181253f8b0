"""tool_file_section: a range of whole chunks of a document, by their numbers (S1.50-S1.51, X.14)."""

from pydantic import Field

from rag.tools.tool import Tool, ToolScope
from rag.tools.tool_calls import AsOf, FileParams, Found, ResultItem, SearchResult, ToolFailure
from rag.tools.tool_texts import inert

MAX_RANGE = 100


class SectionParams(FileParams):
    """Parameters of tool_file_section; both ends of the range are included."""

    chunk_start: int = Field(ge=1, description="Índice inicial (desde 1, incluido)")
    chunk_end: int = Field(ge=1, description=f"Índice final (incluido); {MAX_RANGE} chunks como máximo")
    include_metadata: bool = Field(
        default=False, description="Añadir descripción y palabras clave de cada chunk"
    )
    as_of: AsOf = None


def run(params: SectionParams, scope: ToolScope) -> Found:
    """The chunks of the range. Raises ToolFailure for an unknown file or an impossible range."""
    start, end = params.chunk_start, params.chunk_end
    if start > end:
        raise ToolFailure(f"«chunk_start» ({start}) no puede ser mayor que «chunk_end» ({end}).")
    if end - start + 1 > MAX_RANGE:
        raise ToolFailure(f"Se piden {end - start + 1} chunks: el máximo por solicitud es {MAX_RANGE}.")
    view = scope.library.view(scope.library.find(params.file_name).norm.id, scope.as_of)
    if start > len(view.chunks):
        raise ToolFailure(f"{view.file_name} tiene {len(view.chunks)} chunks: no hay ninguno desde {start}.")
    numbers = range(start, min(end, len(view.chunks)) + 1)
    items = tuple(view.item(number) for number in numbers)
    result = SearchResult(
        query=view.file_name,
        total_found=len(items),
        results=items,
        search_params=params.model_dump(exclude={"as_of"}),
        search_type="file_section",
    )
    head = (
        f"📊 Sección de archivo obtenida\n   Archivo: {view.file_name}\n"
        f"   Chunks solicitados: {start}-{end}\n   Chunks encontrados: {len(items)}"
    )
    blocks = [
        _block(number, item, params.include_metadata) for number, item in zip(numbers, items, strict=True)
    ]
    return Found(result, "\n\n".join([head, *blocks]), style="section")


def _block(number: int, item: ResultItem, with_metadata: bool) -> str:
    head = (f"[Chunk {number}]", f"ID: {item.chunk_id}", f"Índice: {number}", item.metadata.in_force)
    parts = ["\n".join(filter(None, head))]
    if with_metadata:
        parts.append(
            f"📋 Metadata del chunk:\n   Descripción: {inert(item.metadata.summary)}\n"
            f"   Keywords: {inert(', '.join(item.metadata.keywords))}"
        )
    return "\n\n".join([*parts, inert(item.content)])


TOOL = Tool(
    name="tool_file_section",
    purpose="Lee completos los chunks de un documento, por sus números.",
    use="Detalle de una sección",
    params=SectionParams,
    run=run,
)
