"""Ties of provisions and figures of the law that were checked on another wording than the corpus has."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import cache

from core.values import Value
from law.chunks import ArticleKey
from law.labels import title_of
from law.norms import Block, BlockKind, BlockVersion, Document, sha256_of
from lexicon.ties import FILE, Kind, Tie, ties

Documents = Callable[[str], Document | None]
"""Reads a norm by its id."""
NOTICES = {
    Kind.OVERTAKEN: "el aviso de que está superado",
    Kind.TRANSITIONAL: "el aviso de su régimen transitorio",
    Kind.COMPANION: "la cita que lo acompaña en las respuestas",
    Kind.EFFECT: "la fecha desde la que surte efectos",
    Kind.FIGURE: "el dato de las calculadoras",
}
STALE = (
    "{name}: {notice} se comprobó el {checked:%d/%m/%Y} con otra redacción de {changed}{since}. "
    "Compruébelo antes de fiarse."
)
SINCE = " (la de hoy rige desde el {:%d/%m/%Y})"


class StaleTie(Value):
    """A tie with what changed since it was checked; `says` is one Spanish sentence."""

    tie: Tie
    says: str


def stale_ties(read: Documents, day: date, figures: Sequence[Tie] = ()) -> list[StaleTie]:
    """The ties of loaded provisions whose wording on that day is not the one on which they were checked.

    What is not loaded makes none stale. `figures` are those of the calculators.
    """
    kept = cache(read)
    found = []
    for tie in (*ties(), *figures):
        pairs = zip((tie.of, tie.to), tie.sha256, hashes(tie, kept, day), strict=False)
        changed = [end for end, checked, today in pairs if checked and today and checked != today]
        if changed and kept(tie.of[0][0]):
            found.append(StaleTie(tie=tie, says=_sentence(tie, changed, kept, day)))
    return found


def file_of(tie: Tie) -> str:
    """The data files in which a row stands."""
    return "data/figures" if tie.kind is Kind.FIGURE else f"lexicon/{FILE}"


def hashes(tie: Tie, read: Documents, day: date) -> tuple[str, ...]:
    """The hash of the wordings of each end on that day; '' for an end that is not all loaded."""
    found = [_wordings(tie, end, read, day) for end in (tie.of, tie.to) if end]
    return tuple(sha256_of(*wordings) if wordings else "" for wordings in found)


def _wordings(tie: Tie, end: Sequence[ArticleKey], read: Documents, day: date) -> list[BlockVersion | None]:
    places = [_blocks(place, read) for place in end]
    if not all(places):
        return []
    blocks = [block for place in places for block in place]
    if tie.kind is Kind.EFFECT and end is tie.of:
        return [one for block in blocks for one in block.versions if one.published == tie.published]
    return [block.wording_on(day) for block in blocks]


def _blocks(place: ArticleKey, read: Documents) -> list[Block]:
    document = read(place[0])
    return [block for block in document.blocks if place[1] in {"", block.id}] if document else []


def _sentence(tie: Tie, changed: Sequence[Sequence[ArticleKey]], read: Documents, day: date) -> str:
    places = [place for end in changed for place in end]
    began = {place: _began(place, read, day) for place in places}
    later = {place: since for place, since in began.items() if since and tie.checked and since > tie.checked}
    return STALE.format(
        name=_names(tie.of, read),
        notice=NOTICES[tie.kind] + (f" ({tie.says})" if tie.kind is Kind.FIGURE else ""),
        checked=tie.checked,
        changed=_names(list(later) or places, read),
        since=SINCE.format(max(later.values())) if later else "",
    )


def _began(place: ArticleKey, read: Documents, day: date) -> date | None:
    """First day of the wording of a provision on that day; None for a whole norm."""
    found = [block.wording_on(day) for block in _blocks(place, read)] if place[1] else []
    return found[0].valid_from if found and found[0] else None


def _names(places: Sequence[ArticleKey], read: Documents) -> str:
    """«ET · Artículo 48 y ET · Artículo 49»; of more than two the first and how many follow."""
    first, *others = [_name(place, read) for place in places]
    if not others:
        return first
    return f"{first} y {others[0] if len(others) == 1 else f'{len(others)} preceptos más'}"


def _name(place: ArticleKey, read: Documents) -> str:
    document, blocks = read(place[0]), _blocks(place, read)
    norm = document.norm.name if document else place[0]
    if not (place[1] and blocks):
        return norm
    block = blocks[0]
    numbered = block.kind is BlockKind.ARTICLE and block.label
    return f"{norm} · {f'Artículo {block.label}' if numbered else title_of(block).split('. ')[0].rstrip('.')}"
