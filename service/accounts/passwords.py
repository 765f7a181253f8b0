"""Passwords: the rules for a good one, and its argon2id hash.

Rules: a length and a list of common passwords, none of composition (NIST SP 800-63B, section 5.1.1.2).
"""

import secrets
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import Type

from core.errors import InputError

MAX_LENGTH = 1024
ENOUGH_DIFFERENT = 5  # distinct characters that make a text more than a repetition
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Characters of one-time passwords, without those easily misread (i, l, o, 0, 1)."""

ROWS = ("0123456789", "9876543210", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm")
COMMON = (
    "password passw0rd contraseña contrasena clave secreto acceso entrar bienvenido welcome letmein iloveyou "
    "tequiero administrador administrator admin usuario user abogado abogada letrado despacho bufete laboral "
    "articulado españa espana madrid barcelona realmadrid qwerty asdfgh zxcvbn dragon monkey football "
    "changeme cambiame cambiar temporal default prueba test hola login master"
)
"""Separated by spaces."""


class Passwords:
    """Hashes and verifies passwords, by default as RFC 9106 says for little memory (64 MiB, 3 passes).

    Args:
        minimum: least characters of a password.
        memory: KiB of one hash.
    """

    def __init__(self, minimum: int, *, memory: int = 64 * 1024, passes: int = 3) -> None:
        self._minimum = minimum
        self._hasher = PasswordHasher(
            time_cost=passes, memory_cost=memory, parallelism=1, hash_len=32, salt_len=16, type=Type.ID
        )
        # A well-formed hash that no password has; verifying against it takes as long as against a real one.
        self._nobody = f"$argon2id$v=19$m={memory},t={passes},p=1${'A' * 22}${'A' * 43}"

    def hash(self, password: str) -> str:
        """The argon2id hash with a fresh salt."""
        return self._hasher.hash(_bytes(password))

    def verify(self, stored: str, password: str) -> bool:
        """True for the right password; '' as `stored` is an account without one, and takes as long."""
        if len(password) > MAX_LENGTH:
            stored = password = ""
        try:
            return self._hasher.verify(stored or self._nobody, _bytes(password)) and bool(stored)
        except (VerificationError, InvalidHashError):
            return False

    def is_outdated(self, stored: str) -> bool:
        """True if the hash was made with other parameters than today's."""
        return self._hasher.check_needs_rehash(stored)

    def require_good(self, password: str, username: str) -> None:
        """Raises InputError if the password is too short or long, holds the user name, or is common."""
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
    """True for a case-folded text made only of common words, rows of keys and repetitions."""
    rest = folded
    for word in COMMON.split():
        rest = rest.replace(word, "")
    return _is_simple(folded) or _is_simple(rest)


def _is_simple(text: str) -> bool:
    parts = (str.isalpha, str.isdigit, lambda letter: not letter.isalnum())
    return all(_is_row("".join(filter(part, text))) for part in parts)


def _is_row(part: str) -> bool:
    return len(set(part)) < ENOUGH_DIFFERENT or any(part in row * 2 for row in ROWS)


def one_time() -> str:
    """A password to hand to a person, who changes it: four groups of five letters, 99 bits."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(5)) for _ in range(4))


def _bytes(password: str) -> bytes:
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
