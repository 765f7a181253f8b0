"""Loading documents and keeping database and index in step: `ingest`, `demo`, `reindex`, `doctor`."""

from __future__ import annotations

import argparse
import time

import bootstrap
from commands import output
from rag.errors import InputError


def ingest(program: bootstrap.App, options: argparse.Namespace) -> int:
    """Load files and folders, and index them."""
    program.check_collection(options.collection)
    clock = time.perf_counter()
    progress = output.Progress()
    report, index = program.ingest(
        options.paths, options.collection, dense=not options.lexical_only, on_progress=progress
    )
    progress.close()
    elapsed = time.perf_counter() - clock
    output.emit(options.json, output.ingestion_document(report, index, elapsed), output.print_ingestion)
    if report.failures and not report.documents:
        raise InputError(f"No ha entrado nada: {report.failures[0].reason}")
    return 0


def demo(program: bootstrap.App, options: argparse.Namespace) -> int:
    """Load the demo corpus."""
    progress = output.Progress()
    program.load_demo(on_progress=progress)
    progress.close()
    output.emit(options.json, program.corpus.counts().model_dump(), output.print_pairs)
    return 0


def reindex(program: bootstrap.App, options: argparse.Namespace) -> int:
    """Rebuild the index from the database."""
    progress = output.Progress()
    report = program.reindex(on_progress=progress)
    progress.close()
    output.emit(options.json, report.model_dump(), output.print_pairs)
    return 0


def doctor(program: bootstrap.App, options: argparse.Namespace) -> int:
    """Check the installation; 1 when something is wrong and was not mended."""
    progress = output.Progress()
    findings = program.doctor(mend=options.mend, on_progress=progress)
    progress.close()
    output.emit(options.json, findings, output.print_doctor)
    return 0 if findings["healthy"] else 1
