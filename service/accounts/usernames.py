"""Rules for user names and shown names."""

import re
import unicodedata

from core.errors import InputError

MAX_USERNAME, MAX_NAME = 64, 100
USERNAME = re.compile(
    r"[a-z0-9áàâäãåæçéèêëíìîïñóòôöõøœúùûüýÿ][a-z0-9áàâäãåæçéèêëíìîïñóòôöõøœúùûüýÿ._@+-]{1,63}"
)
"""Western European letters only: look-alikes of other scripts would pass for another person."""


def username_of(typed: str) -> str:
    """The canonical form of a user name: NFKC, case-folded, without spaces around.

    Raises:
        InputError: the text is not a user name.
    """
    folded = unicodedata.normalize("NFKC", typed[: 4 * MAX_USERNAME]).strip().casefold()
    folded = unicodedata.normalize("NFKC", folded)
    if len(typed) > 4 * MAX_USERNAME or not USERNAME.fullmatch(folded):
        raise InputError(
            "El nombre de usuario admite letras latinas, números y . _ - @ +, "
            f"de 2 a {MAX_USERNAME} caracteres, y empieza por letra o número."
        )
    return folded


def name_of(typed: str, otherwise: str, longest: int = MAX_NAME) -> str:
    """The shown name without control or direction characters; `otherwise` when nothing is left.

    Raises:
        InputError: the name is too long.
    """
    kept = "".join(" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in typed)
    name = " ".join(kept.split())
    if len(name) > longest:
        raise InputError(f"El nombre supera los {longest} caracteres: abrévielo.")
    return name or otherwise
