"""Legal references: finding them in texts and questions, and resolving them against a catalogue."""

from datetime import date, timedelta

from law.norm_names import NormCatalogue
from law.norms import Norm
from law.reference_reading import find_mentions
from law.references import resolve
from lexicon.usual_names import known_norm, known_norms

ET, LGSS, LPRL, CE = "BOE-A-2015-11430", "BOE-A-2015-11724", "BOE-A-1995-24292", "BOE-A-1978-31229"
LETA, LISOS, LRJS, LOI, LPAC = (
    "BOE-A-2007-13409",
    "BOE-A-2000-15060",
    "BOE-A-2011-15936",
    "BOE-A-2007-6115",
    "BOE-A-2015-10565",
)
CATALOGUE = NormCatalogue(known_norms())
Target = tuple[str | None, str | None, str | None]


def asked(question: str) -> list[Target]:
    return [(r.norm_id, r.label, r.apartado) for r in resolve(find_mentions(question), CATALOGUE)]


def cited(text: str, **context: str | None) -> list[Target]:
    return [(r.norm_id, r.label, r.apartado) for r in resolve(find_mentions(text), CATALOGUE, ET, **context)]


def test_a_range_takes_the_labels_that_the_norm_has() -> None:
    scope = CATALOGUE.with_labels(ET, ["47", "47 bis", "48", "48 bis", "49"])
    found = resolve(find_mentions("los artículos 47 a 49"), scope, ET)
    assert [r.label for r in found] == ["47", "47 bis", "48", "48 bis", "49"]


def test_a_range_never_gives_more_than_thirty_references() -> None:
    assert len(asked("artículos 1 a 400 del ET")) == 30


def test_this_article_and_its_neighbours_are_those_of_the_block() -> None:
    text = "En este artículo, en el artículo anterior y en el artículo siguiente."
    context = {"block_label": "48", "previous": "47 bis", "next": "48 bis"}
    assert [t[1] for t in cited(text, **context)] == ["48", "47 bis", "48 bis"]
    assert cited(text) == []


def test_a_range_with_one_end_outside_the_norm_is_counted() -> None:
    scope = CATALOGUE.with_labels(ET, ["47", "47 bis", "48", "49", "50"])
    found = resolve(find_mentions("los artículos 47 a 49"), scope, ET)
    assert [r.label for r in found] == ["47", "47 bis", "48", "49"]
    beyond = resolve(find_mentions("los artículos 49 a 51 de esta ley"), scope, ET)
    assert [r.label for r in beyond] == ["49", "50", "51"]


def test_the_numbering_of_a_norm_counts_from_its_first_day() -> None:
    lgss = known_norm(LGSS)
    assert lgss is not None
    first = date.fromisoformat(lgss.extra["numbered_since"])
    for written, target in ((first, LGSS), (first - timedelta(days=1), None)):
        found = resolve(
            find_mentions("artículo 135 de la Ley General de la Seguridad Social"),
            CATALOGUE,
            "N",
            written=written,
        )
        assert found[0].norm_id == target


def test_an_article_that_the_norm_does_not_have_is_of_another() -> None:
    scope = CATALOGUE.with_labels(ET, ["1", "2"])
    assert [r.norm_id for r in resolve(find_mentions("los artículos 2 y 310"), scope, ET)] == [ET, None]


def test_a_name_that_two_norms_share_resolves_to_neither() -> None:
    twins = [
        Norm(id=i, title=i, law="Ley del Faro", rank="Ley", number=n)
        for i, n in (("A", "1/2001"), ("B", "2/2002"))
    ]
    catalogue = NormCatalogue(twins)
    assert [r.norm_id for r in resolve(find_mentions("artículo 3 de la Ley del Faro"), catalogue)] == [None]
    assert [
        r.norm_id for r in resolve(find_mentions("artículo 3 de la Ley 2/2002, del Faro"), catalogue)
    ] == ["B"]


def test_the_title_of_a_norm_is_one_of_its_names() -> None:
    norm = Norm(
        id="X",
        title="Ley 4/2031, de 5 de mayo, de Faros y Balizas Inventados",
        law="Ley 4/2031",
        rank="Ley",
        number="4/2031",
    )
    assert [
        r.norm_id
        for r in resolve(
            find_mentions("art. 2 de la ley de faros y balizas inventados"), NormCatalogue([norm])
        )
    ] == ["X"]


def test_a_text_older_than_the_numbering_of_a_norm_does_not_mean_it_by_its_name() -> None:
    def resolved(text: str, written: date) -> str | None:
        return resolve(find_mentions(text), CATALOGUE, "N", written=written)[0].norm_id

    assert resolved("artículo 135 de la Ley General de la Seguridad Social", date(2009, 3, 21)) is None
    assert resolved("artículo 135 de la Ley General de la Seguridad Social", date(2016, 1, 1)) == LGSS
    assert resolved("artículo 15 del Estatuto de los Trabajadores", date(2009, 3, 21)) == ET


def test_offsets_are_those_of_the_text() -> None:
    text = "Según los apartados 1 y 2 del artículo 48 del ET, y el artículo 9 de la LGSS."
    for reference in resolve(find_mentions(text), CATALOGUE, LPRL):
        assert text[reference.start : reference.end] == reference.text
    assert resolve(find_mentions(text), CATALOGUE)[0].text == "apartados 1 y 2 del artículo 48 del ET"


def test_well_known_norms_have_one_entry_each_and_no_name_fits_two() -> None:
    norms = known_norms()
    assert len({norm.id for norm in norms}) == len(norms) >= 68
    names = [name.lower() for norm in norms for name in {norm.law, norm.alias, *norm.aliases} if name]
    assert len(names) == len(set(names))
    estatuto = known_norm(ET)
    assert estatuto is not None and estatuto.alias == "ET"
