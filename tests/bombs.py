"""Files made to be too much for whoever reads them, each as big as it is told to be.

`PATTERNS` are what quadratic costs come from: repeated names, things that are opened and not closed, things
that span others. `CRUSHERS` are files that no limit but that of the process that reads them stops.
"""

import json
import zlib
from collections.abc import Callable, Mapping
from typing import NamedTuple

from loading.formats.word_numbers import formatted
from tests import odt_files, word_files
from tests.office_files import Drawn, packed_pdf, pdf, zipped
from tests.pdf_drawings import table
from tests.sheet_files import book, rows, sheet

Made = Callable[[int], bytes]


class Pattern(NamedTuple):
    """A file by the number of what it repeats.

    Attributes:
        name: of the file.
        repeated: how often, so that it is read in less than a tenth of a second.
    """

    name: str
    made: Made
    repeated: int


def aliases(depth: int) -> bytes:
    """Markdown whose front matter says nine times nine times… the same."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, depth)]
    return "\n".join(["---", *lines, "---", "# Ley", "", "Texto."]).encode()


def drawing(lines: int) -> bytes:
    """A PDF whose one page draws so many lines."""
    return pdf([Drawn("0 0 m 1 1 l S\n" * lines)])


def swollen(megabytes: int) -> bytes:
    """A PDF whose one page is so big and compressed twice, which makes a few kilobytes of it."""
    return packed_pdf(
        zlib.compress(zlib.compress(b" " * (megabytes << 20), 9), 9), "[/FlateDecode/FlateDecode]"
    )


def _lines(*lines: str) -> bytes:
    return "\n".join(lines).encode()


def _page(text: str) -> bytes:
    return f"<html><body><main>{text}</main></body></html>".encode()


def _merged_rows(count: int) -> bytes:
    cell = "<w:tc><w:tcPr><w:vMerge{}/></w:tcPr><w:p><w:r><w:t>Uno</w:t></w:r></w:p></w:tc>"
    first, more = cell.format(' w:val="restart"'), cell.format("")
    lines = "".join(f"<w:tr>{more if n % 300 else first}</w:tr>" for n in range(count))
    return word_files.word_xml(f"<w:tbl>{lines}</w:tbl>")


def _overrides(count: int) -> bytes:
    level = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    numbering = word_files.levels(("decimal", "%1."), more=level * count)
    return word_files.word_xml(*[word_files.p("Texto.", list_id="1")] * count, numbering=numbering)


def _styles(count: int) -> bytes:
    style = (
        '<w:style w:type="paragraph" w:styleId="s{}"><w:name w:val="s{}"/><w:basedOn w:val="s{}"/></w:style>'
    )
    chain = "".join(style.format(n, n, n + 1) for n in range(count))
    return word_files.word_xml(*[word_files.p("Texto.", style="s0")] * count, styles=chain)


def _repeated(count: int) -> bytes:
    cell = (
        '<table:table-cell table:number-columns-repeated="1000000" table:number-rows-spanned="99">'
        "<text:p>x</text:p></table:table-cell>"
    )
    row = f"<table:table-row>{cell}</table:table-row>"
    return odt_files.odt(f"<table:table>{row * count}</table:table>")


def _day(number: int) -> str:
    """A day of its own for each number, as the BOE writes it."""
    return f"{1600 + number // 336}{number // 28 % 12 + 1:02}{number % 28 + 1:02}"


def _block(number: int, *versions: str) -> str:
    return f"<bloque id='a{number}' tipo='precepto'>{''.join(versions)}</bloque>"


def _version(number: int, *lines: str) -> str:
    return f"<version fecha_vigencia='{_day(number)}'>{''.join(f'<p>{one}</p>' for one in lines)}</version>"


def _wordings(count: int) -> bytes:
    days = (f"{day[:4]}-{day[4:6]}-{day[6:]}" for day in map(_day, range(count)))
    return _lines("# Ley", *(f"## Artículo 1\n<!-- block: a1; valid_from: {d} -->\nTexto {d}." for d in days))


def _far_rows(count: int) -> str:
    places = (n * 999 + 1 for n in range(count))
    return "".join(f'<row r="{at}"><c r="A{at}"><v>1</v></c></row>' for at in places)


def _boe(blocks: str) -> bytes:
    return (
        "<response><data><metadatos><identificador>X</identificador><titulo>Ley</titulo></metadatos></data>"
        f"{blocks}</response>"
    ).encode()


def _annexes(count: int) -> bytes:
    """As many wordings as annexes, one in each."""
    head = ("Disposición final única. Luz.", "Texto.")
    each = (
        _version(n, *head, f"ANEXO {formatted(n % 3999 + 1, 'upperRoman')}", "Texto.") for n in range(count)
    )
    return _boe(_block(1, *each))


PATTERNS: Mapping[str, Pattern] = {
    "comments that do not end": Pattern("a.md", lambda n: b"# Ley\n\n" + b"<!-- " * n, 3000),
    "blanks before no comment": Pattern("a.md", lambda n: b"# Ley\n\nx" + b" " * n + b"<!x", 50_000),
    "fields of a comment": Pattern(
        "a.md", lambda n: b"#### Uno\n<!-- url: x" + b"; \n" * n + b"-->\n\nx", 5000
    ),
    "headings inside an article": Pattern(
        "a.md", lambda n: _lines("# Ley", "## Artículo 1", *["### Uno", "Dos."] * n), 500
    ),
    "wordings of a block": Pattern("a.md", _wordings, 300),
    "headings of the same name": Pattern(
        "a.md", lambda n: _lines("# Ley", *["## Artículo 1", "Texto."] * n), 500
    ),
    "brackets in the front matter": Pattern(
        "a.md", lambda n: b"---\na: " + b"[" * n + b"\n---\n# Ley\n\nTexto.", 500
    ),
    "articles of the same number": Pattern(
        "a.txt",
        lambda n: _lines(
            "Ley 1/2020, de 1 de enero, de luz.", *(f"Artículo 1. Luz {k}.\nTexto." for k in range(n))
        ),
        500,
    ),
    "articles inside a quotation": Pattern(
        "a.txt",
        lambda n: _lines(
            "Ley 1/2020, de 1 de enero, de luz.",
            "Artículo 1. Luz.",
            "Queda: «",
            *(f"Artículo {k}. Luz.\n\nTexto." for k in range(n)),
        ),
        1000,
    ),
    "paragraphs without articles": Pattern(
        "a.txt", lambda n: _lines(*["Texto de una página que no tiene artículos.\n"] * n), 2000
    ),
    "one paragraph": Pattern("a.txt", lambda n: b"Texto de una sola linea. " * n, 4000),
    "one word": Pattern("a.txt", lambda n: b"a" * n, 100_000),
    "full stops": Pattern("a.txt", lambda n: b"Texto " + b"." * n + b"x", 1000),
    "commas": Pattern("a.txt", lambda n: b"Texto " + b", " * n + b"x", 1000),
    "opening quotes": Pattern("a.txt", lambda n: "«".encode() * n + b"x", 1000),
    "one wrapped paragraph": Pattern(
        "a.txt", lambda n: b"texto de un parrafo que sigue en todas las lineas que vienen\n" * n, 2000
    ),
    "a rule that does not end": Pattern("a.txt", lambda n: b"---a" + b" " * n + b"b", 1000),
    "a rule of rules": Pattern("a.txt", lambda n: b"---a" + b"-" * n + b"b", 1000),
    "dots and no page": Pattern("a.txt", lambda n: b"a" + b". " * n + b"b1", 1000),
    "marks on a letter": Pattern("a.txt", lambda n: ("Texto e" + "\u0301\u0323" * n).encode(), 2000),
    "apartados of an article": Pattern(
        "a.txt",
        lambda n: _lines(
            "Ley 1/2020, de 1 de enero, de luz.",
            "Artículo 1. Luz.",
            *(f"{k}. Texto del apartado que es así de largo." for k in range(n)),
        ),
        1000,
    ),
    "letters of an apartado": Pattern(
        "a.txt",
        lambda n: _lines(
            "Ley 1/2020, de 1 de enero, de luz.",
            "Artículo 1. Luz.",
            *["a) Texto de la letra que es así de largo."] * n,
        ),
        1000,
    ),
    "an agreement of many articles": Pattern(
        "a.txt",
        lambda n: _lines(
            "Convenio colectivo de los faros",
            "Artículo 1. Ámbito funcional.",
            *(f"Artículo {k}. Ámbito.\nTexto." for k in range(n)),
        ),
        1000,
    ),
    "a ruling of many sections": Pattern(
        "a.txt",
        lambda n: _lines(
            "SENTENCIA", "ANTECEDENTES DE HECHO", *["FUNDAMENTOS DE DERECHO", "PRIMERO.- Texto."] * n
        ),
        1000,
    ),
    "capitals": Pattern("a.txt", lambda n: _lines(*["TEXTO EN MAYÚSCULAS", "y texto."] * n), 1000),
    "norms of a compilation": Pattern(
        "a.txt",
        lambda n: _lines(
            *(f"§ {k}\nLey {k}/2020, de 1 de enero, de luz.\nArtículo 1. Luz.\nTexto." for k in range(1, n))
        ),
        200,
    ),
    "norms of the same name": Pattern(
        "a.txt",
        lambda n: _lines(
            *(f"§ {k}\nLey 1/2020, de 1 de enero, de luz.\nArtículo 1. Luz.\nTexto." for k in range(1, n))
        ),
        200,
    ),
    "divisions": Pattern(
        "a.txt",
        lambda n: _lines(
            "Ley 1/2020, de 1 de enero, de luz.",
            *["TÍTULO I", "Luz", "CAPÍTULO II", "Más luz", "Artículo 1. Luz.", "Texto."] * n,
        ),
        300,
    ),
    "open elements": Pattern("a.html", lambda n: _page("<span><b>" * n + "x"), 2000),
    "open blocks": Pattern("a.html", lambda n: _page("<div>" * n + "x"), 2000),
    "open tables": Pattern("a.html", lambda n: _page("<table><tr><td>x" * n), 300),
    "wide cells": Pattern(
        "a.html", lambda n: _page("<table>" + "<tr><td colspan=1000 rowspan=1000>x" * n + "</table>"), 300
    ),
    "paragraphs of a page": Pattern("a.html", lambda n: _page("<p>Uno<br>" * n), 2000),
    "items of a page": Pattern("a.html", lambda n: _page("<ul>" + "<li><b>x</b><i>y</i>" * n), 2000),
    "merged cells": Pattern("a.docx", _merged_rows, 600),
    "numbering overrides": Pattern("a.docx", _overrides, 300),
    "styles based on others": Pattern("a.docx", _styles, 300),
    "paragraphs of a document": Pattern(
        "a.docx", lambda n: word_files.word_xml(*[word_files.p("Texto.")] * n), 2000
    ),
    "articles of a document": Pattern(
        "a.docx",
        lambda n: word_files.word_xml(
            word_files.p("Queda: «"), *[word_files.p(f"Artículo {k}. Luz.") for k in range(n)]
        ),
        1000,
    ),
    "cells of a sheet": Pattern("a.xlsx", lambda n: book({"a": sheet(rows(*[("x", 1)] * n))}), 2000),
    "merged ranges of a sheet": Pattern(
        "a.xlsx", lambda n: book({"a": sheet(rows(*[("x", 1)] * n), merged=["A1:B9"] * n)}), 500
    ),
    "hidden columns": Pattern(
        "a.xlsx",
        lambda n: book({"a": sheet(rows(("x", 1)), columns='<col min="1" max="16384" hidden="1"/>' * n)}),
        50,
    ),
    "rows far apart": Pattern("a.xlsx", lambda n: book({"a": sheet(_far_rows(n))}), 500),
    "paragraphs of an ODT": Pattern("a.odt", lambda n: odt_files.odt(*[odt_files.p("Texto.")] * n), 2000),
    "repeated cells of an ODT": Pattern("a.odt", _repeated, 200),
    "lists of an ODT": Pattern(
        "a.odt", lambda n: odt_files.odt(odt_files.listed(*[odt_files.p("x")] * n)), 1000
    ),
    "chunks of a law": Pattern(
        "a.json",
        lambda n: json.dumps(
            [{"law": "Ley", "section": "Artículo 1", "text": f"Texto {k}"} for k in range(n)]
        ).encode(),
        1000,
    ),
    "chunks of the same name": Pattern(
        "a.json",
        lambda n: json.dumps(
            [{"law": "Ley", "section": f"Luz{'.' * (k % 2)}", "text": f"Texto {k}"} for k in range(n)]
        ).encode(),
        500,
    ),
    "laws of chunks": Pattern(
        "a.json",
        lambda n: json.dumps(
            [
                {"law": f"Luz {k:b}".translate({48: ".", 49: "-"}), "section": "Luz", "text": "a"}
                for k in range(n)
            ]
        ).encode(),
        300,
    ),
    "annexes of wordings": Pattern("a.xml", _annexes, 150),
    "blocks of a norm": Pattern(
        "a.xml",
        lambda n: _boe("".join(_block(k, _version(0, f"Artículo {k}. Luz.", "Texto.")) for k in range(n))),
        500,
    ),
    "wordings of a norm": Pattern(
        "a.xml",
        lambda n: _boe(_block(1, *(_version(k, "Artículo 1. Luz.", f"Texto {k}.") for k in range(n)))),
        500,
    ),
    "lines of a PDF": Pattern("a.pdf", drawing, 5000),
    "pages of a PDF": Pattern(
        "a.pdf",
        lambda n: pdf([["CABECERA", f"Texto {k} de una página.", f"Página {k}"] for k in range(n)]),
        100,
    ),
    "one word of a PDF": Pattern("a.pdf", lambda n: pdf([["a" * n + "b-", "c"]]), 2000),
    "blanks of a PDF": Pattern(
        "a.pdf", lambda n: pdf([[" " * n + "x", f"Texto {k} de una página."] for k in "abc"]), 2000
    ),
    "numbers of a PDF": Pattern(
        "a.pdf", lambda n: pdf([["1 " * n, f"Texto {k} de una página."] for k in "abc"]), 500
    ),
    "boxes of a PDF": Pattern("a.pdf", lambda n: pdf([Drawn(table([("Uno", "Dos")] * n, y=n * 20))]), 100),
    "files of a ZIP": Pattern(
        "a.zip", lambda n: zipped({f"{k}.txt": b"Texto de un archivo." for k in range(n)}), 100
    ),
}


CRUSHERS: Mapping[str, Callable[[], bytes]] = {
    "dibujo.pdf": lambda: drawing(3_000_000),
    "hinchado.pdf": lambda: swollen(3400),
    "comentarios.md": lambda: b"# Ley\n\n" + b"<!-- " * 20_000,
    "alias.md": lambda: aliases(9),
    "comillas.docx": lambda: word_files.word_xml(
        word_files.p("Queda: «"), *(word_files.p(f"Artículo {n}. Luz de la costa.") for n in range(9_000))
    ),
    "comillas.txt": lambda: _lines("Queda: «", *["Artículo 1. Luz de la costa."] * 65_000),
    "largo.txt": lambda: b"Texto de una linea que no acaba nunca y sigue y sigue.\n" * 1_100_000,
}
