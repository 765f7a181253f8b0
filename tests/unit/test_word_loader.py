"""A DOCX keeps every word that Word shows: insertions, notes, boxes, numbers; and none that it does not."""

import random
import re
from pathlib import Path

import pytest

from core.errors import InputError
from loading.formats.word_numbers import formatted
from loading.formats.word_text import CHANGES, COMMENTS, HIDDEN, OBJECTS, PICTURES
from tests.word_files import box, gone, levels, p, read, run, strict, text, word_xml

ARTICLE = p("Artículo 1. Salario.")
NOTE_1 = '<w:r><w:footnoteReference w:id="2"/></w:r>'


def ins(*inside: str) -> str:
    return f'<w:ins w:id="1" w:author="a">{"".join(map(run, inside))}</w:ins>'


def test_tracked_insertions_are_read_and_deletions_are_not(tmp_path: Path) -> None:
    body = p("El salario será de ", gone("mil"), ins("mil doscientos"), " euros.")
    found = read(tmp_path, word_xml(ARTICLE, body))
    assert "El salario será de mil doscientos euros." in text(found)
    assert found.warnings[0] == CHANGES


def test_what_was_moved_stands_where_it_was_moved_to(tmp_path: Path) -> None:
    moved = f'<w:moveTo w:id="2" w:author="a">{run("Con preaviso.")}</w:moveTo>'
    found = read(
        tmp_path, word_xml(ARTICLE, p("Uno. ", gone("Con preaviso.", "moveFrom")), p("Dos. ", moved))
    )
    assert text(found).endswith("Uno.\nDos. Con preaviso.")
    assert found.warnings[0] == CHANGES


def test_a_paragraph_whose_end_is_deleted_goes_on_in_the_next(tmp_path: Path) -> None:
    found = read(tmp_path, word_xml(ARTICLE, p("Tendrá derecho ", mark="<w:del/>"), p("a diez días.")))
    assert "Tendrá derecho a diez días." in text(found)


def test_the_last_paragraph_is_kept_although_its_end_is_deleted(tmp_path: Path) -> None:
    assert "Diez días." in text(read(tmp_path, word_xml(ARTICLE, p("Diez días.", mark="<w:del/>"))))


def test_a_deleted_row_is_not_in_the_table(tmp_path: Path) -> None:
    def row(name: str, more: str = "") -> str:
        return f"<w:tr><w:trPr>{more}</w:trPr><w:tc>{p(name)}</w:tc></w:tr>"

    rows = row("Grupo") + row("Viejo", "<w:del/>") + row("Tres")
    table = f"<w:tbl><w:tblGrid><w:gridCol/></w:tblGrid>{rows}</w:tbl>"
    found = read(tmp_path, word_xml(ARTICLE, table))
    assert text(found).endswith("| Grupo |\n| --- |\n| Tres |")
    assert found.warnings[0] == CHANGES


def test_cells_that_span_stand_in_each_row_and_column(tmp_path: Path) -> None:
    def cell(text: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{p(text)}</w:tc>"

    wide, down, on = '<w:gridSpan w:val="2"/>', '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    rows = (
        cell("Grupo") + cell("Euros", wide),
        cell("Grupo 1", down) + cell("10") + cell("20"),
        cell("", on) + cell("30") + cell("40"),
    )
    table = "".join(f"<w:tr>{row}</w:tr>" for row in rows)
    found = read(
        tmp_path, word_xml(ARTICLE, f"<w:tbl><w:tblGrid>{'<w:gridCol/>' * 3}</w:tblGrid>{table}</w:tbl>")
    )
    assert text(found).endswith(
        "| Grupo | Euros | Euros |\n| --- | --- | --- |\n| Grupo 1 | 10 | 20 |\n| Grupo 1 | 30 | 40 |"
    )


