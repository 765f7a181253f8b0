"""Merges single articles into the norm that they belong to."""

from datetime import date, timedelta

from core.errors import InputError
from law.norms import Block, BlockVersion, Document
from loading.formats.generated_ids import free


def merged(stored: Document, given: Document, since: date | None = None) -> Document:
    """`stored` with the blocks of `given`: where kind and label are the same, its wording; the others, added.

    Blocks that `given` does not name stay as they are.

    Args:
        since: the day on which the new wordings begin: the ones before end the day before. Without it they
            take the place of the last ones.

    Raises:
        InputError: `given` has no article or disposición, or a wording that is stored begins after `since`.
    """
    labelled = [block for block in given.blocks if block.label and block.versions]
    if not labelled:
        raise InputError("No se reconoce ningún artículo: cada uno debe empezar por «Artículo N.».")
    blocks = list(stored.blocks)
    places = {(block.kind, block.label): place for place, block in enumerate(blocks) if block.label}
    used = {block.id for block in blocks}
    last = max((block.position for block in blocks), default=0)
    for block in labelled:
        place = places.get((block.kind, block.label))
        if place is None:
            last += 1
            start = since or stored.norm.valid_from or block.versions[-1].valid_from
            version = block.versions[-1].model_copy(update={"valid_from": start})
            block_id = free(block.id, used)
            used.add(block_id)
            fields = {"id": block_id, "position": last, "versions": (version,)}
            blocks.append(block.model_copy(update=fields))
        else:
            blocks[place] = with_wording(blocks[place], block, since)
    return Document(norm=stored.norm, blocks=tuple(blocks), warnings=given.warnings)


def with_wording(block: Block, given: Block, since: date | None) -> Block:
    """The block with the last wording of `given`; the block itself when it has that text already.

    Args:
        since: as in `merged`.

    Raises:
        InputError: a wording that is stored begins after `since`.
    """
    new, versions = given.versions[-1], list(block.versions)
    if versions and versions[-1].text == new.text:
        return block
    if versions:
        last = versions.pop()
        if since is None or since == last.valid_from:
            new = new.model_copy(update={"valid_from": last.valid_from, "valid_to": last.valid_to})
        elif since < last.valid_from:
            raise InputError(
                f"{given.title or given.label}: la redacción guardada rige desde una fecha posterior, "
                f"{last.valid_from:%d/%m/%Y}; corrija la de la nueva."
            )
        else:
            new = new.model_copy(update={"valid_from": since, "valid_to": None})
            versions.append(closed(last, since - timedelta(days=1)))
    return block.model_copy(update={"title": given.title or block.title, "versions": (*versions, new)})


def closed(version: BlockVersion, eve: date) -> BlockVersion:
    """The wording, in force until `eve` at most."""
    end = eve if version.valid_to is None else min(eve, version.valid_to)
    return version.model_copy(update={"valid_to": end})


def begun(block: Block, start: date) -> Block:
    """The block with its wordings in force from a day."""
    versions = (version.model_copy(update={"valid_from": start}) for version in block.versions)
    return block.model_copy(update={"versions": tuple(versions)})
