"""Comments put into the margin of Word files: at their place wherever that is, and nothing else changed."""

import io
import re
import unicodedata
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import pytest

from core.errors import InputError
from law.norms import BRIEF
from loading.formats import load
from loading.formats.word_comments import IN_BOX, IN_NOTE, MACROS, NOT_WORD, SIGNED, STRICT, Comment, write
from loading.parsing.file_reader import reader_of
from loading.parsing.limits import Limits
from tests.commented_files import Told, assert_nothing_else_changed, told
from tests.office_files import pdf, zipped
from tests.word_files import box, gone, p, run, strict, tabled, word_xml

CITED = "art. 400 ET"
TOLD = "No existe. El ET no tiene artículo 400 <b> & «x»."
FIELD = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
NOTE = '<w:r><w:footnoteReference w:id="2"/></w:r>'


def commented(tmp_path: Path, data: bytes, *words: str) -> bytes:
    """The file with a comment on the first place of each of these words; its text is the same."""
    path, into = tmp_path / "escrito.docx", tmp_path / "comentado.docx"
    path.write_bytes(data)
    text = read(path)
    starts = [text.index(one) for one in words]
    comments = [Comment(at, at + len(one), TOLD) for at, one in zip(starts, words, strict=True)]
    write(path, "escrito.docx", comments, into)
    assert read(into) == text
    after = into.read_bytes()
    assert_nothing_else_changed(data, after)
    docx.Document(io.BytesIO(after))
    return after


def read(path: Path) -> str:
    (found,) = load(path, BRIEF)
    return found.blocks[0].versions[0].text


@pytest.mark.parametrize(
    "paragraph",
    [
        p(f"El {CITED} no."),
        p(run("El art. "), run("4", "<w:b/>"), run("00 "), run("ET no.", "<w:i/>")),
        p('<w:hyperlink w:anchor="x">', run(f"El {CITED}"), "</w:hyperlink>"),
        p(run("El art. 4"), '<w:ins w:id="3" w:author="a">', run("00 E"), "</w:ins>", run("T no.")),
        p('<w:moveTo w:id="3" w:author="a">', run(f"El {CITED} y"), "</w:moveTo>", gone("otro", "moveFrom")),
        p('<w:fldSimple w:instr="REF x">', run(f"El {CITED} y"), "</w:fldSimple>"),
        p(FIELD.format("begin"), FIELD.format("separate"), run(f"El {CITED}"), FIELD.format("end")),
        p("<w:sdt><w:sdtContent>", run(f"El {CITED} y"), "</w:sdtContent></w:sdt>"),
        p('<w:smartTag w:element="x">', run(f"El {CITED} y"), "</w:smartTag>"),
        p(f"<w:r><w:t>Uno: </w:t><w:br/><w:t>{CITED}</w:t><w:tab/><w:t>dos</w:t></w:r>"),
        p('<w:bookmarkStart w:id="0" w:name="m"/>', run(f"{CITED}"), '<w:bookmarkEnd w:id="0"/>'),
        p('<w:commentRangeStart w:id="9"/>', run(CITED), '<w:commentRangeEnd w:id="9"/>'),
        tabled(("uno | dos", f"Véase {CITED}."), ("tres", "cuatro")),
        f"<!-- nota --><?pi x?>{p(f'El {CITED} no.')}",
    ],
)
def test_a_comment_stands_at_its_words_wherever_they_are(tmp_path: Path, paragraph: str) -> None:
    after = commented(tmp_path, word_xml(p("Antes."), paragraph, p("Después.")), CITED)
    assert told(after) == [Told(CITED, TOLD)]


@pytest.mark.parametrize(
    ("written", "cited"),
    [
        (unicodedata.normalize("NFD", "artículo 400 ET"), "artículo 400 ET"),
        ("art\u00ad. 4\u200b00 ET", CITED),
        ("\u0430rt. 400 \u0415T", CITED),
        ("art. \uff14\uff10\uff10 ET", CITED),
    ],
)
def test_letters_that_are_read_as_others_keep_their_place(tmp_path: Path, written: str, cited: str) -> None:
    after = commented(tmp_path, word_xml(p(f"Según la razón del {written} no."), p("Más.")), cited)
    assert [one.words for one in told(after)] == [written]


@pytest.mark.parametrize("length", [1, 60])
@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_a_comment_on_a_note_stands_at_its_mark_and_says_so(tmp_path: Path, kind: str, length: int) -> None:
    note = f'<w:{kind} w:id="2">{p(f"Véase {CITED}. " * length)}</w:{kind}>'
    mark = NOTE.replace("footnote", kind)
    data = word_xml(p(run("Uno"), mark, run(" dos.")), p("Tres."), **{f"{kind}s": note})
    assert told(commented(tmp_path, data, CITED)) == [Told("", IN_NOTE.format(words=CITED) + TOLD)]


