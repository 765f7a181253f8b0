"""The connection to a Qdrant server: made on first use, its errors translated, its key kept to itself."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from qdrant_client import QdrantClient
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from core.errors import ConfigurationError, IndexUnavailable
from index.payload import REINDEX
from index.server_options import ADDRESS, CA_FILE, MEMORY, ServerOptions

CLOSED = "El índice está cerrado: vuelva a abrir la aplicación."
UNREACHABLE = "No se puede conectar con el servidor Qdrant: compruebe que está en marcha y QDRANT_URL."
UNTRUSTED = (
    "El certificado del servidor Qdrant no es de confianza: indique el de su autoridad en QDRANT_CA_FILE."
)
SLOW = "El servidor Qdrant no ha respondido en {seconds} segundos: compruebe su carga, o suba QDRANT_TIMEOUT."


class CollectionGone(IndexUnavailable):
    """The requested collection does not exist: another may have replaced it."""


class Connection:
    """One client for all threads; it reconnects when a server comes back after a failure.

    The memory mode is not thread-safe and keeps one lock around every call; a server needs none.
    """

    def __init__(self, options: ServerOptions) -> None:
        self.options = options
        self._lock = threading.Lock()
        self._guard = threading.RLock() if options.memory else nullcontext()
        self._client: QdrantClient | None = None

    @contextmanager
    def calls(self, *, connect: bool = False) -> Iterator[QdrantClient]:
        """The client, for calls whose errors are translated.

        Raises:
            CollectionGone: the server has no such collection.
            IndexUnavailable: it cannot be reached, refuses the key, or fails.
        """
        try:
            with self._guard:
                yield self._made(connect)
        except UnexpectedResponse as error:
            if error.status_code == 404:
                raise CollectionGone(self.gone) from error
            raise IndexUnavailable(_explain(error.status_code)) from error
        except ResponseHandlingException as error:
            if "timed out" in str(error):
                raise IndexUnavailable(SLOW.format(seconds=self.options.timeout)) from error
            untrusted = "CERTIFICATE_VERIFY_FAILED" in str(error)
            raise IndexUnavailable(UNTRUSTED if untrusted else UNREACHABLE) from error
        except (ApiException, QdrantException, OSError) as error:
            raise IndexUnavailable(UNREACHABLE) from error
        except ValueError as error:
            if "not found" not in str(error):
                raise
            raise CollectionGone(self.gone) from error

    def close(self) -> None:
        """Close the connection; the memory mode loses its contents."""
        with self._guard, self._lock:
            client, self._client = self._client, None
            if client is not None:
                client.close()

    def _made(self, connect: bool) -> QdrantClient:
        with self._lock:
            if self._client is None:
                if not connect:
                    raise IndexUnavailable(CLOSED)
                self._client = self._connect()
            return self._client

    def _connect(self) -> QdrantClient:
        options = self.options
        if options.memory:
            return QdrantClient(MEMORY)
        secure = options.url.startswith("https")
        try:
            verify = ssl.create_default_context(cafile=options.ca_file) if secure else True
        except (OSError, ssl.SSLError) as error:
            raise ConfigurationError(CA_FILE) from error
        try:
            return QdrantClient(
                url=options.url,
                api_key=options.api_key.get_secret_value() if options.api_key else None,
                timeout=options.timeout,
                check_compatibility=False,
                verify=verify,
                # A proxy from the environment must not see requests to this same machine.
                trust_env=not options.loopback,
            )
        except ValueError as error:
            raise ConfigurationError(ADDRESS) from error

    @property
    def gone(self) -> str:
        """Spanish message for a missing collection."""
        return f"La colección «{self.options.collection}» no existe en el servidor Qdrant: {REINDEX}."


def _explain(status: int | None) -> str:
    if status in {401, 403}:
        return "El servidor Qdrant rechaza la clave: compruebe QDRANT_API_KEY."
    if status in {429, 503}:
        return "El servidor Qdrant no atiende ahora (está arrancando o saturado): espere un momento."
    return f"El servidor Qdrant ha respondido con el error {status}: consulte su registro."
