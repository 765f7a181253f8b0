"""Backup and restore of the whole installation."""

from __future__ import annotations

import argparse

import bootstrap
from commands import output
from service.backup import backup as backups
from service.backup.archive import Manifest

NEXT = "Ahora ejecute «python cli.py reindex»: el índice se hace de nuevo a partir de la base de datos."


def backup(program: bootstrap.App, options: argparse.Namespace) -> None:
    """Write a backup while the program may run."""
    made = backups.backup(
        program.database.engines, program.home, options.file, vectors=not options.without_vectors
    )
    output.emit(options.json, _document(made, options), lambda document: _readable(document, "Copia hecha"))


def restore(program: bootstrap.App, options: argparse.Namespace) -> None:
    """Read a backup into an empty installation."""
    found = backups.restore(program.database.engines, program.home, options.file)
    output.emit(
        options.json,
        _document(found, options),
        lambda document: f"{_readable(document, 'Restaurada la copia')}\n{NEXT}",
    )


def verify(options: argparse.Namespace) -> None:
    """`restore --verify-only`: read the backup and open nothing else, so no program is needed."""
    found = backups.verify(options.file)
    output.emit(
        options.json, _document(found, options), lambda document: _readable(document, "Copia íntegra")
    )


def _document(manifest: Manifest, options: argparse.Namespace) -> output.Json:
    facts = manifest.model_dump(
        mode="json", include={"created_at", "program", "database", "revision", "vectors"}
    )
    return {
        "file": str(options.file),
        "bytes": options.file.stat().st_size,
        **facts,
        "tables": dict(manifest.tables),
        "files": len(manifest.files),
        "left_out": list(manifest.left_out),
    }


def _readable(document: output.Json, title: str) -> str:
    rows = sum(document["tables"].values())
    lines = [
        f"{title}: {document['file']} ({document['bytes'] / 1e6:.1f} MB)",
        f"{rows} filas de {len(document['tables'])} tablas y {document['files']} archivos, "
        f"de {document['created_at']} (esquema {document['revision']}, programa {document['program']})",
    ]
    if not document["vectors"]:
        lines.append("Sin vectores: habrá que calcularlos de nuevo.")
    lines += [f"No copiado (enlace o nombre no portable): {path}" for path in document["left_out"]]
    return "\n".join(lines)
