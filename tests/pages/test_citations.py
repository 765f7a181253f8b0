"""«Comprobar citas»: what the page shows of a brief, its table, its marks and its report; hostile briefs."""

import io
import threading
from collections.abc import Iterator
from datetime import date
from itertools import pairwise

import docx
import pytest
from streamlit.testing.v1 import AppTest

from casework.briefs.findings import NAMES, RIGHT, SIGNS, CitationReport, Finding, Kind, State, state_name
from core.progress import OnProgress
from law.diff import compare
from loading.formats.word_comments import NOT_WORD
from pages.parts.citations import brief as brief_module
from pages.parts.citations.brief import FILE, RESULT
from pages.parts.citations.marked import brief_html, pieces, source_link
from pages.parts.citations.word import TITLE, word_report
from pages.parts.citations.words import COLOURS, NOTICE, look_of
from pages.parts.common import page as page_module
from service.program.assembly import App
from tests.commented_files import told
from tests.homes import new_program, overriding
from tests.hostile import GROUPS, invisible, live_html
from tests.pages.corpus import NORM, write_corpus
from tests.pages.driver import html, page_at
from tests.word_files import p, word_xml

BRIEF = (
    "AL JUZGADO\n\nEl art. 2.1 de la Ley 1/2001 dispone: «El descanso dura veinte años».\n\n"
    "El art. 9 de la Ley 1/2001 y el art. 2 de la Ley 1/2001."
)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    made = new_program(tmp_path_factory.mktemp("home"))
    made.loading.ingest([write_corpus(tmp_path_factory.mktemp("norms"))])
    with overriding(made):
        yield made
    made.close()


AT_ONCE = 8
"""Hostile texts in one brief: a run of the page takes longer than to check and draw them."""


def checked(text: str, page: AppTest | None = None) -> AppTest:
    """The page with the brief checked; opened for it unless given."""
    page = page or page_at("citations")
    page.text_area(key="citations-text").set_value(text)
    page.button(key="citations-check").click().run()
    assert not page.exception, page.exception
    return page


def test_a_brief_is_checked_with_counts_reasons_differences_and_links(program: App) -> None:
    shown = html(checked(BRIEF))
    for part in (
        "✔ Vigente: 2",
        "✘ No existe: 1",
        "≠ Cita con diferencias: 1",
        "no tiene artículo 9",
        '<del><span class="art-sign">[−</span>días',
        '<ins><span class="art-sign">[+</span>años',
        f'href="/normativa?doc={NORM}&amp;block=a2',
        f'data-text="/fuente?doc={NORM}&amp;block=a2',
        "Texto oficial",
        NOTICE,
    ):
        assert part in shown, part


def test_the_brief_is_shown_with_a_sign_and_a_name_on_each_citation(program: App) -> None:
    page = checked(BRIEF)
    page.session_state["citations-tab"] = "Escrito marcado"
    page.run()
    assert not page.exception
    shown = html(page)
    assert "<p>AL JUZGADO</p>" in shown
    assert 'aria-label="No existe">✘</span>' in shown
    assert 'class="art-cited art-low">art. 9 de la Ley 1/2001<' in shown


@pytest.mark.parametrize(("text", "told"), [("", "No hay texto"), ("Le saludo.", "no cita ninguna norma")])
def test_a_brief_without_text_or_citations_is_told(program: App, text: str, told: str) -> None:
    page = checked(text)
    assert told in html(page) + " ".join(error.value for error in page.error)


def test_a_text_beyond_the_limit_is_told_and_not_cut(program: App) -> None:
    page = checked("El art. 2.1 de la Ley 1/2001. " * 10_001)
    told = page.error[0].value.replace("\\", "")
    assert told == "Texto pegado: tiene más de 300.000 caracteres, unas cien páginas; divídalo en partes."
    assert RESULT not in page.session_state


def test_a_brief_in_word_comes_back_with_comments_and_one_that_cannot_says_why(program: App) -> None:
    word = word_xml(p("El art. 9 de la Ley 1/2001 y el art. 2 de la Ley 1/2001."))
    for name, content, came in (("a.docx", word, True), ("b.docx", b"El art. 9 de la Ley 1/2001.", False)):
        page = page_at("citations")
        page.session_state["citations-way"] = FILE
        page.run().file_uploader[0].set_value([(name, content, "application/octet-stream")])
        page.run().button(key="citations-check").click().run()
        assert not page.exception and "No existe: 1" in html(page)
        back = page.session_state[RESULT].returned
        assert (NOT_WORD.format(name=name) in html(page)) is not came
        assert [one.words for one in told(back.data)] == ["art. 9 de la Ley 1/2001"] if came else back is None


def test_who_waits_for_their_turn_reads_how_many_come_first(program: App) -> None:
    others = [program.costly.take(f"otra {number}", lambda: None) for number in range(3)]
    freed = threading.Timer(1.5, lambda: [one.end() for one in others])
    freed.start()
    seen: list[str] = []
    told = page_module.queue_told

    def noted() -> OnProgress:
        tell = told()

        def listen(phase: str, done: int, total: int) -> None:
            seen.append(f"{phase} {done}")
            tell(phase, done, total)

        return listen

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(brief_module, "queue_told", noted)
        assert "Vigente" in html(checked(BRIEF))
    freed.join()
    assert "queue 1" in seen and "citations 0" in seen


