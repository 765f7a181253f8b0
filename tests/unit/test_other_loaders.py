"""DOCX, HTML, JSON chunks, ZIP and single BOE files to documents."""

import io
import json
import zipfile
from datetime import date
from pathlib import Path

import pytest

from core.errors import InputError
from law.norms import BlockKind, Document
from loading.chunking.chunk import chunk_document
from loading.formats import discover, load
from loading.formats.html import MARGINS
from loading.formats.word_text import CHANGES
from tests.office_files import pdf, word, zipped

LAW = [
    ("Title", "Ley 4/2031, de 5 de mayo, de Faros"),
    ("", "La luz es necesaria."),
    ("Heading 1", "TÍTULO I. De los faros"),
    ("Heading 2", "Artículo 1. Tarifas."),
    ("", "1. Se cobrará según esta tabla:"),
    [["Faro", "Tarifa"], ["Grande | alto", "1.250,00"], ["Chico", ""]],
    ("", "2. Y nada más."),
    ("Heading 2", "Artículo 2. Fin."),
    ("", "Acaba."),
]
PAGE = """<!DOCTYPE html><html><head><meta charset="{charset}"><title>Faros</title></head>
<body><header><p>Cabecera del sitio</p></header><nav><ul><li>Menú</li></ul></nav>
<main><h1>Ley 4/2031, de 5 de mayo, de Faros</h1>
<h2>TÍTULO I</h2><h2>De los faros</h2>
<h3>Artículo 1. Señales.</h3><p>1. La luz <b>será</b> blan<i>ca</i>,<br>según el artículo 9.</p>
<ul><li>Las boyas</li><li>b) Las velas</li></ul>
<table><caption>Luces de
2031</caption><tr><th>Faro</th><th>Luz</th></tr><tr><td>Alto</td><td>Roja</td></tr></table>
<h3>Artículo 2. Fin.</h3><div>Acaba <span hidden>oculto</span> aquí.<script>alert("no")</script></div>
<p>{long}</p></main><footer>Aviso legal</footer></body></html>"""
BOE_PAGE = """<html><head>
<link rel="canonical" href="https://www.boe.es/buscar/act.php?id=BOE-A-2031-77"></head><body>
<div id="barra">Menú del BOE</div><h3 class="documento-tit">Ley 4/2031, de 5 de mayo, de Faros.</h3>
<div id="textoxslt">
<div class="bloque" id="preambulo"><p class="bloque">[Bloque 1: #preambulo]</p><p>Preámbulo de luz.</p></div>
<div class="bloque" id="ti"><p class="bloque">[Bloque 2: #ti]</p><h4 class="titulo_num">TÍTULO I</h4>
<h4 class="titulo_tit">De los faros</h4></div>
<div class="bloque" id="a1"><p class="bloque">[Bloque 3: #a1]</p><h5 class="articulo">Artículo 1. Luz.</h5>
<p class="parrafo">Alumbra.</p><p class="nota_pie">Se modifica por otra ley.</p>
<p class="linkSubir"><a href="#top">Subir</a></p></div>
<div class="bloque" id="a1-2"><p class="bloque">[Bloque 4: #a1-2]</p>
<h5 class="articulo">Artículo 10. Fin.</h5>
<p class="parrafo">Acaba.</p></div>
<div class="bloque" id="dfprimera"><h5 class="articulo">Disposición final primera. Plazo.</h5>
<p>Hoy. {long}</p></div></div></body></html>"""
LONG = "Y así sigue la luz de noche, hasta que amanece sobre el mar y el torrero descansa. " * 4
CHUNKS = [
    {
        "law": "Ley 4/2031, de 5 de mayo, de Faros",
        "chapter": "TÍTULO I > CAPÍTULO II",
        "section": "Artículo 38. Vacaciones anuales.",
        "text": "Artículo 38. Vacaciones anuales.\n1. Treinta noches.",
        "resumen": "Cuántas noches.",
        "palabras_clave": ["vacaciones", "noches, días"],
        "preguntas": ["¿Cuántas?", "¿Cuándo|dónde?"],
        "refs": [1, 2],
    },
    {
        "law": "Ley 4/2031, de 5 de mayo, de Faros",
        "chapter": "TÍTULO I > CAPÍTULO II",
        "section": "Artículo 38. Vacaciones anuales. (parte 2)",
        "text": "2. Sin niebla.",
        "palabras_clave": None,
    },
    {
        "law": "Convenio de torreros",
        "section": "Preámbulo",
        "text": "Nos reunimos.",
        "preguntas": "¿Quiénes?",
    },
]


def read(tmp_path: Path, data: bytes | str, name: str, collection: str = "normativa") -> list[Document]:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return load(path, collection)


