"""Chunks: the unit that is indexed, retrieved and cited."""

from datetime import date
from typing import Self

from core.values import Value
from law.in_force import in_force
from law.norms import STATE_LEVEL, BlockKind, dated

ArticleKey = tuple[str, str]
"""Ids of a norm and of one of its blocks."""


class Chunk(Value):
    """The unit that is indexed, retrieved and cited: a wording of a block, or one part of it.

    Attributes:
        id: stable and readable, '<norm>/<block>@<valid_from>#<part>'.
        section: the block's title, 'Artículo 38. Vacaciones anuales.'
        chapter: 'TÍTULO I … > CAPÍTULO II …', outermost first.
        apartados: first and last apartado of this part, '1-3', '4', or empty.
        start, end: character offsets of `text` in the wording's text.
        flags: kinds of content: 'plazo', 'importe', 'porcentaje', 'remision', 'derogado', 'aval'.
        content_hash: SHA-256 of the embedded and indexed text (hex).
    """

    id: str
    collection: str
    norm_id: str
    block_id: str
    kind: BlockKind
    label: str
    law: str
    alias: str = ""
    rank: str = ""
    chapter: str = ""
    section: str
    text: str
    position: int = 0
    part: int = 1
    parts: int = 1
    apartados: str = ""
    start: int
    end: int
    valid_from: date
    valid_to: date | None = None
    territory: str = STATE_LEVEL
    section_type: str = "general"
    official: bool = True
    url: str = ""
    page: int | None = None
    summary: str = ""
    keywords: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    content_hash: str

    @property
    def name(self) -> str:
        """Its name in a citation: 'ET · Artículo 38'."""
        numbered = self.kind is BlockKind.ARTICLE and self.label
        block = f"Artículo {self.label}" if numbered else self.section.split(". ")[0].rstrip(".")
        return f"{self.alias or self.law} · {block}"

    @property
    def in_force(self) -> str:
        """'desde 01/01/2020', and 'hasta 31/12/2024' if an end is known; '' if its start is not."""
        since = dated(self.valid_from)
        until = f" hasta {self.valid_to:%d/%m/%Y}" if self.valid_to else ""
        return f"desde {since:%d/%m/%Y}{until}" if since else ""

    def in_force_on(self, day: date) -> bool:
        return in_force(self.valid_from, self.valid_to, day)

    def without_aids(self) -> Self:
        """The chunk with the law's own words only."""
        return self.model_copy(update={"keywords": (), "questions": ()})

    @property
    def headed(self) -> str:
        """The text with its heading, which is added to every part but the first: what is embedded, and read.

        A prefix with the norm's name was measured and does not help.
        """
        return self.text if self.text.startswith(self.section) else f"{self.section}\n{self.text}"

    @property
    def article(self) -> ArticleKey:
        return (self.norm_id, self.block_id)

    @property
    def wording_key(self) -> tuple[ArticleKey, date]:
        """Key that the parts of one wording of an article share."""
        return self.article, self.valid_from


def article_of(chunk_id: str) -> ArticleKey:
    """Norm and block of a chunk id, '<norm>/<block>@<valid_from>#<part>'."""
    norm, _, rest = chunk_id.partition("/")
    return norm, rest.partition("@")[0]
