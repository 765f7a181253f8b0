"""Tool calls in a model's reply: what is read of XML that is nearly right, wrong or hostile."""

import pytest

from rag.tools.xml_calls import MAX_CALLS, MAX_PARAMETERS, MAX_REPLY, parse
from tests.growth import assert_linear


def values(reply: str) -> list[dict[str, str]]:
    return [dict(call.values) for call in parse(reply)]


def in_lexical(value: str) -> str:
    return f"<tool_lexical_search><query>{value}</query></tool_lexical_search>"


def in_regex(value: str) -> str:
    return f"<tool_regex_search><pattern>{value}</pattern></tool_regex_search>"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("vacaciones", "vacaciones"),
        ("  dos\n palabras ", "dos\n palabras"),
        ("1995", "1995"),
        ("I+D & desarrollo", "I+D & desarrollo"),
        ("a < b > c", "a < b > c"),
        ("a &lt; b &amp;amp; c &quot;d&quot;", 'a < b &amp; c "d"'),
        ("&xxe; &#65; &nbsp;", "&xxe; &#65; &nbsp;"),
        ("<![CDATA[ <b>&lt;</b> ]]>", " <b>&lt;</b> "),
        ("<![CDATA[a</query>b]]>", "a</query>b"),
        ("nul\0o y \ud800 suelto", "nulo y  suelto"),
    ],
)
def test_a_value_is_what_was_written(written, read):
    assert values(in_lexical(written)) == [{"query": read}]


@pytest.mark.parametrize(
    "pattern",
    [
        r"\bAPI[-_]?KEY\b",
        r"REF-\d{4}-[A-Z]{3}",
        r"(?P<año>\d{4})",
        r"a&b|<br>|x<y",
        r"<b>.*</b>",
        r"^\s*\|",
        "<!-- nota",
    ],
)
def test_a_pattern_survives_to_the_letter(pattern):
    assert values(in_regex(pattern)) == [{"pattern": pattern}]


@pytest.mark.parametrize(
    "reply",
    [
        f"Voy a buscarlo.\n\n```xml\n{in_lexical('x')}\n```\nAhora espero.",
        "<tool_lexical_search type='a' x=1>\n<query lang='es'>x</query  >\n</tool_lexical_search >",
        "<TOOL_Lexical_Search><query>x</query></tool_lexical_search>",
        f"<!-- {in_lexical('no')} -->{in_lexical('x')}",
        "<tool_lexical_search><!-- <query>no</query> --><query>x</query></tool_lexical_search>",
        "<tool_lexical_search><query>x</query><top_k></top_k><top_k/></tool_lexical_search>",
        f"</tool_regex_search>{in_lexical('x')}</tool_lexical_search>",
        f"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>{in_lexical('x')}",
        f"<![CDATA[{in_lexical('no')}]]>{in_lexical('x')}",
    ],
)
def test_what_is_around_a_call_does_not_matter(reply):
    (call,) = parse(reply)
    assert (call.name, dict(call.values), call.problem) == ("tool_lexical_search", {"query": "x"}, "")


def test_calls_come_in_the_order_they_stand():
    reply = f"{in_regex('a')} y luego {in_lexical('b')}{in_regex('c')}"
    assert [call.name for call in parse(reply)] == [
        "tool_regex_search",
        "tool_lexical_search",
        "tool_regex_search",
    ]
    assert values(reply) == [{"pattern": "a"}, {"query": "b"}, {"pattern": "c"}]


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("<tool_lexical_search><query>x</query>", "</tool_lexical_search>"),
        ("<tool_lexical_search><query>x</tool_lexical_search>", "</query>"),
        ("<tool_lexical_search><query><![CDATA[x</query></tool_lexical_search>", "</query>"),
        ("<tool_a><q>1</q><q>2</q></tool_a>", "«q» aparece dos veces"),
        ("<tool_a>" + "".join(f"<p{n}>1</p{n}>" for n in range(MAX_PARAMETERS + 1)) + "</tool_a>", "más de"),
    ],
)
def test_a_call_that_cannot_be_read_says_why(reply, problem):
    (call,) = parse(reply)
    assert problem in call.problem


def test_an_unclosed_call_does_not_take_the_next_one_along():
    first, second = parse(f"<tool_lexical_search><query>a</query>\n{in_lexical('b')}")
    assert "no está cerrada" in first.problem
    assert (dict(second.values), second.problem) == ({"query": "b"}, "")


def test_calls_beyond_the_limit_are_told_and_not_made():
    calls = parse(in_lexical("x") * (MAX_CALLS + 3))
    assert len(calls) == MAX_CALLS + 1
    assert "quedan sin ejecutar 3" in calls[-1].problem


def test_a_reply_beyond_the_limit_is_cut_and_told():
    calls = parse(in_lexical("x") + " " * MAX_REPLY + in_lexical("y"))
    assert [dict(call.values) for call in calls] == [{"query": "x"}, {}]
    assert str(MAX_REPLY) in calls[-1].problem


@pytest.mark.parametrize("reply", ["", "Sin llamadas.", "<p>html</p>", "tool_lexical_search(query='x')"])
def test_a_reply_without_calls_has_none(reply):
    assert parse(reply) == []


@pytest.mark.parametrize("around", ["{}", "<tool_a>{}</tool_a>", "<tool_a><q>{}</q></tool_a>"])
@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "</",
        "<tool_a",
        "<tool_a ",
        "<tool_a>",
        "</tool_a>",
        "<tool_a><q>",
        "<tool_a><!--",
        "<!--",
        "<![CDATA[",
        "<tool_a><q><![CDATA[",
        "&lt;",
        " ",
        "<\n",
    ],
)
def test_time_is_linear_in_the_reply(piece, around):
    room = MAX_REPLY - len(around)
    assert_linear(lambda size: parse(around.format((piece * size)[:size])), room)
