"""«Modo investigación» on the chat page: offered with a model only, and its rounds as text."""

from pages.parts.chat.live import stages_html
from pages.parts.common.words import today
from rag.run.runs import StageProgress
from rag.shared.messages import MessageState
from rag.shared.trace import AgentCall, AgentRecord, AgentRound, Trace
from tests.pages.driver import HOSTILE, html, opened, set_open
from tests.pages.fakes import OWNER, FakeApp
from tests.pages.samples import answer, trace_of

LABEL = "Modo investigación"


def test_without_a_model_it_is_not_offered(app: FakeApp) -> None:
    assert LABEL not in [toggle.label for toggle in opened().toggle]


def test_switched_on_the_next_question_goes_to_the_agent(app: FakeApp) -> None:
    app.models.mode = "model"
    app.runs.waits = True
    page = opened()
    next(toggle for toggle in page.toggle if toggle.label == LABEL).set_value(True).run()
    page.chat_input[0].set_value("¿Cuánto dura el descanso?").run()
    assert not page.exception
    assert [run.agent for run in app.runs.runs.values()] == [True]


def test_switched_on_just_before_sending_it_counts_too(app: FakeApp) -> None:
    app.models.mode = "model"
    app.runs.waits = True
    page = opened()
    next(toggle for toggle in page.toggle if toggle.label == LABEL).set_value(True)
    page.chat_input[0].set_value("¿Cuánto dura el descanso?").run()
    assert [run.agent for run in app.runs.runs.values()] == [True]


def test_switched_off_it_does_not(app: FakeApp) -> None:
    app.models.mode = "model"
    app.runs.waits = True
    opened().chat_input[0].set_value("¿Cuánto dura el descanso?").run()
    assert [run.agent for run in app.runs.runs.values()] == [False]


def test_each_round_is_a_line_of_the_live_view() -> None:
    shown = stages_html(
        [StageProgress("agent"), StageProgress("agent/1", 1400.0, "2 búsquedas"), StageProgress("agent/2")]
    )
    assert "<span>Investigación · ronda 1</span><time>1,4 s</time><small>2 búsquedas</small>" in shown
    assert "<span>Investigación · ronda 2…</span>" in shown


def test_the_debug_view_shows_the_rounds_as_plain_text(app: FakeApp) -> None:
    call = AgentCall(name="tool_lexical_search", values={"query": HOSTILE}, found=3, elapsed_ms=12)
    bad = AgentCall(name="tool_file_content", values={"file_name": "x"}, error="No existe.", repeated=True)
    record = AgentRecord(
        ended="loop",
        tokens=1200,
        rounds=(AgentRound(output=f"Busco {HOSTILE}", calls=(call, bad), results=f"Hallado {HOSTILE}"),),
    )
    base = trace_of("¿Cuánto dura?")
    trace = Trace(**{**dict(base), "stages": (base.stages[0], record, *base.stages[-2:])})
    conversation = app.database.conversations.create(OWNER, "Prueba")
    _, pending = app.database.conversations.ask(OWNER, conversation.id, "¿Cuánto dura?", today())
    app.database.conversations.finish(pending.id, MessageState.COMPLETE, "Texto", answer(), trace)
    page = opened(conversation.id)
    page.checkbox(key="debug").check().run()
    page = set_open(page, f"debug-{pending.id}")
    shown = html(page)
    assert "llamadas repetidas" in shown
    assert "<img" not in shown and "<script>alert" not in shown
    assert "Documento (Documento: x) → No existe." in shown
    assert "<p>Busco &lt;img src=" in shown and "<p>Hallado &lt;img src=" in shown


def test_who_waits_reads_how_many_come_first() -> None:
    assert "En cola: 2 consultas antes que la suya" in stages_html([], 2)
    assert "Preparando la consulta" in stages_html([])
