"""Articles and remisiones as links to their documents."""

from collections.abc import Iterable, Sequence

import streamlit as st

from law.chunks import Chunk
from pages.parts.common.layout import link
from pages.parts.common.words import today
from service.members.member import Member


def article_links(chunks: Iterable[Chunk], key: str, icon: str = ":material/article:") -> int:
    """A link to the document of each article among the fragments; returns the number of articles."""
    blocks = {(chunk.norm_id, chunk.block_id): chunk for chunk in chunks}
    if blocks:
        with st.container(horizontal=True, key=key, gap="small"):
            for (norm_id, block_id), chunk in blocks.items():
                link(chunk.name, icon=icon, doc=norm_id, block=block_id)
    return len(blocks)


def show_references(app: Member, chunk_ids: Sequence[str], key: str) -> int:
    """A link to each article in force today that these fragments refer to; returns their number."""
    found = app.corpus.referenced(chunk_ids, today())
    targets = app.corpus.chunks(list(dict.fromkeys(item for ids in found.values() for item in ids)))
    return article_links(targets, f"references-{key}", ":material/subdirectory_arrow_right:")
