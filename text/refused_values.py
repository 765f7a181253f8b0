"""Values that pydantic refuses, told in Spanish."""

from pydantic_core import ErrorDetails

_EXPECTED = {
    "int": "un número entero",
    "float": "un número",
    "finite_number": "un número",
    "bool": "sí o no (true o false)",
    "date": "una fecha escrita como 2024-03-01",
    "json": "un objeto JSON",
    "greater_than_equal": "como mínimo {ge}",
    "greater_than": "mayor que {gt}",
    "less_than_equal": "como máximo {le}",
    "string_too_short": "un texto de {min_length} caracteres como mínimo",
    "string_too_long": "un texto de {max_length} caracteres como máximo",
    "string": "un texto",
    "too_short": "de {min_length} caracteres como mínimo",
    "too_long": "de {max_length} elementos como máximo",
    "model": "un objeto JSON",
    "literal_error": "uno de {expected}",
    "enum": "uno de {expected}",
}
_PRESENT = {"missing": "falta", "extra_forbidden": "sobra"}


def expected(error: ErrorDetails) -> str:
    """Completes «X debe ser …»: 'un número entero', 'uno de normativa, sentencias'."""
    known = {name: str(value) for name, value in error.get("ctx", {}).items()}
    known["expected"] = known.get("expected", "").replace("'", "").replace(" or ", ", ")
    wanted = next((text for kind, text in _EXPECTED.items() if error["type"].startswith(kind)), "otro valor")
    return wanted.format(**known)


def problem(name: str, error: ErrorDetails) -> str:
    """A clause about the value `name`, '' for the whole; that of a validator of ours, as it wrote it."""
    if error["type"] == "value_error" and "ctx" in error:
        told = str(error["ctx"]["error"])
        return f"{name}: {told}" if name else told
    if error["type"] in _PRESENT:
        return f"{_PRESENT[error['type']]} «{name}»"
    return f"{name or 'el valor'} debe ser {expected(error)}"
