"""Seconds to write an opinion of 30 citations, and to sign and check the certificate of its sources."""

from pathlib import Path

from benchmarks.table import Row, Tables, Watch
from rag.shared.cited_answer import Answer
from service.opinions.certificate import certificate, verify
from service.opinions.formats import FORMATS, Format
from service.opinions.keys import signing_key
from service.opinions.opinion import compose
from tests.opinions import DAY, QUOTE, cited, consulted, law

CITATIONS = 30
OPINION_SECONDS = 2.0


def tables(folder: Path) -> Tables:
    corpus = law()
    quotes = tuple(cited(corpus, number) for number in range(1, CITATIONS + 1))
    text = "\n\n".join(f"Párrafo {number}: «{QUOTE}» [C{number}]." for number in range(1, CITATIONS + 1))
    one = consulted(Answer(answer=text, citations=quotes, confidence=0.9))
    watch = Watch()
    size = len(FORMATS[Format.WORD].write(compose([one], corpus, DAY)))
    written = watch.wall
    key = signing_key(folder)
    watch = Watch()
    content = certificate(one, corpus, key, made_on=DAY, model=None, corpus="", audit_head="")
    signed = watch.wall
    watch = Watch()
    if not verify("", content, key).sound:
        raise RuntimeError("the certificate is not sound")
    rows = [
        Row(f"opinion of {CITATIONS} citations", written, "s", OPINION_SECONDS),
        Row("  its size", size / 1000, "kB"),
        Row("certificate, signed", signed * 1000, "ms"),
        Row("certificate, checked", watch.ms, "ms"),
    ]
    yield "Opinions", rows
