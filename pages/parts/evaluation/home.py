"""Start an evaluation, follow it, and list the stored ones."""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

import streamlit as st

from core.errors import ArticuladoError
from pages.parts.common.html import badges, note, notes, show, titled, warning
from pages.parts.common.layout import go, heading, section
from pages.parts.common.listing import count_shown, row, show_rest
from pages.parts.common.page import attempt, errors_as_sentences
from pages.parts.common.render import label_text
from pages.parts.common.widgets import button, choose
from pages.parts.common.words import dotted, plural
from pages.parts.evaluation.view import facts_line, size, tags, title_of
from pages.parts.evaluation.words import AIDS, category_name, dataset_name, in_order, short
from rag.evaluation.cases import Dataset
from rag.evaluation.evaluation_runner import Progress
from rag.evaluation.labelled_articles import EvaluatedCorpus
from rag.evaluation.results import Aids, Evaluation, EvaluationState
from service.members.member import Member

POLL_SECONDS = 0.7
SHOWN, COUNT = 20, "evaluations"
INTRO = (
    "Mide la búsqueda, la decisión de responder o abstenerse y lo que dicen las respuestas, con preguntas "
    "cuya solución se conoce. "
    "Evaluar no cambia nada del corpus ni de la configuración."
)
NO_DATASET = (
    "No hay ningún conjunto de preguntas: copie sus archivos JSONL en la carpeta «evaluation» de "
    "ARTICULADO_HOME."
)


def show_home(app: Member) -> None:
    """A new evaluation or the one under way, and the stored ones."""
    heading("Evaluación", INTRO)
    _new(app)
    shown = count_shown(COUNT, SHOWN)
    stored = app.evaluations.evaluations(shown)
    active = app.evaluations.active
    finished = [one for one in stored if active is None or one.id != active.id]
    section("Evaluaciones guardadas")
    if not finished:
        show(note("Aquí aparecerán sus evaluaciones."))
        return
    above = st.container()
    chosen = [one for one in finished if _row(app, one)]
    show_rest("evaluaciones", COUNT, shown, SHOWN, app.evaluations.count())
    with above:
        _compare(chosen, len(finished))


def _new(app: Member) -> None:
    # One of a few questions may have ended before the page is drawn again.
    current = st.session_state.pop("started", None) or app.evaluations.active
    if current is not None:
        st.fragment(_poll, run_every=POLL_SECONDS)(app, current)
        return
    datasets = app.evaluations.datasets()
    if not datasets:
        show(warning(NO_DATASET))
        return
    with st.container(border=True):
        names = {name: dataset_name(name) for name in in_order(datasets)}
        if st.session_state.get("dataset") not in names:
            st.session_state["dataset"] = _answerable(app, {name: datasets[name] for name in names})
        counted = {one: dotted(told, _size(one, datasets[one])) for one, told in names.items()}
        name = choose(None, "Conjunto de preguntas", counted, "dataset")
        try:
            dataset = datasets[name]()
        except ArticuladoError as error:
            st.error(label_text(str(error)), icon=":material/error:")
            return
        _describe(app, dataset)
        aids = Aids(choose(None, "Ayudas de búsqueda", AIDS, "aids"))
        if st.button("Evaluar", type="primary", icon=":material/play_arrow:", key="start"):
            _start(app, dataset, aids)


def _answerable(app: Member, datasets: Mapping[str, Callable[[], Dataset]]) -> str:
    """The first set at least half of whose articles the corpus has; the first of all if there is none."""
    for name, read in datasets.items():
        with suppress(ArticuladoError):  # of a file that is no set; it is told when it is chosen
            labels, held, _ = _coverage(app, read())
            if 2 * held >= labels:
                return name
    return next(iter(datasets))


def _size(name: str, read: Callable[[], Dataset]) -> str:
    """'65 preguntas', read once a session; '' of a file that is no set, which is told when it is chosen."""
    sizes: dict[str, str] = st.session_state.setdefault("dataset-sizes", {})
    if name not in sizes:
        with suppress(ArticuladoError):
            sizes[name] = plural(len(read().cases), "pregunta", "preguntas")
    return sizes.get(name, "")


def _start(app: Member, dataset: Dataset, aids: Aids) -> None:
    with errors_as_sentences():
        st.session_state["started"] = app.evaluations.start(dataset, aids)
        st.rerun()


