"""The evaluation page: questions of a run down to their traces, and two runs side by side."""

import pytest

from rag.evaluation.results import AnswerTold, FactTold
from service.program.assembly import App
from tests.pages.driver import HOSTILE, html, labels, page_at, press
from tests.pages.evaluation.conftest import evaluated, result, stored, write
from tests.pages.samples import trace_of


def test_questions_are_filtered_by_what_went_wrong(app: App) -> None:
    run = stored(
        app,
        result("buena"),
        result("discreta", refused=True, answerable=False, labels=(), scores={}, checks={"refusal": True}),
        result("lejos", 7),
        result("callada", refused=True, checks={"refusal": False, "retrieval": True}),
        result(
            "atrevida", answerable=False, labels=(), scores={}, checks={"refusal": False}, category="negative"
        ),
        result("fecha", checks={"refusal": True, "retrieval": True, "as_of": False}),
        result("aparte", None, held=False),
    )
    page = page_at("evaluation", run=run.id)
    show = page.selectbox(key="show")
    assert show.options == [
        "Con fallos (4)",
        "Artículo fuera de los 3 primeros (1)",
        "Rechazadas por error (1)",
        "Respondidas por error (1)",
        "Territorio, fecha o redacción (1)",
        "Contadas aparte (1)",
        "Todas (7)",
    ]

    def listed() -> list[str]:
        return [
            button.label.split("?")[0] for button in page.button if (button.key or "").startswith("case-")
        ]

    assert listed() == ["¿lejos", "¿callada", "¿atrevida", "¿fecha"]
    for option, names in (
        ("Artículo fuera de los 3 primeros", ["¿lejos"]),
        ("Rechazadas por error", ["¿callada"]),
        ("Respondidas por error", ["¿atrevida"]),
        ("Territorio, fecha o redacción", ["¿fecha"]),
        ("Contadas aparte", ["¿aparte"]),
    ):
        page.selectbox(key="show").set_value(option).run()
        assert listed() == names
    page.selectbox(key="show").set_value("Todas").run()
    page.selectbox(key="category").set_value("negative").run()
    assert listed() == ["¿atrevida"]


# One question


def test_a_run_over_facts_shows_what_was_told_what_was_lost_and_the_answer(app: App) -> None:
    question = {"id": "a", "question": "¿Cuántos días de vacaciones tengo?"}
    facts = [
        {"fact": "Son treinta y un días.", "any_of": ["treinta y un días naturales"]},
        {"fact": "Se dice en otra ley.", "any_of": ["palabras de otra ley"]},
    ]
    write(app.settings.articulado_home / "evaluation" / "propias.jsonl", [question | {"facts": facts}])
    run = evaluated(app)
    shown = page_at("evaluation", run=run.id)
    text = html(shown)
    assert "Hechos dichos" in text
    assert "50,0 %" in text
    assert "No se encontró el texto que lo dice" in text
    assert [chart.proto.alt for chart in shown.get("vega_lite_chart")]
    one = html(page_at("evaluation", run=run.id, case="0"))
    assert "Son treinta y un días." in one
    assert "no se encontró el texto que lo dice" in one
    assert "1 de 2" in one
    assert "treinta y un días naturales por año" in one


def test_the_turns_before_a_question_are_shown(app: App) -> None:
    turns = ({"role": "user", "text": "¿Hay <b>vacaciones</b>?"}, {"role": "assistant", "text": "Sí."})
    shown = html(page_at("evaluation", run=stored(app, result("a", history=turns)).id, case="0"))
    assert "la persona: ¿Hay &lt;b&gt;vacaciones&lt;/b&gt;?" in shown
    assert "Articulado: Sí." in shown


def test_each_check_shows_what_was_wanted_and_what_came(app: App) -> None:
    one = result(
        "a",
        4,
        checks={
            "refusal": True,
            "retrieval": False,
            "territory": False,
            "as_of": False,
            "must_contain": False,
        },
        expected={"territory": "León", "as_of": "2019-05-01", "must_contain": "ocho semanas"},
    )
    shown = html(page_at("evaluation", run=stored(app, one).id, case="0"))
    assert "<td>lugar 1 a 3</td><td>lugar 4</td>" in shown
    assert "<td>01/05/2019</td><td>01/01/2026</td>" in shown
    assert "<td>León</td><td>Aragón</td>" in shown
    assert "<td>«ocho semanas»</td><td>no está</td>" in shown


def test_a_dated_question_shows_the_wording_it_lacks_the_one_it_should_not_quote_and_its_warning(
    app: App,
) -> None:
    one = result(
        "a",
        None,
        answerable=False,
        warned=True,
        checks={"refusal": True, "quoted": False, "not_quoted": False},
        expected={"quoted": "ocho semanas", "not_quoted": "cinco semanas"},
        told=AnswerTold(text="Ocho.", lacking=("ocho semanas",), astray=("cinco semanas",)),
    )
    shown = html(page_at("evaluation", run=stored(app, one).id, case="0"))
    assert "<td>rechazar o avisar</td><td>responder con aviso</td>" in shown
    assert "<td>«ocho semanas»</td><td>falta «ocho semanas»</td>" in shown
    assert "<td>sin «cinco semanas»</td><td>cinco semanas</td>" in shown
    assert "Hechos que la respuesta debe decir" not in shown


