"""The part of a DOCX that holds its comments, and what names it in the package."""

from typing import Any

from lxml import etree

from core.errors import InputError
from loading.formats.docx import MAIN
from loading.formats.encoding import clean
from loading.formats.office_xml import Package, whole_number
from loading.formats.word_numbers import W

AUTHOR, INITIALS = "Articulado", "A"
PATH, RELATIONS, TYPES = "word/comments.xml", "word/_rels/document.xml.rels", "[Content_Types].xml"
KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments"
MEDIA = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_RELATIONS, _TYPES = f"{{{_PACKAGE}/relationships}}", f"{{{_PACKAGE}/content-types}}"
DAMAGED = "{name}: el archivo está dañado; ábralo en Word, guárdelo y súbalo otra vez."
_OF_ONE = tuple(f"{W}comment{part}" for part in ("", "RangeStart", "RangeEnd", "Reference"))


class Kept(Package):
    """A package whose parts are read once and kept, to be written again."""

    bare = False

    def __init__(self, package: Package) -> None:
        super().__init__(package._package, package.name)
        self.parts: dict[str, Any] = {}

    def part(self, path: str) -> Any:
        if path not in self.parts:
            self.parts[path] = super().part(path)
        return self.parts[path]


class CommentPart:
    """The comments of a package, made if it has none.

    Attributes:
        first: the first number that no comment has.
    """

    def __init__(self, package: Kept) -> None:
        self._package = package
        known = (path for kind, path in package.relations(MAIN).values() if kind == "comments")
        found = next((one for one in known if one in package.names), "")
        path = found or self._new()
        self._changed = {path} if found else {path, RELATIONS, TYPES}
        self._root = package.part(path)
        numbers = [
            whole_number(one.get(f"{W}id"), 0)
            for root in (self._root, package.part(MAIN))
            for one in root.iter(*_OF_ONE)
        ]
        self.first = max(numbers, default=-1) + 1

    def add(self, number: int, moment: str, text: str) -> None:
        """Add a comment of plain text, a paragraph a line."""
        facts = {"id": str(number), "author": AUTHOR, "date": moment, "initials": INITIALS}
        comment = etree.SubElement(self._root, f"{W}comment", {f"{W}{one}": facts[one] for one in facts})
        for line in clean(text).split("\n"):
            run = etree.SubElement(etree.SubElement(comment, f"{W}p"), f"{W}r")
            etree.SubElement(run, f"{W}t").text = line.strip()

    def written(self, *others: str) -> dict[str, bytes]:
        """The bytes of the parts that are changed or new, and of these others."""
        return {
            path: etree.tostring(
                self._package.part(path), encoding="UTF-8", xml_declaration=True, standalone=True
            )
            for path in (*others, *sorted(self._changed))
        }

    def _new(self) -> str:
        """Make the part and name it to the package; its path."""
        package, names = self._package, self._package.names
        others = (f"word/comments{number}.xml" for number in range(1, len(names) + 2))
        path = next(one for one in (PATH, *others) if one not in names)
        types, relations = package.part(TYPES), package.part(RELATIONS)
        if types is None:
            raise InputError(DAMAGED.format(name=package.name))
        etree.SubElement(types, f"{_TYPES}Override", PartName=f"/{path}", ContentType=MEDIA)
        if relations is None:
            spaces: Any = {None: _RELATIONS[1:-1]}
            relations = etree.Element(f"{_RELATIONS}Relationships", nsmap=spaces)
        taken = {one.get("Id") for one in relations}
        free = next(one for n in range(len(taken) + 1) if (one := f"rIdArticulado{n}") not in taken)
        etree.SubElement(
            relations, f"{_RELATIONS}Relationship", Id=free, Type=KIND, Target=path.rpartition("/")[2]
        )
        package.parts |= {RELATIONS: relations, path: etree.Element(f"{W}comments", nsmap={"w": W[1:-1]})}
        return path
