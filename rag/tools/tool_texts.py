"""Text of the contract shared by all tools: header, instructions, totals, truncation."""

import re
from collections.abc import Sequence

from rag.tools.tool_calls import ResultItem, ToolOutcome

RULE = "═" * 63
EXCERPT = 500

_FIRST_TWO = (
    "Analiza estos resultados cuidadosamente",
    "Presenta una respuesta natural y útil al usuario",
)
_CITE = "Cita las fuentes mencionando los documentos"
_INSTRUCTIONS: dict[str, tuple[str, ...]] = {
    "search": (*_FIRST_TWO, _CITE, "Si la información no es suficiente, dilo claramente"),
    "section": (*_FIRST_TWO, _CITE),
    "structure": (*_FIRST_TWO, "Usa la estructura para identificar secciones relevantes"),
    "plain": (),
}
# Text of a document that imitates one of our marks, or a call.
_MARK = re.compile(
    r"\[(?=\s*(?:RESULTADOS DE TU|Archivo:|(?:Resultado|Chunk|C|Fuente|Documento|Fragmento)\s*\d))", re.I
)
_CALL = re.compile(r"<(?=\s*/?\s*tool_)", re.I)


def render(outcomes: Sequence[ToolOutcome], question: str, *, instructed: bool = True) -> str:
    """The reply to some calls for the model: header, instructions and, in order, each call's text.

    Successful calls of the file tools alone have the shorter header of S1.5; otherwise totals are added.

    Args:
        instructed: False leaves the instructions out: they ask for an answer, and a research is none.
    """
    styles = {outcome.style for outcome in outcomes if outcome.ok}
    alone = len(styles) == 1 and all(outcome.ok for outcome in outcomes)
    style = styles.pop() if alone else "search"
    parts = [
        "[RESULTADOS DE TU BÚSQUEDA]",
        f'RECORDATORIO - Pregunta original del usuario: "{one_line(question)}"',
    ]
    if instructed and _INSTRUCTIONS[style]:
        numbered = (f"{number}. {text}" for number, text in enumerate(_INSTRUCTIONS[style], 1))
        parts.append("\n".join(["INSTRUCCIONES:", *numbered]))
    if style == "search":
        done = sum(outcome.ok for outcome in outcomes)
        parts.append(
            f"📊 Total de búsquedas ejecutadas: {len(outcomes)}\n"
            f"   Exitosas: {done}\n   Fallidas: {len(outcomes) - done}"
        )
    return "\n\n".join([*parts, *(outcome.text for outcome in outcomes)])


def failure(name: str, message: str) -> str:
    """The text of a failed call, in a form of our own: the contract defines none."""
    return f"❌ {name or 'Llamada'}: {message}"


def results(items: Sequence[ResultItem], extra: Sequence[str], whole: int = 0) -> list[str]:
    """The blocks '[Resultado i]', from 1; `extra` holds the line of each with its score or type.

    The contents of the first `whole` are not cut.
    """
    blocks = []
    for number, (item, line) in enumerate(zip(items, extra, strict=True), 1):
        head = (f"Documento: {item.source_file}", f"ID: {item.chunk_id}", line, item.metadata.in_force)
        text = inert(item.content if number <= whole else excerpt(item.content))
        blocks.append("\n".join([f"[Resultado {number}]", *filter(None, head), "Contenido:", text]))
    return blocks


def excerpt(text: str) -> str:
    """At most 500 characters, cut between words and ended with '...' when there are more."""
    if len(text) <= EXCERPT:
        return text
    head = text[: EXCERPT + 1]
    cut = max(head.rfind(" "), head.rfind("\n"))
    return (head[:cut] if cut > EXCERPT // 2 else head[:EXCERPT]).rstrip() + "..."


def inert(text: str) -> str:
    """Text of a document with imitations of our marks and of calls replaced."""
    return _CALL.sub("‹", _MARK.sub("(", text))


def one_line(text: str) -> str:
    """The text on one line, with white space collapsed."""
    return " ".join(text.split())