def test_a_run_says_how_many_questions_each_measure_is_of_and_what_the_answers_open_with(app: App) -> None:
    facts = (FactTold(fact="Uno.", told=True),)
    silent = AnswerTold(text="Ocho.", facts=facts, opens=True)
    said = silent.model_copy(update={"yes_no": "no", "opens": False})
    checks = {"refusal": True, "facts": True}
    run = stored(
        app,
        result("a", checks=checks | {"yes_no": True}, told=said),
        *(result(name, checks=checks, told=silent) for name in "bcd"),
    )
    shown = html(page_at("evaluation", run=run.id))
    assert "<td>Abre con lo que decide</td>" in shown
    for row in ("Empieza por sí o no", "Sí o no acertado"):
        assert row in shown
    rows = [part.split("</tr>")[0] for part in shown.split("<tr>")]
    assert "25,0 %" in next(row for row in rows if "Empieza por sí o no" in row)
    assert ">1</td>" in next(row for row in rows if "Sí o no acertado" in row)
    one = html(page_at("evaluation", run=run.id, case="0"))
    assert "La respuesta no empieza por el hecho que decide entre sí y no." in one


@pytest.mark.parametrize("case", ["1", "9", "-1", "x", "²"])
def test_a_question_that_is_not_there_is_told(app: App, case: str) -> None:
    page = page_at("evaluation", run=stored(app, result("a")).id, case=case)
    assert page.toast[0].value == "No existe esa pregunta en la evaluación\\."


def test_an_address_with_an_empty_question_shows_the_run(app: App) -> None:
    page = page_at("evaluation", run=stored(app, result("a")).id, case="")
    assert "<h1>propias</h1>" in html(page)
    assert not page.toast


def test_the_next_failure_is_one_step_away(app: App) -> None:
    run = stored(app, result("a", 9), result("b"), result("c", None, held=False), result("d", 8))
    page = page_at("evaluation", run=run.id, case="0")
    press(page, "Fallo siguiente")
    assert page.query_params["case"] == "3"
    assert "¿d?" in html(page)


def test_text_of_a_set_or_a_file_name_is_never_markup(app: App) -> None:
    hostile = result(HOSTILE, 9, question=HOSTILE, category=HOSTILE, fallbacks=(HOSTILE,))
    first = stored(app, hostile, dataset=HOSTILE, facts={HOSTILE: HOSTILE}, trace=trace_of(HOSTILE))
    second = stored(app, hostile, dataset=HOSTILE, facts={})
    for address in (
        {},
        {"run": first.id},
        {"run": first.id, "case": "0"},
        {"run": first.id, "with": second.id},
    ):
        page = page_at("evaluation", **address)
        shown = html(page)
        assert "&lt;img src=" in shown, address
        for forbidden in ("<img", "<script", "<a ", 'onerror="alert', 'class="art-chip"'):
            assert forbidden not in shown, (address, forbidden)
        assert not any("](" in label and "\\](" not in label for label in labels(page))


# Two runs


def test_two_runs_are_chosen_from_the_list_and_compared(app: App) -> None:
    before = stored(
        app, *(result(str(i), 1 if i % 2 else None) for i in range(30)), facts={"norms": "7", "rag_x": "1"}
    )
    after = stored(app, *(result(str(i)) for i in range(30)), facts={"norms": "8", "rag_x": "2"})
    page = page_at("evaluation")
    assert "Marque dos evaluaciones" in html(page)
    for run in (before, after):
        page.checkbox(key=f"compare-{run.id}").check().run()
    press(page, "Comparar las dos elegidas")
    assert (page.query_params["run"], page.query_params["with"]) == (before.id, after.id)
    shown = html(page)
    assert "30 preguntas en común" in shown
    assert "Cambia: rag_x (1 → 2), Normas (7 → 8)." in shown
    assert "<dt>Mejor</dt><dd>15</dd>" in shown
    assert ">+50,0 p. p.</td>" in shown
    assert "<td>mejora</td>" in shown
    assert "sin diferencia clara" in shown
    press(page, "Intercambiar")
    assert "<dt>Peor</dt><dd>15</dd>" in html(page)
    assert "<td>empeora</td>" in html(page)


def test_a_question_that_changed_leads_to_both_traces(app: App) -> None:
    before, after = stored(app, result("z"), result("a", 5)), stored(app, result("a", 1))
    page = page_at("evaluation", **{"run": before.id, "with": after.id})
    assert "antes: artículo en el lugar 5 · después: sin fallos (lugar 1)" in html(page)
    press(page, "Traza de antes")
    assert (page.query_params["run"], page.query_params["case"]) == (before.id, "1")


def test_runs_without_a_common_question_are_not_compared(app: App) -> None:
    before, after = stored(app, result("a")), stored(app, result("b"))
    assert "ninguna pregunta en común" in html(page_at("evaluation", **{"run": before.id, "with": after.id}))
