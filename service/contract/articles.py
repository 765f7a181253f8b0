"""Norms, articles on a day, and two wordings of an article compared: `norms`, `article`, `diff`."""

from datetime import date
from typing import Annotated

from pydantic import AfterValidator, Field

from core.clock import today_in_spain
from core.errors import InputError, NotFound
from core.values import Value
from law.dates import spelled
from law.diff import Run, render
from law.diff import diff as compare
from law.norms import Block, BlockVersion, Norm, dated, sha256_of
from law.short_reference import lookup
from law.validity import state_of_block, state_of_norm
from loading.chunking.chunk import block_url
from service.contract.program import Name, Program

HOW = "escríbalo como «art. 48 ET» o «da 3 LGSS»"
LONGEST_REFERENCE = 300
Reference = Annotated[str, Field(max_length=LONGEST_REFERENCE)]
MOST_NORMS, MOST_OFFSET = 500, 10_000_000
Offset = Annotated[int, Field(ge=0, le=MOST_OFFSET)]
Limit = Annotated[int, Field(ge=1, le=MOST_NORMS)]
AsOf = Annotated[date | None, Field(description="Normativa vigente ese día; hoy, si falta.")]

Since = Annotated[date | None, AfterValidator(dated)]
"""The first day of a wording; null where it is not known."""


class NormDocument(Value):
    """A norm of the corpus; `state`: in words, today."""

    norm_id: str
    law: str
    title: str
    collection: str
    rank: str
    territory: str
    published: date | None
    valid_from: date | None
    repealed_on: date | None
    state: str
    official: bool
    url: str


class NormsDocument(Value):
    """A page of the norms, by id; `total` of all pages."""

    norms: tuple[NormDocument, ...]
    total: int
    offset: int
    limit: int


class WordingDocument(Value):
    """The days of a wording, and the norm that gave it."""

    valid_from: Since
    valid_to: date | None
    amended_by: str | None


class ArticleDocument(Value):
    """An article as it read on a day.

    Attributes:
        path: headings above it, outermost first.
        state: of the article, in words, on that day.
        wording_sha256: SHA-256 (hex) of `text` in UTF-8: what citations name.
        versions: all wordings, the oldest first.
    """

    norm_id: str
    block_id: str
    article: str
    law: str
    title: str
    path: tuple[str, ...]
    as_of: date
    state: str
    valid_from: Since
    valid_to: date | None
    amended_by: str | None
    text: str
    wording_sha256: str
    official: bool
    url: str
    versions: tuple[WordingDocument, ...]


class DiffRequest(Value):
    """Two days of an article; None: the wording before the other one, and that of today."""

    article: Reference
    since: date | None = Field(default=None, alias="from")
    until: date | None = Field(default=None, alias="to")


class DiffDocument(Value):
    """Two wordings of an article and the runs of text that make them."""

    norm_id: str
    block_id: str
    article: str
    law: str
    title: str
    state: str
    changed: bool
    before: WordingDocument | None = Field(serialization_alias="from")
    after: WordingDocument | None = Field(serialization_alias="to")
    runs: tuple[Run, ...]
    text: str
    versions: tuple[WordingDocument, ...]


def norms(program: Program, offset: Offset = 0, limit: Limit = 100) -> NormsDocument:
    """A page of the norms of the corpus."""
    found, today = sorted(program.database.corpus.norms(), key=lambda norm: norm.id), today_in_spain()
    shown = tuple(_norm(norm, today) for norm in found[offset : offset + limit])
    return NormsDocument(norms=shown, total=len(found), offset=offset, limit=limit)


def norm(program: Program, norm_id: Name) -> NormDocument:
    """A norm by its id. Raises NotFound."""
    return _norm(known_norm(program, norm_id), today_in_spain())


def article(program: Program, reference: Reference, as_of: AsOf = None) -> ArticleDocument:
    """The article that «art. 48 ET» names, on a day; today if None. Raises InputError, NotFound."""
    return _on(*named(program, reference), as_of)


def article_of(program: Program, norm_id: Name, label: Name, as_of: AsOf = None) -> ArticleDocument:
    """An article by norm id and label («48 bis», «da 3») or block id, on a day. Raises NotFound."""
    return _on(*known_block(program, norm_id, label), as_of)


