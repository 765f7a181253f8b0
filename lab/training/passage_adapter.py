"""Learn `index/passage_adapter.npz`: `python -m lab passage-adapter`.

A query adapter, as `lab adapter` learns it, toward the passages that answer instead of the texts that hold
them. Needs a home with the real norms and the vectors of their passages (ARTICULADO_HOME). Its questions are
those that teach `lab adapter` and whose stretches are labelled; of others every passage of the article is
right, if it has at most WHOLE. All of what is learned is kept.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

import numpy as np

from index.query_adapter import OF_PASSAGES, save_adapter
from lab.training.adapter import PASSAGES, Material, adapter, embedded, in_force
from lab.training.questions import ANSWERS, Asked, Part, people, provisions, shares_half
from law.chunks import Chunk
from rag.answers.passage_selection import Passage
from rag.answers.quotable import quotable
from service.config import settings
from service.program import assembly
from text.segmentation import is_row

WHOLE = 40
LOOKED_UP = 2_000


class Spoken(NamedTuple):
    """A passage of the law: the words whose meaning is compared, and where they stand."""

    norm: str
    block: str
    start: int
    end: int
    meant: str


def spoken(chunks: Sequence[Chunk]) -> Iterator[Spoken]:
    """The passages of chunks that are no rows of tables."""
    for chunk in chunks:
        for one in quotable(chunk):
            start = chunk.start + one.start
            meant = Passage(0, one.start, one.text, lead=one.lead).meant
            if not is_row(one.text):
                yield Spoken(chunk.norm_id, chunk.block_id, start, start + len(one.text), meant)


def labelled(one: Asked, passages: Sequence[Spoken], places: Sequence[int]) -> tuple[list[int], list[int]]:
    """Places of the passages that answer a question, and of those that only complete the answer."""
    grades: dict[int, int] = {}
    for place in places:
        passage = passages[place]
        for label in one.stretches:
            own = (label["norm"], label["block"]) == (passage.norm, passage.block)
            if own and shares_half(label, passage.start, passage.end):
                grades[place] = max(grades.get(place, 0), int(label["grade"]))
    right = [place for place, grade in grades.items() if grade == ANSWERS]
    helps = [place for place, grade in grades.items() if grade < ANSWERS]
    return (right, helps) if right else (helps, [])


def main() -> None:
    with closing(assembly.build(settings())) as program:
        model = program.models.fingerprint.embedding
        every = list(spoken(in_force(program)))
        texts = list(dict.fromkeys(one.meant for one in every))
        known = dict[str, Sequence[float]]()
        if stored := program.services.passages:
            for start in range(0, len(texts), LOOKED_UP):
                known |= stored.get(model, texts[start : start + LOOKED_UP])
        passages = [one for one in every if one.meant in known]
        places = defaultdict(list)
        for place, one in enumerate(passages):
            places[one.norm, one.block].append(place)
        asked, right, aside = [], [], []
        for question in [*people(Part.ADAPTER), *provisions(Part.ADAPTER)]:
            own = [place for key in dict.fromkeys(question.right) for place in places[key]]
            if question.stretches:
                own = [place for key in _blocks(question) for place in places[key]]
            best, helps = labelled(question, passages, own) if question.stretches else (own, [])
            if best and (question.stretches or len(best) <= WHOLE):
                asked.append(question)
                right.append(best)
                aside.append(helps)
        vectors = asyncio.run(embedded(program, [one.question for one in asked]))
    of = Material(
        vectors,
        np.array([known[one.meant] for one in passages], dtype=np.float32),
        right,
        aside,
        np.array([(one.stretches[0]["norm"] if one.stretches else one.right[0][0]) for one in asked]),
        np.array([one.norm for one in passages]),
    )
    save_adapter(adapter(model, of, PASSAGES), OF_PASSAGES)
    print(f"{OF_PASSAGES.name}: {len(asked)} questions, {len(passages)} passages")


def _blocks(question: Asked) -> list[tuple[str, str]]:
    return list(dict.fromkeys((one["norm"], one["block"]) for one in question.stretches))
