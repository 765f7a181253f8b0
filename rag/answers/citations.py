"""Quotations and markers: found, resolved and verified against the chunks they cite.

Pure functions. A quotation is verified letter by letter; only differences of typography are ignored:
Unicode composition, white space, dashes, quotation marks, soft and line-end hyphens (X.23).
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rag.answers.contract import QUOTE_MAX, QUOTE_MIN, DraftCitation
from rag.answers.quotable import left_open, over_rows, table_lines
from rag.answers.widening import WHOLE, announced, at_words, lead, left_out, widened
from rag.text.lists import members
from rag.text.segmentation import Span
from rag.trace import CitationCheck
from rag.types import Chunk, Citation, Context, Hit, Source

REPEATED = "repetida"
LENGTH = f"la cita debe tener entre {QUOTE_MIN} y {QUOTE_MAX} caracteres"
WIDEST = 1500
"""Characters of a quotation that took in what it had left out."""

_SAME = str.maketrans(
    {
        **dict.fromkeys("«»“”„‟″", '"'),
        **dict.fromkeys("‘’‚‛′´`", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "\u00a0": " ",
        "\u202f": " ",
    }
)
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_LINE_END_HYPHEN = re.compile(r"[-\u00ad\u2010](?<=[^\W\d_].)\s*\n\s*(?=[^\W\d_])")
_COMBINING = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
_RUNS = re.compile(
    rf"(?:{_LINE_END_HYPHEN.pattern})|(?P<space>\s+)|[{''.join(sorted(_INVISIBLE))}]+"
    rf"|(?P<run>[^\s\-\u2010{''.join(sorted(_INVISIBLE))}]+|[-\u2010])"
)
_SAME_OR_NOTHING = _SAME | dict.fromkeys(map(ord, _INVISIBLE))
_SIGNS = re.compile(f"[{re.escape(''.join(map(chr, _SAME_OR_NOTHING)))}]+")
_MARKER = re.compile(r"\[\s*(?:C|Documento|Fuente|Fragmento|Doc\.?)\s*\d+(?:\s*[,;y]\s*C?\s*\d+)*\s*\]", re.I)
ELLIPSIS = re.compile(r"\s*(?:\(\s*(?:…|\.\.\.)\s*\)|\[\s*(?:…|\.\.\.)\s*\]|…)\s*")
"""The mark of omitted words in a quotation."""
_DOCUMENT = re.compile(r"\[\s*(Doc\.?|Documento)\s*(\d+)\b[^\]\n]{0,20}\]", re.I)
_CUMULATIVE = re.compile(
    r"\b(?:requisitos|condiciones|circunstancias|extremos)\b|\bconcurr\w+|\bre[úu]n\w+"
    r"|deber[áa]n? (?:contener|constar|expresar)",
    re.I,
)


@lru_cache(maxsize=64)
def _fold(text: str) -> tuple[str, list[int]]:
    """The text with typography folded, and for each of its characters the offset it came from.

    Kept for a while: many quotations are looked up in one article.
    """
    if unicodedata.is_normalized("NFC", text) and not _COMBINING.search(text):
        return _fold_composed(text)
    folded: list[str] = []
    offsets: list[int] = []
    skip_until = 0
    hyphens = {match.start(): match.end() for match in _LINE_END_HYPHEN.finditer(text)}
    index = 0
    while index < len(text):
        skip_until = hyphens.get(index, index)
        if skip_until > index:
            index = skip_until
            continue
        end = index + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        for char in unicodedata.normalize("NFC", text[index:end]).translate(_SAME):
            if char in _INVISIBLE:
                continue
            if char.isspace():
                if folded and folded[-1] != " ":
                    folded.append(" ")
                    offsets.append(index)
                continue
            folded.append(char)
            offsets.append(index)
        index = end
    return "".join(folded), offsets


def _fold_composed(text: str) -> tuple[str, list[int]]:
    """`_fold` of a text without combining marks, a run of characters at a time."""
    folded: list[str] = []
    offsets: list[int] = []
    spaced = True
    for match in _RUNS.finditer(text):
        if match.lastgroup == "run":
            folded.append(match[0].translate(_SAME))
            offsets.extend(range(match.start(), match.end()))
            spaced = False
        elif match.lastgroup == "space" and not spaced:
            folded.append(" ")
            offsets.append(match.start())
            spaced = True
    return "".join(folded), offsets


def typeset(text: str) -> str:
    """The text as quotations are compared: typography folded, one space for any white space.

    It is the folded text of `_fold` without offsets; text in NFC needs no loop over characters.
    """
    if not unicodedata.is_normalized("NFC", text):
        return _fold(text)[0]
    # Few signs change: looking for them takes a fraction of translating every character.
    text = _SIGNS.sub(lambda signs: signs[0].translate(_SAME_OR_NOTHING), _LINE_END_HYPHEN.sub("", text))
    words = " ".join(text.split())
    return f"{words} " if words and text[-1].isspace() else words


def clean_quote(quote: str) -> str:
    """A quotation without the marks that surround it in the model's output."""
    return quote.strip().strip("\"'«»“”‘’").strip()


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """(start, end) character offsets of a quotation in a text; None if the text does not contain it.

    It begins and ends where words do: «procedente si…» does not stand in «improcedente si…».
    """
    wanted = typeset(clean_quote(quote)).strip()
    if not wanted or wanted not in typeset(text):
        return None
    folded, offsets = _fold(text)
    start = folded.find(wanted)
    while start >= 0 and not at_words(folded, start, start + len(wanted)):
        start = folded.find(wanted, start + 1)
    if start < 0:
        return None
    last = offsets[start + len(wanted) - 1]
    end = last + 1
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return offsets[start], end


