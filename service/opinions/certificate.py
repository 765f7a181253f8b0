"""The certificate of the sources of an answer: canonical JSON with a detached signature.

The file is `{"certificate": …, "jws": …, "key": …}` in the form of RFC 8785: sorted names, UTF-8, no blanks.
The JWS (RFC 7515, appendix F) is over the canonical form of `certificate`; its header names the key by its
thumbprint. There is one way to write each certificate, so that any changed byte is found.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from core.values import Value
from law.norms import dated, sha256_of
from rag.answers.recheck import wording
from rag.shared.cited_answer import Citation
from service.opinions.grounds import Consulted, Law
from service.opinions.keys import public, read_key
from service.opinions.references import address, by_wording
from text.textnorm import encodable

if TYPE_CHECKING:
    from joserfc.jwk import OKPKey

ALGORITHM = "Ed25519"
"""EdDSA over that curve, by the name that RFC 9864 gives it."""
FORMAT = 1
NO_MODEL, UNNAMED = "sin modelo", "modelo sin nombre guardado"
MOST_BYTES = 5_000_000


class State(StrEnum):
    """Result of a check; its value is the sentence for the reader."""

    SOUND = (
        "El certificado está íntegro y lo firmó esta clave ({whose}). Textos citados: {count}. "
        "Hecho el {day}."
    )
    NO_CERTIFICATE = "«{name}» no es un certificado de fuentes de Articulado, o está cortado o dañado."
    REWRITTEN = (
        "«{name}» se ha alterado: no está escrito como Articulado lo firmó (sobran, faltan o cambian signos)."
    )
    OTHER_KEY = (
        "«{name}» está como se firmó, pero no lo firmó la clave con la que se comprueba ({whose}), sino otra."
    )
    CHANGED = "«{name}» se ha alterado: lo que dice no es lo que se firmó."


class Checked(Value):
    """Result of the check of a certificate, and its sentence.

    Attributes:
        sound: it is as it was signed, by the key that must have signed it.
        state: name of the `State`.
    """

    sound: bool
    state: Literal["sound", "no_certificate", "rewritten", "other_key", "changed"]
    told: str


def canonical(value: Any) -> bytes:
    """JSON of texts, whole numbers, lists and objects in the form of RFC 8785; names are ASCII."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def certificate(
    one: Consulted,
    law: Law,
    key: OKPKey,
    *,
    made_on: date,
    model: str | None,
    corpus: str,
    audit_head: str,
) -> bytes:
    """The signed certificate of an answer.

    Args:
        model: name of the model that wrote it; None if it is not known or none did.
        corpus: hash of what the corpus holds now.
        audit_head: 'number:hash' of the last entry of the audit log.
    """
    from joserfc import jws

    content = {
        "answer_sha256": _sha256(one.answer.answer),
        "applied_on": one.as_of.isoformat(),
        "asked_on": one.asked_on.isoformat(),
        "audit_head": audit_head,
        "corpus": corpus,
        "format": FORMAT,
        "made_on": made_on.isoformat(),
        "model": NO_MODEL if one.answer.mode == "offline" else encodable(model or UNNAMED),
        "question_sha256": _sha256(one.question),
        "sources": [_source(quotes, law) for quotes in by_wording(one.answer.citations)],
        "system": "Articulado",
    }
    header = {"alg": ALGORITHM, "kid": key.thumbprint()}
    whole = jws.serialize_compact(header, canonical(content), key, algorithms=[ALGORITHM])
    return canonical({"certificate": content, "jws": jws.detach_content(whole), "key": public(key)})


def verify(name: str, content: bytes, trusted: OKPKey | None = None, whose: str = "") -> Checked:
    """Check the signature of a certificate.

    Args:
        name: of its file, for the sentence.
        trusted: the key that must have signed it; if None, the key in the certificate.
        whose: `trusted` in words.
    """

    def told(state: State, **more: object) -> Checked:
        said = state.value.format(name=name, whose=whose or "la que él mismo lleva", **more)
        return Checked.model_validate(
            {"sound": state is State.SOUND, "state": state.name.lower(), "told": said}
        )

    try:
        found = json.loads(content)
        said, signed, jwk = found["certificate"], found["jws"], found["key"]
        count, day = len(said["sources"]), date.fromisoformat(said["made_on"])
        if said["format"] != FORMAT or not isinstance(signed, str):
            return told(State.NO_CERTIFICATE)
        same = canonical(found) == content
    except (ValueError, KeyError, TypeError, RecursionError):
        return told(State.NO_CERTIFICATE)
    key = read_key(canonical(jwk))
    if key is None or not same or jwk != public(key) or found.keys() != {"certificate", "jws", "key"}:
        return told(State.REWRITTEN)
    if not _signed(signed, canonical(said), key):
        return told(State.CHANGED)
    if trusted is not None and trusted.thumbprint() != key.thumbprint():
        return told(State.OTHER_KEY)
    return told(State.SOUND, count=count, day=day.strftime("%d/%m/%Y"))


def _source(quotes: Sequence[Citation], law: Law) -> dict[str, object]:
    """A wording that the answer cites; `wording_sha256` is '' if neither answer nor corpus has it."""
    first = quotes[0]
    norm, since = law.norm(first.norm_id), dated(first.valid_from)
    version = wording(law.block(first.norm_id, first.block_id), first)
    return {
        "article": encodable(first.section or first.article),
        "norm": encodable(norm.title if norm else first.law or first.source),
        "norm_id": encodable(first.norm_id),
        "official": first.official,
        "since": since.isoformat() if since else "",
        "url": encodable(address(first, norm)),
        "verified": all(one.verified for one in quotes),
        "wording_sha256": first.wording_sha256 or (sha256_of(version) if version else ""),
    }


def _signed(value: str, payload: bytes, key: OKPKey) -> bool:
    """True if `value` is a detached signature of the payload by the key; no other form counts."""
    from joserfc import jws
    from joserfc.errors import JoseError

    if ".." not in value:
        return False
    try:
        jws.deserialize_compact(value, key, algorithms=[ALGORITHM], payload=payload)
    except (JoseError, ValueError):
        return False
    return True


def _sha256(text: str) -> str:
    return hashlib.sha256(encodable(text).encode()).hexdigest()
