"""A quotation of a list, of its announcement, of requisites, of a row of a table, or of pieces."""

from collections.abc import Callable

import pytest

from law.chunks import Chunk
from rag.answers import quotation_check as module
from rag.answers.quotation_check import quoted, verify
from rag.answers.verbatim import place_of
from rag.shared.answer_contract import DraftCitation
from rag.shared.cited_answer import Citation
from rag.shared.hits import Context, Hit
from tests.factories import make_chunk

FIRST = "a) El retraso inventado de diez minutos."
SECOND = "b) El olvido inventado de la llave del taller."
LEAD = "1. Son faltas leves inventadas las que siguen:"
LAST = "2. La empresa las anota en el libro inventado."
FAULTS = f"Artículo 3. Faltas inventadas.\n{LEAD}\n{FIRST}\n{SECOND}\n{LAST}"

ASKED = "1. Para el premio inventado se exigen los siguientes requisitos:"
AGE = "a) Tener la edad inventada de veinte años."
YEARS = "b) Llevar en la casa inventada treinta años."
PRIZE = f"Artículo 4. Premio inventado.\n{ASKED}\n{AGE}\n{YEARS}\n2. El premio inventado se paga en mayo."

TOP = "| Grupo inventado | Salario de 2025 | Salario de 2026 |"
ROW = "| Oficiales inventados | 1.512,60 | 1.600,00 |"
OTHER = "| Peones inventados | 1.200,00 | 1.236,00 |"
TABLE = f"""Anexo I. Salario inventado.
Estos son los salarios inventados del año.
{TOP}
| --- | --- | --- |
{ROW}
{OTHER}"""


def over(*texts: str | Chunk) -> Context:
    """Texts as articles 1, 2…, after one that nothing is quoted of."""
    made = [
        make_chunk(label=str(number), text=one) if isinstance(one, str) else one
        for number, one in enumerate(("Un texto inventado que nadie cita nunca.", *texts))
    ]
    return Context(hits=tuple(Hit(chunk=chunk, score=1.0) for chunk in made))


def cited(
    text: str | Chunk,
    *quotes: str,
    wording_of: Callable[[Chunk], str] = lambda _: "",
    chosen: bool = False,
) -> tuple[list[str], list[str]]:
    """Quotations of the text, and the reason of each draft without one."""
    drafts = [DraftCitation(quote=one, marker="C2") for one in quotes]
    found, checks = verify(drafts, over(text), wording_of, chosen=chosen)
    assert {one.marker for one in found} <= {"C2"}
    assert all(one.verified for one in found)
    return [one.quote for one in found], [one.reason for one in checks]


@pytest.mark.parametrize(
    ("quotes", "shown"),
    [
        ([FIRST], [LEAD, FIRST]),
        ([SECOND], [LEAD, SECOND]),
        ([FIRST, SECOND], [LEAD, FIRST, SECOND]),
        ([LEAD], [f"{LEAD}\n{FIRST}\n{SECOND}"]),
        ([LEAD, SECOND], [LEAD, SECOND]),
        ([SECOND, LEAD], [SECOND, LEAD]),
        ([LAST], [LAST]),
        ([LEAD, LAST], [f"{LEAD}\n{FIRST}\n{SECOND}", LAST]),
    ],
)
def test_a_member_comes_with_its_announcement_and_an_announcement_with_its_members(
    quotes: list[str], shown: list[str]
) -> None:
    assert cited(FAULTS, *quotes) == (shown, [""] * len(quotes))


def test_a_member_quoted_in_another_text_leaves_the_announcement_its_members() -> None:
    drafts = [DraftCitation(quote=one, marker=mark) for one, mark in ((LEAD, "C2"), (SECOND, "C3"))]
    found, checks = verify(drafts, over(FAULTS, FAULTS))
    assert [(one.marker, one.quote) for one in found] == [
        ("C2", f"{LEAD}\n{FIRST}\n{SECOND}"),
        ("C3", LEAD),
        ("C3", SECOND),
    ]
    assert [(one.marker, one.verified) for one in checks] == [("C2", True), ("C3", True)]


def test_of_a_list_that_is_too_long_only_the_members_that_fit_are_quoted() -> None:
    long = [f"{letter}) La falta inventada {letter}, {'larga ' * 80}aquí." for letter in "abcd"]
    text = "\n".join(("Nada antes de esto.", LEAD, *long))
    assert cited(text, LEAD) == (["\n".join((LEAD, *long[:2]))], [""])