def place_of(quote: str, text: str, start: int | None) -> tuple[int, int] | None:
    """(start, end) of a quotation in a text: at its known offset if it stands there, else by `locate`."""
    if start is not None and start >= 0 and text.startswith(quote, start):
        return start, start + len(quote)
    return locate(quote, text)


def normalise_markers(answer: str, documents: Mapping[int, str] | None = None) -> str:
    """The answer with every accepted form of a marker as `[Cn]`; whole numbers only: 1 is not in 10 (X.4).

    Args:
        documents: markers of the expediente's documents by their number; with any, «[Doc 1, p. 2]» is no
            marker of a norm, and is dropped when no document has that number.
    """
    if documents:
        answer = _DOCUMENT.sub(lambda m: f"[{found}]" if (found := documents.get(int(m[2]))) else "", answer)
    return _MARKER.sub(lambda m: "".join(f"[C{number}]" for number in re.findall(r"\d+", m[0])), answer)


def markers(answer: str) -> list[str]:
    """Markers of an answer in order of first appearance: 'C1', 'C3'."""
    return list(dict.fromkeys(re.findall(r"\[(C\d+)\]", answer)))


def keep_markers(answer: str, known: Iterable[str]) -> str:
    """The answer without the markers that are not in `known`."""
    allowed = set(known)
    return re.sub(r" ?\[(C\d+)\]", lambda m: m[0] if m[1] in allowed else "", answer)


def read_length(answer: str) -> int:
    """Characters of an answer that a reader reads: without its markers."""
    return len(keep_markers(answer, ()))


def source_of(marker: str, hit: Hit) -> Source:
    """The fragment of a marker as a source, without any quotation."""
    chunk = hit.chunk
    return Source(
        marker=marker,
        source=f"{chunk.law}, {chunk.section}".rstrip(". ,"),
        page=chunk.page,
        norm_id=chunk.norm_id,
        block_id=chunk.block_id,
        article=chunk.label,
        law=chunk.law,
        section=chunk.section,
        chapter=chunk.chapter,
        collection=chunk.collection,
        chunk_id=chunk.id,
        url=chunk.url,
        official=chunk.official,
        valid_from=chunk.valid_from,
        valid_to=chunk.valid_to,
    )


def cite(marker: str, hit: Hit, start: int, end: int) -> Citation:
    """A verified citation of a stretch of the hit's text; everything comes from the chunk."""
    text = hit.chunk.text
    before, after = left_out(text, start, end)
    goes_on = _requisites(text, start, end)
    after = after or bool(goes_on and end < goes_on.end)
    place = hit.chunk.start + start
    return _citation(marker, hit, text[start:end], start=place, cut_before=before, cut_after=after)


def _citation(marker: str, hit: Hit, quote: str, **known: int | bool) -> Citation:
    return Citation(**source_of(marker, hit).model_dump(), quote=quote, verified=True, **known)


def _requisites(text: str, start: int, end: int) -> Span | None:
    """The list of requisites, with its announcement, of which the stretch quotes a part; None without one."""
    for one in members(text):
        if start < one.end and one.lead.start < end and _CUMULATIVE.search(text[slice(*one.lead)]):
            last = max(other.end for other in members(text) if other.lead == one.lead)
            return Span(one.lead.start, last)
    return None


