"""A new wording of a whole document joins the ones that are stored, which stay in force before it."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta

from core.errors import InputError
from law.changes import of_substance, shortened
from law.decisions import JUDGMENTS
from law.norms import Block, Document, dated
from loading.chunking.chunk import SECTION_TYPE
from loading.formats.generated_ids import free
from loading.formats.ruling_sections import HEAD_TYPE
from loading.ingestion.merged_articles import begun, closed, with_wording

Place = tuple[str, str]

SAME = "Su texto es el de la última redacción guardada: no hay nada que cargar."
NO_START = "Indique desde qué día rige la nueva redacción de «{title}»."
SHORTER = "Pierde más de una décima parte de su texto: {titles}. Compruebe que al archivo no le falta nada."
MOST_NAMED, MAX_NAME = 5, 80
EARLY_START = (
    "La nueva redacción de «{title}» tiene que regir desde después del {after:%d/%m/%Y}, el primer día de la "
    "que está guardada."
)


def asks_since(stored: Document | None, given: Document) -> bool:
    """True if `given` is another text of the stored document and does not say itself when it began.

    Texts of the BOE bring the days of their wordings along; a ruling has one text for ever.
    """
    if given.norm.collection == JUDGMENTS:
        return False
    if stored is None or has_history(given) or from_boe(given) or from_boe(stored):
        return False
    return not is_last_wording(stored, given)


def shorter(stored: Document | None, given: Document) -> str:
    """A Spanish sentence on the stored articles that would lose much of their text; '' if none would.

    The head of a ruling is what its publisher tells of it.
    """
    blocks = [block for block in given.blocks if block.attributes.get(SECTION_TYPE) != HEAD_TYPE]
    titles = [title[:MAX_NAME] for title in shortened(stored.blocks, blocks)] if stored else []
    more = f" y {len(titles) - MOST_NAMED} más" if len(titles) > MOST_NAMED else ""
    return SHORTER.format(titles="; ".join(titles[:MOST_NAMED]) + more) if titles else ""


def check_start(title: str, since: date | None, after: date | None) -> None:
    """See that a new wording of `title` begins after `after`, the last day that `latest_start` tells.

    Raises:
        InputError: it does not.
    """
    if since and after and since <= after:
        raise InputError(EARLY_START.format(title=title, after=after))


def nothing_new(stored: Document | None, given: Document) -> str:
    """Reason to leave out the last wording of a document with several, in Spanish; else empty."""
    return SAME if stored and has_history(stored) and is_last_wording(stored, given) else ""


def is_last_wording(stored: Document, given: Document) -> bool:
    """True if `given` has one wording of each block, and they are the last ones that are stored."""
    return not has_history(given) and _texts(stored) == _texts(given)


def has_history(document: Document) -> bool:
    """True if a block of it has several wordings."""
    return any(len(block.versions) > 1 for block in document.blocks)


def from_boe(document: Document) -> bool:
    """True if its wordings name the norm that gave them, as those of the BOE do."""
    return any(version.amended_by for block in document.blocks for version in block.versions)


def latest_start(document: Document) -> date | None:
    """First day of the last wording that it has; None when no day is known."""
    starts = [version.valid_from for block in document.blocks for version in block.versions]
    return dated(max(starts, default=None))


def proposed_start(stored: Document, given: Document) -> date | None:
    """The day of `given`, if it is later than every wording that is stored; else None."""
    own = dated(given.norm.valid_from) or dated(given.norm.published)
    last = latest_start(stored)
    return own if own and (last is None or own > last) else None


def reworded(stored: Document, given: Document, since: date | None) -> Document:
    """`given` with the wordings that are stored: those it changes or lacks end the day before `since`.

    Args:
        since: first day of its wordings; None when they only correct the last ones of `stored`.

    Raises:
        InputError: a wording that is stored begins after `since`.
    """
    old = _places(stored)
    left, used = dict(old), {block.id for block in old.values()}
    blocks: list[Block] = []
    for place, block in zip(_names(given.blocks), given.blocks, strict=True):
        before = left.pop(place, None)
        if before is not None:
            look = {"path": block.path, "attributes": block.attributes}
            blocks.append(with_wording(before, block, since).model_copy(update=look))
            continue
        block_id = free(block.id, used)
        used.add(block_id)
        new = begun(block, since) if since else block
        blocks.append(new.model_copy(update={"id": block_id}))
    places = {block.id: block.position for block in old.values()}
    for gone in filter(None, (_gone(block, since) for block in left.values())):
        earlier = (
            n for n, block in enumerate(blocks, 1) if places.get(block.id, gone.position) < gone.position
        )
        blocks.insert(max(earlier, default=0), gone)
    numbered = (block.model_copy(update={"position": n}) for n, block in enumerate(blocks, 1))
    norm = given.norm.model_copy(update={"valid_from": stored.norm.valid_from})
    return given.model_copy(update={"norm": norm, "blocks": tuple(numbered)})


def _names(blocks: Sequence[Block]) -> list[Place]:
    """Key of each block in every text of its document: its label, or its own id."""
    times = Counter((block.kind, block.label) for block in blocks)
    return [
        (block.kind, f"= {block.label}")
        if block.label and times[block.kind, block.label] == 1
        else (block.kind, block.id)
        for block in blocks
    ]


def _places(document: Document) -> dict[Place, Block]:
    """The blocks with legal text by their place."""
    named = dict(zip(_names(document.blocks), document.blocks, strict=True))
    kept = {block.id for block in of_substance(document.blocks)}
    return {place: block for place, block in named.items() if block.id in kept}


def _texts(document: Document) -> dict[Place, str]:
    """The last wordings, without those that ended before the document did."""
    end = document.norm.repealed_on
    lasts = {place: block.versions[-1] for place, block in _places(document).items()}
    return {place: last.text for place, last in lasts.items() if last.valid_to in (None, end)}


def _gone(block: Block, since: date | None) -> Block | None:
    """A block that the new text lacks, as it stays stored; None when nothing of it does."""
    *earlier, last = block.versions
    if since is not None and last.valid_from < since:
        last = closed(last, since - timedelta(days=1))
    elif last.valid_to is None:
        return block.model_copy(update={"versions": tuple(earlier)}) if earlier else None
    return block.model_copy(update={"versions": (*earlier, last)})
