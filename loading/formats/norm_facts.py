"""Facts from the head of a norm's text: title, rank, number, dates, department, BOE identifier."""

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from law import dates
from law.agreement_names import RANK as AGREEMENT
from law.boe_links import consolidated
from law.labels import MONTHS, fold
from law.norm_names import NormCatalogue
from law.norms import Norm
from lexicon.usual_names import known_norm, known_norms
from loading.formats import entry_into_force, generated_ids, headings
from loading.formats.broken_lines import Paragraph

HEAD = 80
MAX_TITLE = 900
MAX_PLAIN_TITLE = 200
MAX_FURNITURE = 100
"""Characters of a line over the title of a norm."""

RANKS = (
    "Ley Orgánica", "Real Decreto Legislativo", "Real Decreto-ley", "Decreto-ley", "Decreto Legislativo",
    "Decreto Foral", "Real Decreto", "Decreto", "Ley Foral", "Ley", "Orden", "Resolución", "Instrucción",
    "Circular", "Acuerdo", "Reglamento", "Directiva",
)  # fmt: skip
CONSTITUTION = "Constitución"
_BY_RANK = {fold(rank).replace("-", " "): rank for rank in RANKS}
_MONTH = "|".join(MONTHS)
_TITLE = re.compile(
    rf"(?:\d{{3,6}} )?(?P<rank>{'|'.join(fold(rank).replace('-', '[- ]') for rank in RANKS)})"
    rf"(?: (?:num\.? |n\.?o )?(?P<number>(?:[a-z]{{2,4}}/)?\d{{1,5}}/\d{{4}}))?"
    rf",? de (?P<day>\d{{1,2}}) de (?P<month>{_MONTH})(?: del? (?P<year>\d{{4}}))?"
    r"(?=[,.]|$| (?:de|por|sobre|que)\b)"
)
_CONSTITUTION = re.compile(r"constitucion espanola(?:\.|$|,? de 1978)")
_VERB = re.compile(
    r"(?<!que se )\b(?:establece|regula)\b"
    r"|\b(?:dispone|señala|prevé|modificó|aprobó|derogó|derogada|derogado)\b"
)
REFERENCE = re.compile(r"Referencia:\s*(BOE-[A-Z]-\d{4}-\d{1,6}|DO[A-Z]{1,3}-[\w-]+)\.?")
_JOURNAL = re.compile(
    r"(?:Publicado en: )?«?(?:BOE|DOCE|DOUE|BO[A-Z]{1,3})»?,? n[úu]m(?:ero|\.)?\s*\d+.*", re.IGNORECASE
)
_UPDATED = re.compile(
    r"[ÚU]ltima (?:modificaci[óo]n|actualizaci[óo]n)(?: publicada el)?:?\s*(?P<day>.+)", re.IGNORECASE
)
_NOISE = re.compile(
    r"TEXTO CONSOLIDADO|Texto consolidado|TEXTO ORIGINAL|§\s*\d+|I{1,3}\. .{0,60}|\d{3,6}"
    r"|Norma derogada.{0,120}|Sin modificaciones"
)


class Facts(NamedTuple):
    """The norm that a text introduces, and its paragraphs.

    Attributes:
        body: the paragraphs that are text of the norm.
        named: True if a title with rank and date was read, so that one article is enough for a norm.
    """

    norm: Norm
    body: list[Paragraph]
    named: bool


class Title(NamedTuple):
    """A title read: 'Ley', '4/2031', the day it was passed."""

    rank: str
    number: str
    day: date | None


def title(text: str) -> Title | None:
    """The parts of a paragraph that is the title of a norm; None for a sentence that only begins with one."""
    if len(text) > MAX_TITLE or not (text[:1].isupper() or text[:1].isdigit()):
        return None
    folded = fold(text)
    if _CONSTITUTION.match(folded):
        return Title(CONSTITUTION, "", None)
    found = _TITLE.match(folded)
    if found is None or _VERB.search(text[found.end() : found.end() + 60]):
        return None
    year = found.group("year") or (found.group("number") or "").rpartition("/")[2]
    day = dates.parse(f"{found.group('day')} de {found.group('month')} de {year}") if year else None
    number = text[found.start("number") : found.end("number")] if found.group("number") else ""
    return Title(_BY_RANK[found.group("rank").replace("-", " ")], number, day)


def rank_named(text: str) -> str:
    """'Real Decreto' of 'real_decreto'; a text that is no rank of ours as it is."""
    said = fold(text).replace("-", " ").replace("_", " ")
    return _BY_RANK.get(said) or (CONSTITUTION if said == fold(CONSTITUTION) else text)


def is_rank(rank: str) -> bool:
    """True for a rank as the BOE writes it; «Orden Foral» and the like begin with one of these."""
    return any(f"{rank} ".startswith(f"{known} ") for known in (*RANKS, CONSTITUTION, AGREEMENT))


def is_journal(text: str) -> bool:
    """True if a line gives the journal of publication: «BOE» núm. 255, de 24 de octubre de 2015."""
    return _JOURNAL.fullmatch(text) is not None


