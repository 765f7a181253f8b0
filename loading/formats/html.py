"""Reads an HTML page into documents: the BOE's consolidated text by blocks, any other by its main part."""

import re
from collections.abc import Iterator

from lxml import etree, html

from core.errors import InputError
from law import dates
from law.norms import Document
from loading.formats import headings
from loading.formats.assemble import assemble
from loading.formats.broken_lines import Paragraph
from loading.formats.encoding import clean, decode, one_line
from loading.formats.markdown_tables import markdown_rows, markup_rows
from loading.formats.source_file import Source
from loading.formats.word_numbers import formatted
from loading.formats.word_text import CHANGES

_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w-]{3,20})", re.IGNORECASE)
_MAIN = (
    "//*[@id='textoxslt']",
    "//*[@id='DOdocText']",
    "//main",
    "//*[@role='main']",
    "//article",
    "//*[@id='contenido']",
)
_OUT = re.findall(
    r"\w+",
    """script style nav del noscript template svg button select iframe object video audio head""",
)
_OUT_CLASSES = frozenset({"linkSubir", "breadcrumb", "menu", "nota_pie", "nota_pie_2", "ocultar"})
_BLOCKS = frozenset(
    re.findall(
        r"\w+",
        """p div section article main ul ol li dl dt dd table h1 h2 h3 h4 h5 h6 blockquote pre br hr figure
        center body td th tr tbody thead fieldset address details summary form header aside footer""",
    )
)
_BOE_MARK = re.compile(r"\[Bloque \d+: #[\w-]+\]")
_BOE_BLOCK = re.compile(r"[a-z][\w~-]{0,39}")
_BOE_ID = re.compile(r"BOE-[A-Z]-\d{4}-\d{1,6}")
_SAID = re.compile(rf"Referencia:\s*({_BOE_ID.pattern})")
_PRINTED = re.compile(rf"Publicado en:\s*(\W?BO.{{1,80}}?\b{dates.ANY})")
MAX_CONTROLS = 500
_NUMBERED = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_MARKED = re.compile(
    r"[|•·*–—-]|\d{1,2}(?:\.\d{1,2})+[.)]?\s"
    r"|(?:(?:\d{1,3}|[a-zñ]|[ivxlc]{1,5})(?:\.?[ºª°]|[.)])|\w{1,3}\))-?(?!\w)",
    re.IGNORECASE,
)
_MARK = "marca"
MARGINS = (
    "La página tiene partes aparte del texto, como notas al margen o un pie, que no se han cargado: "
    "compruebe que no las necesita."
)
_NOISE = re.compile(r"\[?(?:Subir|Jurisprudencia|Ayuda|Imprimir|Volver)\]?", re.IGNORECASE)
MAX_DEPTH = 200


def load(source: Source, collection: str) -> list[Document]:
    """The documents of a page.

    Raises:
        InputError: it cannot be read as HTML, or holds no text.
    """
    root = _parse(source)
    title, reference, heads = _boe_title(root), _reference(root), _PRINTED.findall(_text(root))[:1]
    warnings = [CHANGES] if any(_text(one).strip() for one in root.iter("del", "ins")) else []
    _strip(root)
    _number(root)
    body = _main(root)
    if _leave_margins(body):
        warnings.append(MARGINS)
    found = [
        p for p in _paragraphs(body, 0) if not _BOE_MARK.fullmatch(p.text) and not _NOISE.fullmatch(p.text)
    ]
    if title and not any(p.text == title for p in found[:20]):
        found.insert(0, Paragraph(title, 1))
    return assemble(source.name, found, collection, warnings, reference, heads=heads)


