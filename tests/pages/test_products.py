"""The opinion and the certificate under an answer of the chat."""

from pathlib import Path

from pages.parts.answer.products import CERTIFICATE, OPINION
from pages.parts.audit.words import row_of
from service.opinions.keys import FILE
from tests.pages.driver import asked, html, labels, last_id, opened, press
from tests.pages.fakes import FakeApp
from tests.pages.samples import refusal


def files(page):
    return [button.label for button in page.get("download_button")]


def test_the_opinion_takes_all_the_answers_or_those_chosen(app: FakeApp) -> None:
    conversation = asked(app, "¿Cuánto dura el descanso?", "¿Y el estival?")
    last = last_id(app, conversation)
    page = opened(conversation)
    page.button(key=f"opinion-{last}").click().run()
    assert not page.exception and not page.error
    [chosen] = page.multiselect
    assert chosen.options == ["1. ¿Cuánto dura el descanso?", "2. ¿Y el estival?"]
    assert len(chosen.value) == 2
    assert files(page) == ["Descargar (.docx)"]


def test_who_accepts_an_answer_may_sign_and_the_log_tells_it(app: FakeApp) -> None:
    conversation = asked(app, "¿Cuánto dura el descanso?")
    last = last_id(app, conversation)
    page = press(opened(conversation), OPINION)
    assert not page.checkbox(key=f"opinion-accepts-{last}-{last}").value, "nothing is concluded by itself"
    assert "Quien firma" not in [one.label for one in page.text_input]
    page = opened(conversation)
    page.session_state[f"opinion-accepts-{last}-{last}"] = True
    page.session_state[f"opinion-signer-{last}"] = "Ana Sanz"
    page = press(page, OPINION)
    assert not page.exception and not page.error
    assert "un dictamen firmado" in " ".join(row_of(app.audit.log.entries(limit=1)[0], {}))


def test_only_with_a_model_is_a_draft_offered(app: FakeApp) -> None:
    conversation = asked(app, "¿Cuánto dura el descanso?")
    drafting = "Redactar antecedentes y conclusiones con el modelo"
    assert drafting not in labels(press(opened(conversation), OPINION))
    app.models.mode = "model"
    assert drafting in labels(press(opened(conversation), OPINION))


def test_the_log_tells_both_in_words(app: FakeApp) -> None:
    page = press(opened(asked(app, "¿Cuánto dura el descanso?")), OPINION)
    press(page, CERTIFICATE)
    told = [" ".join(row_of(entry, {})) for entry in app.audit.log.entries(limit=2)]
    assert "un certificado de fuentes" in told[0]
    assert "un dictamen" in told[1] and "respuestas" in told[1]


def test_an_opinion_of_no_answer_is_not_made(app: FakeApp) -> None:
    conversation = asked(app, "¿Cuánto dura el descanso?")
    page = opened(conversation)
    page.session_state[f"opinion-of-{last_id(app, conversation)}"] = []
    page = press(page, OPINION)
    assert not page.error
    assert "Elija al menos una respuesta." in html(page)
    assert files(page) == []


def test_the_certificate_is_made_when_it_is_asked_for(app: FakeApp, tmp_path: Path) -> None:
    page = opened(asked(app, "¿Cuánto dura el descanso?"))
    assert not (tmp_path / FILE).exists(), "looking at an answer makes no key"
    page = press(page, CERTIFICATE)
    assert not page.error
    assert files(page) == ["Descargar (.json)"]
    assert (tmp_path / FILE).exists()
    assert "su huella sin sal" in html(page)


def test_a_key_that_cannot_be_read_is_told_in_the_dialog(app: FakeApp, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("x")
    page = press(opened(asked(app, "¿Cuánto dura el descanso?")), CERTIFICATE)
    assert "La clave de los certificados" in page.error[0].value
    assert files(page) == []


def test_an_answer_without_sources_is_offered_both_too(app: FakeApp) -> None:
    app.runs.outcome = lambda _: refusal()
    page = opened(asked(app, "¿Cuánto dura el descanso?"))
    assert {OPINION, CERTIFICATE} <= set(labels(page))
    press(page, OPINION)
    assert not page.error
