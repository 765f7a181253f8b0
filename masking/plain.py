"""Text in small letters without accents, letter for letter, so that its offsets are those of the original."""

import unicodedata


def plain(text: str) -> str:
    """The text with each letter in its plain small form; it is as long as the original."""
    if text.isascii():
        return text.lower()
    return text.translate({ord(char): _letter(char) for char in set(text) if not char.isascii()}).lower()


def _letter(char: str) -> str:
    base = unicodedata.normalize("NFD", char)[0].lower()
    return base if len(base) == 1 else char