def test_a_comment_on_a_text_box_stands_around_the_box_and_says_so(tmp_path: Path) -> None:
    after = commented(tmp_path, word_xml(p(run("Uno"), box(p(f"En caja {CITED}")), run(" dos."))), CITED)
    assert [one.text for one in told(after)] == [IN_BOX.format(words=CITED) + TOLD]


def test_comments_that_overlap_or_touch_and_those_already_there_all_stay(tmp_path: Path) -> None:
    old = "".join(f'<w:comment w:id="{n}" w:author="Otra">{p("Ya estaba.")}</w:comment>' for n in (0, 41))
    marks = '<w:commentRangeStart w:id="41"/>', '<w:commentRangeEnd w:id="41"/>'
    reference = '<w:r><w:commentReference w:id="41"/></w:r>'
    body = p(marks[0], run("El art. 400 ET y el art. 401 ET."), marks[1], reference)
    words = "art. 400 ET y", "400 ET", "el art. 401 ET", "art. 401"
    assert [one.words for one in told(commented(tmp_path, word_xml(body, comments=old), *words))] == [*words]


def test_a_comment_in_a_control_of_paragraphs_ends_after_it_if_a_paragraph_follows(tmp_path: Path) -> None:
    control = f"<w:sdt><w:sdtContent>{p('Uno.')}{p(f'El {CITED} no.')}</w:sdtContent></w:sdt>"
    for after, words in ((p("Fin."), f"{CITED} no."), ("<w:p/>", CITED), ("", CITED)):
        assert told(commented(tmp_path, word_xml(p("Antes."), control, after), CITED)) == [Told(words, TOLD)]
    whole = told(commented(tmp_path, word_xml(control, p("Fin.")), CITED, "Uno", "Fin"))
    assert [one.words for one in whole] == [f"Uno.El {CITED} no.", f"{CITED} no.", "Fin"]


def test_a_comment_over_paragraphs_is_one_and_one_over_cells_ends_in_the_first(tmp_path: Path) -> None:
    after = commented(tmp_path, word_xml(p("«Una cita"), p("que sigue».")), "«Una cita\n\nque sigue».")
    assert [one.words for one in told(after)] == ["«Una citaque sigue»."]
    after = commented(tmp_path, word_xml(tabled(("«Una cita", "que sigue»."))), "«Una cita | que sigue».")
    assert [one.words for one in told(after)] == ["«Una cita"]


def test_a_file_without_relations_and_one_without_findings_come_back_too(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(word_xml(p(f"El {CITED} no.")))) as package:
        kept = {one: package.read(one) for one in package.namelist() if "document.xml.rels" not in one}
    assert told(commented(tmp_path, zipped(kept), CITED)) == [Told(CITED, TOLD)]
    assert told(commented(tmp_path, zipped(kept))) == []


def with_part(name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(word_xml(p(CITED)))) as package:
        return zipped({one: package.read(one) for one in package.namelist()} | {name: b"x"})


def twice() -> bytes:
    stream = io.BytesIO(word_xml(p(CITED)))
    with zipfile.ZipFile(stream, "a") as package, pytest.warns(UserWarning):
        package.writestr("word/document.xml", b"<x/>")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: pdf("Uno"), NOT_WORD.format(name="e.docx")),
        (lambda: with_part("_xmlsignatures/sig1.xml"), SIGNED.format(name="e.docx")),
        (lambda: with_part("word/vbaProject.bin"), MACROS.format(name="e.docx")),
        (lambda: strict(word_xml(p(CITED))), STRICT.format(name="e.docx")),
        (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "contraseña"),
        (lambda: zipped({"word/document.xml": b"<a>" * 40_000_000}), "crece demasiado"),
        (lambda: zipped({"word/document.xml": b"<w:document/>"}), "está dañado"),
        (twice, "está dañado"),
    ],
)
def test_a_file_that_comments_would_harm_is_refused_with_a_sentence(
    tmp_path: Path, make: Callable[[], bytes], said: str
) -> None:
    path, into = tmp_path / "e.docx", tmp_path / "y.docx"
    path.write_bytes(before := make())
    with pytest.raises(InputError, match=re.escape(said)):
        reader_of(Limits()).comment(path, "e.docx", [Comment(0, 4, TOLD)], into)
    assert path.read_bytes() == before
