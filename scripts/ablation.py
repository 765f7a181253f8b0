"""Worth of each feature of the offline reranker: the ranking without it, trained and measured again.

    python -m scripts.ablation [CASES]

Needs a home with the real norms (ARTICULADO_HOME). Demo questions are cross-validated by article; CASES (a
file of `cli.py evaluate`) are ranked by weights learned from the demo questions alone.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import bootstrap
from config import settings
from rag.evaluation.cases import read_dataset
from rag.state import Services
from scripts.train_reranker import (
    Example,
    cross_validated,
    demo_questions,
    example,
    examples_of,
    fit,
    line,
    metrics,
    ranked,
)


def case_examples(path: Path, services: Services, names: list[str]) -> list[Example]:
    """The answerable cases of a file; their right articles are those of the best grade."""
    examples = []
    for case in read_dataset(path).cases:
        best = max((r.grade for r in case.relevant), default=0)
        right = [
            (chunk.norm_id, chunk.block_id)
            for r in case.relevant
            if r.grade == best
            for chunk in services.store.find(r.norm, r.article)[:1]
        ]
        if right:
            examples.append(example(case.question, right, services, names)[0])
    return examples


def main() -> int:
    """Print the metrics with all features and without each."""
    parser = argparse.ArgumentParser(prog="python -m scripts.ablation", description=__doc__)
    parser.add_argument("cases", nargs="?", type=Path)
    options = parser.parse_args()
    program = bootstrap.build(settings())
    demo, names = examples_of(demo_questions(), program.services)
    cases = case_examples(options.cases, program.services, names) if options.cases else []
    program.close()
    everything = list(range(len(names)))
    rows = [("only fused", [names.index("fused")]), ("all features", everything)]
    rows += [(f"- {name}", [i for i in everything if i != place]) for place, name in enumerate(names)]
    for label, columns in rows:
        print("demo  " + line(label, cross_validated(demo, columns)))
        if cases:
            weights = fit(demo, columns)
            print("cases " + line(label, metrics([(one, ranked(one, columns, weights)) for one in cases])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
