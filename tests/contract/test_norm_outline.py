"""The chunks of a norm in force on a day, in reading order, on both databases."""

from datetime import date

from law.norms import BlockKind
from tests.factories import make_block, make_norm, make_version, save

pytest_plugins = ("tests.postgres",)


def test_an_outline_holds_what_is_in_force_in_reading_order(database):
    amended = (
        make_version("Antes.", since="2001-01-01", until="2009-12-31"),
        make_version("Ahora.", since="2010-01-01"),
    )
    article = BlockKind.ARTICLE
    save(
        database.corpus_writer,
        make_norm(
            "N-1",
            make_block("10", position=3),
            make_block("2", *amended, position=2),
            make_block("", "Motivos.", id="pr", kind=BlockKind.PREAMBLE, position=1),
        ),
    )
    save(database.corpus_writer, make_norm("N-2"))
    outline = database.corpus.norm_outline
    assert outline("N-1", date(2024, 1, 1)) == [
        ("N-1/pr@2000-01-01#1", BlockKind.PREAMBLE),
        ("N-1/a2@2010-01-01#1", article),
        ("N-1/a10@2000-01-01#1", article),
    ]
    assert outline("N-1", date(2009, 12, 31))[1] == ("N-1/a2@2001-01-01#1", article)
    assert outline("N-1", date(1999, 1, 1)) == outline("N-9", date(2024, 1, 1)) == []
