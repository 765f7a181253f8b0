"""The documents («documento», «archivo») of the tools: norms, judgments and criteria as in force on a day.

Chunk ids of the contract are '<stem>_chunk_NNNN' (S1.3): 1, 2… are the chunks in force on the day in reading
order; 0000 is the document's header: title, metadata and preamble (X.14). The same number may be another
article on another day, so the ids of a call with its own day end in it: '<stem>_chunk_NNNN@2019-07-01'.
"""

import difflib
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from cachetools import LRUCache

from law.chunks import Chunk
from law.corpus_store import CorpusStore
from law.document_records import DocumentRecord
from law.document_store import DocumentStore
from law.norm_names import comparable_name
from law.norms import BlockKind, Norm
from rag.tools.document_view import DocumentView, Outline
from rag.tools.tool_calls import ResultItem, ToolFailure

SIMILAR = 5
LIKE = 0.6
MAX_SLUG = 80
# Characters of the cached documents: enough for every norm of a large corpus in its wording of one day.
KEPT_CHARS = 60_000_000
KEPT_OUTLINES = 20_000
GONE = "El documento «{name}» ya no está en el corpus o está cambiando: repita la llamada."

_CHUNK_ID = re.compile(r"(.+)_chunk_(\d{4,6})(?:@(\d{4}-\d\d-\d\d))?", re.DOTALL)


class Entry(NamedTuple):
    """A norm and its file name."""

    norm: Norm
    file_name: str

    @property
    def stem(self) -> str:
        """The start of its chunk ids, from the file name: 'X.md' → 'X', 'X.md.md' → 'X_md'."""
        return re.sub(r"[.\s]+", "_", _bare(self.file_name))


