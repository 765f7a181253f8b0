"""The order of elements that ECMA-376 part 1, annex A, wants in what we write of a Word file.

Word repairs or refuses a file whose elements are out of order; LibreOffice and python-docx do not notice.
"""

import io
import re
import tomllib
import zipfile
from collections.abc import Callable
from datetime import date

import docx
import pytest
from docx.oxml.ns import qn
from lxml import etree

from casework.templates.fill import fill, given
from casework.templates.template_files import read_templates
from service.config import ROOT
from service.contract.templates import Counted
from service.opinions import placeholders
from service.opinions.brief_file import brief_file
from service.opinions.content import table
from service.opinions.formats import FORMATS, Format
from service.opinions.letterheads import example
from service.opinions.word import Writer
from tests.homes import DATA
from tests.unit.test_opinion_formats import opinion

SPACES = tuple(qn(f"{prefix}:x").removesuffix("x") for prefix in ("w", "m"))
ORDER = tomllib.loads((DATA / "word_order.toml").read_text("utf-8"))
"""Children of each element, in their order."""


def dictamen() -> bytes:
    return FORMATS[Format.WORD].write(opinion())


def into_a_template() -> bytes:
    return placeholders.fill(example(), opinion())


def into_a_bare_template() -> bytes:
    """One whose settings have nothing but what comes last, and whose styles are few."""
    document = docx.Document(io.BytesIO(example()))
    settings = document.settings.element
    for one in list(settings):
        if one.tag not in {qn("w:zoom"), qn("w:decimalSymbol"), qn("w:listSeparator")}:
            settings.remove(one)
    for name in ("Quote", "List Bullet", "List Number", "Table Grid"):
        document.styles[name].delete()
    stream = io.BytesIO()
    document.save(stream)
    return placeholders.fill(stream.getvalue(), opinion())


def brief() -> bytes:
    template = read_templates([ROOT / "data"]).known["preaviso-dimision"]
    return brief_file(fill(template, given(template, {})), template, (), Counted(), date(2026, 11, 23))


def report() -> bytes:
    writer = Writer("Informe")
    writer.table(table([["N.º", "Cita"], ["1", "Dos"]]).rows, (1.2, 5.8))
    return writer.saved()


@pytest.mark.parametrize("made", [dictamen, into_a_template, into_a_bare_template, brief, report])
def test_the_elements_of_a_word_file_are_in_the_order_of_the_schema(made: Callable[[], bytes]) -> None:
    wrong, seen = [], set()
    with zipfile.ZipFile(io.BytesIO(made())) as package:
        for part in package.namelist():
            if not part.startswith("word/") or not part.endswith(".xml"):
                continue
            for element in etree.fromstring(package.read(part)).iter("{*}" + "*"):
                order = ORDER.get(etree.QName(element).localname, "").split()
                if not order or element.tag.startswith("{http://schemas.openxmlformats.org/drawingml"):
                    continue
                seen.add(etree.QName(element).localname)
                # Those of later versions of Word have a namespace of their own, and no place in the schema.
                children = [etree.QName(one).localname for one in element if one.tag.startswith(SPACES)]
                places = [order.index(one) for one in children if one in order]
                if places != sorted(places) or set(children) - set(order):
                    wrong.append((part, etree.QName(element).localname, children))
    assert wrong == []
    assert seen >= {"pPr", "rPr", "sectPr", "style", "settings"}


def test_the_part_of_the_notes_is_named_once_in_its_package_and_its_ids_are_those_of_the_text() -> None:
    for made in (dictamen, into_a_template, into_a_bare_template):
        with zipfile.ZipFile(io.BytesIO(made())) as package:
            kinds = package.read("[Content_Types].xml").decode()
            notes = etree.fromstring(package.read("word/footnotes.xml"))
            body = etree.fromstring(package.read("word/document.xml"))
        assert kinds.count("/word/footnotes.xml") == 1
        own = [one.get(qn("w:id")) for one in notes if one.get(qn("w:type")) is None]
        assert own == [one.get(qn("w:id")) for one in body.iter(qn("w:footnoteReference"))]
        assert len(own) == len(set(own)) > 1
        assert all(
            one.find(f"{qn('w:p')}/{qn('w:r')}/{qn('w:footnoteRef')}") is not None for one in list(notes)[2:]
        )


def test_a_date_in_a_note_is_not_broken_at_the_end_of_a_line() -> None:
    with zipfile.ZipFile(io.BytesIO(dictamen())) as package:
        notes = etree.fromstring(package.read("word/footnotes.xml"))
    said = ["".join(text.text or "" for text in one.iter(qn("w:t"))) for one in list(notes)[2:]]
    assert [one for one in said if re.search(r"\d-\d{1,2}-\d{4}", one)] == []
    assert {len(list(one.iter(qn("w:noBreakHyphen")))) for one in list(notes)[2:]} == {0, 2}