def test_a_docx_keeps_headings_and_tables_in_their_place(tmp_path: Path) -> None:
    (found,) = read(tmp_path, word(LAW), "faros.docx")
    assert (found.norm.law, found.norm.published) == ("Ley 4/2031", date(2031, 5, 5))
    assert [(b.id, b.path) for b in found.blocks] == [
        ("preambulo", ()),
        ("a1", ("TÍTULO I. De los faros",)),
        ("a2", ("TÍTULO I. De los faros",)),
    ]
    assert found.blocks[1].versions[0].text == (
        "Artículo 1. Tarifas.\n1. Se cobrará según esta tabla:\n| Faro | Tarifa |\n| --- | --- |\n"
        "| Grande \\| alto | 1.250,00 |\n| Chico |  |\n2. Y nada más."
    )


def test_a_docx_without_articles_is_cut_by_its_headings(tmp_path: Path) -> None:
    items = [
        ("Title", "Informe"),
        ("Heading 1", "Hechos"),
        ("", "Uno."),
        ("Heading 2", "Detalle"),
        ("", "Dos."),
    ]
    (found,) = read(tmp_path, word(items), "informe.docx")
    assert [(b.title, b.path, b.versions[0].text) for b in found.blocks] == [
        ("Hechos", (), "Hechos\nUno."),
        ("Detalle", ("Hechos",), "Detalle\nDos."),
    ]


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "windows-1252"])
def test_a_web_page_gives_its_main_text_and_no_menus(tmp_path: Path, charset: str) -> None:
    data = PAGE.format(charset=charset, long=LONG).encode(charset)
    (found,) = read(tmp_path, data, "faros.html")
    assert found.norm.law == "Ley 4/2031"
    assert [(b.id, b.path) for b in found.blocks] == [
        ("a1", ("TÍTULO I. De los faros",)),
        ("a2", ("TÍTULO I. De los faros",)),
    ]
    assert found.blocks[0].versions[0].text == (
        "Artículo 1. Señales.\n1. La luz será blanca,\nsegún el artículo 9.\n- Las boyas\nb) Las velas\n"
        "Luces de 2031\n| Faro | Luz |\n| --- | --- |\n| Alto | Roja |"
    )
    assert found.blocks[1].versions[0].text == f"Artículo 2. Fin.\nAcaba aquí.\n{LONG}".strip()


def page(tmp_path: Path, body: str) -> tuple[str, tuple[str, ...]]:
    """The text of a web page with that body, and its warnings."""
    (found,) = read(tmp_path, f"<!DOCTYPE html><html><body>{body}</body></html>", "faros.html")
    return "\n".join(block.versions[0].text for block in found.blocks), found.warnings


def test_a_caption_stands_before_its_table(tmp_path: Path) -> None:
    table = (
        "<table><caption>Tabla I. <b>Luces</b></caption><tr><th>Faro</th></tr><tr><td>Alto</td></tr></table>"
    )
    assert page(tmp_path, f"<p>Lea:</p>{table}")[0] == "Lea:\nTabla I. Luces\n| Faro |\n| --- |\n| Alto |"


def test_items_have_the_numbers_that_a_browser_shows(tmp_path: Path) -> None:
    lists = (
        "<p>Son:</p><ol><li>15 días.</li><li><p>Dos.</p><p>Sigue.</p><ol type='a'><li>Uno</li></ol></li></ol>"
        "<ol start='4'><li>Cuatro</li><li value='9'>Nueve</li><li>Diez</li></ol>"
        "<ol reversed><li>b</li><li>a</li></ol>"
        "<ol><li>c) Suya</li><li>2.1 Suya</li><li>Artículo 3. Suyo</li></ol><ul><li>2 boyas</li></ul>"
        "<ol style='list-style-type: none'><li>Sin número</li></ol>"
    )
    assert page(tmp_path, lists)[0].split("\n") == [
        "Son:",
        *("1. 15 días.", "2. Dos.", "Sigue.", "a) Uno", "4. Cuatro", "9. Nueve", "10. Diez", "2. b", "1. a"),
        *("c) Suya", "2.1 Suya", "Artículo 3. Suyo", "- 2 boyas", "- Sin número"),
    ]


def test_deletions_of_a_page_are_left_out_and_told(tmp_path: Path) -> None:
    shown, told = page(tmp_path, "<p>Son <del>diez</del><ins>doce</ins> días.</p><p>Fin.</p>")
    assert (shown, told) == ("Son doce días.\nFin.", (CHANGES,))
    assert page(tmp_path, "<p>Uno.</p><ins class='ad'></ins>")[1] == ()


