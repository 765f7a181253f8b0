"""Sufficiency of the context without a model: several signals, one calibrated decision.

A cosine alone refuses badly. Better signals are the share of the question that the best hits cover, weighted
by rarity of its words, and the matter of those words. A question that is plainly of another matter, or that
asks for a norm or a territory outside the corpus, is refused with its reason even if there are hits. The
weights are a logistic regression on our own questions that no rule settles:
`python -m lab sufficiency` prints it with its leave-one-out error, and the bias puts the chosen cut at 0.5.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

from law.norms import SUMMARISES
from lexicon.everyday_words import norms_asked
from rag.answers import passage_selection
from rag.answers.after_the_law import binds_others
from rag.answers.refusal import (
    ABSENT,
    BETTER,
    ELSEWHERE,
    NO_DISSENT,
    NOT_LEGAL,
    NOT_SUMMARISED,
    OURS,
    OUT_OF_SCOPE,
    OUTSIDE,
    UNLOADED,
)
from rag.answers.ruling_parts import is_decision
from rag.question.understanding import Unloaded
from rag.ranking.chunk_words import stemmed, words_of
from rag.retrieval.question_vectors import RAREST, rarities
from rag.shared.cited_answer import Verdict
from rag.shared.hits import Hit
from rag.shared.notices import Kind, Notice
from rag.shared.state import Services, State
from text.textnorm import stems

TOP, SEEN = 3, 8
# A stem that the questions of fewer shipped norms use is novel, or uncommon; a long question has LONG stems.
NOVEL, UNCOMMON, LONG = 2, 6, 20
REFUSE_BELOW = 0.5
PARTIAL_BELOW = 0.6
# Learned on ten choices of 1 to 34 of the 49 shipped norms: refused are 61 in 100 of the questions whose norm
# is missing (by the other signals alone 9) and 3 of those whose norm is loaded.
EVIDENCE, SURELY = 0.002, -0.006
EXACT = 0.9
WHOLE = 0.99

# For any embedding model and for none; and for a known one, whose cosines have a scale of their own. Learned
# over documents with search aids and without; the bias puts the chosen cut, which refuses 4 in 100 answerable
# questions of those learned from, at REFUSE_BELOW.
WEIGHTS = {
    "coverage": 1.7,
    "aided": 2.0,
    "known": -0.74,
    "synonyms": 0.34,
    "own": 1.19,
    "other": -2.96,
    "novel": -6.0,
    "uncommon": 1.13,
    "gathered": 2.26,
    "length": 2.32,
    "bias": -0.62,
}
CALIBRATED = {
    "multilingual-e5-small-q4/windows-1": {
        "coverage": 0.62,
        "aided": 1.04,
        "known": -0.4,
        "synonyms": 0.08,
        "own": 0.58,
        "other": -3.29,
        "novel": -5.27,
        "uncommon": 0.88,
        "gathered": 2.22,
        "length": 1.08,
        "nearest": 25.62,
        "adapted": 16.43,
        "question": 50.83,
        "bias": -34.45,
    }
}
# Where `rag.answers.answerable` says something of the question: it needs fewer signals beside it.
ANSWERABLE = {
    "multilingual-e5-small-q4/windows-1": {
        "coverage": 3.67,
        "aided": 3.23,
        "synonyms": 0.2,
        "other": -0.4,
        "novel": -0.24,
        "length": 5.28,
        "question": 49.79,
        "answerable": 1.0,
        "bias": -4.2,
    }
}

# One strong word of another matter and none of ours gives 2/3; a strong and a weak one 3/4.
PLAIN = 0.65
_GENERIC = frozenset(
    stems(
        "cuánto cuántos cuántas cuándo cómo dónde quién quiénes cuál cuáles qué puedo puede pueden poder "
        "tengo tiene tener hay hacer hago debo debe según ley legal legalmente derecho corresponde "
        "corresponden caso pasa necesito quiero dice artículo persona"
    )
)


@dataclass(frozen=True)
class Judgement:
    """The decision and the signals it came from.

    Attributes:
        reasons: Spanish reasons of a refusal; empty otherwise.
        outside: reasons of the question alone, independent of the hits.
        notices: of an answer that is given all the same.
    """

    verdict: Verdict
    confidence: float
    signals: tuple[tuple[str, float], ...]
    reasons: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


def judge_context(state: State, services: Services) -> Judgement:
    """Decide from the share of the question covered by hits and corpus, its matter and its synonyms.

    Of a question that names a day or a reform, or whose every word the law of the hits says, everyday ones in
    its own way, the odds of its meaning only speak for it: hardly any question that they were learned from is
    like that. The confidence is at most the share of the question that the best
    hits cover (mean of the coverage with and without search aids), unless the question names its article:
    then it may reach EXACT.
    """
    hits = [hit for hit in state.hits if hit.origin != "reference" and hit.day is None]
    own = subject(state)
    rarity = rarities(content(own), state.as_of, services)
    values = (
        signals(own, hits, rarity, services)
        | novelty_signals(rarity, state.ranked[:SEEN])
        | matter_signals(state)
        | meaning_signals(state.candidates)
    )
    name = services.embedder.name if services.embedder and values["nearest"] else ""
    probability = passage_selection.probability(values, CALIBRATED.get(name, WEIGHTS))
    if name in ANSWERABLE and state.answerable is not None:
        # Learned on the law: a text that binds others must not make its questions look further away.
        law = [hit for hit in state.candidates if not binds_others(hit.chunk, state.understanding)]
        values |= {"answerable": state.answerable, "question": meaning_signals(law)["question"]}
        by_meaning = passage_selection.probability(values, ANSWERABLE[name])
        alone = own == state.queries[0].text and not (values["synonyms"] and values["coverage"] > WHOLE)
        probability = by_meaning if alone else max(probability, by_meaning)
    floor = EXACT if any(hit.origin == "exact" for hit in hits) else 0.0
    probability = max(probability, floor, PARTIAL_BELOW if _of_a_document(state) else 0.0)
    verdict = Verdict.SUFFICIENT if probability >= PARTIAL_BELOW else Verdict.PARTIAL
    outside: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    unloaded = None if floor or _of_a_document(state) else state.unloaded
    surely = unloaded is not None and _surely(unloaded, probability)
    told = _told(unloaded, surely=surely)
    if not floor:
        outside = refusals(state)
        if outside and probability >= PARTIAL_BELOW and _is_ruled(hits) and not _misses_decision(state):
            beside, outside, verdict = outside, (), Verdict.PARTIAL
        outside = outside or absent(state, services) or (told if surely else ())
    reasons = outside
    if reasons:
        verdict, probability = Verdict.INSUFFICIENT, min(probability, REFUSE_BELOW / 2)
    elif probability < REFUSE_BELOW:
        verdict, reasons = Verdict.INSUFFICIENT, (_unanswered(state), *told)
    elif unloaded and not beside:
        verdict, probability, beside = Verdict.PARTIAL, REFUSE_BELOW, told
    margin = (("norma no cargada", unloaded.margin),) if unloaded else ()
    shown = (*values.items(), *margin, ("probabilidad", probability))
    spoken = values["coverage"] + values["aided"] / 2
    confidence = round(min(probability, max(spoken, floor)), 4)
    notices = tuple(Notice(Kind.LAW, one) for one in beside)
    return Judgement(verdict, confidence, shown, reasons, outside, notices)


def subject(state: State) -> str:
    """The first query without the words that only name its time: they are no matter of any norm.

    The name of a reform that nobody knows stays: it may be of another world.
    """
    text = state.queries[0].text
    time = state.understanding.time
    if time is None or (time.kind == "reforms" and not time.laws):
        return text
    return " ".join(text.replace(time.text, " ").split())


def _surely(unloaded: Unloaded, probability: float) -> bool:
    """True if the missing norm is so much nearer that what was found, however good, does not answer."""
    found = EVIDENCE * log(probability / (1 - probability)) if 0 < probability < 1 else EVIDENCE
    return unloaded.margin + found < SURELY


def _told(unloaded: Unloaded | None, *, surely: bool) -> tuple[str, ...]:
    if unloaded is None:
        return ()
    return ((UNLOADED if surely else BETTER).format(law=unloaded.law, id=unloaded.norm_id),)


def refusals(state: State) -> tuple[str, ...]:
    """Spanish reasons, from the question alone, why the corpus cannot answer; empty if none apply."""
    read = state.understanding
    said = [item.said or OUTSIDE.format(what=item.what, where=item.where) for item in read.missing]
    matter = read.matter
    if read.agreements.about:
        return tuple(said)
    if not said and matter.branch == "not_legal" and matter.score >= PLAIN:
        said = [NOT_LEGAL.format(label=matter.label)]
    elif not said and matter.branch == "other_branch" and matter.score >= PLAIN:
        said = [ELSEWHERE.format(label=matter.label, where=matter.where)]
    return tuple(said)


def _unanswered(state: State) -> str:
    """The Spanish reason when nothing that was found seems to answer."""
    matter = state.understanding.matter
    ours = matter.branch == "own" and matter.score >= PLAIN
    return OURS.format(label=matter.label) if ours else OUT_OF_SCOPE


def _misses_decision(state: State) -> bool:
    """True if the question names a ruling or a criterion that is not held: no other one answers for it."""
    return bool(state.understanding.decided.missing)


def _is_ruled(hits: Sequence[Hit]) -> bool:
    """True if the two best hits are of one ruling or criterion: it answers what no loaded norm does."""
    first = [hit.chunk for hit in hits[:2]]
    return len({chunk.norm_id for chunk in first}) == 1 and all(map(is_decision, first))


def _of_a_document(state: State) -> bool:
    """True if the question points to a document of the corpus or names an agreement of it."""
    read = state.understanding
    return bool(any(read.pointed.where.values()) or read.agreements.named)


def absent(state: State, services: Services) -> tuple[str, ...]:
    """The Spanish reasons when articles that the question names are not in the loaded norms; empty if none.

    Of a norm that is only summarised nobody knows here whether it has the article.
    """
    named = services.holdings().references(state.queries[0].text)
    loaded = services.holdings().by_id
    lost: list[str] = []
    summarised: dict[str, list[str]] = {}
    for reference in named:
        norm = loaded.get(reference.norm_id or "")
        if norm and reference.label and not services.store.find(norm.id, reference.label, state.as_of):
            of_summary = not norm.official and SUMMARISES in norm.extra
            (summarised.setdefault(norm.law, []) if of_summary else lost).append(f"«{reference.text}»")
    reasons = [ABSENT.format(what=", ".join(lost), day=state.as_of)] if lost else []
    reasons += no_dissent(state)
    reasons += [NOT_SUMMARISED.format(law=law, what=", ".join(what)) for law, what in summarised.items()]
    return tuple(reasons)


def no_dissent(state: State) -> list[str]:
    """The Spanish reason when a dissent is asked of a ruling that has none; empty if it has, or may have."""
    read = state.understanding
    if "voto" not in read.decided.parts or not read.pointed.sure:
        return []
    parts = {hit.chunk.section_type for hit in state.ranked}
    told = "fundamentos" in parts and "voto" not in parts
    return [NO_DISSENT.format(which=", ".join(read.pointed.conditions))] if told else []


def matter_signals(state: State) -> dict[str, float]:
    """`own` and `other`: certainty, 0 to 1, that the question is of one of our matters, or of another."""
    matter = state.understanding.matter
    return {
        "own": matter.score if matter.branch == "own" else 0.0,
        "other": matter.score if matter.branch in ("other_branch", "not_legal") else 0.0,
    }


def meaning_signals(candidates: Sequence[Hit]) -> dict[str, float]:
    """The features of the decision that vectors give; both are 0 without them.

    nearest: best cosine with a text; adapted: the same with the question moved toward the texts that answer
    it; question: by how much the best one with a question that a candidate answers is better than the
    nearest. A candidate without questions takes nothing away.
    """
    nearest = max((hit.dense or 0.0 for hit in candidates), default=0.0)
    question = max((hit.question or 0.0 for hit in candidates), default=0.0)
    adapted = max((hit.adapted or 0.0 for hit in candidates), default=0.0)
    return {"nearest": nearest, "adapted": adapted, "question": max(0.0, question - nearest)}


def novelty_signals(rarity: dict[str, float], hits: Sequence[Hit]) -> dict[str, float]:
    """The features of the decision that tell a question of another world, or of no provision, each 0 to 1.

    novel, uncommon: shares of the question's words, by rarity, that the questions of fewer than NOVEL and
    UNCOMMON shipped norms use and the law's words of the hits do not hold; gathered: share of the hits in one
    norm; length: stems of the question.
    """
    held = frozenset().union(*map(_of_law, hits))
    total = sum(rarity.values()) or 1.0
    unheld = {stem: v / total for stem, v in rarity.items() if stem not in held and not stem.isdigit()}
    norms = Counter(hit.chunk.norm_id for hit in hits)
    return {
        "novel": sum(value for stem, value in unheld.items() if norms_asked(stem) < NOVEL),
        "uncommon": sum(value for stem, value in unheld.items() if norms_asked(stem) < UNCOMMON),
        "gathered": max(norms.values(), default=0) / (len(hits) or 1),
        "length": min(len(rarity), LONG) / LONG,
    }


def signals(
    question: str, hits: Sequence[Hit], rarity: dict[str, float], services: Services
) -> dict[str, float]:
    """The features of the decision, each about 0 to 1.

    coverage: share of the question's stems, by rarity, that the law's words of the best hits hold, an
    everyday word also as the law says it; aided: what only their search aids hold; known: what the law of the
    corpus holds at all; synonyms: 1 when an everyday word of the question is one of ours.
    """
    law = frozenset().union(*map(_of_law, hits[:TOP]))
    law |= _meant(question, law, services)
    coverage = _held(rarity, [law])
    spoken = [law, *(words_of(hit.chunk).asked for hit in hits[:TOP])]
    total = sum(rarity.values())
    known = sum(value for value in rarity.values() if value < RAREST)
    return {
        "coverage": coverage,
        "aided": _held(rarity, spoken) - coverage,
        "known": known / total if total else 0.0,
        "synonyms": float(bool(services.synonyms.fired(question))),
    }


def _meant(question: str, law: frozenset[str], services: Services) -> frozenset[str]:
    """Stems of the everyday words of a question of which the law's words hold a term whole."""
    said = services.synonyms
    return frozenset(
        stem
        for key in said.fired(question)
        if any(law.issuperset(stems(term)) for term in said.terms(key))
        for stem in stems(key)
    )


def _of_law(hit: Hit) -> frozenset[str]:
    """Stems of the law's own words: its name, the heading and the text."""
    chunk = hit.chunk
    return stemmed(chunk.law) | stemmed(chunk.section) | words_of(chunk).text


def _held(rarity: dict[str, float], texts: Iterable[frozenset[str]]) -> float:
    """Share of the stems, weighted by rarity, that occur in any of the texts; 0.0 without stems."""
    spoken = frozenset().union(*texts)
    total = sum(rarity.values())
    return sum(value for stem, value in rarity.items() if stem in spoken) / total if total else 0.0


def content(question: str) -> list[str]:
    """Distinct stems of the question's subject, in order; empty for «¿Y si no me las dan?»."""
    return [stem for stem in dict.fromkeys(stems(question)) if stem not in _GENERIC]
