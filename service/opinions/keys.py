"""The key that signs certificates: Ed25519, made on first use in the folder of the installation.

Its name is hidden: a backup, which travels, does not take it along. An installation that is restored makes a
new one; what the old one signed is checked with its public half.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import portalocker

from core.errors import ConfigurationError
from core.whole_files import written_whole

if TYPE_CHECKING:
    from joserfc.jwk import OKPKey

FILE, LOCK = ".certificate-key.json", ".certificate-key.lock"
LOCK_SECONDS = 30.0
UNUSABLE = (
    "La clave de los certificados ({name}, en ARTICULADO_HOME) no se puede leer o no es una clave Ed25519: "
    "devuélvala a su sitio, o retírela para que se haga otra."
)
UNWRITABLE = (
    "No se puede guardar la clave de los certificados en ARTICULADO_HOME ({why}): compruebe sus permisos y "
    "el espacio."
)


def signing_key(home: Path) -> OKPKey:
    """The private key of an installation; several processes that ask at once get the same one.

    Raises:
        ConfigurationError: it can be neither read nor made.
    """
    try:
        with portalocker.Lock(home / LOCK, mode="a", timeout=LOCK_SECONDS):
            return own_key(home) or _made(home / FILE)
    except (OSError, portalocker.LockException) as error:
        raise ConfigurationError(UNWRITABLE.format(why=getattr(error, "strerror", "") or error)) from error


def own_key(home: Path) -> OKPKey | None:
    """The private key of an installation, or None while it has none. Raises ConfigurationError."""
    try:
        content = (home / FILE).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigurationError(UNUSABLE.format(name=FILE)) from error
    key = read_key(content)
    if key is None or not key.is_private:
        raise ConfigurationError(UNUSABLE.format(name=FILE))
    return key


def read_key(content: bytes) -> OKPKey | None:
    """The Ed25519 key that a JWK holds, or None if it holds none."""
    from joserfc.errors import JoseError
    from joserfc.jwk import OKPKey

    try:
        found = json.loads(content)
        key = OKPKey.import_key({name: found[name] for name in ("kty", "crv", "x", "d") if name in found})
        return key if key.curve_name == "Ed25519" else None
    except (JoseError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def public(key: OKPKey) -> dict[str, str]:
    """The public half as a JWK, whose members are those that its thumbprint is made of (RFC 7638)."""
    found = key.as_dict(private=False)
    return {name: str(found[name]) for name in ("crv", "kty", "x")}


def _made(path: Path) -> OKPKey:
    from joserfc.jwk import OKPKey

    key = OKPKey.generate_key("Ed25519")
    with written_whole(path) as stream:
        stream.write(json.dumps(key.as_dict(private=True)).encode())
    return key
