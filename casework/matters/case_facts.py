"""Facts of a case as the papers of an expediente tell them, or a person: values."""

from core.values import Value

NOT_TOLD = "no consta"


class FactSource(Value):
    """A value of a fact, and where it was read.

    Attributes:
        value: as forms take it: «02/05/2017», «1.590,72», «40», or words letter by letter.
        unit: what an amount is for, «mes», «año» or «día»; of hours «semana», «año»…; empty for the rest.
        paper: name of the document, «Doc 1»; empty for the value of a person.
        sentence: the line or sentence of the paper that tells it.
        by: name of the person who gave it; empty for a value read from a paper.
    """

    value: str = ""
    unit: str = ""
    paper: str = ""
    document_id: str = ""
    page: int | None = None
    fragment: int = 0
    sentence: str = ""
    by: str = ""


class CaseFact(FactSource):
    """A fact of the sheet: the value that counts, and its source.

    Attributes:
        kind: 'date', 'money', 'hours' or 'text'.
        value: empty if it «no consta».
        others: other values that stand in papers, the contradictions.
    """

    key: str
    label: str
    kind: str = "text"
    others: tuple[FactSource, ...] = ()

    @property
    def shown(self) -> str:
        """«15.960,00 € al año», «40 horas a la semana», or «no consta»."""
        return shown(self.kind, self)


class FactsSheet(Value):
    """Facts of a case, all of them in their order; those that nothing tells have no value.

    Attributes:
        problems: sentences on what papers say and cannot be, with the name of the paper.
    """

    facts: tuple[CaseFact, ...]
    problems: tuple[str, ...] = ()

    def __getitem__(self, key: str) -> CaseFact:
        """The fact of that key. Raises KeyError."""
        for one in self.facts:
            if one.key == key:
                return one
        raise KeyError(key)


def shown(kind: str, one: FactSource) -> str:
    """A value as a person reads it."""
    if not one.value:
        return NOT_TOLD
    article = "a la" if one.unit == "semana" else "al"
    per = f" {article} {one.unit}" if one.unit else ""
    return {"money": f"{one.value} €{per}", "hours": f"{one.value} horas{per}"}.get(kind, one.value)
