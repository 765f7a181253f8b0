"""tool_regex_search: a pattern over the whole corpus in force (S1.40-S1.43).

The engine is RE2: linear in the text and bounded in memory for any pattern; it has neither lookaround nor
backreferences. Its `\\w` and `\\b` cover ASCII only, so without `case_sensitive` text and pattern are
compared without accents; with it, letter by letter.
"""

import html
import time
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

import re2
from pydantic import Field

from calculations.params import Params
from rag.tools.document_view import DocumentView, unaccented
from rag.tools.tool import Tool, ToolScope
from rag.tools.tool_calls import AsOf, Found, ResultItem, SearchResult, ToolFailure
from rag.tools.tool_texts import inert, one_line

SECONDS = 1.0
READING_SECONDS = 20.0
"""Time limit of a whole search, including reads of documents from the database."""
MEMORY = 8 << 20
WORK = 10_000_000
"""Instructions of a pattern by characters of a text that it is searched in: a tenth of a second at worst."""
MAX_PROGRAM = 20_000
# Most characters of matches given to a model; the result holds every match.
MAX_SHOWN = 20_000

PREDEFINED = {
    "email": r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}",
    "url": r"https?://\S+",
    "version": r"\b\d+\.\d+\.\d+\b",
    "reference": r"(?i)\b(?:art(?:[ií]culos?|s?\.)|disposici[oó]n(?:es)?|ley(?:es)?(?: org[aá]nicas?)?|"
    r"real(?:es)? decretos?(?:[ -]ley(?:es)?| legislativos?)?|orden|reglamento|directiva)\s+"
    r"(?:\([A-Z]{2,3}\)\s+)?(?:(?:adicional|transitoria|final|derogatoria)\s+[\pL.ªº]+|(?:[A-Z]{2,4}/)?\d+(?:\.\d+)*(?:/\d+)*)",
    "amount": r"(?i)\d+(?:\.\d{3})*(?:,\d+)?\s*(?:euros?\b|€|pesetas\b|%|por (?:ciento|cien|100)\b)",
    "term": r"(?i)\b(?:\d+|un[ao]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|"
    r"dieci\pL+|veint\pL+|treinta|cuarenta|cincuenta|sesenta|noventa|cien|ciento veinte)\s+"
    r"(?:horas?|d[ií]as?|semanas?|mes(?:es)?|trimestres?|a[nñ]os?)(?:\s+(?:h[aá]bil|natural|laborable)(?:es)?)?",
}
TOO_MUCH = (
    "No ha dado tiempo a leer todo el corpus: repita la búsqueda, que seguirá donde estaba,"
    " o busque por palabras."
)
TIMEOUT = "La búsqueda ha pasado de 1 segundo: use un patrón más sencillo."
TOO_COMPLEX = "El patrón es demasiado complejo: use uno más sencillo, con menos repeticiones."
INVALID = "La expresión regular no es válida: {reason}."
NO_LOOKAROUND = "no se admiten (?=…), (?!…), (?<…) ni referencias como \\1"


class RegexParams(Params):
    """Parameters of tool_regex_search: either `predefined` or `pattern`."""

    predefined: Literal["email", "url", "version", "reference", "amount", "term"] | None = Field(
        None,
        description="Patrón predefinido: email, url, version, reference (preceptos y normas), amount "
        "(importes y porcentajes) o term (plazos)",
    )
    pattern: str = Field(default="", max_length=500, description="Expresión regular propia (sintaxis RE2)")
    case_sensitive: bool = Field(default=False, description="Distinguir mayúsculas y acentos")
    context_lines: int = Field(
        2, ge=0, json_schema_extra={"maximum": 20}, description="Líneas de contexto antes y después"
    )
    max_matches_per_file: int = Field(
        50, ge=1, json_schema_extra={"maximum": 100}, description="Máximo de coincidencias por archivo"
    )
    as_of: AsOf = None


class Match(NamedTuple):
    """A match: number of its passage, offset in the passage, and its lines, from 1, in the document."""

    passage: int
    start: int
    text: str
    first_line: int
    last_line: int


def run(params: RegexParams, scope: ToolScope) -> Found:
    """Every match in the corpus. Raises ToolFailure: both or neither pattern, a bad one, or out of time."""
    if bool(params.pattern) == bool(params.predefined):
        both = "no ambos" if params.pattern else "no se ha indicado ninguno"
        raise ToolFailure(f"Indique «predefined» o «pattern»: {both}.")
    name = params.predefined or params.pattern
    compiled = _compiled(PREDEFINED.get(params.predefined or "", params.pattern), params.case_sensitive)
    found = list(_search(scope.library.views(scope.as_of), compiled, params))
    total = sum(len(matches) for _, matches in found)
    items = tuple(_item(view, match, params.context_lines) for view, matches in found for match in matches)
    result = SearchResult(
        query=name,
        total_found=total,
        results=items,
        search_params=params.model_dump(exclude={"pattern", "predefined", "as_of"}) | {"pattern": name},
        search_type="regex_search",
    )
    head = (
        f"🔎 Búsqueda por regex: patrón '{one_line(name)}'\n"
        f"   Total de coincidencias: {total} en {len(found)} archivos"
    )
    return Found(result, "\n\n".join([head, *_shown(found, items)]))


