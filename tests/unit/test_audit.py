"""The audit of the packages fails for a vulnerability, and for nothing else."""

import pytest

from lab.audit import told

VULNERABLE = {
    "name": "acme",
    "version": "1.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"], "aliases": [], "description": "x"}],
}
FINE = {"name": "other", "version": "2.0", "vulns": []}
UNKNOWN = {"name": "local", "skip_reason": "Dependency not found on PyPI"}


@pytest.mark.parametrize(
    ("packages", "code", "said"),
    [
        ([FINE, UNKNOWN], 0, "1 of 2 packages audited, 0 with"),
        ([UNKNOWN], 0, "nothing audited"),
        ([], 0, "nothing audited"),
        ([FINE, VULNERABLE, UNKNOWN], 1, "acme 1.0: PYSEC-1, fixed in 1.1"),
    ],
)
def test_only_a_vulnerability_fails_the_audit(
    packages: list[dict[str, object]], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told({"dependencies": packages}) == code
    assert said in capsys.readouterr().out
