"""Names of norms and provisions in the findings of a brief. Pure functions."""

from casework.briefs.findings import Provision
from casework.briefs.forms import PRIVATE
from law.labels import fold
from law.norms import Block, Norm
from loading.chunking.chunk import block_url

_KINDS = {
    "da": "disposición adicional",
    "dt": "disposición transitoria",
    "dd": "disposición derogatoria",
    "df": "disposición final",
}


def block_name(label: str) -> str:
    """'artículo 38', 'disposición adicional 3', 'anexo I'."""
    prefix, _, rest = label.partition(" ")
    if prefix in _KINDS:
        return f"{_KINDS[prefix]} {rest}"
    return label if label.startswith("anexo") else f"artículo {label}"


def part_name(provision: Provision) -> str:
    """'apartado 3, letra b)'; empty for a whole article."""
    apartado = f"apartado {provision.apartado}" if provision.apartado else ""
    letter = f"letra {provision.letter})" if provision.letter else ""
    return ", ".join(filter(None, (apartado, letter)))


def named(provision: Provision) -> str:
    """'artículo 49.1.c)'; empty for a whole norm."""
    if not provision.label:
        return ""
    letter = f"{provision.letter})" if provision.letter else ""
    return ".".join(filter(None, (block_name(provision.label), provision.apartado, letter)))


def is_private(provision: Provision) -> bool:
    """True of an article of an agreement, a contract, statutes: of what is no norm of a corpus of laws."""
    return provision.norm_id is None and bool(PRIVATE.match(fold(provision.named)))


def address(norm: Norm | None, block: Block | None = None) -> str:
    """Where a block, or a norm, can be read."""
    if norm is None:
        return ""
    return (block.attributes.get("url") or block_url(norm, block.id)) if block else norm.url
