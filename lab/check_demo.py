"""Check the form of the demo corpus and, if the real norms are at hand, its faithfulness to them.

    python -m lab check-demo

Every summary names a block of a real norm. Its heading, its date, its figures and its wording are compared
with the last version of that block: the figures must be there, the sentences must not. Prints the number
of blocks of each norm and a list of problems; exit code 1 if there are any. It cannot check meaning.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import frontmatter
from text_to_num import alpha2digit

from core.errors import InputError
from lab.harness import BOE, has_norms
from law.norms import STATE_LEVEL, Block
from loading.aids.packed_attributes import KEYWORDS, QUESTIONS, unpacked
from loading.formats import load
from service.config import ROOT

DEMO = ROOT / "data" / "demo"

COPIED_RUN = 10
SENTENCE_CHARS = (20, 500)
SUMMARY_WORDS = (60, 400)
JUDGMENT_WORDS = (40, 120)
MINIMUM = {"article summaries": 95, "sentencias": 8, "criterios_inss": 4}
DISCLAIMER = "Ejemplo de formato, no es un criterio real."

REQUIRED = "id title law collection territory published valid_from status url"
SECTIONS = {
    "sentencias": ("Hechos", "Cuestión", "Doctrina"),
    "criterios_inss": ("Supuesto", "Criterio", "Base legal"),
}
OWN_FIELDS = {
    "normativa": "source_norm rank number",
    "sentencias": "court number date",
    "criterios_inss": "criterion_number date state source_norm source_block",
}
TERRITORIES = {
    "Tribunal de Justicia de la Unión Europea": "Unión Europea",
    "Tribunal Europeo de Derechos Humanos": "Consejo de Europa",
}

ET, LGSS, SMI = "BOE-A-2015-11430", "BOE-A-2015-11724", "BOE-A-2026-3815"
# The corpus dates a block that was added later, and not amended since, by the norm's own publication, and a
# reform whose start was put off by its publication. What the texts themselves say of their start wins.
_PENSIONS = date(2026, 1, 1)
DATES = {
    (ET, "a16"): date(2022, 3, 30),
    (ET, "a20bis"): date(2018, 12, 7),
    (ET, "a48bis"): date(2023, 6, 30),
    (ET, "davigesimotercera"): date(2021, 8, 12),
    (LGSS, "a209"): _PENSIONS,
    (LGSS, "dtcuadragesima"): _PENSIONS,
    (LGSS, "dtcuadragesimaprimera"): _PENSIONS,
    **{(SMI, f"a{number}"): date(2026, 1, 1) for number in (1, 3, 4)},
}
# Wording of the same norm that a summary may take figures from besides its own block.
RELATED = {
    (ET, "a51"): ("a53",),
    (ET, "a56"): ("dtundecima",),
    (LGSS, "a205"): ("dtseptima",),
    (LGSS, "a209"): ("dtcuadragesima", "dtcuarta", "dtcuadragesimaprimera"),
    (LGSS, "a266"): ("a269", "a274"),
    (LGSS, "a330"): ("a338",),
    (SMI, "a1"): ("dftercera",),
}
# Figures that the wording writes as ordinals, which `numbers` leaves out.
ORDINALS = {(LGSS, "dtcuadragesimaprimera"): frozenset({"49", "60", "61", "84"})}

_COMMENT = re.compile(r"^<!-- block: .*; url: .*; valid_from: ", re.MULTILINE)
_POINTER = re.compile(r"\bartículos? (\d+)(?:\.\d+)?")
_ROW = re.compile(r"^\|.*$", re.MULTILINE)
_APARTADO = re.compile(r"^\d+\. ", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_PER_CENT = re.compile(r"\bpor\s+(?:ciento|cien|100)\b|%")
_THOUSANDS = re.compile(r"(?<=\d)[ .\u00a0](?=\d{3}\b)")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?![ºª\d])")
# Words that alpha2digit leaves as they are. «Uno» and «una» are not counted: they are mostly articles.
_SMALL = {"dos": "2", "tres": "3", "veintiún": "21"}
_SMALL_WORD = re.compile(rf"\b(?:{'|'.join(_SMALL)})\b")


class DemoFile(NamedTuple):
    """A file of the demo corpus: front matter and text as written, and the blocks that the loader makes."""

    path: Path
    meta: Mapping[str, object]
    text: str
    blocks: tuple[Block, ...]

    @property
    def collection(self) -> str:
        return str(self.meta.get("collection", ""))


@dataclass
class Report:
    """Problems, numbers of blocks by norm or collection, and how many blocks were compared."""

    problems: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    compared: int = 0


@lru_cache
def real_blocks(boe: Path, norm: str) -> Mapping[str, Block]:
    """The blocks of a norm by their id; empty if the norm is missing."""
    folder = boe / norm
    return {block.id: block for block in load(folder)[0].blocks} if folder.is_dir() else {}


def body(block: Block) -> str:
    """The text of the last version, without its heading."""
    return block.versions[-1].text.removeprefix(block.title).lstrip("\n")


def numbers(text: str) -> set[str]:
    """Figures of a text, in digits or words, as plain digits without ordinals and the number one."""
    digits = alpha2digit(_PER_CENT.sub("%", _APARTADO.sub("", text.lower())), "es")
    digits = _SMALL_WORD.sub(lambda found: _SMALL[found[0]], digits)
    return {found[0] for found in _NUMBER.finditer(_THOUSANDS.sub("", digits))} - {"1"}


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def copied(text: str, real: str) -> Iterator[str]:
    """Runs of `COPIED_RUN` consecutive words that both texts have; rows of tables are facts, not wording."""
    theirs = words(real)
    runs = {tuple(theirs[i : i + COPIED_RUN]) for i in range(len(theirs) - COPIED_RUN + 1)}
    ours = words(_APARTADO.sub("", _ROW.sub("", text)))
    for i in range(len(ours) - COPIED_RUN + 1):
        if tuple(ours[i : i + COPIED_RUN]) in runs:
            yield " ".join(ours[i : i + COPIED_RUN])


def sentences(text: str) -> list[str]:
    """Sentences of a text, without its tables and the numbers of its apartados."""
    prose = _APARTADO.sub("", _ROW.sub("", text))
    return [part for line in prose.splitlines() for part in _SENTENCE_END.split(line) if part]


def check(demo: Path = DEMO, boe: Path | None = BOE) -> Report:
    """Check every file under `demo`; without `boe`, only form and counts."""
    report = Report()
    for path in sorted(demo.rglob("*.md")):
        if path.name == "README.md":
            continue
        try:
            blocks = load(path)[0].blocks
        except InputError as error:
            report.problems.append(f"{path.name}: {error}")
            continue
        written = frontmatter.load(str(path))
        file = DemoFile(path, written.metadata, written.content, blocks)
        problems = [*_form(file), *(_compare(file, boe, report) if boe else ())]
        report.problems.extend(f"{path.name}: {problem}" for problem in problems)
        key = path.stem if file.collection == "normativa" else file.collection
        report.counts[key] += len(file.blocks) if file.collection == "normativa" else 1
    summaries = sum(number for key, number in report.counts.items() if key not in SECTIONS)
    found = report.counts | Counter({"article summaries": summaries})
    for name, minimum in MINIMUM.items():
        if found[name] < minimum:
            report.problems.append(f"{found[name]} {name}, fewer than {minimum}")
    return report


def _form(file: DemoFile) -> Iterator[str]:
    if file.collection not in OWN_FIELDS:
        yield f"the collection «{file.collection}» is unknown"
        return
    if file.collection != file.path.parent.name:
        yield "it is in the folder of another collection"
    required = (*REQUIRED.split(), *OWN_FIELDS[file.collection].split())
    yield from (f"{name} is missing" for name in required if not file.meta.get(name))
    if file.meta.get("official") is not False:
        yield "it must say official: false"
    if file.collection == "normativa":
        if len(_COMMENT.findall(file.text)) != len(file.blocks):
            yield "a comment lacks block, url or valid_from"
        for block in file.blocks:
            yield from (f"{block.title[:30]}: {problem}" for problem in _block_form(block))
    else:
        yield from _section_form(file)


def _block_form(block: Block) -> Iterator[str]:
    questions, keywords = unpacked(block, QUESTIONS), unpacked(block, KEYWORDS)
    if not 3 <= len(questions) <= 4 or not all(q.startswith("¿") and q.endswith("?") for q in questions):
        yield "it needs 3 or 4 questions"
    if not 5 <= len(keywords) <= 8:
        yield "it needs 5 to 8 keywords"
    if any(";" in one for one in (*questions, *keywords)):
        yield "a question or keyword has a semicolon"
    yield from _length(_APARTADO.sub("", body(block)), SUMMARY_WORDS)
    yield from _sentence_form(body(block))


def _section_form(file: DemoFile) -> Iterator[str]:
    if tuple(block.title for block in file.blocks) != SECTIONS[file.collection]:
        yield f"its headings must be {', '.join(SECTIONS[file.collection])}"
    for heading, text in ((block.title, body(block)) for block in file.blocks):
        yield from (f"{heading}: {problem}" for problem in _sentence_form(text))
        if file.collection == "criterios_inss" and not text.startswith(DISCLAIMER):
            yield f"{heading}: it does not begin with «{DISCLAIMER}»"
        if file.collection == "sentencias":
            yield from (f"{heading}: {problem}" for problem in _length(text, JUDGMENT_WORDS))
    number = str(file.meta.get("criterion_number", ""))
    if file.collection == "criterios_inss" and not number.startswith("EJEMPLO "):
        yield "its number must begin with EJEMPLO"
    if file.collection == "criterios_inss" and not str(file.meta.get("state", "")).startswith("Inventado"):
        yield "its state must begin with Inventado"
    place = TERRITORIES.get(str(file.meta.get("court", "")), STATE_LEVEL)
    if file.meta.get("territory") != place:
        yield f"its territory must be {place}"


def _length(text: str, limits: tuple[int, int]) -> Iterator[str]:
    length = len(words(text))
    if not limits[0] <= length <= limits[1]:
        yield f"{length} words, not between {limits[0]} and {limits[1]}"


def _sentence_form(text: str) -> Iterator[str]:
    for sentence in sentences(text):
        if not SENTENCE_CHARS[0] <= len(sentence) <= SENTENCE_CHARS[1]:
            yield f"a sentence of {len(sentence)} characters: «{sentence[:40]}…»"
        if not sentence.endswith((".", "?")):
            yield f"a sentence without an end: «{sentence[:40]}…»"


def _compare(file: DemoFile, boe: Path, report: Report) -> Iterator[str]:
    norm, named = (str(file.meta.get(name) or "") for name in ("source_norm", "source_block"))
    if not norm:
        return
    real = real_blocks(boe, norm)
    report.compared += 1 if named else len(file.blocks)
    if named and named not in real:
        yield f"the block {named} does not exist"
    for block in file.blocks:
        if not named:
            yield from (f"{block.title[:30]}: {p}" for p in _compare_block(block, norm, real))
        elif named in real and block.title == "Criterio":
            yield from _figures(body(block), norm, named, real)


def _compare_block(block: Block, norm: str, real: Mapping[str, Block]) -> Iterator[str]:
    source = real.get(block.id)
    if source is None:
        yield f"the block {block.id} does not exist"
        return
    # A real block may carry its label only; then the heading may add the title.
    bare = re.fullmatch(r"Artículo [\w ]+\.", source.title) is not None
    if block.title != source.title and not (bare and block.title.startswith(source.title)):
        yield f"the real heading is «{source.title}»"
    day = DATES.get((norm, block.id), source.versions[-1].valid_from)
    if block.versions[0].valid_from != day:
        yield f"it is in force since {day}"
    yield from _figures(body(block), norm, block.id, real)
    for run in copied(body(block), source.versions[-1].text):
        yield f"copied: «{run}»"


def _figures(text: str, norm: str, key: str, real: Mapping[str, Block]) -> Iterator[str]:
    known: set[str] = set()
    for block in (key, *RELATED.get((norm, key), ())):
        known |= numbers(real[block].versions[-1].text) | ORDINALS.get((norm, block), frozenset())
    # The number of an article that the norm has is a pointer, not a fact of this one.
    facts = _POINTER.sub(lambda found: "" if f"a{found[1]}" in real else found[0], text)
    for number in sorted(numbers(facts) - known):
        yield f"the figure {number} is not in the article"


def main() -> int:
    boe = BOE if has_norms() else None
    report = check(DEMO, boe)
    lines = [f"{number:4} {name}" for name, number in report.counts.items()]
    lines.append(f"{sum(report.counts.values()):4} in all, {report.compared} compared with the real wording")
    print("\n".join([*lines, *(f"- {problem}" for problem in report.problems)]))
    return 1 if report.problems else 0
