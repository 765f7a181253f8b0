"""The synonyms file and its reading (S2.10, S2.11, X.19)."""

import tomllib
from pathlib import Path

import pytest

from rag.errors import ConfigurationError
from rag.lexicon.synonyms import FILE, Synonyms
from rag.text.textnorm import fold, stems

ENTRIES = {
    key: terms
    for section in tomllib.loads(FILE.read_text("utf-8")).values()
    for key, terms in section.items()
}


@pytest.fixture(scope="module")
def synonyms() -> Synonyms:
    return Synonyms()


def made(tmp_path: Path, text: str) -> Synonyms:
    path = tmp_path / "synonyms.toml"
    path.write_text(text, encoding="utf-8")
    return Synonyms(path)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("¿Qué es el IMV?", ("ingreso mínimo vital",)),
        ("imv", ("ingreso mínimo vital",)),
        ("(IMV)", ("ingreso mínimo vital",)),
        ("¿Cómo saco el NIE?", ("número de identidad de extranjero",)),
        ("oficina del SEPE", ("servicio público de empleo estatal",)),
        ("mi nómina", ("salario", "recibo de salarios")),
        ("mi nomina", ("salario", "recibo de salarios")),
        ("teletrabajo", ("trabajo a distancia",)),
    ],
)
def test_what_people_say_brings_what_the_norms_say(
    synonyms: Synonyms, text: str, terms: tuple[str, ...]
) -> None:
    assert synonyms.expand(text) == terms


@pytest.mark.parametrize("text", ["", "   ", "¿Qué dice el artículo 14?", "Hola, buenos días", "1234"])
def test_a_text_without_known_words_brings_nothing(synonyms: Synonyms, text: str) -> None:
    assert synonyms.expand(text) == ()
    assert synonyms.fired(text) == ()


@pytest.mark.parametrize(
    ("text", "fired"),
    [
        ("la pensión de jubilación anticipada", ("pension", "jubilacion anticipada")),
        ("despido improcedente", ("despido improcedente",)),
        ("carta de despido por despido nulo", ("carta de despido", "despido nulo")),
        ("baja laboral por baja de maternidad", ("baja laboral", "baja de maternidad")),
        ("horas extras y horas extra", ("horas extras", "horas extra")),
        ("salario mínimo", ("salario minimo",)),
        ("cobrar el paro", ("cobrar el paro",)),
        ("EL PARO, el paro y el Paro", ("paro",)),
    ],
)
def test_the_longest_key_wins_and_each_fires_once_in_order(
    synonyms: Synonyms, text: str, fired: tuple[str, ...]
) -> None:
    assert synonyms.fired(text) == fired


@pytest.mark.parametrize(
    "text", ["disparo", "parones", "el quite", "título", "reparto", "zipear", "preere", "autonómica", "jefes"]
)
def test_a_key_inside_another_word_does_not_fire(synonyms: Synonyms, text: str) -> None:
    assert synonyms.fired(text) == ()


@pytest.mark.parametrize("key", sorted(map(fold, ENTRIES)))
def test_no_key_fires_inside_a_longer_word(synonyms: Synonyms, key: str) -> None:
    assert synonyms.fired(key) == (key,)
    assert key not in synonyms.fired(f"x{key}x")
    assert key not in synonyms.fired(f"{key}7")


def test_terms_that_the_text_already_has_are_not_added(synonyms: Synonyms) -> None:
    assert synonyms.expand("IMV: ingreso mínimo vital") == ()
    assert synonyms.expand("sueldo y salario") == ()


def test_terms_of_several_keys_are_added_once_each(synonyms: Synonyms) -> None:
    terms = synonyms.expand("me han echado y me despiden: finiquito")
    assert len(terms) == len(set(terms))
    assert terms[0] == "despido"
    assert "liquidación de haberes" in terms


def test_the_file_is_large_enough_and_its_terms_have_no_space_around(synonyms: Synonyms) -> None:
    assert len(synonyms) >= 100
    assert len(synonyms) == len(ENTRIES)
    assert [key for key, terms in ENTRIES.items() if not terms or "" in terms] == []
    assert [term for terms in ENTRIES.values() for term in terms if term != term.strip()] == []


def test_an_entry_of_several_terms_adds_a_word() -> None:
    """One term alone may be the key as the norms spell it: it tells what the question is about."""
    several = {key: terms for key, terms in ENTRIES.items() if len(terms) > 1}
    assert len(several) > 50
    added = {key: set(stems(" ".join(terms))) - set(stems(key)) for key, terms in several.items()}
    assert [key for key, words in added.items() if not words] == []


def test_keys_are_plain_words(synonyms: Synonyms) -> None:
    for key in ENTRIES:
        assert key == fold(key) == " ".join(key.split()), key
        assert all(word.isalnum() for word in key.split()), key


def test_accents_in_the_file_do_not_matter(tmp_path: Path) -> None:
    assert made(tmp_path, '[a]\n"Nómina" = ["salario"]\n').expand("NOMINA") == ("salario",)


def test_signs_in_a_key_are_taken_to_the_letter(tmp_path: Path) -> None:
    synonyms = made(tmp_path, '[a]\n"i.t" = ["incapacidad temporal"]\n')
    assert synonyms.expand("por i.t desde ayer") == ("incapacidad temporal",)
    assert synonyms.expand("por iXt desde ayer") == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[a]\nuno = ", "synonyms.toml"),
        ("[a]\nuno = 'texto'\n", "uno"),
        ("[a]\nuno = []\n", "uno"),
        ("[a]\nuno = [1]\n", "uno"),
        ("", "ninguna entrada"),
        ("[a]\n", "ninguna entrada"),
    ],
)
def test_a_file_with_a_mistake_is_refused_and_named(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        made(tmp_path, text)
    assert told in str(caught.value)
    assert "synonyms.toml" in str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"nada\.toml"):
        Synonyms(tmp_path / "nada.toml")


@pytest.mark.parametrize("text", ["uno = ['dos']\n", "uno = 'dos'\n"])
def test_an_entry_outside_a_section_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"synonyms\.toml"):
        made(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "term"),
    [("puedo jubilarme con esta enfermedad", "edad"), ("infracción: quiero demandar", "acción")],
)
def test_a_term_inside_another_word_of_the_text_is_still_added(
    synonyms: Synonyms, text: str, term: str
) -> None:
    assert term in synonyms.expand(text)
