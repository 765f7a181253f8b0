"""The calculators as one person may use them."""

from collections.abc import Mapping

from calculations.catalogue import calculate
from calculations.outcome import Outcome
from domain.accounts import Permission
from domain.audit import AuditAction
from service.contract.calculations import CalculationRequest
from service.contract.program import Name
from service.members.own import Own


class OwnCalculations(Own):
    """Calculations by everybody who may read; their data is neither stored nor logged."""

    permission = Permission.READ

    def seats(self) -> dict[str, str]:
        """Places of courts whose holidays are known, each with its name and comunidad as they are shown."""
        seats = self._program().facts().seats
        return {
            one.name: f"{one.name} ({one.region})" if one.region not in ("", one.name) else one.name
            for one in seats
        }

    def problems(self) -> tuple[str, ...]:
        """A sentence for each file that cannot be used; empty for people who may not manage accounts."""
        known = self._program().facts()
        return known.problems if self._identity.may(Permission.ACCOUNTS) else ()

    def calculate(self, name: str, values: Mapping[str, object]) -> Outcome:
        """See `catalogue.calculate`."""
        program = self._program()
        outcome = calculate(name, values, program.facts())
        self._trail.once(AuditAction.CALCULATED, name)
        return outcome

    def requested(self, name: Name, request: CalculationRequest) -> Outcome:
        """The same for a program."""
        return self.calculate(name, request.data)
