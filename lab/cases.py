"""Measure long cases: `python -m lab cases [FILE…]`, each asked as the page asks it.

Notes of an interview and e-mails are split into their questions, which `cli.py evaluate` does not do. Needs a
home with the real norms (ARTICULADO_HOME unless --home names another). Prints by category the share of the
facts told, of the cases with every fact told, and the cases refused whole.
"""

import argparse
import asyncio
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from lab.harness import program
from rag.evaluation.cases import Case, read_dataset
from rag.evaluation.facts_told import facts_of
from rag.evaluation.measurement import with_aids
from rag.evaluation.results import Aids
from rag.run.consult import consult
from rag.shared.state import Services
from service.config import ROOT, settings

SET = ROOT / "data" / "evaluation" / "long" / "cases.jsonl"


class Told(NamedTuple):
    """Share of the facts of a case that its answer tells; True if it was refused."""

    facts: float
    refused: bool


async def asked(case: Case, services: Services, aids: Aids) -> Told:
    """The answer to a case, without a model unless the services have one."""
    answer = (await consult(case.question, with_aids(services, case, aids))).answer
    return Told(fmean(facts_of(case, answer)), answer.refusal)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=[SET], metavar="FILE")
    parser.add_argument("--aids", type=Aids, choices=tuple(Aids), default=Aids.ALL)
    parser.add_argument("--home", type=Path, default=settings().articulado_home)
    options = parser.parse_args()
    found: defaultdict[str, list[Told]] = defaultdict(list)
    with program(options.home) as app:
        for file in options.files:
            for case in read_dataset(file).cases:
                one = asyncio.run(asked(case, app.services, options.aids))
                found[case.category].append(one)
                found["all"].append(one)
    for category, told in found.items():
        facts, every = fmean(one.facts for one in told), fmean(one.facts == 1 for one in told)
        print(
            f"{category:<12}{len(told):>4} cases, facts {facts:.3f}, every fact {every:.3f},"
            f" refused {sum(one.refused for one in told)}"
        )
