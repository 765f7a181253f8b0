"""`certificate verify FILE` and `certificate key`: the signed certificates of sources."""

import argparse
import json
from pathlib import Path

from commands import output
from commands.parser import Parser
from core.errors import InputError
from service.config import settings
from service.opinions.certificate import MOST_BYTES, verify
from service.opinions.keys import own_key, public, read_key, signing_key
from text.textnorm import visible

UNREADABLE = "{name} no se puede leer ({why}): compruebe la ruta."
TOO_BIG = "{name} es demasiado grande para ser un certificado: compruebe que es el archivo."
NO_KEY = "{name} no es una clave pública: use el archivo que escribe «python cli.py certificate key»."


def arguments(parser: Parser) -> None:
    """The actions of `certificate` and their options. None needs the program open."""
    action = parser.actions("action")
    text = "comprueba que un certificado es, hasta el último signo, el que se firmó; si no, código 1"
    one = action("verify", text, _verify)
    one.add_argument("file", type=Path, metavar="CERTIFICADO.json", help="el certificado")
    text = "la clave pública que debe haberlo firmado; la de esta instalación, si no se indica"
    one.add_argument("--key", type=Path, metavar="PÚBLICA.json", help=text)
    two = action("key", "la clave pública de esta instalación, para quien compruebe sus certificados", _key)
    for added in (one, two):
        added.set_defaults(verify_only=True)


def _verify(_program: None, options: argparse.Namespace) -> int:
    content = _read(options.file)
    if options.key is not None:
        trusted, whose = read_key(_read(options.key)), "la que se indica"
        if trusted is None:
            raise InputError(NO_KEY.format(name=options.key))
    else:
        trusted, whose = own_key(settings().articulado_home), "la de esta instalación"
    name = " ".join(visible(options.file.name).split())
    found = verify(name, content, trusted, whose if trusted else "")
    output.emit(options.json, found.model_dump(), lambda document: str(document["told"]))
    return 0 if found.sound else 1


def _key(_program: None, options: argparse.Namespace) -> None:
    document = public(signing_key(settings().articulado_home))
    output.emit(options.json, document, json.dumps)


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(TOO_BIG.format(name=path))
        return path.read_bytes()
    except OSError as error:
        raise InputError(UNREADABLE.format(name=path, why=error.strerror)) from error
