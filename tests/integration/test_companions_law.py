"""The pairs of provisions that answer together, read in the real norms."""

from datetime import date

from lexicon.data_files import read_toml
from rag.answers.companion_passages import beside
from rag.answers.passage_selection import Passage
from rag.shared.hits import Hit
from tests.real_law import RealLaw
from text.textnorm import stems

TODAY = date(2026, 11, 21)
HALF = 0.5


def test_every_pair_is_in_force_and_its_passage_has_most_of_the_words_sought(real_law: RealLaw) -> None:
    store, data = real_law.program.services.store, read_toml("companions.toml")
    for item in data["companion"]:
        of, *labels = item["of"].split()
        name, label = item["with"].split(" ", 1)
        wanted = frozenset(stems(item["seeks"]))
        joined = store.find(data["norms"][name], label, TODAY)
        for each in labels:
            case = store.find(data["norms"][of], each, TODAY)
            hits = [Hit(chunk=chunk, score=1.0) for chunk in [*case, *joined]]
            asks = " ".join(item.get(words, "").partition(" ")[0] for words in ("asked", "about"))
            found = beside([Passage(0, 0, case[0].text)], hits, f"¿{asks}?")
            (passage,) = [one for one in found if (hits[one.hit].chunk.label) == label]
            said = stems(f"{passage.lead} {passage.text}")
            assert len(wanted.intersection(said)) >= HALF * len(wanted), (item, passage.text)
            assert passage.text.startswith(item.get("opens", "")), item
