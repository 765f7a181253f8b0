"""Mails with their attachments: read as what they hold, or refused with a sentence."""

import base64
import io
import re
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from core.errors import InputError
from law.norms import DOCUMENT, Document
from loading.chunking.chunk import page_marks
from loading.formats import ATTACHED, NOT_A_PAPER, discover, load
from loading.formats.eml import CIPHERED, DAMAGED, NO_TEXT, NOT_MAIL, TOO_MANY
from tests.office_files import pdf
from tests.word_files import p, word_xml

HEAD = "From: a@faro.example\nMIME-Version: 1.0\n"
LETTER = "Buenos días:\n\nLe adjunto la carta de despido.\n"


def mail(subject: str = "Carta de Íñigo — 3", **attached: bytes) -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"] = "María Núñez <maria@faro.example>", "grumete@faro.example"
    made["Subject"], made["Date"] = subject, "Thu, 12 Mar 2026 10:33:00 +0100"
    made.set_content(LETTER)
    for name, data in attached.items():
        # What a program says of an attachment is not what it is.
        made.add_attachment(data, maintype="image", subtype="png", filename=name.replace("_", "."))
    return made


def read(tmp_path: Path, data: bytes, name: str = "correo.eml") -> list[Document]:
    path = tmp_path / "archivo"
    path.write_bytes(data)
    return load(path, DOCUMENT, name)


def text(documents: list[Document]) -> str:
    return "\n".join(one.versions[0].text for document in documents for one in document.blocks)


def test_a_mail_has_its_sender_day_and_subject_its_text_and_each_attachment(tmp_path: Path) -> None:
    word, letter = word_xml(p("Contrato de trabajo.")), pdf([["Carta de despido por faltas."]])
    picture = b"\x89PNG\r\n\x1a\n" + bytes(99)
    found = read(tmp_path, mail(carta_pdf=letter, ñandú_docx=word, foto_png=picture).as_bytes())
    for said in (
        "De: María Núñez <maria@faro.example>",
        "Fecha: 12 de marzo de 2026, 10:33 (+0100)",
        "Asunto: Carta de Íñigo — 3",
        "Adjuntos: carta.pdf, ñandú.docx, foto.png",
        "Le adjunto la carta de despido.",
        "Adjunto «carta.pdf»:\nCarta de despido por faltas.",
        "Adjunto «ñandú.docx»:\nContrato de trabajo.",
    ):
        assert said in text(found), said
    assert [one.split(":")[0] for one in found[0].warnings] == ["foto.png"]
    assert not any(page_marks(block) for one in found for block in one.blocks)


@pytest.mark.parametrize("name", ["correo.eml", "renombrado.txt", "sin_nombre"])
def test_a_mail_is_known_by_its_head(tmp_path: Path, name: str) -> None:
    assert "De: María" in text(read(tmp_path, mail().as_bytes(), name))


