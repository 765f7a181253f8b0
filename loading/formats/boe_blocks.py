"""The blocks of a BOE norm in reading order, each with its kind, its label and the headings above it.

Some exports put articles, or parts of the preamble, in blocks of type «encabezado», cut block titles short,
or leave annexes inside the last disposición: the first line decides the kind of a block, not its type alone.
Others break off a provision that amends another norm where it quotes headings: those are its words.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise

from lxml import etree

from law import labels
from law.dates import latest_cited
from law.norms import Block, BlockKind, BlockVersion
from lexicon.ties import effect
from loading.formats.boe_text import Line, Wording, wording
from loading.formats.headings import BARE, LEVELS, MAX_HEADING
from loading.formats.headings import level as heading_level

_ANNEX_LINE = re.compile(r"ANEXO(?: [IVXLC]+)?\.?")
_KINDS = {"preambulo": BlockKind.PREAMBLE, "firma": BlockKind.SIGNATURE, "nota_inicial": BlockKind.NOTE}
_PLACED = {BlockKind.ARTICLE, BlockKind.SECTION}
_AMENDS = {BlockKind.ARTICLE, *labels.PREFIXES}
SHORT = 80
PREAMBLE = "preambulo"
CITES = (
    "El archivo le da una fecha anterior a la norma que cita, de {day:%d/%m/%Y}: se toma el día siguiente."
)


@dataclass
class BlockReader:
    """Reads `<bloque>` elements one after another; `blocks` and `warnings` grow."""

    norm_id: str
    blocks: list[Block] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    _headings: list[tuple[int, str]] = field(default_factory=list)
    _in_body: bool = False
    _quoting: int = 0

    def read(self, element: etree._Element) -> None:
        block_id = element.get("id") or f"bloque{len(self.blocks)}"
        wordings = self._wordings(block_id, element)
        if not wordings:
            return
        latest = wordings[-1]
        if self._goes_on_quoting(element, latest):
            return
        kind, label = self._identify(element, latest)
        if kind is BlockKind.HEADING:
            self._enter(latest.lines)
        elif kind is BlockKind.ARTICLE:
            self._in_body = True
        elif kind not in _PLACED:
            self._headings.clear()
        if kind in labels.PREFIXES:
            self._add_with_annexes(block_id, kind, label, wordings)
        else:
            self._add(block_id, kind, label, wordings)
        if kind is BlockKind.ARTICLE:
            self._enter_trailing(latest.lines)

    def _goes_on_quoting(self, element: etree._Element, latest: Wording) -> bool:
        """True for a heading in marks, and until they close: it is taken into the provision before it."""
        opens = latest.heading.startswith("«") or self._quoting > 0
        before = next((one for one in self.blocks[-1:] if one.versions), None)
        if element.get("tipo") != "encabezado" or not opens or before is None or before.kind not in _AMENDS:
            self._quoting = 0
            return False
        lines = [line.text for line in latest.lines]
        self._quoting = max(0, self._quoting + sum(line.count("«") - line.count("»") for line in lines))
        *earlier, last = before.versions
        longer = last.model_copy(update={"text": "\n".join([last.text, *lines])})
        self.blocks[-1] = before.model_copy(update={"versions": (*earlier, longer)})
        return True

    def _wordings(self, block_id: str, element: etree._Element) -> list[Wording]:
        """By first day in force; of two that start on one day only the last published ever applied.

        What amends a provision that is not in force yet starts with it. What is lost is warned of, but not a
        wording that `ties.toml` says never applied.
        """
        read = [self._effective(block_id, wording(version)) for version in element.findall("version")]
        dated = [w for w in sorted(read, key=_published) if w.valid_from and w.lines]
        starts = {_not_before(dated[0], w): w for w in dated}
        kept = [id(w) for w in starts.values()]
        lost = sum(id(w) not in kept and not effect(self.norm_id, block_id, w.published) for w in read)
        if lost:
            self.warnings.append(f"{block_id}: redacciones sin texto o sin un día en vigor: {lost}")
        return [starts[start]._replace(valid_from=start) for start in sorted(starts)]

    def _effective(self, block_id: str, read: Wording) -> Wording:
        """The wording from its first day of effect, with a note of what says so.

        A block that was added later may have the norm's first day in the file; no text cites a norm to come.
        """
        entry = effect(self.norm_id, block_id, read.published)
        if entry is not None and entry.since != read.valid_from:
            return read._replace(valid_from=entry.since, notes=(*read.notes, entry.says))
        cited = latest_cited("\n".join(line.text for line in read.lines))
        if block_id == PREAMBLE or entry or not cited or not read.valid_from or cited < read.valid_from:
            return read
        note = CITES.format(day=cited)
        return read._replace(valid_from=cited + timedelta(days=1), notes=(*read.notes, note))

    def _identify(self, element: etree._Element, latest: Wording) -> tuple[BlockKind, str]:
        kind = _KINDS.get(element.get("tipo") or "")
        if kind is not None:
            return kind, ""
        found = labels.of_heading(latest.heading) or labels.of_heading(element.get("titulo") or "")
        if found is not None and not latest.heading.startswith("«"):
            return found
        if element.get("tipo") == "precepto" and heading_level(latest.heading) is None:
            self.warnings.append(
                f"{element.get('id')}: «{latest.heading[:60]}» no tiene un número reconocible"
            )
            return BlockKind.SECTION, ""
        if any(_is_prose(line) for line in latest.lines[1:]):
            return (BlockKind.SECTION if self._in_body else BlockKind.PREAMBLE), ""
        return BlockKind.HEADING, ""

    def _enter(self, lines: Sequence[Line]) -> None:
        """Take a heading into the path; a line without a level titles a bare 'CAPÍTULO IV' above it."""
        for line in lines:
            level = heading_level(line.text)
            if level is not None:
                self._push(level, line.text)
            elif self._headings and not labels.is_gone(line.text) and BARE.fullmatch(self._headings[-1][1]):
                above, text = self._headings[-1]
                self._headings[-1] = (above, f"{text}. {line.text.rstrip('.')}")

    def _enter_trailing(self, lines: Sequence[Line]) -> None:
        """Some exports leave the next subsection's heading as the last paragraph of an article."""
        last = lines[-1].text
        level = heading_level(last)
        if len(lines) > 1 and level is not None and level >= LEVELS["seccion"] and len(last) < MAX_HEADING:
            self._push(level, last)

    def _push(self, level: int, line: str) -> None:
        self._headings = [heading for heading in self._headings if heading[0] < level]
        self._headings.append((level, line.rstrip(". ")))

    def _add_with_annexes(self, block_id: str, kind: BlockKind, label: str, wordings: list[Wording]) -> None:
        """Annexes that an export left inside a disposición become blocks of their own, '<id>~<n>'."""
        parts = [_split_annexes(w) for w in wordings]
        names = list(dict.fromkeys(name for part in parts for name in part if name))
        self._add(
            block_id, kind, label, [part[""] for part in parts] if names else wordings, merge=bool(names)
        )
        for index, name in enumerate(names, 1):
            annex = [part.get(name, w._replace(lines=())) for part, w in zip(parts, wordings, strict=True)]
            self._add(f"{block_id}~{index}", BlockKind.ANNEX, name, annex, merge=True)

    def _add(
        self, block_id: str, kind: BlockKind, label: str, wordings: list[Wording], merge: bool = False
    ) -> None:
        titled = next((w for w in reversed(wordings) if w.lines and not w.gone), wordings[-1])
        title = " ".join(line.text for line in titled.lines) if kind is BlockKind.HEADING else titled.heading
        untitled = kind in _KINDS.values() or (not label and len(title) > MAX_HEADING)
        self.blocks.append(
            Block(
                id=block_id,
                kind=kind,
                label=label,
                title="" if untitled else title,
                path=tuple(text for _, text in self._headings) if kind in _PLACED else (),
                position=len(self.blocks),
                versions=tuple(self._versions(wordings, merge)),
            )
        )

    def _versions(self, wordings: list[Wording], merge: bool) -> Iterable[BlockVersion]:
        if merge:
            wordings = [w for i, w in enumerate(wordings) if i == 0 or w.lines != wordings[i - 1].lines]
        for current, following in pairwise([*wordings, None]):
            if current is None or current.valid_from is None or not current.lines:
                continue
            until = following.valid_from - timedelta(days=1) if following and following.valid_from else None
            yield BlockVersion(
                valid_from=current.valid_from,
                valid_to=until,
                published=current.published,
                amended_by=current.norm_id if current.norm_id not in {"", self.norm_id} else None,
                text="\n".join(line.text for line in current.lines),
                notes=current.notes,
            )