def _parse(source: Source) -> etree._Element:
    declared = _CHARSET.search(source.data[:4096])
    text = ""
    if declared and not source.data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        try:
            text = clean(source.data.decode(declared.group(1).decode("ascii")))
        except (LookupError, UnicodeDecodeError):
            text = ""
    text = text or decode(source.data, source.name)
    parser = html.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=False
    )
    try:
        root = html.document_fromstring(text.encode("utf-8"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise InputError(
            f"{source.name}: no se puede leer como HTML; guarde la página otra vez o súbala en PDF."
        ) from error
    return root


def _main(root: etree._Element) -> etree._Element:
    """The element with the main text: the first usual place with more than 200 characters, else the body."""
    for path in _MAIN:
        for element in _find(root, path):
            if len(_text(element)) > 200:
                return element
    body = root.find("body")
    return root if body is None else body


def _strip(root: etree._Element) -> None:
    """Remove elements outside the document's text: scripts, menus, the page's own header, small forms."""
    etree.strip_elements(root, *_OUT, with_tail=False)
    hidden = [e for e in root.iter() if e.get("hidden") is not None or _OUT_CLASSES & set(_classes(e))]
    headers = _find(root, "//body/header")
    forms = [form for form in root.iter("form") if len(_text(form)) < MAX_CONTROLS]
    for element in (*hidden, *headers, *forms):
        _remove(element)


def _number(root: etree._Element) -> None:
    """Keep in each item of a list what a browser writes before it."""
    for item in root.iter("li"):
        item.set(_MARK, "-")
    for found in root.iter("ol"):
        if re.search(r"list-style[^;]*\bnone\b", found.get("style") or ""):
            continue
        items = list(found.iterchildren("li"))
        backwards = found.get("reversed") is not None
        number = _whole(found.get("start"), len(items) if backwards else 1)
        for item in items:
            number = _whole(item.get("value"), number)
            kind = _NUMBERED.get(found.get("type") or "", "")
            item.set(_MARK, f"{formatted(number, kind)}{')' if kind else '.'}")
            number += -1 if backwards else 1


def _whole(text: str | None, otherwise: int) -> int:
    found = re.fullmatch(r"\s*(-?\d{1,5})\s*", text or "")
    return int(found[1]) if found else otherwise


def _leave_margins(body: etree._Element) -> bool:
    """Remove menus in asides and footers, and those of a page without a main part; True if text is lost."""
    lost = False
    for element in list(body.iter("aside", "footer")):
        links = sum(len(_text(link)) for link in element.iter("a"))
        menu = 2 * links >= len(_text(element))
        if menu or (
            body.tag == "body" and next(element.iterancestors("main", "article", "section"), None) is None
        ):
            lost = lost or not menu
            _remove(element)
    return lost


def _remove(element: etree._Element) -> None:
    """Empty an element, without what follows it."""
    tail = element.tail
    element.clear()
    element.tail = tail


def _classes(element: etree._Element) -> list[str]:
    return (element.get("class") or "").split()


def _paragraphs(parent: etree._Element, depth: int) -> Iterator[Paragraph]:
    """Paragraphs in reading order; text between two block elements is also a paragraph."""
    pieces: list[str] = [parent.text or ""]
    for child in parent:
        if child.tag in _BLOCKS or any(below.tag in _BLOCKS for below in child.iterdescendants()):
            yield from _flush(pieces, parent)
            yield from _block(child, depth + 1)
            pieces = []
        else:
            pieces.append(_text(child))
        pieces.append(child.tail or "")
    yield from _flush(pieces, parent)


def _text(element: etree._Element) -> str:
    return "".join(map(str, element.itertext()))


def _find(root: etree._Element, path: str) -> list[etree._Element]:
    found = root.xpath(path)
    return [item for item in found if isinstance(item, etree._Element)] if isinstance(found, list) else []


def _block(element: etree._Element, depth: int) -> Iterator[Paragraph]:
    if depth > MAX_DEPTH:
        yield from _flush([_text(element)], element)
    elif element.tag == "table" and not element.findall(".//table"):
        caption = element.find("caption")
        yield from _flush([one_line(_text(caption))] if caption is not None else [], element)
        rows = markup_rows(element, lambda cell: one_line(_text(cell)))
        yield from (Paragraph(row) for row in markdown_rows(rows))
    elif element.tag == "li":
        yield from _listed(_paragraphs(element, depth), element.get(_MARK) or "-")
    elif element.tag != "br":
        yield from _anchored(_paragraphs(element, depth), element)


def _anchored(found: Iterator[Paragraph], element: etree._Element) -> Iterator[Paragraph]:
    """A block of the BOE gives its id, which its address ends in, to the heading in it."""
    name = element.get("id") or ""
    pending = "bloque" in _classes(element) and _BOE_BLOCK.fullmatch(name) is not None
    for paragraph in found:
        begins = pending and headings.provision(paragraph.text) is not None
        yield paragraph._replace(anchor=name) if begins else paragraph
        pending = pending and not begins


def _listed(found: Iterator[Paragraph], mark: str) -> Iterator[Paragraph]:
    """An item's mark before its first paragraph, unless that has one of its own or is a heading."""
    first = next(found, None)
    if first is not None:
        plain = first.heading or headings.starts(first.text) or _MARKED.match(first.text)
        yield first if plain else first._replace(text=f"{mark} {first.text}")
    yield from found


def _flush(pieces: list[str], parent: etree._Element) -> Iterator[Paragraph]:
    text = one_line("".join(pieces))
    if text:
        tag = str(parent.tag)
        level = int(tag[1]) if re.fullmatch(r"h[1-6]", tag) else 0
        yield Paragraph(text, level)


def _boe_title(root: etree._Element) -> str:
    found = _find(root, "//*[contains(@class, 'documento-tit')]")
    return one_line(_text(found[0])) if found else ""


def _reference(root: etree._Element) -> str:
    """The identifier that a page of the BOE gives for itself."""
    if said := _SAID.search(_text(root)):
        return said.group(1)
    links = (link.get("href") or "" for link in root.iter("link") if link.get("rel") == "canonical")
    return next((found.group() for link in links if (found := _BOE_ID.search(link))), "")
