"""The cases of `tests/cases/worked_cases.md`, which were worked from the law without the program."""

import re
from typing import NamedTuple

from calculations.outcome import Outcome
from tests.case_files import FOLDER


class WorkedCase(NamedTuple):
    """Data, (figure, article) of each step and result; assumptions are for who reads."""

    title: str
    name: str
    given: dict[str, str]
    steps: tuple[tuple[str, str], ...]
    result: str


def _read(case: str) -> WorkedCase:
    title, *lines = case.strip().splitlines()
    said = [line.removeprefix("- ").partition(": ") for line in lines if line.startswith("- ")]
    name, _, data = said[0]
    steps = [tuple(text.split(" · ")) for key, _, text in said if key == "Paso"]
    (result,) = (text for key, _, text in said if key == "Resultado")
    given = dict(one.split("=", 1) for one in data.split("; "))
    return WorkedCase(title, name, given, tuple((one, law) for one, law in steps), result)


WORKED = [_read(case) for case in re.split(r"(?m)^## ", (FOLDER / "worked_cases.md").read_text("utf-8"))[1:]]


def steps_missing(case: WorkedCase, outcome: Outcome) -> list[tuple[str, str]]:
    """The steps of the case that no step of the outcome has: its figure, with its article."""
    told = [
        (f"{step.text} {step.formula} {step.result}", {ref.said for ref in step.refs})
        for step in outcome.steps
    ]
    return [
        (figure, law)
        for figure, law in case.steps
        if not any(figure in text and law in laws for text, laws in told)
    ]
