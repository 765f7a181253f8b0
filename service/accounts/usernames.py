"""What may be the name of an account."""

from __future__ import annotations

import re
import unicodedata

from rag.errors import InputError

MAX_USERNAME, MAX_NAME = 64, 100
USERNAME = re.compile(
    r"[a-z0-9áàâäãåæçéèêëíìîïñóòôöõøœúùûüýÿ][a-z0-9áàâäãåæçéèêëíìîïñóòôöõøœúùûüýÿ._@+-]{1,63}"
)
"""Letters of western Europe only: one of another script that looks the same would pass for another person."""


def username_of(typed: str) -> str:
    """The one way of writing a user name: NFKC, without case or spaces around.

    Raises:
        InputError: it is none.
    """
    folded = unicodedata.normalize("NFKC", typed[: 4 * MAX_USERNAME]).strip().casefold()
    folded = unicodedata.normalize("NFKC", folded)
    if len(typed) > 4 * MAX_USERNAME or not USERNAME.fullmatch(folded):
        raise InputError(
            "El nombre de usuario admite letras latinas, números y . _ - @ +, "
            f"de 2 a {MAX_USERNAME} caracteres, y empieza por letra o número."
        )
    return folded


def name_of(typed: str, username: str) -> str:
    """The name that is shown, without control or direction characters; the user name when it is empty.

    Raises:
        InputError: it is too long.
    """
    kept = "".join(" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in typed)
    name = " ".join(kept.split())
    if len(name) > MAX_NAME:
        raise InputError(f"El nombre supera los {MAX_NAME} caracteres: abrévielo.")
    return name or username
