"""Strict loader of the prompt files: a missing or unknown variable is an error, not an empty string."""

import hashlib
from pathlib import Path
from string import Template

from core.errors import ConfigurationError

FOLDER = Path(__file__).parent


class Prompts:
    """The prompts of a folder by name (file stem).

    Raises:
        ConfigurationError: the folder holds no prompt, or a variable does not fit.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self._templates = {
            path.stem: Template(path.read_text("utf-8").strip()) for path in sorted(folder.glob("*.md"))
        }
        if not self._templates:
            raise ConfigurationError(
                f"No hay instrucciones para los modelos en {folder.name}: reinstale el programa."
            )

    @property
    def fingerprint(self) -> str:
        """Short hash of all prompts; traces keep it to tell their wordings apart."""
        text = "\0".join(f"{name}\0{t.template}" for name, t in self._templates.items())
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def render(self, name: str, **variables: str) -> str:
        """The prompt with its `$variables` filled in.

        Raises:
            ConfigurationError: the prompt is unknown, or `variables` are not exactly those of its text.
        """
        template = self._templates.get(name)
        if template is None:
            raise ConfigurationError(f"No existen las instrucciones «{name}»: reinstale el programa.")
        wanted = set(template.get_identifiers())
        if wanted != set(variables):
            missing, unknown = sorted(wanted - set(variables)), sorted(set(variables) - wanted)
            fault = f"faltan {missing}, sobran {unknown}"
            raise ConfigurationError(
                f"Las instrucciones «{name}» están dañadas ({fault}): reinstale el programa."
            )
        return template.substitute(variables)