def _not_before(first: Wording, other: Wording) -> date:
    """The first day of a wording of a block, or that of the first one published if it is later."""
    return max(day for day in (first.valid_from, other.valid_from) if day)


def _published(read: Wording) -> int:
    return read.published.toordinal() if read.published else 0


def _is_prose(line: Line) -> bool:
    """A paragraph that is neither a heading nor '(Suprimida)'."""
    styled = line.style.startswith(("titulo", "capitulo", "seccion", "subseccion", "libro"))
    short = len(line.text) < SHORT and not line.text.endswith(".")
    return not (styled or short) and heading_level(line.text) is None and not labels.is_gone(line.text)


def _split_annexes(whole: Wording) -> dict[str, Wording]:
    """The disposición itself under '', then each annex by label; «ANEXO» inside a quotation is not one."""
    parts: dict[str, list[Line]] = {"": []}
    current, quotes = "", 0
    for line in whole.lines:
        found = labels.of_heading(line.text) if quotes <= 0 and _ANNEX_LINE.fullmatch(line.text) else None
        if found is not None and found.label not in parts:
            current = found.label
            parts[current] = []
        parts[current].append(line)
        quotes += line.text.count("«") - line.text.count("»")
    return {name: whole._replace(lines=tuple(lines)) for name, lines in parts.items()}
