"""The BOE's open-data API replayed over real HTTP on 127.0.0.1 from a folder of norms, for tests.

    with BoeServer(folder) as server:               # folder/BOE-A-…/{metadatos,indice,texto}.xml
        server.script(Fault(500), None)             # the first request fails, the next are as they should
        ...                                         # base address: server.url
        assert server.asked == ["BOE-A-2001-1/metadatos", …]

`write_norm` writes an invented norm in the API's format.
"""

from __future__ import annotations

import hashlib
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from xml.sax.saxutils import escape

from loading.boe.boe_client import PARTS

PREFIX = "/datosabiertos/api/legislacion-consolidada/id/"
MISSING = (
    '<?xml version="1.0" encoding="utf-8"?><response><status><code>404</code>'
    "<text>La información solicitada no existe</text></status><data/></response>"
)


@dataclass(frozen=True)
class Fault:
    """Fault of one answer.

    Attributes:
        status: another one than 200.
        retry_after: header of that name.
        cut: bytes of the body that are sent before the connection is closed.
        short: bytes that the body has, announced as if it were whole.
        body: another body.
        stall: send nothing until the client goes or the server ends.
    """

    status: int = 200
    retry_after: str = ""
    cut: int | None = None
    short: int | None = None
    body: bytes | None = None
    stall: bool = False


class BoeServer:
    """The API: start it with `with`.

    Attributes:
        etags, dates: whether answers carry ETag and Last-Modified, and honour the questions about them.
        asked: 'id/part' of every request, oldest first.
        stalled: set when a request is being held.
    """

    def __init__(self, root: Path, *, etags: bool = True, dates: bool = True) -> None:
        self.root = root
        self.etags = etags
        self.dates = dates
        self.asked: list[str] = []
        self.stalled = threading.Event()
        self._closing = threading.Event()
        self._faults: deque[Fault | None] = deque()
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _handler_for(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}{PREFIX.removesuffix('/id/')}"

    def script(self, *faults: Fault | None) -> None:
        """Set the faults of the next answers, in order; None: no fault."""
        self._faults.extend(faults)

    def take(self, asked: str) -> Fault | None:
        with self._lock:
            self.asked.append(asked)
            return self._faults.popleft() if self._faults else None

    def hold(self) -> None:
        self.stalled.set()
        self._closing.wait(30)

    def __enter__(self) -> BoeServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(timeout=5)


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes in mid-answer is part of the tests."""


def _handler_for(server: BoeServer) -> type[BaseHTTPRequestHandler]:
    files = {part: name for name, part in PARTS.items()}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            asked = self.path.removeprefix(PREFIX)
            fault = server.take(asked) or Fault()
            norm_id, _, part = asked.partition("/")
            path = server.root / norm_id / files.get(part, "-")
            if fault.stall:
                server.hold()
                self.close_connection = True
                return
            status = fault.status if fault.status != 200 or path.is_file() else 404
            if status == 200:
                self._send_file(path, fault)
            else:
                self._send(status, MISSING.encode(), {"Retry-After": fault.retry_after})

        def _send_file(self, path: Path, fault: Fault) -> None:
            body = path.read_bytes() if fault.body is None else fault.body
            headers = _validators(server, path, body)
            if _same(self.headers, headers):
                self._send(304, b"")
            else:
                self._send(200, body if fault.short is None else body[: fault.short], headers, fault.cut)

        def _send(
            self, status: int, body: bytes, headers: dict[str, str] | None = None, cut: int | None = None
        ) -> None:
            self.send_response(status)
            for name, value in {name: value for name, value in (headers or {}).items() if value}.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/xml")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body if cut is None else body[:cut])
            self.close_connection = cut is not None

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler


def _validators(server: BoeServer, path: Path, body: bytes) -> dict[str, str]:
    return {
        "ETag": f'"{hashlib.sha256(body).hexdigest()[:16]}"' if server.etags else "",
        "Last-Modified": formatdate(path.stat().st_mtime, usegmt=True) if server.dates else "",
    }


def _same(asked: Mapping[str, str], has: Mapping[str, str]) -> bool:
    """True if the client has it: by ETag, or by date where there is none (RFC 9110, 13.2.2)."""
    if has["ETag"]:
        return asked.get("If-None-Match") == has["ETag"]
    return bool(has["Last-Modified"]) and asked.get("If-Modified-Since") == has["Last-Modified"]


OTHER_BLOCKS = {"dd única": ("ddunica", "Disposición derogatoria única")}


def write_norm(
    root: Path,
    norm_id: str,
    articles: dict[str, Sequence[tuple[str, str, str]]],
    *,
    updated: str = "20200101T000000Z",
    title: str = "Ley 1/2001, de 2 de enero, de pruebas",
    **fields: str,
) -> Path:
    """Write a norm as the API serves it; an article is its wordings: (first day yyyymmdd, BOE id, text).

    So is the block «dd única». The text's first line is the heading that follows 'Artículo N.'.
    """
    folder = root / norm_id
    folder.mkdir(parents=True, exist_ok=True)
    values = {
        "fecha_actualizacion": updated,
        "identificador": norm_id,
        "ambito": "Estatal",
        "rango": "Ley",
        "numero_oficial": "1/2001",
        "titulo": title,
        "fecha_publicacion": "20010103",
        "fecha_vigencia": "20010201",
        "estatus_derogacion": "N",
        "estatus_anulacion": "N",
        "vigencia_agotada": "N",
        "url_html_consolidada": f"https://www.boe.es/buscar/act.php?id={norm_id}",
    } | fields
    described = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in values.items())
    blocks = "".join(_block(label, wordings) for label, wordings in articles.items())
    index = "".join(f"<bloque><id>a{label}</id></bloque>" for label in articles)
    _write(folder / "metadatos.xml", f"<metadatos>{described}</metadatos>")
    _write(folder / "indice.xml", index)
    _write(folder / "texto.xml", f"<texto>{blocks}</texto>")
    return folder


def _block(label: str, wordings: Sequence[tuple[str, str, str]]) -> str:
    block, title = OTHER_BLOCKS.get(label, (f"a{label}", f"Artículo {label}"))
    versions = "".join(_version(title, *wording) for wording in wordings)
    return f'<bloque id="{block}" tipo="precepto" titulo="{title}">{versions}</bloque>'


def _version(title: str, since: str, amended_by: str, text: str) -> str:
    heading, *paragraphs = text.split("\n")
    lines = "".join(f'<p class="parrafo">{escape(line)}</p>' for line in paragraphs)
    return (
        f'<version id_norma="{amended_by}" fecha_publicacion="{since}" fecha_vigencia="{since}">'
        f'<p class="articulo">{title}. {escape(heading)}</p>{lines}</version>'
    )


def _write(path: Path, data: str) -> None:
    head = (
        '<?xml version="1.0" encoding="utf-8"?>\n<response><status><code>200</code><text>ok</text></status>'
    )
    path.write_text(f"{head}<data>{data}</data></response>", "utf-8")
