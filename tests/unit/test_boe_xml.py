"""Folders of the BOE's open-data API: blocks, wordings, labels, paths, validity."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from core.errors import InputError
from law.norms import Block, BlockKind, Document
from loading.formats import discover, load
from tests.case_files import pairs

METADATA = """<?xml version="1.0"?><response><data><metadatos>
<identificador>{id}</identificador><ambito codigo="1">Estatal</ambito>
<departamento>Ministerio Inventado</departamento>
<rango codigo="1">Real Decreto</rango><numero_oficial>7/2031</numero_oficial>
<titulo>Real Decreto 7/2031, de 5 de mayo, sobre faros.</titulo>
<fecha_publicacion>20310506</fecha_publicacion><fecha_vigencia>20310601</fecha_vigencia>{extra}
</metadatos></data></response>"""
Write = Callable[..., Path]


def block(block_id: str, *versions: str, kind: str = "precepto", title: str = "") -> str:
    return f'<bloque id="{block_id}" tipo="{kind}" titulo="{title}">{"".join(versions)}</bloque>'


def version(*lines: str, since: str = "20310601", published: str = "20310506", by: str = "N-1") -> str:
    """`lines` are '<class>|<text>', or raw XML when they begin with '<'."""
    body = "".join(
        line if line.startswith("<") else '<p class="{}">{}</p>'.format(*line.split("|", 1)) for line in lines
    )
    return (
        f'<version id_norma="{by}" fecha_publicacion="{published}" fecha_vigencia="{since}">{body}</version>'
    )


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def folder(*blocks: str, extra: str = "", norm_id: str = "N-1") -> Path:
        path = tmp_path / norm_id
        path.mkdir(exist_ok=True)
        (path / "metadatos.xml").write_text(METADATA.format(id=norm_id, extra=extra), "utf-8")
        text = f'<?xml version="1.0"?><response><data><texto>{"".join(blocks)}</texto></data></response>'
        (path / "texto.xml").write_text(text, "utf-8")
        return path

    return folder


def one(path: Path) -> Document:
    (document,) = load(path)
    return document


def test_the_norm_takes_its_data_from_the_metadata(write: Write) -> None:
    norm = one(write(block("a1", version("articulo|Artículo 1. Uno.", "parrafo|Texto.")))).norm
    assert (norm.id, norm.law, norm.rank, norm.number) == (
        "N-1",
        "Real Decreto 7/2031",
        "Real Decreto",
        "7/2031",
    )
    assert (norm.published, norm.valid_from, norm.status) == (date(2031, 5, 6), date(2031, 6, 1), "Vigente")
    assert (norm.territory, norm.department) == ("estatal", "Ministerio Inventado")
    assert norm.url == "https://www.boe.es/buscar/act.php?id=N-1"


@pytest.mark.parametrize(
    ("scope", "department", "territory"),
    [
        ("Autonómico", "Comunidad de Madrid", "Comunidad de Madrid"),
        ("Autonómico", "Comunidad Autónoma de Cataluña", "Cataluña"),
        ("Autonómico", "Consejo Inventado", "autonómico"),
        ("Estatal", "Delegación del Gobierno en Galicia", "estatal"),
        ("", "Comunidad Autónoma de Galicia", "Galicia"),
        ("", "Jefatura del Estado", "estatal"),
    ],
)
def test_a_regional_norm_is_of_the_comunidad_of_its_department(
    write: Write, scope: str, department: str, territory: str
) -> None:
    extra = f"<ambito>{scope}</ambito><departamento>{department}</departamento>"
    assert one(write(block("a1", version("articulo|Artículo 1.")), extra=extra)).norm.territory == territory


def test_each_wording_ends_the_day_before_the_next_begins(write: Write) -> None:
    path = write(
        block(
            "a1",
            version("articulo|Artículo 1. Viejo.", "parrafo|Antes."),
            version("articulo|Artículo 1. Nuevo.", "parrafo|Después.", since="20320301", by="N-9"),
            version("articulo|Artículo 1. Nuevo.", "parrafo|(Derogado)", since="20330101", by="N-10"),
        )
    )
    (found,) = one(path).blocks
    assert [(v.valid_from, v.valid_to, v.amended_by) for v in found.versions] == [
        (date(2031, 6, 1), date(2032, 2, 29), None),
        (date(2032, 3, 1), date(2032, 12, 31), "N-9"),
        (date(2033, 1, 1), None, "N-10"),
    ]
    assert found.title == "Artículo 1. Nuevo."
    wording = found.wording_on(date(2032, 2, 29))
    assert wording is not None and wording.text == "Artículo 1. Viejo.\nAntes."


def test_a_wording_replaced_on_its_first_day_is_left_out_with_a_warning(write: Write) -> None:
    path = write(
        block(
            "a1",
            version("articulo|Artículo 1.", "parrafo|Errata.", published="20310506"),
            version("articulo|Artículo 1.", "parrafo|Corregido.", published="20310520"),
        )
    )
    document = one(path)
    assert [v.text for v in document.blocks[0].versions] == ["Artículo 1.\nCorregido."]
    assert document.warnings == ("a1: redacciones sin texto o sin un día en vigor: 1",)


@pytest.mark.parametrize(("heading", "read"), pairs("headings", "Encabezamientos del BOE"))
def test_labels_come_from_the_first_line_whatever_the_block_is_titled(
    write: Write, heading: str, read: str
) -> None:
    lines = version(f"articulo|{heading}", "parrafo|Texto.")
    (found,) = one(write(block("x", lines, title="Artículo treinta"))).blocks
    assert f"{found.kind.value} {found.label}" == read


def test_articles_hidden_in_headings_are_articles_and_earlier_prose_is_preamble(write: Write) -> None:
    long = "Un párrafo de exposición de motivos que explica por qué se regulan los faros de este lugar."
    path = write(
        block("p", version("parrafo|Motivos."), kind="preambulo"),
        block("b1", version("titulo|I. Los faros.", f"parrafo|{long}"), kind="encabezado", title="I"),
        block("b2", version("titulo|DISPONGO:"), kind="encabezado", title="DISPONGO:"),
        block("b3", version("titulo|Art. 1. Ámbito.", "parrafo|Uno. Texto."), kind="encabezado", title="Art"),
        block("f", version("parrafo_2|Dado en Madrid."), kind="firma"),
    )
    assert [(b.kind.value, b.label) for b in one(path).blocks] == [
        ("preamble", ""),
        ("preamble", ""),
        ("heading", ""),
        ("article", "1"),
        ("signature", ""),
    ]


@pytest.mark.parametrize("amends", ["Disposición adicional primera. Cambios.", "Artículo 2. Cambios."])
def test_headings_that_a_provision_quotes_are_its_words_and_not_law_of_their_own(
    write: Write, amends: str
) -> None:
    def heading(block_id: str, *lines: str) -> str:
        return block(block_id, version(*lines), kind="encabezado")

    path = write(
        block("a1", version("articulo|Artículo 1.", "parrafo|Texto.")),
        block("da1", version(f"articulo|{amends}", "parrafo|Se añade:")),
        heading("c", "titulo|«Capítulo IV bis. Faros"),
        heading("s1", "titulo|Sección primera. Luces", "parrafo|Artículo 7. Una luz."),
        heading("s2", "titulo|Sección segunda. Sirenas", "parrafo|Artículo 8. Una sirena.»"),
        heading("c3", "titulo|«Capítulo V. Barcas", "parrafo|Artículo 9. Una barca.»"),
        heading(
            "t",
            "titulo|Disposiciones de otra clase",
            "parrafo|Un párrafo largo que no estaba entre comillas"
            " y que por eso es un texto aparte del anterior.",
        ),
        block("df1", version("articulo|Disposición final primera. Vigor.", "parrafo|Mañana.")),
    )
    blocks = one(path).blocks
    assert [found.id for found in blocks] == ["a1", "da1", "t", "df1"]
    assert blocks[1].versions[-1].text.splitlines()[1:] == [
        "Se añade:",
        "«Capítulo IV bis. Faros",
        "Sección primera. Luces",
        "Artículo 7. Una luz.",
        "Sección segunda. Sirenas",
        "Artículo 8. Una sirena.»",
        "«Capítulo V. Barcas",
        "Artículo 9. Una barca.»",
    ]


def paths(document: Document) -> dict[str, tuple[str, ...]]:
    return {found.label: found.path for found in document.blocks if found.label}


def test_the_path_follows_the_levels_of_the_headings(write: Write) -> None:
    def heading(block_id: str, *lines: str) -> str:
        return block(block_id, version(*lines), kind="encabezado")

    def article(number: int, *more: str) -> str:
        return block(f"a{number}", version(f"articulo|Artículo {number}.", "parrafo|Texto.", *more))

    document = one(
        write(
            heading("t1", "titulo_num|TÍTULO I", "titulo_tit|De los faros"),
            heading("c1", "capitulo_num|CAPÍTULO I", "capitulo_tit|Luces"),
            heading("s1", "seccion|Sección 1.ª Blancas", "parrafo|Subsección 1.ª Fijas"),
            article(1, "parrafo|Subsección 2.ª Giratorias"),
            article(2),
            heading("c2", "titulo|CAPITULO II"),
            heading("c2b", "titulo|Sirenas."),
            article(3),
            heading("t2", "titulo|TÍTULO SEGUNDO. De las balizas"),
            article(4),
            block("da", version("articulo|Disposición adicional única.", "parrafo|Texto.")),
        )
    )
    title = "TÍTULO I. De los faros"
    assert paths(document) == {
        "1": (title, "CAPÍTULO I. Luces", "Sección 1.ª Blancas", "Subsección 1.ª Fijas"),
        "2": (title, "CAPÍTULO I. Luces", "Sección 1.ª Blancas", "Subsección 2.ª Giratorias"),
        "3": (title, "CAPITULO II. Sirenas"),
        "4": ("TÍTULO SEGUNDO. De las balizas",),
        "da única": (),
    }


def test_notes_stand_apart_and_tables_become_rows(write: Write) -> None:
    table = "<table><tr><th>Grupo</th><th>Cuota</th></tr><tr><td>A|B</td><td>3</td></tr></table>"
    inner = '<p class="nota_pie">Se modifica por otra. <a class="refPost">Ref. N-2</a></p>'
    note = f"<blockquote>{inner}</blockquote>"
    path = write(block("a1", version("articulo|Artículo 1.", table, note, "nota_pie_2|Otra nota.")))
    (wording,) = one(path).blocks[0].versions
    assert wording.text == "Artículo 1.\n| Grupo | Cuota |\n| --- | --- |\n| A\\|B | 3 |"
    assert wording.notes == ("Se modifica por otra. Ref. N-2", "Otra nota.")


def test_annexes_left_inside_a_disposition_become_blocks(write: Write) -> None:
    lines = (
        "articulo|Disposición final única.",
        "parrafo|Entra en vigor.",
        "parrafo|ANEXO I",
        "parrafo|Tabla {}.",
    )
    path = write(
        block(
            "df",
            version(*(line.format("vieja") for line in lines)),
            version(*(line.format("nueva") for line in lines), since="20330101"),
        )
    )
    final, annex = one(path).blocks
    assert [v.text for v in final.versions] == ["Disposición final única.\nEntra en vigor."]
    assert (annex.id, annex.label, annex.kind) == ("df~1", "anexo I", BlockKind.ANNEX)
    assert [(v.valid_to, v.text) for v in annex.versions] == [
        (date(2032, 12, 31), "ANEXO I\nTabla vieja."),
        (None, "ANEXO I\nTabla nueva."),
    ]


REPEALED = "<estatus_derogacion>S</estatus_derogacion>"


@pytest.mark.parametrize(
    ("extra", "sentence", "last"),
    [
        (REPEALED + "<fecha_derogacion>20350110</fecha_derogacion>", "", date(2035, 1, 9)),
        (
            REPEALED,
            "con fecha 12 de febrero de 2034, se ha publicado el Real Decreto 8/2034",
            date(2034, 2, 11),
        ),
        (
            REPEALED,
            "surtirá efectos durante el período comprendido entre el 1 de enero y el 31 de diciembre de 2033",
            date(2033, 12, 31),
        ),
        (REPEALED, "sin fecha ninguna", date(2031, 12, 31)),
    ],
)
def test_a_repealed_norm_is_closed_on_the_best_day_known(
    write: Write, extra: str, sentence: str, last: date
) -> None:
    document = one(
        write(block("a1", version("articulo|Artículo 1.", f"parrafo|Texto {sentence}.")), extra=extra)
    )
    assert (document.norm.status, document.norm.repealed_on) == ("Derogado", last)
    assert document.blocks[0].versions[-1].valid_to == last
    supposed = "no está en vigor y ninguna fecha dice desde cuándo: se supone el 31/12/2031"
    assert document.warnings == ((supposed,) if sentence == "sin fecha ninguna" else ())


@pytest.mark.parametrize("content", ["", "<response>", "no es XML", "<response><data/></response>"])
def test_a_broken_file_is_refused_with_a_clear_sentence(write: Write, content: str) -> None:
    path = write(block("a1", version("articulo|Artículo 1.")))
    (path / "texto.xml").write_text(content, "utf-8")
    with pytest.raises(InputError, match=r"N-1: texto\.xml"):
        load(path)
    (path / "texto.xml").unlink()
    with pytest.raises(InputError, match="no está en la carpeta"):
        load(path)


def test_entities_are_not_expanded_and_files_are_not_read(write: Write, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secreto", "utf-8")
    path = write()
    lines = version("articulo|Artículo 1.", "parrafo|Antes &amp; &e; después")
    (path / "texto.xml").write_text(
        f'<!DOCTYPE r [<!ENTITY e SYSTEM "{secret.as_uri()}">]><r>{block("a1", lines)}</r>', "utf-8"
    )
    text = one(path).blocks[0].versions[0].text
    assert "Antes &" in text
    assert "secreto" not in text


def test_folders_and_files_are_discovered_in_order_and_nothing_else(write: Write, tmp_path: Path) -> None:
    for norm_id in ("N-2", "N-1"):
        write(block("a1", version("articulo|Artículo 1.")), norm_id=norm_id)
    (tmp_path / "z.md").write_text("# Nota\nTexto.", "utf-8")
    (tmp_path / "imagen.bmp").write_bytes(b"BMx")
    assert [path.name for path in discover([tmp_path, tmp_path / "N-1"])] == ["N-1", "N-2", "z.md"]
    with pytest.raises(InputError, match="no existe ese archivo"):
        discover([tmp_path / "nada"])
    with pytest.raises(InputError, match="es una imagen"):
        load(tmp_path / "imagen.bmp")


@pytest.fixture(scope="module")
def corpus(boe: Path) -> dict[str, Document]:
    return {path.name: one(path) for path in discover([boe])}


def wording(document: Document, label: str, day: date) -> str:
    found = [b for b in document.blocks if b.label == label][-1].wording_on(day)
    return found.text if found else ""


@pytest.mark.corpus
def test_every_real_norm_loads_and_every_precept_has_a_label(corpus: dict[str, Document]) -> None:
    blocks = [found for document in corpus.values() for found in document.blocks]
    unlabelled = {
        BlockKind.PREAMBLE,
        BlockKind.HEADING,
        BlockKind.SECTION,
        BlockKind.SIGNATURE,
        BlockKind.NOTE,
    }
    assert len(corpus) >= 48
    assert [found.id for found in blocks if found.kind not in unlabelled and not found.label] == []
    assert [w for document in corpus.values() for w in document.warnings] == []
    assert sum(len(found.versions) for found in blocks) > 6000


@pytest.mark.corpus
def test_real_wordings_are_those_in_force_on_a_day(corpus: dict[str, Document]) -> None:
    statute = corpus["BOE-A-2015-11430"]
    assert "cuatro semanas" in wording(statute, "48", date(2018, 3, 1))
    assert "diecinueve semanas" in wording(statute, "48", date(2026, 3, 1))
    assert "16 semanas" not in wording(statute, "48", date(2026, 3, 1))
    assert wording(statute, "48", date(2015, 10, 23)) == ""
    wage = {
        name: wording(corpus[name], "1", date(2025, 6, 1)) for name in ("BOE-A-2024-2251", "BOE-A-2025-2576")
    }
    assert wage["BOE-A-2024-2251"] == "" and "euros" in wage["BOE-A-2025-2576"]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("norm", "label", "title", "outermost"),
    [
        ("BOE-A-2015-11430", "38", "Vacaciones anuales", "TÍTULO I. De la relación individual de trabajo"),
        ("BOE-A-2015-11724", "da 41", "Medidas de protección social", ""),
        ("BOE-A-1985-17006", "1", "Ambito de aplicación", ""),
        ("BOE-A-1985-16660", "2", "Artículo segundo", "TÍTULO I. De la libertad sindical"),
        ("BOE-A-1977-6061", "31", "Artículo treinta y uno", "TÍTULO V. El despido"),
        ("BOE-A-1978-31229", "dd única", "Disposición derogatoria", ""),
        ("BOE-A-2015-11430", "da 28", "Elecciones", ""),
        (
            "BOE-A-2015-10565",
            "21",
            "Obligación de resolver",
            "TÍTULO II. De la actividad de las Administraciones Públicas",
        ),
    ],
)
def test_real_blocks_have_their_labels_and_paths(
    corpus: dict[str, Document], norm: str, label: str, title: str, outermost: str
) -> None:
    found: Block = next(b for b in corpus[norm].blocks if b.label == label)
    assert title in found.title
    assert (found.path[:1] or ("",))[0] == outermost
