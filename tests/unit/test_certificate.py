"""The certificate of sources: what it says, and that any change of it is found."""

import base64
import hashlib
import json
import stat

import pytest
from joserfc.jwk import OKPKey

from core.errors import ConfigurationError
from rag.shared.cited_answer import Answer
from service.opinions import keys
from service.opinions.certificate import canonical, certificate, verify
from service.opinions.keys import own_key, public, signing_key
from tests.hostile import TEXTS
from tests.opinions import DAY, QUOTE, cited, consulted, law, ruled

HOME_KEY = OKPKey.generate_key("Ed25519")


def made(key=HOME_KEY, question="¿Cuándo caduca la acción?", **fields):
    corpus = law()
    answer = Answer(
        answer=f"«{QUOTE}» [C1].",
        citations=(cited(corpus), cited(corpus, 3), ruled()),
        confidence=0.9,
        **fields,
    )
    one = consulted(answer, question)
    return certificate(
        one, corpus, key, made_on=DAY, model="redactor-1", corpus="0123456789ab", audit_head="7:aa"
    )


def test_a_certificate_names_what_was_asked_answered_and_cited():
    said = json.loads(made())["certificate"]
    assert said["question_sha256"] == hashlib.sha256("¿Cuándo caduca la acción?".encode()).hexdigest()
    assert (said["applied_on"], said["made_on"], said["model"]) == ("2026-11-22", "2026-11-22", "sin modelo")
    assert (said["corpus"], said["audit_head"]) == ("0123456789ab", "7:aa")
    article, ruling = said["sources"]
    assert article["article"] == "Artículo 59. Prescripción y caducidad."
    assert article["since"] == "2023-01-01" and len(article["wording_sha256"]) == 64
    assert article["url"] == "https://www.boe.es/buscar/act.php?id=BOE-A-2015-1#a59"
    assert len(ruling["wording_sha256"]) == 64, "read in the corpus when the answer does not name it"


def test_a_certificate_of_an_answer_by_a_model_names_the_model():
    assert json.loads(made(mode="model"))["certificate"]["model"] == "redactor-1"


def test_a_certificate_is_its_own_canonical_form_and_is_sound():
    content = made()
    assert canonical(json.loads(content)) == content
    assert json.loads(content)["jws"].count("..") == 1, "the signature is detached"
    found = verify("c.json", content, HOME_KEY, "la de esta instalación")
    assert found.sound
    assert found.told == (
        "El certificado está íntegro y lo firmó esta clave (la de esta instalación). "
        "Textos citados: 2. Hecho el 22/11/2026."
    )


def test_every_changed_bit_of_every_byte_is_found():
    content = made()
    kept = [
        (place, bit)
        for place in range(len(content))
        for bit in range(8)
        if verify("c.json", changed(content, place, bit)).sound
    ]
    assert kept == []


def changed(content, place, bit):
    found = bytearray(content)
    found[place] ^= 1 << bit
    return bytes(found)


def test_a_signature_is_written_in_one_way_only():
    """The last letter of its base64 has four bits that say nothing."""
    document = json.loads(made())
    signature = document["jws"]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_="
    forms = {signature[:-1] + letter for letter in letters} | {
        f"{signature}{more}" for more in ("=", "==", "A")
    }
    payload = base64.urlsafe_b64encode(canonical(document["certificate"])).decode().rstrip("=")
    forms |= {signature.replace("..", f".{inside}.") for inside in (payload, "e30", "", "A")}
    sound = [one for one in forms if verify("c", canonical(document | {"jws": one})).sound]
    assert sound == [signature]


def test_every_cut_or_added_byte_is_found():
    content = made()
    assert not any(verify("c", content[:end]).sound for end in range(len(content)))
    assert not any(verify("c", content[:at] + b" " + content[at:]).sound for at in range(len(content) + 1))


def test_a_certificate_that_somebody_else_signs_again_is_not_of_this_key():
    found = verify("c.json", made(OKPKey.generate_key("Ed25519")), HOME_KEY, "la de esta instalación")
    assert not found.sound and "no lo firmó la clave" in found.told


def test_a_changed_fact_signed_by_nobody_is_told_as_altered():
    document = json.loads(made())
    document["certificate"]["made_on"] = "2020-01-01"
    found = verify("c.json", canonical(document), HOME_KEY)
    assert (found.sound, found.told) == (False, "«c.json» se ha alterado: lo que dice no es lo que se firmó.")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"null",
        b'"x"',
        b"\xff\xfe",
        b"{}",
        b"[" * 100_000,
        b'{"certificate":{"sources":[],"made_on":"x","format":1},"jws":"","key":{}}',
        b'{"certificate":{"sources":[],"made_on":"2020-01-01","format":1},"jws":"","key":{}}',
        b'{"certificate":{"sources":[],"made_on":"2020-01-01","format":1},"jws":"","key":"\\ud800"}',
        b'{"certificate":{"format":1,"made_on":"2020-01-01","sources":[]},"jws":"..","key":{"crv":[],"kty":1}}',
        b'{"a":' + b"9" * 5000 + b"}",
    ],
)
def test_what_is_no_certificate_is_told_in_one_sentence(content):
    found = verify("c.json", content)
    assert not found.sound
    assert found.told.startswith("«c.json» ") and found.told.endswith(".")


def test_a_certificate_without_a_signature_or_with_another_algorithm_is_not_sound():
    document = json.loads(made())
    header, _, _ = document["jws"].partition("..")
    none = "eyJhbGciOiJub25lIn0"
    for forged in (f"{header}..", f"{none}..", "..", f"{none}..{document['jws'].partition('..')[2]}"):
        assert not verify("c", canonical(document | {"jws": forged})).sound


def test_hostile_questions_are_only_hashed():
    for text in (*TEXTS[:200], "\ud800\x00"):
        assert verify("c", made(question=text[:2000])).sound


# The key


def test_the_key_is_made_once_for_its_owner_alone(tmp_path):
    assert own_key(tmp_path) is None
    key = signing_key(tmp_path)
    assert signing_key(tmp_path).thumbprint() == key.thumbprint()
    assert stat.S_IMODE((tmp_path / keys.FILE).stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == [keys.FILE, keys.LOCK]
    assert "d" not in public(key)


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"x", b'{"crv":"X25519","kty":"OKP","x":"AA"}', json.dumps(public(HOME_KEY)).encode()],
    ids=["empty", "no names", "no JSON", "another curve", "public alone"],
)
def test_a_damaged_key_is_told_and_never_replaced(tmp_path, content):
    (tmp_path / keys.FILE).write_bytes(content)
    with pytest.raises(ConfigurationError, match="clave de los certificados"):
        signing_key(tmp_path)
    assert (tmp_path / keys.FILE).read_bytes() == content


def test_a_key_that_cannot_be_written_leaves_nothing_behind(tmp_path):
    with pytest.raises(ConfigurationError, match="No se puede guardar la clave"):
        signing_key(tmp_path / "missing")
