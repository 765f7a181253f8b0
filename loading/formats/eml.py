"""Reads a mail (RFC 5322, MIME): its head and text, and its attachments as files, by what they hold.

Mails inside it are read with it, one after the other, so that none nests deeper than the next.
"""

import codecs
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from core.errors import InputError
from law.dates import spelled
from law.norms import DOCUMENT
from loading.formats import encoding, html
from loading.formats.broken_lines import Line, Paragraph, paragraphs
from loading.formats.encoding import clean, one_line
from loading.formats.source_file import Source, is_mail

MOST_PARTS = 500
LONGEST_HEAD = 2000
NO_TEXT = "El correo no tiene texto."
TOO_MANY = "{name}: el correo tiene más de 500 partes; guarde aparte sus adjuntos y súbalos sueltos."
DAMAGED = "{name}: el correo está dañado; ábralo en su programa, guárdelo otra vez como .eml y súbalo."
NOT_MAIL = "{name}: no es un correo; compruebe el archivo o guárdelo otra vez como .eml y súbalo."
CIPHERED = "{name}: el correo está cifrado; ábralo en su programa y guarde su texto o sus adjuntos."
ATTACHED = "adjunto"
_HEADS = (("From", "De"), ("To", "Para"), ("Cc", "Copia"), ("Date", "Fecha"), ("Subject", "Asunto"))
_CIPHERED = {"application/pkcs7-mime", "application/x-pkcs7-mime", "multipart/encrypted"}
_SIGNATURES = {"application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature"}
_BOUNDARY = re.compile(rb"\bboundary\s*=", re.IGNORECASE)
_SLOW = {"punycode", "idna"}
_BREAKS = (HeaderParseError, LookupError, ValueError, TypeError, AttributeError, RecursionError)
"""Exceptions of the library on a damaged mail."""


class Mail(NamedTuple):
    """The paragraphs of a mail, and its attachments."""

    text: list[Paragraph]
    attached: list[Source]


def read(source: Source) -> Mail:
    """A mail with those inside it.

    Raises:
        InputError: it is damaged, ciphered, or has too many parts.
    """
    if len(_BOUNDARY.findall(source.data)) > MOST_PARTS:
        raise InputError(TOO_MANY.format(name=source.name))
    try:
        return _Reader(source).mail()
    except _BREAKS as error:
        raise InputError(DAMAGED.format(name=source.name)) from error


class _Reader:
    """The parts of one mail, each looked at once."""

    def __init__(self, source: Source) -> None:
        self._name = source.name
        first: Message = BytesParser().parsebytes(source.data)
        if not any(map(first.get, dict(_HEADS))):
            raise InputError(NOT_MAIL.format(name=source.name))
        self._waiting = [first]
        self._attached: list[Source] = []
        self._parts = 0

    def mail(self) -> Mail:
        text: list[Paragraph] = []
        while self._waiting:
            message = self._waiting.pop(0)
            held = len(self._attached)
            body = [one for part in self._shown(message) for one in self._body(part)]
            names = ", ".join(one.name for one in self._attached[held:])
            text += [*_head(message), *([Paragraph(f"Adjuntos: {names}")] if names else [])]
            text += body or [Paragraph(NO_TEXT)]
        return Mail(text, self._attached)

    def _shown(self, message: Message) -> Iterator[Message]:
        """The parts that are its text; attachments and mails inside it are put aside."""
        parts = [message]
        while parts:
            part = parts.pop(0)
            self._parts += 1
            if self._parts > MOST_PARTS:
                raise InputError(TOO_MANY.format(name=self._name))
            kind, inside = part.get_content_type(), part.get_payload()
            if kind in _CIPHERED:
                raise InputError(CIPHERED.format(name=self._name))
            if kind == "message/rfc822" and isinstance(inside, list):
                self._waiting += (one for one in inside if isinstance(one, Message))
            elif kind == "multipart/alternative" and isinstance(inside, list):
                parts = [self._best(inside), *parts]
            elif isinstance(inside, list):
                parts = [*inside, *parts]
            elif part.get_content_disposition() != "attachment" and _is_text(part):
                yield part
            elif kind not in _SIGNATURES:
                self._attach(part, kind)

    def _best(self, versions: list[Any]) -> Message:
        """Of the versions of one text the plain one, if it says anything."""
        plain = (one for one in versions if one.get_content_type() == "text/plain")
        said = (one for one in plain if any(map(str.isalnum, _decoded(one, self._name))))
        best: Message = next(said, versions[-1] if versions else Message())
        return best

    def _body(self, part: Message) -> Iterator[Paragraph]:
        text = _decoded(part, self._name)
        if part.get_content_type() == "text/html" and any(map(str.isalnum, text)):
            page = Source(codecs.BOM_UTF8 + text.encode("utf-8", "replace"), self._name)
            # A page of pictures alone has no text, and its mail may have attachments.
            with suppress(InputError):
                for document in html.load(page, DOCUMENT):
                    versions = (version for block in document.blocks for version in block.versions)
                    yield from (Paragraph(line) for one in versions for line in one.text.split("\n") if line)
            return
        yield from paragraphs([Line(line.rstrip()) for line in text.split("\n")])

    def _attach(self, part: Message, kind: str) -> None:
        # Logos and the like stand within the text.
        if kind.startswith("image/") and part.get_content_disposition() != "attachment":
            return
        data = part.get_payload(decode=True)
        if not isinstance(data, bytes) or not data:
            return
        name = _header(part.get_filename()) or f"{ATTACHED}-{len(self._attached) + 1}"
        source = Source(data, re.split(r"[\\/]", name)[-1] or ATTACHED)
        if is_mail(source):
            self._waiting.append(BytesParser().parsebytes(data))
        else:
            self._attached.append(source)


def _is_text(part: Message) -> bool:
    return part.get_content_type() in ("text/plain", "text/html") and not part.get_filename()


def _head(message: Message) -> Iterator[Paragraph]:
    for name, said in _HEADS:
        text = _day(message) if name == "Date" else _header(message.get(name))
        if text:
            yield Paragraph(f"{said}: {text}")


def _day(message: Message) -> str:
    """'12 de marzo de 2026, 10:33 (+0100)'; as it is written if it is no date."""
    raw = _header(message.get("Date"))
    try:
        moment: datetime = parsedate_to_datetime(raw)
        return f"{spelled(moment.date())}, {moment:%H:%M}{f' ({moment:%z})' if moment.tzinfo else ''}"
    except (*_BREAKS, OverflowError):
        return raw


def _header(value: Any) -> str:
    """A header as a reader sees it, in one line."""
    # A header with bytes that are no ASCII comes as an object, whose text would lose them.
    raw = value[:LONGEST_HEAD] if isinstance(value, str) else value or ""
    parts = [
        _text(part, charset or "utf-8") if isinstance(part, bytes) else part
        for part, charset in decode_header(raw)
    ]
    return one_line(clean("".join(parts)))[:LONGEST_HEAD]


def _decoded(part: Message, name: str) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    charset = part.get_content_charset()
    if charset:
        return clean(_text(data, charset))
    try:
        return encoding.decode(data, name)
    except InputError:
        return clean(_text(data, "utf-8"))


def _text(data: bytes, charset: str) -> str:
    """Bytes as text: of its charset if that is true, else as Western text."""
    for one in (charset, "utf-8"):
        try:
            if codecs.lookup(one).name not in _SLOW:
                return data.decode(one)
        except (LookupError, ValueError):
            continue
    return data.decode("cp1252", "replace")
