"""Rules for passwords and user names, and their stored form."""

import pytest

from core.errors import InputError
from service.accounts.passwords import MAX_LENGTH, Passwords, one_time
from service.accounts.usernames import name_of, username_of

CHEAP = Passwords(12, memory=8, passes=1)
GOOD = "caballo correcto pila grapa"


def test_only_the_password_itself_is_right():
    stored = CHEAP.hash(GOOD)
    assert GOOD not in stored
    assert CHEAP.hash(GOOD) != stored
    assert CHEAP.verify(stored, GOOD)
    assert not CHEAP.verify(stored, GOOD + " ")
    assert not CHEAP.verify(stored, "")


def test_hashes_are_argon2id_with_the_parameters_of_the_rfc():
    assert Passwords(12).hash("x").startswith("$argon2id$v=19$m=65536,t=3,p=1$")


@pytest.mark.parametrize("password", ["", "A", GOOD, "\x00", "\ud800", "ñ" * 5000])
def test_no_password_fits_an_account_without_one(password):
    assert not CHEAP.verify("", password)
    assert not CHEAP.verify("no hash at all", password)


def test_the_same_text_typed_on_another_keyboard_is_the_same_password():
    assert CHEAP.verify(CHEAP.hash("contraseña única"), "contrasen\u0303a u\u0301nica")


def test_a_password_beyond_the_limit_is_never_right():
    full = "x" * MAX_LENGTH
    assert not CHEAP.verify(CHEAP.hash(full), full + "y")


def test_a_hash_of_other_parameters_is_outdated_and_still_verifies():
    stored = CHEAP.hash(GOOD)
    stronger = Passwords(12, memory=16, passes=2)
    assert stronger.verify(stored, GOOD)
    assert stronger.is_outdated(stored)
    assert not stronger.is_outdated(stronger.hash(GOOD))


@pytest.mark.parametrize(
    "password",
    [
        GOOD,
        "ñandúes y ocas ☂",
        "mañana será otro día",
        "contestar la clave del bufete",
        "83917502648175",
        "x7!kP2#mQ9$w",
        "correo con ana dentro",
    ],
)
def test_a_long_uncommon_password_is_good(password):
    CHEAP.require_good(password, "ana")


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("x7!kP2#mQ9$", "al menos 12"),
        ("", "al menos 12"),
        ("x" * (MAX_LENGTH + 1), "1024"),
        ("soy RosaMaria y ya", "nombre de usuario"),
        ("rosamaria@bufete.example", "nombre de usuario"),
        ("contraseña123", "primeras"),
        ("Contraseña2026!", "primeras"),
        ("PasswordPassword", "primeras"),
        ("articulado-2026", "primeras"),
        ("123456789012", "primeras"),
        ("qwertyuiop123", "primeras"),
        ("abcdefghijklm", "primeras"),
        ("aaaaaaaaaaaaaaa", "primeras"),
        ("abababababababab", "primeras"),
        ("ｐａｓｓｗｏｒｄ１２３４", "primeras"),
    ],
)
def test_a_password_that_is_short_or_first_tried_is_refused_with_the_reason(password, why):
    with pytest.raises(InputError, match=why):
        CHEAP.require_good(password, "rosamaria@bufete.example")


def test_one_time_passwords_differ_and_pass_the_policy():
    made = {one_time() for _ in range(200)}
    assert len(made) == 200
    for password in made:
        CHEAP.require_good(password, "ana")


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Ana", "ana"),
        ("  MARÍA.gil ", "maría.gil"),
        ("ｒｏｓａ", "rosa"),
        ("o-neil", "o-neil"),
        ("Ana@Bufete.Example", "ana@bufete.example"),
        ("mari\u0301a", "maría"),
        ("STRAẞE", "strasse"),
        ("ana\n", "ana"),
    ],
)
def test_a_user_name_has_one_way_of_writing(typed, name):
    assert username_of(typed) == name
    assert username_of(name) == name


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "a",
        " ",
        "аna",  # Cyrillic а
        "anа",
        "αna",
        "ana gil",
        "ana\u200b",
        "ana\u202egil",
        "ana\x00",
        ".ana",
        "-ana",
        "../../etc",
        "ana<script>",
        "ana'--",
        "ınes",  # dotless i
        "ᴀna",
        "a" * 65,
        "ﷺ" * 64,
        "x" * 10_000_000,
        "\ud800ana",
    ],
)
def test_look_alikes_of_user_names_are_refused(typed):
    with pytest.raises(InputError):
        username_of(typed)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Ana\t Gil ", "Ana Gil"),
        ("Ana\u202elig", "Ana lig"),
        ("", "ana"),
        ("\x00\u200b", "ana"),
        ("<b>Ana</b>", "<b>Ana</b>"),
    ],
)
def test_a_shown_name_has_no_control_or_direction_characters(typed, name):
    assert name_of(typed, "ana") == name


def test_a_shown_name_is_bounded():
    with pytest.raises(InputError):
        name_of("x" * 101, "ana")
