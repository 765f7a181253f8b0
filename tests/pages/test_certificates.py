"""The check of a certificate: each state in words, and the document that names the certificate."""

import io
import json
from collections.abc import Iterator
from hashlib import sha256

import docx
import pytest
from joserfc.jwk import OKPKey
from streamlit.testing.v1 import AppTest

from domain.audit import AuditAction
from pages.parts.citations.certificate import NO_FILE
from pages.parts.citations.words import CERTIFICATE
from rag.shared.cited_answer import Answer
from service.opinions.certificate import certificate
from service.opinions.keys import FILE, signing_key
from service.opinions.opinion import CERTIFIED
from service.opinions.verification import NAMED, NOT_NAMED, UNKNOWN, check
from service.program.assembly import App
from tests.homes import new_program, overriding
from tests.hostile import TEXTS, live_html
from tests.opinions import DAY, cited, consulted
from tests.opinions import law as invented
from tests.pages.driver import html, page_at
from tests.unit.test_certificate import made


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    opened = new_program(tmp_path_factory.mktemp("home"))
    signing_key(opened.home)
    with overriding(opened):
        yield opened
    opened.close()


def checked(content: bytes | None, document: tuple[str, bytes] | None = None) -> AppTest:
    page = page_at("citations", {"citations-of": CERTIFICATE})
    left, right = page.file_uploader
    if content is not None:
        left.set_value([("certificado-7.json", content, "application/json")])
    if document is not None:
        right.set_value([(*document, "application/octet-stream")])
    page.button(key="certificate-check").click().run()
    assert not page.exception, page.exception
    return page


def said(page: AppTest) -> str:
    return html(page) + " ".join(one.value for one in [*page.text, *page.code])


def word(*lines: str) -> bytes:
    document, stream = docx.Document(), io.BytesIO()
    for line in lines:
        document.add_paragraph(line)
    document.save(stream)
    return stream.getvalue()


def test_a_certificate_of_this_installation_is_valid_and_its_sources_are_shown(program: App) -> None:
    content = made(signing_key(program.home))
    shown = said(checked(content))
    assert "✔ Firma válida" in shown and sha256(content).hexdigest() in shown
    assert "Estatuto inventado" not in shown and "por el que se inventa una ley" in shown
    assert "2023-01-01" in shown


def test_an_altered_certificate_is_told_and_nothing_of_it_is_shown(program: App) -> None:
    content = made(signing_key(program.home)).replace(b"inventa una ley", b"inventa otra ley")
    shown = said(checked(content))
    assert "✘ Alterado" in shown and "lo que dice no es lo que se firmó" in shown
    assert "por el que se inventa otra ley" not in shown


def test_a_certificate_of_another_key_is_of_an_unknown_one(program: App) -> None:
    shown = said(checked(made(OKPKey.generate_key("Ed25519"))))
    assert "? Clave desconocida" in shown and "sino otra" in shown
    assert "Firma válida" not in shown


def test_where_there_is_no_key_no_certificate_is_called_valid(tmp_path) -> None:
    found = check(tmp_path, "c.json", made())
    assert (found.sound, found.state, found.told) == (False, "other_key", UNKNOWN)
    assert not (tmp_path / FILE).exists(), "checking makes none"


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b"[" * 90_000, b'{"certificate":1}'])
def test_what_is_no_certificate_is_told_in_one_sentence(program: App, content: bytes) -> None:
    shown = said(checked(content))
    assert "✘ No es un certificado" in shown


def test_without_a_file_nothing_old_is_left_on_the_page(program: App) -> None:
    page = checked(made(signing_key(program.home)))
    page.file_uploader[0].set_value([])
    page.button(key="certificate-check").click().run()
    assert NO_FILE.partition(" (")[0] in page.error[0].value
    assert "Firma válida" not in said(page)


@pytest.mark.parametrize("kind", ["docx", "md", "json"])
def test_a_document_names_its_certificate_or_does_not(program: App, kind: str) -> None:
    content = made(signing_key(program.home))
    line = CERTIFIED.format(sha=sha256(content).hexdigest())
    files = {"docx": word("Dictamen", line), "md": line.encode(), "json": json.dumps({"a": line}).encode()}
    assert NAMED in said(checked(content, (f"dictamen.{kind}", files[kind])))
    other = {"docx": word("Dictamen"), "md": b"Dictamen", "json": b"{}"}
    shown = said(checked(content, (f"dictamen.{kind}", other[kind])))
    assert NOT_NAMED in shown and "✘ No lo nombra" in shown


def test_the_log_has_the_look_and_nothing_of_the_files(program: App) -> None:
    content = made(signing_key(program.home))
    checked(content)
    entry = next(one for one in program.audit.log.entries(limit=20) if one.action == AuditAction.READ)
    assert (entry.target, entry.detail) == ("certificate", {"bytes": str(len(content))})


def test_no_hostile_name_in_a_certificate_is_more_than_text(program: App) -> None:
    law = invented()
    key = signing_key(program.home)
    for text in TEXTS[::6]:
        one = cited(law, section=text, norm_id=text[:40] or "x", law=text, url=text)
        asked = consulted(Answer(answer="Sí [C1].", citations=(one,), confidence=0.5), text)
        content = certificate(asked, law, key, made_on=DAY, model=text, corpus="", audit_head="")
        assert live_html(html(checked(content))) == []
