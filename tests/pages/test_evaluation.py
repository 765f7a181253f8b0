"""The evaluation page: choose a set, run it, read a run, compare two, drill down to a trace."""

import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import bootstrap
from bootstrap import App
from pages.parts.common.html import table
from pages.parts.evaluation.words import signed, signed_spread, spread, value, verdict
from rag.errors import IndexUnavailable
from rag.evaluation.background import Progress
from rag.evaluation.report import summarise
from rag.evaluation.types import AnswerTold, CaseResult, Evaluation, EvaluationState, FactTold, Label, Miss
from tests.fakes import gated
from tests.pages.driver import HOSTILE, ROUTER, html, labels, press
from tests.pages.fakes import trace_of

SECONDS = 60
CASES = [
    {
        "id": "vacaciones",
        "question": "¿Cuántos días de vacaciones tengo?",
        "relevant": [{"norm": "X-LTF", "article": "2", "grade": 2}],
        "category": "basic_info",
    },
    {
        "id": "preaviso",
        "question": "¿Cuántos días de vacaciones tengo si dimito?",
        "relevant": [
            {"norm": "X-LTF", "article": "999", "grade": 2},
            {"norm": "X-LTF", "article": "1", "grade": 2},
        ],
        "category": "plazos",
    },
    {"id": "tiempo", "question": "¿Qué tiempo hará mañana en Cuenca?", "category": "negative"},
    {
        "id": "fuera",
        "question": "¿Qué dice la Ley de Aguas?",
        "relevant": [{"norm": "Z", "article": "1"}],
        "category": "plazos",
    },
]


@pytest.fixture
def app(program: App) -> Iterator[App]:
    """A whole offline program with one set of its own and no other."""
    folder = program.settings.articulado_home / "evaluation"
    folder.mkdir()
    write(folder / "propias.jsonl", CASES)
    program.evaluations._folders = (folder,)
    bootstrap.override(program)
    yield program
    bootstrap.override(None)


def write(path: Path, cases: list[dict[str, Any]]) -> None:
    path.write_text("\n".join(json.dumps(case) for case in cases), encoding="utf-8")


def opened(**address: str) -> AppTest:
    page = AppTest.from_file(ROUTER, default_timeout=30).switch_page("pages/evaluation.py")
    for name, text in address.items():
        page.query_params[name] = text
    page.run()
    assert not page.exception, page.exception
    return page


def evaluated(app: App, name: str = "propias") -> Evaluation:
    current = app.evaluations.start("local", app.evaluations.datasets()[name]())
    assert current.finished.wait(SECONDS)
    return app.evaluations.store.evaluation(current.id)


def stored(app: App, *results: CaseResult, **fields: Any) -> Evaluation:
    """An evaluation with these results, as if it had run."""
    store = app.evaluations.store
    begun = store.start(
        "local", fields.get("dataset", "propias"), "f" * 64, len(results), fields.get("facts", {})
    )
    for place, one in enumerate(results):
        store.record(begun.id, place, one, fields["trace"] if "trace" in fields else trace_of(one.question))
    store.finish(
        begun.id, fields.get("state", EvaluationState.DONE), summarise(results), fields.get("error", "")
    )
    return store.evaluation(begun.id)


def result(name: str, rank: int | None = 1, **fields: Any) -> CaseResult:
    good = rank is not None and rank <= 3
    base = {
        "id": name,
        "question": f"¿{name}?",
        "category": "plazos",
        "answerable": True,
        "labels": (Label(norm="X-LTF", article="2", grade=2, held=True, rank=rank),),
        "refused": False,
        "as_of": date(2026, 1, 1),
        "scores": {"hit@3": float(good), "mrr@10": 1 / rank if rank else 0.0},
        "checks": {"refusal": True, "retrieval": good},
    }
    return CaseResult.model_validate(base | fields)


# Starting


def test_a_set_is_described_before_it_is_run(app: App) -> None:
    shown = html(opened())
    assert "4 preguntas: 3 con respuesta y 1 que debe rechazarse." in shown
    assert "El corpus cargado contiene 2 de los 4 artículos de referencia." in shown
    assert "1 pregunta se contará aparte" in shown
    assert "Aquí aparecerán sus evaluaciones." in shown
    assert "llamadas a los modelos" not in shown


def test_without_sets_it_says_where_to_put_them(app: App) -> None:
    app.evaluations._folders = ()
    page = opened()
    assert "copie sus archivos JSONL" in html(page)
    assert "Evaluar" not in labels(page)


def test_a_set_that_cannot_be_read_is_told_and_not_run(app: App) -> None:
    (app.settings.articulado_home / "evaluation" / "propias.jsonl").write_text("{", encoding="utf-8")
    page = opened()
    assert "línea 1" in page.error[0].value
    assert "Evaluar" not in labels(page)


