"""The state of an article, or of an apartado or letter of it, on a day. Pure functions."""

from datetime import date, timedelta
from typing import NamedTuple

from casework.briefs.finding_names import block_name, part_name
from casework.briefs.findings import Provision, State
from law.dates import spelled
from law.norms import Block, BlockVersion, dated
from law.parts import holds, is_gone, words_of
from law.provision_reading import read_provision
from law.validity import Validity, says_repealed, state_of_block


class JudgedPart(NamedTuple):
    """A state, its first day and why, in Spanish."""

    state: State
    since: date | None
    said: str


def part_state(block: Block, provision: Provision, day: date, today: date) -> JudgedPart:
    """The state of what the provision cites of the block; changes after `today` are only told."""
    state = state_of_block(block, day)
    version = block.wording_on(day)
    if state.validity is Validity.FUTURE:
        return JudgedPart(State.NOT_YET, state.since, f"{state}.")
    if state.validity is Validity.REPEALED or version is None:
        return JudgedPart(State.REPEALED, state.since, f"{state}.")
    cited = provision.apartado, provision.letter
    if not holds(read_provision(version.text), *cited):
        return _missing(block, version, provision)
    if is_gone(read_provision(version.text), *cited):
        since = dated(version.valid_from)
        said = f"Esa parte está suprimida{f' desde el {spelled(since)}' if since else ''}."
        return JudgedPart(State.REPEALED, since, said)
    return _in_force(block, version, provision, today)


def has(version: BlockVersion, provision: Provision) -> bool:
    """True if the wording has the cited part, with more than that it was repealed."""
    cited, wording = (provision.apartado, provision.letter), read_provision(version.text)
    return not says_repealed(version.text) and holds(wording, *cited) and not is_gone(wording, *cited)


def _in_force(block: Block, version: BlockVersion, provision: Provision, today: date) -> JudgedPart:
    start = dated(version.valid_from)
    said = f"Redacción vigente desde el {spelled(start)}." if start else "Vigente."
    changes = _changes(block, version, provision)
    if changes and changes <= today:
        return JudgedPart(
            State.CHANGED, changes, f"{said} Modificada o derogada desde el {spelled(changes)}."
        )
    told = f"{said} Cambia el {spelled(changes)}." if changes else said
    return JudgedPart(State.IN_FORCE, start, told)


def _missing(block: Block, version: BlockVersion, provision: Provision) -> JudgedPart:
    part, name = part_name(provision), block_name(block.label)
    had = [one for one in block.versions if has(one, provision)]
    before = [one for one in had if one.valid_from < version.valid_from]
    if before:
        since = _next(before[-1], block)
        said = f"El {name} ya no tiene {part}: lo tuvo hasta el {spelled(since - timedelta(days=1))}."
        return JudgedPart(State.REPEALED, since, said)
    if had:
        since = had[0].valid_from
        return JudgedPart(State.NOT_YET, since, f"El {name} no tiene {part} hasta el {spelled(since)}.")
    return JudgedPart(State.MISSING, None, f"El {name} no tiene {part}.")


def _next(version: BlockVersion, block: Block) -> date:
    """The day on which the wording gave way to another."""
    if version.valid_to:
        return version.valid_to + timedelta(days=1)
    return next(one.valid_from for one in block.versions if one.valid_from > version.valid_from)


def _changes(block: Block, version: BlockVersion, provision: Provision) -> date | None:
    """First day on which the cited part reads otherwise than in the wording, or is no longer there."""
    cited = provision.apartado, provision.letter
    mine = words_of(read_provision(version.text), *cited)
    later = [one for one in block.versions if one.valid_from > version.valid_from]
    for one in later:
        if words_of(read_provision(one.text), *cited) != mine:
            return one.valid_from
    last = later[-1] if later else version
    return last.valid_to + timedelta(days=1) if last.valid_to else None