def _compiled(pattern: str, exact: bool) -> Any:
    options = re2.Options()
    options.case_sensitive = exact
    options.log_errors = False
    options.max_mem = MEMORY
    try:
        compiled = re2.compile(f"(?m){pattern if exact else unaccented(pattern)}", options)
    except re2.error as error:
        reason = str(error).removeprefix("b'").removesuffix("'").replace("(?m)", "")
        if "perl operator" in reason or "escape sequence" in reason:
            reason = f"{reason}; {NO_LOOKAROUND}"
        raise ToolFailure(INVALID.format(reason=one_line(reason))) from error
    if compiled.programsize > MAX_PROGRAM:
        raise ToolFailure(TOO_COMPLEX)
    return compiled


def _search(
    views: Iterable[DocumentView], compiled: Any, params: RegexParams
) -> Iterator[tuple[DocumentView, list[Match]]]:
    """The documents with matches; reading a document does not count in the time of the pattern.

    Raises:
        ToolFailure: SECONDS of matching or READING_SECONDS in all are over.
    """
    left, end = SECONDS, time.monotonic() + READING_SECONDS
    for view in views:
        started = time.monotonic()
        if started > end:
            raise ToolFailure(TOO_MUCH)
        if matches := list(_matches(view, compiled, params, started + left)):
            yield view, matches
        left -= time.monotonic() - started


def _matches(view: DocumentView, compiled: Any, params: RegexParams, deadline: float) -> Iterator[Match]:
    """The matches in a document, block by block, without empty ones; `deadline` on `time.monotonic`."""
    left = params.max_matches_per_file
    plain = [passage.text for passage in view.passages] if params.case_sensitive else view.plain
    for number, (passage, text) in enumerate(zip(view.passages, plain, strict=True)):
        for start, end in spans(compiled, text, max(2, WORK // compiled.programsize), deadline):
            first = passage.line + text.count("\n", 0, start)
            last = first + text.count("\n", start, end - 1)
            yield Match(number, start, passage.text[start:end], first, last)
            left -= 1
            if not left:
                return


def spans(compiled: Any, text: str, window: int, deadline: float) -> Iterator[tuple[int, int]]:
    """Offsets of the matches that are not empty, looking at `window` characters at a time.

    Nothing stops a search under way. Only what begins in the first half of a window counts, so that half of
    one is left to end it in; a match that is longer may be missed or parted, in a text longer than a window.

    Raises:
        ToolFailure: the deadline, on `time.monotonic`, is over.
    """
    start = 0
    while start < len(text):
        stop = min(start + window, len(text))
        half = after = start + window // 2
        for match in compiled.finditer(text, start, stop):
            if time.monotonic() > deadline:
                raise ToolFailure(TIMEOUT)
            first, end = match.span()
            if stop < len(text) and first >= half:
                break
            if end == stop < len(text) and first > start:
                after = first
                break
            if first < end:
                yield first, end
                after = max(after, end)
        if time.monotonic() > deadline:
            raise ToolFailure(TIMEOUT)
        start = after if stop < len(text) else stop


def _item(view: DocumentView, match: Match, around: int) -> ResultItem:
    context = "\n".join(view.lines[max(0, match.first_line - 1 - around) : match.last_line + around]).strip(
        "\n"
    )
    return view.outline.item(
        view.at(match.passage, match.start),
        context,
        highlights=(f"<em>{html.escape(match.text, quote=False)}</em>",),
        line=match.first_line,
    )


def _shown(found: list[tuple[DocumentView, list[Match]]], items: tuple[ResultItem, ...]) -> list[str]:
    """The text blocks of each file, until they pass MAX_SHOWN characters."""
    blocks: list[str] = []
    contexts = iter(items)
    left = MAX_SHOWN
    for view, matches in found:
        if left > 0:
            blocks.append(f"[Archivo: {view.file_name}]\nTotal de matches: {len(matches)}")
        for number, match in enumerate(matches, 1):
            item = next(contexts)
            if left > 0:
                lines = (
                    f"Match {number}: {inert(one_line(match.text))}",
                    item.metadata.in_force,
                    "Contexto:",
                )
                blocks.append("\n".join([*filter(None, lines), inert(item.content)]))
                left -= len(blocks[-1])
    shown = sum(block.startswith("Match ") for block in blocks)
    if shown < len(items):
        blocks.append(f"[...] Hay {len(items) - shown} coincidencias más: use un patrón más preciso.")
    return blocks


TOOL = Tool(
    name="tool_regex_search",
    purpose=(
        "Busca un patrón en todo el corpus: «predefined» (email, url, version, reference, amount, term) o "
        "«pattern», nunca ambos."
    ),
    use="Patrones: importes, fechas, correos, referencias",
    params=RegexParams,
    run=run,
)