@pytest.mark.parametrize(
    ("body", "kept", "told"),
    [
        ("<main>{long}<aside>Al margen.</aside></main><footer>Aviso</footer>", True, False),
        ("<article>{long}<footer>Al margen.</footer></article>", True, False),
        ("{long}<aside>Al margen.</aside>", False, True),
        ("{long}<footer><a href='x'>Al margen.</a></footer>", False, False),
        ("<main>{long}<aside><a href='x'>Al margen.</a></aside></main>", False, False),
    ],
)
def test_asides_and_footers_of_the_text_are_read_and_others_are_told(tmp_path, body, kept, told) -> None:
    shown, warnings = page(tmp_path, body.format(long=f"<p>{LONG}</p>"))
    assert ("Al margen." in shown, warnings) == (kept, (MARGINS,) if told else ())
    assert "Aviso" not in shown


def test_a_page_of_the_boe_keeps_the_addresses_of_its_blocks(tmp_path: Path) -> None:
    (found,) = read(tmp_path, BOE_PAGE.format(long=LONG), "act.php.html")
    assert found.norm.id == "BOE-A-2031-77"
    assert [(b.id, b.label) for b in found.blocks] == [
        ("preambulo", ""),
        ("a1", "1"),
        ("a1-2", "10"),
        ("dfprimera", "df 1"),
    ]
    assert found.blocks[1].versions[0].text == "Artículo 1. Luz.\nAlumbra."
    urls = {chunk.block_id: chunk.url for chunk in chunk_document(found)}
    assert urls["a1-2"] == "https://www.boe.es/buscar/act.php?id=BOE-A-2031-77#a1-2"


@pytest.mark.parametrize("day", ["8 de mayo de 2031", "08/05/2031"])
def test_a_page_of_the_journal_is_published_on_the_day_that_it_tells_over_its_text(
    tmp_path: Path, day: str
) -> None:
    told = f"<dl><dt>Publicado en:</dt><dd>«<abbr>BOE</abbr>» núm. 110, de {day}, páginas 1 a 9</dd></dl>"
    entry = (
        "Disposición final segunda. Entrada en vigor.</h5><p>En vigor el día siguiente al de su publicación."
    )
    page = BOE_PAGE.replace("</h3>", f"</h3>{told}").replace(
        "Disposición final primera. Plazo.</h5>\n<p>Hoy.", entry
    )
    norm = read(tmp_path, page.format(long=LONG), "txt.php.html")[0].norm
    assert (norm.published, norm.valid_from) == (date(2031, 5, 8), date(2031, 5, 9))


def test_chunks_in_json_become_blocks_of_their_laws(tmp_path: Path) -> None:
    law, other = read(tmp_path, json.dumps(CHUNKS), "trozos.json")
    (article,) = law.blocks
    assert (law.norm.law, article.id, article.label) == ("Ley 4/2031", "a38", "38")
    assert article.path == ("TÍTULO I", "CAPÍTULO II")
    assert article.versions[0].text == "Artículo 38. Vacaciones anuales.\n1. Treinta noches.\n2. Sin niebla."
    (chunk,) = chunk_document(law)
    assert (chunk.summary, chunk.keywords) == ("Cuántas noches.", ("vacaciones", "noches días"))
    assert chunk.questions == ("¿Cuántas?", "¿Cuándo/dónde?")
    assert (other.norm.id, other.blocks[0].kind) == ("convenio-de-torreros", BlockKind.SECTION)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[{", "no es un JSON válido"),
        ("[]", "debe ser una lista"),
        ('{"a": 1}', "debe ser una lista"),
        (
            '[{"law": "Ley", "text": "Uno."}, {"law": "Ley"}]',
            "el fragmento 2 no sirve: revise su campo «text»",
        ),
        ('[{"text": 7}]', "fragmento 1"),
        ("[" * 100_000, "no es un JSON válido"),
    ],
)
def test_json_that_is_no_list_of_chunks_is_refused(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, content, "trozos.json")


def test_halves_of_surrogate_pairs_in_json_are_taken_out(tmp_path: Path) -> None:
    (found,) = read(
        tmp_path, '[{"law": "Ley 4/2031", "section": "Uno", "text": "Luz \\ud83d y \\u0000 fin."}]', "a.json"
    )
    assert found.blocks[0].versions[0].text == "Uno\nLuz  y  fin."


METADATA = (
    "<metadatos><identificador>BOE-A-2031-77</identificador><titulo>Ley de Faros.</titulo><rango>Ley</rango>"
    "<numero_oficial>4/2031</numero_oficial><fecha_publicacion>20310508</fecha_publicacion></metadatos>"
)
TEXT = (
    '<texto><bloque id="a1" tipo="precepto" titulo="Artículo 1"><version fecha_publicacion="20310508">'
    '<p class="articulo">Artículo 1. Luz.</p><p class="parrafo">Alumbra.</p></version></bloque></texto>'
)


def test_a_norm_of_the_boe_in_one_file_is_read(tmp_path: Path) -> None:
    (found,) = read(
        tmp_path, f"<?xml version='1.0'?><response><data>{METADATA}{TEXT}</data></response>", "norma.xml"
    )
    assert (found.norm.id, found.blocks[0].label) == ("BOE-A-2031-77", "1")


