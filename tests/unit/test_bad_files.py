"""Files that must not get in, or must not do harm: each has one clear sentence in Spanish."""

import io
import os
import stat
import struct
import zipfile
from pathlib import Path
from random import Random

import pytest

from core.errors import InputError
from loading.formats import archive, load, source_file
from tests.office_files import word, zipped

OLE = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600)
NOISE = Random(7).randbytes(3000)


def refused(tmp_path: Path, data: bytes, name: str, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match=message) as caught:
        load(path)
    sentence = str(caught.value)
    assert sentence.startswith(f"{name}") and sentence.endswith(".") and "\n" not in sentence


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("vacio.pdf", b"", "está vacío"),
        ("blanco.txt", b" \r\n\t\n", "está vacío"),
        ("nulos.txt", bytes(500), "está vacío"),
        ("signos.txt", b"... --- ***", "no contiene texto"),
        ("binario.txt", bytes(range(256)) * 20, "no es un documento de texto"),
        ("era-exe.pdf", b"MZ\x90\x00\x03\x00\x00\x00\x04" * 50, "está dañado o no es un PDF"),
        ("azar.docx", NOISE, "está dañado o no es un DOCX"),
        ("azar.ODT", b"\xff\xfe" + NOISE + b"\x00", "está dañado o no es un ODT"),
        ("azar.txt", NOISE, "no es un documento de texto"),
        ("texto.xyz", b"Algo de texto", r"no se admite; use .*\.pdf, .*\.txt"),
        ("antiguo.doc", OLE, "documento antiguo de Office"),
        ("cifrado.docx", OLE + "EncryptedPackage".encode("utf-16-le"), "contraseña"),
        ("texto.rtf", b"{\\rtf1 hola}", "RTF"),
        ("foto.pdf", b"\x89PNG\r\n\x1a\n" + bytes(50), "es una imagen"),
        ("foto.jpg", b"\xff\xd8\xff\xe0" + bytes(50), "necesita OCR"),
        ("paquete.rar", b"Rar!\x1a\x07" + bytes(50), "use ZIP"),
        ("paquete.gz", b"\x1f\x8b\x08" + bytes(50), "use ZIP"),
        ("otro.xml", b"<?xml version='1.0'?><factura><total>7</total></factura>", "no es una norma del BOE"),
        (
            "solo.xml",
            b"<?xml version='1.0'?><response><metadatos/></response>",
            "faltan los metadatos o el texto",
        ),
        ("roto.xml", b"<response><metadatos><bloque>", "no se puede leer como XML"),
        ("roto.zip", b"PK\x03\x04" + bytes(40), "dañado"),
        ("vacio.zip", b"PK\x05\x06" + bytes(18), "está vacío"),
        (
            "diapositivas.pptx",
            zipped({"[Content_Types].xml": b"<a/>", "ppt/presentation.xml": b"<a/>"}),
            "formato de oficina",
        ),
        ("roto.xlsx", zipped({"xl/workbook.xml": b"<a"}), "dañado; ábralo en Excel"),
        ("vacio.xlsx", zipped({"xl/workbook.xml": b"<a/>"}), "no contiene texto"),
        (
            "texto.odt",
            zipped({"mimetype": b"application/vnd.oasis", "content.xml": b"<a/>"}),
            "no es un documento de texto",
        ),
        ("nada.zip", zipped({"readme.txt": b"Lea esto.", ".oculto.md": b"# A\nB"}), "ningún documento"),
        ("dentro.zip", zipped({"otro.zip": zipped({"a.md": b"# A\n\nB."})}), "otro ZIP"),
        (
            "roto.docx",
            zipped({"word/document.xml": b"<a/>", "[Content_Types].xml": b"<"}),
            "está dañado; ábralo en Word",
        ),
        ("vacio.docx", word([("", "")]), "no contiene texto"),
        ("vacia.html", b"<html><body><script>alert('Hola')</script></body></html>", "no contiene texto"),
    ],
)
def test_what_cannot_be_used_says_why_and_what_to_do(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    refused(tmp_path, data, name, message.replace(".zip", r"\.zip")) if name != "dentro.zip" else _inner(
        tmp_path, data, message
    )


def _inner(tmp_path: Path, data: bytes, message: str) -> None:
    """The name in the sentence is that of the archive inside."""
    path = tmp_path / "dentro.zip"
    path.write_bytes(data)
    with pytest.raises(InputError, match=rf"^otro\.zip.*{message}"):
        load(path)


def test_a_zip_with_nothing_but_a_picture_says_so(tmp_path: Path) -> None:
    path = tmp_path / "todo.zip"
    path.write_bytes(zipped({"foto.png": b"\x89PNG"}))
    with pytest.raises(InputError, match=r"^foto\.png: es una imagen"):
        load(path)


def test_a_file_of_more_than_200_mb_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "enorme.pdf"
    with path.open("wb") as file:
        file.truncate(source_file.MAX_BYTES + 1)
    with pytest.raises(InputError, match="el máximo son 200 MB"):
        load(path)


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cerrado.txt"
    path.write_text("Texto")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("whoever runs the tests may read everything")
    with pytest.raises(InputError, match="no se puede leer"):
        load(path)


def test_a_folder_that_is_no_norm_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="es una carpeta"):
        load(tmp_path)


