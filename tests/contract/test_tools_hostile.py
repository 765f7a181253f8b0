"""Replies that mean harm or nonsense, by the hundred: no exception, no hang, no file, no network."""

import gc
import json
import sys
from collections.abc import Iterable
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag.tools.tool_contract import TOOLS
from rag.tools.tool_texts import render
from tests.tool_corpus import AS_OF, Tools, toolbox, xml

EXAMPLES = 500
WATCHED = ("open", "socket.", "subprocess.", "os.system", "os.exec", "os.spawn", "urllib.", "exec", "ftplib.")
SEEN: list[str] = []
WATCHING = [False]


def watch(event: str, arguments: tuple[object, ...]) -> None:
    if WATCHING[0] and event.startswith(WATCHED):
        SEEN.append(f"{event} {arguments!r:.200}")


sys.addaudithook(watch)

# What a parser, an engine or a database may trip over, and ways out that must lead nowhere.
NASTY = st.sampled_from(
    [
        "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>&a;",
        "<!ENTITY lol '&lol;&lol;'>",
        "&lt;&amp;&#x41;&xxe;",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "../../../../etc/passwd",
        "file:///etc/passwd",
        "http://169.254.169.254/latest",
        "'; DROP TABLE norms; --",
        "%00",
        "\0",
        "\ud800",
        "\u202e\u200b",
        "{{7*7}} ${7*7} __import__('os').system('id')",
        "(a+)+$",
        "((a{1,100}){1,100}){1,100}",
        "(?R)(?1)\\1(?<=a*)",
        "[" * 200,
        "(" * 400 + "a" + ")" * 400,
        "a" * 3000,
        "9" * 5000,
        "-1",
        "nan",
        "1e999",
        "[Resultado 1]\nID: falso_chunk_0001",
        "<tool_regex_search>",
        "</tool_lexical_search>",
        "Guia_Contactos_chunk_0001",
        "GC",
        "X-GUIA",
        "todos los turnos",
        "true",
        "first_5",
        "table",
        "email",
        "5",
    ]
)
TEXT = st.one_of(NASTY, st.text(max_size=40), st.lists(NASTY, max_size=4).map("".join))
KNOWN = sorted({name for tool in TOOLS.values() for name in tool.params.model_fields})
PARAMETERS = [*KNOWN, "x", "query "]
NAMES = st.one_of(
    st.sampled_from([*TOOLS, *TOOLS, "tool_", "tool_nada", "TOOL_FILE_CONTENT", "tool_x/../y"]), TEXT
)
ARGUMENTS = st.dictionaries(st.sampled_from(PARAMETERS), TEXT | st.integers(), max_size=3).map(json.dumps)
PAIRS = st.lists(st.tuples(st.sampled_from(PARAMETERS), TEXT), max_size=5)
CALLS = st.one_of(
    [
        st.fixed_dictionaries(
            {n: TEXT for n, f in tool.params.model_fields.items() if f.is_required()},
            optional={n: TEXT for n, f in tool.params.model_fields.items() if not f.is_required()},
        ).map(lambda values, name=name: f"<{name}>{_elements(values.items())}</{name}>")
        for name, tool in TOOLS.items()
    ]
)
PIECES = st.one_of(
    CALLS,
    st.builds(lambda name, pairs: f"<{name}>{_elements(pairs)}</{name}>", NAMES, PAIRS),
    st.builds(lambda name, pairs: f"<{name} a='1'>{_elements(pairs)}", NAMES, PAIRS),
    st.builds(lambda name, text: f"<{name}>{text}</{name}>", NAMES, TEXT),
    TEXT,
)
REPLIES = st.lists(PIECES, max_size=6).map("\n".join)


def without_surrogates(text: str) -> str:
    return text.encode("utf-8", "ignore").decode()


def _elements(pairs: Iterable[tuple[str, str]]) -> str:
    return "".join(f"<{name}>{value}</{name}>" for name, value in pairs)


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    with toolbox(tmp_path_factory.mktemp("hostile")) as made:
        for tool, values in (
            ("lexical_search", {"query": "turnos"}),
            ("semantic_search", {"query": "turnos"}),
            ("regex_search", {"pattern": "turnos"}),
            ("file_content", {"file_name": "GC"}),
        ):
            assert made.one(xml(tool, **values)).ok
        # Folders of earlier tests that nobody has let go of are removed now, not while files are watched.
        gc.collect()
        yield made


def check(tools: Tools, calls: str) -> None:
    """Every outcome is a result or a message; their text can be sent and stored."""
    SEEN.clear()
    WATCHING[0] = True
    try:
        outcomes = tools.run(calls)
    finally:
        WATCHING[0] = False
    assert SEEN == []
    assert all(bool(outcome.error) == (outcome.result is None) for outcome in outcomes)
    render(outcomes, "¿Qué?").encode("utf-8")
    for outcome in outcomes:
        outcome.model_dump_json()


@pytest.mark.slow
@pytest.mark.timeout(90)
@settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(reply=REPLIES)
def test_hostile_xml_does_nothing_but_fail(tools: Tools, reply):
    check(tools, reply)


def test_the_watch_sees_a_file_that_is_opened(tmp_path):
    SEEN.clear()
    WATCHING[0] = True
    try:
        (tmp_path / "x").write_text("x")
    finally:
        WATCHING[0] = False
    assert SEEN


def test_a_day_without_any_law_finds_nothing_and_fails_nothing(tools: Tools):
    calls = [
        xml("lexical_search", query="turnos"),
        xml("semantic_search", query="turnos"),
        xml("structure_search", document_name="Guia_Contactos.md", chunk_type="table"),
        xml("regex_search", pattern="turnos"),
    ]
    outcomes = tools.run("".join(calls), as_of=date(1950, 1, 1))
    assert [(outcome.ok, outcome.result.total_found) for outcome in outcomes[:3]] == [(True, 0)] * 3
    assert all(item.chunk_id.endswith("_chunk_0000") for item in outcomes[3].result.results), (
        "only headers, which have no day"
    )
    assert tools.run("".join(calls), as_of=AS_OF)[0].result.total_found
