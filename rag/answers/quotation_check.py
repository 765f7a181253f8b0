"""Quotations and markers: resolved and verified against the chunks they cite. Pure functions."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from law.chunks import Chunk
from law.labels import heading
from law.provision import Provision
from law.provision_reading import read_provision
from law.tables import left_open, over_rows, table_lines
from rag.answers.quotation_widening import WHOLE, announced, lead, left_out, says, widened
from rag.answers.verbatim import clean_quote, locate, typeset
from rag.shared.answer_contract import QUOTE_MAX, QUOTE_MIN, DraftCitation
from rag.shared.cited_answer import Citation, Source
from rag.shared.hits import Context, Hit
from rag.shared.trace import CitationCheck
from text.markers import keep_markers, markers
from text.segmentation import Span

REPEATED = "repetida"
LENGTH = f"la cita debe tener entre {QUOTE_MIN} y {QUOTE_MAX} caracteres"
WIDEST = 1500
"""Characters of a quotation that took in what it had left out."""

_MARKER = re.compile(r"\[\s*(?:C|Documento|Fuente|Fragmento|Doc\.?)\s*\d+(?:\s*[,;y]\s*C?\s*\d+)*\s*\]", re.I)
ELLIPSIS = re.compile(r"\s*(?:\(\s*(?:…|\.\.\.)\s*\)|\[\s*(?:…|\.\.\.)\s*\]|…)\s*")
"""The mark of omitted words in a quotation."""
_DOCUMENT = re.compile(r"\[\s*(Doc\.?|Documento)\s*(\d+)\b[^\]\n]{0,20}\]", re.I)
_NEEDS_NO_SOURCE = re.compile(
    r"[?=]|\b(?:faltan?|falta(?:r[íi]an?)?|indique|indicar|aporte|facilite|d[íi]ganos"
    r"|no (?:consta|contiene|trae|aparece|se ha encontrado|se indica|se dice))\b",
    re.I,
)
_INTRODUCES = re.compile(r"^#{1,6} [^\n]*$|:$")
_CUMULATIVE = re.compile(
    r"\b(?:requisitos|condiciones|circunstancias|extremos)\b|\bconcurr\w+|\bre[úu]n\w+"
    r"|deber[áa]n? (?:contener|constar|expresar)",
    re.I,
)


def normalise_markers(answer: str, documents: Mapping[int, str] | None = None) -> str:
    """The answer with every accepted form of a marker as `[Cn]`; whole numbers only: 1 is not in 10 (X.4).

    Args:
        documents: markers of the expediente's documents by their number; with any, «[Doc 1, p. 2]» is no
            marker of a norm, and is dropped when no document has that number.
    """
    if documents:
        answer = _DOCUMENT.sub(lambda m: f"[{found}]" if (found := documents.get(int(m[2]))) else "", answer)
    return _MARKER.sub(lambda m: "".join(f"[C{number}]" for number in re.findall(r"\d+", m[0])), answer)


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
    provision = read_provision(hit.chunk.text)
    before, after = map(says, left_out(provision, start, end))
    goes_on = _requisites(provision, start, end)
    after = after or bool(goes_on and end < goes_on.end)
    place = hit.chunk.start + start
    quote = provision.text[start:end]
    return _citation(marker, hit, quote, start=place, cut_before=before, cut_after=after)


def _citation(
    marker: str,
    hit: Hit,
    quote: str,
    *,
    start: int | None = None,
    cut_before: bool = False,
    cut_after: bool = False,
) -> Citation:
    return Citation(
        **source_of(marker, hit).model_dump(),
        quote=quote,
        verified=True,
        start=start,
        cut_before=cut_before,
        cut_after=cut_after,
    )


def _requisites(provision: Provision, start: int, end: int) -> Span | None:
    """The list of requisites, with its announcement, of which the stretch quotes a part; None without one."""
    for one in provision.members:
        lead = one.lead
        if lead and start < one.end and lead.start < end and _CUMULATIVE.search(provision.said(lead)):
            last = max(other.end for other in provision.members if other.lead == lead)
            return Span(lead.start, last)
    return None


def _above(chunk: Chunk, placed: "_Placed", context: Context) -> list[str]:
    parts = {hit.chunk.id: hit.chunk for hit in context.hits}
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
    announcing = lead(read_provision(whole), chunk.start + placed.start, chunk.start + placed.end)
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

    A quotation must stand in the chunk its marker names (or in another part of the same wording).
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
        announcing = lead(read_provision(hit.chunk.text), whole.start, whole.end)
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
    wanted = _requisites(read_provision(context.hits[placed.hit].chunk.text), placed.start, placed.end)
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
    provision = read_provision(context.hits[placed.hit].chunk.text)
    found = announced(provision, placed.start, placed.end)
    if found is None or any(
        one.hit == placed.hit and one.start < found.end and found.start < one.end for one in everywhere
    ):
        return placed, ""
    own = (one.end for one in provision.members if found.start <= one.start)
    fits = [end for end in own if end - placed.start <= WIDEST]
    if not fits:
        return None, "la cita anuncia una lista y la deja fuera"
    return placed._replace(end=min(found.end, fits[-1])), ""


def _resolve(draft: DraftCitation, context: Context, whole: int) -> tuple[_Placed | None, str]:
    place, reason = _place(draft, context)
    if place is None:
        return None, reason
    index, (start, end) = place
    chunk = context.hits[index].chunk
    if end <= len(heading(chunk)) or locate(chunk.text[start:end], chunk.section):
        return None, "una rúbrica no prueba nada: la cita ha de ser del texto"
    start, end = widened(read_provision(chunk.text), start, end, whole)
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

    def span(hit: Hit) -> tuple[int, int] | None:
        return _table_line(quote, hit.chunk) if short else locate(quote, hit.chunk.text)

    named = re.search(r"\d+", draft.marker)
    index = int(named[0]) - 1 if named else -1
    its_own = context.hits[index] if 0 <= index < len(context.hits) else None
    if its_own and (place := span(its_own)):
        return (index, place), ""
    places = {number: place for number, hit in enumerate(context.hits) if (place := span(hit))}
    if not places:
        return None, LENGTH if short else "el texto citado no está en ninguno de los textos leídos"
    if named:
        block = its_own and its_own.chunk.wording_key
        index = next((i for i in places if context.hits[i].chunk.wording_key == block), -1)
        if index < 0:
            lacks = f"el texto citado no está en el texto {draft.marker}"
            return None, lacks if its_own else f"la marca {draft.marker} no existe en el contexto"
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
    """Paragraphs without a marker that say something of a norm.

    Not those that only introduce others (headings, or they end in ':'), ask for facts, tell what is missing
    or show a sum.
    """
    paragraphs = [p.strip() for p in re.split(r"\n\s*\n", answer) if p.strip()]
    return [
        p
        for p in paragraphs
        if not markers(p) and not _INTRODUCES.search(p) and not _NEEDS_NO_SOURCE.search(p)
    ]
