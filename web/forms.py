"""Form bodies, read within limits, and the CSRF token that ties a form to this browser.

The cookie holds a secret; the form holds a MAC made with it over the form's path and the session. A token is
valid for one form of one session in one browser (double submit; the server keeps nothing). The guard has
checked the Origin before.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

BODY_LIMIT = 16 * 1024
FIELD_LIMIT = 20
CSRF = "csrf"
KEY_BYTES = 32


class BadForm(Exception):
    """The body does not come from one of our forms; `status` is the HTTP status of the refusal."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def cookie_name(secure: bool) -> str:
    """Name of the cookie with the CSRF secret."""
    return "__Secure-articulado_form" if secure else "articulado_form"


class Csrf:
    """The CSRF token of one browser for the form at one path."""

    def __init__(self, request: Request, session: str, *, secure: bool) -> None:
        known = request.cookies.get(cookie_name(secure), "")
        self._key = known if len(known) == KEY_BYTES * 2 and known.isalnum() else secrets.token_hex(KEY_BYTES)
        self._path = request.url.path
        self._session = session
        self._secure = secure

    @property
    def token(self) -> str:
        said = f"{self._path}\n{self._session}"
        return hmac.new(self._key.encode(), said.encode(), hashlib.sha256).hexdigest()

    def accepts(self, form: Mapping[str, str]) -> bool:
        return hmac.compare_digest(form.get(CSRF, "").encode(), self.token.encode())

    def keep(self, response: Response) -> None:
        """Set the secret's cookie: until the browser is closed, for this path and our own pages only."""
        response.set_cookie(
            cookie_name(self._secure),
            self._key,
            path=self._path,
            httponly=True,
            samesite="strict",
            secure=self._secure,
        )


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form; a repeated field counts once, with its first value.

    Raises:
        BadForm: too long, of another type, or with too many fields.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise BadForm(415, "Formulario de un tipo desconocido.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_LIMIT:
            raise BadForm(413, "Formulario demasiado largo.")
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=FIELD_LIMIT)
    except ValueError:
        raise BadForm(400, "Formulario mal escrito.") from None
    form: dict[str, str] = {}
    for name, value in pairs:
        form.setdefault(name, value)
    return form
