"""240 generated references to provisions of every norm: the one that is named comes first."""

import asyncio
import random
from datetime import date

import pytest

from law.norms import Block, BlockKind, Norm
from rag.retrieval.hybrid import search_queries
from rag.retrieval.scope import plan
from rag.shared.hits import SubQuery
from service.program.assembly import App
from tests.real_law import RealLaw

pytestmark = [pytest.mark.corpus, pytest.mark.slow]
TODAY = date(2026, 6, 1)
QUERIES = 240
ENOUGH = 0.98
KINDS = {
    BlockKind.ARTICLE: ("art. {}", "artículo {}", "Art {}", "ARTÍCULO {}", "articulo {}"),
    BlockKind.ADDITIONAL: ("disposición adicional {}", "disp. adicional {}", "d.a. {}"),
    BlockKind.TRANSITIONAL: ("disposición transitoria {}", "disp. transitoria {}"),
    BlockKind.FINAL: ("disposición final {}", "disp. final {}"),
}
ORDINALS = [
    "primera",
    "segunda",
    "tercera",
    "cuarta",
    "quinta",
    "sexta",
    "séptima",
    "octava",
    "novena",
    "décima",
]
AROUND = ("{}", "¿qué dice el {}?", "{}", "texto del {}", "según el {}")


def names(norm: Norm) -> list[str]:
    """How people name a norm: with its alias if it has one, by rank and number, by its name."""
    by_alias = [f"{{}} {norm.alias}", f"{{}} de la {norm.alias}"] if norm.alias else []
    by_number = [f"{{}} de la {norm.rank} {norm.number}", f"{{}} {norm.rank} {norm.number}"]
    by_name = [f"{{}} {'de la' if norm.law.startswith('Ley') else 'del'} {norm.law}"]
    return by_alias + (by_number if "/" in norm.number else []) + by_name


def number(block: Block, pick: random.Random) -> str:
    """'48 bis', '48.2' for an article; 'tercera', '3.ª', '3' for a disposición."""
    if block.kind is BlockKind.ARTICLE:
        return block.label if pick.random() < 0.8 or not block.label.isdigit() else f"{block.label}.1"
    value = block.label.split(" ", 1)[1]
    if not value.isdigit():
        return value
    return pick.choice([*ORDINALS[int(value) - 1 : int(value)], f"{value}.ª", value])


def named_blocks(program: App, norm: Norm) -> list[Block]:
    """The blocks of a norm that can be named and say something today."""
    found = program.database.corpus.norm_chunks(norm.id)
    said = {c.block_id for c in found if c.in_force_on(TODAY)}
    return [
        b for b in program.database.corpus.blocks(norm.id) if b.kind in KINDS and b.label and b.id in said
    ]


def generated(program: App, count: int) -> list[tuple[str, str, str]]:
    """(query, norm id, label); the same in every run."""
    pick = random.Random(20)
    in_force = {
        norm.id: blocks for norm in program.database.corpus.norms() if (blocks := named_blocks(program, norm))
    }
    norms = [norm for norm in program.database.corpus.norms() if norm.id in in_force]
    found: dict[str, tuple[str, str]] = {}
    while len(found) < count:
        norm = pick.choice(norms)
        block = pick.choice(in_force[norm.id])
        named = pick.choice(KINDS[block.kind]).format(number(block, pick))
        query = pick.choice(AROUND).format(pick.choice(names(norm)).format(named))
        found.setdefault(query, (norm.id, block.label))
    return [(query, *right) for query, right in found.items()]


def first(program: App, query: str) -> tuple[str, str] | None:
    services = program.services
    planned = plan(services, TODAY, mode="lexical")
    (_, hits), *_ = asyncio.run(search_queries(services, [(None, SubQuery(text=query))], planned)).searches
    return (hits[0].chunk.norm_id, hits[0].chunk.label) if hits else None


def test_a_provision_named_in_any_usual_way_comes_first(real_law: RealLaw) -> None:
    program = real_law.program
    queries = generated(program, QUERIES)
    wrong = {query: first(program, query) for query, *right in queries if first(program, query) != (*right,)}
    assert len({norm for _, norm, _ in queries}) >= 40
    assert len(wrong) <= (1 - ENOUGH) * len(queries), wrong
