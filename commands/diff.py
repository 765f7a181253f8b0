"""Two wordings of an article: `diff "art. 48 ET" --from 2019-01-01`."""

import argparse
from datetime import date
from typing import Any

import bootstrap
from commands import output
from commands.common import ensure_corpus
from rag.clock import today_in_spain
from rag.errors import InputError, NotFound
from rag.law import references
from rag.law.dates import spelled
from rag.law.diff import BlockDiff, render
from rag.law.diff import diff as compare
from rag.law.validity import state_of_block
from rag.types import Block, BlockVersion, Norm, dated

HOW = "escríbalo como «art. 48 ET» o «da 3 LGSS»"


def diff(program: bootstrap.App, options: argparse.Namespace) -> None:
    """Compare the wordings of two days, or the wording in force with the one before it."""
    ensure_corpus(program)
    norm, block = _find(program, options.article)
    since, until, today = options.since, options.until, today_in_spain()
    if since and until and since > until:
        raise InputError("--from debe ser anterior a --to.")
    found = compare(norm.id, block, since, until, today)
    for day, version in ((since, found.before), (until, found.after)):
        if day and version is None:
            state = state_of_block(block, day)
            raise InputError(f"{_name(norm, block)} no tiene redacción el {spelled(day)}: {state}.")
    output.emit(options.json, _document(norm, block, found, today), _print)


def _find(program: bootstrap.App, text: str) -> tuple[Norm, Block]:
    """The block that a reference names; the later of two with one label (a decree and the text it approves).

    Raises:
        InputError: the text does not name an article of a known norm.
        NotFound: the corpus does not have it.
    """
    found = references.resolve(references.find(text), program.catalogue())
    named = next((one for one in found if one.norm_id and one.label), None)
    if named is None or named.norm_id is None:
        raise InputError(f"«{text[:80]}» no nombra un artículo de una norma conocida: {HOW}.")
    norm = program.corpus.norm(named.norm_id)
    if norm is None:
        raise NotFound(f"{named.norm_id} no está en el corpus; añádala con «boe add {named.norm_id}».")
    labelled = [block for block in program.corpus.blocks(norm.id) if block.label == named.label]
    block = program.corpus.block(norm.id, labelled[-1].id) if labelled else None
    if block is None or not block.versions:
        raise NotFound(f"{norm.law} no tiene «{named.label}» en el corpus: compruebe el número.")
    return norm, block


def _document(norm: Norm, block: Block, found: BlockDiff, today: date) -> dict[str, Any]:
    return {
        "norm_id": norm.id,
        "block_id": block.id,
        "article": block.label,
        "law": norm.law,
        "title": block.title,
        "state": str(state_of_block(block, today)),
        "changed": found.changed,
        "from": _wording(found.before),
        "to": _wording(found.after),
        "runs": [run.model_dump(mode="json") for run in found.runs],
        "text": render(found.runs),
        "versions": [_wording(version) for version in block.versions],
    }


def _wording(version: BlockVersion | None) -> dict[str, Any] | None:
    return (
        version.model_dump(mode="json", include={"valid_from", "valid_to", "amended_by"}) if version else None
    )


def _print(document: dict[str, Any]) -> str:
    """The days of both wordings, then the text with [-removed-] and {+added+} words."""
    lines = [f"{document['law']} · {document['title']} ({document['state']})"]
    for name, side in (("De", document["from"]), ("A ", document["to"])):
        lines.append(f"{name}: {_days(side) if side else 'sin redacción'}")
    if not document["changed"]:
        lines.append("Sin cambios.")
    return "\n".join([*lines, "", document["text"]])


def _days(wording: dict[str, Any]) -> str:
    until = f" hasta el {spelled(date.fromisoformat(wording['valid_to']))}" if wording["valid_to"] else ""
    by = f" ({wording['amended_by']})" if wording["amended_by"] else ""
    start = dated(date.fromisoformat(wording["valid_from"]))
    return f"redacción {f'vigente desde el {spelled(start)}' if start else 'sin fecha'}{until}{by}"


def _name(norm: Norm, block: Block) -> str:
    return f"{block.title.split('.')[0] or block.label} de {norm.alias or norm.law}"
