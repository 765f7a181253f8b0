"""Each sentence of a model's answer held against what it cites, by rules and, if switched on, by a reader.

A disagreement is told beside the sentence. Sentences without a source of their own are held against those of
their line, paragraph or answer; a quotation has been checked letter by letter and is left out.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rag.answers.citations import keep_markers, markers
from rag.answers.claims import TOLD, doubts
from rag.answers.contract import extract_array
from rag.answers.quoted import MIN_WORDS
from rag.law import references
from rag.law.norm_names import NormCatalogue
from rag.ports import ChatMessage, ChatModel
from rag.running.fallback import ask, cut
from rag.state import Services, State
from rag.text.figures import digits
from rag.text.segmentation import sentences
from rag.trace import ModelCall
from rag.types import DOCUMENT, Chunk, Citation, Reference

ARTICLE = "lo que se cita es {there}, y la frase nombra {said}"
READ = "según un segundo lector, {reason}"
NOT_READ = "El segundo lector no ha juzgado las frases ({reason})."
MAX_REASON = 200
MIN_LETTERS, FEWEST_LETTERS = 20, 6
"""Letters of a sentence that is held, and of one with a number or a negation."""
JUDGEMENTS = {"en parte": "solo consta en parte", "no": "no consta en lo que se cita"}

_QUOTED = re.compile(r"«[^«»]*»|“[^“”]*”|\"[^\"\n]*\"")
_PARAGRAPHS = re.compile(r"(?<=\n)(?=[ \t]*\n)")
_YES_OR_NO = re.compile(
    r"(?P<yes>s[íi]|claro|por supuesto|desde luego|as[íi] es|efectivamente)\b"
    r"|(?:no|nunca|jam[áa]s|en absoluto|para nada|de ning[úu]n modo|en modo alguno)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(r"¿(?P<asked>[^¿?]+)\?\W*$")
_OPEN = re.compile(
    r"no\b|(?:\w+ ){0,2}(?:qu[ée]|qui[ée]n|cu[áa]\w+|c[óo]mo|d[óo]nde|por ?qu[ée])\b"
    r"|.* o (?:no|si|se|es|son|me|la|el|l[oa]s)\b",
    re.IGNORECASE,
)
"""A question that a yes or a no does not answer."""
_SHORT = re.compile(r"\d|\b(?:no|nunca|sin|tampoco)\b", re.IGNORECASE)
_RULES = re.compile(
    r"\W*(?:El|La) (?:art|disposici)\S*.{0,80}?\b(?:fija|establece|dispone|prev[ée]|regula|exige"
    r"|permite|reconoce|señala|da|obliga"
    r"|prohíbe|impone|concede|otorga|garantiza|limita|ordena|determina)\b"
)
_NORM_RULES = re.compile(
    r"\W*(?:El|La) (?:ley|real decreto|estatuto|constituci)\S*.{0,120}?\b(?:fija|establece|dispone|prev[ée]"
    r"|regula|exige|permite|reconoce|señala|califica|define|considera|obliga|proh[íi]be|impone|concede"
    r"|garantiza|limita)\b",
    re.IGNORECASE,
)
_FOLLOWING = re.compile(r"(?:\s?\[C\d+\])+[.,;:]?")


@dataclass(frozen=True)
class Sentence:
    """A sentence of the answer: where it ends, with the markers after it, and the chunks that it cites.

    A bare one has no marker in its paragraph, and is held against all that the answer cites.

    Attributes:
        quotes: what the answer quotes of those chunks.
    """

    text: str
    end: int
    cited: tuple[Chunk, ...]
    quotes: tuple[str, ...] = ()
    bare: bool = False


@dataclass
class Held:
    """The answer with what is told beside its sentences.

    Attributes:
        reasons: (sentence, Spanish reasons) of those in doubt.
        fallback: why the reader did not judge, in Spanish; empty if it did or was not asked.
    """

    text: str
    reasons: list[tuple[str, str]] = field(default_factory=list)
    calls: tuple[ModelCall, ...] = ()
    fallback: str = ""


async def hold(answer: str, state: State, services: Services, citations: Sequence[Citation] = ()) -> Held:
    """Hold the sentences of an answer, with its checked quotations, whose context the state has."""
    found = list(_sentences(answer, state, citations))
    reasons = await asyncio.to_thread(lambda: [_by_rules(one, state, services) for one in found])
    held = Held(answer)
    if services.profile.verify_claims and services.reader is not None and found:
        judged, held.calls, held.fallback = await _by_reader(services.reader, found, state, services)
        reasons = [[*one, *judged.get(number, ())] for number, one in enumerate(reasons)]
    for one, said in reversed(list(zip(found, reasons, strict=True))):
        if said:
            told = "; ".join(dict.fromkeys(said))
            held.reasons.insert(0, (one.text, told))
            held.text = held.text[: one.end] + TOLD.format(reasons=told) + held.text[one.end :]
    return held


def _sentences(answer: str, state: State, citations: Sequence[Citation]) -> Iterator[Sentence]:
    """The sentences of an answer, with what they, their line, their paragraph or the answer cite."""
    marked = state.context.marked
    everywhere = markers(answer)
    position = 0
    asked = _yes_or_no(state.question)
    for paragraph in _PARAGRAPHS.split(answer):
        around = markers(paragraph)
        for line in paragraph.splitlines(keepends=True):
            inherited, end = markers(line) or around, 0
            for span in sentences(line):
                # Markers after the full stop belong to the sentence before it.
                start = max(span.start, end)
                after = _FOLLOWING.match(line, span.end)
                end = max(end, after.end() if after else span.end)
                own = markers(line[start:end]) or inherited
                said = keep_markers(_QUOTED.sub(_unquoted, line[start:end]), ()).strip()
                said, asked = _answered(asked, said), said if said.endswith("?") else ""
                cited = tuple(marked[marker].chunk for marker in own or everywhere if marker in marked)
                if cited and _says_something(said):
                    inside = end - line[:end].endswith("|")
                    quotes = tuple(one.quote for one in citations if one.marker in own)
                    yield Sentence(said, position + inside, cited, quotes, bare=not own)
            position += len(line)


def _unquoted(match: re.Match[str]) -> str:
    """The words of a short quotation, which are part of the sentence; nothing of a longer one."""
    return match[0][1:-1] if len(match[0].split()) < MIN_WORDS else " "


def _yes_or_no(question: str) -> str:
    """The person's question, if it is one alone and a yes or a no answers it; '' if not."""
    found = _ASKED.search(question)
    alone = found is not None and question.count("?") == 1 and not _OPEN.match(found["asked"].strip())
    return f"{found['asked'].strip()}?" if found and alone else ""


