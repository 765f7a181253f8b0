"""The check of a certificate: its file, the document that names it, and what was found."""

import json
from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from core.errors import InputError
from pages.parts.common.html import badges, html, note, show, table
from pages.parts.common.layout import section
from service.members.member import Member
from service.opinions.certificate import MOST_BYTES
from service.opinions.verification import NAMED, NOT_NAMED, CertificateDocument

RESULT = "certificate-result"
LARGEST_MB = 50
NO_FILE = "Suba antes el archivo del certificado (certificado-….json)."
NO_TEXT = (
    "Que el texto del documento no se ha cambiado no lo dice el certificado: para eso, súbalo a «Comprobar "
    "citas», que compara cada cita con la ley."
)
HEADERS = ("Norma", "Precepto", "Redacción desde", "Huella SHA-256")
LOOKS: Mapping[str, tuple[str, str]] = {
    "sound": ("✔ Firma válida", "art-high"),
    "changed": ("✘ Alterado", "art-low"),
    "rewritten": ("✘ Alterado", "art-low"),
    "other_key": ("? Clave desconocida", "art-mid"),
    "no_certificate": ("✘ No es un certificado", "art-low"),
}
"""Words and colour of each state."""


class Shown(NamedTuple):
    """The result of a check and the sources that the certificate names. It lives in the session alone."""

    document: CertificateDocument
    sources: list[dict[str, str]]


def show_check(app: Member) -> None:
    """The form, and the result of what was checked last in this session."""
    left, right = st.columns(2)
    certificate = left.file_uploader(
        "Certificado (.json)",
        type=["json"],
        max_upload_size=MOST_BYTES // 1_000_000,
        key="certificate-upload",
    )
    document = right.file_uploader(
        "Documento que lo nombra (opcional)",
        type=["docx", "pdf", "odt", "md", "txt", "json"],
        max_upload_size=LARGEST_MB,
        key="certificate-document",
    )
    if st.button("Comprobar", type="primary", icon=":material/verified:", key="certificate-check"):
        # What was shown before must not pass for the result of what cannot be read.
        st.session_state.pop(RESULT, None)
        if certificate is None:
            raise InputError(NO_FILE)
        with st.spinner("Comprobando el certificado…"):
            text = _text(app, document.name, document.getvalue()) if document else ""
            found = app.law.certificate(certificate.name, certificate.getvalue(), text)
        sources = json.loads(certificate.getvalue())["certificate"]["sources"] if found.sound else []
        st.session_state[RESULT] = Shown(found, sources)
    shown: Shown | None = st.session_state.get(RESULT)
    if shown is not None:
        _show(shown)


def _text(app: Member, name: str, contents: bytes) -> str:
    """The text of the document; JSON, which is no brief, is its own."""
    if name.lower().endswith(".json"):
        return contents.decode("utf-8", "replace")
    return app.law.brief(name, contents)


def _show(shown: Shown) -> None:
    found = shown.document
    section("Resultado", "SHA-256 del certificado:")
    st.code(found.sha256, language=None, wrap_lines=True)
    looks = [LOOKS[found.state]]
    if found.named is not None:
        looks.append(
            ("✔ El documento lo nombra", "art-high") if found.named else ("✘ No lo nombra", "art-low")
        )
    show(badges(looks))
    st.text(found.told)
    if found.named is not None:
        st.text(NAMED if found.named else NOT_NAMED)
        show(note(NO_TEXT))
    if shown.sources:
        rows = (
            (
                one["norm"],
                one["article"],
                one["since"] or "sin fecha",
                html('<code class="art-hash">{}</code>', one["wording_sha256"][:16] or "no consta"),
            )
            for one in shown.sources
        )
        show(table(HEADERS, rows))