@pytest.mark.parametrize("over_by", [0, 1])
def test_a_list_is_quoted_up_to_the_longest_that_a_quotation_may_be(over_by: int) -> None:
    member = "a) La falta " + "x" * (module.WIDEST - len(LEAD) - len("\na) La falta .") + over_by) + "."
    shown, reasons = cited(f"Nada antes de esto.\n{LEAD}\n{member}", LEAD)
    if over_by:
        assert (shown, reasons) == ([], ["la cita anuncia una lista y la deja fuera"])
    else:
        assert (shown, reasons) == ([f"{LEAD}\n{member}"], [""])


@pytest.mark.parametrize("quote", [AGE, YEARS, ASKED, f"{AGE}\n{YEARS}"])
def test_of_requisites_all_are_quoted(quote: str) -> None:
    assert cited(PRIZE, quote) == ([f"{ASKED}\n{AGE}\n{YEARS}"], [""])


def test_what_stands_beside_requisites_is_quoted_without_them() -> None:
    paid = "2. El premio inventado se paga en mayo."
    assert cited(PRIZE, paid) == ([paid], [""])


def test_a_quotation_that_goes_beyond_the_requisites_keeps_what_it_has() -> None:
    text = PRIZE.replace(
        "Artículo 4. Premio inventado.\n", "Artículo 4. Premio inventado.\nVale siempre así. "
    )
    quote = f"{YEARS}\n2. El premio inventado se paga en mayo."
    assert cited(text, quote) == ([f"{ASKED}\n{AGE}\n{YEARS}\n2. El premio inventado se paga en mayo."], [""])


def test_the_requisites_of_one_list_are_not_those_of_the_next() -> None:
    text = (
        f"{PRIZE}\n3. Para la beca inventada concurren estas circunstancias:\na) Haber estudiado en la casa."
    )
    assert cited(text, AGE)[0] == [f"{ASKED}\n{AGE}\n{YEARS}"]


def test_requisites_that_do_not_fit_leave_the_quotation_with_its_announcement_and_its_cut() -> None:
    text = f"{ASKED}\n{AGE}\nb) Tener {'muchos ' * 250}años."
    found, _ = verify([DraftCitation(quote=AGE, marker="C2")], over(text))
    assert [(one.quote, one.cut_before, one.cut_after) for one in found] == [
        (ASKED, False, True),
        (AGE, False, True),
    ]


def test_requisites_that_are_quoted_whole_are_not_cut() -> None:
    found, _ = verify([DraftCitation(quote=AGE, marker="C2")], over(PRIZE))
    assert [(one.cut_before, one.cut_after) for one in found] == [(False, False)]


def test_passages_that_the_program_chose_stay_as_they_are_beside_their_announcement() -> None:
    assert cited(PRIZE, AGE, chosen=True) == ([ASKED, AGE], [""])
    assert cited(TABLE, ROW, chosen=True) == ([ROW], [""])


def test_a_part_of_a_sentence_that_the_program_chose_shows_its_cuts() -> None:
    text = "Vale siempre así. La empresa inventada abonará en mayo el premio inventado de cada año pasado."
    found, _ = verify(
        [DraftCitation(quote="abonará en mayo el premio", marker="C2")], over(text), chosen=True
    )
    assert [quoted(one) for one in found] == ["«(…) abonará en mayo el premio (…)»"]


@pytest.mark.parametrize(
    ("quote", "shown"), [(ROW, [TOP, ROW]), (f"{TOP}\n| --- | --- | --- |\n{ROW}", None)]
)
def test_a_row_of_a_table_comes_with_the_header_that_it_lacks(quote: str, shown: list[str] | None) -> None:
    found, reasons = cited(TABLE, quote)
    assert reasons == [""]
    assert found == (shown or [quote])


def test_words_beside_a_table_come_without_its_header() -> None:
    assert cited(TABLE, "Estos son los salarios inventados del año.") == (
        ["Estos son los salarios inventados del año."],
        [""],
    )


def test_a_row_in_a_later_part_comes_with_the_header_of_the_earlier_one() -> None:
    parts = [
        make_chunk("N-7", "anexo", TABLE.rpartition("\n")[0], parts=2, end=len(TABLE) - len(OTHER)),
        make_chunk("N-7", "anexo", OTHER, part=2, parts=2, start=len(TABLE) - len(OTHER), end=len(TABLE)),
    ]
    found, _ = verify([DraftCitation(quote=OTHER, marker="C3")], over(*parts))
    assert [(one.marker, one.quote) for one in found] == [("C3", TOP), ("C3", OTHER)]


def later_part(text: str = FAULTS, start: int | None = None) -> Chunk:
    begin = text.index(SECOND) if start is None else start
    return make_chunk("N-8", "3", text[begin:], part=2, parts=2, start=begin, end=len(text))


