"""Tables that a passage leaves to another place of its document: «según el anexo V»."""

import re
from collections.abc import Sequence

from law import references
from law.agreement_names import GENERIC, RANK
from law.chunks import Chunk
from law.labels import annex, fold
from law.norm_names import NormCatalogue
from law.norms import DOCUMENT
from law.reference_reading import find_mentions
from rag.shared.hits import Hit
from text.segmentation import has_row
from text.textnorm import stems

_PLACE = r"(?:[IVXLC]+|\d{1,2}|[A-Z])\b"
_NAMED = re.compile(
    rf"\b(?i:anexos?|tablas?|cuadros?)\s+(?:n[.ºúm]*\s*)?({_PLACE}(?:(?:,\s*|\s+[ye]\s+){_PLACE})*)"
)
_UNNAMED = re.compile(r"\b(?:anexos?|tablas?|cuadros?)\b", re.I)
_CAPTION = re.compile(rf"^(?i:anexo|tabla|cuadro)\s+({_PLACE})", re.M)


def labels(text: str, norm_id: str, catalogue: NormCatalogue) -> list[str]:
    """Labels of the blocks of its own norm that a text names, each once.

    A table is looked for in the annex of its number.
    """
    found = references.resolve(find_mentions(text), catalogue, norm_id)
    elsewhere = {one.label for one in found if one.norm_id != norm_id}
    named = [one.label for one in found if one.norm_id == norm_id and one.label]
    named += [label for place in _places(text) if (label := annex(place)) not in elsewhere]
    return list(dict.fromkeys(named))


def tables(text: str, chunk: Chunk, hits: Sequence[Hit], catalogue: NormCatalogue) -> list[tuple[int, Hit]]:
    """The numbered hits with the tables that a passage of `chunk` sends to, in their order.

    They are those of the blocks, or with the captions, that it names; of an annex or a table without a name,
    those of its own article or else of its document, of which a workbook under its name is part.
    """
    own = [
        (number, hit)
        for number, hit in enumerate(hits)
        if hit.origin != DOCUMENT and has_row(hit.chunk.text) and _together(chunk, hit.chunk)
    ]
    named, places = labels(text, chunk.norm_id, catalogue), set(_places(text))
    if named:
        return [
            (number, hit)
            for number, hit in own
            if (hit.chunk.norm_id == chunk.norm_id and hit.chunk.label in named)
            or places.intersection(_CAPTION.findall(hit.chunk.text))
        ]
    if not _UNNAMED.search(text):
        return []
    return [(number, hit) for number, hit in own if hit.chunk.article == chunk.article] or own


def others(hits: Sequence[Hit], about: Sequence[str], question: str) -> set[str]:
    """Of the norms of the hits, those whose tables belong to none of the agreements `about`.

    A document without a rank may be the tables of one of these: it is under its name, or says as much of the
    name as the question.
    """
    chunks = [hit.chunk for hit in hits]
    named = [chunk for chunk in chunks if chunk.norm_id in about]
    said = {stem for chunk in named for stem in stems(chunk.law)}.intersection(stems(question)) - GENERIC
    own = {
        chunk.norm_id
        for chunk in chunks
        if any(_together(one, chunk) for one in named)
        or (said and said.issubset(stems(f"{chunk.law} {_over(chunk)}")))
    }
    agreements = {chunk.norm_id for chunk in chunks if chunk.rank in ("", RANK)}
    return agreements - own if about else set()


def _places(text: str) -> list[str]:
    """Numbers and letters of the annexes and tables that a text names: «los anexos I y II» gives I, II."""
    return [place for found in _NAMED.findall(text) for place in re.findall(_PLACE, found)]


def _together(chunk: Chunk, other: Chunk) -> bool:
    """True for chunks of one norm, and for a sheet under the name of the first one's norm."""
    return other.norm_id == chunk.norm_id or (not other.rank and fold(chunk.law) in fold(_over(other)))


def _over(chunk: Chunk) -> str:
    """The words over the first table of a chunk."""
    return chunk.text.split("\n|", 1)[0]
