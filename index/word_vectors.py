"""Vectors of words: how near the words of a question are to those of a passage, though none is the same.

Each word of the question looks for the nearest word of the passage, and the mean counts words by how much
they say: late interaction (Khattab and Zaharia, ColBERT, 2020) over static vectors, one for a stem in a
question and one for it in the law. `lab.training.word_vectors` learns them from questions and the passages
that answer them; they need no embedding model, and work on any text. For an evaluation of norms as if
somebody had just loaded them there are tables learned without their questions.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from index.arrays import arrays, readable

FILE = Path(__file__).with_suffix(".npz")
LEVELS = 127
"""Components of unit vectors are kept in 8 bits, 1.0 as this."""

Array = NDArray[np.float32]
Places = NDArray[np.intp]


class Table(NamedTuple):
    """Vectors of v words of d numbers, and one more place for no word, whose vectors are zeros.

    Attributes:
        asked, said: of each word in a question and in the law, shape (v + 1, d).
        weight: how much each word of a question counts, shape (v + 1,).
    """

    asked: Array
    said: Array
    weight: Array


class WordVectors(NamedTuple):
    """The tables of the file.

    Attributes:
        places: stem to its row.
        folds: norm id to the fold that its questions are in.
        tables: the folds whose questions a table has not seen, to the table; None has seen no question.
    """

    places: Mapping[str, int]
    folds: Mapping[str, int]
    tables: Mapping[frozenset[int] | None, Table]

    def of(self, stems: Iterable[str]) -> Places:
        """The rows of the words of a text, each once, and that of no word."""
        known = dict.fromkeys(self.places[stem] for stem in stems if stem in self.places)
        return np.array([*known, len(self.places)], dtype=np.intp)

    def nearness(
        self, question: Iterable[str], passages: Sequence[Places], unseen: Iterable[str] = ()
    ) -> list[float]:
        """How near each passage is to a question, 0 to 1; 0 for a question without a known word.

        Args:
            question: its stems.
            passages: their words, as `of` gives them.
            unseen: ids of norms whose questions the table must not have learned from.
        """
        folds = frozenset(self.folds[norm] for norm in unseen if norm in self.folds)
        table = self.tables.get(folds, self.tables[None])
        rows = self.of(question)[:-1]
        if not len(rows) or not passages:
            return [0.0] * len(passages)
        near = np.maximum(table.asked[rows] @ table.said.T, 0)
        starts = np.cumsum([0, *map(len, passages)])[:-1]
        best = np.maximum.reduceat(near.take(np.concatenate(passages), axis=1), starts, axis=1)
        weight = table.weight[rows]
        found: list[float] = (weight @ best / weight.sum()).tolist()
        return found


def save_word_vectors(vectors: WordVectors, path: Path = FILE) -> None:
    """Write the tables."""
    asked, said, weight = (np.array(one) for one in zip(*vectors.tables.values(), strict=True))
    sets = ("-" if one is None else ",".join(map(str, sorted(one))) for one in vectors.tables)
    np.savez_compressed(
        path,
        stems=np.array(list(vectors.places)),
        norms=np.array(list(vectors.folds)),
        folds=np.array(list(vectors.folds.values())),
        unseen=np.array(list(sets)),
        asked=np.round(asked * LEVELS).astype(np.int8),
        said=np.round(said * LEVELS).astype(np.int8),
        weight=weight.astype(np.float32),
    )


@lru_cache(maxsize=2)
def load_word_vectors(path: Path = FILE) -> WordVectors:
    """The tables of the file.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    with readable(path):
        stored = arrays(path)
        sets = [
            None if one == "-" else frozenset(map(int, filter(None, one.split(","))))
            for one in map(str, stored["unseen"])
        ]
        asked, said = (stored[name].astype(np.float32) / LEVELS for name in ("asked", "said"))
        weight = stored["weight"].astype(np.float32)
        tables = {one: Table(*layers) for one, *layers in zip(sets, asked, said, weight, strict=True)}
        places = {str(stem): place for place, stem in enumerate(stored["stems"])}
        if None not in tables or any(
            len(part) != len(places) + 1 for table in tables.values() for part in table
        ):
            raise ValueError("words or questions without vectors")
        folds = dict(zip(map(str, stored["norms"]), map(int, stored["folds"]), strict=True))
        return WordVectors(places, folds, tables)
