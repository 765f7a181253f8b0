"""Adds norms of the BOE to the corpus by identifier, and updates them article by article."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.errors import InputError, NotFound, SourceUnavailable
from core.progress import OnProgress, unheard
from core.values import Value
from law.changes import ArticleChange, Fate, article_changes
from law.corpus_store import CorpusStore
from law.norms import Document, Norm
from loading.boe.boe_client import is_boe, is_boe_id
from loading.boe.boe_copies import Copies
from loading.boe.boe_norms import Entry, entries
from loading.ingestion.ingest import Ingested

Put = Callable[[Path, Document], Ingested]
"""(folder, its norm): enrich, chunk and save as for any other document."""

PHASE = "boe"
GIVE_UP = 3


class BoeOutcome(StrEnum):
    """Result of adding or updating a norm."""

    ADDED = "added"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    FAILED = "failed"


class BoeResult(Value):
    """One norm of an `add` or `update`.

    Attributes:
        articles: those that changed, in reading order; empty for a norm that is new in the corpus.
        added, changed, removed: chunks by fate.
        reason: cause of a failure, a Spanish sentence that says what to do.
    """

    norm_id: str
    title: str = ""
    outcome: BoeOutcome
    articles: tuple[ArticleChange, ...] = ()
    added: int = 0
    changed: int = 0
    removed: int = 0
    warnings: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class BoeLibrary:
    """BOE operations of the command line, the jobs and the page."""

    copies: Copies
    store: CorpusStore
    put: Put

    def listed(self) -> list[tuple[Entry, Norm | None]]:
        """The bundled list, with the norm of each entry that the corpus has, then what it has besides."""
        loaded = {norm.id: norm for norm in self.store.norms() if is_boe(norm)}
        known = {entry.id: entry for entry in entries()}
        besides = [Entry(id=norm.id, title=norm.title) for norm in loaded.values() if norm.id not in known]
        return [(entry, loaded.get(entry.id)) for entry in (*known.values(), *besides)]

    def add(
        self,
        ids: Iterable[str],
        *,
        on_progress: OnProgress = unheard,
        on_result: Callable[[BoeResult], None] = lambda result: None,
    ) -> list[BoeResult]:
        """Add norms, or update those in the corpus: one result each, in order, without repeats.

        The result of a norm that fails says why, and the others continue. If the BOE cannot be reached
        several times in a row, the rest are not tried.

        Raises:
            StorageError: the database failed; norms saved before stay.
        """
        return self._each(list(dict.fromkeys(norm_id.strip() for norm_id in ids)), on_progress, on_result)

    def update(
        self,
        ids: Iterable[str] = (),
        *,
        on_progress: OnProgress = unheard,
        on_result: Callable[[BoeResult], None] = lambda result: None,
    ) -> list[BoeResult]:
        """As `add`, for norms of the corpus only; every norm of the BOE when none is named.

        Raises:
            NotFound: one of `ids` is not in the corpus.
        """
        wanted = list(dict.fromkeys(norm_id.strip() for norm_id in ids))
        loaded = [norm.id for norm in self.store.norms() if is_boe(norm)]
        if missing := [norm_id for norm_id in wanted if norm_id not in loaded]:
            raise NotFound(f"{missing[0]} no está en el corpus; añádala con «boe add {missing[0]}».")
        return self._each(wanted or loaded, on_progress, on_result)

    def expect(self, ids: Iterable[str]) -> None:
        """Have the next `add` or `update` of these norms bring them again; those not of the BOE are ignored.

        Called before they are restored: an undo that is cut short must not hide them from the next update.
        """
        for norm_id in filter(is_boe_id, ids):
            self.copies.mark_loaded(norm_id, loaded=False)

    def _each(
        self, ids: Sequence[str], on_progress: OnProgress, on_result: Callable[[BoeResult], None]
    ) -> list[BoeResult]:
        results: list[BoeResult] = []
        unreachable = 0
        for done, norm_id in enumerate(ids):
            on_progress(PHASE, done, len(ids))
            try:
                if unreachable == GIVE_UP:
                    raise InputError("No se ha intentado: el BOE no responde. Vuelva a intentarlo más tarde.")
                result = self._one(norm_id)
                unreachable = 0
            except InputError as error:
                unreachable += isinstance(error, SourceUnavailable)
                result = BoeResult(norm_id=norm_id, outcome=BoeOutcome.FAILED, reason=str(error))
            results.append(result)
            on_result(result)
        on_progress(PHASE, len(ids), len(ids))
        return results

    def _one(self, norm_id: str) -> BoeResult:
        copy = self.copies.download(norm_id)
        norm = self.store.norm(norm_id)
        if copy.loaded and norm is not None:
            return BoeResult(norm_id=norm_id, title=norm.title, outcome=BoeOutcome.UNCHANGED)
        stored = self.store.document(norm_id)
        collection = norm.collection if norm else "normativa"
        document = self.copies.read(copy.path, collection)
        compared = article_changes(stored.blocks, document.blocks) if stored else []
        articles = tuple(change for change in compared if change.fate is not Fate.UNCHANGED)
        try:
            done = self.put(copy.path, document)
        except InputError as error:
            raise InputError(f"{norm_id}: {error}") from error
        self.copies.mark_loaded(norm_id)
        change = done.change
        differs = bool(articles or change.added or change.changed or change.removed)
        updated = BoeOutcome.UPDATED if differs else BoeOutcome.UNCHANGED
        return BoeResult(
            norm_id=norm_id,
            title=done.norm.title,
            outcome=updated if stored else BoeOutcome.ADDED,
            articles=articles,
            added=len(change.added),
            changed=len(change.changed),
            removed=len(change.removed),
            warnings=done.warnings,
        )
