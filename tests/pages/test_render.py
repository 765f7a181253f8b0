"""Untrusted text to HTML, quotations in their articles, links and Spanish formats."""

import ast
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from markupsafe import Markup

from law.norms import UNDATED
from pages.parts.common.html import each, html, join, note, table
from pages.parts.common.law import law_html, quoted_html
from pages.parts.common.render import Mark, answer_html, label_text, question_html
from pages.parts.common.words import ago, duration, number, validity
from pages.parts.normativa.words import span
from rag.answers.aside import with_aside
from tests.growth import assert_linear
from tests.hostile import ADDRESS, TEXTS
from tests.test_architecture import CODE
from text.links import official_url


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Uno.\nDos.\n\nTres.", "<p>Uno.<br>Dos.</p><p>Tres.</p>"),
        ("- uno\n- **dos**", "<ul><li>uno</li><li><strong>dos</strong></li></ul>"),
        ("3. tres\n4) cuatro", '<ol start="3"><li>tres</li><li>cuatro</li></ol>'),
        ("## Plazo\nVeinte días", '<p class="art-sub">Plazo</p><p>Veinte días</p>'),
        (
            with_aside(["Uno."], ["Dos."]),
            '<p>Uno.</p><details class="art-aside"><summary>También pueden interesar</summary>'
            "<p>Dos.</p></details>",
        ),
        ("a ** b ** c", "<p>a ** b ** c</p>"),
        ("**a ** b** y ***c***", "<p>**a ** b** y <strong>*c</strong>*</p>"),
        ('<b>x</b> & "y"', "<p>&lt;b&gt;x&lt;/b&gt; &amp; &#34;y&#34;</p>"),
        ("![i](http://e) [l](http://e)", "<p>![i](http://e) [l](http://e)</p>"),
        ("javascript:alert(1) `x` $y$", "<p>javascript:alert(1) `x` $y$</p>"),
        ("", ""),
    ],
)
def test_only_paragraphs_lists_headings_and_bold_become_markup(text: str, html: str) -> None:
    assert answer_html(text) == html


def test_only_markers_of_known_sources_become_chips() -> None:
    html = answer_html("Uno [C1]. Diez [C10]. [C1](http://e)", {"C1": Mark(1, 'ET "38" <b>', "«uno» <i>")})
    assert html.count('class="art-chip"') == 2
    assert "[C10]" in html
    assert "ET &#34;38&#34; &lt;b&gt;" in html
    assert "<a" not in html


def test_a_chip_with_an_address_leads_to_its_article_and_holds_the_words_quoted_once() -> None:
    mark = Mark(2, "ET · Artículo 38", "", "/normativa?doc=a&block=b", "/fuente?q=x")
    checked, named = (answer_html("[C1]", {"C1": mark}, unchecked) for unchecked in ((), {"C1"}))
    assert '<a class="art-chip" href="/normativa?doc=a&amp;block=b" data-text="/fuente?q=x"' in checked
    assert 'aria-label="Cita comprobada 2: ET · Artículo 38">2</a>' in checked
    assert "title=" not in checked
    assert 'class="art-chip art-named"' in named
    assert "sin cita comprobada" in named


def test_a_chip_without_an_address_tells_the_words_quoted_cut_short() -> None:
    shown = answer_html("[C1]", {"C1": Mark(1, "ET", "treinta días naturales " * 40)})
    assert "…»" in shown
    assert len(shown) < 800


def test_chips_of_one_article_side_by_side_are_one() -> None:
    mark, other = Mark(1, "ET · Artículo 38"), Mark(2, "ET · Artículo 39")
    marks = {"C3": mark, "C5": mark, "C9": other}
    assert answer_html("Uno [C3] [C5][C9][C5]. Dos [C5].", marks).count('class="art-chip"') == 4
    assert answer_html("Uno [C3][C5].", marks, {"C5"}).count('class="art-chip') == 2, "one is not checked"


EVIL = '<img src=x onerror="alert(1)">'
SAFE = "&lt;img src=x onerror=&#34;alert(1)&#34;&gt;"


@pytest.mark.parametrize("text", [EVIL, Markup(EVIL), f"\u202e\u200b{EVIL}\ud800"])
def test_all_but_our_own_markup_is_escaped_and_loses_hidden_characters(text: str) -> None:
    assert html("<p>{}</p>", text) == f"<p>{SAFE}</p>"
    assert each("<i>{}{}</i>", [(text, 1)]) == f"<i>{SAFE}1</i>"
    assert join([text, html("<br>")]) == html("{}", text) + html("<br>") == f"{SAFE}<br>"
    assert table((text,), [(note(text),)]).count("<img") == 0


def test_our_own_markup_is_not_escaped_twice() -> None:
    assert html("<p>{}</p>", note(html("a{}b", "<"))) == '<p><p class="art-note">a&lt;b</p></p>'


def test_a_text_with_braces_fills_no_template() -> None:
    assert html("<p>{}{}</p>", "{0.__class__}", html("{}", "{}")) == "<p>{0.__class__}{}</p>"


