"""Messages of a language model as a conversation, and what it replied as text; raw JSON one click further."""

import json
import re
from contextlib import suppress
from typing import Any

from models.chat import ModelCall
from models.metering import EMBEDDINGS
from pages.parts.answer.candidates import heading
from pages.parts.answer.trace_words import AUTHORS, KEYS
from pages.parts.common import words
from pages.parts.common.html import EMPTY, Html, bullets, fields, html, join, note, show, show_fields
from pages.parts.common.render import answer_html, plain_html
from pages.parts.common.words import duration, number

FOLDED = 1200
"""Characters from which a message is folded under its beginning."""
BEGINNING = 160
RAW = "Tal como llegó (JSON)"
_FENCED = re.compile(r"\A\s*```\w*\n(.*)\n```\s*\Z", re.S)


def show_call(index: int, call: ModelCall) -> None:
    """One call of a model: what it cost, what it was sent and what it replied."""
    role = words.ROLES.get(call.role, call.role)
    vectors = call.role == EMBEDDINGS
    heading(f"{'Vectores' if vectors else 'Llamada'} {index} · {role} · {call.model}")
    sent, received = number(call.prompt_tokens), number(call.completion_tokens)
    masked = ", ".join(f"{words.MASKED.get(kind, kind)}: {count}" for kind, count in call.masked)
    show_fields(
        ("Tokens", f"{sent} leídos" if vectors else f"{sent} enviados, {received} recibidos"),
        ("De los enviados, ya leídos antes", number(call.cached_tokens) if call.cached_tokens else ""),
        ("De los recibidos, razonamiento", number(call.reasoning_tokens) if call.reasoning_tokens else ""),
        ("Intentos", number(call.attempts)),
        ("Tiempo", duration(call.elapsed_ms)),
        ("Error", call.error),
        ("Datos personales ocultados", masked),
    )
    for author, content in call.messages:
        show(said("Texto" if vectors else AUTHORS.get(author, author), content))
    said_last = [call.output, *(f"{one.name}({one.arguments})" for one in call.calls)]
    if received := "\n".join(filter(None, said_last)):
        show(said("Lo que respondió", received, kind="art-said art-said-last"))


def said(author: str, text: str, kind: str = "art-said") -> Html:
    """A message of a conversation: its author, and its text for a reader."""
    return html('<div class="{}"><p class="art-note">{}</p>{}</div>', kind, author, readable(text))


def readable(text: str) -> Html:
    """A text as paragraphs, long ones folded; JSON as names and values, with the JSON under it."""
    fenced = _FENCED.match(text)
    # What nests too deeply to be read is no answer of ours, and is shown as it came.
    with suppress(ValueError, RecursionError):
        value = json.loads(fenced[1] if fenced else text)
        if isinstance(value, dict | list):
            raw = html("<details><summary>{}</summary><pre>{}</pre></details>", RAW, text)
            return told(value) + raw
    if len(text) <= FOLDED:
        return plain_html(text)
    folded = "<details><summary>{}…</summary>{}</details>"
    return html(folded, " ".join(text[:BEGINNING].split()), plain_html(text))


def told(value: Any) -> Html:
    """A JSON value for a reader: its keys in Spanish, lists with one item a line."""
    if isinstance(value, dict):
        first = answer_html(str(value["answer"])) if "answer" in value else EMPTY
        rest = {name: one for name, one in value.items() if name != "answer"}
        flat = {name: one for name, one in rest.items() if not isinstance(one, dict | list)}
        nested = (note(_key(name)) + told(one) for name, one in rest.items() if name not in flat and one)
        return first + fields(*((_key(name), _word(one)) for name, one in flat.items())) + join(nested)
    if isinstance(value, list):
        return bullets(_line(one) for one in value)
    return plain_html(_word(value))


def _line(value: Any) -> object:
    if isinstance(value, dict):
        shown = (f"{_key(name)}: {_word(one)}" for name, one in value.items() if one not in ("", None))
        return words.dotted(*shown)
    return _word(value)


def _key(name: str) -> str:
    return KEYS.get(name, name)


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "sí" if value else "no"
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, float):
        return number(value, 2)
    return "" if value is None else str(value)