def _answered(question: str, said: str) -> str:
    """«No, en absoluto» as what it says of the question before it; another sentence as it is."""
    yes_or_no = _YES_OR_NO.match(said)
    if not (question and yes_or_no and sum(map(str.isalpha, said)) < MIN_LETTERS):
        return said
    denied = "" if yes_or_no["yes"] else "no "
    return f"{denied}{question.strip('¿? ')}"


def _says_something(said: str) -> bool:
    letters = sum(map(str.isalpha, said))
    return letters >= MIN_LETTERS or (letters >= FEWEST_LETTERS and bool(_SHORT.search(digits(said))))


def _by_rules(one: Sentence, state: State, services: Services) -> list[str]:
    articles = {chunk.article for chunk in one.cited}
    texts = [hit.chunk.text for hit in state.context.hits if hit.chunk.article in articles]
    given = [state.question, state.background, *(turn.text for turn in state.history if turn.role == "user")]
    return [
        *doubts(one.text, texts, given, one.quotes),
        *(() if one.bare else _misnamed(one, texts, services)),
    ]


def _misnamed(one: Sentence, texts: Sequence[str], services: Services) -> Iterator[str]:
    """An article that the sentence names and that is neither cited nor named by what is."""
    catalogue = services.catalogue()
    found = references.resolve(references.find(one.text), catalogue)
    named = [ref for ref in found if ref.label]
    labels = {chunk.label for chunk in one.cited}
    norms = {chunk.norm_id for chunk in one.cited if chunk.collection != DOCUMENT}
    mentioned = {label for text in texts for label in _labels(text)}
    said = [ref for ref in named if not norms or ref.norm_id in norms or ref.norm_id is None]
    wrong = [ref for ref in said if ref.label not in labels and ref.label not in mentioned]
    if len(wrong) < len(said) or not wrong:
        wrong = _as_rule(one.text, said, labels) or _of_another(found, one, texts, catalogue)
    if wrong:
        shown = " y ".join(chunk.name for chunk in {chunk.article: chunk for chunk in one.cited}.values())
        yield ARTICLE.format(there=shown, said=", ".join(dict.fromkeys(f"«{ref.text}»" for ref in wrong)))


