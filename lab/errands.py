"""Errands of people beside asking, on the pages of a server: accounts, expedientes, their papers and notes.

What a page has shown as done is noted, and looked for in the database and the home later.
"""

import hashlib
import random
from dataclasses import dataclass, field

from lab.visitor import Visitor
from service.program import assembly
from web.cookies import PLAIN

PAPER = """Contrato de trabajo número {0}.

El salario pactado es de {0} euros al año, en doce pagas.
"""


@dataclass(frozen=True)
class Person:
    """Somebody with an account and a session."""

    id: str
    token: str

    @property
    def cookies(self) -> dict[str, str]:
        return {PLAIN: self.token}


@dataclass
class Errands:
    """Acknowledged: user names of accounts; expedientes by name, each with its owner, notes and papers."""

    accounts: list[str] = field(default_factory=list)
    matters: dict[str, tuple[str, str, list[str]]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return len(self.accounts) + sum(2 + len(papers) for _, _, papers in self.matters.values())

    async def account(self, address: str, admin: Person, dice: random.Random) -> None:
        """Add an account. Raises Lost."""
        async with Visitor(address, admin.cookies, page="users") as page:
            name = f"cuenta{dice.randrange(10**9)}"
            await page.press("add-")
            await page.press("FormSubmitter:add-form-Añadir", **{"add-name": name, "add-username": name})
            await page.until(lambda: "secret-seen" in page.inputs, 30)
            self.accounts.append(name)

    async def matter(self, address: str, person: Person, dice: random.Random) -> None:
        """Make an expediente, give it notes and two papers. Raises Lost."""
        async with Visitor(address, person.cookies, page="matters") as page:
            name = f"Expediente {dice.randrange(10**9)}"
            await page.press("FormSubmitter:new-matter-form-Crear el expediente", **{"new-name": name})
            await page.until(lambda: any(key.startswith("notes-") for key in page.inputs), 30)
            papers: list[str] = []
            self.matters[name] = person.id, "", papers
            (matter,) = (key.removeprefix("notes-") for key in page.inputs if key.startswith("notes-"))
            notes = f"Notas de {name}."
            await page.press(
                "FormSubmitter:matter-form-Guardar", **{f"name-{matter}": name, f"notes-{matter}": notes}
            )
            self.matters[name] = person.id, notes, papers
            for _ in range(2):
                number = dice.randrange(10**9)
                boxes = [key for key in page.inputs if key.startswith("paper-files-")]
                await page.upload(boxes[-1], f"contrato-{number}.txt", PAPER.format(number).encode())
                await page.until(lambda: any(f"contrato-{number}.txt" in text for text in page.texts), 30)  # noqa: B023
                papers.append(f"contrato-{number}.txt")

    def lost(self, program: assembly.App) -> list[str]:
        """Names of things that are not there as they were acknowledged."""
        known = {one.username for one in program.database.accounts.accounts()}
        missing = [f"account {name}" for name in self.accounts if name not in known]
        for name, (owner, notes, papers) in self.matters.items():
            found = [one for one in program.database.matters.matters(owner, name) if one.name == name]
            if len(found) != 1 or notes not in found[0].notes:
                missing.append(f"{name}: {len(found)} found")
                continue
            held = {one.name: one for one in program.database.matter_documents.documents(owner, found[0].id)}
            for paper in papers:
                wanted = PAPER.format(paper.removeprefix("contrato-").removesuffix(".txt")).encode()
                place = program.home / "matters" / held[paper].id if paper in held else None
                if place is None or not place.is_file() or _hash(place.read_bytes()) != _hash(wanted):
                    missing.append(f"{name}: {paper}")
        return missing


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
