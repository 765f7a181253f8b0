"""Count of the norms whose shipped questions use each stem: `python -m lab asked-words`.

Writes `lexicon/asked.txt`, the everyday vocabulary of the questions that the law of this corpus answers.
"""

from collections import Counter

from lexicon.everyday_words import FILE
from loading.aids.shipped_aids import Enrichment
from service.config import ROOT
from text.textnorm import stems

AIDS = ROOT / "data" / "enrichment"


def main() -> None:
    norms: Counter[str] = Counter()
    aids = Enrichment(AIDS)
    for file in sorted(AIDS.glob("*.jsonl")):
        of_norm = aids.of(file.stem).values()
        norms.update({stem for aid in of_norm for question in aid.questions for stem in stems(question)})
    FILE.write_text("".join(f"{stem} {count}\n" for stem, count in sorted(norms.items())), "utf-8")
    print(f"{FILE.name}: {len(norms)} stems")