def _as_rule(sentence: str, said: Sequence[Reference], labels: set[str]) -> list[Reference]:
    """The article that a sentence says to rule it («El artículo 52 fija…»), if another one is cited."""
    first = said[:1] if _RULES.match(sentence) else []
    return [ref for ref in first if ref.label not in labels]


def _of_another(
    named: Sequence[Reference], one: Sentence, texts: Sequence[str], catalogue: NormCatalogue
) -> list[Reference]:
    """References to a norm that is neither cited nor named by what is.

    With the number of a cited article, or as what rules by the sentence («La Ley 3/2023 fija…»).
    """
    norms = {chunk.norm_id for chunk in one.cited}
    labels = {chunk.label for chunk in one.cited}
    rules = bool(_NORM_RULES.match(one.text))
    there = [
        ref
        for place, ref in enumerate(named)
        if ref.norm_id and ref.norm_id not in norms
        if ref.label in labels or (rules and place == 0 and not ref.label)
    ]
    if not there:
        return []
    known = {ref.norm_id for text in texts for ref in references.resolve(references.find(text), catalogue)}
    return [ref for ref in there if ref.norm_id not in known]


@lru_cache(maxsize=256)
def _labels(text: str) -> frozenset[str]:
    """Labels of the articles that a text of the law names."""
    return frozenset(item.label for mention in references.find(text) for item in mention.items)


async def _by_reader(
    model: ChatModel, found: Sequence[Sentence], state: State, services: Services
) -> tuple[dict[int, list[str]], tuple[ModelCall, ...], str]:
    """(reasons by number of the sentence, the call, why there is no judgement or '')."""
    chunks = list({chunk.id: chunk for one in found for chunk in one.cited}.values())
    places = {chunk.id: number for number, chunk in enumerate(chunks, start=1)}
    listed = [f"[F{number}] {chunk.name}\n{chunk.text}" for number, chunk in enumerate(chunks, start=1)]
    asked = [
        f"[{number}] ({', '.join(f'F{places[chunk.id]}' for chunk in one.cited)}) {one.text}"
        for number, one in enumerate(found, start=1)
    ]
    content = "FRAGMENTOS\n" + "\n\n".join(listed) + "\n\nFRASES\n" + "\n".join(asked)
    messages = [
        ChatMessage(role="system", content=services.prompts.render("verify_claims")),
        ChatMessage(role="user", content=content),
    ]
    done, call = await ask(model, messages, state.seconds_left(services.profile.verify_seconds))
    if done is None:
        return {}, (call,), NOT_READ.format(reason=call.error)
    judged = parse_judgements(done.output, len(found))
    if judged is None:
        return {}, (call,), NOT_READ.format(reason="su respuesta no seguía el formato")
    return judged, (call,), ""


def parse_judgements(output: str, count: int) -> dict[int, list[str]] | None:
    """Reasons by number, from 0, of the sentences not wholly supported; None without any judgement."""
    items = [item for item in extract_array(output) or [] if isinstance(item, dict)]
    read = [item for item in items if isinstance(item.get("frase"), int) and 1 <= item["frase"] <= count]
    if not read:
        return None
    found: dict[int, list[str]] = {}
    for item in read:
        if verdict := JUDGEMENTS.get(str(item.get("juicio", "")).strip().lower()):
            reason = cut(str(item.get("motivo") or verdict), MAX_REASON).rstrip(".")
            found.setdefault(item["frase"] - 1, []).append(READ.format(reason=reason))
    return found
