"""An ODT keeps every word that its program shows: notes, boxes, numbers; and none that it does not."""

import random
import re
from pathlib import Path

import pytest

from core.errors import InputError
from law.norms import Document
from loading.formats import load, office_xml
from loading.formats.word_text import CHANGES, COMMENTS, HIDDEN, OBJECTS, PICTURES
from tests.odt_files import COVERED, cell, h, levels, listed, note, odt, p, tabled

ARTICLE = p("Artículo 1. Salario.")
LEGAL = levels("Legal", ("Artículo ", "1", "."), ("", "1", "."), ("", "a", ")"))


def read(tmp_path: Path, data: bytes) -> Document:
    path = tmp_path / "convenio.odt"
    path.write_bytes(data)
    (found,) = load(path)
    return found


def text(found: Document) -> str:
    return "\n".join(block.versions[0].text for block in found.blocks)


def test_headings_give_the_structure_and_tables_stay_in_their_place(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        odt(
            p("Ley 4/2031, de 5 de mayo, de Faros", style="P1"),
            h("TÍTULO I. De los faros"),
            h("Artículo 1. Tarifas.", 2),
            p("Según esta tabla:"),
            tabled(cell("Faro") + cell("Tarifa"), cell("Grande | alto") + cell("10")),
            h("Artículo 2. Fin.", 2),
            p("Acaba."),
            styles='<style:style style:name="P1" style:parent-style-name="Title"/>',
        ),
    )
    assert found.norm.law == "Ley 4/2031"
    assert [(block.label, block.path) for block in found.blocks] == [
        ("1", ("TÍTULO I. De los faros",)),
        ("2", ("TÍTULO I. De los faros",)),
    ]
    assert (
        found.blocks[0]
        .versions[0]
        .text.endswith("| Faro | Tarifa |\n| --- | --- |\n| Grande \\| alto | 10 |")
    )


def test_numbers_of_lists_are_part_of_the_text_and_make_articles(tmp_path: Path) -> None:
    letters = listed(p("Letra."), p("Otra."))
    found = read(
        tmp_path,
        odt(
            listed(p("Objeto.") + listed(p("Uno.") + letters, p("Dos.")), style="Legal", more='xml:id="l1"'),
            p("Sin número."),
            listed(
                p("Ámbito.") + p("Segundo párrafo.") + listed(p("Suyo.")),
                style="Legal",
                more='text:continue-list="l1"',
            ),
            listed("@7 " + p("Fin."), style="Legal", more='text:continue-numbering="true"'),
            styles=LEGAL,
        ),
    )
    assert [block.label for block in found.blocks] == ["1", "2", "7"]
    assert [block.versions[0].text for block in found.blocks] == [
        "Artículo 1. Objeto.\n1. Uno.\na) Letra.\nb) Otra.\n2. Dos.\nSin número.",
        "Artículo 2. Ámbito.\nSegundo párrafo.\n1. Suyo.",
        "Artículo 7. Fin.",
    ]


def test_lists_that_are_not_continued_start_again(tmp_path: Path) -> None:
    styles = levels("L", ("", "I", ".-")) + levels("B", ("", "", ""))
    body = (listed(p("a"), p("b"), style="L"), listed(p("c"), style="L"), listed(p("d"), style="B"))
    assert text(read(tmp_path, odt(ARTICLE, *body, styles=styles))).endswith("I.- a\nII.- b\nI.- c\n- d")


def test_levels_may_show_those_above_them(tmp_path: Path) -> None:
    shown = levels("D", ("", "1", "."), ("", "1", "."), display=2)
    own = '<text:list-level-style-number text:level="1" style:num-format="1" loext:num-list-format="§ %1%)"/>'
    other = f'<text:list-style style:name="O">{own}</text:list-style>'
    body = (listed(p("a") + listed(p("b"), p("c")), style="D"), listed(p("d"), style="O"))
    assert text(read(tmp_path, odt(ARTICLE, *body, styles=shown + other))).endswith(
        "1. a\n1.1. b\n1.2. c\n§ 1) d"
    )


def test_headings_are_numbered_by_the_outline(tmp_path: Path) -> None:
    level = (
        '<text:outline-level-style text:level="2" style:num-prefix="Artículo " style:num-format="1"'
        ' style:num-suffix="."/>'
    )
    found = read(
        tmp_path,
        odt(
            h("Uno.", 2),
            p("Texto."),
            h("Dos.", 2),
            p("Texto."),
            h("Suelto", 2, 'text:is-list-header="true"'),
            shared=f'<text:outline-style style:name="Outline">{level}</text:outline-style>',
        ),
    )
    assert [block.title for block in found.blocks] == ["Artículo 1. Uno.", "Artículo 2. Dos."]
    assert text(found).endswith("Texto.\nSuelto")


def test_a_paragraph_may_have_its_list_from_its_style(tmp_path: Path) -> None:
    style = '<style:style style:name="Art" style:list-style-name="Legal"/>'
    assert text(
        read(tmp_path, odt(listed(p("Objeto.", style="Art"), p("Fin.", style="Art")), styles=LEGAL + style))
    ).endswith("Artículo 2. Fin.")


def test_cells_that_span_stand_in_each_row_and_column(tmp_path: Path) -> None:
    table = tabled(
        cell("Grupo") + cell("Euros", across=2) + COVERED,
        cell("Uno", down=2) + cell("10") + cell("20"),
        COVERED + cell("30") + cell("40"),
    )
    assert text(read(tmp_path, odt(ARTICLE, table))).endswith(
        "| Grupo | Euros | Euros |\n| --- | --- | --- |\n| Uno | 10 | 20 |\n| Uno | 30 | 40 |"
    )


