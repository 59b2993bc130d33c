"""Where the service's socket is, and whether the user can trust what listens there."""

from __future__ import annotations

import errno
import os
import socket
import stat
import struct
from collections.abc import Mapping

from .errors import CannotConnect, ServiceNotRunning, UntrustedService

#: Of the machine's own service, which serves all users. Only root can put it there.
SYSTEM_SOCKET = "/run/voicegate/voicegate.sock"
#: Bytes of a Unix socket's path (unix(7)), without the closing zero.
_LONGEST_PATH = 107


def default_socket(environment: Mapping[str, str] = os.environ) -> str:
    """`VOICEGATE_SOCKET` if it is an absolute path, else the machine's own service's if there, else the user's."""

    def absolute(name: str) -> str | None:
        value = environment.get(name, "")
        return (value.removesuffix("/") or value) if value.startswith("/") else None

    if named := absolute("VOICEGATE_SOCKET"):
        return named
    if is_roots(SYSTEM_SOCKET):
        return SYSTEM_SOCKET
    folder = absolute("XDG_RUNTIME_DIR")
    if folder is None and _is_private(f"/run/user/{os.getuid()}"):
        folder = f"/run/user/{os.getuid()}"
    return f"{folder}/voicegate/voicegate.sock" if folder else f"/tmp/voicegate-{os.getuid()}/voicegate.sock"


def default_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language of this process's locale: `en`, `ja` or `ko`."""
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := environment.get(name))), "en")
    language = locale.replace("-", "_").partition("_")[0].partition(".")[0].lower()
    return language if language in ("ja", "ko") else "en"


def check_place(path: str) -> None:
    """In a directory that others may write to, they could replace the service's socket with their own."""
    if not path or "\0" in path or len(os.fsencode(path)) > _LONGEST_PATH:
        raise CannotConnect(f"A Unix socket's path has 1 to {_LONGEST_PATH} bytes. Give another: {path!r}")
    try:
        folder = os.stat(os.path.dirname(path) or ".")
        is_open = folder.st_mode & 0o022 and not folder.st_mode & stat.S_ISVTX
        if is_open or not _is_trusted(folder.st_uid):
            raise _untrusted(f"others can write into {os.path.dirname(path)}")
        place = os.lstat(path)
    except OSError as error:
        raise unreachable(path, error) from error
    if not stat.S_ISSOCK(place.st_mode):
        raise _untrusted(f"{path} is not a socket")
    if not _is_trusted(place.st_uid):
        raise _untrusted(f"{path} belongs to another user")


def check_peer(connected: socket.socket, path: str) -> None:
    """The process that listens is root's or the user's own, or it listens at a socket that only root can put there."""
    credentials = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("iII"))
    _, user, _ = struct.unpack("iII", credentials)
    if not _is_trusted(user) and not is_roots(path):
        raise _untrusted(f"another user's program listens at {path}")


def is_roots(path: str) -> bool:
    """Whether the path is a socket that only root can have put there."""
    try:
        folder, place = os.lstat(os.path.dirname(path)), os.lstat(path)
    except OSError:
        return False
    is_roots_folder = stat.S_ISDIR(folder.st_mode) and folder.st_uid == 0 and not folder.st_mode & 0o022
    return is_roots_folder and stat.S_ISSOCK(place.st_mode) and place.st_uid == 0


def unreachable(path: str, error: OSError) -> CannotConnect:
    if error.errno in (errno.ENOENT, errno.ECONNREFUSED):
        command = "voicegate service start"
        return ServiceNotRunning(f"No VoiceGate service listens at {path}. Start it: {command}", command=command)
    reason = "it has too many connections waiting" if error.errno == errno.EAGAIN else error.strerror
    return CannotConnect(f"The service at {path} cannot be reached: {reason}.")


def _untrusted(what: str) -> UntrustedService:
    return UntrustedService(f"Not connecting, because {what}. The service's directory must be yours alone (chmod 700).")


def _is_trusted(user: int) -> bool:
    return user in (0, os.getuid())


def _is_private(path: str) -> bool:
    try:
        place = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(place.st_mode) and place.st_uid == os.getuid() and not place.st_mode & 0o077
