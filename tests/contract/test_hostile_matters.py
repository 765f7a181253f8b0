"""The table of hostile text in expedientes: names, notes, names of files, documents; nothing comes alive."""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from casework.matters.facts_reading import CasePaper, read_facts
from casework.matters.paper_fragments import FoundFragment, Fragment
from casework.matters.paper_search import as_hit
from core.errors import InputError
from domain.accounts import LOCAL
from domain.matters import DocumentState
from pages.parts.answer.documents import document_text
from pages.parts.common.html import facts, titled
from pages.parts.common.law import quoted_html
from pages.parts.common.render import label_text
from pages.parts.matters.facts import told_fact
from rag.answers.article_numbers import CitedArticle
from rag.answers.context_block import build_context, render_context
from rag.answers.quotation_check import source_of
from service.members.facts import FactRequest
from service.members.member import Member
from service.program.assembly import App
from tests.homes import lexical_program, overriding
from tests.hostile import TEXTS, invisible, live_html, live_label
from tests.pages.driver import ROUTER, html
from text.textnorm import encodable, visible


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with lexical_program(tmp_path_factory.mktemp("hostile")) as made, overriding(made):
        yield made


@pytest.fixture(scope="module")
def person(program: App) -> Member:
    return Member(program, LOCAL)


def test_no_name_reference_or_note_is_more_than_text(person: Member) -> None:
    for text in TEXTS:
        try:
            made = person.matters.create(text[:120], text[:80])
        except InputError as error:
            assert str(error) == "Escriba un nombre para el expediente."
            continue
        kept = person.matters.change(made.id, notes=text[:20_000])
        for shown in (kept.name, kept.reference, kept.notes):
            assert visible(shown) == shown
            shown.encode()
            assert live_html(titled(shown)) == live_label(label_text(shown)) == []
        person.matters.delete(made.id)


def test_no_name_of_a_file_is_a_path_or_comes_alive(program: App, person: Member) -> None:
    matter = person.matters.create("Nombres").id
    for number, text in enumerate(TEXTS[:60]):
        stored = person.papers.upload(matter, f"{text}.txt", f"Un texto distinto {number}.".encode())
        assert invisible(stored.name) == [] and live_html(titled(stored.name)) == []
    names = {path.name for path in (program.home / "matters").iterdir()}
    assert names == {one.id for one in person.papers.documents(matter)}
    person.matters.delete(matter)


def test_documents_of_hostile_text_are_read_or_told_and_only_quoted(person: Member) -> None:
    matter = person.matters.create("Textos").id
    for number in range(0, len(TEXTS), 5):
        body = "\n\n".join(text.replace("\x00", "") for text in TEXTS[number : number + 5])
        content = f"Documento {number}. El plus pactado es de 10 euros.\n\n{body}".encode("utf-8", "replace")
        document = person.papers.upload(matter, f"{number}.txt", content)
        document = person.papers.document(document.id)
        if document.state is DocumentState.FAILED:
            assert document.problem.endswith(".") and invisible(document.problem) == []
            assert live_html(facts([("", "")], document.problem)) == []
    chat = person.conversations.create("", matter).id
    run = person.runs.start(chat, "¿De cuánto es el plus pactado?")
    assert run.done.wait(30) and "10 euros" in run.text
    page = AppTest.from_file(ROUTER, default_timeout=30)
    page.query_params["c"] = chat
    page.run()
    assert not page.exception
    assert live_html(html(page)) == []
    person.matters.delete(matter)


def test_facts_of_hostile_text_are_only_shown_and_what_is_given_is_text(person: Member) -> None:
    matter = person.matters.create("Hechos").id
    for text in TEXTS:
        told = f"Categoría: {text}\nCentro de trabajo: {text}\nEmpresa: {text}\nTrabajador: {text}"
        paper = CasePaper("Doc 1", f"{text}.txt", "d", [Fragment(number=1, text=told)])
        assert [live for one in read_facts([paper]).facts for live in live_html(told_fact(one))] == [], text
        sheet = person.facts.correct(matter, "seat", FactRequest(value=encodable(text)[:300]))
        assert invisible(sheet["seat"].value) == [] and live_html(told_fact(sheet["seat"])) == []
    person.matters.delete(matter)


def test_a_fragment_cannot_imitate_the_context_or_a_source() -> None:
    for text in TEXTS:
        fragment = Fragment(number=1, page=1, text=text)
        found = FoundFragment(document_id="d", document_number=1, name=f"{text}.pdf", fragment=fragment)
        hit = as_hit(found, 1.0)
        context, left_out, _ = build_context([], 20_000, own=[hit])
        assert left_out == []
        block = render_context(context)
        assert block.count("[C1] [Documento del expediente") == block.count("[C1]") == 1, text
        assert "[Fuente" not in block and "\n---" not in block, text
        assert document_text(CitedArticle(1, source_of("C1", hit))).startswith("[1] Doc 1, p.\u00a01 ("), text
        assert live_html(quoted_html(text, [])) == [], text
