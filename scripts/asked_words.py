"""Count of the norms whose shipped questions use each stem: `python -m scripts.asked_words`.

Writes `lexicon/asked.txt`, the everyday vocabulary of the questions that the law of this corpus answers.
"""

import sys
from collections import Counter
from pathlib import Path

from lexicon.everyday_words import FILE
from loading.aids.shipped_aids import Enrichment
from text.textnorm import stems

AIDS = Path("data/enrichment")


def main() -> int:
    norms: Counter[str] = Counter()
    aids = Enrichment(AIDS)
    for file in sorted(AIDS.glob("*.jsonl")):
        of_norm = aids.of(file.stem).values()
        norms.update({stem for aid in of_norm for question in aid.questions for stem in stems(question)})
    FILE.write_text("".join(f"{stem} {count}\n" for stem, count in sorted(norms.items())), "utf-8")
    print(f"{FILE.name}: {len(norms)} stems")
    return 0


if __name__ == "__main__":
    sys.exit(main())