def _above(chunk: Chunk, placed: "_Placed", context: Context) -> list[str]:
    parts = {(hit.chunk.article, hit.chunk.part): hit.chunk for hit in context.hits}
    return over_rows(chunk, placed.start, placed.end, context.over.get(chunk.id) or left_open(chunk, parts))


def _is_above(draft: DraftCitation, context: Context) -> bool:
    """True for a line over the table that the chunk named goes on with, which each row is cited with."""
    named = (h.chunk.id for i, h in enumerate(context.hits) if context.marker(i) == draft.marker.strip("[]"))
    lines = (typeset(line) for chunk_id in named for line in context.over.get(chunk_id, ()))
    return typeset(clean_quote(draft.quote)) in lines


def _earlier_lead(chunk: Chunk, placed: "_Placed", wording_of: Callable[[Chunk], str]) -> str:
    """The announcement of the list that a stretch is a member of, if an earlier part of it has one."""
    whole = wording_of(chunk) if chunk.start else ""
    if whole[chunk.start : chunk.end] != chunk.text:
        return ""
    announcing = lead(whole, chunk.start + placed.start, chunk.start + placed.end)
    return whole[slice(*announcing)] if announcing else ""


def quoted(citation: Citation) -> str:
    """The quotation in its marks, with «(…)» where words of its sentence are left out."""
    before, after = "(…) " * citation.cut_before, " (…)" * citation.cut_after
    return f"«{before}{citation.quote.strip()}{after}»"


class _Placed(NamedTuple):
    """Where a quotation stands: the number of the hit from 0, and the stretch of its text."""

    hit: int
    start: int
    end: int


def verify(
    drafts: Sequence[DraftCitation],
    context: Context,
    wording_of: Callable[[Chunk], str] = lambda _: "",
    *,
    chosen: bool = False,
) -> tuple[list[Citation], list[CitationCheck]]:
    """(verified citations, the check of each draft with the reason if it fails).

    A quotation must stand in the chunk its marker names (or in another part of the same article).
    Without a marker, it must stand in exactly one block of the context: ambiguity resolves to nothing.
    The announcement of a list is cited beside a member of it, and takes its members in if none is quoted; of
    requisites, all are.

    Args:
        wording_of: the whole wording that a chunk is a part of, or '': a list may begin in another part.
        chosen: True for passages that the program itself chose, which are whole or show their cuts.
    """
    drafts = [piece for draft in drafts for piece in _pieces(draft, context) if not _is_above(piece, context)]
    found = [_resolve(draft, context, 0 if chosen else WHOLE) for draft in drafts]
    everywhere = [placed for placed, _ in found if placed]
    citations: dict[_Placed, Citation] = {}
    announced_by: dict[tuple[str, str], Citation] = {}
    checks: list[CitationCheck] = []
    for draft, (placed, failure) in zip(drafts, found, strict=True):
        all_of = None if chosen or placed is None else _all_requisites(placed, context)
        whole, reason = (all_of, "") if all_of else _with_list(placed, everywhere, context, failure)
        if whole is None:
            checks.append(CitationCheck(marker=draft.marker, quote=draft.quote[:QUOTE_MAX], reason=reason))
            continue
        hit, marker = context.hits[whole.hit], context.marker(whole.hit)
        announcing = lead(hit.chunk.text, whole.start, whole.end)
        if announcing and not any(_holds(one, whole.hit, announcing) for one in everywhere):
            citations.setdefault(
                _Placed(whole.hit, *announcing), cite(marker, hit, announcing.start, announcing.end)
            )
        elif announcing is None and (earlier := _earlier_lead(hit.chunk, whole, wording_of)):
            announced_by.setdefault((marker, earlier), _citation(marker, hit, earlier))
        for header in () if chosen else _above(hit.chunk, whole, context):
            announced_by.setdefault((marker, header), _citation(marker, hit, header))
        citation = cite(marker, hit, whole.start, whole.end)
        checks.append(
            CitationCheck(
                marker=marker,
                quote=citation.quote,
                chunk_id=citation.chunk_id,
                verified=whole not in citations,
                reason=REPEATED if whole in citations else "",
            )
        )
        citations.setdefault(whole, citation)
    return [*announced_by.values(), *citations.values()], checks


