"""Texts in which what is seen differs from what is there."""

import pytest

from loading.formats import load
from loading.formats.visible_document import as_seen
from tests.factories import make_block, make_norm, make_version
from tests.growth import assert_linear
from text.legible import legible, letters_told


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("im\u00adprocedente", "improcedente"),
        ("im\u200bproce\u2060dente", "improcedente"),
        ("\u202eetnedecorp\u202c", "etnedecorp"),
        ("pr\u043ecedente", "procedente"),
        ("\u03bfrden del d\u0456a", "orden del dia"),
        ("n\u0336o\u0336 procede", "no procede"),
        ("\uff4e\uff4f \U0001d429\U0001d42b\U0001d428\U0001d41c\U0001d41e\U0001d41d\U0001d41e", "no procede"),
        ("e\U000e0041l\ufe0f d\u034fía", "el día"),
    ],
)
def test_hidden_overlaid_and_foreign_letters_become_what_a_reader_sees(text: str, seen: str) -> None:
    found = legible(text)
    assert found.text == seen
    assert found.hidden or found.mixed or "\uff4e" in text


@pytest.mark.parametrize(
    "text",
    [
        "＜b＞",
        "Año ñandú, pingüino, cigüeña y façade.",
        "Москва y Ελλάδα",
        "a\u00a0b 1.º 2.ª «x» — …",
        "λ = 0,5 μm²",
    ],
)
def test_text_in_its_own_letters_is_left_as_it_is(text: str) -> None:
    assert legible(text) == (text, 0, ())


def test_what_was_changed_is_told_with_the_words() -> None:
    found = legible("El desp\u0456do\u200b")
    warnings = letters_told(found.hidden, found.mixed)
    assert warnings[0].endswith("quitados del texto: 1.")
    assert "«despido»" in warnings[1]
    assert letters_told(0, ()) == []


def test_a_loaded_file_is_stored_as_it_is_seen_and_its_preview_says_so(tmp_path) -> None:
    file = tmp_path / "ley.md"
    body = "## Artículo 1. Desp\u0456do\n\nEl despido es im\u200bprоcedente."
    text = f"# Ley 1/2020, de 2 de enero, inventada\n\n{body}"
    file.write_text(text, "utf-8")
    (document,) = load(file)
    assert document.blocks[-1].title == "Artículo 1. Despido"
    assert "El despido es improcedente." in document.blocks[-1].versions[0].text
    assert any("letras de otros alfabetos" in warning for warning in document.warnings)


def test_no_word_of_a_document_keeps_what_is_not_seen() -> None:
    hidden, url = "desp\u0456do\u200b", "https://example.org/\u00ad"
    version = make_version(hidden, notes=(hidden,))
    aids = {"summary": hidden, "keywords": hidden, "questions": hidden, "url": url}
    block = make_block("1", version, title=hidden, path=(hidden,), attributes=aids)
    names = dict.fromkeys(("title", "law", "alias", "rank", "number", "department", "status"), hidden)
    made = as_seen(make_norm("N-1", block, **names, aliases=(hidden,), extra={"organo": hidden}))
    assert "\u200b" not in made.model_dump_json() and "\u0456" not in made.model_dump_json()
    assert made.blocks[0].attributes["url"] == url
    assert (made.blocks[0].attributes["questions"], made.norm.extra["organo"]) == ("despido", "despido")
    assert made.blocks[0].versions[0].notes == ("despido",)


@pytest.mark.parametrize("piece", ["\u0430", "a\u0430", "\uff4e", "\u0336a"])
def test_the_time_grows_with_the_length(piece: str) -> None:
    assert_linear(lambda size: legible(piece * size), 40_000)
