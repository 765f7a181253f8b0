"""Addresses of consolidated texts on the BOE's site."""

import re
from datetime import date

from law.chunks import ArticleKey

ADDRESS = "https://www.boe.es/buscar/act.php?id="
PRINTED = "https://www.boe.es/diario_boe/txt.php?id="
_BLOCK = re.compile(rf"{re.escape(ADDRESS)}(?P<norm>[\w-]+)[^#]*#(?P<block>\w+)")


def consolidated(norm_id: str, block_id: str = "") -> str:
    """The address of the text in force, at one of its blocks if given."""
    return f"{ADDRESS}{norm_id}#{block_id}" if block_id else f"{ADDRESS}{norm_id}"


def published(norm_id: str) -> str:
    """The address of a text as the journal printed it."""
    return f"{PRINTED}{norm_id}"


def as_published(url: str, published: date) -> str:
    """The address of the text as it was after the update published on that day; other addresses unchanged."""
    page, mark, block = url.partition("#")
    if not page.startswith(ADDRESS) or "&" in page:
        return url
    return f"{page}&tn=1&p={published:%Y%m%d}{mark}{block}"


def of_boe(article: ArticleKey, url: str) -> ArticleKey:
    """Norm and block of the BOE's text at the address of an article, which may summarise it; else its own."""
    found = _BLOCK.fullmatch(url)
    return (found["norm"], found["block"]) if found else article
