"""Decodes bytes into text: detects the encoding and removes characters that the database must not get."""

import codecs
import re
import unicodedata
from pathlib import PurePath

from core.errors import InputError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNKNOWN = "{name}: no se reconoce su codificación; guárdelo como UTF-8 y súbalo otra vez."
_NO_TEXT = "{name}: no es un documento de texto; conviértalo a PDF, DOCX o texto y súbalo otra vez."
_NOT_WHAT_IT_SAYS = (
    "{name}: está dañado o no es un {kind}; compruebe que se abre, guárdelo otra vez como {kind} y súbalo."
)
_NEVER_TEXT = frozenset({".pdf", ".docx", ".odt", ".xlsx", ".zip"})
_SAMPLE = 4000
_MANY_NULS, _FEW_NULS = 0.15, 0.025
_MANY_CONTROLS = 0.02
_BREAKS = re.compile(r"\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Controls, the soft hyphen, zero-width signs, direction marks, halves of surrogate pairs, non-characters.
_NEVER = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064"
    "\u2066-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
_SPANISH = frozenset("áéíóúüñçàèìòùâêîôûïÁÉÍÓÚÜÑÇÀÈÒ¿¡ºª°§«»“”‘’–—…•·€´\xa0")
_MOSTLY = 0.6
MOST_MARKS = 30
"""Marks on one letter, as Unicode's stream-safe text has them (UAX #15, 13)."""
_SIGNS = re.compile(rf"[^\w\s\x00-\u02ff]{{{MOST_MARKS + 1},}}")
_CONTROL_BYTES = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def decode(data: bytes, name: str) -> str:
    """The text of a file: by its byte order mark, else UTF-16 by its NULs, else UTF-8, else Windows-1252.

    Any bytes decode as Windows-1252, so text with many control characters, or with few Spanish signs among
    its non-ASCII characters, is refused.

    Raises:
        InputError: the bytes are not text, or their encoding is not supported.
    """
    mark, encoding = _declared(data)
    if encoding:
        try:
            return clean(data[len(mark) :].decode(encoding))
        except UnicodeDecodeError as error:
            raise _refusal(name, _UNKNOWN) from error
    controls = len(_CONTROL_BYTES.findall(data[:_SAMPLE]))
    if controls > max(1, len(data[:_SAMPLE]) * _MANY_CONTROLS):
        raise _refusal(name, _NO_TEXT)
    try:
        return clean(data.decode("utf-8"))
    except UnicodeDecodeError:
        text = _western(data)
    foreign = [sign for sign in text if ord(sign) > 127]
    if sum(sign in _SPANISH for sign in foreign) < len(foreign) * _MOSTLY:
        raise _refusal(name, _UNKNOWN)
    return clean(text)


def _refusal(name: str, told: str) -> InputError:
    """Sentence about bytes that are no text; their name may say which format they were meant for."""
    suffix = PurePath(name).suffix.lower()
    return InputError(
        (_NOT_WHAT_IT_SAYS if suffix in _NEVER_TEXT else told).format(name=name, kind=suffix[1:].upper())
    )


def _western(data: bytes) -> str:
    """Windows-1252, or Latin-1 where it uses bytes that Windows left empty."""
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _declared(data: bytes) -> tuple[bytes, str]:
    """The byte order mark and its encoding; both empty when only decoding can tell.

    UTF-16 needs no mark: in Spanish nearly every other byte is NUL.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return mark, encoding
    sample = data[:_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    few, many = sorted((even, odd))
    if len(sample) < 4 or few > len(sample) * _FEW_NULS or many <= len(sample) * _MANY_NULS:
        return b"", ""
    return b"", "utf-16-le" if many == odd else "utf-16-be"


def clean(text: str) -> str:
    """The text in NFC, with line feeds only and no characters that a database or vector index rejects."""
    return unicodedata.normalize("NFC", _SIGNS.sub(_few_marks, _NEVER.sub("", _BREAKS.sub("\n", text))))


def _few_marks(run: re.Match[str]) -> str:
    """Signs in a row with the marks of the first ones only: normalising sorts those of one letter."""
    kept, rest = run.group()[:MOST_MARKS], run.group()[MOST_MARKS:]
    return kept + "".join(sign for sign in rest if not unicodedata.combining(sign))


def one_line(text: str) -> str:
    """The text with each run of white space as one blank, and none at its ends."""
    return " ".join(text.split())
