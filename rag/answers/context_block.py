"""The context block that the answering model reads, within its token budget (S0.64, S3.72, X.4, X.12)."""

import re
from collections.abc import Hashable, Mapping, Sequence
from datetime import date

from law.chunks import ArticleKey, Chunk
from law.norms import DOCUMENT
from lexicon.ties import overtaken, transitional
from rag.shared.hits import Context, Hit
from text import rows
from text.token_count import count_tokens

HEADER = "CONTEXTO DE NORMATIVA VIGENTE:\n\n"
SEPARATOR = "\n\n---\n\n"
NO_RESULTS = "No se encontraron resultados relevantes en la normativa."

_PRIORITY = {"exact": 0, "search": 0, "day": 1, "need": 1, "part": 2, "reference": 3}
# Any bracket, invisible characters, and letters that look like a C: a model takes a lookalike for a marker.
_BLANK = r"[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*"
_SPOOF = re.compile(
    rf"[\[［【〔⟦](?={_BLANK}(?:[CСϹⅭＣF]|Fuente|Documento|Fragmento|Doc\.?){_BLANK}\d)", re.I
)
_ON_A_LINE = r"[^\S\n]*[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]{0,9}[^\S\n]*"
_RULE = re.compile(rf"^{_ON_A_LINE}[-=＝]{{3,}}{_ON_A_LINE}$", re.M)
_ASKS = re.compile(rf"^{_ON_A_LINE}(PREGUNTA){_ON_A_LINE}:", re.M | re.I)
_TAG = re.compile(r"<(?=/?think|\|)", re.I)
_BREAKS = re.compile("[\r\u2028\u2029\u0085\x0b\x0c]")


def build_context(
    hits: Sequence[Hit],
    budget: int,
    as_of: date | None = None,
    titles: Mapping[str, str] | None = None,
    own: Sequence[Hit] = (),
    *,
    over: Mapping[str, tuple[str, ...]] | None = None,
    hired: date | None = None,
) -> tuple[Context, list[str], int]:
    """Choose the hits that fit in `budget` tokens, by origin (searched hits before references), then score.

    A hit that does not fit is skipped and the next one tried. The order of `hits` is kept, with the parts of
    one article together and in their own order. With a day, provisions that another norm had displaced by
    then say so; articles name their transitional provisions.

    Args:
        titles: official names of norms, by id.
        own: fragments of the reader's documents, which stand last and always fit.
        over, hired: see `Context`.

    Returns:
        (context, chunk ids left out, tokens of the block).
    """
    context = Context(hits=tuple(hits), as_of=as_of, titles=titles or {}, over=over or {}, hired=hired)
    ranked = sorted(range(len(hits)), key=lambda i: (_PRIORITY.get(hits[i].origin, 2), -hits[i].score, i))
    kept: set[int] = set()
    used = count_tokens(HEADER)
    used += sum(count_tokens(block(len(hits), one.chunk) + SEPARATOR) for one in own)
    for i in ranked:
        size = count_tokens(_block(i, context) + SEPARATOR)
        if used + size <= budget:
            kept.add(i)
            used += size
    law = _by_article([hits[i] for i in sorted(kept)])
    context = context.model_copy(update={"hits": (*law, *own)})
    return context, [hit.chunk.id for i, hit in enumerate(hits) if i not in kept], used


def _by_article(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits with the parts of each article where its first one is, in order, a wording at a time."""
    places: dict[ArticleKey, int] = {}
    wordings: dict[Hashable, int] = {}
    for hit in hits:
        places.setdefault(hit.chunk.article, len(places))
        wordings.setdefault(hit.chunk.wording_key, len(wordings))

    def place(hit: Hit) -> tuple[int, int, int]:
        chunk = hit.chunk
        return places[chunk.article], wordings[chunk.wording_key], chunk.part

    return tuple(sorted(hits, key=place))


def render_context(context: Context) -> str:
    """The context as the message that asks begins with it."""
    blocks = [_block(i, context) for i in range(len(context.hits))]
    return HEADER + (SEPARATOR.join(blocks) or NO_RESULTS)


def _block(index: int, context: Context) -> str:
    hit = context.hits[index]
    chunk, day = hit.chunk, hit.day or context.as_of
    title, over = context.titles.get(chunk.norm_id, ""), context.over.get(chunk.id, ())
    return block(index, chunk, day, title, over, hired=context.hired)


def block(
    index: int,
    chunk: Chunk,
    as_of: date | None = None,
    title: str = "",
    over: Sequence[str] = (),
    *,
    hired: date | None = None,
) -> str:
    """One source of the context, without empty fields; its text cannot imitate a marker or a separator.

    Args:
        title: official name of the norm, with its number and date.
        over: captions and header of the table that the text goes on with.
        hired: as for `transitional`.
    """
    number = index + 1
    if chunk.collection == DOCUMENT:
        name = defuse(" ".join(chunk.chapter.split()))
        head = f"[C{number}] [Documento del expediente — {chunk.law}, {chunk.section} — {name}]"
        return f"{head}\nTexto: {defuse(chunk.text)}"
    displaced = overtaken(chunk.norm_id, chunk.block_id, as_of) if as_of else None
    tied = transitional(chunk.article, chunk.url, as_of, hired) if as_of else ()
    fields = (
        ("Ley", _law(chunk, title.strip(" ."))),
        ("Capítulo", chunk.chapter),
        ("Sección", chunk.section),
        ("Vigente", chunk.in_force),
        ("Carácter", "" if chunk.official else "resumen no oficial"),
        ("Superado", f"{displaced.says} ({displaced.source})" if displaced else ""),
        ("Régimen transitorio", " ".join(map(str, tied))),
        ("Resumen", chunk.summary),
        ("Fuente", chunk.url),
        ("Texto", "\n".join([*rows.ruled(over), chunk.text])),
    )
    lines = [f"{name}: {defuse(value)}" for name, value in fields if value]
    return "\n".join([f"[C{number}] [Fuente {number} — {defuse(chunk.collection)}]", *lines])


def _law(chunk: Chunk, title: str) -> str:
    """The official name of the norm, then, in brackets, those that lawyers use and it does not begin with."""
    official = title or chunk.law
    usual = dict.fromkeys(name for name in (chunk.law, chunk.alias) if name and not official.startswith(name))
    return f"{official} ({', '.join(usual)})" if usual else official


def defuse(text: str) -> str:
    """Text of a document with imitations of our markers, separators, question and of thinking replaced."""
    said = _TAG.sub("‹", _SPOOF.sub("(", _BREAKS.sub("\n", text)))
    return _ASKS.sub(r"\1 —", _RULE.sub("—", said))
