"""The front page: Streamlit's own index.html in Spanish, with our name, icon, style and translations."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse
from starlette.routing import Route

TITLE = "Articulado"
STATIC = Path(__file__).parent / "static"
FILES = {
    "/articulado.css": "text/css",
    "/es.js": "text/javascript",
    "/drafts.js": "text/javascript",
    "/favicon.svg": "image/svg+xml",
}
# Without it the browser looks for the server under the address of each page first, in vain.
BASE = "<script>window.__streamlit = {BACKEND_BASE_URL: location.origin}</script>"
HEAD = (
    BASE + '<link rel="stylesheet" href="/articulado.css" /><script src="/es.js" defer></script>'
    '<script src="/drafts.js" defer></script>'
    '<meta name="color-scheme" content="light dark" /></head>'
)

# What to replace in the page, and with what; each must be there, or Streamlit has changed.
EDITS = (
    (r'<html lang="en">', '<html lang="es">'),
    (r"<title>Streamlit</title>", f"<title>{TITLE}</title>"),
    (r'<link rel="shortcut icon"[^>]*/>', '<link rel="icon" type="image/svg+xml" href="/favicon.svg" />'),
    (r'<link rel="service-desc"[^>]*/>', ""),
    (r"</head>", HEAD),
)


@lru_cache(maxsize=1)
def front_page() -> str:
    """The HTML of every page.

    Raises:
        RuntimeError: this Streamlit's index.html is not the one these edits were written for.
    """
    spec = importlib.util.find_spec("streamlit")
    if spec is None or spec.origin is None:
        raise RuntimeError("Streamlit is not installed: pip install -r requirements.txt")
    page = (Path(spec.origin).parent / "static" / "index.html").read_text("utf-8")
    for pattern, replacement in EDITS:
        page, count = re.subn(pattern, replacement, page, count=1)
        if not count:
            raise RuntimeError(f"web/front.py does not know this Streamlit: {pattern} not in index.html")
    return page


def script_hashes() -> list[str]:
    """CSP hashes of the inline scripts of the front page, so that an upgrade needs no edit here."""
    scripts = re.findall(r"<script>(.*?)</script>", front_page(), re.S)
    return [
        "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts
    ]


async def _page(request: Request) -> HTMLResponse:
    return HTMLResponse(front_page(), headers={"Cache-Control": "no-cache"})


async def _file(request: Request) -> FileResponse:
    path = request.url.path
    return FileResponse(
        STATIC / path.lstrip("/"), media_type=FILES[path], headers={"Cache-Control": "no-cache"}
    )


def routes(pages: Sequence[str]) -> list[Route]:
    """Our routes: the front page at each path of `pages`, and our own files."""
    return [*(Route(path, _page) for path in pages), *(Route(path, _file) for path in FILES)]
