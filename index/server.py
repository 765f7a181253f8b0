"""The served index: a Qdrant server or cloud through `qdrant-client`, or its memory mode (':memory:')."""

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from qdrant_client import QdrantClient

from core.errors import IndexMismatch, IndexUnavailable
from index.payload import check_fingerprint
from index.points import Fingerprint, IndexFilter, IndexPoint, IndexQuery, ScoredId
from index.server_client import CLOSED, CollectionGone, Connection
from index.server_collections import create, current, fingerprint_of, is_published, publish, sweep
from index.server_options import ServerOptions
from index.server_points import Collection

T = TypeVar("T")

REPLACED = (
    "El índice se ha reconstruido con otra configuración:"
    " reinicie la aplicación con la misma con la que se reconstruyó."
)


class Staged(Collection):
    """A `StagedIndex`: a collection that the alias does not name yet."""

    def __init__(
        self, connection: Connection, name: str, fingerprint: Fingerprint, take: Callable[[Collection], bool]
    ) -> None:
        super().__init__(connection, name, fingerprint)
        self._take = take

    def publish(self) -> bool:
        return self._take(self)

    def discard(self) -> None:
        with self._connection.calls() as client:
            client.delete_collection(self.name)


class ServerIndex:
    """A `RebuildableIndex` on a server (1.16 or later: the fingerprint is collection metadata).

    It works on the collection that the alias named when it was opened, not through the alias: after a rebuild
    with another embedding model, vectors of the old one must not be compared with those of the new. When that
    collection is gone, a search looks for its successor.
    """

    def __init__(self, options: ServerOptions) -> None:
        self._alias = options.collection
        self._connection = Connection(options)
        self._lifecycle = threading.RLock()
        self._content: Collection | None = None

    def open(self, fingerprint: Fingerprint) -> None:
        """Opening again follows the alias, if it names another collection now."""
        with self._lifecycle:
            was_open = self._content is not None
            try:
                with self._connection.calls(connect=True) as client:
                    if not self._follow(client, fingerprint):
                        self._start(client, fingerprint)
            except IndexUnavailable:
                if not was_open:
                    self.close()
                raise

    def reset(self, fingerprint: Fingerprint) -> None:
        self.stage(fingerprint).publish()
        self.sweep()

    def stage(self, fingerprint: Fingerprint) -> Staged:
        with self._lifecycle, self._connection.calls(connect=True) as client:
            sweep(client, self._alias)
            name = create(client, self._connection.options, fingerprint)
        return Staged(self._connection, name, fingerprint, self._publish)

    def sweep(self) -> None:
        with self._lifecycle, self._connection.calls(connect=True) as client:
            sweep(client, self._alias)

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        self._opened().upsert(points)

    def delete(self, chunk_ids: Sequence[str]) -> None:
        self._opened().delete(chunk_ids)

    def search(self, queries: Sequence[IndexQuery]) -> list[list[ScoredId]]:
        return self._read(lambda content: content.search(queries))

    def ids(self, where: IndexFilter | None = None) -> set[str]:
        return self._read(lambda content: content.ids(where))

    def count(self) -> int:
        return self._read(lambda content: content.count())

    def optimize(self) -> None:
        self._read(lambda content: content.optimize())

    def close(self) -> None:
        """Closing twice is harmless. The memory mode forgets everything."""
        with self._lifecycle:
            self._content = None
            self._connection.close()

    def _publish(self, staged: Collection) -> bool:
        with self._lifecycle, self._connection.calls() as client:
            before = current(client, self._alias)
            alike = before is None or fingerprint_of(client, before) == staged.fingerprint
            publish(client, self._alias, staged.name)
            self._content = staged
        return alike

    def _opened(self) -> Collection:
        content = self._content
        if content is None:
            raise IndexUnavailable(CLOSED)
        return content

    def _read(self, ask: Callable[[Collection], T]) -> T:
        content = self._opened()
        # A plain collection of that name may have become an alias of one that was built with something else.
        if content.name == self._alias:
            content = self._successor(content)
        try:
            return ask(content)
        except CollectionGone:
            return ask(self._successor(content))

    def _successor(self, content: Collection) -> Collection:
        with self._lifecycle, self._connection.calls() as client:
            if not self._follow(client, content.fingerprint):
                raise CollectionGone(self._connection.gone)
        return self._opened()

    def _follow(self, client: QdrantClient, fingerprint: Fingerprint) -> bool:
        """Switch to the collection in use; False if none exists."""
        name = current(client, self._alias)
        if name is None:
            return False
        try:
            check_fingerprint(fingerprint_of(client, name), fingerprint)
        except IndexMismatch as error:
            content = self._content
            if content is not None and content.fingerprint == fingerprint:
                raise IndexMismatch(REPLACED) from error
            raise
        if not is_published(client, self._alias, name):
            publish(client, self._alias, name)
        if self._content is None or self._content.name != name:
            self._content = Collection(self._connection, name, fingerprint)
        return True

    def _start(self, client: QdrantClient, fingerprint: Fingerprint) -> None:
        name = create(client, self._connection.options, fingerprint)
        publish(client, self._alias, name)
        self._content = Collection(self._connection, name, fingerprint)
