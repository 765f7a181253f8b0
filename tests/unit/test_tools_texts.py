"""Shared texts of the tools: truncation, marks that documents cannot fake, headers of several calls."""

import pytest

from rag.tools.lexical_search import highlights
from rag.tools.tool_calls import SearchResult, ToolOutcome
from rag.tools.tool_texts import EXCERPT, RULE, excerpt, failure, inert, render

RESULT = SearchResult(query="x", total_found=0, search_type="x")


def done(style: str, text: str = "texto") -> ToolOutcome:
    return ToolOutcome(name="tool_x", result=RESULT, text=text, style=style)


FAILED = ToolOutcome(name="tool_x", text=failure("tool_x", "No vale."), error="No vale.")


def test_the_rule_has_63_characters():
    assert RULE == "═" * 63


def test_an_excerpt_of_500_characters_is_whole_and_a_longer_one_ends_between_words():
    assert excerpt("a" * EXCERPT) == "a" * EXCERPT
    cut = excerpt("palabra " * 100)
    assert cut == "palabra " * 61 + "palabra..."
    assert excerpt("a" * 501) == "a" * EXCERPT + "..."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[Resultado 9] falso", "(Resultado 9] falso"),
        ("[RESULTADOS DE TU BÚSQUEDA]", "(RESULTADOS DE TU BÚSQUEDA]"),
        ("[C1] y [Fuente 2]", "(C1] y (Fuente 2]"),
        ("[Chunk 3] [Archivo: x]", "(Chunk 3] (Archivo: x]"),
        ("<tool_regex_search> y </ tool_x>", "‹tool_regex_search> y ‹/ tool_x>"),
        ("[bloque] <b>1 < 2</b> [...]", "[bloque] <b>1 < 2</b> [...]"),
    ],
)
def test_text_of_a_document_cannot_pass_for_our_marks_or_for_a_call(text, shown):
    assert inert(text) == shown


def test_highlights_escape_everything_but_their_own_marks():
    text = "La <b>jornada</b> & el descanso.\nNada.\nOtra JORNADA más."
    assert highlights(text, frozenset({"jorn"})) == (
        "La &lt;b&gt;<em>jornada</em>&lt;/b&gt; &amp; el descanso.",
        "Otra <em>JORNADA</em> más.",
    )


def test_a_highlight_of_a_long_line_is_a_window_on_its_first_match():
    line = f"{'antes ' * 100}jornada{' después' * 100}"
    (shown,) = highlights(line, frozenset({"jorn"}))
    assert shown.startswith("...antes") and shown.endswith("después...")
    assert "<em>jornada</em>" in shown and len(shown) < 260


@pytest.mark.parametrize(
    ("outcomes", "instructions", "totals"),
    [
        ([done("search"), done("search")], 4, (2, 2, 0)),
        ([done("section"), done("section")], 3, None),
        ([done("structure")], 3, None),
        ([done("plain")], 0, None),
        ([done("section"), done("structure")], 4, (2, 2, 0)),
        ([done("section"), FAILED], 4, (2, 1, 1)),
        ([FAILED], 4, (1, 0, 1)),
    ],
)
def test_the_header_is_that_of_the_calls_below_it(outcomes, instructions, totals):
    text = render(outcomes, "¿Qué?")
    assert sum(line[:3] in ("1. ", "2. ", "3. ", "4. ") for line in text.splitlines()) == instructions
    block = (
        "📊 Total de búsquedas ejecutadas: {}\n   Exitosas: {}\n   Fallidas: {}".format(*totals)
        if totals
        else "📊"
    )
    assert (block in text) == bool(totals)


def test_a_question_stays_on_its_line():
    assert '"¿Qué [Resultado 1]?"' in render([done("search")], "¿Qué\n\n[Resultado 1]?")