def diff(program: Program, request: DiffRequest) -> DiffDocument:
    """The wordings of two days, or the wording in force and the one before it.

    Raises:
        InputError: the text names no article, or the days are the wrong way round.
        NotFound: the corpus does not have it, or had no wording of it on one of the days.
    """
    norm, block = named(program, request.article)
    since, until, today = request.since, request.until, today_in_spain()
    if since and until and since > until:
        raise InputError("La primera fecha debe ser anterior a la segunda.")
    found = compare(norm.id, block, since, until, today)
    for day, version in ((since, found.before), (until, found.after)):
        if day and version is None:
            raise _no_wording(norm, block, day)
    return DiffDocument(
        norm_id=norm.id,
        block_id=block.id,
        article=block.label,
        law=norm.law,
        title=block.title,
        state=str(state_of_block(block, today)),
        changed=found.changed,
        before=_wording(found.before),
        after=_wording(found.after),
        runs=found.runs,
        text=render(found.runs),
        versions=_wordings(block),
    )


def named(program: Program, text: str) -> tuple[Norm, Block]:
    """The norm and block that «41 ET» names; the later of two with one label (a decree and what it approves).

    Raises:
        InputError: the text does not name an article of a known norm.
        NotFound: the corpus does not have it.
    """
    found = lookup(text, program.holdings.catalogue())
    if found is None or not (found.norm_id and found.label):
        raise InputError(f"«{text[:80]}» no nombra un artículo de una norma conocida: {HOW}.")
    return known_block(program, found.norm_id, found.label)


def known_block(program: Program, norm_id: str, label: str) -> tuple[Norm, Block]:
    """An article by the label or the id of its block, the later of two with one label. Raises NotFound."""
    norm = known_norm(program, norm_id)
    labelled = [
        block for block in program.database.corpus.blocks(norm.id) if label in (block.label, block.id)
    ]
    block = program.database.corpus.block(norm.id, labelled[-1].id) if labelled else None
    if block is None or not block.versions:
        raise NotFound(f"{norm.law} no tiene «{label[:80]}» en el corpus: compruebe el número.")
    return norm, block


def known_norm(program: Program, norm_id: str) -> Norm:
    """A norm by its id. Raises NotFound."""
    norm = program.database.corpus.norm(norm_id)
    if norm is None:
        raise NotFound(f"{norm_id[:80]} no está en el corpus; añádala con «boe add {norm_id[:80]}».")
    return norm


def _on(norm: Norm, block: Block, as_of: date | None) -> ArticleDocument:
    day = as_of or today_in_spain()
    version = block.wording_on(day)
    if version is None:
        raise _no_wording(norm, block, day)
    return ArticleDocument(
        norm_id=norm.id,
        block_id=block.id,
        article=block.label,
        law=norm.law,
        title=block.title,
        path=block.path,
        as_of=day,
        state=str(state_of_block(block, day)),
        valid_from=version.valid_from,
        valid_to=version.valid_to,
        amended_by=version.amended_by,
        text=version.text,
        wording_sha256=sha256_of(version),
        official=norm.official,
        url=block.attributes.get("url") or block_url(norm, block.id),
        versions=_wordings(block),
    )


def _no_wording(norm: Norm, block: Block, day: date) -> NotFound:
    named = f"{block.title.split('.')[0] or block.label} de {norm.name}"
    return NotFound(f"{named} no tiene redacción el {spelled(day)}: {state_of_block(block, day)}.")


def _norm(norm: Norm, today: date) -> NormDocument:
    names = NormDocument.model_fields.keys() & Norm.model_fields.keys()
    facts = {name: getattr(norm, name) for name in names}
    return NormDocument(norm_id=norm.id, state=str(state_of_norm(norm, today)), **facts)


def _wordings(block: Block) -> tuple[WordingDocument, ...]:
    return tuple(made for version in block.versions if (made := _wording(version)))


def _wording(version: BlockVersion | None) -> WordingDocument | None:
    if version is None:
        return None
    return WordingDocument(**version.model_dump(include=set(WordingDocument.model_fields)))
