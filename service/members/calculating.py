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

    def seats(self) -> list[str]:
        """Places of courts whose holidays are known. Raises ConfigurationError: a file cannot be used."""
        return [seat.name for seat in self._program().facts().seats.values()]

    def calculate(self, name: str, values: Mapping[str, object]) -> Outcome:
        """See `catalogue.calculate`. Raises ConfigurationError too: a file of its data is wrong."""
        program = self._program()
        outcome = calculate(name, values, program.facts())
        self._trail.once(AuditAction.CALCULATED, name)
        return outcome

    def requested(self, name: Name, request: CalculationRequest) -> Outcome:
        """The same for a program."""
        return self.calculate(name, request.data)