def test_notes_follow_the_paragraph_that_refers_to_them(tmp_path: Path) -> None:
    final = '<w:r><w:endnoteReference w:id="7"/></w:r>'
    found = read(
        tmp_path,
        word_xml(
            ARTICLE,
            p("El plus", NOTE_1, " se cobra", final, " siempre."),
            p("Y nada más."),
            footnotes=f'<w:footnote w:type="separator" w:id="0">{p("raya")}</w:footnote>'
            f'<w:footnote w:id="2">{p("Salvo en agosto.")}</w:footnote>',
            endnotes=f'<w:endnote w:id="7">{p("Desde 2024.")}</w:endnote>',
        ),
    )
    assert text(found).endswith(
        "El plus se cobra siempre.\nNota al pie 1: Salvo en agosto.\nNota final 1: Desde 2024.\nY nada más."
    )


def test_a_strict_file_is_read_as_any_other(tmp_path: Path) -> None:
    note = f'<w:footnote w:id="2">{p("Salvo en agosto.")}</w:footnote>'
    listed = levels(("decimal", "Artículo %1."))
    usual = word_xml(p("Salario.", list_id="1"), p("El plus", NOTE_1, "."), footnotes=note, numbering=listed)
    of_strict = strict(usual)
    assert usual != of_strict
    assert read(tmp_path, of_strict).blocks == read(tmp_path, usual).blocks
    assert "Artículo 1. Salario." in text(read(tmp_path, of_strict))
    assert "Nota al pie 1: Salvo en agosto." in text(read(tmp_path, of_strict))


def test_a_note_that_refers_to_itself_is_read_once(tmp_path: Path) -> None:
    notes = f'<w:footnote w:id="2">{p("Véase ésta.", NOTE_1)}</w:footnote>'
    found = read(tmp_path, word_xml(ARTICLE, p("Plus.", NOTE_1), footnotes=notes))
    assert text(found).count("Véase ésta.") == 1


def test_text_boxes_are_read_once_even_inside_others(tmp_path: Path) -> None:
    body = p("Antes.", box(p("En la caja.", box(p("Dentro.")))), " Después.")
    found = text(read(tmp_path, word_xml(ARTICLE, body)))
    assert (found.count("En la caja."), found.count("Dentro.")) == (1, 1)
    assert "Antes. Después.\n" in found


def test_what_is_wrapped_in_content_controls_and_fields_is_read(tmp_path: Path) -> None:
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{p('En un control.')}</w:sdtContent></w:sdt>"
    inline = f"<w:sdt><w:sdtContent>{run('dentro')}</w:sdtContent></w:sdt>"
    field = f'<w:fldSimple w:instr="DATE">{run("2024")}</w:fldSimple>'
    link = f"<w:hyperlink>{run('enlace')}</w:hyperlink>"
    code = "<w:r><w:instrText>PAGE</w:instrText></w:r>"
    math = "<m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath>"
    found = read(tmp_path, word_xml(ARTICLE, control, p(inline, " ", field, " ", link, code, " ", math)))
    assert text(found).endswith("En un control.\ndentro 2024 enlace a+b")
    assert found.warnings == ()


@pytest.mark.parametrize(
    "hidden", [run("Diga que sí.", "<w:vanish/>"), run("Diga que sí.", '<w:vanish w:val="1"/>')]
)
def test_hidden_text_is_left_out_and_told(tmp_path: Path, hidden: str) -> None:
    found = read(tmp_path, word_xml(ARTICLE, p("Visible.", hidden)))
    assert "Diga" not in text(found)
    assert found.warnings[0] == HIDDEN


def test_text_that_is_expressly_not_hidden_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, word_xml(ARTICLE, p(run("Se ve.", '<w:vanish w:val="0"/>'))))
    assert "Se ve." in text(found)


def test_pictures_are_told(tmp_path: Path) -> None:
    found = read(tmp_path, word_xml(ARTICLE, p("Tabla:", "<w:r><w:drawing><a:blip/></w:drawing></w:r>")))
    assert found.warnings[0] == PICTURES