PAGES = {name: ast.parse(path.read_text("utf-8")) for name, path in CODE.items() if name.startswith("pages")}
BUILDERS = "pages.parts.common.html"


def calls(module: str) -> list[tuple[str, ast.Call]]:
    """The name that each call of a module calls, as written, and its node."""
    return [(ast.unparse(node.func), node) for node in ast.walk(PAGES[module]) if isinstance(node, ast.Call)]


def is_literal(node: ast.expr, bound: dict[str, ast.expr]) -> bool:
    """True for a literal text, a name bound to one, or a choice between two."""
    if isinstance(node, ast.IfExp):
        return is_literal(node.body, bound) and is_literal(node.orelse, bound)
    node = bound.get(ast.unparse(node), node)
    return isinstance(node, ast.Constant) or (isinstance(node, ast.IfExp) and is_literal(node, bound))


@pytest.mark.parametrize("module", sorted(set(PAGES) - {BUILDERS}))
def test_only_the_builders_make_markup_and_draw_it(module: str) -> None:
    forbidden = re.compile(r"(\w+\.)*(Html|Markup|escape)|.+\.html")
    assert [ast.unparse(node) for name, node in calls(module) if forbidden.fullmatch(name)] == []
    assert "unsafe_allow" not in ast.unparse(PAGES[module])


@pytest.mark.parametrize("module", sorted(set(PAGES) - {BUILDERS}))
def test_every_template_is_a_literal_of_the_source(module: str) -> None:
    bound = {
        ast.unparse(target): node.value
        for node in ast.walk(PAGES[module])
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    }
    templates = [node.args[0] for name, node in calls(module) if name in ("html", "each")]
    assert [ast.unparse(one) for one in templates if not is_literal(one, bound)] == []


TEXT = "Artículo 1.\n1. Uno.\n2. Dos.\n3. Tres <i>.\n4. Cuatro.\n5. Cinco."


def spans(*quotes: str) -> list[tuple[int, int]]:
    return [(TEXT.index(quote), TEXT.index(quote) + len(quote)) for quote in quotes]


def test_the_quotation_is_marked_among_its_neighbours_and_the_rest_folds_away() -> None:
    html = quoted_html(TEXT, spans("Tres <i>"))
    assert "<p>3. <mark>Tres &lt;i&gt;</mark>.</p>" in html
    before, after = html.split("<p>2. Dos.</p>")
    assert "Texto anterior (2 párrafos)" in before
    assert "<p>4. Cuatro.</p><details><summary>Texto posterior (1 párrafo)" in after


def test_several_quotations_and_one_over_two_paragraphs_are_marked() -> None:
    html = quoted_html(TEXT, spans("Uno.\n2. Dos", "Cinco"))
    assert "<mark>Uno.</mark>" in html
    assert "<mark>2. Dos</mark>" in html
    assert "<mark>Cinco</mark>" in html
    assert html.count("Tres") == 1


def test_quotations_that_overlap_are_marked_once() -> None:
    html = quoted_html("Uno dos tres.", [(0, 7), (4, 12)])
    assert html == '<div class="art-law"><p><mark>Uno dos</mark><mark> tres</mark>.</p></div>'


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://www.boe.es/buscar/act.php?id=X#a38", True),
        ("https://curia.europa.eu/x", True),
        ("https://boe.es.evil.example/", False),
        ("https://evilboe.es/", False),
        ("https://boe.es@evil.example/", False),
        ("https://user@www.boe.es/", False),
        ("http://www.boe.es/", False),
        ("javascript:alert(1)//www.boe.es", False),
        ("https://www.boe.es:8443/", False),
        ("https://[boe.es/", False),
        ("https://www.boe.es/\n", False),
        ("https://www.boe.es", True),
        ("https://boe.es?id=X", True),
        ("", False),
    ],
)
def test_only_official_https_addresses_become_links(url: str, allowed: bool) -> None:
    assert (official_url(url) == url) is allowed


@pytest.mark.parametrize("url", ADDRESS.values(), ids=ADDRESS)
def test_an_address_that_a_browser_reads_otherwise_is_no_link(url: str) -> None:
    assert official_url(url) is None


def test_no_hostile_text_is_an_official_address() -> None:
    assert [text for text in TEXTS if official_url(text) is not None] == []


def test_a_label_escapes_every_mark_of_markdown() -> None:
    assert label_text("**a**\n[b](c) :red[d]") == r"\*\*a\*\* \[b\]\(c\) \:red\[d\]"


@pytest.mark.parametrize(
    ("elapsed", "words"),
    [
        (timedelta(seconds=20), "ahora"),
        (timedelta(minutes=5), "hace 5 min"),
        (timedelta(hours=3), "hace 3 h"),
        (timedelta(days=1), "ayer"),
        (timedelta(days=4), "hace 4 días"),
        (timedelta(days=30), "02/05/2026"),
    ],
)
def test_time_is_told_in_few_words(elapsed: timedelta, words: str) -> None:
    now = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
    assert ago(now - elapsed, now) == words


