"""Loading documents and keeping database and index in step: `ingest`, `demo`, `doctor`."""

import argparse
import time

from commands import output
from core.errors import InputError
from service.program import assembly


def ingest(program: assembly.App, options: argparse.Namespace) -> int:
    """Load files and folders, and index them; 1 when a file was refused."""
    program.settings.check_collection(options.collection)
    clock = time.perf_counter()
    with output.Progress() as progress:
        report, index = program.loading.ingest(
            options.paths,
            options.collection,
            dense=not options.lexical_only,
            on_progress=progress,
            since=options.in_force_from,
            correct=options.correct,
            may_shorten=options.may_shorten,
        )
    elapsed = time.perf_counter() - clock
    output.emit(options.json, output.ingestion_document(report, index, elapsed), output.print_ingestion)
    if report.failures and not report.documents:
        raise InputError(f"No ha entrado nada: {report.failures[0].reason}")
    return 1 if report.failures else 0


def demo(program: assembly.App, options: argparse.Namespace) -> None:
    """Load the demo corpus."""
    with output.Progress() as progress:
        program.load_demo(on_progress=progress)
    output.emit(options.json, program.database.corpus.counts().model_dump(), output.print_pairs)


def doctor(program: assembly.App, options: argparse.Namespace) -> int:
    """Check the installation; 1 when something is wrong and was not mended."""
    with output.Progress() as progress:
        findings = program.doctor(mend=options.mend, on_progress=progress)
    output.emit(options.json, findings, output.print_doctor)
    return 0 if findings["healthy"] else 1
