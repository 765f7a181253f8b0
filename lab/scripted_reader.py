"""A reader that answers the questions of a data set from the request alone, for the scripted model server.

It does each stage of the walk as a model that makes no mistake would: it quotes, letter by letter and with
the marker of its fragment, what carries each fact of the case, tells that fact in the words of the case, and
refuses when the context has none. A sloppy one puts a fault into most answers, chosen by the question.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from law.labels import of_heading
from law.provision_reading import read_provision
from rag.answers.context_block import HEADER, SEPARATOR
from rag.answers.quotation_check import read_length
from rag.evaluation.cases import Case, Fact, Relevant
from rag.shared.answer_contract import ABSTENTION, QUOTE_MAX, QUOTE_MIN
from rag.stages.answer import QUESTION, SECTION
from rag.stages.assess import MAX_NEEDS, NOT_THERE
from tests.model_replies import Reply, Request, as_json, says
from tests.scripted import judged
from text.segmentation import sentences
from text.textnorm import comparable_text, visible

LONG, TOO_LONG = 2050, 6050
"""Characters of the longer answers: within and beyond `ANSWER_CHARS`."""
NOT_TOLD = "El contexto no contiene lo demás que haría falta."
_FRAGMENT = re.compile(r"\[(?P<marker>C\d+)\] (?P<fields>.*?)^Texto: (?P<text>.*)", re.S | re.M)
_OTHER_WORDS = {
    "trabajador": "empleado",
    "trabajadores": "empleados",
    "trabajadora": "empleada",
    "empresario": "patrono",
    "empresa": "compañía",
    "derecho": "facultad",
    "plazo": "término",
    "podrá": "puede",
    "podrán": "pueden",
    "deberá": "debe",
    "será": "resultará",
    "durante": "mientras dure",
    "contrato": "acuerdo",
}


class Fault(StrEnum):
    """A fault of a sloppy reader; the last two are none of the contract, and have to stay as they are."""

    WORD = "another word in a quotation"
    FIGURE = "a figure that stands nowhere"
    MARKER = "a paragraph without its marker"
    JSON = "invalid JSON"
    TOO_LONG = "an answer too long"
    LONG = "a long answer (no fault)"
    NONE = "none"


_OF_TWENTY = tuple(
    fault
    for fault, share in {
        Fault.WORD: 4,
        Fault.FIGURE: 4,
        Fault.MARKER: 4,
        Fault.JSON: 2,
        Fault.LONG: 2,
        Fault.TOO_LONG: 1,
        Fault.NONE: 3,
    }.items()
    for _ in range(share)
)


class Quotation(NamedTuple):
    """Words of a fragment that carry a fact; `whole` if they are sentences that need no other words."""

    marker: str
    text: str
    whole: bool


class Fragment(NamedTuple):
    """A fragment of the context as the model reads it; `fields` are the lines over its text."""

    marker: str
    fields: str
    text: str

    def is_of(self, article: Relevant) -> bool:
        """True for a part of that article, by its heading and its address."""
        section = re.search(r"^Sección: (.+)$", self.fields, re.M)
        return article.norm in self.fields and section is not None and _label(section[1]) == article.article


@dataclass
class Written:
    """The answer of the reader to a question: its fault, and what must not come through as checked."""

    fault: Fault = Fault.NONE
    answer: str = ""
    quotes: list[Quotation] = field(default_factory=list)
    wrong: str = ""


@dataclass
class Reader:
    """Replies to the requests of every stage; call it with a request.

    Attributes:
        cases: by their question.
        laws: name of a norm, as lawyers say it, by its id: with it the assessment asks, once, for the
            articles of the facts that it is not shown.
        chooses: True to put first, of the candidates shown, those that carry a fact.
        written: its last answer to each question.
    """

    cases: Mapping[str, Case]
    sloppy: bool = False
    laws: Mapping[str, str] = field(default_factory=dict)
    chooses: bool = False
    written: dict[str, Written] = field(default_factory=dict)

    @classmethod
    def of(cls, cases: Sequence[Case], **switches: Any) -> "Reader":
        """A reader of these cases; `switches` are the attributes `sloppy`, `laws` and `chooses`."""
        return cls({visible(case.question): case for case in cases}, **switches)

    def __call__(self, request: Request) -> Reply:
        """The reply to a request of one of the stages that it knows.

        Raises:
            KeyError: it has no case with that question.
        """
        replies = {"decompose": self._decompose, "rerank": self._rerank, "assess": self._assess}
        replies |= {"answer": self._answer, "shorten": self._shorten, "claims": self._claims}
        return replies[request.stage](request)

    def _case(self, request: Request) -> Case:
        asked = [_question(message["content"]) for message in request.messages if message["role"] == "user"]
        return self.cases[next((one for one in reversed(asked) if one in self.cases), asked[-1])]

    def _decompose(self, request: Request) -> Reply:
        return as_json([request.messages[-1]["content"]])

    def _rerank(self, request: Request) -> Reply:
        shown = re.split(r"^\[\d+\] ", request.messages[-1]["content"], flags=re.M)[1:]
        order = list(range(len(shown)))
        if self.chooses:
            strings = [comparable_text(text) for fact in _facts(self._case(request)) for text in fact.any_of]
            order.sort(key=lambda i: not any(string in comparable_text(shown[i]) for string in strings))
        return as_json(order)

    def _assess(self, request: Request) -> Reply:
        case, listing = self._case(request), request.messages[-1]["content"]
        shown = comparable_text(listing)
        unseen = [
            fact for fact in _facts(case) if not any(comparable_text(text) in shown for text in fact.any_of)
        ]
        lacking = [
            f"NEED|{one.article.upper() if ' ' in one.article else one.article}|{self.laws[one.norm]}"
            for fact in unseen
            for one in (fact.source or case.relevant)
            if one.norm in self.laws
        ]
        told = NOT_THERE.partition("{")[0] in listing
        return says("READY" if told or not lacking else "\n".join([*dict.fromkeys(lacking)][:MAX_NEEDS]))

    def _claims(self, request: Request) -> Reply:
        """Finds wrong the sentences with the figure that it made up itself."""
        asked = request.messages[-1]["content"]
        made = [one for question, one in self.written.items() if question in asked]
        wrong = next((one.wrong for one in made if one.fault is Fault.FIGURE), "")
        return judged(request, lambda sentence: not wrong or wrong not in sentence)

    def _shorten(self, request: Request) -> Reply:
        paragraphs = request.messages[-1]["content"].split("\n\n")
        return as_json({"answer": "\n\n".join(dict.fromkeys(paragraphs))})

    def _answer(self, request: Request) -> Reply:
        case = self._case(request)
        again = _question(request.messages[-1]["content"]) not in self.cases
        context = next(one["content"] for one in request.messages if one["content"].startswith(HEADER))
        read = fragments(context.partition(SECTION)[0])
        found = [(fact, place) for fact in _facts(case) if (place := quotation(fact, case, read))]
        if not found:
            self.written[case.question] = Written()
            return as_json(_document(f"{ABSTENTION}: el contexto no lo contiene.", [], refusal=True))
        fault = fault_of(case.question) if self.sloppy else Fault.NONE
        written = _written(case, found, fault, request.prompt)
        self.written[case.question] = written
        notes = NOT_TOLD if len(found) < len(_facts(case)) else None
        document = _document(written.answer, written.quotes, notes=notes)
        if fault is Fault.JSON and not again:
            return says(json.dumps(document, ensure_ascii=False)[:-40])
        return as_json(document)


def _question(content: str) -> str:
    """The question of a message that asks: after the context, before a list of fragments, or alone."""
    asked = content.rpartition(QUESTION)[2]
    found = re.search(r"^Pregunta: (.*)$", asked, re.M)
    return found[1] if found else asked


def fault_of(question: str) -> Fault:
    """The fault of a sloppy reader's answer to a question: always the same one."""
    return _OF_TWENTY[hashlib.blake2b(question.encode()).digest()[0] % len(_OF_TWENTY)]


