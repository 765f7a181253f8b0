"""Measure what masking finds and what it takes for somebody's data: `python -m lab masking`.

The invented sentences of data/masking, by eight authors who had not seen the program, name every piece of
personal data in them. A piece is caught when every letter and digit of it, but the links of a name («de la»),
is replaced. What is replaced and touches no named piece is a false hit. The same is counted in the real law
(../shared/boe), where every hit counts as false, and printed for the questions of the evaluation sets. The
rules were written with all but the last in view, one after another (docs/decisions/masking.md): what they
find in texts that nobody has read yet stands in docs/quality.md. With --misses every miss is printed.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Any, NamedTuple

from lab.harness import BOE
from masking.vault import PLACEHOLDER, Vault
from service.config import ROOT

SENTENCES = ROOT / "data" / "masking"
GOLD = ROOT.parent / "shared" / "gold"
AUTHORS = ("a", "b", "c", "d", "e", "f", "g", "h")
GROUPS = {
    "identifiers": [
        *(
            "dni",
            "nie",
            "cif",
            "nss",
            "iban",
            "ccc_bancaria",
            "ccc_cotizacion",
            "tarjeta",
            "pasaporte",
            "matricula",
        ),
        *("telefono", "correo", "nacimiento", "sanitaria", "direccion"),
    ],
    "announced names": ["nombre"],
    "companies": ["empresa"],
    "names alone": ["nombre_suelto"],
}
"""Kinds by group. Numbers of cases («expediente») are marked but not looked for."""
LINKS = {"de", "del", "la", "las", "los", "el", "y", "i", "e", "da", "do", "dos", "van", "von", "mª"}
_WORD = re.compile(r"\w+")


class Piece(NamedTuple):
    """Offsets and kind of a piece of personal data in a sentence."""

    start: int
    end: int
    kind: str


class Sentence(NamedTuple):
    """A text with its pieces, as its author marked them."""

    id: str
    text: str
    pieces: tuple[Piece, ...]


@dataclass
class Counts:
    """Pieces and caught pieces by kind, false hits, and lines that tell the misses."""

    there: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    false: int = 0
    misses: list[str] = field(default_factory=list)

    def of(self, group: str) -> tuple[int, int]:
        """(caught, there) of a group of kinds."""
        kinds = GROUPS[group]
        return sum(self.caught[kind] for kind in kinds), sum(self.there[kind] for kind in kinds)

    def share(self, group: str) -> float:
        caught, there = self.of(group)
        return caught / there


def sentences(author: str) -> list[Sentence]:
    """The sentences of an author, with the offsets of the marked pieces."""
    lines = (SENTENCES / f"author_{author}.jsonl").read_text("utf-8").splitlines()
    return [_sentence(json.loads(line)) for line in lines]


def _sentence(line: Any) -> Sentence:
    text = line["text"]
    pieces: list[Piece] = []
    # The longest first: a name within another is its second occurrence.
    for span in sorted(line["spans"], key=lambda span: -len(span["text"])):
        found = (match.span() for match in re.finditer(re.escape(span["text"]), text))
        free = (at for at in found if not any(at[0] < piece.end and piece.start < at[1] for piece in pieces))
        start, end = next(free)
        pieces.append(Piece(start, end, span["kind"]))
    return Sentence(line["id"], text, tuple(pieces))


def replaced(text: str) -> list[tuple[int, int]]:
    """Offsets of what masking replaces in a text of its own."""
    masked = Vault().mask([text])
    spans, at, position = [], 0, 0
    for mark in PLACEHOLDER.finditer(masked.texts[0]):
        start = at + mark.start() - position
        value = re.compile(r"\s+".join(map(re.escape, masked.values[mark[0]].split()))).match(text, start)
        assert value is not None, mark
        spans.append(value.span())
        at, position = value.end(), mark.end()
    return spans


def measure(given: Sequence[Sentence]) -> Counts:
    counts = Counts()
    for one in given:
        spans = replaced(one.text)
        for piece in one.pieces:
            counts.there[piece.kind] += 1
            if _is_covered(one.text, piece, spans):
                counts.caught[piece.kind] += 1
            elif any(piece.kind in kinds for kinds in GROUPS.values()):
                counts.misses.append(f"{one.id} {piece.kind}: {one.text[piece.start : piece.end]!r}")
        for start, end in spans:
            if not any(piece.start < end and start < piece.end for piece in one.pieces):
                counts.false += 1
                counts.misses.append(f"{one.id} FALSE: {one.text[start:end]!r}")
    return counts


def _is_covered(text: str, piece: Piece, spans: Sequence[tuple[int, int]]) -> bool:
    words = [
        match.span()
        for match in _WORD.finditer(text, piece.start, piece.end)
        if match[0].lower() not in LINKS
    ]
    return all(any(start <= first and last <= end for start, end in spans) for first, last in words)


def law() -> Iterator[str]:
    """The texts of the real norms, in all their wordings."""
    for file in sorted(BOE.rglob("texto.xml")):
        # What stands in tags (identifiers, moments) is never sent anywhere.
        yield unescape(re.sub(r"<[^>]*>", "\n", file.read_text("utf-8")))


def questions() -> list[str]:
    """The questions of the evaluation, training and gold sets."""
    folders = (ROOT / "data" / "evaluation", ROOT / "data" / "training", GOLD)
    lines = (line for folder in folders for file in sorted(folder.glob("*.jsonl")) for line in file.open())
    return [case["question"] for case in map(json.loads, lines) if "question" in case]


def report(author: str, counts: Counts) -> Iterator[str]:
    for group, kinds in GROUPS.items():
        caught, there = counts.of(group)
        yield f"{author:<4}{group:<18}{caught:>5} of {there:<5}{counts.share(group):>6.3f}"
        for kind in kinds if len(kinds) > 1 else ():
            yield f"{'':<6}{kind:<16}{counts.caught[kind]:>5} of {counts.there[kind]}"
    yield f"{author:<4}{'false hits':<18}{counts.false:>5}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--misses", choices=AUTHORS, nargs="*", default=(), help="print these authors' misses"
    )
    options = parser.parse_args()
    for author in AUTHORS:
        counts = measure(sentences(author))
        print("\n".join([*report(author, counts), *(counts.misses if author in options.misses else ())]))
    asked = questions()
    found = [value for question in asked for value in Vault().mask([question]).values.values()]
    print(f"questions: {len(found)} hits in {len(asked)}: {'; '.join(found)}")
    texts = list(law())
    if not texts:
        print("the real norms (../shared/boe) are not here: skipped")
        return
    words = sum(len(text.split()) for text in texts)
    hits = [value for text in texts for value in Vault().mask([text]).values.values()]
    rate = 1e6 * len(hits) / words
    print(f"law: {len(hits)} hits in {words} words, {rate:.1f} in a million: {'; '.join(hits)}")
