"""Mutation testing of what checks citations and guards doors: `python -m lab mutants [MODULE…]`.

Each module is changed in one place at a time (mutmut) in a copy of the repository, and its narrow tests have
to fail. Prints the survivors with their difference, then a row for docs/quality.md. Exit code 1
if less than SHARE of the mutants of a module that a test can tell from the original are killed.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
EQUIVALENT = ROOT / "tests" / "data" / "equivalent_mutants.toml"
SHARE = 0.85
KILLED = {1: "killed", 3: "killed", 24: "timeout", 36: "timeout", -24: "timeout", 152: "timeout"}
"""Exit codes of the tests of a mutant: pytest's own, and those of mutmut's limit of time."""
LIMITS = ("timeout_multiplier = 5.0", "timeout_constant = 2.0")
MODULES = {
    "rag/answers/quotation_check.py": "tests/unit/test_citations.py tests/unit/test_citation_lists.py "
    "tests/unit/test_widening.py",
    "rag/answers/verbatim.py": "tests/unit/test_citations.py tests/unit/test_widening.py",
    "text/figures.py": "tests/unit/test_figures.py",
    "law/references.py": "tests/unit/test_references.py tests/unit/test_asked_cases.py",
    "law/validity.py": "tests/unit/test_validity.py",
    "service/members/member.py": "tests/unit/test_member.py tests/integration/test_audit_doors.py",
    "web/guard.py": "tests/unit/test_guard.py",
}


def prepared(module: str, place: Path) -> Path:
    """A folder to run mutmut in: the repository in `mutants`, and beside it only what it changes."""
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in files.stdout.splitlines():
        copy = place / "mutants" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy)
    (place / module).parent.mkdir(parents=True)
    shutil.move(place / "mutants" / module, place / module)
    settings = {"source_paths": [module], "pytest_add_cli_args_test_selection": MODULES[module].split()}
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    # mutmut copies it into `mutants`, where pytest reads its own part.
    usual = (ROOT / "pyproject.toml").read_text("utf-8")
    (place / "pyproject.toml").write_text("\n".join([usual, "[tool.mutmut]", *LIMITS, *lines, ""]), "utf-8")
    return place


def mutmut(place: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "mutmut", *arguments]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])
    return done.stdout


def change(place: Path, mutant: str) -> str:
    """The lines that a mutant takes away and puts in, without their indentation."""
    lines = mutmut(place, "show", mutant).splitlines()
    changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    return "\n".join(f"{line[0]} {line[1:].strip()}" for line in changed)


def measured(module: str) -> bool:
    """Run the mutants of a module and print what came of them; True if enough were killed."""
    equivalents = tomllib.loads(EQUIVALENT.read_text("utf-8"))["mutant"]
    known = {(one["function"], one["change"].strip()) for one in equivalents}
    with tempfile.TemporaryDirectory(prefix="mutants-") as temporary:
        place = prepared(module, Path(temporary))
        mutmut(place, "run", "--max-children", "1")
        codes = json.loads((place / "mutants" / f"{module}.meta").read_text("utf-8"))["exit_code_by_key"]
        counted: Counter[str] = Counter()
        for mutant, code in codes.items():
            if code in KILLED:
                counted["killed"] += 1
                continue
            function = mutant.rpartition(".")[2].rpartition("__mutmut_")[0]
            lines = change(place, mutant)
            equivalent = (function, lines) in known
            counted["equivalent" if equivalent else "survived"] += 1
            if not equivalent:
                print(f"{mutant} ({code})\n{lines}\n", flush=True)
    told = counted.total() - counted["equivalent"]
    share = counted["killed"] / told
    cells = (module, counted.total(), counted["killed"], counted["equivalent"], f"{share:.1%}")
    print("|", " | ".join(map(str, cells)), "|", flush=True)
    return share >= SHARE


def main() -> int:
    return 0 if all([measured(module) for module in sys.argv[1:] or MODULES]) else 1