def test_mails_inside_a_mail_are_read_with_it(tmp_path: Path) -> None:
    outer = mail("Reenvío")
    outer.add_attachment(mail("Uno", a_txt=b"Texto del adjunto."))
    outer.add_attachment(mail("Dos").as_bytes(), maintype="application", subtype="x", filename="../../b.eml")
    found = text(read(tmp_path, outer.as_bytes()))
    assert re.findall("Asunto: (.*)", found) == ["Reenvío", "Uno", "Dos"]
    assert "Adjunto «a.txt»:\nTexto del adjunto." in found and found.count("Adjunto «") == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (f"{HEAD}Content-Type: text/html\n\n<p>Solo <b>HTML</b></p><script>no</script>", "Solo HTML"),
        (f"{HEAD}Content-Type: text/plain; charset=iso-8859-1\n\nAcción".encode("latin-1"), "Acción"),
        (f"{HEAD}Content-Type: text/plain; charset=klingon\n\nAcción", "Acción"),
        (f"{HEAD}Content-Type: text/plain; charset=punycode\n\n{'abc-' * 99_999}", "abc-abc-"),
        (f"{HEAD}Content-Type: multipart/mixed\n\nSin partes", "Sin partes"),
        (f"{HEAD}Date: Fri, 99 Foo 99999 10:99\n\nTexto", "Fecha: Fri, 99 Foo 99999 10:99"),
        (f"{HEAD}Subject: =?utf-8?Q?Acci=C3=B3n?= =?x?B?w7E=?=\n\nTexto", "Asunto: Acciónñ"),
        (b"From: \xff@x\nReceived: x\nSubject: \xe1\n\nTexto \xff", "Asunto: á"),
        (f"{HEAD}Subject: {'=?utf-8?B?w7E=?= ' * 99_999}\n\nTexto", "Texto"),
        (f"{HEAD}Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n%%%", "De: a@faro"),
        (f"{HEAD}Content-Type: text/html\n\n<html><body><img src='a.png'></body></html>", NO_TEXT),
    ],
)
def test_an_odd_mail_gives_what_it_has(tmp_path: Path, data: str | bytes, said: str) -> None:
    found = text(read(tmp_path, data if isinstance(data, bytes) else data.encode()))
    assert said in found and "<" not in found.replace("<maria", "")


def inside(count: int, kind: str) -> str:
    """That many parts, each within the one before."""
    if kind == "message":
        return f"{HEAD}Content-Type: message/rfc822\n\n" * count + f"{HEAD}\nFin"
    begun = (f"Content-Type: multipart/mixed; boundary=B{n}\n\n--B{n}\n" for n in range(count))
    return f"{HEAD}{''.join(begun)}Content-Type: text/plain\n\nFin"


MANY = (
    f"{HEAD}Content-Type: multipart/mixed; boundary=B\n\n{'--B' + chr(10) * 2 + 'x' + chr(10)}"
    + "--B\n\nx\n" * 9999
)
SMIME = f"{HEAD}Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\nAAAA"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (MANY, TOO_MANY),
        (inside(5000, "parts"), TOO_MANY),
        (inside(5000, "message"), DAMAGED),
        (SMIME, CIPHERED),
        ("Texto sin cabecera.", NOT_MAIL),
        (" \n", "está vacío"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "__substg1.0_".encode("utf-16-le"), "guárdelo como .eml"),
    ],
)
def test_a_mail_that_cannot_be_read_says_why(tmp_path: Path, data: str | bytes, told: str) -> None:
    with pytest.raises(InputError, match=re.escape(told.format(name="correo.eml"))):
        read(tmp_path, data if isinstance(data, bytes) else data.encode())


def test_a_zip_within_a_mail_is_told_and_a_zip_of_mails_is_read(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr("uno.eml", mail("Uno").as_bytes())
    (found,) = read(tmp_path, mail(todo_zip=stream.getvalue()).as_bytes())
    assert found.warnings == (f"todo.zip: {ATTACHED}",)
    assert "Asunto: Uno" in text(read(tmp_path, stream.getvalue(), "correos.zip"))


def test_a_huge_attachment_of_nothing_is_told(tmp_path: Path) -> None:
    body = base64.encodebytes(bytes(20_000_000)).decode()
    head = f"{HEAD}Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n"
    (found,) = read(tmp_path, f"{head}Content-Disposition: attachment; filename=x.pdf\n\n{body}".encode())
    assert found.warnings == ("x.pdf: está vacío; compruebe el archivo y súbalo otra vez.",)


@pytest.mark.parametrize("collection", ["normativa", "sentencias", "escrito"])
def test_no_law_and_no_brief_is_taken_from_a_mail_and_a_folder_names_it(
    tmp_path: Path, collection: str
) -> None:
    path = tmp_path / "correo.eml"
    path.write_bytes(mail().as_bytes())
    assert discover([tmp_path]) == [path]
    with pytest.raises(InputError, match=re.escape(NOT_A_PAPER.format(name="correo.eml"))):
        load(path, collection)