class Library:
    """Documents by name, as in force on a day; safe from any thread, always up to date with the corpus.

    Raises:
        StorageError: the corpus cannot be read.
        ToolFailure: the document is not in the corpus (any more).
    """

    def __init__(self, corpus: CorpusStore, documents: DocumentStore, *, dated: bool = False) -> None:
        """Wire it; the chunk ids of a `dated` one end in their day."""
        self._dated = dated
        self._corpus = corpus
        self._documents = documents
        self._lock = threading.Lock()
        self._revision: str | None = None
        self._entries: dict[str, Entry] = {}
        self._views: LRUCache[tuple[str, date], DocumentView] = LRUCache(KEPT_CHARS, _size)
        self._outlines: LRUCache[tuple[str, date], Outline] = LRUCache(KEPT_OUTLINES)

    def dated(self) -> "Library":
        """The same documents, with chunk ids that end in their day."""
        return Library(self._corpus, self._documents, dated=True)

    def entries(self) -> list[Entry]:
        """Every document, sorted by collection and id."""
        self._refresh()
        return list(self._entries.values())

    def find(self, name: str, *, exact: bool = False) -> Entry:
        """The document of a name: file name with or without extension, identifier, alias or law's name.

        Args:
            exact: a file name needs its extension (S1.30).

        Raises:
            ToolFailure: no document has that name (the text lists similar ones), or several have it.
        """
        self._refresh()
        found = self._called(name, exact)
        if len(found) > 1:
            names = ", ".join(f"{entry.file_name} ({entry.norm.id})" for entry in found)
            raise ToolFailure(
                f"El nombre «{name}» es ambiguo; indique uno de estos identificadores: {names}."
            )
        if not found:
            similar = self.similar(name)
            hint = f" Nombres parecidos: {', '.join(similar)}." if similar else ""
            rule = " Escriba el nombre exacto, con su extensión." if exact else ""
            raise ToolFailure(f"No existe el documento «{name}».{rule}{hint}")
        return found[0]

    def similar(self, name: str) -> list[str]:
        """At most five file names similar to `name`, the nearest first."""
        wanted = _key(name)[:MAX_SLUG]
        # SequenceMatcher caches its analysis of the second sequence.
        matcher = difflib.SequenceMatcher(None, "", wanted, autojunk=False)
        scored: list[tuple[float, str]] = []
        for entry in self._entries.values():
            names = {_bare(entry.file_name), entry.norm.law, entry.norm.alias}
            best = max(_likeness(matcher, wanted, _key(one)) for one in names)
            if best >= LIKE:
                scored.append((-best, entry.file_name))
        return [file_name for _, file_name in sorted(set(scored))[:SIMILAR]]

    def outline(self, norm_id: str, day: date) -> Outline:
        """The numbers of a document's chunks on that day: cheap, without reading its text."""
        self._refresh()
        key = (norm_id, day)
        with self._lock:
            revision, known = self._revision, self._outlines.get(key)
            entry = self._entries.get(norm_id)
        if known is not None:
            return known
        if entry is None:
            raise ToolFailure(GONE.format(name=norm_id))
        chunks = self._corpus.norm_outline(norm_id, day)
        numbered = [chunk_id for chunk_id, kind in chunks if kind is not BlockKind.PREAMBLE]
        numbers = {chunk_id: number for number, chunk_id in enumerate(numbered, 1)}
        outline = Outline(
            norm=entry.norm,
            file_name=entry.file_name,
            stem=entry.stem,
            numbers={chunk_id: 0 for chunk_id, _ in chunks} | numbers,
            mark=f"@{day}" if self._dated else "",
        )
        with self._lock:
            if revision == self._revision:
                self._outlines[key] = outline
        return outline

    def views(self, day: date) -> Iterator[DocumentView]:
        """Every document as in force on that day, each read when it is reached.

        A document that does not fit in the cache is not kept: it would push out others that the next search
        over the whole corpus needs, and every such search would read everything again.
        """
        for entry in self.entries():
            yield self.view(entry.norm.id, day, in_passing=True)

    def view(self, norm_id: str, day: date, *, in_passing: bool = False) -> DocumentView:
        """The document as in force on that day; `in_passing` keeps it only if the cache has room."""
        outline = self.outline(norm_id, day)
        key = (norm_id, day)
        with self._lock:
            revision, view = self._revision, self._views.get(key)
        if view is not None:
            return view
        document = self._corpus.document(norm_id)
        chunks = self._corpus.chunks(list(outline.numbers))
        if document is None or len(chunks) < len(outline.numbers):
            raise ToolFailure(GONE.format(name=norm_id))
        view = DocumentView.of(outline, document, chunks, day)
        self._keep(key, view, revision, in_passing)
        return view

    def chunk(self, chunk_id: str, day: date) -> Chunk:
        """The chunk of an id: a contract id on its own day, else on `day`, or a corpus id, in force or not.

        Raises:
            ToolFailure: no such chunk; '…_chunk_0000' is the header of a document, not a chunk.
        """
        found = self._corpus.chunks([chunk_id])
        if found:
            return found[0]
        match = _CHUNK_ID.fullmatch(chunk_id.strip())
        try:
            day = date.fromisoformat(match[3]) if match and match[3] else day
        except ValueError:
            match = None
        if match is None:
            raise ToolFailure(f"No existe el fragmento «{chunk_id}».")
        chunks = self.view(self.find(match[1]).norm.id, day).chunks
        number = int(match[2])
        if not 1 <= number <= len(chunks):
            raise ToolFailure(f"No existe el fragmento «{chunk_id}»: el documento tiene {len(chunks)}.")
        return chunks[number - 1]

    def items(self, scored: Sequence[tuple[str, float | None]], day: date) -> tuple[ResultItem, ...]:
        """The chunks as results, in order, without those deleted from the corpus or not in force on `day`."""
        chunks = {chunk.id: chunk for chunk in self._corpus.chunks([chunk_id for chunk_id, _ in scored])}
        found = ((chunks[chunk_id], score) for chunk_id, score in scored if chunk_id in chunks)
        placed = ((self.outline(chunk.norm_id, day), chunk, score) for chunk, score in found)
        return tuple(
            outline.item(chunk, chunk.headed, score=score)
            for outline, chunk, score in placed
            if chunk.id in outline.numbers
        )

    def _called(self, name: str, exact: bool) -> list[Entry]:
        """The documents that match a name, by the first way of naming that matches any."""
        wanted, called = _key(name), {comparable_name(name), comparable_name(_bare(name))}
        ways: list[Callable[[Entry], bool]] = [
            lambda entry: _key(entry.file_name) == wanted,
            lambda entry: entry.norm.id.casefold() == wanted,
            lambda entry: not exact and wanted in (_key(_bare(entry.file_name)), _key(entry.stem)),
            lambda entry: not called.isdisjoint(map(comparable_name, _names(entry.norm))),
        ]
        entries = list(self._entries.values())
        for fits in ways if wanted else ():
            found = [entry for entry in entries if fits(entry)]
            if found:
                return found
        return []

    def _refresh(self) -> None:
        """Reload the names and clear the caches if the corpus or a record has changed."""
        revision = self._documents.revision()
        with self._lock:
            if revision == self._revision:
                return
            rows = ((row.norm, row.record) for row in self._documents.page(limit=1_000_000).rows)
            self._entries = _named(sorted(rows, key=lambda pair: (pair[0].collection, pair[0].id)))
            self._views.clear()
            self._outlines.clear()
            self._revision = revision

    def _keep(
        self, key: tuple[str, date], view: DocumentView, revision: str | None, in_passing: bool
    ) -> None:
        with self._lock:
            room = KEPT_CHARS - self._views.currsize * in_passing
            if revision == self._revision and _size(view) <= room:
                self._views[key] = view


