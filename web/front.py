"""Front page: Streamlit's index.html in Spanish, with our name, icon, style and translations."""

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import streamlit
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from text.textnorm import HIDDEN
from web.base.access import ICON, PREFERENCES, SCRIPTS

TITLE = "Articulado"
STATIC = Path(__file__).parent / "static"
DRAFTS = "/drafts.js"
FILES = {
    **dict.fromkeys(SCRIPTS, "text/javascript"),
    "/articulado.css": "text/css",
    "/print.css": "text/css",
    ICON: "image/svg+xml",
}
# Saves the browser a failed request: it would look for the server under the page's own address first.
BASE = "<script>window.__streamlit = {BACKEND_BASE_URL: location.origin}</script>"
# The first two are not deferred: theme and translations have to be there before Streamlit's script draws.
HEAD = (
    BASE
    + "".join(f'<script src="{path}"></script>' for path in (PREFERENCES, *SCRIPTS[:2]))
    + '<link rel="stylesheet" href="/articulado.css" />'
    '<link rel="stylesheet" href="/print.css" media="print" />'
    + "".join(f'<script src="{path}" defer></script>' for path in SCRIPTS[2:])
    + '<meta name="color-scheme" content="light dark" /></head>'
)

# Patterns and their replacements; each pattern must match, or Streamlit has changed.
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
        RuntimeError: these edits do not fit this Streamlit's index.html.
    """
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_text("utf-8")
    for pattern, replacement in EDITS:
        page, count = re.subn(pattern, replacement, page, count=1)
        if not count:
            raise RuntimeError(f"web/front.py does not know this Streamlit: {pattern} not in index.html")
    return page


def script_hashes() -> list[str]:
    """CSP hashes of the inline scripts of the front page, computed so that an upgrade needs no edit here."""
    scripts = re.findall(r"<script>(.*?)</script>", front_page(), re.S)
    return [
        "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts
    ]


@lru_cache(maxsize=1)
def drafts() -> str:
    """The script of drafts, which takes out of a text the characters that the server does."""
    hidden = re.sub("[^-]", lambda match: f"\\u{{{ord(match[0]):x}}}", HIDDEN)
    return (STATIC / DRAFTS.lstrip("/")).read_text("utf-8").replace("__HIDDEN__", hidden)


async def _drafts(request: Request) -> Response:
    return Response(drafts(), media_type=FILES[DRAFTS], headers={"Cache-Control": "no-cache"})


async def _page(request: Request) -> HTMLResponse:
    return HTMLResponse(front_page(), headers={"Cache-Control": "no-cache"})


async def _file(request: Request) -> FileResponse:
    path = request.url.path
    return FileResponse(
        STATIC / path.lstrip("/"), media_type=FILES[path], headers={"Cache-Control": "no-cache"}
    )


def routes(pages: Sequence[str]) -> list[Route]:
    """The front page at each path of `pages`, and our own files."""
    files = (Route(path, _drafts if path == DRAFTS else _file) for path in FILES)
    return [*(Route(path, _page) for path in pages), *files]
