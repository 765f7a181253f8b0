"""Fit the weights of `rag.answers.sufficiency`: `python -m scripts.calibrate CASES...`.

Needs a home with the real corpus (ARTICULADO_HOME). Logistic regression with an L2 penalty, by Newton's
method, over the three choices of search aids together. Errors are of cases left out (ten folds).
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import bootstrap
from config import settings
from rag.clock import today_in_spain
from rag.evaluation.cases import Case, read_dataset
from rag.evaluation.run import with_aids
from rag.evaluation.types import Aids
from rag.pipeline import retrieve
from rag.state import Services

NAMES = ("coverage", "aided", "known", "synonyms", "own", "other", "nearest", "question")
MEANING = ("nearest", "question")
FOLDS = 10
PENALTY = 0.3
STEPS = 60


def fit(x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Weights of a logistic regression, the last one the bias (not penalised). Shapes: (n, d), (n,), (n,)."""
    design = np.hstack([x, np.ones((len(x), 1))])
    penalty = PENALTY * np.eye(design.shape[1])
    penalty[-1, -1] = 0.0
    w = np.zeros(design.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-np.clip(design @ w, -30, 30)))
        gradient = design.T @ (weight * (p - y)) + penalty @ w
        hessian = (design * (weight * p * (1 - p))[:, None]).T @ design + penalty
        w -= np.linalg.solve(hessian + 1e-9 * np.eye(len(w)), gradient)
    return w


def predict(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Probability of being answerable, shape (n,)."""
    return np.asarray(1 / (1 + np.exp(-np.clip(x @ w[:-1] + w[-1], -30, 30))))


async def features(cases: Sequence[Case], services: Services, aids: Aids) -> np.ndarray:
    """One row of signals a case, shape (n, len(NAMES))."""
    rows = []
    for case in cases:
        chosen = with_aids(services, case, aids)
        state, _ = await retrieve(case.question, chosen, as_of=case.as_of, today=today_in_spain())
        found = dict(state.signals)
        rows.append([found.get(name, 0.0) for name in NAMES])
    return np.array(rows)


def main(files: Sequence[str]) -> int:
    """Print weights with and without the embedding's signal, and the rates of each file when left out.

    Questions that name their article or follow another are left out: these signals never refuse them.
    """
    program = bootstrap.build(settings())
    cases = [
        (Path(file).stem, case)
        for file in files
        for case in read_dataset(Path(file)).cases
        if not case.history and case.category != "article-reference"
    ]
    asked = [case for _, case in cases]
    y = np.array([float(case.answerable) for case in asked] * len(Aids))
    names = np.array([f"{name} ({aids})" for aids in Aids for name, _ in cases])
    for services in (program.services, replace(program.services, embedder=None)):
        x = np.vstack([asyncio.run(features(asked, services, aids)) for aids in Aids])
        kept = [place for place, name in enumerate(NAMES) if services.embedder or name not in MEANING]
        report(x[:, kept], y, names, [NAMES[place] for place in kept])
    program.close()
    return 0


def report(x: np.ndarray, y: np.ndarray, names: np.ndarray, signals: Sequence[str]) -> None:
    """Fit and print. Shapes: (n, d), (n,), (n,), d names."""
    mean, spread = x.mean(0), x.std(0) + 1e-9
    scaled = (x - mean) / spread
    weight = np.where(y == 1, len(y) / (2 * y.sum()), len(y) / (2 * (len(y) - y.sum())))
    part = np.arange(len(y)) % (len(y) // len(Aids)) % FOLDS
    left_out = np.zeros(len(y))
    for number in range(FOLDS):
        rest = part != number
        left_out[~rest] = predict(scaled[~rest], fit(scaled[rest], y[rest], weight[rest]))
    w = fit(scaled, y, weight)
    raw = dict(zip(signals, w[:-1] / spread, strict=True)) | {"bias": w[-1] - (w[:-1] * mean / spread).sum()}
    print({name: round(float(value), 2) for name, value in raw.items()})
    for cut in (0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7):
        print(f"cut {cut}")
        for name in dict.fromkeys(names):
            here = names == name
            rates = [
                f"{word} {np.mean(chosen >= cut if right else chosen < cut):.3f} of {len(chosen)}"
                for right, word in ((1, "answered"), (0, "refused"))
                if len(chosen := left_out[here & (y == right)])
            ]
            print(f"  {name:28}", ", ".join(rates))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
