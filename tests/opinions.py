"""Invented answers with their law, for the opinion and the certificate; and the notes of a Word file."""

import io
import re
import zipfile
from datetime import date

from law.norms import sha256_of
from rag.shared.cited_answer import Answer, Citation
from service.opinions.grounds import Consulted
from tests.factories import make_block, make_norm, make_version, save
from tests.fakes import MemoryCorpus

DAY = date(2026, 11, 22)
QUOTE = "La acción inventada contra el cese caduca a los veinte días"
RULING = "Doctrina inventada del tribunal"
TEXT = f"Artículo 59. Prescripción.\n1. Lo demás prescribe al año.\n2. Otra cosa.\n3. {QUOTE}."


def law() -> MemoryCorpus:
    """An article and a judgment."""
    corpus = MemoryCorpus()
    article = make_block(
        "59", make_version(TEXT, since="2023-01-01"), title="Artículo 59. Prescripción y caducidad."
    )
    title = "Real Decreto Legislativo 2/2015, de 23 de octubre, por el que se inventa una ley"
    save(corpus, make_norm("BOE-A-2015-1", article, title=title, law="Estatuto inventado", alias="ET"))
    extra = {"ecli": "ECLI:ES:TS:2024:140", "chamber": "Sala de lo Social", "court": "Tribunal Supremo"}
    ruling = make_norm(
        "S-1",
        make_block("1", make_version(f"{RULING}.", since="2024-11-06"), title="Doctrina"),
        title="STS 140/2024",
        law="STS 140/2024",
        alias="STS 140/2024",
        rank="Sentencia",
        number="140/2024",
        published=date(2024, 11, 6),
        extra=extra,
    )
    save(corpus, ruling)
    return corpus


def cited(corpus: MemoryCorpus, number: int = 1, **fields: object) -> Citation:
    """A checked quotation of the article."""
    block = corpus.block("BOE-A-2015-1", "a59")
    assert block is not None
    values = {
        "marker": f"C{number}",
        "source": "ET",
        "norm_id": "BOE-A-2015-1",
        "block_id": block.id,
        "law": "ET",
        "section": block.title,
        "quote": QUOTE,
        "verified": True,
        "valid_from": date(2023, 1, 1),
        "wording_sha256": sha256_of(block.versions[0]),
    }
    return Citation.model_validate(values | fields)


def ruled(number: int = 2) -> Citation:
    """A checked quotation of the judgment."""
    return Citation(
        marker=f"C{number}",
        source="STS 140/2024",
        norm_id="S-1",
        block_id="a1",
        law="STS 140/2024",
        section="Doctrina",
        quote=RULING,
        verified=True,
        valid_from=date(2024, 11, 6),
    )


def consulted(answer: Answer, question: str = "¿Cuándo caduca la acción?", **fields: object) -> Consulted:
    values = {"question": question, "answer": answer, "as_of": DAY, "asked_on": DAY, "accepted": True}
    return Consulted.model_validate(values | fields)


def part(docx: bytes, name: str) -> str:
    """A part of a Word file."""
    with zipfile.ZipFile(io.BytesIO(docx)) as archive:
        return archive.read(name).decode()


def links(docx: bytes) -> list[str]:
    """The addresses that the footnotes lead to."""
    with zipfile.ZipFile(io.BytesIO(docx)) as archive:
        name = "word/_rels/footnotes.xml.rels"
        rels = archive.read(name).decode() if name in archive.namelist() else ""
    return re.findall(r'Target="([^"]+)" TargetMode="External"', rels)


def notes(docx: bytes) -> list[str]:
    """The texts of the footnotes, without the separators."""
    found = re.findall(
        r'<w:footnote w:id="\d+">.*?</w:footnote>', part(docx, "word/footnotes.xml"), re.DOTALL
    )
    said = (re.sub("</w:t><w:noBreakHyphen/><w:t[^>]*>", "-", one) for one in found)
    return ["".join(re.findall(r"<w:t[^>]*>([^<]*)</w:t>", one)).strip() for one in said]
