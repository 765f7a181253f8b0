"""Events of the law: what a write of the corpus changed in it, and what it will change on a later day. Pure.

An event names the wording that it takes the place of, so that an answer which cites another wording (of
another day) is not told of a change that does not touch it.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from core.values import Value
from law.changes import Fate, of_substance, pairs
from law.dates import spelled
from law.norms import Block, BlockVersion, Document, Norm, dated
from law.validity import ENDED, says_repealed


class LawEvent(Value):
    """A change of an article, or of a whole norm.

    Attributes:
        day: the day on which it is told: when it was found and, if it takes effect later, that day as well.
        on: the first day of its effect; None for texts that were corrected or taken out.
        block_id: the block as it is now; empty for a whole norm.
        cited: the id of the block before the change, which answers cite.
        law: the norm's alias or name; `title`: the heading of the block.
        before: first day of the wording that ends or was corrected; None: of every wording.
        after: first day of the wording that takes its place, if any.
        amended_by: BOE id of the norm that gave that wording.
    """

    norm_id: str
    law: str
    fate: Fate
    day: date
    on: date | None = None
    block_id: str = ""
    cited: str = ""
    label: str = ""
    title: str = ""
    before: date | None = None
    after: date | None = None
    amended_by: str | None = None

    @property
    def ahead(self) -> bool:
        """True if it is told before it takes effect."""
        return self.on is not None and self.on > self.day


def found_events(before: Document | None, after: Document | None, today: date) -> list[LawEvent]:
    """Events to be told today of a write that left `after` where `before` was; None = no such norm.

    Both may hold the blocks alone that the write touched. A norm that comes or goes as a whole is one event.
    """
    if before is None or after is None:
        return [
            _of_norm(one.norm, Fate.NEW if before is None else Fate.REMOVED, today)
            for one in (before or after,)
            if one is not None
        ]
    ended = _end(after.norm)
    events = []
    if ended and ended != _end(before.norm):
        events.append(_of_norm(after.norm, Fate.REPEALED, today, ended))
    elif after.norm.status != before.norm.status and not ended:
        fate = Fate.REPEALED if after.norm.status in ENDED else Fate.CORRECTED
        events.append(_of_norm(after.norm, fate, today))
    for old, new in pairs(before.blocks, after.blocks):
        if old and new:
            found = _Change(after.norm, old, new, today).events()
            events += [one for one in found if not _said(one, ended)]
        elif new:
            last = new.versions[-1]
            added = _Change(after.norm, new, new, today).made(Fate.NEW, after=last)
            events.append(added.model_copy(update={"on": last.valid_from}))
        elif old:
            events.append(_Change(after.norm, old, old, today).made(Fate.REMOVED))
    return events


def coming_events(document: Document, today: date) -> list[LawEvent]:
    """Events whose effect begins after today, each to be told on its first day."""
    norm, ended = document.norm, _end(document.norm)
    events = []
    if norm.valid_from and norm.valid_from > today:
        events.append(_of_norm(norm, Fate.NEW, norm.valid_from, norm.valid_from))
    if ended and ended > today:
        events.append(_of_norm(norm, Fate.REPEALED, ended, ended))
    for block in of_substance(document.blocks):
        for last, version in zip(block.versions, block.versions[1:], strict=False):
            if version.valid_from > today:
                events.append(_Change(norm, block, block, version.valid_from).amended(last, version))
        closed = _closed(block)
        if closed and closed > today and closed != ended:
            events.append(_Change(norm, block, block, closed).ended(closed))
    return events


def _end(norm: Norm) -> date | None:
    """The first day without the norm."""
    return norm.repealed_on + timedelta(days=1) if norm.repealed_on else None


def _closed(block: Block) -> date | None:
    """The first day without any wording of the block, after the last one."""
    until = block.versions[-1].valid_to
    return until + timedelta(days=1) if until else None


def _said(event: LawEvent, ended: date | None) -> bool:
    """True if the end of the whole norm says it."""
    return event.fate is Fate.REPEALED and event.after is None and ended is not None and event.on == ended


@dataclass(frozen=True)
class _Change:
    """A block before and after a write, and the day on which its events are told."""

    norm: Norm
    old: Block
    new: Block
    day: date

    def events(self) -> Iterator[LawEvent]:
        """Differences, in the order: withdrawn or moved, put between, new, corrected, ended."""
        was = {version.valid_from: version for version in self.old.versions}
        now = {version.valid_from: version for version in self.new.versions}
        came = [version for version in self.new.versions if version.valid_from not in was]
        for lost in (version for version in self.old.versions if version.valid_from not in now):
            moved = next((version for version in came if _text(version) == _text(lost)), None)
            if moved is not None:
                came.remove(moved)
            yield self.made(Fate.CORRECTED if moved else Fate.REMOVED, lost, moved)
        yield from self._came(came, was.keys())
        for since in sorted(was.keys() & now.keys()):
            if _text(was[since]) != _text(now[since]):
                yield self.made(Fate.CORRECTED, now[since], now[since])
        yield from self._closed()

    def _came(self, came: Sequence[BlockVersion], known: Collection[date]) -> Iterator[LawEvent]:
        """Events of the wordings that are new: of several in force already, the last one is told."""
        latest = self.old.versions[-1].valid_from
        for version in came:
            if version.valid_from < latest and (preceding := _preceding(self.new.versions, version)):
                yield self.made(Fate.CORRECTED, preceding, version)
        came = [version for version in came if version.valid_from > latest]
        if begun := [version for version in came if version.valid_from <= self.day]:
            stored = [version for version in self.new.versions if version.valid_from in known]
            yield self.amended(_preceding(stored, begun[0]), begun[-1])
        for version in came[len(begun) :]:
            yield self.amended(_preceding(self.new.versions, version), version)

    def _closed(self) -> Iterator[LawEvent]:
        """The event of an end that is new, or was put right."""
        last, closed, before = self.new.versions[-1], _closed(self.new), _closed(self.old)
        if last.valid_from == self.old.versions[-1].valid_from and closed != before:
            yield self.ended(closed) if closed and before is None else self.made(Fate.CORRECTED, last, last)

    def amended(self, ended: BlockVersion | None, version: BlockVersion) -> LawEvent:
        """Another wording in the place of one; «(Derogado)» is a repeal."""
        event = self.made(Fate.REPEALED if says_repealed(version.text) else Fate.AMENDED, ended, version)
        return event.model_copy(update={"on": version.valid_from, "amended_by": version.amended_by})

    def ended(self, on: date) -> LawEvent:
        """The end of the last wording, without another; `on` is the first day without it."""
        return self.made(Fate.REPEALED, self.new.versions[-1]).model_copy(update={"on": on})

    def made(
        self, fate: Fate, before: BlockVersion | None = None, after: BlockVersion | None = None
    ) -> LawEvent:
        return LawEvent(
            norm_id=self.norm.id,
            law=self.norm.name,
            fate=fate,
            day=self.day,
            block_id=self.new.id,
            cited=self.old.id,
            label=self.new.label,
            title=self.new.title or self.new.label or self.new.id,
            before=before.valid_from if before else None,
            after=after.valid_from if after else None,
        )


def _preceding(versions: Sequence[BlockVersion], version: BlockVersion) -> BlockVersion | None:
    return next((one for one in reversed(versions) if one.valid_from < version.valid_from), None)


def _text(version: BlockVersion) -> str:
    """Its words: a reader of files may break lines otherwise than an earlier one did."""
    return " ".join(version.text.split())


def _of_norm(norm: Norm, fate: Fate, day: date, on: date | None = None) -> LawEvent:
    return LawEvent(norm_id=norm.id, law=norm.name, title=norm.title, fate=fate, day=day, on=on)


def event_told(event: LawEvent) -> str:
    """One Spanish phrase: «Nueva redacción desde el 1 de mayo de 2021 (BOE-A-2021-9)»."""
    by = f" ({event.amended_by})" if event.amended_by else ""
    on = dated(event.on)
    since = f" desde el {spelled(on)}" if on else ""
    return (_told_of_block(event, since) if event.block_id else _told_of_norm(event, since)) + by


def _told_of_block(event: LawEvent, since: str) -> str:
    cited = dated(event.before)
    wording = f"la redacción vigente desde el {spelled(cited)}" if cited else "la redacción guardada"
    phrases = {
        Fate.AMENDED: f"{'Tendrá nueva' if event.ahead else 'Nueva'} redacción{since}",
        Fate.REPEALED: f"{'Dejará de estar' if event.ahead else 'Ya no está'} en vigor{since}",
        Fate.NEW: f"Precepto nuevo{since}",
        Fate.CORRECTED: f"Se ha corregido el texto o las fechas de {wording}",
        Fate.REMOVED: f"Se ha retirado {wording}" if event.before else "Ya no figura en la norma",
    }
    return phrases[event.fate]


def _told_of_norm(event: LawEvent, since: str) -> str:
    phrases = {
        Fate.REPEALED: f"{'Dejará de estar' if event.ahead else 'La norma ya no está'} en vigor{since}",
        Fate.NEW: f"Entra en vigor{since}" if since else "Se ha cargado la norma",
        Fate.REMOVED: "Se ha retirado la norma: lo que se cita de ella ya no se puede comprobar aquí",
        Fate.CORRECTED: "La norma vuelve a constar como vigente",
    }
    return phrases[event.fate]
