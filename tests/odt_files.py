"""ODT files from their XML, as LibreOffice writes them."""

from tests.office_files import zipped

TEXT = "application/vnd.oasis.opendocument.text"
_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_SPACES = " ".join(
    f'xmlns:{name}="{_ODF}:{name}:1.0"' for name in ("office", "text", "table", "style", "draw")
) + (
    f' xmlns:svg="{_ODF}:svg-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
)


def p(*inside: str, style: str = "Standard") -> str:
    """A paragraph of texts and XML."""
    return f'<text:p text:style-name="{style}">{"".join(inside)}</text:p>'


def h(text: str, level: int = 1, more: str = "") -> str:
    """A heading."""
    return f'<text:h text:outline-level="{level}" {more}>{text}</text:h>'


def listed(*items: str, style: str = "", more: str = "") -> str:
    """A list whose items are XML; one that begins with '@5 ' starts at 5."""
    made = "".join(
        f'<text:list-item text:start-value="{item[1]}">{item[3:]}</text:list-item>'
        if item.startswith("@")
        else f"<text:list-item>{item}</text:list-item>"
        for item in items
    )
    named = f'text:style-name="{style}"' if style else ""
    return f"<text:list {named} {more}>{made}</text:list>"


def levels(name: str, *formats: tuple[str, str, str], display: int = 1) -> str:
    """A list style: (prefix, format, suffix) of each level; an empty format is that of a bullet."""
    made = "".join(
        f'<text:list-level-style-number text:level="{at}" style:num-prefix="{before}"'
        f' style:num-format="{kind}" style:num-suffix="{after}" text:display-levels="{min(display, at)}"/>'
        if kind
        else f'<text:list-level-style-bullet text:level="{at}" text:bullet-char="•"/>'
        for at, (before, kind, after) in enumerate(formats, 1)
    )
    return f'<text:list-style style:name="{name}">{made}</text:list-style>'


def note(text: str, kind: str = "footnote") -> str:
    """A note as it stands in the text that refers to it."""
    return (
        f'<text:note text:note-class="{kind}"><text:note-citation>1</text:note-citation>'
        f"<text:note-body>{p(text)}</text:note-body></text:note>"
    )


def cell(text: str, across: int = 1, down: int = 1) -> str:
    """A cell of a table; those that it covers are not written."""
    spans = f'table:number-columns-spanned="{across}" table:number-rows-spanned="{down}"'
    return f"<table:table-cell {spans}>{p(text)}</table:table-cell>"


COVERED = "<table:covered-table-cell/>"


def tabled(*rows: str) -> str:
    """A table of rows of cells; the first one is its header."""
    first, *rest = (f"<table:table-row>{row}</table:table-row>" for row in rows)
    return (
        f"<table:table><table:table-column/><table:table-header-rows>{first}</table:table-header-rows>"
        f"{''.join(rest)}</table:table>"
    )


def odt(*body: str, styles: str = "", shared: str = "", kind: str = "text", manifest: str = "") -> bytes:
    """An ODT with that body, its automatic styles, and what styles.xml holds."""
    files = {
        "mimetype": TEXT,
        "META-INF/manifest.xml": f"<manifest>{manifest}</manifest>",
        "content.xml": (
            f"<office:document-content {_SPACES}><office:automatic-styles>{styles}</office:automatic-styles>"
            f"<office:body><office:{kind}>{''.join(body)}</office:{kind}></office:body>"
            "</office:document-content>"
        ),
        "styles.xml": f"<office:document-styles {_SPACES}>{shared}</office:document-styles>",
    }
    return zipped({name: content.encode() for name, content in files.items()})