def _describe(app: Member, dataset: Dataset) -> None:
    cases = dataset.cases
    warned = sum(case.expect == "warned" for case in cases)
    answered = sum(case.answerable for case in cases)
    refused = len(cases) - answered - warned
    labels, held, apart = _coverage(app, dataset)
    categories = Counter(category_name(case.category) for case in cases)
    lines = [
        f"{plural(len(cases), 'pregunta', 'preguntas')}: {answered} con respuesta y {refused} "
        f"que {'debe' if refused == 1 else 'deben'} rechazarse.",
        "Categorías: " + ", ".join(f"{name} {count}" for name, count in categories.items()) + ".",
    ]
    if warned:
        told = plural(warned, "pregunta más debe", "preguntas más deben")
        lines.append(f"{told} rechazarse o avisar de que no está cargada la norma de su fecha.")
    if labels:
        lines.append(f"El corpus cargado contiene {held} de los {labels} artículos de referencia.")
    show(notes(lines))
    warnings = []
    if any(case.corpus == "boe" for case in cases) and not any(norm.official for norm in app.corpus.norms()):
        warnings.append(
            "Este conjunto está pensado para el texto de las normas y el corpus solo tiene resúmenes."
        )
    if apart:
        warnings.append(
            f"{plural(apart, 'pregunta se contará', 'preguntas se contarán')} aparte: el corpus no tiene "
            "ninguno de los artículos que responden."
        )
    if app.mode == "model":
        warnings.append(
            "Con modelo, cada pregunta hace varias llamadas a los modelos configurados: "
            f"{plural(len(cases), 'pregunta puede', 'preguntas pueden')} tardar y tener coste."
        )
    show(warning(*warnings))


def _coverage(app: Member, dataset: Dataset) -> tuple[int, int, int]:
    """Articles labelled, how many of them the corpus has, and questions that it cannot answer."""
    counts = app.corpus.counts()
    key = (dataset.content_hash, counts.norms, counts.chunks)
    known: dict[tuple[str, int, int], tuple[int, int, int]] = st.session_state.setdefault("coverage", {})
    if key not in known:
        corpus = EvaluatedCorpus(app.corpus)
        labels = {(r.norm, r.article): r for case in dataset.cases for r in case.relevant}
        held = sum(corpus.holds(label) for label in labels.values())
        apart = sum(not corpus.can_answer(case) for case in dataset.cases)
        known[key] = (len(labels), held, apart)
    return known[key]


@errors_as_sentences()
def _poll(app: Member, current: Progress) -> None:
    if app.evaluations.active is None or current.finished.is_set():
        go(run=current.id)
        st.rerun()
    with st.container(border=True):
        text = f"{dataset_name(current.dataset)}: {current.done} de {current.total} preguntas"
        st.progress(current.done / current.total, text=label_text(text))
        call = (attempt, "", app.evaluations.cancel, current.id)
        button("Cancelar", "cancel", "stop_circle", *call, disabled=current.stop is not None)
        show(note("Puede cerrar esta página o hacer consultas: la evaluación sigue."))


def _row(app: Member, evaluation: Evaluation) -> bool:
    """One stored evaluation; returns True if its box to compare is ticked."""
    title = titled(title_of(evaluation), f" · {size(evaluation)}")
    told = title, note(facts_line(app, evaluation)), badges(tags(evaluation))
    with row(f"row-{evaluation.id}", *told, beside=0.24, border=True):
        button("Abrir", f"open-{evaluation.id}", "", partial(go, run=evaluation.id), width="stretch")
        comparable = evaluation.summary is not None and evaluation.state is not EvaluationState.RUNNING
        return st.checkbox("Comparar", key=f"compare-{evaluation.id}", disabled=not comparable)


def _compare(chosen: list[Evaluation], count: int) -> None:
    if count > SHOWN:
        show(note(f"Se muestran las {SHOWN} últimas."))
    if count < 2:
        return
    if len(chosen) == 2:
        after, before = chosen
        to = partial(go, **{"run": before.id, "with": after.id})
        told = f"{label_text(short(before))} → {label_text(short(after))}"
        label = "Comparar las dos elegidas"
        button(label, "compare", "compare_arrows", to, type="primary", help=told)
    else:
        show(note("Marque dos evaluaciones para compararlas."))
