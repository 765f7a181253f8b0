"""Each operation of the table as its doors ask for it, and requests that all of them refuse."""

from dataclasses import dataclass, field
from typing import Any

QUESTION = "¿Cuántos días de vacaciones me corresponden al año?"
DAY = "2024-05-06"
ARTICLE = "art. 2 de la Ley 90/2019"
BRIEF = "Véase el art. 2 LTF, que da «treinta y un días naturales»."
TOOL = "<tool_lexical_search><query>vacaciones</query></tool_lexical_search>"
CASES = [{"id": "a", "question": QUESTION, "relevant": [{"norm": "X-LTF", "article": "2", "grade": 2}]}]
TEMPLATE, FACTS = "preaviso-dimision", {"nombre": "Filomena Zurrutúa", "fecha": "2026-06-01"}
CALCULATION = "preaviso"
NOTICE = {"causa": "objetivo", "comunicacion": "2025-05-01", "efectos": "11/05/2025", "salario": "36500"}
Record = tuple[str, str, dict[str, str]]


@dataclass(frozen=True)
class Asked:
    """An operation as it is asked for.

    Attributes:
        given: by the name of the parameter; texts like '{answer}' are found in `Doors.there`.
        tool: arguments of its tool, if it is one; None: those given.
        command: words of its command, without `--json`; none: it has none.
        record: action, target and detail of its entry of the audit log; none: it leaves none.
    """

    given: dict[str, Any] = field(default_factory=dict)
    tool: dict[str, Any] | None = None
    command: tuple[str, ...] = ()
    record: Record | None = None


SEARCHED: Record = ("searched", "corpus", {})
ASKED = {
    "search": Asked(
        {"query": "vacaciones anuales", "limit": 2, "as_of": DAY},
        command=("search", "vacaciones anuales", "--limit", "2", "--as-of", DAY),
        record=SEARCHED,
    ),
    "article": Asked({"reference": ARTICLE}),
    "diff": Asked(
        {"article": ARTICLE, "until": DAY}, {"article": ARTICLE, "to": DAY}, ("diff", ARTICLE, "--to", DAY)
    ),
    "verify": Asked({"answer": "{answer}"}, {"spread": "{answer}"}, ("verify", "{answer_file}")),
    "citations": Asked(
        {"text": BRIEF, "as_of": DAY},
        command=("citations", "{brief_file}", "--date", DAY),
        record=("searched", "citations", {"characters": str(len(BRIEF))}),
    ),
    "commented": Asked(
        {"name": "e", "content": "{word}"}, record=("exported", "citations", {"bytes": "{word_size}"})
    ),
    "certificate": Asked(
        {"certificate": "{certificate}"}, record=("read", "certificate", {"bytes": "{size}"})
    ),
    "ask": Asked({"question": QUESTION}, command=("ask", QUESTION), record=("asked", "", {})),
    "templates": Asked(command=("template", "list")),
    "template": Asked({"name": TEMPLATE}, command=("template", "show", TEMPLATE)),
    "fill": Asked(
        {"name": TEMPLATE, "data": FACTS},
        command=("template", "fill", TEMPLATE, *(f"{name}={value}" for name, value in FACTS.items())),
        record=("exported", TEMPLATE, {"what": "template"}),
    ),
    "facts": Asked(
        {"matter": "{matter}"}, command=("facts", "{matter}"), record=("read", "{matter}", {"what": "matter"})
    ),
    "fact": Asked(
        {"matter": "{matter}", "fact": "start", "value": "1 de mayo de 2017"},
        command=("fact", "{matter}", "start", "--value", "1 de mayo de 2017"),
        record=("changed", "{matter}", {"what": "fact"}),
    ),
    "norms": Asked({"limit": 2}),
    "norm": Asked({"norm_id": "X-LTF"}),
    "article_of": Asked({"norm_id": "X-LTF", "label": "6 bis", "as_of": DAY}),
    "news": Asked(command=("news",)),
    "tool": Asked({"calls": TOOL}, command=("tool", TOOL), record=SEARCHED),
    "calculate": Asked(
        {"name": CALCULATION, "data": NOTICE},
        command=("calculate", CALCULATION, *(f"{name}={value}" for name, value in NOTICE.items())),
        record=("calculated", CALCULATION, {}),
    ),
    "answers": Asked({"conversation": "{kept}"}, command=("opinion", "{kept}", "--list")),
    "opinion": Asked(
        {"conversation": "{kept}", "format": "md"},
        command=("opinion", "{kept}", "--format", "md"),
        record=("exported", "{kept}", {"what": "opinion", "answers": "1", "format": "md"}),
    ),
    "evaluate": Asked(
        {"cases": CASES, "name": "cases"},
        command=("evaluate", "{cases_file}"),
        record=("evaluated", "cases", {"cases": "1", "aids": "all"}),
    ),
    "reindex": Asked(command=("reindex",), record=("changed", "", {"what": "index"})),
    "health": Asked(),
}
REFUSED = {
    "empty": ("search", Asked({"query": " "}, command=("search", " "))),
    "collection": (
        "search",
        Asked({"query": "x", "collection": "y"}, command=("search", "x", "--collection", "y")),
    ),
    "limit": ("search", Asked({"query": "x", "limit": 0})),
    "day": ("article", Asked({"reference": ARTICLE, "as_of": "ayer"})),
    "article": ("article", Asked({"reference": "la luna"})),
    "wording": (
        "diff",
        Asked(
            {"article": ARTICLE, "since": "1900-01-01"},
            {"article": ARTICLE, "from": "1900-01-01"},
            ("diff", ARTICLE, "--from", "1900-01-01"),
        ),
    ),
    "norm": ("norm", Asked({"norm_id": "BOE-A-1900-1"})),
    "label": ("article_of", Asked({"norm_id": "X-LTF", "label": "99 bis"})),
    "question": ("ask", Asked({"question": "  "}, command=("ask", "  "))),
    "conversation": (
        "ask",
        Asked({"question": QUESTION, "conversation": "z"}, command=("ask", QUESTION, "--conversation", "z")),
    ),
    "brief": ("citations", Asked({"text": " "})),
    "cases": ("evaluate", Asked({"cases": []})),
    "calls": ("tool", Asked({"calls": "nada"}, command=("tool", "nada"))),
    "calculation": ("calculate", Asked({"name": "luna", "data": {}}, command=("calculate", "luna"))),
    "template": ("template", Asked({"name": "nada"}, command=("template", "show", "nada"))),
    "no expediente": ("facts", Asked({"matter": "z"}, command=("facts", "z"))),
    "no day": (
        "fact",
        Asked(
            {"matter": "{matter}", "fact": "start", "value": "31/02/2026"},
            command=("fact", "{matter}", "start", "--value", "31/02/2026"),
        ),
    ),
    "no conversation": ("answers", Asked({"conversation": "z"}, command=("opinion", "z", "--list"))),
}
