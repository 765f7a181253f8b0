"""Passwords: what may be one, and its argon2id hash.

Length and a list of what everybody tries first, no rules of composition: NIST SP 800-63B, section 5.1.1.2.
"""

from __future__ import annotations

import secrets
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import Type

from rag.errors import InputError

MAX_LENGTH = 1024
ENOUGH_DIFFERENT = 5
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of one-time passwords: nothing that is read for something else."""

ROWS = ("0123456789", "9876543210", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm")
COMMON = (
    *(
        "password",
        "passw0rd",
        "contraseña",
        "contrasena",
        "clave",
        "secreto",
        "acceso",
        "entrar",
        "bienvenido",
    ),
    *(
        "welcome",
        "letmein",
        "iloveyou",
        "tequiero",
        "administrador",
        "administrator",
        "admin",
        "usuario",
        "user",
    ),
    *("abogado", "abogada", "letrado", "despacho", "bufete", "laboral", "articulado", "españa", "espana"),
    *("madrid", "barcelona", "realmadrid", "qwerty", "asdfgh", "zxcvbn", "dragon", "monkey", "football"),
    *("changeme", "cambiame", "cambiar", "temporal", "default", "prueba", "test", "hola", "login", "master"),
)


class Passwords:
    """Hashes and checks; the defaults of RFC 9106 (64 MiB, 3 passes) on one thread.

    Args:
        minimum: characters of a password, at least.
        memory: KiB that one hash takes.
    """

    def __init__(self, minimum: int, *, memory: int = 64 * 1024, passes: int = 3) -> None:
        self._minimum = minimum
        self._hasher = PasswordHasher(
            time_cost=passes, memory_cost=memory, parallelism=1, hash_len=32, salt_len=16, type=Type.ID
        )
        # A well-formed hash that no password has: checking against it takes as long as against a real one.
        self._nobody = f"$argon2id$v=19$m={memory},t={passes},p=1${'A' * 22}${'A' * 43}"

    def hash(self, password: str) -> str:
        return self._hasher.hash(_bytes(password))

    def verify(self, stored: str, password: str) -> bool:
        """Whether it is the password; '' stands for an account without one, and takes as long."""
        if len(password) > MAX_LENGTH:
            stored = password = ""
        try:
            return self._hasher.verify(stored or self._nobody, _bytes(password)) and bool(stored)
        except (VerificationError, InvalidHashError):
            return False

    def is_outdated(self, stored: str) -> bool:
        """Whether it was made with other parameters than today's."""
        return self._hasher.check_needs_rehash(stored)

    def require_good(self, password: str, username: str) -> None:
        """Raises InputError: it is too short, too long, holds the user name, or is one of the first tried."""
        if len(password) > MAX_LENGTH:
            raise InputError(f"La contraseña supera los {MAX_LENGTH} caracteres.")
        folded = unicodedata.normalize("NFKC", password).casefold()
        if len(unicodedata.normalize("NFKC", password)) < self._minimum:
            raise InputError(f"La contraseña debe tener al menos {self._minimum} caracteres.")
        own = username.casefold().partition("@")[0]
        if folded in (own, username.casefold()) or (len(own) >= 4 and own in folded):
            raise InputError("La contraseña no puede contener el nombre de usuario.")
        if is_common(folded):
            raise InputError("Esa contraseña es de las primeras que se prueban: elija otra, mejor una frase.")


def is_common(folded: str) -> bool:
    """Whether it is made of words that everybody tries, rows of keys and repetitions."""
    rest = folded
    for word in COMMON:
        rest = rest.replace(word, "")
    return _is_simple(folded) or _is_simple(rest)


def _is_simple(text: str) -> bool:
    parts = (str.isalpha, str.isdigit, lambda letter: not letter.isalnum())
    return all(_is_row("".join(filter(part, text))) for part in parts)


def _is_row(part: str) -> bool:
    return len(set(part)) < ENOUGH_DIFFERENT or any(part in row * 2 for row in ROWS)


def one_time() -> str:
    """A password to be told to somebody and changed by them: four groups of five, 99 bits."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(5)) for _ in range(4))


def _bytes(password: str) -> bytes:
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