def _size(view: DocumentView) -> int:
    """Characters of a cached view: passages, chunks and the text without accents."""
    return 3 * sum(len(passage.text) for passage in view.passages)


def _named(rows: Sequence[tuple[Norm, DocumentRecord | None]]) -> dict[str, Entry]:
    """Norm id to entry; its file name is the stored file's, a unique slug of the law's name, or its id."""
    slugs = {norm.id: f"{_slug(norm.law) or _slug(norm.id)}.md" for norm, _ in rows}
    times = Counter(slugs.values())
    return {
        norm.id: Entry(
            norm, _stored(record) or (slugs[norm.id] if times[slugs[norm.id]] == 1 else f"{norm.id}.md")
        )
        for norm, record in rows
    }


def _stored(record: DocumentRecord | None) -> str:
    """The name of the source file, or '' without one: a download of the BOE is a folder."""
    if record is None or record.format == "boe":
        return ""
    name = " ".join(re.split(r"[\\/]", record.file_name)[-1].split())
    return name if _bare(name) != name else ""


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_")[:MAX_SLUG].rstrip("_")


def _bare(file_name: str) -> str:
    """The file name without its last extension."""
    head, dot, suffix = file_name.rpartition(".")
    return head if dot and head and re.fullmatch(r"\w{1,8}", suffix) else file_name


def _names(norm: Norm) -> tuple[str, ...]:
    numbered = f"{norm.rank} {norm.number}" if norm.rank and norm.number else ""
    return tuple(filter(None, (norm.id, norm.law, norm.alias, *norm.aliases, numbered, norm.title)))


def _key(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def _likeness(matcher: difflib.SequenceMatcher[str], wanted: str, name: str) -> float:
    """Similarity, 0 to 1; 0.9 if one contains the other, 0.0 below LIKE."""
    if min(len(wanted), len(name)) > 3 and (wanted in name or name in wanted):
        return 0.9
    matcher.set_seq1(name[:MAX_SLUG])
    if matcher.real_quick_ratio() < LIKE or matcher.quick_ratio() < LIKE:
        return 0.0
    return matcher.ratio()
