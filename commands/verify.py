"""`verify ANSWER.json`: the quotations of a stored answer, checked again against the corpus."""

import argparse
import sys
from pathlib import Path
from typing import Any

from commands import output
from commands.engine import Engine
from commands.output import one_line
from core.errors import InputError
from rag.answers.recheck import Recheck
from service.contract.program import dumped
from service.contract.verification import StoredAnswer

MOST_BYTES = 20_000_000
NOT_AN_ANSWER = "{name} no es la salida de «ask --json»: guárdela con «python cli.py ask … --json > {name}»."


def verify_answer(engine: Engine, options: argparse.Namespace) -> int:
    """Print each quotation with its wording and what the check gives; 1 if any is not as it was."""
    document = engine.verify(dumped(_read(options.answer)))
    output.emit(options.json, document, _print)
    return 0 if document["verified"] else 1


def _read(path: Path) -> StoredAnswer:
    """The answer of a file or, for «-», of standard input. Raises InputError."""
    name = str(path)
    try:
        if name != "-" and path.stat().st_size > MOST_BYTES:
            raise InputError(NOT_AN_ANSWER.format(name=name))
        text = sys.stdin.read(MOST_BYTES) if name == "-" else path.read_text("utf-8")
        return StoredAnswer.model_validate_json(text)
    except OSError as error:
        raise InputError(f"{name} no se puede leer ({error.strerror}): compruebe la ruta.") from None
    except ValueError:
        raise InputError(NOT_AN_ANSWER.format(name=name)) from None


def _print(document: dict[str, Any]) -> str:
    lines = []
    for one in document["citations"]:
        mark = "✔" if one["outcome"] == Recheck.SAME else "✘"
        lines.append(f"{mark} [{one_line(one['marker'])}] {one_line(one['source'])}: {one['outcome']}")
        lines.append(f"     «{one_line(one['quote'])}»")
        facts = (
            one_line(one["norm_id"]),
            f"redacción desde {one['valid_from'] or '—'}",
            f"SHA-256 {one['found_sha256'] or '—'}",
        )
        lines.append(f"     {' · '.join(facts)}")
    lines += [
        f"✘ Entre comillas y en ninguna de las redacciones citadas: «{one_line(text)}»"
        for text in document["false_marks"]
    ]
    return "\n".join(lines) or "La respuesta no tiene citas."
