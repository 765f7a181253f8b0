"""Texts that are no law: claims, letters, drafts, templates, notes. Pure functions.

A norm says at its head what it is, with rank and day, or that it is an agreement; a statute has articles too.
A text that does not is a paper, whatever law it names, and so is one that calls itself a draft.
"""

import re
from collections.abc import Sequence

from law.decisions import PAPERS
from law.labels import fold
from law.norms import Norm
from loading.formats import generated_ids
from loading.formats.broken_lines import Paragraph
from loading.formats.norm_facts import CONSTITUTION, REFERENCE, file_name_words, title, title_place

PAPER, DRAFT = "Documento", "Borrador"
"""Ranks of papers, which those who read them see."""
STATUTES = frozenset({
    "Ley Orgánica", "Real Decreto Legislativo", "Real Decreto-ley", "Decreto-ley", "Decreto Legislativo",
    "Decreto Foral", "Real Decreto", "Decreto", "Ley Foral", "Ley", CONSTITUTION,
})  # fmt: skip
"""Ranks of norms that are divided into articles."""
HEAD, LINE = 12, 80
_DRAFT = (
    r"\b(?:borrador(?:es)?|anteproyecto|draft"
    r"|(?:documento|version|texto) (?:de trabajo|provisional|preliminar)"
    r"|sin valor (?:oficial|juridico)|pendiente de (?:firma|aprobacion|publicacion))\b"
)
_SAYS_DRAFT = re.compile(_DRAFT)
_BEGINS_AS_DRAFT = re.compile(
    rf"\W*(?:{_DRAFT}|(?:proyecto|propuesta) de (?:ley|real|decreto|orden|convenio)\b)"
)


def is_draft(paragraphs: Sequence[Paragraph], name: str) -> bool:
    """True if a short line at the head of a text, or its file's name, calls it a draft."""
    lines = [fold(one.text) for one in paragraphs[:HEAD]]
    said = any(
        _BEGINS_AS_DRAFT.match(line) or (len(line) <= LINE and _SAYS_DRAFT.search(line)) for line in lines
    )
    return said or _SAYS_DRAFT.search(fold(re.sub(r"[\W_]+", " ", name))) is not None


def is_norm(norm: Norm, paragraphs: Sequence[Paragraph], *, divided: bool) -> bool:
    """True for a text that shows at its head that it is a norm.

    Args:
        divided: it has articles.
    """
    if any(REFERENCE.fullmatch(one.text) for one in paragraphs[:HEAD]):
        return True
    place = None if norm.rank else title_place(paragraphs[:HEAD])
    found = title(paragraphs[place].text) if place is not None else None
    rank = found.rank if found else norm.rank
    return bool(rank) and (divided or rank not in STATUTES)


def recognised(norm: Norm, paragraphs: Sequence[Paragraph], name: str, *, divided: bool) -> Norm:
    """The norm, or a paper in its place unless it is shown to be one and no draft."""
    draft = is_draft(paragraphs, name)
    known = not draft and is_norm(norm, paragraphs, divided=divided)
    return norm if known else as_paper(norm, name, draft=draft)


def as_paper(norm: Norm, name: str, *, draft: bool) -> Norm:
    """The norm as a paper, under an identifier of its own: a draft of a law is not that law."""
    mark = f" ({DRAFT.lower()})" if draft else ""
    own = f"{file_name_words(name) if name else norm.title}{mark}"
    return Norm(
        id=norm.id if not (draft or norm.rank) else generated_ids.slug(own, generated_ids.NORM_LENGTH),
        collection=PAPERS,
        title=f"{norm.title}{mark}",
        law=f"{norm.title}{mark}",
        rank=DRAFT if draft else PAPER,
        territory=norm.territory,
        published=norm.published,
        valid_from=norm.valid_from,
    )
