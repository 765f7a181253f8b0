"""Footnotes of a Word file: python-docx writes none, so the part is made here.

ECMA-376 part 1, 17.11: `word/footnotes.xml` with the two separators that Word asks for, named by the
settings, and a style for the text and one for the mark.
"""

import re
from collections.abc import Iterator
from typing import cast
from xml.sax.saxutils import escape

from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Pt
from docx.styles.style import CharacterStyle, ParagraphStyle
from docx.text.paragraph import Paragraph

from text.links import official_url

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
_SEPARATORS = (
    '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
    '<w:footnote w:type="continuationSeparator" w:id="0">'
    "<w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>"
)
_NOTE = (
    '<w:footnote w:id="{number}"><w:p><w:pPr><w:pStyle w:val="{text_style}"/></w:pPr>'
    '<w:r><w:rPr><w:rStyle w:val="{mark_style}"/></w:rPr><w:footnoteRef/></w:r>'
    '<w:r><w:t xml:space="preserve"> {text}</w:t></w:r>{address}</w:p></w:footnote>'
)
_LINK = (
    f'<w:hyperlink {nsdecls("r")} r:id="{{number}}"><w:r><w:rPr><w:u w:val="single"/></w:rPr>'
    "<w:t>{url}</w:t></w:r></w:hyperlink>"
)
_PLAIN = "<w:r><w:t>{url}</w:t></w:r>"
_DATE = re.compile(r"(?<=\b\d\d)-(\d{1,2})-(?=\d{4}\b)|(?<=\b\d)-(\d{1,2})-(?=\d{4}\b)")
_AFTER = (
    "w:endnotePr",
    "w:compat",
    "w:docVars",
    "w:rsids",
    "m:mathPr",
    "w:attachedSchema",
    "w:themeFontLang",
    "w:clrSchemeMapping",
    "w:doNotIncludeSubdocsInStats",
    "w:doNotAutoCompressPictures",
    "w:forceUpgrade",
    "w:captions",
    "w:readModeInkLockDown",
    "w:smartTagType",
    "sl:schemaLibrary",
    "w:shapeDefaults",
    "w:doNotEmbedSmartTags",
    "w:decimalSymbol",
    "w:listSeparator",
)
"""Settings that the schema wants after `w:footnotePr`, in its order."""


class Footnotes:
    """The notes of one document, in the order in which they are added; `write` puts them into it."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._notes: list[tuple[str, str]] = []
        self._part = next(
            (
                relation.target_part
                for relation in document.part.rels.values()
                if relation.reltype == RELATIONSHIP_TYPE.FOOTNOTES and not relation.is_external
            ),
            None,
        )
        own = re.findall(rb'w:id="(\d+)"', self._part.blob) if self._part else []
        self._first = max(map(int, own), default=0) + 1
        self._text_style = self._style("footnote text", WD_STYLE_TYPE.PARAGRAPH)
        self._mark_style = self._style("footnote reference", WD_STYLE_TYPE.CHARACTER)

    def _style(self, name: str, kind: WD_STYLE_TYPE) -> str:
        """The id of the style of that name, which is added to a document that lacks it."""
        styles = self._document.styles
        if name not in styles:
            added = cast("CharacterStyle", styles.add_style(name, kind, builtin=True))
            if kind is WD_STYLE_TYPE.CHARACTER:
                added.font.superscript = True
            else:
                text = cast("ParagraphStyle", added)
                text.base_style = styles.default(WD_STYLE_TYPE.PARAGRAPH)
                text.font.size = Pt(9)
                text.paragraph_format.space_after = Pt(2)
        return str(styles[name].style_id)

    def add(self, paragraph: Paragraph, text: str, url: str = "") -> int:
        """Put the mark of a new note at the end of the paragraph; the id of the note.

        `url`: an address at its end, which is a link if it is an official one.
        """
        number = self._first + len(self._notes)
        self._notes.append((f"{text} " if url else text, url))
        mark = OxmlElement("w:footnoteReference", attrs={qn("w:id"): str(number)})
        paragraph.add_run(style="footnote reference")._r.append(mark)
        return number

    def write(self) -> None:
        """Put them into the document, once, when all are there."""
        part = self._part or self._made()
        before, end, after = part.blob.rpartition(b"</w:footnotes>")
        part._blob = before + "".join(self._written(part)).encode() + end + after

    def _written(self, part: Part) -> Iterator[str]:
        for number, (text, url) in enumerate(self._notes, start=self._first):
            linked = official_url(url)
            link = part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True) if linked else ""
            yield _NOTE.format(
                number=number,
                text=_DATE.sub(_unbroken, escape(text)),
                address=url and (_LINK if linked else _PLAIN).format(number=link, url=escape(url)),
                text_style=self._text_style,
                mark_style=self._mark_style,
            )

    def _made(self) -> Part:
        """The part without notes, in the document."""
        body = f"<w:footnotes {nsdecls('w')}>{_SEPARATORS}</w:footnotes>"
        content = f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{body}'.encode()
        main = self._document.part
        part = Part(PackURI("/word/footnotes.xml"), CONTENT_TYPE, content, main.package)
        main.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
        named = "".join(f'<w:footnote w:id="{number}"/>' for number in (-1, 0))
        settings = self._document.settings.element
        settings.insert_element_before(
            parse_xml(f"<w:footnotePr {nsdecls('w')}>{named}</w:footnotePr>"), *_AFTER
        )
        return part


def _unbroken(found: re.Match[str]) -> str:
    """The middle of a date that no end of line comes into: 17.3.3.18."""
    hyphen = '</w:t><w:noBreakHyphen/><w:t xml:space="preserve">'
    return f"{hyphen}{found[1] or found[2]}{hyphen}"
