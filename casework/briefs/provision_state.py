"""The state of a cited provision on a day. Pure over a `Library`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from casework.briefs.finding_names import address, block_name, named
from casework.briefs.findings import Finding, Kind, Provision, State
from casework.briefs.norm_library import Library, Shelf
from casework.briefs.part_state import JudgedPart, part_state
from law.dates import spelled
from law.labels import fold
from law.norm_names import NUMBERED, NUMBERED_SINCE
from law.norms import Block, Norm, dated
from law.references import between
from law.repeals import number_of, numbered
from law.validity import Validity, state_of_norm
from lexicon.ties import Tie, applied_meanwhile, overtaken
from lexicon.usual_names import known_norm

_WORST_OF_RANGE = (
    State.MISSING, State.AMBIGUOUS, State.NOT_YET, State.CHANGED, State.IN_FORCE, State.REPEALED
)  # fmt: skip
_BEST_OF_SAME = (State.IN_FORCE, State.CHANGED, State.REPEALED, State.NOT_YET, State.MISSING)
_STANDS = frozenset({State.IN_FORCE, State.CHANGED, State.REPEALED, State.NOT_YET})
_OF_NORM = {Validity.FUTURE: State.NOT_YET, Validity.REPEALED: State.REPEALED}
UNKNOWN = "No se sabe a qué norma o precepto se refiere."
UNSAID = "El escrito no dice de qué norma es."


@dataclass(frozen=True)
class ProvisionJudge:
    """Judges provisions against the law of one day.

    Attributes:
        today: changes up to this day are told.
        also: ids of the norms that the brief names, where a number that its norm lacks may stand.
    """

    library: Library
    day: date
    today: date
    also: Sequence[str] = ()
    _known: dict[Provision, Finding] = field(default_factory=dict)
    """Findings of parts of articles, wherever the text cites them."""

    def judged(self, provision: Provision) -> Finding:
        """The state of a norm, an article, a range of them or a part of one.

        Where the text names no norm and the one that seems meant lacks it, the one norm of the brief that
        has it is meant.
        """
        found = self._of_norm(provision)
        open_to_others = (
            provision.implied and provision.label and (provision.norm_id or provision.unannounced)
        )
        if not open_to_others or found.state in _STANDS:
            return found
        choices = (one for one in provision.choices or self.also if one != provision.norm_id)
        others = [self._of_norm(provision.model_copy(update={"norm_id": one})) for one in choices]
        stand = [one for one in others if one.state in _STANDS]
        return stand[0] if len(stand) == 1 else found

    def _of_norm(self, provision: Provision) -> Finding:
        norm = self.library.norm(provision.norm_id or "")
        shelf = self.library.shelf(norm.id) if norm else None
        refused = self._refused(provision, norm)
        if refused is not None or norm is None or shelf is None:
            state, said = refused or (State.NOT_LOADED, "La norma se acaba de quitar.")
            gone = self._gone(provision) if norm is None and state is State.NOT_LOADED else None
            return _finding(provision, gone or JudgedPart(state, None, said), norm)
        whole = state_of_norm(norm, self.day)
        if whole.validity in _OF_NORM or provision.label is None:
            state = _OF_NORM.get(whole.validity, State.IN_FORCE)
            return _finding(provision, JudgedPart(state, dated(whole.since), f"{whole}."), norm)
        return self._range(provision, shelf) if provision.until else self._one(provision, shelf)

    def _refused(self, provision: Provision, norm: Norm | None) -> tuple[State, str] | None:
        """State and reason when there is no text to look in."""
        if norm is not None and provision.label != "":
            return self._unusable(provision, norm)
        known = known_norm(provision.norm_id or "")
        name = provision.named or (known.title if known else provision.norm_id)
        if name and provision.label != "":
            return State.NOT_LOADED, f"«{name}» no está cargada: ni se confirma ni se niega."
        choices = (self.library.norm(one) or known_norm(one) for one in provision.choices)
        among = ", ".join(one.name for one in choices if one)
        return State.AMBIGUOUS, f"{UNKNOWN} Puede ser de: {among}." if among else UNKNOWN

    def _gone(self, provision: Provision) -> JudgedPart | None:
        """The repeal of a norm that is not loaded, told by one that is."""
        known = known_norm(provision.norm_id or "")
        number = number_of(known) if known else numbered(provision.named)
        by = self.library.repeals(self.day).get(number) if number else None
        if by is None:
            return None
        since = dated(by.valid_from)
        told = f", en vigor desde el {spelled(since)}" if since else ""
        said = f"Derogada por {by.alias or by.law}, {block_name(by.label)}{told}; su texto no está cargado."
        return JudgedPart(State.REPEALED, since, said)

    def _unusable(self, provision: Provision, norm: Norm) -> tuple[State, str] | None:
        if not norm.official:
            said = "Solo está cargado un resumen no oficial de esa norma: cargue su texto."
            return State.NOT_LOADED, said
        since = norm.extra.get(NUMBERED_SINCE, "")
        if since and self.day.isoformat() < since and not NUMBERED.search(fold(provision.text)):
            first = spelled(date.fromisoformat(since))
            return State.NOT_LOADED, f"Antes del {first} ese nombre era el de otro texto."
        return None

    def _range(self, provision: Provision, shelf: Shelf) -> Finding:
        first, last = provision.label or "", provision.until or ""
        # Nothing lies between ends that are in no order of the norm: each is judged by itself.
        labels = between(first, last, shelf.labels) or [first, last]
        each = {
            one: self._one(provision.model_copy(update={"label": one, "until": None}), shelf)
            for one in labels
        }
        # A norm may have left numbers in the middle without use; the ends must be there.
        ends = (labels[0], labels[-1])
        judged = [one for label, one in each.items() if label in ends or one.state is not State.MISSING]
        worst = min(judged, key=lambda one: _WORST_OF_RANGE.index(one.state))
        gone = [label for label, one in each.items() if one.state is State.REPEALED]
        told = f"Derogados: {', '.join(gone)}." if gone and len(gone) < len(each) else ""
        source = f"{shelf.norm.name}, {block_name(ends[0])} a {ends[-1]}"
        return worst.model_copy(
            update={"warning": " ".join(filter(None, (worst.warning, told))), "source": source}
        )

    def _one(self, provision: Provision, shelf: Shelf) -> Finding:
        span = {"start": provision.start, "end": provision.end, "text": provision.text}
        key = provision.model_copy(update={**dict.fromkeys(span, 0), "norm_id": shelf.norm.id})
        if key not in self._known:
            self._known[key] = self._looked_up(provision, shelf)
        return self._known[key].model_copy(update=span)

    def _looked_up(self, provision: Provision, shelf: Shelf) -> Finding:
        label = provision.label or ""
        blocks = shelf.labelled.get(label) or _spanning(label, shelf)
        if not blocks:
            return self._without(provision, shelf)
        found = [(part_state(block, provision, self.day, self.today), block) for block in blocks]
        part, block = min(found, key=lambda one: _BEST_OF_SAME.index(one[0].state))
        if part.state is State.MISSING and (tie := applied_meanwhile(shelf.norm.id, block.id)):
            part, block = self._meanwhile(provision, shelf, tie) or (part, block)
        if part.state is State.MISSING and provision.implied:
            part = JudgedPart(State.AMBIGUOUS, None, f"{part.said} {UNSAID}")
        return _finding(provision, part, shelf.norm, block, self.day)

    def _meanwhile(self, provision: Provision, shelf: Shelf, tie: Tie) -> tuple[JudgedPart, Block] | None:
        """The state of a part in the wording that is applied instead of that of its article."""
        for place in shelf.of_block.get(tie.block, ())[:1]:
            part = part_state(place.block, provision, self.day, self.today)
            if part.state in _STANDS:
                said = f"{part.said} La redacción que se aplica está en la {block_name(place.block.label)}."
                return part._replace(said=said), place.block
        return None

    def _without(self, provision: Provision, shelf: Shelf) -> Finding:
        label = provision.label or ""
        others = [
            norm.name
            for one in self.also
            if one != shelf.norm.id and self.library.blocks(one, label) and (norm := self.library.norm(one))
        ]
        said = [f"{shelf.norm.name} no tiene {block_name(label)}."]
        if others:
            said.append(f"Sí lo tienen otras normas del escrito: {', '.join(others)}.")
        if provision.implied:
            said.append(UNSAID)
        state = State.AMBIGUOUS if provision.implied else State.MISSING
        return _finding(provision, JudgedPart(state, None, " ".join(said)), shelf.norm)


def _spanning(label: str, shelf: Shelf) -> list[Block]:
    """Blocks under a heading of several articles, «Artículos 35 a 41», with that one among them."""
    found: list[Block] = []
    for one, blocks in shelf.labelled.items():
        ends = re.fullmatch(r"(\d+)-(\d+)", one)
        if ends and label.isdigit() and int(ends[1]) <= int(label) <= int(ends[2]):
            found += blocks
    return found


def _finding(
    provision: Provision,
    part: JudgedPart,
    norm: Norm | None = None,
    block: Block | None = None,
    day: date | None = None,
) -> Finding:
    displaced = overtaken(norm.id, block.id, day) if norm and block and day else None
    meanwhile = applied_meanwhile(norm.id, block.id) if norm and block else None
    version = block.wording_on(day) if block and day else None
    return Finding(
        kind=Kind.NORM if provision.label is None else Kind.PROVISION,
        start=provision.start,
        end=provision.end,
        text=provision.text,
        state=part.state,
        since=part.since,
        said=part.said,
        warning=displaced.says if displaced else f"{meanwhile.title}: {meanwhile.says}" if meanwhile else "",
        norm_id=norm.id if norm else "",
        block_id=block.id if block else "",
        source=", ".join(filter(None, (norm.name if norm else "", named(provision)))),
        url=address(norm, block),
        valid_from=version.valid_from if version else None,
    )