def test_what_cannot_be_checked_leaves_no_old_result_behind(program: App) -> None:
    page = checked(BRIEF)
    assert RESULT in page.session_state
    page.text_area(key="citations-text").set_value(" ")
    page.button(key="citations-check").click().run()
    assert RESULT not in page.session_state and "No existe: 1" not in html(page)


@pytest.mark.parametrize("group", GROUPS)
def test_a_hostile_brief_shows_nothing_alive(program: App, group: str) -> None:
    page, wrong = page_at("citations"), {}
    entries = [*GROUPS[group].items()]
    size = 1 if group == "size" else AT_ONCE
    for some in (entries[start : start + size] for start in range(0, len(entries), size)):
        # No browser can send half a character.
        texts = [hostile.encode("utf-8", "replace").decode() for _, hostile in some]
        name = ", ".join(name for name, _ in some)
        brief = "\n\n".join(
            f"{text}\nEl art. 2 de la Ley 1/2001: «{text} y otras cuatro palabras más»\n{text}"
            for text in texts
        )
        for tab in ("Tabla", "Escrito marcado"):
            page.session_state["citations-tab"] = tab
            page = checked(brief, page) if tab == "Tabla" else page.run()
            assert not page.exception, (name, page.exception)
            shown = [one.value for one in page.html]
            assert RESULT in page.session_state, name
            assert any("art-brief" in one for one in shown) == (tab == "Escrito marcado"), name
            if found := [bad for one in shown for bad in (*live_html(one), *invisible(one))]:
                wrong[name, tab] = found
    assert wrong == {}


# What is drawn, without the page


def finding(state: State, **facts: object) -> Finding:
    return Finding(**{"kind": Kind.PROVISION, "start": 0, "end": 4, "text": "art. 1", "state": state} | facts)


def test_every_state_has_a_sign_a_colour_and_a_name_and_no_two_look_alike() -> None:
    assert set(COLOURS) == set(NAMES) == set(State)
    assert list(COLOURS) == list(NAMES) and len(set(NAMES.values())) == len(State)
    right = {state for state, sign in SIGNS.items() if sign == RIGHT}
    assert right == {state for state, colour in COLOURS.items() if colour == "art-high"}
    assert look_of(finding(State.IN_FORCE, warning="No se aplica.")) == ("△", "art-mid")
    assert state_name(finding(State.CHANGED, since=date(2020, 1, 1))) == "Modificada desde 01/01/2020"


def test_citations_that_share_their_words_are_marked_once_and_long_briefs_come_in_pieces() -> None:
    both = [finding(State.IN_FORCE, end=6), finding(State.MISSING, end=6)]
    assert brief_html("art. 1 del mar", 0, 14, both).count("art-cited-sign") == 1
    text = "Un párrafo que dice algo.\n" * 2000
    parts = pieces(text, [finding(State.EXACT, start=11_990, end=12_050)])
    assert parts[0][0] == 0 and parts[-1][1] == len(text) and parts[0][1] <= 11_990
    assert all(before[1] == after[0] for before, after in pairwise(parts))


def test_only_official_addresses_become_links() -> None:
    assert "Texto oficial" not in source_link(finding(State.IN_FORCE, url="https://evil.example/"))


def test_the_report_in_word_holds_the_table_the_differences_and_the_notice() -> None:
    runs = tuple(compare("dura veinte días", "dura veinte años"))
    report = CitationReport(
        as_of=date(2026, 6, 1),
        revision="abc123",
        characters=9,
        findings=(
            finding(State.IN_FORCE, said="Vigente."),
            finding(
                State.DIFFERENT,
                kind=Kind.QUOTATION,
                text="x\x0b<b>\ud800",
                runs=runs,
                source="LX, artículo 2",
            ),
        ),
    )
    made = docx.Document(io.BytesIO(word_report("demanda.docx", report)))
    said = [paragraph.text for paragraph in made.paragraphs]
    assert said[0] == TITLE and "Escrito: demanda.docx" in said and said[-1] == NOTICE
    assert "Estado de la normativa cargada: abc123" in said
    rows = [[cell.text for cell in row.cells] for row in made.tables[0].rows]
    assert rows[1][:3] == ["1", "Precepto: art. 1", "✔ Vigente"]
    assert rows[2][1] == "Cita literal: x<b>"
    different = next(one for one in made.paragraphs if one.text.startswith("Cita 2 (LX"))
    assert different.text == "Cita 2 (LX, artículo 2): dura veinte díasaños", "words keep their blanks"
    marked = {run.text: (bool(run.font.strike), bool(run.font.underline)) for run in different.runs}
    assert marked["días"] == (True, False) and marked["años"] == (False, True)
