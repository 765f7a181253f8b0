"""The XML of the daily journal of the BOE: one text with its metadata and paragraphs, without blocks."""

from datetime import date
from pathlib import Path

import pytest

from core.errors import InputError
from law.norms import BlockKind, Document
from loading.formats import discover, load
from loading.formats.agreement_facts import CODE, JOURNAL

PRINTED = """<?xml version="1.0" encoding="UTF-8"?>
<documento fecha_actualizacion="20310601000000"><metadatos>
<identificador>BOE-A-2031-99001</identificador><origen_legislativo codigo="1">Estatal</origen_legislativo>
<departamento codigo="1">Ministerio de Faros</departamento><rango codigo="1370">{rank}</rango>
<numero_oficial>{number}</numero_oficial><titulo>{title}</titulo>
<diario codigo="BOE">Boletín Oficial del Estado</diario><fecha_publicacion>20310502</fecha_publicacion>
<diario_numero>105</diario_numero><estatus_derogacion>N</estatus_derogacion>
<judicialmente_anulada>N</judicialmente_anulada><vigencia_agotada>N</vigencia_agotada>{more}
</metadatos><analisis/><texto>{text}</texto></documento>"""
AGREEMENT = PRINTED.format(
    rank="Resolución",
    number="",
    more="",
    title="Resolución de 10 de abril de 2031, de la Dirección General de Faros, por la que se registra y "
    "publica el IV Convenio colectivo de faros y boyas.",
    text="""
<p class="parrafo">Visto el texto del IV Convenio colectivo de faros y boyas (código de convenio n.º
99000011011995), se acuerda su publicación.</p>
<p class="centro_redonda">IV CONVENIO COLECTIVO DE FAROS Y BOYAS</p>
<p class="capitulo_num">CAPÍTULO I</p><p class="capitulo_tit">Disposiciones generales</p>
<p class="articulo">Artículo 1. Ámbito funcional.</p><p class="parrafo">Obliga a los faros.</p>
<p class="articulo">Artículo 2. Vigencia.</p>
<p class="parrafo">Rige del 1 de enero de 2031 al 31 de diciembre de 2033.</p>
<p class="anexo_num">ANEXO I</p><p class="anexo_tit">Tablas salariales</p>
<table><thead><tr><th>Grupo</th><th><p>Salario</p><p>–</p><p>Euros</p></th></tr></thead>
<tbody><tr><td>Torreros.</td><td>28.460,70</td></tr></tbody></table>""",
)
ORDER = PRINTED.format(
    rank="Orden",
    number="FAR/7/2031",
    title="Orden FAR/7/2031, de 10 de abril, de boyas.",
    more="",
    text="<p>Nada.</p>",
)


def read(tmp_path: Path, text: str) -> Document:
    path = tmp_path / "BOE-A-2031-99001.xml"
    path.write_text(text, "utf-8")
    return load(path)[0]


def test_an_agreement_as_the_journal_printed_it_is_read_with_its_articles_and_tables(tmp_path: Path) -> None:
    document = read(tmp_path, AGREEMENT)
    norm = document.norm
    assert (norm.id, norm.rank) == ("BOE-A-2031-99001", "Convenio colectivo")
    assert norm.title == "IV Convenio colectivo de faros y boyas"
    assert (norm.published, norm.valid_from) == (date(2031, 5, 2), date(2031, 1, 1))
    assert norm.extra["vigencia_hasta"] == "2033-12-31"
    assert norm.extra[CODE] == "99000011011995"
    assert norm.extra[JOURNAL] == "Boletín Oficial del Estado, núm. 105"
    assert norm.url == "https://www.boe.es/diario_boe/txt.php?id=BOE-A-2031-99001"
    assert [(block.label, block.path) for block in document.blocks if block.kind is BlockKind.ARTICLE] == [
        ("1", ("CAPÍTULO I. Disposiciones generales",)),
        ("2", ("CAPÍTULO I. Disposiciones generales",)),
    ]
    annex = document.blocks[-1]
    assert annex.label == "anexo I"
    assert "| Torreros. | 28.460,70 |" in annex.versions[0].text
    assert not document.warnings


def test_a_norm_as_the_journal_printed_it_says_that_it_lacks_later_changes(tmp_path: Path) -> None:
    document = read(tmp_path, ORDER)
    assert (document.norm.law, document.norm.published) == ("Orden FAR/7/2031", date(2031, 5, 2))
    assert "sin cambios posteriores" in document.warnings[0]


def test_one_that_a_court_annulled_has_ended(tmp_path: Path) -> None:
    more = "<fecha_anulacion>20320301</fecha_anulacion>"
    text = ORDER.replace("anulada>N", "anulada>S").replace("</metadatos>", f"{more}</metadatos>")
    norm = read(tmp_path, text).norm
    assert (norm.status, norm.repealed_on) == ("Anulado", date(2032, 2, 29))


def test_files_of_the_journal_are_found_in_a_folder_and_other_xml_is_not(tmp_path: Path) -> None:
    read(tmp_path, AGREEMENT)
    (tmp_path / "mapa.xml").write_text("<urlset/>", "utf-8")
    assert [path.name for path in discover([tmp_path])] == ["BOE-A-2031-99001.xml"]


def test_one_without_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no contiene texto"):
        read(tmp_path, ORDER.replace("<p>Nada.</p>", ""))
