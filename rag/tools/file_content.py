"""tool_file_content: a whole document and a description of each of its chunks (S1.60-S1.61, X.14)."""

import textwrap

from pydantic import Field

from rag.tools.tool import Tool, ToolScope
from rag.tools.tool_calls import AsOf, FileParams, Found, ResultItem, SearchResult
from rag.tools.tool_texts import RULE, inert, one_line

WIDTH = 80


class ContentParams(FileParams):
    """Parameters of tool_file_content."""

    include_structure: bool = Field(default=True, description="Añadir la lista de chunks con su descripción")
    as_of: AsOf = None


def run(params: ContentParams, scope: ToolScope) -> Found:
    """The whole document. Raises ToolFailure when the file is unknown or ambiguous."""
    view = scope.library.view(scope.library.find(params.file_name).norm.id, scope.as_of)
    numbers = range(len(view.chunks) + 1)
    items = tuple(view.item(number) for number in numbers) if params.include_structure else ()
    text = view.text
    result = SearchResult(
        query=view.file_name,
        total_found=len(numbers),
        results=items,
        search_params=params.model_dump(exclude={"as_of"}) | {"size": len(text)},
        search_type="file_content",
    )
    head = [
        "📄 Contenido completo del archivo",
        f"   Archivo: {view.file_name}",
        f"   Tamaño: {len(text):,} caracteres",
        *([f"   Total chunks: {len(numbers)}"] if params.include_structure else []),
        f"   Estructura disponible: {'Sí' if params.include_structure else 'No'}",
    ]
    parts = ["\n".join(head), _title("CONTENIDO COMPLETO"), inert(text)]
    if params.include_structure:
        parts.append(_title(f"ESTRUCTURA DEL DOCUMENTO ({len(numbers)} chunks)"))
        parts += [_entry(number, item) for number, item in zip(numbers, items, strict=True)]
    style = "structure" if params.include_structure else "plain"
    return Found(result, "\n\n".join([*parts, RULE]), style=style)


def _title(text: str) -> str:
    return f"{RULE}\n{text}\n{RULE}"


def _entry(number: int, item: ResultItem) -> str:
    described = textwrap.fill(
        f"Descripción: {inert(one_line(item.metadata.summary))}",
        WIDTH,
        initial_indent="   ",
        subsequent_indent="   ",
    )
    lines = [f"📋 Chunk {number}: {item.chunk_id}", described]
    if item.metadata.keywords:
        lines.append(f"   Keywords: {inert(', '.join(item.metadata.keywords))}")
    return "\n".join(lines)


TOOL = Tool(
    name="tool_file_content",
    purpose="Lee un documento completo, con la lista de sus chunks.",
    use="Exploración general de un documento",
    params=ContentParams,
    run=run,
)
