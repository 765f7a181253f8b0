"""Finds files of the home that do not belong there, or that other users can read."""

import os
import re
import shutil
import stat
from pathlib import Path

from core.errors import InputError
from loading.ingestion.uploads import abandoned

INDEX = "index"
OTHERS = stat.S_IRWXG | stat.S_IRWXO
_ASIDE = ".old-"
_DRAFT = re.compile(r"\.[0-9a-f]{32}|\.new-.+|\.old-.+|state\.json\.new")


def leftovers(home: Path) -> list[Path]:
    """Drafts of files, and copies set aside, left by a killed process."""
    found: list[Path] = []
    for folder, folders, names in os.walk(home):
        drafts = [Path(folder, name) for name in [*folders, *names] if _DRAFT.fullmatch(name)]
        found += filter(abandoned, drafts)
        folders[:] = [n for n in folders if not _DRAFT.fullmatch(n) and Path(folder, n) != home / INDEX]
    return found


def clear(home: Path) -> None:
    """Remove the leftovers; a copy set aside whose successor never came goes back to its place.

    Raises:
        InputError: one cannot be removed.
    """
    try:
        for path in leftovers(home):
            place = path.with_name(path.name.removeprefix(_ASIDE))
            if path.name.startswith(_ASIDE) and not place.exists():
                path.rename(place)
            elif path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"No se puede borrar «{error.filename}» ({error.strerror}).") from error


def exposed(home: Path) -> bool:
    """True if other users of this machine can enter the home; if not, modes of inner files do not matter."""
    return os.name == "posix" and bool(home.stat().st_mode & OTHERS)


def close_off(home: Path) -> None:
    """Folders 0700 and files 0600. Raises InputError when they belong to another user."""
    try:
        home.chmod(stat.S_IRWXU)
        for folder, folders, names in os.walk(home):
            for name in [*folders, *names]:
                path = Path(folder, name)
                mode = path.lstat().st_mode
                if stat.S_ISDIR(mode):
                    path.chmod(stat.S_IRWXU)
                elif stat.S_ISREG(mode):
                    path.chmod(stat.S_IRUSR | stat.S_IWUSR)
    except OSError as error:
        raise InputError(
            f"No se pueden cambiar los permisos de «{error.filename}» ({error.strerror}): "
            "hágalo con la cuenta de su dueño."
        ) from error