def bomb(size: int, entries: int = 1) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for number in range(entries):
            made.writestr(f"{number}.txt", bytes(size))
    return out.getvalue()


SWOLLEN = bytes(20 * 1024 * 1024)


@pytest.mark.parametrize(
    ("name", "packed"),
    [
        ("bomba.zip", {"0.txt": SWOLLEN}),
        ("bomba.docx", {"[Content_Types].xml": b"<a/>", "word/document.xml": SWOLLEN}),
        ("bomba.xlsx", {"xl/workbook.xml": b"<a/>", "xl/worksheets/sheet1.xml": SWOLLEN}),
    ],
)
def test_a_package_that_swells_is_refused(tmp_path: Path, name: str, packed: dict[str, bytes]) -> None:
    refused(tmp_path, zipped(packed), name, "crece demasiado")


def test_a_zip_that_would_fill_the_disk_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_TOTAL", 1000)
    refused(tmp_path, bomb(600, entries=2), "grande.zip", "más de 1 GB")


def test_a_zip_of_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_ENTRIES", 3)
    refused(tmp_path, bomb(1, entries=4), "muchos.zip", "más de 3 archivos")


def test_a_zip_that_lies_about_its_sizes_is_refused(tmp_path: Path) -> None:
    data = bytearray(bomb(5 * 1024 * 1024))
    place = data.rindex(b"PK\x01\x02")
    data[place + 24 : place + 28] = struct.pack("<I", 100)
    refused(tmp_path, bytes(data), "mentira.zip", "dañado")


@pytest.mark.parametrize(
    "inside", ["../escapada.md", "/escapada.md", "a/../../escapada.md", "..\\escapada.md", "C:\\escapada.md"]
)
def test_a_zip_whose_paths_leave_it_writes_nothing(tmp_path: Path, inside: str) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        info = zipfile.ZipInfo("x")
        info.filename = inside
        made.writestr(info, "# Fuera\n\nTexto.")
    refused(tmp_path, out.getvalue(), "fuga.zip", "rutas que salen")
    assert not list(tmp_path.parent.rglob("escapada.md"))


def test_a_zip_with_links_is_refused(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        info = zipfile.ZipInfo("enlace.md")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(info, "/etc/passwd")
    refused(tmp_path, out.getvalue(), "enlace.zip", "contiene enlaces")


def test_a_zip_with_a_password_is_refused(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.md": b"# A\n\nB."}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    refused(tmp_path, bytes(data), "cerrado.zip", "contraseña")


def test_a_zip_whose_contents_are_damaged_is_refused(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.md": b"# A\n\nB. " * 50}))
    data[45] ^= 0xFF
    refused(tmp_path, bytes(data), "roto.zip", "dañado")


DTD = '<!DOCTYPE r [<!ENTITY e SYSTEM "{secret}"><!ENTITY b "bomba"><!ENTITY c "&b;&b;&b;&b;">]>'


def test_entities_of_xml_are_neither_expanded_nor_fetched(tmp_path: Path) -> None:
    secret = tmp_path / "secreto.txt"
    secret.write_text("secreto")
    path = tmp_path / "norma.xml"
    path.write_text(
        f"<?xml version='1.0'?>{DTD.replace('{secret}', secret.as_uri())}<response><data><metadatos>"
        "<identificador>X</identificador><titulo>Ley</titulo></metadatos></data>"
        "<bloque id='a1' tipo='precepto'>"
        "<version fecha_publicacion='20310101'><p>Artículo 1. Luz.</p><p>Antes &e; &c; después</p></version>"
        "</bloque></response>"
    )
    assert load(path)[0].blocks[0].versions[0].text == "Artículo 1. Luz.\nAntes después"


def test_a_docx_that_declares_entities_is_refused(tmp_path: Path) -> None:
    plain = zipfile.ZipFile(io.BytesIO(word([("", "Antes MARCA después")])))
    files = {entry: plain.read(entry) for entry in plain.namelist()}
    body = files["word/document.xml"].decode()
    start = body.index("?>") + 2
    files["word/document.xml"] = (body[:start] + DTD + body[start:].replace("MARCA", "&e; &c;")).encode()
    refused(tmp_path, zipped(files), "norma.docx", "declaraciones XML")


def test_markup_in_a_page_stays_text(tmp_path: Path) -> None:
    path = tmp_path / "pagina.html"
    path.write_text(
        "<html><body><main><p>Uno &lt;script&gt;alert(1)&lt;/script&gt; dos.</p><!-- <p>Comentario</p> -->"
        "<img src=x onerror=alert(1)></main></body></html>"
    )
    (found,) = load(path)
    assert found.blocks[0].versions[0].text == "Uno <script>alert(1)</script> dos."
