"""The formats of an opinion: the same words, notes and addresses in each, and nothing but text."""

import io
import json
import re

import docx
import pypdfium2
import pytest

from rag.shared.cited_answer import Answer
from service.opinions.content import Heading, Paragraph, Table
from service.opinions.formats import FORMATS, Format
from service.opinions.opinion import MOST, Opinion, compose
from tests.hostile import batches
from tests.opinions import DAY, QUOTE, RULING, cited, consulted, law, links, notes, ruled

TEXT = (
    f"**Ojo**: según la ley, «{QUOTE}» [C1][C2]. Son 1.200 € «o más», ñandú, n.º 3.ª.\n- Uno [C1]\n- Dos\n\n"
    f"| Grupo | Euros |\n| --- | --- |\n| I | 12 [C2] |\n\nY el tribunal: «{RULING}» [C2]."
)


def answered(text: str = TEXT, **fields: object) -> Answer:
    answer = Answer(
        answer=text, citations=(cited(law()), ruled()), notes="Vea además otra cosa.", confidence=0.9
    )
    return answer.model_copy(update=fields)


def opinion(text: str = TEXT, **fields: object) -> Opinion:
    return compose([consulted(answered(text, **fields))], law(), DAY)


def bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def read_word(file: bytes) -> str:
    document = docx.Document(io.BytesIO(file))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    said = [paragraph.text for paragraph in document.paragraphs]
    return "".join([*said, *cells, *notes(file)])


def read_pdf(file: bytes) -> str:
    pages = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(file)]
    # A number at the foot of each page.
    return "".join(re.sub(r"\s*\d+\s*$", "", page) for page in pages)


def read_markdown(file: bytes) -> str:
    return re.sub(r"\\([^\w\s])", r"\1", file.decode())


def read_json(file: bytes) -> str:
    return file.decode()


READ = {
    Format.WORD: read_word,
    Format.PDF: read_pdf,
    Format.MARKDOWN: read_markdown,
    Format.JSON: read_json,
}


def said(one: Opinion) -> list[str]:
    """Every stretch of words, note and address of an opinion."""
    found = [one.title, one.state, *(each.title for each in one.parts)]
    for element in (element for each in one.parts for element in each.elements):
        match element:
            case Heading():
                found.append(element.text)
            case Paragraph():
                found += [text for words in element.words for text in (words.text, words.note, words.url)]
            case Table():
                found += [words.text for row in element.rows for cell in row for words in cell]
    return [text for text in found if text.strip()]


@pytest.mark.parametrize("kind", Format)
def test_every_format_has_every_word_note_and_address(kind: Format) -> None:
    one = opinion()
    read = bare(READ[kind](FORMATS[kind].write(one)))
    assert len(said(one)) > 25
    assert [text for text in said(one) if bare(text) not in read] == []


def test_every_format_has_as_many_notes() -> None:
    one = opinion()
    files = {kind: FORMATS[kind].write(one) for kind in Format}
    count = len(notes(files[Format.WORD]))
    assert count > 4
    assert len(re.findall(r"(?m)^\[\^\d+\]: ", files[Format.MARKDOWN].decode())) == count
    assert len(re.findall(r"\[\^\d+\](?!:)", files[Format.MARKDOWN].decode())) == count
    assert len(re.findall(r'"note": "[^"]', files[Format.JSON].decode())) == count
    assert len(re.findall(r"(?m)^\s*(\d+)\. \w", read_pdf(files[Format.PDF]).partition("Notas")[2])) == count


def test_the_json_is_read_back_as_the_same_opinion() -> None:
    one = opinion()
    file = FORMATS[Format.JSON].write(one)
    assert Opinion.model_validate_json(file) == one
    assert [each["name"] for each in json.loads(file)["parts"]][:2] == ["antecedentes", "cuestiones"]


def test_the_pdf_has_a_language_a_title_an_outline_and_its_own_letters() -> None:
    file = FORMATS[Format.PDF].write(opinion())
    document = pypdfium2.PdfDocument(file)
    assert document.get_metadata_dict()["Title"] == "Dictamen"
    assert b"es-ES" in file and b"/DisplayDocTitle true" in file
    names = [one.get_title() for one in document.get_toc()]
    assert names[0] == "Antecedentes" and names[-1] == "Notas"
    assert b"SourceSans" in file, "embedded, so that each machine shows the same"


@pytest.mark.parametrize("kind", Format)
def test_no_hostile_text_breaks_a_format(kind: Format) -> None:
    given = (
        *batches(6, whole=True),
        "<para><b>x",
        "&lt;script&gt;",
        "\x00\ud800 ✘ [x](javascript:1)",
        "<a href='x'>",
    )
    asked = [
        consulted(answered(f"{text} [C1]", notes=text), f"¿Caso {number}?")
        for number, text in enumerate(given)
    ]
    for first in range(0, len(asked), MOST):
        several = asked[first : first + MOST]
        said = READ[kind](FORMATS[kind].write(compose(several, law(), DAY)))
        assert [one.question for one in several if one.question not in said] == []


@pytest.mark.parametrize(
    ("url", "is_link"),
    [
        ("https://www.boe.es/buscar/act.php?id=BOE-A-2015-11430", True),
        ("https://evil.example/act.php", False),
        ("https://boe.es.evil.example/", False),
        ("https://boe.es\\@evil.example/", False),
    ],
)
def test_only_the_address_of_an_official_source_is_a_link(url: str, is_link: bool) -> None:
    made = opinion(citations=(cited(law(), url=url),))
    files = {kind: FORMATS[kind].write(made) for kind in (Format.WORD, Format.PDF, Format.MARKDOWN)}
    marked = {
        Format.WORD: bool(links(files[Format.WORD])),
        Format.PDF: b"/URI (" in files[Format.PDF],
        Format.MARKDOWN: b"<https" in files[Format.MARKDOWN],
    }
    assert set(marked.values()) == {is_link}, marked


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "[x](https://evil.example)", "# Uno\n## Dos"])
def test_no_text_becomes_markup_in_markdown(text: str) -> None:
    file = FORMATS[Format.MARKDOWN].write(opinion("Sí [C1].", notes=f"a {text}")).decode()
    assert "<script" not in file.replace("\\<", "")
    assert "[x](" not in file
    assert file.count("\n# ") == 0