def fragments(context: str) -> list[Fragment]:
    found = (_FRAGMENT.match(one) for one in context.removeprefix(HEADER).split(SEPARATOR))
    return [Fragment(**one.groupdict()) for one in found if one]


def quotation(fact: Fact, case: Case, read: Sequence[Fragment]) -> Quotation | None:
    """The quotation of a fact; of several fragments that carry it, from one of an article that it names."""
    named = [*fact.source, *case.relevant]
    for one in sorted(read, key=lambda one: not any(map(one.is_of, named))):
        if found := stretch(one.text, fact.any_of):
            return Quotation(one.marker, *found)
    return None


def stretch(text: str, strings: Sequence[str]) -> tuple[str, bool] | None:
    """(the sentences of a text that hold one of the strings, or as much as may be quoted; True if whole).

    A member of a list is not whole: alone, it does not say what the list is of.
    """
    spans = sentences(text)
    for wanted in filter(comparable_text(text).__contains__, map(comparable_text, strings)):
        runs = [
            (text[first.start : last.end], first, last)
            for place, first in enumerate(spans)
            for last in spans[place : place + 4]
            if wanted in comparable_text(text[first.start : last.end])
        ]
        if not runs:
            continue
        whole, first, last = min(runs, key=lambda run: len(run[0]))
        if len(whole) < QUOTE_MIN:
            near = [one for one in spans if one.end <= first.start][-1:] or [first]
            whole = text[near[0].start : last.end]
        listed = any(one.start < last.end and first.start < one.end for one in read_provision(text).members)
        return (whole, not listed) if len(whole) <= QUOTE_MAX else (_around(whole, wanted), False)
    return None


