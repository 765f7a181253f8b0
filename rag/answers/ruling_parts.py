"""Parts of a ruling or a criterion that answer: its reasons and its operative part, not what it only tells.

The facts, the pleadings and a dissent have the words of a question as well as the doctrine has. They are
quoted when they are asked for.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from law.chunks import Chunk
from law.decisions import CRITERIA, JUDGMENTS
from rag.answers.passage_selection import Found, Passage
from rag.question.understanding import Decided, Understanding
from rag.shared.hits import Hit
from text.textnorm import words

_ORDER = {
    "fundamentos": 0, "criterio": 0, "fallo": 1, "fundamento": 2, "hechos": 3, "antecedentes": 4, "asunto": 4,
    "cabecera": 5, "voto": 6,
}  # fmt: skip
"""Section types of rulings and criteria, those that answer first."""
_ANSWERS, _TELLS = 2, 4
_FACTS = frozenset({"hechos", "antecedentes"})
"""Courts of appeal tell the facts that were proven among what went before."""
_CONCLUDES = re.compile(
    r"doctrina (?:correcta|unificada|de est[ae])|unifica|procede (?:des)?estimar|en consecuencia"
    r"|por (?:todo )?(?:ello|lo expuesto|tanto)|(?:hemos|ha) de (?:concluir|entender|primar)"
    r"|(?:debe|deben|debemos) (?:entender|concluir|declarar|fijar|ser)|concluimos|esta sala",
    re.I,
)
_FORMULA = re.compile(
    r"(?:por todo lo expuesto|por cuanto antecede|vistos los)[^.:]{0,40}en nombre d"
    r"|notif[ií]quese|publ[ií]quese|as[ií] se acuerda|as[ií],? por (?:esta|nuestra)",
    re.I,
)
"""The words with which every operative part begins and ends."""
_ASKS_DECIDED = re.compile(
    r"\bqu[eé] (?:ha |han |se )?"
    r"(?:dij|dicho|decid|resol|resuel|declar|conclu|sent[oó]|fij[oó]|entendi|consider)",
    re.I,
)
"""Asks for what a court held, which the facts of the case do not tell."""
_ASKS_ALL = frozenset(
    words(
        "qué dice dijo decía decide decidió resuelve resolvió declara declaró establece establecido sienta"
        " sentó fija fijó fallo falla doctrina resumen resume resúmame resumir resúmeme sentencia criterio"
        " consulta fundamentos ratio decidendi contenido sobre trata va la el los las lo de del en un una y"
        " a por favor me dame dígame voto particular discrepante magistrado magistrada quién firma sostiene"
        " explica explique explícame cuál cuáles es son final al"
    )
)


def is_decision(chunk: Chunk) -> bool:
    """True for a chunk of a ruling or a criterion."""
    return chunk.collection in (JUDGMENTS, CRITERIA)


def asks_decisions(read: Understanding) -> bool:
    """True if a question asks for rulings or criteria."""
    asked = {*read.filters.preferred, *read.filters.collections, *read.pointed.where}
    return not asked.isdisjoint((JUDGMENTS, CRITERIA))


def asks_all(rest: str, asked: Collection[str] = ()) -> bool:
    """True if a question asks for what a decision says, and for nothing of it in particular.

    Args:
        rest: the question without the words that name the decision.
        asked: section types that the question asks for; beside them a word may be misspelled.
    """
    return len(set(words(rest)) - _ASKS_ALL) <= bool(asked)


def facts_answer(decided: Decided) -> bool:
    """True if the facts of the decision that a question names may answer what it asks."""
    return bool(decided.rest) and not _ASKS_DECIDED.search(decided.rest)


def in_their_order(hits: Sequence[Hit], decided: Decided) -> list[Hit]:
    """The hits, those of one decision changing places so that the parts that answer come first.

    A hit takes the scores of its place: it is the best part of a decision found as well as that. Of a
    decision that the question names only the parts that it asks for come first.
    """
    if decided.rest:
        return sorted(
            hits, key=lambda hit: not is_decision(hit.chunk) or _place(hit.chunk, decided.parts) >= 0
        )
    own: defaultdict[str, list[Hit]] = defaultdict(list)
    for hit in hits:
        if is_decision(hit.chunk):
            own[hit.chunk.norm_id].append(hit)
    turns = {
        norm: iter(sorted(group, key=lambda hit: _place(hit.chunk, decided.parts)))
        for norm, group in own.items()
    }
    return [
        next(turns[hit.chunk.norm_id]).model_copy(update={"rerank": hit.rerank, "score": hit.score})
        if is_decision(hit.chunk)
        else hit
        for hit in hits
    ]


def _place(chunk: Chunk, asked: Collection[str]) -> int:
    wanted = {*asked, *(_FACTS if "hechos" in asked else ())}
    return -1 if chunk.section_type in wanted else _ORDER.get(chunk.section_type, _ANSWERS)


def of_their_parts(found: Sequence[Found], asked: Collection[str], named: bool) -> list[Found]:
    """The stretches without the parts of decisions that do not answer, unless a decision has no others.

    Args:
        asked: section types that the question asks for.
        named: the question names the decision, and its facts may answer.
    """
    last = _TELLS if named else _ANSWERS
    best: dict[str, int] = {}
    for one in found:
        if is_decision(one.hit.chunk):
            norm, place = one.hit.chunk.norm_id, _place(one.hit.chunk, asked)
            best[norm] = min(best.get(norm, place), place)

    def answers(chunk: Chunk) -> bool:
        first, place = best[chunk.norm_id], _place(chunk, asked)
        # A criterion without headings is all head.
        headless = chunk.collection == CRITERIA and chunk.section_type == "cabecera" and first > 0
        return headless or place <= (-1 if first < 0 else max(last, first))

    return [one for one in found if not is_decision(one.hit.chunk) or answers(one.hit.chunk)]


def conclusions(found: Iterable[Found], asked: Collection[str], most: int) -> list[Passage]:
    """A decision in short: its operative part, and the sentences that conclude its reasons; or few reasons.

    Args:
        asked: section types that the question asks for; a dissent is told from its beginning.
    """
    found = [one for one in found if not _FORMULA.match(one.piece.text)]
    of_part = [one.passage(1.0) for one in found if one.hit.chunk.section_type in asked]
    if "voto" in asked or "fallo" in asked:
        return of_part[:most]
    operative = [one.passage(1.0) for one in found if one.hit.chunk.section_type in ("fallo", "criterio")]
    reasons = [one for one in found if one.hit.chunk.section_type == "fundamentos"]
    concluding = [one.passage(1.0) for one in reasons if _CONCLUDES.search(one.piece.text)]
    if len(reasons) <= most // 2:
        concluding = [one.passage(1.0) for one in reversed(reasons)]
    first = operative[: most - min(len(concluding), most // 2)]
    return [*first, *concluding[::-1][: most - len(first)]]
