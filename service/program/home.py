"""The folder of the installation (ARTICULADO_HOME), which holds what people ask and load."""

import logging
import os
import stat
from pathlib import Path

from core.errors import ConfigurationError

log = logging.getLogger(__name__)

OPEN = (
    "Otras personas de este equipo pueden leer la carpeta ARTICULADO_HOME («{home}») y Articulado no puede "
    "cerrarla: ciérrela con «chmod 700», o indique otra carpeta."
)


def close(home: Path) -> None:
    """Make the folder, or take an existing one away from everybody but its owner.

    Where the folder is another's and its group lets us in, as on some mounted volumes, the group stays.

    Raises:
        ConfigurationError: others can enter it and that cannot be changed, or it is a shared one (`/tmp`).
    """
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    mode = stat.S_IMODE(home.stat().st_mode)
    if os.name != "posix" or not mode & (stat.S_IRWXG | stat.S_IRWXO):
        return
    if mode & stat.S_ISVTX:
        raise ConfigurationError(OPEN.format(home=home))
    try:
        home.chmod(mode & ~(stat.S_IRWXG | stat.S_IRWXO))
        log.warning("the folder %s was open to others of this machine and is closed", home)
    except PermissionError as error:
        if mode & stat.S_IRWXO:
            raise ConfigurationError(OPEN.format(home=home)) from error
