"""`verify ANSWER.json`: the quotations of a stored answer, checked again against the corpus."""

import argparse
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import bootstrap
from commands import output
from commands.common import ensure_corpus
from rag.answers.recheck import Outcome, false_marks, recheck
from rag.errors import InputError
from rag.text.textnorm import visible
from rag.types import Answer

MOST_BYTES = 20_000_000
FIELDS = ("answer", "citations", "sources", "parts")
NOT_AN_ANSWER = "{name} no es la salida de «ask --json»: guárdela con «python cli.py ask … --json > {name}»."


def verify_answer(program: bootstrap.App, options: argparse.Namespace) -> int:
    """Print each quotation with its wording and what the check gives; 1 if any is not as it was."""
    answer = _read(options.answer)
    ensure_corpus(program)
    block = cache(program.corpus.block)
    done = recheck(answer.citations, block)
    false = false_marks(answer, block)
    document = {
        "verified": bool(done) and not false and all(one.outcome is Outcome.SAME for one in done),
        "false_marks": false,
        "citations": [
            one.citation.model_dump(
                mode="json",
                include={"marker", "quote", "source", "norm_id", "block_id", "article", "valid_from"},
            )
            | {
                "outcome": one.outcome.value,
                "wording_sha256": one.citation.wording_sha256,
                "found_sha256": one.found_sha256,
            }
            for one in done
        ],
    }
    output.emit(options.json, document, _print)
    return 0 if document["verified"] else 1


def _read(path: Path) -> Answer:
    """The answer of a file or, for «-», of standard input. Raises InputError."""
    name = str(path)
    try:
        if name != "-" and path.stat().st_size > MOST_BYTES:
            raise InputError(NOT_AN_ANSWER.format(name=name))
        text = sys.stdin.read(MOST_BYTES) if name == "-" else path.read_text("utf-8")
        document = json.loads(text)
        return Answer.model_validate({field: document[field] for field in FIELDS if field in document})
    except OSError as error:
        raise InputError(f"{name} no se puede leer ({error.strerror}): compruebe la ruta.") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(NOT_AN_ANSWER.format(name=name)) from None


def _shown(text: str) -> str:
    """A text of the file on one line: what it says may not look like a result of the check."""
    return " ".join(visible(text).split())


def _print(document: dict[str, Any]) -> str:
    lines = []
    for one in document["citations"]:
        mark = "✔" if one["outcome"] == Outcome.SAME else "✘"
        lines.append(f"{mark} [{_shown(one['marker'])}] {_shown(one['source'])}: {one['outcome']}")
        lines.append(f"     «{_shown(one['quote'])}»")
        facts = (
            _shown(one["norm_id"]),
            f"redacción desde {one['valid_from']}",
            f"SHA-256 {one['found_sha256'] or '—'}",
        )
        lines.append(f"     {' · '.join(facts)}")
    lines += [
        f"✘ Entre comillas y en ninguna de las redacciones citadas: «{_shown(text)}»"
        for text in document["false_marks"]
    ]
    return "\n".join(lines) or "La respuesta no tiene citas."
