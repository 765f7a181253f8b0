"""Provisions that answer together with an article (`companions.toml`)."""

from functools import lru_cache

from core.values import Value
from lexicon.data_files import read_toml
from text.textnorm import stems


class Companion(Value):
    """A provision that says what follows from an article, for questions with one of the words `asked`.

    Attributes:
        norm, label: the provision.
        asked: stems, of which the question has one; `about`: others, of which it has one too, or none.
        seeks: words by which its passage is chosen.
        opens: beginning of that passage, '' if it tells nothing.
    """

    norm: str
    label: str
    asked: frozenset[str]
    seeks: str
    opens: str = ""
    about: frozenset[str] = frozenset()


def companions(norm: str, label: str, question: str) -> tuple[Companion, ...]:
    """The companions of an article for a question, in the order of the file."""
    words = frozenset(stems(question))
    known = _companions().get((norm, label), ())
    return tuple(one for one in known if one.asked & words and (not one.about or one.about & words))


@lru_cache(maxsize=1)
def _companions() -> dict[tuple[str, str], list[Companion]]:
    data = read_toml("companions.toml")
    norms: dict[str, str] = data["norms"]
    found: dict[tuple[str, str], list[Companion]] = {}
    for item in data["companion"]:
        name, label = item["with"].split(" ", 1)
        asked, about = frozenset(stems(item["asked"])), frozenset(stems(item.get("about", "")))
        how = {"seeks": item["seeks"], "opens": item.get("opens", "")}
        one = Companion(norm=norms[name], label=label, asked=asked, about=about, **how)
        of, *labels = item["of"].split()
        for each in labels:
            found.setdefault((norms[of], each), []).append(one)
    return found