def test_a_run_is_started_followed_and_shown_when_it_ends(app: App) -> None:
    gate = gated(app, free=0)
    page = press(opened(), "Evaluar")
    current = app.evaluations.active
    assert current is not None
    assert "Cancelar" in labels(page)
    assert "0 de 4 preguntas" in page.get("progress")[0].proto.text
    assert "Abrir" not in labels(page)
    gate.open.set()
    assert current.finished.wait(SECONDS)
    page.run()
    [run] = app.evaluations.evaluations()
    assert (run.state, run.owner, run.done) == (EvaluationState.DONE, "local", 4)
    assert "Cancelar" not in labels(page)
    assert "Abrir" in labels(page)


def test_while_one_runs_no_other_can_be_started_and_it_can_be_cancelled(app: App) -> None:
    current = Progress("x", "propias", total=4, done=1)
    app.evaluations._active = current
    page = opened()
    assert "Evaluar" not in labels(page)
    assert "1 de 4 preguntas" in page.get("progress")[0].proto.text
    press(page, "Cancelar")
    assert current.stop is EvaluationState.CANCELLED
    app.evaluations._active = None


def test_a_run_that_cannot_start_is_told_and_the_page_stays(app: App) -> None:
    evaluated(app)

    def services() -> None:
        raise IndexUnavailable("El índice no responde.")

    app.evaluations._services = services  # type: ignore[assignment]
    page = press(opened(), "Evaluar")
    assert "El índice no responde" in page.error[0].value
    assert "Abrir" in labels(page)


# One run


def test_a_run_shows_measures_with_intervals_categories_and_what_is_apart(app: App) -> None:
    page = opened(run=evaluated(app).id)
    shown = html(page)
    assert "<h1>propias</h1>" in shown
    assert "Acierto entre los 3 primeros" in shown
    assert "50,0 %" in shown
    assert "0,0 – 100,0 %" in shown
    assert "<td>Información básica</td>" in shown
    assert "1 pregunta aparte" in shown
    assert "rag_max_chunks_in_prompt" in shown
    assert len(page.get("vega_lite_chart") or page.get("arrow_vega_lite_chart")) == 4


def test_the_address_reopens_a_run_and_an_unknown_one_is_told(app: App) -> None:
    page = opened(run="nada")
    assert page.toast[0].value == "No existe esa evaluación\\."
    assert "Evaluar" in labels(page)


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (EvaluationState.CANCELLED, "Cancelada"),
        (EvaluationState.INTERRUPTED, "Interrumpida"),
    ],
)
def test_a_run_without_its_end_says_so(app: App, state: EvaluationState, told: str) -> None:
    assert told in html(opened(run=stored(app, result("a"), state=state).id))


def test_a_failed_run_tells_why(app: App) -> None:
    failed = stored(app, state=EvaluationState.FAILED, error="El índice no responde.")
    assert "El índice no responde" in opened(run=failed.id).error[0].value


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
    page = opened(run=run.id)
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


def test_a_run_is_removed_with_confirmation(app: App) -> None:
    page = opened(run=stored(app, result("a")).id)
    press(page, "Eliminar la evaluación")
    page.button(key="remove-yes").click().run()
    assert app.evaluations.evaluations() == []


# One question


def test_a_miss_leads_to_what_was_expected_found_and_done(app: App) -> None:
    run = evaluated(app)
    page = opened(run=run.id, tab="Preguntas")
    page.button(key="case-1").click().run()
    assert page.query_params["case"] == "1"
    shown = html(page)
    assert "¿Cuántos días de vacaciones tengo si dimito?" in shown
    assert "Artículo 999" in shown
    assert "no está en el corpus" in shown
    assert "Artículo entre los 3 primeros" in shown
    assert "Búsqueda en normativa" in [tab.label for tab in page.tabs]
    assert "Descargar traza (JSON)" in str(page.get("download_button")[0].proto)


def test_a_run_over_facts_shows_what_was_told_what_was_lost_and_the_answer(app: App) -> None:
    question = {"id": "a", "question": "¿Cuántos días de vacaciones tengo?"}
    facts = [
        {"fact": "Son treinta y un días.", "any_of": ["treinta y un días naturales"]},
        {"fact": "Se dice en otra ley.", "any_of": ["palabras de otra ley"]},
    ]
    write(app.settings.articulado_home / "evaluation" / "propias.jsonl", [question | {"facts": facts}])
    run = evaluated(app)
    shown = opened(run=run.id)
    text = html(shown)
    assert "Hechos dichos" in text
    assert "50,0 %" in text
    assert "No se encontró el texto que lo dice" in text
    assert [chart.proto.alt for chart in shown.get("vega_lite_chart")]
    one = html(opened(run=run.id, case="0"))
    assert "Son treinta y un días." in one
    assert "no se encontró el texto que lo dice" in one
    assert "1 de 2" in one
    assert "treinta y un días naturales por año" in one


def test_the_turns_before_a_question_are_shown(app: App) -> None:
    turns = ({"role": "user", "text": "¿Hay <b>vacaciones</b>?"}, {"role": "assistant", "text": "Sí."})
    shown = html(opened(run=stored(app, result("a", history=turns)).id, case="0"))
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
    shown = html(opened(run=stored(app, one).id, case="0"))
    assert "<td>lugar 1 a 3</td><td>lugar 4</td>" in shown
    assert "<td>01/05/2019</td><td>01/01/2026</td>" in shown
    assert "<td>León</td><td>Aragón</td>" in shown
    assert "<td>«ocho semanas»</td><td>no está</td>" in shown


