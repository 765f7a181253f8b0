"""Errors of a client; both are an `ArticuladoError`, as all errors of the program."""

from core.errors import ArticuladoError


class ApiProblem(ArticuladoError):
    """The API refused a request, or failed at it.

    Attributes:
        status: the HTTP status.
        detail: one Spanish sentence that says what to do; also the text of the error.
    """

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail

    @property
    def of_request(self) -> bool:
        """True if what was asked for is not there or cannot be used, whoever asks."""
        return self.status in (404, 422)


class Unreachable(ArticuladoError):
    """Nobody answers there, or not to the end."""
