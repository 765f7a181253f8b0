"""Word files before and after comments were put into them, compared to the letter."""

import copy
import io
import zipfile
from typing import NamedTuple

from lxml import etree

from loading.formats.comment_part import AUTHOR
from loading.formats.word_numbers import W

COMMENTS = "word/comments.xml"
CHANGED = {"word/document.xml", "word/_rels/document.xml.rels", "[Content_Types].xml", COMMENTS}
_MARKS = (f"{W}commentRangeStart", f"{W}commentRangeEnd", f"{W}commentReference")
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


class Told(NamedTuple):
    """A comment: the words it stands at, in the body alone, and its text."""

    words: str
    text: str


def parts(data: bytes) -> dict[str, bytes]:
    """The parts of a package in their order."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert package.testzip() is None
        return {one: package.read(one) for one in package.namelist()}


def told(data: bytes) -> list[Told]:
    """The comments of Articulado in the order of the document; each has one beginning, end and reference."""
    found = parts(data)
    path = next(
        (one for one in found if one.startswith("word/comments") and one[13:-4].isdigit()),
        COMMENTS,
    )
    if path not in found:
        return []
    comments = etree.fromstring(found[path])
    ids = [one.get(f"{W}id") for one in comments]
    assert len(ids) == len(set(ids))
    texts = {
        one.get(f"{W}id"): "\n".join("".join(map(str, line.itertext())) for line in one)
        for one in comments
        if one.get(f"{W}author") == AUTHOR
    }
    open_, words, ended = {}, dict.fromkeys(texts, ""), []
    for one in etree.fromstring(found["word/document.xml"]).iter():
        number = one.get(f"{W}id") if one.tag in _MARKS else None
        if one.tag == _MARKS[0]:
            assert number not in open_ and number not in ended
            open_[number] = True
        elif one.tag == _MARKS[1]:
            del open_[number]
            ended.append(number)
        elif one.tag == _MARKS[2]:
            assert number in ended and one.getparent().tag == f"{W}r"
        elif one.tag == f"{W}t":
            for number in open_.keys() & words.keys():
                words[number] += one.text or ""
    assert not open_ and set(texts) <= set(ended) and len(ended) == len(set(ended))
    return [Told(words[one], text) for one, text in texts.items()]


def assert_nothing_else_changed(before: bytes, after: bytes) -> None:
    """The same parts in the same order, and the same body but for marks and runs that they divide."""
    old, new = parts(before), parts(after)
    assert [one for one in new if one in old] == list(old)
    assert new.keys() - old.keys() <= {COMMENTS, "word/_rels/document.xml.rels"}
    for path in old.keys() - CHANGED:
        assert old[path] == new[path], path
    assert _plain(old["word/document.xml"]) == _plain(new["word/document.xml"])
    if COMMENTS in old:
        mine, now = (etree.fromstring(one[COMMENTS]) for one in (old, new))
        kept = [etree.tostring(one, method="c14n") for one in now if one.get(f"{W}author") != AUTHOR]
        assert kept == [etree.tostring(one, method="c14n") for one in mine]


def _plain(document: bytes) -> bytes:
    """The body without our marks, neighbouring runs of one look as one, neighbouring texts too."""
    root = etree.fromstring(document)
    for one in list(root.iter(*_MARKS)):
        gone = one.getparent() if one.tag == _MARKS[2] and len(one.getparent()) == 1 else one
        gone.getparent().remove(gone)
    for run in list(root.iter(f"{W}r")):
        last = run.getprevious()
        if last is not None and last.tag == run.tag and _look(last) == _look(run):
            last.extend(one for one in copy.deepcopy(run) if one.tag != f"{W}rPr")
            run.getparent().replace(run, last)
    for text in list(root.iter(f"{W}t")):
        text.attrib.pop(_SPACE, None)
        last = text.getprevious()
        if last is not None and last.tag == text.tag:
            last.text = (last.text or "") + (text.text or "")
            text.getparent().replace(text, last)
    return etree.tostring(root, method="c14n")


def _look(run: etree._Element) -> bytes:
    look = run.find(f"{W}rPr")
    return repr(sorted(run.attrib.items())).encode() + (
        b"" if look is None else etree.tostring(look, method="c14n")
    )