def describe(
    paragraphs: Sequence[Paragraph],
    name: str,
    collection: str,
    reference: str = "",
    published: date | None = None,
) -> Facts:
    """The norm as its text introduces it; it is in force from the day that its journal and its text give.

    Args:
        name: of the file, for a text that does not say.
        published: day that the pages of a journal have over their text.
    """
    limit = next(
        (i for i, p in enumerate(paragraphs[:HEAD]) if headings.starts(p.text)), min(len(paragraphs), HEAD)
    )
    head = paragraphs[:limit]
    at = title_place(head)
    found = title(head[at].text) if at is not None else None
    name_at = at if at is not None else _plain_title(head)
    text = re.sub(r"^\d{3,6} ", "", head[name_at].text) if name_at is not None else file_name_words(name)
    used = {name_at} if name_at is not None else set()
    facts = _head_facts(head, used, name_at)
    boe = facts.get("reference") or reference
    norm = _norm(text, found, {**facts, "reference": boe}, name, collection)
    if day := dates.parse(facts.get("published", "")) or published:
        since = entry_into_force.of_norm(paragraphs, day) or day
        norm = norm.model_copy(update={"published": day, "valid_from": since})
    return Facts(norm, [p for i, p in enumerate(paragraphs) if i not in used], found is not None)


def title_place(head: Sequence[Paragraph]) -> int | None:
    """Index of the title of a norm, with no prose before it: a claim or a letter names laws further down."""
    for place, paragraph in enumerate(head):
        if title(paragraph.text):
            return place
        if len(paragraph.text) > MAX_FURNITURE and not (paragraph.heading or _is_no_title(paragraph.text)):
            return None
    return None


def _head_facts(head: Sequence[Paragraph], used: set[int], title_at: int | None) -> dict[str, str]:
    """Reference, publication, last change and department; the places of their lines are added to `used`."""
    facts: dict[str, str] = {}
    for place, paragraph in enumerate(head):
        text = paragraph.text
        if place in used:
            continue
        if found := REFERENCE.fullmatch(text):
            facts["reference"] = found.group(1)
        elif is_journal(text):
            facts["published"] = text
            between = place - 1
            if title_at is not None and between == title_at + 1 and len(head[between].text) < MAX_PLAIN_TITLE:
                facts["department"] = head[between].text
                used.add(between)
        elif found := _UPDATED.fullmatch(text):
            facts["updated"] = found.group("day").rstrip(".")
        elif not _NOISE.fullmatch(text):
            continue
        used.add(place)
    return facts


def _norm(text: str, found: Title | None, facts: dict[str, str], name: str, collection: str) -> Norm:
    named = _catalogue().at(fold(text), 0) if found else None
    known_id = facts["reference"] or (named.norm_id if named else None)
    known = known_norm(known_id) if known_id else None
    passed = found.day if found else None
    rank, number = (found.rank, found.number) if found else ("", "")
    plain = text.rstrip(". ")
    updated = dates.parse(facts.get("updated", ""))
    return Norm(
        id=known_id or _own_id(plain, found is not None, name),
        collection=collection,
        title=plain,
        law=known.law if known else f"{rank} {number}" if number else plain,
        alias=known.alias if known else "",
        aliases=known.aliases if known else (),
        rank=rank,
        number=number,
        department=facts.get("department", ""),
        published=passed,
        valid_from=passed,
        url=consolidated(known_id) if known_id and known_id.startswith("BOE-") else "",
        extra={
            **(known.extra if known else {}),
            **({"ultima_modificacion": updated.isoformat()} if updated else {}),
        },
    )


def _own_id(text: str, named: bool, name: str) -> str:
    stem = name.rpartition(".")[0] or name
    return generated_ids.slug(text if named or not stem else stem, generated_ids.NORM_LENGTH)


@lru_cache(maxsize=1)
def _catalogue() -> NormCatalogue:
    return NormCatalogue(known_norms())


def _plain_title(head: Sequence[Paragraph]) -> int | None:
    """Index of the top heading that the format marks, else of the first paragraph that could be a title."""
    marked = [i for i, p in enumerate(head) if p.heading]
    if marked:
        return min(marked, key=lambda i: (head[i].heading, i))
    first = next((i for i, p in enumerate(head) if not _is_no_title(p.text)), None)
    return first if first is not None and len(head[first].text) <= MAX_PLAIN_TITLE else None


def _is_no_title(text: str) -> bool:
    return bool(
        REFERENCE.fullmatch(text) or is_journal(text) or _NOISE.fullmatch(text) or headings.is_delimiter(text)
    )


def file_name_words(name: str) -> str:
    """The words of a file's name, without its suffix."""
    stem = name.rpartition(".")[0] or name
    return " ".join(re.split(r"[\s_]+", stem)).strip() or "Documento"


def without_articles(norm: Norm, paragraphs: Sequence[Paragraph], name: str) -> Norm:
    """The norm of a text without articles: a text that only begins with a law's title is not that law."""
    if any(REFERENCE.fullmatch(p.text) for p in paragraphs[:HEAD]):
        return norm
    return norm.model_copy(
        update={
            "id": _own_id(norm.title, not name, name),
            "law": norm.title,
            "alias": "",
            "aliases": (),
            "url": "",
        }
    )
