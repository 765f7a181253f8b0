"""Client of the BOE's open-data API for consolidated legislation.

`GET {base}/id/{norm}/{metadatos | texto/indice | texto}` with `Accept: application/xml`
(https://www.boe.es/datosabiertos/documentos/APIconsolidada.pdf). The API needs no key and promises no rate:
one request a second is what a considerate reader makes.
"""

import random
import re
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

import httpx

from core.clock import asked_wait
from core.errors import ConfigurationError, InputError, SourceUnavailable
from core.hosts import is_loopback, server
from law.norms import Norm
from loading.boe import BOE_API_URL

PARTS = {"metadatos.xml": "metadatos", "indice.xml": "texto/indice", "texto.xml": "texto"}
"""File of a stored norm -> its name in the API. The metadata come first: they show any change."""

MAX_BYTES = 64 * 1024 * 1024
MAX_SECONDS = 300.0
FIRST_WAIT = 1.0
"""Seconds before the first retry; they double each time."""
LONGEST_WAIT = 60.0
_ID = re.compile(r"[A-Z]{2,6}-[A-Za-z]-\d{4}-\d{1,6}")
_BUSY = frozenset({429, 500, 502, 503, 504})


class Seen(NamedTuple):
    """The server's validators of our copy of a file, for a conditional request."""

    etag: str = ""
    modified: str = ""


class Page(NamedTuple):
    """A file as it was served."""

    content: bytes
    seen: Seen


class _TryAgain(Exception):
    """A failed attempt that may be repeated: a Spanish sentence, and the seconds the server asked to wait."""

    def __init__(self, text: str, wait: float | None = None) -> None:
        super().__init__(text)
        self.wait = wait


# The first class that fits: some are subclasses of later ones.
_FAILURES: tuple[tuple[type[httpx.HTTPError], str], ...] = (
    (httpx.TimeoutException, "el BOE no respondió a tiempo; vuelva a intentarlo más tarde."),
    (httpx.ConnectError, "no hay conexión con el BOE; compruebe la red y vuelva a intentarlo."),
    (httpx.DecodingError, "la respuesta del BOE llegó dañada; vuelva a intentarlo."),
    (httpx.HTTPError, "la descarga del BOE se cortó; vuelva a intentarlo."),
)


def check_id(norm_id: str) -> str:
    """The identifier without spaces around it.

    Raises:
        InputError: it is not a BOE identifier; it becomes part of an address and of a folder name.
    """
    cleaned = norm_id.strip()
    if not _ID.fullmatch(cleaned):
        raise InputError(f"«{cleaned[:40]}» no es un identificador del BOE: escríbalo como BOE-A-2015-11430.")
    return cleaned


def is_boe(norm: Norm) -> bool:
    """True if the BOE may have it: an official norm with an identifier of the BOE's."""
    return norm.official and is_boe_id(norm.id)


def is_boe_id(norm_id: str) -> bool:
    """True if it is written as the identifiers of the BOE are."""
    return _ID.fullmatch(norm_id) is not None


