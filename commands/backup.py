"""Backup and restore of the whole installation."""

import argparse

from commands import output
from service.backup import backup as backups
from service.backup.archive import Manifest
from service.program import assembly

NEXT = "\nAhora ejecute «python cli.py reindex»: el índice se hace de nuevo a partir de la base de datos."


def backup(program: assembly.App, options: argparse.Namespace) -> None:
    """Write a backup while the program may run."""
    vectors = not options.without_vectors
    made = backups.backup(program.database.engines, program.home, options.file, vectors=vectors)
    _tell(made, options, "Copia hecha")


def restore(program: assembly.App | None, options: argparse.Namespace) -> None:
    """Read a backup into an empty installation; without a program, only read it."""
    if program is None:
        _tell(backups.verify(options.file), options, "Copia íntegra")
        return
    found = backups.restore(program.database.engines, program.home, options.file)
    _tell(found, options, "Restaurada la copia", NEXT)


def _tell(manifest: Manifest, options: argparse.Namespace, title: str, after: str = "") -> None:
    facts = manifest.model_dump(
        mode="json",
        include={"created_at", "program", "database", "revision", "vectors", "audit_head", "left_out"},
    )
    document = {
        "file": str(options.file),
        "bytes": options.file.stat().st_size,
        **facts,
        "tables": dict(manifest.tables),
        "files": len(manifest.files),
    }
    output.emit(options.json, document, lambda found: _readable(found, title) + after)


def _readable(document: output.Json, title: str) -> str:
    rows = sum(document["tables"].values())
    lines = [
        f"{title}: {document['file']} ({document['bytes'] / 1e6:.1f} MB)",
        f"{rows} filas de {len(document['tables'])} tablas y {document['files']} archivos, "
        f"de {document['created_at']} (esquema {document['revision']}, programa {document['program']})",
    ]
    if not document["vectors"]:
        lines.append("Sin vectores: habrá que calcularlos de nuevo.")
    if document["audit_head"]:
        lines.append(f"Cabeza del registro de auditoría: {document['audit_head']}")
    lines += [f"No copiado (enlace o nombre no portable): {path}" for path in document["left_out"]]
    return "\n".join(lines)
