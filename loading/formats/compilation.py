"""Splits a text with several norms in a row («códigos», compilations) into one part a norm.

Three signs, the most reliable first: «§ 12» before each norm, the BOE's «Referencia: BOE-A-…» under each
title, or titles after which the articles start again at 1.
"""

import re
from collections.abc import Sequence

from law.norms import BlockKind
from loading.formats import headings, norm_facts
from loading.formats.articles import SIGNATURE
from loading.formats.broken_lines import Paragraph

_SECTION = re.compile(r"§\s*(\d{1,4})(?:\s+\S.*)?")
_FIRST = {"1", "único"}
_LOOK_BACK = 6


def split_compilation(paragraphs: Sequence[Paragraph]) -> tuple[list[list[Paragraph]], str]:
    """The parts in order, and a warning about text before the first (a cover), which is left out."""
    starts, drop = _sections(paragraphs)
    if len(starts) < 2:
        starts, drop = _references(paragraphs), set()
    if len(starts) < 2:
        starts = _titles(paragraphs)
    if len(starts) < 2:
        return [list(paragraphs)], ""
    ends = [*starts[1:], len(paragraphs)]
    parts = [
        [paragraphs[i] for i in range(start, end) if i not in drop]
        for start, end in zip(starts, ends, strict=True)
    ]
    before = sum(len(paragraph.text) for paragraph in paragraphs[: starts[0]])
    notice = f"Es una compilación de {len(starts)} normas."
    if before:
        notice += f" Quedan fuera los {before} caracteres anteriores a la primera (portada o índice)."
    return [part for part in parts if part], notice


def _sections(paragraphs: Sequence[Paragraph]) -> tuple[list[int], set[int]]:
    """Indexes of the paragraphs where «§ 1», «§ 2»… first occur, and of those that repeat them."""
    starts: list[int] = []
    drop: set[int] = set()
    current = 0
    for place, paragraph in enumerate(paragraphs):
        found = _SECTION.fullmatch(paragraph.text) if paragraph.text.startswith("§") else None
        if found is None:
            continue
        number = int(found.group(1))
        if number == current + 1 or not starts:
            starts.append(place)
            current = number
            if paragraph.text.strip("§ ").isdigit():
                drop.add(place)
        elif number == current:
            drop.add(place)
    return starts, drop


def _references(paragraphs: Sequence[Paragraph]) -> list[int]:
    """The titles above each different «Referencia: BOE-A-…»."""
    starts: list[int] = []
    seen: set[str] = set()
    for place, paragraph in enumerate(paragraphs):
        found = norm_facts.REFERENCE.fullmatch(paragraph.text)
        if found is None or found.group(1) in seen:
            continue
        seen.add(found.group(1))
        low = max(starts[-1] + 1 if starts else 0, place - _LOOK_BACK)
        title = next((i for i in range(place - 1, low - 1, -1) if norm_facts.title(paragraphs[i].text)), None)
        journal = next(
            (i for i in range(place - 1, low - 1, -1) if norm_facts.is_journal(paragraphs[i].text)), place
        )
        starts.append(title if title is not None else max(low, journal - 2))
    return starts


def _titles(paragraphs: Sequence[Paragraph]) -> list[int]:
    """Titles followed by an article 1, one for each time that the articles begin again."""
    starts: list[int] = []
    candidates: list[int] = []
    signed = -1
    counted = False
    for place, paragraph in enumerate(paragraphs):
        if norm_facts.title(paragraph.text) and _stands_alone(paragraphs, place):
            candidates.append(place)
        elif SIGNATURE.match(paragraph.text):
            signed = place
        elif (found := headings.provision(paragraph.text)) and found.kind is BlockKind.ARTICLE:
            if found.label in _FIRST and candidates and (counted or not starts):
                after = [c for c in candidates if c > signed]
                starts.append(
                    after[0] if signed >= 0 and after else candidates[0] if not starts else candidates[-1]
                )
                counted = False
            counted = True
            candidates, signed = [], -1
    return starts


def _stands_alone(paragraphs: Sequence[Paragraph], place: int) -> bool:
    """True if the previous paragraph has ended, so that this one does not continue a list or a sentence."""
    before = paragraphs[place - 1].text if place else ""
    return not before.endswith((":", ",", ";"))
