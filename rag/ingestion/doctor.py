"""Do settings, database, index, queue and files agree?"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from rag.errors import ArticuladoError, IndexHeld
from rag.index_types import Fingerprint
from rag.ingestion.uploads import orphans
from rag.job_ports import DocumentStore, JobStore
from rag.jobs_types import STALE_SECONDS, JobState
from rag.ports import CorpusStore, VectorIndex

Check = dict[str, Any]


def examine(
    store: CorpusStore, index: VectorIndex, fingerprint: Fingerprint, embedder_problem: str
) -> list[Check]:
    """What database and index say of each other: `{"name", "ok", "detail"}` each; details in Spanish.

    A missing embedder is a degraded mode, told but not unhealthy; an index that differs is.
    """
    stored = store.ids()
    norms = store.norms()
    checks = [
        _check("base de datos", True, f"{len(norms)} normas, {len(stored)} fragmentos"),
        _check("modelo de vectores", True, embedder_problem or fingerprint.embedding),
    ]
    work = store.index_work(fingerprint.embedding)
    try:
        index.open(fingerprint)
        held = index.ids()
    except IndexHeld:
        detail = f"lo tiene abierto otro proceso; según la base de datos le faltan {work.sparse}"
        checks.append(_check("índice", not work.sparse, f"{detail} y le sobran {work.stale}"))
    except ArticuladoError as error:
        return [*checks, _check("índice", False, str(error))]
    else:
        detail = f"{len(held)} puntos; faltan {len(stored - held)}, sobran {len(held - stored)}"
        checks.append(_check("índice", held == stored, detail))
    if not embedder_problem:
        pending = work.sparse + work.ready + work.to_embed
        checks.append(_check("vectores", not pending, f"faltan {pending}" if pending else "completos"))
    return checks


def examine_files(home: Path, documents: DocumentStore, jobs: JobStore) -> list[Check]:
    """What the queue and the files on disk say of each other. Nothing here is unhealthy: it mends itself,
    but for a source that somebody deleted, which only matters for reading it again."""
    known = jobs.jobs(limit=10_000)
    dead = datetime.now(UTC) - timedelta(seconds=STALE_SECONDS)
    running = [job for job in known if job.state is JobState.RUNNING]
    stuck = sum(job.heartbeat_at is None or job.heartbeat_at < dead for job in running)
    waiting = sum(job.state is JobState.QUEUED for job in known)
    sources = documents.sources()
    left = orphans(home, sources, {job.id for job in known})
    missing = [source for source in sources if not (home / source).exists()]
    queue = f"{waiting} en espera, {len(running) - stuck} en curso, {stuck} interrumpidos"
    if stuck:
        queue += " (seguirán solos al abrir la aplicación)"
    files = f"{len(sources)} originales guardados, {len(missing)} que ya no están, {len(left)} sin usar"
    if left:
        files += " (se borran al abrir la aplicación)"
    return [_check("trabajos", True, queue), _check("archivos", True, files)]


def _check(name: str, ok: bool, detail: str) -> Check:
    return {"name": name, "ok": ok, "detail": detail}