def _around(text: str, wanted: str) -> str:
    """Words of a text around those wanted, as many as may be quoted."""
    words = [match.span() for match in re.finditer(r"\S+", text)]
    last = next(i for i, (_, end) in enumerate(words) if wanted in comparable_text(text[:end]))
    first = next(
        i for i in range(last, -1, -1) if wanted in comparable_text(text[words[i][0] : words[last][1]])
    )
    while True:
        wider = (max(0, first - 1), min(len(words) - 1, last + 1))
        if wider == (first, last) or words[wider[1]][1] - words[wider[0]][0] > QUOTE_MAX:
            return text[words[first][0] : words[last][1]]
        first, last = wider


def _written(case: Case, found: Sequence[tuple[Fact, Quotation]], fault: Fault, prompt: str) -> Written:
    """The text and quotations of an answer with its fault; each fact is a paragraph."""
    if fault is Fault.WORD:
        (fact, quote), *others = found
        found = [(fact, quote._replace(text=_in_other_words(quote.text))), *others]
    written = Written(fault, quotes=[quote for _, quote in found])
    paragraphs = [_paragraph(fact.fact, quote) for fact, quote in found]
    first, (marker, written.wrong, _) = found[0]
    if case.yes_no and first is case.facts[0]:
        paragraphs[0] = f"{case.yes_no.capitalize()}. {paragraphs[0]}"
    if fault is Fault.FIGURE:
        written.wrong = _unheard(prompt)
        paragraphs[-1] += f" Son {written.wrong} en total [{marker}]."
    if fault is Fault.MARKER:
        paragraphs[0] = paragraphs[0].replace(f" [{marker}]", "")
    size = {Fault.LONG: LONG, Fault.TOO_LONG: TOO_LONG}.get(fault, 0)
    while read_length("\n\n".join(paragraphs)) < size:
        paragraphs.append(paragraphs[-len(found)])
    written.answer = "\n\n".join(paragraphs)
    return written


def _paragraph(fact: str, quote: Quotation) -> str:
    """The fact in the words of the case and, in marks, those of the law where they are not cut."""
    words, marker = " ".join(quote.text.split()), quote.marker
    held = f"“{words}”" if set("«»") & set(words) else f"«{words}»"
    told = [f"{fact[:1].upper()}{fact[1:].rstrip('. ')} [{marker}]."] if fact else []
    shown = f"La norma dice: {held}" if quote.whole or not fact else "Lo dice el pasaje que se cita"
    return " ".join([*told, f"{shown} [{marker}]."])


def _in_other_words(quote: str) -> str:
    """The quotation with one word changed for another of the same sense, else with its longest left out."""
    for word, other in _OTHER_WORDS.items():
        changed, count = re.subn(rf"\b{word}\b", other, quote, count=1)
        if count:
            return changed
    longest = max(re.findall(r"[^\W\d_]+", quote), key=len)
    return re.sub(rf"\b{longest}\b ?", "", quote, count=1)


def _unheard(prompt: str) -> str:
    """An amount that stands nowhere in the request."""
    return (
        next(one for n in range(7413, 9999) if (one := f"{n // 1000}.{n % 1000:03}") not in prompt) + " euros"
    )


def _document(
    answer: str, quotes: Sequence[Quotation], *, refusal: bool = False, notes: str | None = None
) -> dict[str, Any]:
    citations = [
        {"quote": quote, "source": "", "page": None, "marker": marker} for marker, quote, _ in quotes
    ]
    confidence = 0.0 if refusal else 0.9
    return {
        "answer": answer,
        "citations": citations,
        "confidence": confidence,
        "refusal": refusal,
        "notes": notes,
    }


def _facts(case: Case) -> Sequence[Fact]:
    """The facts of a case; without any, the words of the right wording."""
    return case.facts or [Fact(fact="", any_of=(words,)) for words in case.must_contain]


def _label(section: str) -> str:
    found = of_heading(section)
    return found.label if found else ""