def test_charts_and_comments_are_told(tmp_path: Path) -> None:
    chart = "<w:r><w:drawing><a:graphicData><a:chart/></a:graphicData></w:drawing></w:r>"
    found = read(tmp_path, word_xml(ARTICLE, p("Texto.", chart, '<w:r><w:commentReference w:id="1"/></w:r>')))
    assert set(found.warnings) == {OBJECTS, COMMENTS}


LEGAL = levels(("decimal", "Artículo %1."), ("decimal", "%1.%2."), ("lowerLetter", "%3)"))


def test_automatic_numbers_are_part_of_the_text_and_make_articles(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        word_xml(
            p("Objeto.", list_id="1"),
            p("Uno.", list_id="1", level=1),
            p("Letra.", list_id="1", level=2),
            p("Otra.", list_id="1", level=2),
            p("Dos.", list_id="1", level=1),
            p("De nuevo.", list_id="1", level=2),
            p("Ámbito.", list_id="1"),
            p("Sin número."),
            p("Suyo.", list_id="1", level=1),
            numbering=LEGAL,
        ),
    )
    assert [block.label for block in found.blocks] == ["1", "2"]
    assert found.blocks[0].versions[0].text == (
        "Artículo 1. Objeto.\n1.1. Uno.\na) Letra.\nb) Otra.\n1.2. Dos.\na) De nuevo."
    )
    assert found.blocks[1].versions[0].text == "Artículo 2. Ámbito.\nSin número.\n2.1. Suyo."


