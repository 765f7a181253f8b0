"""The antecedentes of an opinion: what the papers of its expediente tell, and what the questions do."""

from collections.abc import Iterable, Mapping, Sequence

from casework.matters.case_facts import CaseFact, FactSource, FactsSheet
from core.values import Value
from law import dates
from rag.answers.quotation_check import quoted
from rag.shared.cited_answer import Citation
from service.opinions.content import Element, Note, Paragraph, Style, line, noted
from service.opinions.grounds import Consulted, Grounds

MATTER = "Expediente «{name}». Documentos examinados: {papers}."
NO_PAPERS = "ninguno"
FACT, OTHER = "{label}: {value}.", " {paper} dice otra cosa: {value}."
BY_PERSON = "Dato dado por {by}."
TOLD = "Quien consulta expone: «{said}»"
NO_FACTS = "Las cuestiones se plantean sin hechos: no los cuentan las consultas ni consta ningún documento."


class Case(Value):
    """The expediente of an opinion; `papers`: name of the file of each document, by «Doc 1»."""

    name: str
    papers: Mapping[str, str]
    sheet: FactsSheet


def background(
    told: Sequence[str], papers: Iterable[Citation], case: Case | None, grounds: Grounds
) -> list[Element]:
    """Expediente, facts with the papers that tell them, what the answers quote of papers, what is told.

    Args:
        told: paragraphs that were drafted, or the sentences that the questions tell.
        papers: quotations of papers; of those only whole sentences, a line is a fact or says nothing.
    """
    found: list[Element] = []
    if case is not None:
        named = "; ".join(f"{title}, {name}" for title, name in case.papers.items())
        found.append(line(MATTER.format(name=case.name, papers=named or NO_PAPERS)))
        found += (_fact(one, case) for one in case.sheet.facts if one.value)
        found += map(line, case.sheet.problems)
    sentences = {one.quote: one for one in papers if one.quote.rstrip().endswith(".")}
    found += (line(quoted(one), note=grounds.note((one,))) for one in sentences.values())
    return [*found, *map(line, told)] or [line(NO_FACTS)]


def with_facts(asked: Iterable[Consulted], case: Case | None) -> list[Consulted]:
    """The questions followed by the facts of the case, for whoever writes on them."""
    facts = [_fact(one, case) for one in case.sheet.facts if one.value] if case else []
    said = ["", *("".join(words.text for words in one.words) for one in facts)]
    return [one.model_copy(update={"question": one.question + "\n- ".join(said)}) for one in asked]


def _fact(fact: CaseFact, case: Case) -> Paragraph:
    words = [noted(FACT.format(label=fact.label, value=_value(fact)), _source(fact, case))]
    for other in fact.others:
        words.append(noted(OTHER.format(paper=other.paper, value=_value(other)), _source(other, case)))
    return Paragraph(style=Style.BULLET, words=tuple(words))


def _value(one: FactSource) -> str:
    day = dates.parse(one.value) if one.kind == "date" else None
    return dates.spelled(day) if day else f"{one.shown}".rstrip(".")


def _source(one: FactSource, case: Case) -> Note:
    if one.by:
        return Note(BY_PERSON.format(by=one.by))
    page = f", p. {one.page}" if one.page else ""
    return Note(f"{one.paper}{page}, {case.papers.get(one.paper, '')}: «{one.sentence}»")
