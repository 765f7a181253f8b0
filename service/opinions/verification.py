"""The check of a certificate by its recipient, with the document that names it."""

from hashlib import sha256
from pathlib import Path
from typing import Annotated

from pydantic import Field

from core.errors import InputError
from core.values import Value
from service.contract.citations import LONGEST_FILE
from service.opinions.certificate import MOST_BYTES, Checked, verify
from service.opinions.keys import own_key

OURS = "la de esta instalación"
UNKNOWN = (
    "El certificado está como se firmó, pero esta instalación todavía no tiene clave: no se sabe quién lo "
    "firmó."
)
NAMED = "El documento nombra este certificado por su SHA-256."
NOT_NAMED = (
    "El documento no nombra este certificado: no se hizo con él, o su línea de procedencia se ha quitado."
)
TOO_BIG = "«{name}» es demasiado grande para ser un certificado: compruebe que es el archivo."
SEARCHED_WITHOUT = str.maketrans("", "", " \n\r\t\u00ad\u200b")


class CertificateRequest(Value):
    """A certificate as text and, to know whether it goes with it, the text of a document."""

    certificate: Annotated[str, Field(max_length=MOST_BYTES)]
    text: Annotated[str, Field(max_length=LONGEST_FILE)] = ""

    @property
    def content(self) -> bytes:
        return self.certificate.encode("utf-8", "surrogatepass")


NAME = "certificado"


class CertificateDocument(Checked):
    """The result of a check.

    Attributes:
        sha256: of the certificate's bytes.
        named: whether the document names it; None without a document.
    """

    sha256: str
    named: bool | None = None


def check(home: Path, name: str, content: bytes, text: str = "") -> CertificateDocument:
    """Check that this installation signed a certificate, and that a document names it.

    A certificate that is sound by the key it carries is not called so where there is no key to compare.

    Args:
        name: of the certificate's file, for the sentence.
        text: that of the document; '' without one.

    Raises:
        InputError: it is too large.
        ConfigurationError: the key of the installation cannot be read.
    """
    if len(content) > MOST_BYTES:
        raise InputError(TOO_BIG.format(name=name))
    key = own_key(home)
    found = verify(name, content, key, OURS if key else "")
    if key is None and found.sound:
        found = Checked(sound=False, state="other_key", told=UNKNOWN)
    digest = sha256(content).hexdigest()
    named = digest in text.translate(SEARCHED_WITHOUT).lower() if text else None
    return CertificateDocument(**found.model_dump(), sha256=digest, named=named)
