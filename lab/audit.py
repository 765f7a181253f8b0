"""Known vulnerabilities of the installed packages: `python -m lab audit`.

Asks PyPI's advisory service through pip-audit. Exit code 1 if there is a vulnerability. Without an answer (no
network, a mirror without advisories) it prints a notice and passes: a build must not depend on the service.
"""

import json
import subprocess
import sys
from typing import Any

SECONDS = 10


def main() -> int:
    command = [sys.executable, "-m", "pip_audit", "--local", "--format", "json", "--progress-spinner", "off"]
    done = subprocess.run([*command, "--timeout", str(SECONDS)], capture_output=True, text=True, check=False)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        last = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        print(f"audit: the advisory service cannot be asked ({last})", file=sys.stderr)
        return 0
    return told(report)


def told(report: dict[str, Any]) -> int:
    """Print the vulnerabilities of a report of pip-audit; 1 if there are any."""
    packages = report["dependencies"]
    audited = [package for package in packages if "skip_reason" not in package]
    if not audited:
        print(f"audit: the advisory service knows none of {len(packages)} packages: nothing audited")
        return 0
    bad = [package for package in audited if package["vulns"]]
    for package in bad:
        for vulnerability in package["vulns"]:
            fixed = ", ".join(vulnerability["fix_versions"]) or "no version yet"
            print(f"{package['name']} {package['version']}: {vulnerability['id']}, fixed in {fixed}")
    print(f"audit: {len(audited)} of {len(packages)} packages audited, {len(bad)} with vulnerabilities")
    return 1 if bad else 0
