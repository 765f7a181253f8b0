"""The text of a preview: each article folded under its heading, as it would be stored."""

from functools import partial

from law.changes import pairs
from law.norms import Block, BlockKind
from loading.ingestion.preview import Preview
from pages.parts.common.html import note, show
from pages.parts.common.listing import growing
from pages.parts.common.render import label_text
from pages.parts.common.widgets import choose, panel
from pages.parts.normativa.article import show_diff, show_wording
from pages.parts.normativa.words import block_name
from service.members.member import Member

SHOWN = 50
SAME = "Las últimas redacciones tienen el mismo texto: cambian las anteriores o sus fechas."
TOO_LONG = "Esta carga tiene demasiado texto para mostrarlo aquí: véalo en el documento una vez cargado."


def show_text(result: Preview, key: str) -> None:
    """Every block in reading order, a number of them at a time."""
    blocks = [block for block in result.blocks if block.versions]
    if not blocks:
        show(note(TOO_LONG))
        return
    placed, draw = list(enumerate(blocks)), partial(_show_block, key)
    growing(placed, SHOWN, f"blocks-{key}", draw, more="Ver más artículos", gap="xsmall")


def show_words(app: Member, result: Preview, key: str) -> None:
    """An article that changes, as it is loaded and as it would be, word by word."""
    stored = app.corpus.document(result.norm.id)
    changed = [
        (old, new)
        for old, new in pairs(stored.blocks if stored else (), result.blocks)
        if old and new and old.versions[-1].text != new.versions[-1].text
    ]
    if not changed:
        show(note(TOO_LONG if not result.blocks else SAME))
        return
    titles = {place: new.title or block_name(new) for place, (_, new) in enumerate(changed)}
    old, new = changed[choose(None, "Precepto", titles, f"which-{key}", keep=False)]
    show_diff(old.versions[-1].text, new.versions[-1].text, "Como está cargado", "Como quedaría")


def _show_block(key: str, placed: tuple[int, Block]) -> None:
    place, block = placed
    title = block.title or block_name(block)
    if block.kind is BlockKind.HEADING:
        show(note(title))
        return
    panel(label_text(title), f"text-{key}-{place}", partial(show_wording, block.versions[-1]))
