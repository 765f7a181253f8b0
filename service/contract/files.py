"""A file that was made for a person, as a document."""

from base64 import b64decode, b64encode
from hashlib import sha256

from core.values import Value

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
"""Media type of a Word file."""


class FileDocument(Value):
    """A file.

    Attributes:
        name: under which it may be saved.
        media_type: as in a Content-Type.
        sha256: of its bytes, in hexadecimal.
        content: its bytes in base64 (RFC 4648, section 4).
    """

    name: str
    media_type: str
    sha256: str
    content: str

    @property
    def data(self) -> bytes:
        return b64decode(self.content)


def file_document(name: str, media_type: str, data: bytes) -> FileDocument:
    """The document of a file with these bytes."""
    return FileDocument(
        name=name, media_type=media_type, sha256=sha256(data).hexdigest(), content=b64encode(data).decode()
    )
