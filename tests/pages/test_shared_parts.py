"""Parts that pages share: a list, a detail, a dialog that asks, and what is followed until it ends."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from service.members.member import Member
from tests.pages.driver import drawn, html, labels, page_at, press

HOMES = {
    "evaluation": "Evaluación",
    "matters": "Expedientes",
    "normativa": "Normativa",
    "review": "Revisión",
    "templates": "Modelos de escrito",
}


@pytest.mark.parametrize(
    ("name", "address", "told"),
    [
        ("evaluation", {"run": "nada"}, "No existe esa evaluación."),
        ("matters", {"e": "0" * 32}, "No existe ese expediente."),
        ("matters", {"e": "0" * 32, "t": "0" * 32}, "No existe esa tabla."),
        (
            "normativa",
            {"doc": "nada"},
            "Ese documento no está entre los cargados",
        ),
        ("normativa", {"doc": "X-LTF", "block": "a99"}, "Ese artículo no está en el documento"),
        *(("review", {"answer": one}, "No existe esa respuesta") for one in ("999", "-1", "9" * 40, "²")),
        ("templates", {"m": "nada"}, "No existe ese modelo."),
        ("templates", {"m": "papeleta-despido", "e": "0" * 32}, "No existe ese expediente."),
    ],
)
def test_what_an_address_names_and_is_not_there_is_told_and_the_home_is_shown(
    ana: Member, name: str, address: dict[str, str], told: str
) -> None:
    page = page_at(name, **address)
    assert page.toast[0].value.replace("\\", "").startswith(told)
    assert f"<h1>{HOMES[name]}</h1>" in html(page)
    assert not page.error and not page.query_params


def part(draw: Any, **state: Any) -> AppTest:
    """A page with nothing but this part."""
    page = AppTest.from_function(draw)
    for name, value in state.items():
        page.session_state[name] = value
    return drawn(page)


def test_a_list_goes_by_pages_and_its_last_one_is_shown_beyond_its_end() -> None:
    def draw() -> None:
        import streamlit as st

        from pages.parts.common.listing import paged

        paged(range(7), 3, "numbers", lambda one: st.text(str(one)))

    page = part(draw)
    assert [one.value for one in page.text] == ["0", "1", "2"]
    page.pagination[0].set_value(2).run()
    assert [one.value for one in page.text] == ["3", "4", "5"]
    assert [one.value for one in part(draw, **{"numbers-page": 9}).text] == ["6"]


def test_a_list_grows_by_as_many_as_it_began_with_until_all_are_shown() -> None:
    def draw() -> None:
        import streamlit as st

        from pages.parts.common.listing import growing

        growing(range(5), 2, "numbers", lambda one: st.text(str(one)))

    page = part(draw)
    assert [one.value for one in page.text] == ["0", "1"]
    press(press(page, "Ver más"), "Ver más")
    assert [one.value for one in page.text] == ["0", "1", "2", "3", "4"]
    assert labels(page) == []


@pytest.mark.parametrize("beside", [0, 0.3])
def test_a_row_says_its_item_and_has_its_buttons(beside: float) -> None:
    def draw() -> None:
        import streamlit as st

        from pages.parts.common.html import note, titled
        from pages.parts.common.listing import row

        with row("item", titled("Uno"), note("dos"), beside=st.session_state["width"]):
            st.button("Quitar")

    page = part(draw, width=beside)
    assert "<b>Uno</b>" in html(page) and "dos" in html(page) and labels(page) == ["Quitar"]


@pytest.mark.parametrize(("answer", "gone"), [("Cancelar", False), ("Eliminar", True)])
def test_nothing_is_lost_unless_it_is_confirmed(answer: str, gone: bool) -> None:
    def draw() -> None:
        import streamlit as st

        from pages.parts.common.confirm import confirm

        def remove(name: str) -> None:
            st.session_state["gone"] = name

        if st.button("Quitar…"):
            confirm("Quitar", "Se elimina «uno».", "Eliminar", "remove", remove, "uno")

    page = press(part(draw), "Quitar…")
    assert [one.value for one in page.text] == ["Se elimina «uno»."]
    press(page, answer)
    assert ("gone" in page.session_state) is gone


def test_a_dialog_outlives_a_drawing_of_the_page_and_forgets_what_it_kept_when_it_ends() -> None:
    def draw() -> None:
        import streamlit as st

        from pages.parts.common.confirm import close, dialog, done, open_dialog, opened, show_open
        from pages.parts.common.widgets import button

        @dialog("Datos", "edit", on_dismiss=close)
        def edit() -> None:
            st.text(f"Clave: {opened().kept}")
            if st.button("Hecho"):
                done("Guardado.")

        button("Abrir", "open", "", open_dialog, "edit", "uno", "secreta")
        show_open({"edit": edit}, "dos")
        show_open({"edit": edit}, "uno")

    page = drawn(press(part(draw), "Abrir"))
    assert [one.value for one in page.text] == ["Clave: secreta"]
    page = drawn(press(page, "Hecho"))
    assert [one.value for one in page.text] == []
    assert "open-dialog" not in page.session_state


def test_what_is_under_way_is_drawn_again_and_then_the_page_once() -> None:
    def draw() -> None:
        import streamlit as st

        from pages.parts.common.detail import followed

        left: list[int] = st.session_state["left"]
        st.session_state["pages"] = st.session_state.get("pages", 0) + 1
        followed(lambda: bool(left) and bool(left.pop()), 0.1, lambda: st.text(f"Quedan {len(left)}"))

    page = part(draw, left=[0, 1])
    assert [one.value for one in page.text] == ["Quedan 0"]
    assert page.session_state["pages"] == 2