def _holds(placed: _Placed, index: int, span: Span) -> bool:
    return placed.hit == index and placed.start <= span.start and span.end <= placed.end


def _all_requisites(placed: _Placed, context: Context) -> _Placed | None:
    """All of the list of requisites that the stretch is a part of, where it fits; None if there is none."""
    wanted = _requisites(context.hits[placed.hit].chunk.text, placed.start, placed.end)
    if wanted is None:
        return None
    whole = placed._replace(start=min(placed.start, wanted.start), end=max(placed.end, wanted.end))
    return whole if whole.end - whole.start <= WIDEST else None


def _with_list(
    placed: _Placed | None, everywhere: Sequence[_Placed], context: Context, failure: str
) -> tuple[_Placed | None, str]:
    """The stretch with the list that its end announces, unless a member is quoted; None if none fits."""
    if placed is None:
        return None, failure
    text = context.hits[placed.hit].chunk.text
    found = announced(text, placed.start, placed.end)
    if found is None or any(
        one.hit == placed.hit and one.start < found.end and found.start < one.end for one in everywhere
    ):
        return placed, ""
    fits = [one.end for one in members(text) if found.start <= one.start and one.end - placed.start <= WIDEST]
    if not fits:
        return None, "la cita anuncia una lista y la deja fuera"
    return placed._replace(end=min(found.end, fits[-1])), ""


def _resolve(draft: DraftCitation, context: Context, whole: int) -> tuple[_Placed | None, str]:
    place, reason = _place(draft, context)
    if place is None:
        return None, reason
    index, (start, end) = place
    chunk = context.hits[index].chunk
    in_heading = chunk.start == 0 and end <= len(chunk.text.partition("\n")[0]) < len(chunk.text)
    if in_heading or locate(chunk.text[start:end], chunk.section):
        return None, "una rúbrica no prueba nada: la cita ha de ser del texto"
    start, end = widened(chunk.text, start, end, whole)
    if end - start > WIDEST:
        return None, "la cita deja fuera una negación, una excepción o una condición de su frase"
    return _Placed(index, start, end), ""


def _pieces(draft: DraftCitation, context: Context) -> list[DraftCitation]:
    """A quotation with «(…)» as those of its pieces; one that stands as it is stays whole."""
    pieces = [one for one in ELLIPSIS.split(clean_quote(draft.quote)) if len(one) >= QUOTE_MIN]
    if len(pieces) < 2 or any(locate(draft.quote, hit.chunk.text) for hit in context.hits):
        return [draft]
    return [draft.model_copy(update={"quote": one}) for one in pieces]


def _place(draft: DraftCitation, context: Context) -> tuple[tuple[int, tuple[int, int]] | None, str]:
    """The hit that a quotation stands in, and where; else the reason why there is none."""
    quote = clean_quote(draft.quote)
    short = len(quote) < QUOTE_MIN
    if len(quote) > QUOTE_MAX:
        return None, LENGTH
    spans = [_table_line(quote, h.chunk) if short else locate(quote, h.chunk.text) for h in context.hits]
    places = {index: span for index, span in enumerate(spans) if span is not None}
    if not places:
        return None, LENGTH if short else "el texto citado no está en ninguno de los textos leídos"
    named = re.search(r"\d+", draft.marker)
    if named:
        index = int(named[0]) - 1
        if not 0 <= index < len(context.hits):
            return None, f"la marca {draft.marker} no existe en el contexto"
        block = context.hits[index].chunk.article
        if index not in places:
            index = next((i for i in places if context.hits[i].chunk.article == block), -1)
        if index < 0:
            return None, f"el texto citado no está en el texto {draft.marker}"
    elif len({context.hits[i].chunk.article for i in places}) > 1:
        return None, "el texto citado está en varios artículos y la cita no dice en cuál"
    else:
        index = min(places)
    return (index, places[index]), ""


def _table_line(quote: str, chunk: Chunk) -> tuple[int, int] | None:
    """Where a whole row of a table, or a whole caption, stands: too short to be looked for in words."""
    wanted = typeset(quote)
    return next((span for span in table_lines(chunk) if typeset(chunk.text[slice(*span)]) == wanted), None)


def bare_paragraphs(answer: str) -> list[str]:
    """Paragraphs without a marker, except those that end in ':', which only introduce others."""
    paragraphs = [p.strip() for p in re.split(r"\n\s*\n", answer) if p.strip()]
    return [p for p in paragraphs if not markers(p) and not p.endswith(":")]
