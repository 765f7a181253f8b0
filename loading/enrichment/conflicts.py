"""Repeats a change of a norm when another writer saved first."""

from tenacity import retry, retry_if_exception_type, stop_after_attempt

from core.errors import ChangedMeanwhile

retried = retry(retry=retry_if_exception_type(ChangedMeanwhile), stop=stop_after_attempt(5), reraise=True)
"""For a function that reads a norm and writes it: five runs at most, then ChangedMeanwhile."""