@pytest.mark.parametrize(
    ("whole", "shown"),
    [
        (FAULTS, [LEAD, SECOND]),
        ("", [SECOND]),
        (FAULTS.replace("libro", "cajón"), [SECOND]),
    ],
    ids=["its wording", "unknown", "another wording"],
)
def test_a_member_in_a_later_part_comes_with_the_announcement_of_the_earlier_one(
    whole: str, shown: list[str]
) -> None:
    asked: list[Chunk] = []
    chunk = later_part()
    found, reasons = cited(chunk, SECOND, wording_of=lambda one: asked.append(one) or whole)  # type: ignore[func-returns-value]
    assert (found, reasons) == (shown, [""])
    assert asked == [chunk]


def test_an_earlier_announcement_is_cited_once_and_whole() -> None:
    chunk = later_part(start=FAULTS.index(FIRST))
    drafts = [DraftCitation(quote=one, marker="C2") for one in (FIRST, SECOND)]
    found, _ = verify(drafts, over(chunk), lambda _: FAULTS)
    assert [one.quote for one in found] == [LEAD, FIRST, SECOND]
    assert [(one.cut_before, one.cut_after) for one in found] == [(False, False)] * 3
    assert {one.chunk_id for one in found} == {chunk.id}


def test_without_its_wording_no_announcement_is_asked_for_in_a_first_part() -> None:
    text = "Una frase inventada que no está en ninguna lista."
    assert cited(text, text, wording_of=lambda _: pytest.fail("the chunk begins its wording"))[0] == [text]


def test_a_refused_draft_does_not_keep_the_next_ones_from_being_verified() -> None:
    found, reasons = cited(FAULTS, "Esto no lo dice ningún texto inventado", LAST)
    assert found == [LAST]
    assert reasons == ["el texto citado no está en ninguno de los textos leídos", ""]


def test_the_check_of_a_refused_draft_says_which_it_was_in_at_most_five_hundred_characters() -> None:
    _, (check,) = verify([DraftCitation(quote="x" * 700, marker="C2")], over(FAULTS))
    assert (check.marker, check.quote, check.verified) == ("C2", "x" * 500, False)


def test_the_check_of_a_verified_draft_has_the_quotation_as_it_is_shown() -> None:
    _, (check,) = verify([DraftCitation(quote=AGE, marker="C2")], over(PRIZE))
    assert (check.marker, check.quote, check.reason) == ("C2", f"{ASKED}\n{AGE}\n{YEARS}", "")


ONE, TWO = "El descanso inventado será de diez días", "y la paga inventada será de mayo"
PIECED = f"{ONE} por cada año trabajado aquí. Otra cosa dice esta frase. Habrá pagas {TWO} en adelante."


@pytest.mark.parametrize("mark", ["(…)", "(...)", "[…]", "[...]", "…"])
def test_a_quotation_with_an_ellipsis_is_verified_piece_by_piece(mark: str) -> None:
    found, reasons = cited(PIECED, f"{ONE} {mark} {TWO}")
    assert reasons == ["", ""]
    assert [one[:20] for one in found] == [ONE[:20], "Habrá pagas y la pag"]


@pytest.mark.parametrize(("piece", "told"), [("la paga es de mayo.", 1), ("la paga es de enero.", 2)])
def test_a_piece_of_fewer_than_twenty_characters_is_no_quotation(piece: str, told: int) -> None:
    _, reasons = cited(f"Vale así. {ONE}. Y también {piece}", f"{ONE} (…) {piece} (…) fin")
    assert len(reasons) == told


def test_a_quotation_whose_ellipsis_stands_in_the_text_stays_whole() -> None:
    text = f"Vale así. {ONE} (…) {TWO}."
    assert len(cited(text, f"{ONE} (…) {TWO}")[1]) == 1


def test_a_quotation_in_its_marks_shows_what_is_left_out() -> None:
    made = Citation(marker="C1", source="x", quote=" la regla ", verified=True)
    shown = [
        quoted(made.model_copy(update={"cut_before": before, "cut_after": after}))
        for before, after in ((False, False), (True, False), (False, True))
    ]
    assert shown == ["«la regla»", "«(…) la regla»", "«la regla (…)»"]


def test_a_quotation_of_a_later_part_keeps_its_place_in_the_wording() -> None:
    said = "La empresa inventada pagará el premio en mayo."
    part = make_chunk(label="1", text=f"Otra frase inventada. {said}", part=2, start=300, end=368)
    (found,), _ = verify([DraftCitation(quote=said, marker="C2")], over(part))
    assert found.start == 322
    wording = f"{said} ".ljust(322, "x") + said
    assert place_of(found.quote, wording, found.start) == (322, len(wording))
    assert place_of(found.quote, wording, None) == (0, len(said))
    assert place_of(found.quote, wording, 5) == (0, len(said)), "the words do not stand there any more"
