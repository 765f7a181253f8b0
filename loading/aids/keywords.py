"""Keywords: cleans the ones that a source gives, and extracts some by rule when it gives none.

The rule reads only the document. Rarity within the corpus would also work, but then every new document would
change the keywords, and so the index entries, of all the others.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log, sqrt

from text.textnorm import STOPWORDS, fold_for_search, stems

MAX_NORM, MAX_CRITERION = 8, 12
CRITERIA = "criterios_inss"
MAX_LENGTH = 60
MAX_WORDS = 4
PHRASE = 3
MIN_LETTERS = 4
# Words that any legal text has: as a keyword they lead to everything.
_NOISE = """
articulo articulos ley leyes norma normas normativa legislacion derecho derechos disposicion disposiciones
apartado apartados parrafo texto documento general generales presente vigente aplicacion aplicable efectos
objeto ambito materia espana espanol espanola boe real decreto reglamento orden titulo capitulo seccion
trabajador trabajadora trabajadores empresa empresas caso casos parte partes siguiente siguientes mismo
misma conforme establecido establecida previsto prevista dicho dicha acuerdo forma relacion contrato
contratos clausula clausulas inss criterio criterios sentencia tribunal juridico juridica
segun mediante debera deberan podra podran pueda puedan cualquier ademas salvo incluso respecto cuanto
requerida requeridas indicada indicadas indicados nuevo nueva nuevos nuevas mismas mismos
"""
NOISE = frozenset(_NOISE.split())
# Gerunds, reflexive infinitives and futures: they express the action of a sentence, not its topic.
_VERBAL = re.compile(r"\w{2,}(?:ando|iendo|arse|erse|irse|aran|eran|iran)")
_SPLIT = re.compile(r"[^\w\s\-/]+|\n")
_TOKEN = re.compile(r"[^\W\d_][\w\-/]*|\d[\w\-/]*")


def limit(collection: str) -> int:
    """Maximum number of keywords of a block: twelve for criteria, eight for other collections."""
    return MAX_CRITERION if collection == CRITERIA else MAX_NORM


def cleaned(found: Iterable[str], most: int) -> tuple[str, ...]:
    """At most `most` keywords, without noise, repetitions and terms that are too long."""
    kept: dict[tuple[str, ...], str] = {}
    for one in found:
        text = one_line(one, MAX_LENGTH + 1).strip(" .,:;|«»\"'")
        key = tuple(sorted(set(stems(text))))
        noise = all(word in NOISE or word in STOPWORDS for word in fold_for_search(text).split())
        if key and not noise and len(text) <= MAX_LENGTH and len(text.split()) <= MAX_WORDS + 2:
            kept.setdefault(key, text.replace(",", " "))
    return tuple(kept.values())[:most]


def one_line(text: str, most: int) -> str:
    """A model's text on one line of at most `most` characters, without markup of a page or a prompt."""
    plain = re.sub(r"[\x00-\x1f\x7f\u2028\u2029\ud800-\udfff]+", " ", text)
    plain = plain.translate(str.maketrans("<>[]|`", "‹›()/'"))
    return " ".join(plain.split())[:most].strip()


def by_rule(texts: Sequence[str], most: int = MAX_NORM) -> list[tuple[str, ...]]:
    """Terms of each block of a document: runs of up to three words that other blocks do not have.

    A run scores the mean tf·idf of its words times the square root of their number, so that names stay whole.
    """
    folded = [Counter(stem for stem in stems(text) if len(stem) >= MIN_LETTERS - 1) for text in texts]
    spread = Counter(stem for words in folded for stem in words)
    weights = [
        {stem: (1 + log(times)) * log(1 + len(texts) / spread[stem]) for stem, times in words.items()}
        for words in folded
    ]
    return [_best(text, weight, most) for text, weight in zip(texts, weights, strict=True)]


def _best(text: str, weight: dict[str, float], most: int) -> tuple[str, ...]:
    scores: dict[str, float] = {}
    for phrase in _SPLIT.split(text):
        for run in _runs(_TOKEN.findall(phrase)):
            for size in range(1, PHRASE + 1):
                for start in range(len(run) - size + 1):
                    words = run[start : start + size]
                    values = [weight.get(stem, 0.0) for word in words for stem in stems(word)]
                    if len(values) == size and min(values) > 0:
                        score = sum(values) / size * sqrt(size)
                        scores.setdefault(" ".join(words).lower(), score)
    chosen: list[str] = []
    used: set[str] = set()
    for phrase in sorted(scores, key=lambda one: (-scores[one], one)):
        own = set(stems(phrase))
        if not own & used:
            used |= own
            chosen.append(phrase)
        if len(chosen) == 2 * most:
            break
    return cleaned(chosen, most)


def _runs(words: Sequence[str]) -> list[list[str]]:
    """Consecutive words that may be part of a keyword."""
    runs: list[list[str]] = [[]]
    for word in words:
        plain = fold_for_search(word)
        idle = plain in STOPWORDS or plain in NOISE or _VERBAL.fullmatch(plain)
        if idle or len(plain) < MIN_LETTERS or not plain[0].isalpha():
            runs.append([])
        else:
            runs[-1].append(word)
    return [run for run in runs if run]
