"""Checks that settings, database, index, queue and files agree, and repairs the differences it can."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from core.clock import silent, today_in_spain
from core.errors import ArticuladoError, IndexHeld, IndexUnavailable, StorageError
from core.progress import OnProgress
from law.document_store import DocumentStore
from lexicon.ties import Tie
from loading.indexing.index_keeper import IndexKeeper
from loading.indexing.index_sync import IndexReport
from loading.ingestion.home_files import clear, close_off, exposed, leftovers
from loading.ingestion.originals import sweep
from loading.ingestion.stale_ties import file_of, stale_ties
from loading.ingestion.uploads import orphans
from loading.records.job_store import JobStore
from loading.records.jobs import STALE_SECONDS, Job, JobState
from rag.evaluation.evaluation_store import EvaluationStore
from rag.run.conversation_store import ConversationStore

Check = dict[str, Any]
"""`{"name", "ok", "detail"}`; the detail is Spanish, with the remedy for a failed check."""
SHOWN = 3
CHECKED = "ninguno se comprobó con otra redacción"
STALE = "{says} Está en {file}: {kind}, {of}."
OWN = "festivos, cifras y modelos"
MENDED = "se arregla con «python cli.py doctor --mend»"


class Health(Protocol):
    """Checks that only the database can make of itself; see `storage.health`."""

    def damage(self) -> str: ...

    def unsearchable(self) -> bool: ...

    def index_words(self) -> None: ...

    def silent(self, seconds: float) -> int: ...

    def wrong_vectors(self, model: str, dimensions: int) -> int: ...

    def drop_wrong_vectors(self, model: str, dimensions: int) -> None: ...

    def strays(self) -> int: ...

    def drop_strays(self) -> None: ...


@dataclass
class Doctor:
    """Checks an installation and repairs it; a repair deletes only data that can be made again."""

    home: Path
    keeper: IndexKeeper
    documents: DocumentStore
    jobs: JobStore
    conversations: ConversationStore
    evaluations: EvaluationStore
    health: Health
    unusable: Callable[[], Sequence[str]] = tuple
    """A sentence for each file of the firm that cannot be used."""
    figures: Callable[[], Sequence[Tie]] = tuple
    """Provisions of the figures of the calculators, with the wordings on which they were checked."""

    def __post_init__(self) -> None:
        self._fingerprint = self.keeper.fingerprint()
        # In this order: later repairs depend on earlier ones.
        self._mends: dict[str, Callable[[OnProgress], str]] = {
            "fragmentos": self._drop_strays,
            "caché de vectores": self._drop_vectors,
            "índice": self._mend_index,
            "vectores": self._mend_index,
            "palabras": self._index_words,
            "trabajos": self._requeue,
            "respuestas": self._interrupt,
            "archivos": self._sweep,
            "restos": self._clear,
            "permisos": self._close_off,
        }

    def report(self, embedder_problem: str, on_progress: OnProgress, *, mend: bool) -> dict[str, Any]:
        """`{"healthy": bool, "checks": […], "mended": […]}`: checks after any requested repair."""
        checks = self.examine(embedder_problem)
        mended = self.mend(checks, on_progress) if mend else []
        if mended:
            checks = self.examine(embedder_problem)
        return {"healthy": all(check["ok"] for check in checks), "checks": checks, "mended": mended}

    def examine(self, embedder_problem: str = "") -> list[Check]:
        """Run every check; if the database is damaged, no other check can be trusted.

        A missing embedder is reported as a degraded mode, not as unhealthy.
        """
        try:
            damage = self.health.damage()
        except StorageError as error:
            damage = str(error)
        if damage:
            return [_check("base de datos", False, damage)]
        return [
            *self._database(),
            _check("modelo de vectores", True, embedder_problem or self._fingerprint.embedding),
            *self._indexed(with_vectors=not embedder_problem),
            *self._under_way(),
            *self._files(),
            *self._ties(),
            *self._unusable(),
        ]

    def mend(self, checks: list[Check], on_progress: OnProgress) -> list[str]:
        """Repair the problems that these checks found, where possible; returns one sentence a repair."""
        wrong = {check["name"] for check in checks if not check["ok"]}
        told: dict[str, str] = {}
        if "fragmentos" in wrong:
            wrong.add("índice")  # which still holds them
        for name, cure in self._mends.items():
            if name in wrong and not (name == "vectores" and "índice" in told):
                try:
                    told[name] = cure(on_progress)
                except ArticuladoError as error:
                    told[name] = f"no se pudo: {error}"
        return [f"{name}: {what}" for name, what in told.items()]

    def _database(self) -> list[Check]:
        store, health = self.keeper.store, self.health
        held = f"{len(store.norms())} normas, {len(store.ids())} fragmentos"
        wrong = health.wrong_vectors(self._fingerprint.embedding, self._fingerprint.dimensions)
        strays, lost = health.strays(), health.unsearchable()
        return [
            _check("base de datos", True, held),
            _faults("fragmentos", strays, "no tienen la redacción de la que salieron", "con su redacción"),
            _check(
                "palabras",
                not lost,
                f"la búsqueda en consultas no tiene las de sus textos: {MENDED}"
                if lost
                else "las de las consultas, al día",
            ),
            _faults("caché de vectores", wrong, "no tienen el tamaño de su modelo", "todos de su tamaño"),
        ]

    def _indexed(self, *, with_vectors: bool) -> list[Check]:
        stored = self.keeper.store.ids()
        work = self.keeper.ledger.index_work(self._fingerprint.embedding)
        try:
            self.keeper.index.open(self._fingerprint)
            held = self.keeper.index.ids()
        except IndexHeld:
            pending = work.sparse + work.stale
            detail = f"según la base de datos le faltan {work.sparse} y le sobran {work.stale}"
            if pending:
                detail += "; ese proceso lo pone al día, y si no, ciérrelo y repita"
            check = _check("índice", not work.sparse, f"lo tiene abierto otro proceso; {detail}")
        except ArticuladoError as error:
            return [_check("índice", False, f"{error} También {MENDED}.")]
        else:
            wrong = held != stored or bool(work.sparse)
            detail = (
                f"{len(held)} puntos; faltan {len(stored - held)}, sobran {len(held - stored)}, "
                f"sin poner al día {work.sparse}"
            )
            check = _check("índice", not wrong, f"{detail}: {MENDED}" if wrong else detail)
        if not with_vectors:
            return [check]
        lacking = work.sparse + work.ready + work.to_embed
        detail = f"faltan {lacking}: se calculan con la aplicación abierta, o {MENDED}"
        return [check, _check("vectores", not lacking, detail if lacking else "completos")]

    def _under_way(self) -> list[Check]:
        jobs = self.jobs.jobs(limit=10_000)
        waiting = sum(job.state is JobState.QUEUED for job in jobs)
        running = sum(job.state is JobState.RUNNING for job in jobs)
        stuck, silent = len(_stuck(jobs)), self.health.silent(STALE_SECONDS)
        queue = f"{waiting} en espera, {running - stuck} en curso, {stuck} interrumpidos"
        if stuck:
            queue += f": siguen solos al abrir la aplicación, o {MENDED}"
        answers = (
            f"{silent} respuestas o evaluaciones a medias que nadie sigue: "
            f"al abrir la aplicación quedan como interrumpidas, o {MENDED}"
        )
        return [
            _check("trabajos", not stuck, queue),
            _check("respuestas", not silent, answers if silent else "ninguna a medias"),
        ]

    def _files(self) -> list[Check]:
        sources = self.documents.sources()
        missing = sorted(source for source in sources if not (self.home / source).exists())
        unused = orphans(self.home, sources, self.jobs.ids())
        left, open_to_all = leftovers(self.home), exposed(self.home)
        originals = f"{len(sources)} guardados, {len(missing)} que ya no están"
        if missing:
            shown = ", ".join(missing[:SHOWN]) + (", …" if len(missing) > SHOWN else "")
            originals += f" ({shown}): recupérelos de una copia de seguridad o vuelva a cargarlos"
        return [
            _check("originales", not missing, originals),
            _faults("archivos", len(unused), "sin usar", "0 sin usar"),
            _faults("restos", len(left), "archivos a medio escribir", "0 archivos a medio escribir"),
            _check(
                "permisos",
                not open_to_all,
                f"otros usuarios del equipo pueden leer los datos: {MENDED}"
                if open_to_all
                else "solo entra el dueño",
            ),
        ]

    def _ties(self) -> list[Check]:
        """A check for each stale tie; none fails: whoever keeps the ties has to read the law again."""
        found = stale_ties(self.keeper.store.document, today_in_spain(), self.figures())
        said = [
            STALE.format(says=one.says, file=file_of(one.tie), kind=one.tie.kind, of=" ".join(one.tie.of[0]))
            for one in found
        ]
        return [_check("avisos de preceptos", True, one) for one in said or [CHECKED]]

    def _unusable(self) -> list[Check]:
        found = self.unusable()
        return [_check(OWN, False, one) for one in found] or [_check(OWN, True, "todos se pueden usar")]

    def _drop_strays(self, _: OnProgress) -> str:
        self.health.drop_strays()
        return "retirados los que no tienen redacción"

    def _drop_vectors(self, _: OnProgress) -> str:
        self.health.drop_wrong_vectors(self._fingerprint.embedding, self._fingerprint.dimensions)
        return "retirados los que no valen; se calculan de nuevo cuando hagan falta"

    def _index_words(self, _: OnProgress) -> str:
        self.health.index_words()
        return "hechas de nuevo con los textos de las consultas"

    def _mend_index(self, on_progress: OnProgress) -> str:
        try:
            return _told("puesto al día", self.keeper.sync(on_progress=on_progress))
        except IndexHeld:
            raise
        except IndexUnavailable:
            return _told("hecho de nuevo", self.keeper.reindex(on_progress=on_progress))

    def _requeue(self, _: OnProgress) -> str:
        stuck = _stuck(self.jobs.jobs(limit=10_000))
        for job in stuck:
            self.jobs.release(job)
        return f"{len(stuck)} vueltos a la cola"

    def _interrupt(self, _: OnProgress) -> str:
        answers = self.conversations.recover(STALE_SECONDS)
        return f"{answers + self.evaluations.recover(STALE_SECONDS)} marcadas como interrumpidas"

    def _sweep(self, _: OnProgress) -> str:
        return f"{sweep(self.home, self.documents.sources, self.jobs.ids)} borrados"

    def _clear(self, _: OnProgress) -> str:
        clear(self.home)
        return "borrados"

    def _close_off(self, _: OnProgress) -> str:
        close_off(self.home)
        return "ya solo entra el dueño"


def _stuck(jobs: list[Job]) -> list[Job]:
    now = datetime.now(UTC)
    running = [job for job in jobs if job.state is JobState.RUNNING]
    return [
        one for one in running if one.heartbeat_at is None or silent(one.heartbeat_at, now, STALE_SECONDS)
    ]


def _told(what: str, report: IndexReport) -> str:
    counts = f"{report.deleted} retirados, {report.sparse} añadidos, {report.dense} con sus vectores"
    return " ".join(f"{what} ({counts}). {report.notice}".split())


def _faults(name: str, count: int, fault: str, fine: str) -> Check:
    """A check that fails for any fault; the doctor can mend all of them."""
    return _check(name, not count, f"{count} {fault}: {MENDED}" if count else fine)


def _check(name: str, ok: bool, detail: str) -> Check:
    return {"name": name, "ok": ok, "detail": detail}