class BoeClient:
    """Reads files of the API, one request at a time.

    Args:
        url: address of the API; https, or http on this very machine (for tests and mirrors).
        rate: requests a second, over all threads.
        timeout: seconds without a byte before an attempt is given up.
        retries: attempts after the first one.
        sleep, clock: waits some seconds, and tells them (tests pass their own).

    Raises:
        ConfigurationError: an address that cannot be used, or a rate that is not positive.
    """

    def __init__(
        self,
        url: str = BOE_API_URL,
        *,
        rate: float = 1.0,
        timeout: float = 30.0,
        retries: int = 3,
        max_bytes: int = MAX_BYTES,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        parts = server(url)
        local = parts is not None and is_loopback(parts.hostname)
        if parts is None or parts.scheme not in ({"http", "https"} if local else {"https"}):
            raise ConfigurationError("BOE_API_URL debe ser una dirección https (http solo en 127.0.0.1).")
        if rate <= 0:
            raise ConfigurationError("BOE_RATE debe ser mayor que 0 (peticiones por segundo).")
        self._url = url.rstrip("/")
        self._pause = 1.0 / rate
        self._retries = retries
        self._max_bytes = max_bytes
        self._sleep, self._clock = sleep, clock
        self._turn = threading.Lock()
        self._next = 0.0
        self._http = httpx.Client(
            timeout=timeout,
            headers={"Accept": "application/xml", "User-Agent": "Articulado"},
            follow_redirects=False,
            trust_env=not local,
        )

    def close(self) -> None:
        self._http.close()

    def fetch(self, norm_id: str, part: str, seen: Seen | None = None) -> Page | None:
        """One file of a norm; None when it has not changed since `seen`.

        Args:
            part: a value of `PARTS`.

        Raises:
            InputError: an unknown norm, one without consolidated text, or not a BOE identifier.
            SourceUnavailable: no connection, errors of the server, or a file too large or too slow to take,
                after all retries.
        """
        url = f"{self._url}/id/{check_id(norm_id)}/{part}"
        failed = 0
        while True:
            self._take_turn()
            try:
                return self._attempt(url, norm_id, seen)
            except _TryAgain as error:
                if failed == self._retries:
                    raise SourceUnavailable(f"{norm_id}: {error}") from error
                backoff = FIRST_WAIT * 2.0**failed * random.uniform(0.75, 1.25)
                failed += 1
                self._sleep(min(LONGEST_WAIT, backoff if error.wait is None else error.wait))

    def _take_turn(self) -> None:
        with self._turn:
            now = self._clock()
            begins = max(now, self._next)
            self._next = begins + self._pause
        if begins > now:
            self._sleep(begins - now)

    def _attempt(self, url: str, norm_id: str, seen: Seen | None) -> Page | None:
        headers = {"If-None-Match": seen.etag, "If-Modified-Since": seen.modified} if seen else {}
        asked = {name: value for name, value in headers.items() if value}
        try:
            with self._http.stream("GET", url, headers=asked) as response:
                if response.status_code == httpx.codes.NOT_MODIFIED and asked:
                    return None
                _check_status(response, norm_id)
                found = response.headers
                seen_now = Seen(found.get("ETag", ""), found.get("Last-Modified", ""))
                return Page(self._body(response, norm_id), seen_now)
        except httpx.HTTPError as error:
            raise _TryAgain(next(text for kind, text in _FAILURES if isinstance(error, kind))) from error

    def _body(self, response: httpx.Response, norm_id: str) -> bytes:
        """The body within the limits; compressed ones are counted as they unfold."""
        body = bytearray()
        until = time.monotonic() + MAX_SECONDS
        for piece in response.iter_bytes():
            body += piece
            if len(body) > self._max_bytes:
                limit = self._max_bytes // (1024 * 1024)
                raise SourceUnavailable(
                    f"{norm_id}: el archivo que ofrece el BOE supera {limit} MB y no se ha descargado; "
                    "compruebe el identificador."
                )
            if time.monotonic() > until:
                raise httpx.ReadTimeout("the whole download takes too long")
        return bytes(body)


def _check_status(response: httpx.Response, norm_id: str) -> None:
    status = response.status_code
    if status == httpx.codes.OK:
        return
    if status in _BUSY:
        busy = status == httpx.codes.TOO_MANY_REQUESTS
        said = "el BOE pide esperar" if busy else f"el servidor del BOE falla (error {status})"
        raise _TryAgain(
            f"{said}; vuelva a intentarlo más tarde.", asked_wait(response.headers.get("Retry-After"))
        )
    if status in {400, 404, 410}:
        raise InputError(
            f"{norm_id} no existe en el BOE o no está consolidada (las normas que sólo modifican otras no lo "
            "están): compruebe el identificador, o cargue el texto desde un archivo."
        )
    raise SourceUnavailable(
        f"{norm_id}: el BOE no admite la petición (respuesta {status}); compruebe BOE_API_URL y la red."
    )