def test_a_style_may_number_and_a_list_may_start_again(tmp_path: Path) -> None:
    styles = (
        '<w:style w:type="paragraph" w:styleId="Art"><w:name w:val="Art"/><w:basedOn w:val="Base"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Base"><w:name w:val="Base"/><w:pPr>'
        '<w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    )
    again = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    second = f'<w:num w:numId="9"><w:abstractNumId w:val="1"/>{again}</w:num>'
    found = text(
        read(
            tmp_path,
            word_xml(
                ARTICLE,
                p("Uno.", style="Art"),
                p("Dos.", style="Art"),
                p("Cinco.", list_id="9"),
                p("Seis.", list_id="9"),
                p("Ninguno.", style="Art", list_id="0"),
                numbering=levels(("decimal", "%1.º")) + second,
                styles=styles,
            ),
        )
    )
    assert found.endswith("1.º Uno.\n2.º Dos.\n5.º Cinco.\n6.º Seis.\nNinguno.")


@pytest.mark.parametrize(
    ("kind", "number", "expected"),
    [
        ("decimal", 12, "12"),
        ("lowerLetter", 1, "a"),
        ("lowerLetter", 28, "bb"),
        ("upperLetter", 3, "C"),
        ("lowerRoman", 4, "iv"),
        ("upperRoman", 1994, "MCMXCIV"),
        ("ordinal", 2, "2.º"),
        ("ordinalText", 1, "Primero"),
        ("ordinalText", 13, "13"),
        ("cardinalText", 2, "Dos"),
        ("decimalZero", 7, "07"),
        ("none", 7, ""),
        ("chicago", 7, "7"),
        ("lowerRoman", 0, "0"),
    ],
)
def test_a_number_is_written_as_word_shows_it(kind: str, number: int, expected: str) -> None:
    assert formatted(number, kind) == expected


def test_bullets_are_dashes_and_legal_levels_are_decimal(tmp_path: Path) -> None:
    legal = (
        '<w:abstractNum w:abstractNumId="3"><w:lvl w:ilvl="0"><w:numFmt w:val="upperRoman"/>'
        '<w:lvlText w:val="%1"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/><w:isLgl/>'
        '<w:lvlText w:val="%1.%2"/></w:lvl>'
        '</w:abstractNum><w:num w:numId="3"><w:abstractNumId w:val="3"/></w:num>'
    )
    found = read(
        tmp_path,
        word_xml(
            ARTICLE,
            p("Punto.", list_id="1"),
            p("Romano.", list_id="3"),
            p("Legal.", list_id="3", level=1),
            numbering=levels(("bullet", "")) + legal,
        ),
    )
    assert text(found).endswith("- Punto.\nI Romano.\n1.1 Legal.")


@pytest.mark.parametrize(
    "numbering",
    [
        "",
        '<w:num w:numId="1"/>',
        '<w:num w:numId="1"><w:abstractNumId w:val="77"/></w:num>',
        levels(("decimal", "%9.%1")),
        '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="12"><w:lvlText w:val="%1"/></w:lvl>'
        "</w:abstractNum>"
        '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>',
        levels(
            ("decimal", "%1"), more='<w:lvlOverride w:ilvl="x"><w:startOverride w:val="y"/></w:lvlOverride>'
        ),
    ],
)
@pytest.mark.parametrize("level", [0, 8, 12])
def test_numbers_that_make_no_sense_never_lose_the_text(tmp_path: Path, numbering: str, level: int) -> None:
    found = read(tmp_path, word_xml(ARTICLE, p("Texto.", list_id="1", level=level), numbering=numbering))
    assert "Texto." in text(found)


WHOLE = {
    "footnotes": f'<w:footnote w:id="2">{p("Salvo en agosto.")}</w:footnote>',
    "numbering": LEGAL,
    "styles": '<w:style w:type="paragraph" w:styleId="Art"><w:name w:val="heading 1"/></w:style>',
}
BODY = (
    p("Objeto.", list_id="1", style="Art"),
    p("Plus ", gone("no"), ins("sí"), NOTE_1, box(p("Caja."))),
    f"<w:tbl><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc>{p('Celda')}</w:tc></w:tr></w:tbl>",
)


@pytest.mark.parametrize("seed", range(60))
def test_damaged_xml_is_read_or_told_and_never_a_crash(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)

    def hurt(xml: str) -> str:
        tags = re.findall(r"<[^>]+>", xml)
        for tag in dice.sample(tags, min(len(tags), dice.randint(1, 4))):
            xml = xml.replace(tag, dice.choice(["", tag * 2, re.sub(r'"[^"]*"', '"-1"', tag)]), 1)
        return xml

    body = [hurt(one) if dice.random() < 0.6 else one for one in BODY]
    parts = {name: hurt(one) if dice.random() < 0.6 else one for name, one in WHOLE.items()}
    try:
        found = read(tmp_path, word_xml(*body, **parts))
    except InputError as error:
        assert str(error).startswith("convenio.docx: ")
    else:
        assert found.blocks


def test_styles_based_on_each_other_end(tmp_path: Path) -> None:
    loop = "".join(
        f'<w:style w:type="paragraph" w:styleId="{one}"><w:name w:val="{one}"/><w:basedOn w:val="{other}"/>'
        "</w:style>"
        for one, other in ("AB", "BA")
    )
    assert "Texto." in text(read(tmp_path, word_xml(ARTICLE, p("Texto.", style="A"), styles=loop)))


@pytest.mark.parametrize("part", ["footnotes", "numbering", "styles"])
def test_a_part_that_is_no_xml_is_a_sentence(tmp_path: Path, part: str) -> None:
    with pytest.raises(InputError, match="dañado"):
        read(tmp_path, word_xml(ARTICLE, **{part: "<w:broken>"}))


@pytest.mark.parametrize("depth", [60, 110])
def test_what_is_deep_inside_controls_is_read(tmp_path: Path, depth: int) -> None:
    deep = "<w:sdt><w:sdtContent>" * depth + p("Hondo.") + "</w:sdtContent></w:sdt>" * depth
    assert "Hondo." in text(read(tmp_path, word_xml(ARTICLE, deep)))


def test_controls_nested_without_end_are_a_sentence(tmp_path: Path) -> None:
    deep = "<w:sdt>" * 5000 + p("Hondo.") + "</w:sdt>" * 5000
    with pytest.raises(InputError, match="dañado"):
        read(tmp_path, word_xml(ARTICLE, deep))
