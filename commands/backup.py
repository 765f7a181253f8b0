"""Backup and restore of the whole installation."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType

from commands import output
from service.backup import backup as backups
from service.backup.archive import Manifest
from service.program import assembly

NEXT = "\nAhora ejecute «python cli.py reindex»: el índice se hace de nuevo a partir de la base de datos."

SKIPPED = {
    "watches": "vigilancias de preguntas, que el programa ya no repite por sí mismo",
    "question_news": "diferencias halladas al repetir esas preguntas",
    "digests": "envíos a un webhook, que ya no se hacen",
}
"""Rows that have no place now (`storage.former`), by their table."""


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
    manifest, skipped = backups.restore(program.database.engines, program.home, options.file)
    _tell(manifest, options, "Restaurada la copia", NEXT, skipped)


def _tell(
    manifest: Manifest,
    options: argparse.Namespace,
    title: str,
    after: str = "",
    skipped: Mapping[str, int] = MappingProxyType({}),
) -> None:
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
        "skipped": dict(skipped),
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
    lines += [f"No restaurado ({count}): {SKIPPED[table]}" for table, count in document["skipped"].items()]
    lines += [f"No copiado (enlace o nombre no portable): {path}" for path in document["left_out"]]
    return "\n".join(lines)
