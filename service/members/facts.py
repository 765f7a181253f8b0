"""Facts of the cases of expedientes that are open to the person."""

from __future__ import annotations

from pydantic import Field

from casework.matters.case_facts import FactsSheet
from casework.matters.fact_values import LONGEST, typed_value
from casework.matters.facts_reading import CasePaper, read_facts
from core.errors import NotFound
from core.values import Value
from domain.audit import AuditAction
from domain.matters import DocumentState
from lexicon.paper_fields import FACTS
from service.contract.program import Name
from service.members.own import Own

NO_FACT = "No existe ese dato en los hechos de un expediente."


class FactRequest(Value):
    """A fact as a person gives it: '' says that it «no consta», and None takes back what was given.

    Attributes:
        unit: «mes», «año» or «día» of a salary, «semana» or «año» of hours.
    """

    value: str | None = Field(None, max_length=LONGEST * 2)
    unit: str = Field("", max_length=20)


class OwnFacts(Own):
    """The facts sheet of an expediente: read from its papers at each call, corrected by persons."""

    def sheet(self, matter: Name) -> FactsSheet:
        """The facts of its case. Raises NotFound: it is not open to the person."""
        sheet = self._sheet(matter)
        self._trail.once(AuditAction.READ, matter, what="matter")
        return sheet

    def _sheet(self, matter: str) -> FactsSheet:
        program = self._program()
        stored = program.database.matter_documents
        documents = stored.documents(self._identity.id, matter)
        given = program.database.facts.given(self._identity.id, matter)
        sheet = read_facts(
            CasePaper(one.title, one.name, one.id, stored.fragments(one.id))
            for one in documents
            if one.state is DocumentState.READ
        )
        names = program.accounts.names() if given else {}
        for one in given:
            sheet = sheet.given(one.key, one.value, one.unit, names.get(one.given_by, one.given_by))
        return sheet

    def correct(self, matter: Name, fact: Name, request: FactRequest) -> FactsSheet:
        """Give a fact, or take back what was given, and the sheet afterwards.

        Raises:
            InputError: the value cannot be used; the sentence says why.
            NotFound: there is no such fact, or the expediente is not open to the person.
        """
        stored = self._program().database.facts
        if fact not in FACTS:
            raise NotFound(NO_FACT)
        with self._trail.doing(AuditAction.CHANGED, matter, what="fact"):
            if request.value is None:
                stored.take_back(self._identity.id, matter, fact)
            else:
                given = typed_value(fact, request.value, request.unit)
                stored.give(self._identity.id, matter, fact, given.value, given.unit)
        return self._sheet(matter)
