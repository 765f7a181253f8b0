"""Facts of a case as the papers of an expediente tell them, or a person: values."""

from pydantic import computed_field

from casework.matters.fact_values import agree
from core.values import Value

NOT_TOLD = "no consta"
UNITS = {"money": "€", "hours": "horas"}


class FactSource(Value):
    """A value of a fact, and where it was read.

    Attributes:
        kind: 'date', 'money', 'hours' or 'text'.
        value: as forms take it: «02/05/2017», «1.590,72», «40», or words; empty if it «no consta».
        unit: what an amount is for, «mes», «año» or «día»; of hours «semana», «año»…; empty for the rest.
        paper: name of the document, «Doc 1»; empty for the value of a person.
        sentence: the line or sentence of the paper that tells it.
        by: name of the person who gave it; empty for a value read from a paper.
    """

    kind: str = "text"
    value: str = ""
    unit: str = ""
    paper: str = ""
    document_id: str = ""
    page: int | None = None
    fragment: int = 0
    sentence: str = ""
    by: str = ""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def shown(self) -> str:
        """«15.960,00 € al año», «40 horas a la semana», or «no consta»."""
        if not self.value:
            return NOT_TOLD
        unit = UNITS.get(self.kind)
        per = f" {'a la' if self.unit == 'semana' else 'al'} {self.unit}" if self.unit else ""
        return f"{self.value} {unit}{per}" if unit else self.value


class CaseFact(FactSource):
    """A fact of the sheet: the value that counts, and its source; `others`, that papers tell too, differ."""

    key: str
    label: str
    others: tuple[FactSource, ...] = ()

    def given(self, value: str, unit: str, by: str) -> "CaseFact":
        """The fact with a value that a person gave, before those of papers."""
        read = FactSource.model_validate({name: getattr(self, name) for name in FactSource.model_fields})
        others = (
            one for one in (read, *self.others) if not agree(self.key, (one.value, one.unit), (value, unit))
        )
        gave = FactSource(kind=self.kind, value=value, unit=unit, by=by)
        return self.model_copy(update={**dict(gave), "others": tuple(others)})


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

    def sure(self, key: str, unit: str = "") -> str:
        """The value of a fact that papers agree on, or a person gave, if it is for that time; else ''."""
        one = self[key]
        return one.value if one.unit == unit and (one.by or not one.others) else ""

    def given(self, key: str, value: str, unit: str, by: str) -> "FactsSheet":
        """The sheet with a value that a person gave, before those of papers; '' if it «no consta»."""
        facts = (one.given(value, unit, by) if one.key == key else one for one in self.facts)
        return self.model_copy(update={"facts": tuple(facts)})