def test_notes_and_boxes_follow_their_paragraph(tmp_path: Path) -> None:
    box = f"<draw:frame><draw:text-box>{p('En la caja.')}</draw:text-box></draw:frame>"
    found = read(
        tmp_path,
        odt(ARTICLE, p("El plus", note("Salvo en agosto."), " se cobra", box, note("Hoy.", "endnote"), ".")),
    )
    assert text(found).endswith(
        "El plus se cobra.\nNota al pie 1: Salvo en agosto.\nEn la caja.\nNota final 1: Hoy."
    )
    assert found.warnings == ()


def test_tracked_insertions_are_read_and_deletions_are_not(tmp_path: Path) -> None:
    gone = f"<text:changed-region><text:deletion>{p('borrado')}</text:deletion></text:changed-region>"
    changes = f"<text:tracked-changes>{gone}</text:tracked-changes>"
    body = p(
        'Mil <text:change-start text:change-id="a"/>doscientos<text:change-end text:change-id="a"/> euros.'
    )
    found = read(tmp_path, odt(changes, ARTICLE, body))
    assert text(found).endswith("Mil doscientos euros.")
    assert "borrado" not in text(found)
    assert found.warnings[0] == CHANGES
    assert read(tmp_path, odt("<text:tracked-changes/>", ARTICLE, p("Uno."))).warnings == ()


def test_blanks_fields_and_breaks_are_kept(tmp_path: Path) -> None:
    body = p(
        "Uno<text:s text:c='3'/>dos<text:tab/>tres<text:line-break/><text:span>cuatro "
        "<text:title>cinco</text:title></text:span> seis"
    )
    assert text(read(tmp_path, odt(ARTICLE, body))).endswith("Uno dos tres\ncuatro cinco seis")


def test_hidden_text_is_left_out_and_told(tmp_path: Path) -> None:
    hidden = '<style:style style:name="T1"><style:text-properties text:display="none"/></style:style>'
    span = '<text:span text:style-name="T1">Diga que sí.</text:span>'
    section = f'<text:section text:display="none">{p("Secreto.")}</text:section>'
    found = read(tmp_path, odt(ARTICLE, p("Se ve.", span), section, p("Oculto.", style="T1"), styles=hidden))
    assert text(found).endswith("Se ve.")
    assert found.warnings[0] == HIDDEN


def test_what_cannot_be_kept_is_told(tmp_path: Path) -> None:
    picture = "<draw:frame><draw:image/><svg:title>alternativo</svg:title></draw:frame>"
    formula = "<draw:frame><draw:object/></draw:frame>"
    comment = f"<office:annotation><dc:creator>x</dc:creator>{p('comentario')}</office:annotation>"
    found = read(tmp_path, odt(ARTICLE, p("Texto.", picture, formula, comment)))
    assert text(found).endswith("Texto.")
    assert set(found.warnings) == {PICTURES, OBJECTS, COMMENTS}


def test_indexes_headers_and_footers_are_no_text(tmp_path: Path) -> None:
    entry = f"<text:index-body>{p('Artículo 1. Salario. 3')}</text:index-body>"
    index = f"<text:table-of-content>{entry}</text:table-of-content>"
    page = f"<style:master-page><style:header>{p('Cabecera')}</style:header></style:master-page>"
    found = read(tmp_path, odt(index, ARTICLE, p("Uno."), shared=page))
    assert text(found) == "Artículo 1. Salario.\nUno."


def refused(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=rf"^convenio\.odt: .*{message}"):
        read(tmp_path, data)


def test_other_files_of_its_family_are_refused(tmp_path: Path) -> None:
    refused(tmp_path, odt(p("a"), kind="spreadsheet"), "XLSX")
    refused(tmp_path, odt(p("a"), manifest="<file><encryption-data/></file>"), "contraseña")
    refused(tmp_path, odt("<text:p>"), "dañado; ábralo en LibreOffice")
    refused(tmp_path, odt(p(" ")), "no contiene texto")


def test_more_xml_than_fits_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office_xml, "MAX_TAGS", 30)
    refused(tmp_path, odt(*[p("a")] * 20), "divídalo en partes")


@pytest.mark.parametrize("depth", [60, 5000])
def test_what_is_nested_deep_is_read_or_told(tmp_path: Path, depth: int) -> None:
    data = odt(ARTICLE, "<text:section>" * depth + p("Hondo.") + "</text:section>" * depth)
    if depth == 60:
        assert "Hondo." in text(read(tmp_path, data))
    else:
        refused(tmp_path, data, "dañado")


BODY = (
    listed(p("Objeto.") + listed(p("Uno.")), style="Legal"),
    p(
        "Plus ",
        note("Salvo en agosto."),
        "<draw:frame><draw:text-box>",
        p("Caja."),
        "</draw:text-box></draw:frame>",
    ),
    tabled(cell("Grupo", across=2) + COVERED, cell("a", down=2) + cell("b")),
)


@pytest.mark.parametrize("seed", range(80))
def test_damaged_xml_is_read_or_told_and_never_a_crash(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)

    def hurt(xml: str) -> str:
        tags = re.findall(r"<[^>]+>", xml)
        for tag in dice.sample(tags, min(len(tags), dice.randint(1, 4))):
            xml = xml.replace(
                tag,
                dice.choice(
                    ["", tag * 2, re.sub(r'"[^"]*"', '"-1"', tag), re.sub(r'"\d+"', '"999999"', tag)]
                ),
                1,
            )
        return xml

    body = [hurt(one) if dice.random() < 0.6 else one for one in BODY]
    try:
        found = read(tmp_path, odt(*body, p("Fin."), styles=hurt(LEGAL) if dice.random() < 0.6 else LEGAL))
    except InputError as error:
        assert str(error).startswith("convenio.odt: ")
    else:
        assert "Fin." in text(found)
