"""Words of questions that no norm says: `python -m scripts.unsaid_words [KEY=TERM,TERM ...]`.

Prints the words that the training questions use most and whose stem stands in hardly any text of the law nor
in a key of `lexicon/synonyms.toml`, each with its forms and a question. With keys and their terms it
prints what each would change: the mean reciprocal rank of the first right article over the training
questions that say it, by words alone, with all search aids and without any, with the key and without it.
Needs a home with the real norms (ARTICULADO_HOME).
"""

import argparse
import asyncio
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

from core.clock import today_in_spain
from lexicon.synonyms import FILE, Synonyms
from rag.evaluation.metrics import reciprocal_rank
from rag.shared.hits import SubQuery
from rag.shared.state import EVERY_NORM, Services, State
from rag.stages import rerank
from rag.stages.search import search
from scripts.training import entries
from service.config import settings
from service.program import assembly
from text.textnorm import stems, words

TRAINING = ("broad", "asked", "questions", "answerability")
LEAST_LETTERS, RARE, SHOWN, TRIED = 4, 1, 200, 12

Labelled = tuple[str, frozenset[tuple[str, str]]]


def labelled() -> list[Labelled]:
    """The training questions with the (norm, block) of each provision that answers them."""
    found = (
        (case["question"], frozenset((one["norm"], one.get("block", "")) for one in case["relevant"]))
        for name in TRAINING
        for case in entries(name)
    )
    return [(question, right) for question, right in found if right]


def unsaid(questions: Sequence[Labelled], program: assembly.App) -> Iterator[str]:
    """Lines of the words that no text of the law has, the most frequent first."""
    law: Counter[str] = Counter()
    for norm in program.database.corpus.norms():
        for chunk in program.database.corpus.norm_chunks(norm.id):
            law.update(set(stems(f"{chunk.law} {chunk.section} {chunk.text}")))
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    example: dict[str, str] = {}
    for question, _ in questions:
        known = {word for key in program.services.synonyms.fired(question) for word in words(key)}
        for word in set(words(question)) - known:
            if len(word) >= LEAST_LETTERS and word.isalpha():
                for stem in stems(word):
                    if law[stem] <= RARE:
                        forms[stem][word] += 1
                        example.setdefault(stem, question)
    for stem in sorted(forms, key=lambda one: (-forms[one].total(), one))[:SHOWN]:
        said = ", ".join(word for word, _ in forms[stem].most_common(4))
        yield f"{forms[stem].total():>5}  {said}: {example[stem]}"


def changes(
    keys: Mapping[str, Sequence[str]], questions: Sequence[Labelled], services: Services
) -> Iterator[str]:
    """A line for each key: its questions, and the mean reciprocal rank without it and with it."""
    for key, terms in keys.items():
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, FILE.name)
            entry = f"\n[tried]\n{json.dumps(key)} = {json.dumps(list(terms), ensure_ascii=False)}\n"
            file.write_text(FILE.read_text("utf-8") + entry, "utf-8")
            tried = Synonyms(file)
        some = list(islice((one for one in questions if key in tried.fired(one[0])), TRIED))
        for aids, without in (("all", frozenset[str]()), ("none", EVERY_NORM)):
            chosen = replace(services, embedder=None, without_aids=without)
            before, after = (
                sum(first(one, replace(chosen, synonyms=synonyms)) for one in some) / max(1, len(some))
                for synonyms in (services.synonyms, tried)
            )
            yield f"{key:<30}{aids:<6}{len(some):>4}{before:>8.3f}{after:>8.3f}"


def first(one: Labelled, services: Services) -> float:
    question, right = one
    query = SubQuery(text=question, lexical=services.synonyms.expand(question), raw=True)
    state = State(question=question, as_of=today_in_spain(), queries=[query])
    asyncio.run(search(state, services))
    ranked = dict.fromkeys(
        (hit.chunk.norm_id, hit.chunk.block_id) for hit in rerank.heuristic(state, services)
    )
    return reciprocal_rank(list(ranked), dict.fromkeys(right, 1), len(ranked))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.unsaid_words", description=__doc__)
    parser.add_argument("keys", nargs="*", metavar="KEY=TERM,TERM", help="lower case, without accents")
    given = (one.partition("=") for one in parser.parse_args().keys)
    keys = {key: terms.split(",") for key, _, terms in given}
    with closing(assembly.build(settings())) as program:
        told = changes(keys, labelled(), program.services) if keys else unsaid(labelled(), program)
        print("\n".join(told))


if __name__ == "__main__":
    main()
