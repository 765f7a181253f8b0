"""Remisiones as links to the documents that they name."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.common.layout import link
from pages.parts.common.words import today
from service.members.member import Member


def show_references(app: Member, chunk_ids: Sequence[str], key: str) -> int:
    """A link to each article that these fragments refer to, in force today; how many there are."""
    found = app.corpus.referenced(chunk_ids, today())
    targets = app.corpus.chunks(list(dict.fromkeys(item for ids in found.values() for item in ids)))
    blocks = {(chunk.norm_id, chunk.block_id): chunk for chunk in targets}
    if blocks:
        with st.container(horizontal=True, key=f"references-{key}", gap="small"):
            for (norm_id, block_id), chunk in blocks.items():
                link(chunk.name, doc=norm_id, block=block_id, icon=":material/subdirectory_arrow_right:")
    return len(blocks)
