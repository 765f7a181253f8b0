"""The query adapter: a linear map of a question's vector that moves it toward the texts that answer it.

Everyday questions and articles of law are written apart; `scripts.train_adapter` learns how far from the
questions of the shipped search aids and the articles that they belong to. It works on any text, with aids or
without. For an evaluation of norms as if somebody had just loaded them there are maps learned without their
questions.

A linear adapter over a frozen model, trained with a contrastive loss and averaged with the identity:
Wortsman et al., Robust fine-tuning of zero-shot models, 2022.
"""

import zipfile
import zlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rag.errors import ConfigurationError
from rag.index.arrays import arrays

FILE = Path(__file__).with_name("adapter.npz")


class Adapter(NamedTuple):
    """The maps of one embedding model.

    Attributes:
        folds: norm id to the fold that its questions are in.
        maps: the folds whose questions a map has not seen, to its two factors, shapes (d, r) and (r, d).
    """

    model: str
    folds: Mapping[str, int]
    maps: Mapping[frozenset[int], tuple[np.ndarray, np.ndarray]]

    def adapted(self, vector: tuple[float, ...], unseen: Iterable[str] = ()) -> tuple[float, ...]:
        """The unit vector to compare with those of texts; unchanged when no map is without `unseen`."""
        factors = self.maps.get(frozenset(self.folds[norm] for norm in unseen if norm in self.folds))
        if factors is None:
            return vector
        given = np.array(vector, dtype=np.float32)
        moved = given + given @ factors[0] @ factors[1]
        return tuple(map(float, moved / (np.linalg.norm(moved) or 1.0)))


def save(adapter: Adapter, path: Path = FILE) -> None:
    """Write the maps in half precision."""
    sets = sorted(adapter.maps, key=sorted)
    np.savez_compressed(
        path,
        model=np.array(adapter.model),
        norms=np.array(list(adapter.folds)),
        folds=np.array(list(adapter.folds.values())),
        unseen=np.array([",".join(map(str, sorted(one))) for one in sets]),
        down=np.array([adapter.maps[one][0] for one in sets], dtype=np.float16),
        up=np.array([adapter.maps[one][1] for one in sets], dtype=np.float16),
    )


@lru_cache(maxsize=4)
def load(path: Path = FILE) -> Adapter:
    """The maps of the file.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    try:
        stored = arrays(path)
        down, up = stored["down"].astype(np.float32), stored["up"].astype(np.float32)
        sets = [frozenset(map(int, filter(None, str(one).split(",")))) for one in stored["unseen"]]
        folds = dict(zip(map(str, stored["norms"]), map(int, stored["folds"]), strict=True))
        maps = dict(zip(sets, zip(down, up, strict=True), strict=True))
        return Adapter(str(stored["model"]), folds, maps)
    except (OSError, EOFError, ValueError, TypeError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise ConfigurationError(f"{path.name}: no se puede leer; instale de nuevo la aplicación.") from error