def test_a_zip_gives_every_document_in_it(tmp_path: Path) -> None:
    data = zipped(
        {
            "BOE-A-2031-77/metadatos.xml": f"<data>{METADATA}</data>".encode(),
            "BOE-A-2031-77/texto.xml": TEXT.encode(),
            "otros/nota.md": b"# Nota\n\nTexto.",
            "otros/faros.pdf": pdf([["Artículo 1. Uno.", "Alumbra."]]),
            "__MACOSX/otros/._nota.md": b"\x00\x05",
            "imagen.png": b"\x89PNG",
        }
    )
    found = read(tmp_path, data, "todo.zip")
    assert [document.norm.id for document in found] == ["BOE-A-2031-77", "faros", "nota"]


def test_what_fails_inside_a_zip_is_told_and_the_rest_goes_in(tmp_path: Path) -> None:
    found = read(tmp_path, zipped({"a.pdf": b"%PDF-1.4 nada", "b.md": b"# Nota\n\nTexto."}), "todo.zip")
    assert [document.norm.id for document in found] == ["b"]
    assert "a.pdf: el PDF está dañado" in found[0].warnings[0]


def test_a_zip_that_begins_with_a_pdf_that_is_not_compressed_is_a_zip(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.pdf", pdf([["Artículo 1. Uno.", "Alumbra."]]))
        archive.writestr("b.md", "# Nota\n\nTexto.")
    assert [document.norm.id for document in read(tmp_path, out.getvalue(), "todo.zip")] == ["a", "b"]


def test_a_pdf_after_other_bytes_and_a_text_that_begins_like_a_zip_are_what_they_are(tmp_path: Path) -> None:
    page = b"From a scanner\n" + pdf([["Artículo 1. Uno.", "Alumbra."]])
    assert "Alumbra." in read(tmp_path, page, "a.pdf")[0].blocks[0].versions[0].text
    assert "PK de la boya" in read(tmp_path, "PK de la boya.", "b.txt")[0].blocks[0].versions[0].text


def test_no_file_of_a_zip_is_dropped_in_silence(tmp_path: Path) -> None:
    packed = {
        "acta": b"Acta.\n\nTexto de la boya.",
        "b.md": b"# Nota\n\nTexto.",
        "c.rtf": rb"{\rtf1 x}",
        "d.xyz": b"x",
    }
    found = read(tmp_path, zipped(packed), "todo.zip")
    assert [document.norm.id for document in found] == ["b", "acta"]
    told = dict(warning.split(": ") for warning in found[0].warnings)
    assert told["c.rtf"] == "el formato RTF no se admite; guárdelo como DOCX o PDF."
    assert told["d.xyz"].startswith("este formato no se admite")


def test_the_contents_decide_what_a_file_is(tmp_path: Path) -> None:
    law = "Ley 4/2031, de 5 de mayo, de Faros\n\nArtículo 1. Uno.\nA.\n\nArtículo 2. Dos.\nB."
    page = [["Ley 4/2031, de 5 de mayo, de Faros", "Artículo 1. Uno.", "A."]]
    for name, data in {
        "era-pdf.txt": pdf(page),
        "era-docx.pdf": word(LAW),
        "era-texto.pdf": law.encode(),
        "era-zip.docx": zipped({"a.txt": law.encode()}),
        "era-html.txt": PAGE.format(charset="utf-8", long=LONG).encode(),
        "sin-nombre": pdf(page),
    }.items():
        assert read(tmp_path, data, name)[0].norm.law == "Ley 4/2031", name


def test_a_file_stored_under_another_name_is_called_as_its_owner_does(tmp_path: Path) -> None:
    path = tmp_path / "0a1b2c"
    path.write_text("# Nota sobre faros\n\n## Uno\nTexto.", "utf-8")
    (found,) = load(path, "normativa", name="nota de faros.md")
    assert (found.norm.id, found.norm.title, found.blocks[0].title) == (
        "nota-de-faros",
        "Nota sobre faros",
        "Uno",
    )
    path.write_bytes(b"")
    with pytest.raises(InputError, match=r"^nota de faros\.md: está vacío"):
        load(path, "normativa", name="nota de faros.md")


def test_a_folder_gives_every_format_and_no_stray_json(tmp_path: Path) -> None:
    known = ["a.pdf", "b.docx", "c.txt", "d.html", "e.htm", "f.zip", "g.md", "k.xlsx", "l.odt", "m.rtf"]
    for name in (*known, "h.bmp", "README.txt"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "i.json").write_text('{"version": 1}')
    (tmp_path / "j.json").write_text(json.dumps(CHUNKS))
    assert [path.name for path in discover([tmp_path])] == sorted([*known, "j.json"])