@pytest.mark.parametrize("case", ["1", "9", "-1", "x", "²"])
def test_a_question_that_is_not_there_is_told(app: App, case: str) -> None:
    page = opened(run=stored(app, result("a")).id, case=case)
    assert page.toast[0].value == "No existe esa pregunta en la evaluación\\."


def test_an_address_with_an_empty_question_shows_the_run(app: App) -> None:
    page = opened(run=stored(app, result("a")).id, case="")
    assert "<h1>propias</h1>" in html(page)
    assert not page.toast


def test_the_next_failure_is_one_step_away(app: App) -> None:
    run = stored(app, result("a", 9), result("b"), result("c", None, held=False), result("d", 8))
    page = opened(run=run.id, case="0")
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
        page = opened(**address)
        shown = html(page)
        assert "&lt;img src=" in shown, address
        for forbidden in ("<img", "<script", "<a ", 'onerror="alert', 'class="art-chip"'):
            assert forbidden not in shown, (address, forbidden)
        assert not any("](" in label and "\\](" not in label for label in labels(page))


def test_an_evaluation_says_in_words_which_search_aids_it_used(app: App) -> None:
    whole = stored(app, result("a"), facts={"aids": "all"})
    mixed = stored(app, result("a"), facts={"aids": "mixed"})
    assert html(opened()).count("ayudas: todas menos las de las normas preguntadas") == 1
    shown = html(opened(run=whole.id, **{"with": mixed.id}))
    assert "como si las hubiera cargado usted" in shown
    assert "mixed" not in shown


# Two runs


def test_two_runs_are_chosen_from_the_list_and_compared(app: App) -> None:
    before = stored(app, *(result(str(i), 1 if i % 2 else None) for i in range(30)), facts={"rag_x": "1"})
    after = stored(app, *(result(str(i)) for i in range(30)), facts={"rag_x": "2"})
    page = opened()
    assert "Marque dos evaluaciones" in html(page)
    for run in (before, after):
        page.checkbox(key=f"compare-{run.id}").check().run()
    press(page, "Comparar las dos elegidas")
    assert (page.query_params["run"], page.query_params["with"]) == (before.id, after.id)
    shown = html(page)
    assert "30 preguntas en común" in shown
    assert "Cambia: rag_x (1 → 2)." in shown
    assert "<dt>Mejor</dt><dd>15</dd>" in shown
    assert ">+50,0 p. p.</td>" in shown
    assert "<td>mejora</td>" in shown
    assert "sin diferencia clara" in shown
    press(page, "Intercambiar")
    assert "<dt>Peor</dt><dd>15</dd>" in html(page)
    assert "<td>empeora</td>" in html(page)


def test_a_question_that_changed_leads_to_both_traces(app: App) -> None:
    before, after = stored(app, result("z"), result("a", 5)), stored(app, result("a", 1))
    page = opened(**{"run": before.id, "with": after.id})
    assert "antes: artículo en el lugar 5 · después: correcta (lugar 1)" in html(page)
    press(page, "Traza de antes")
    assert (page.query_params["run"], page.query_params["case"]) == (before.id, "1")


def test_runs_without_a_common_question_are_not_compared(app: App) -> None:
    before, after = stored(app, result("a")), stored(app, result("b"))
    assert "ninguna pregunta en común" in html(opened(**{"run": before.id, "with": after.id}))


# Words


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (lambda: value("hit@3", 0.8254), "82,5 %"),
        (lambda: value("mrr@10", 0.8254), "0,83"),
        (lambda: spread("hit@3", (0.75, 0.881)), "75,0 – 88,1 %"),
        (lambda: spread("mrr@10", None), ""),
        (lambda: signed("hit@3", 0.025), "+2,5 p. p."),
        (lambda: signed("mrr@10", -0.03), "−0,03"),
        (lambda: signed("mrr@10", 0.0), "0,00"),
        (lambda: signed_spread("hit@3", (-0.1, 0.2)), "−10,0 a +20,0"),
        (
            lambda: verdict(
                result(
                    "a",
                    checks={"refusal": True, "facts": False},
                    told=AnswerTold(
                        text="",
                        facts=(
                            FactTold(fact="Uno.", told=True),
                            FactTold(fact="Dos.", told=False, miss=Miss.SENTENCE),
                        ),
                    ),
                )
            ),
            "faltan 1 de 2 hechos",
        ),
        (lambda: verdict(result("a", 7)), "artículo en el lugar 7"),
        (lambda: verdict(result("a", None)), "artículo no encontrado"),
        (
            lambda: verdict(result("a", checks={"refusal": True, "as_of": False})),
            "falla: fecha de la normativa",
        ),
        (lambda: table(("<b>",), [("<i>",)]).count("<i>"), 0),
    ],
)
def test_words(shown: Callable[[], object], expected: object) -> None:
    assert shown() == expected


def test_a_program_with_models_warns_of_their_cost(app: App) -> None:
    app.reader = app.principal = object()  # type: ignore[assignment]
    assert "llamadas a los modelos" in html(opened())