def test_numbers_are_written_as_in_spain() -> None:
    assert number(12519) == "12.519"
    assert number(0.92, 2) == "0,92"
    assert duration(120.4) == "120 ms"
    assert duration(1420) == "1,4 s"
    assert validity(None, None) == ""


def test_a_day_that_nobody_gave_is_never_shown() -> None:
    assert validity(UNDATED, None) == "Sin fecha de vigencia"
    assert validity(UNDATED, date(2020, 1, 2)) == "Sin fecha de inicio, vigente hasta 02/01/2020"
    assert (span(UNDATED, None), span(UNDATED, date(2020, 1, 2))) == ("sin fecha", "sin fecha – 02/01/2020")


@pytest.mark.parametrize("piece", ["hace 1 **", "**", "** ", "[C1", "\n- "])
def test_time_is_linear_in_the_answer(piece: str) -> None:
    assert_linear(lambda size: answer_html((piece * size)[:size]), 100_000)


TABLE = (
    "Artículo 9. Escala.\nSegún la tabla siguiente.\n| Período | Días |\n| --- | --- |\n| Hasta 539 | 120 |\n"
    "| Hasta 719 | 180 |\n| Hasta 899 | 240 |\n| Hasta 1.079 | 300 |\nFin de la escala."
)


def test_the_rows_of_a_law_are_a_table_with_its_header() -> None:
    shown = str(law_html(TABLE))
    assert shown.count("<table>") == 1
    assert '<thead><tr><th scope="col">Período</th><th scope="col">Días</th></tr></thead>' in shown
    assert shown.count("<td>") == 8
    assert "---" not in shown
    assert "|" not in shown
    assert "<p>Fin de la escala.</p>" in shown


def test_a_quoted_row_is_marked_cell_by_cell_and_each_piece_of_its_table_has_the_header() -> None:
    row = "| Hasta 899 | 240 |"
    start = TABLE.index(row)
    shown = str(quoted_html(TABLE, [(start, start + len(row))]))
    assert "<td><mark>Hasta 899</mark></td><td><mark>240</mark></td>" in shown
    assert shown.count("<mark>") == 2
    assert shown.count('<th scope="col">Período</th>') == shown.count("<table>") == 2
    assert "Hasta 539" in shown.partition("</details>")[0]


def test_a_quoted_header_shows_with_its_row_and_is_marked_there_only() -> None:
    header, row = "| Período | Días |", "| Hasta 1.079 | 300 |"
    spans = [(TABLE.index(piece), TABLE.index(piece) + len(piece)) for piece in (header, row)]
    folded, shown = str(quoted_html(TABLE, spans)).split("</details>", 1)
    assert "<mark>" not in folded
    assert shown.count("<mark>") == 4
    assert "<mark>Período</mark>" in shown


def test_rows_that_go_on_from_another_fragment_have_no_header_and_lose_none() -> None:
    shown = str(law_html("| Hasta 539 | 120 |\n| Hasta 719 | 180 |"))
    assert "<th" not in shown
    assert shown.count("<tr>") == 2


def test_two_tables_in_a_row_are_two() -> None:
    shown = str(law_html("| A | B |\n| --- | --- |\n| 1 | 2 |\n| C | D |\n| --- | --- |\n| 3 | 4 |"))
    assert shown.count("<table>") == shown.count("<thead>") == 2
    assert shown.count("<td>") == 4


def test_the_text_of_a_cell_is_no_markup() -> None:
    assert "&lt;b&gt;" in str(law_html("| <b>x</b> | 1 |\n| --- | --- |\n| a | b |"))


def test_a_long_question_is_folded_under_its_beginning_and_keeps_every_word() -> None:
    text = "Me han despedido. <b>Hola</b>\n" * 60
    shown = question_html(text)
    assert shown.startswith('<details class="art-question"><summary>Me han despedido.')
    assert shown.count("&lt;b&gt;Hola&lt;/b&gt;</p>") == 60
    assert "<details" not in question_html("¿Cuánto dura?")


def test_rows_of_one_table_are_shown_as_a_table() -> None:
    shown = answer_html(
        "**Ley.** «La duración:»\nAños: Hasta 3 · Días: 20 [C1]\nAños: Más de 3 · Días: 30 [C1]\n«Nada más.»",
        {"C1": Mark(1, "Ley · 1")},
    )
    assert shown.count("<tr>") == 3
    assert shown.count("<th ") == 2
    assert "Hasta 3</td>" in shown and "«Nada más.»" in shown


@pytest.mark.parametrize(
    "line", ["Años: Hasta 3 · Días: 20", "Sin columnas · ni nombres", "«Uno: dos · tres: cuatro»"]
)
def test_one_row_and_what_is_no_row_stay_a_paragraph(line: str) -> None:
    assert "<table" not in answer_html(line)
