"""Work products of a conversation: the opinion in Word and the certificate of an answer's sources."""

from collections.abc import Sequence

import streamlit as st

from domain.accounts import Permission
from pages.parts.common.confirm import dialog
from pages.parts.common.html import note, notes, show, titled
from pages.parts.common.page import View, open_conversation
from pages.parts.common.render import label_text
from pages.parts.common.widgets import choose, download, segments
from pages.parts.common.words import shortened
from service.opinions.drafting import Draft
from service.opinions.formats import FORMATS, Format

OPINION, CERTIFICATE = "Dictamen", "Certificado de fuentes"
ACCEPT = "Recoger en las conclusiones"
UNSIGNED = "Nombre y apellidos; vacío, queda en borrador"
LOGGED = "El dictamen lleva su nombre y el día de hoy; el registro guarda la huella del archivo firmado."


def show_products(view: View, message_id: int) -> None:
    """The two buttons under an answer; each opens a dialog with its file."""
    conversation = open_conversation()
    if conversation is None:
        return
    if st.button(OPINION, icon=":material/description:", type="tertiary", key=f"opinion-{message_id}"):
        _opinion(view, conversation, message_id)
    if st.button(CERTIFICATE, icon=":material/verified:", type="tertiary", key=f"certificate-{message_id}"):
        _certificate(view, conversation, message_id)


@dialog(OPINION, "description", width="medium")
def _opinion(view: View, conversation: str, message_id: int) -> None:
    answers = view.app.opinions.answers(conversation)
    places = {number: place for place, number in enumerate(answers, start=1)}
    chosen = st.multiselect(
        "Respuestas que incluye",
        list(answers),
        default=[number for number, one in answers.items() if not one.answer.refusal],
        format_func=lambda number: f"{places[number]}. {shortened(answers[number].question, 80)}",
        placeholder="Elija al menos una",
        key=f"opinion-of-{message_id}",
    )
    if not chosen:
        show(note("Elija al menos una respuesta."))
        return
    show(titled(f"{ACCEPT}: ", "solo las respuestas que dé por buenas."))
    accepted = [
        number
        for number in chosen
        if st.checkbox(
            f"{places[number]}. {label_text(shortened(answers[number].question, 80))}",
            bool(answers[number].reviewed),
            help=f"Revisada por {label_text(by)}." if (by := answers[number].reviewed) else None,
            key=f"opinion-accepts-{message_id}-{number}",
        )
    ]
    names = {kind: written.name for kind, written in FORMATS.items()}
    kind = segments(None, "Formato", names, f"opinion-format-{message_id}")
    draft = _draft(view, conversation, chosen, accepted, message_id)
    template = _template(view, message_id) if kind is Format.WORD else ""
    signer = _signer(view, message_id) if accepted else None
    file = view.app.opinions.dictamen(
        conversation, chosen, kind, template, draft, accepted=accepted, signer=signer
    )
    name, media = f"dictamen-{message_id}.{kind.value}", FORMATS[kind].media
    download(f"Descargar (.{kind.value})", file, name, media, f"opinion-file-{message_id}")


def _signer(view: View, message_id: int) -> str | None:
    """The name with which the person signs; None for a draft."""
    if not view.app.may(Permission.SIGN):
        return None
    if not view.app.shared:
        name = st.text_input(
            "Quien firma", key=f"opinion-signer-{message_id}", placeholder=UNSIGNED, help=LOGGED
        )
        return name.strip() or None
    name = label_text(view.app.opinions.signer())
    return (
        "" if st.checkbox(f"Firmarlo como {name}", help=LOGGED, key=f"opinion-signs-{message_id}") else None
    )


def _draft(
    view: View, conversation: str, chosen: Sequence[int], accepted: Sequence[int], message_id: int
) -> Draft | None:
    """The draft of a model from these answers; None until one is asked for."""
    if view.app.mode != "model":
        return None
    key = f"opinion-draft-{message_id}"
    kept: tuple[object, Draft] | None = st.session_state.get(key)
    asked = list(chosen), list(accepted)
    if st.button(
        "Redactar antecedentes y conclusiones con el modelo", key=f"{key}-ask", icon=":material/edit_note:"
    ):
        with st.spinner("Redactando y comprobando lo redactado…"):
            kept = st.session_state[key] = asked, view.app.opinions.draft(conversation, *asked)
    if kept is None or kept[0] != asked:
        return None
    show(notes(kept[1].told))
    return kept[1]


def _template(view: View, message_id: int) -> str:
    """The template of the firm that is chosen; '' for none."""
    names = view.app.opinions.letterheads()
    if not names:
        return ""
    templates = {"": "Sin plantilla"} | {name: label_text(name) for name in names}
    return choose(None, "Plantilla", templates, f"opinion-template-{message_id}", keep=False)


@dialog(CERTIFICATE, "verified", width="medium")
def _certificate(view: View, conversation: str, message_id: int) -> None:
    file = view.app.opinions.certificate(conversation, message_id)
    show(
        note(
            "Dice qué redacciones cita esta respuesta, con su huella SHA-256, y está firmado. No contiene la "
            "pregunta, solo su huella sin sal: quien sospeche qué se preguntó puede confirmarlo. Se "
            "comprueba en «Comprobar citas»."
        )
    )
    name = f"certificado-{message_id}.json"
    download("Descargar (.json)", file, name, "application/json", f"certificate-file-{message_id}")
