"""An OpenID Connect provider over real HTTP on this machine, which a test can make misbehave."""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLIENT, SECRET = "articulado", "un secreto: con símbolos / y %"
KEY_BITS = 2048


def key(kid: str) -> RSAKey:
    return RSAKey.generate_key(KEY_BITS, {"kid": kid, "use": "sig", "alg": "RS256"})


@dataclass
class Provider:
    """Keeps the requests that it gets; its answers can be changed field by field.

    Attributes:
        person: claims of the person who signs in.
        wrong: claims to put in the place of the right ones; None takes one away.
        metadata: entries to put in the place of the right ones.
        algorithm: 'none' and 'HS256' are signed as an attacker would.
        broken: paths that contain this text answer 500.
        moved: paths that contain this text redirect to /elsewhere.
        wait: seconds before an answer, until `hurry` is set.
    """

    person: dict[str, Any] = field(
        default_factory=lambda: {"sub": "7", "preferred_username": "ana", "name": "Ana"}
    )
    wrong: dict[str, Any] = field(default_factory=dict)
    userinfo: dict[str, Any] | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    algorithm: str = "RS256"
    signer: RSAKey = field(default_factory=lambda: key("k1"))
    published: list[RSAKey] = field(default_factory=list)
    broken: str = ""
    moved: str = ""
    wait: float = 0.0
    hurry: threading.Event = field(default_factory=threading.Event)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    sent: list[dict[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.answer(self, {})

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                provider.answer(self, {name: values[0] for name, values in parse_qs(body).items()})

            def log_message(self, format: str, *args: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self.server.server_port}/realm"
        self.published = [self.signer]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.hurry.set()
        self.server.shutdown()
        self.server.server_close()

    def approve(self, address: str) -> dict[str, str]:
        """The parameters that the browser brings back after the person has agreed."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        return {"code": code, "state": asked["state"]}

    def answer(self, request: BaseHTTPRequestHandler, form: dict[str, str]) -> None:
        path = request.path.removeprefix("/realm")
        self.asked.append(path)
        if self.wait:
            self.hurry.wait(self.wait)
        if self.moved and self.moved in path:
            self._send(request, 307, "", location=f"{self.issuer}/elsewhere")
        elif self.broken and self.broken in path:
            self._send(request, 500, "<html>oops</html>")
        elif path == "/.well-known/openid-configuration":
            self._send(request, 200, self._description())
        elif path == "/keys":
            self._send(request, 200, KeySet(self.published).as_dict(private=False))  # type: ignore[arg-type]
        elif path == "/token":
            self._token(request, form)
        elif path == "/userinfo":
            self._send(request, 200, self.userinfo or {})
        else:
            self._send(request, 404, "")

    def _description(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "end_session_endpoint": f"{self.issuer}/logout",
            **self.metadata,
        }

    def _token(self, request: BaseHTTPRequestHandler, form: dict[str, str]) -> None:
        self.sent.append({**form, "authorization": request.headers.get("authorization", "")})
        asked = self.codes.pop(form.get("code", ""), None)
        verifier = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).rstrip(b"=").decode()
        if (
            asked is None
            or challenge != asked["code_challenge"]
            or form["redirect_uri"] != asked["redirect_uri"]
        ):
            self._send(request, 400, {"error": "invalid_grant", "error_description": "<b>no</b>"})
            return
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "exp": now + 300,
            "iat": now,
            "nonce": asked["nonce"],
            **self.person,
            **self.wrong,
        }
        token = self._signed({name: value for name, value in claims.items() if value is not None})
        self._send(request, 200, {"access_token": "at", "token_type": "Bearer", "id_token": token})

    def _signed(self, claims: dict[str, Any]) -> str:
        if self.algorithm == "RS256":
            return jwt.encode({"alg": "RS256", "kid": self.signer.kid}, claims, self.signer)
        header = {"alg": self.algorithm, "kid": self.signer.kid}
        parts = [_b64(json.dumps(part).encode()) for part in (header, claims)]
        if self.algorithm == "none":
            return ".".join([*parts, ""])
        # The classic confusion: HMAC with the public key, which everybody has.
        public = self.signer.as_pem(private=False)
        return ".".join([*parts, _b64(hmac.digest(public, ".".join(parts).encode(), "sha256"))])

    def _send(self, request: BaseHTTPRequestHandler, status: int, body: Any, **headers: str) -> None:
        sent = (body if isinstance(body, str) else json.dumps(body)).encode()
        request.send_response(status)
        for name, value in {"content-length": str(len(sent)), **headers}.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(sent)


def _b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
