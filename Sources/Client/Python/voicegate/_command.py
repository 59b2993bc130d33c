"""VoiceGate's own command, which starts the service and shows prompts in this program's terminal."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Self

from ._socket import SYSTEM_SOCKET

NAME = "voicegate"


def start(socket: str) -> list[str] | None:
    """The command that starts the service; nothing if VoiceGate's own commands would not start it."""
    command = shutil.which(NAME)
    if command is None or "VOICEGATE_NO_START" in os.environ or socket == SYSTEM_SOCKET:
        return None
    return [command, "service", "start", "--quiet", "--socket", socket]


def has_terminal() -> bool:
    """Whether this process is a foreground job of its terminal, where the user can read and type."""
    try:
        return os.isatty(0) and os.isatty(2) and os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False


class Prompts:
    """Prompts of this process's requests, in its terminal, as long as the context lasts once `show` was called.

    VoiceGate's own command draws them and takes the keys. It answers for the program that runs it as it does for
    itself, and only at the terminal whose foreground job both are.
    """

    def __init__(self, socket: str) -> None:
        self._socket = socket
        self._process: subprocess.Popen[bytes] | None = None

    def show(self) -> None:
        if command := shutil.which(NAME):
            words = [command, "agent", "--of-caller", "--quiet", "--socket", self._socket]
            try:
                self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
            except OSError:
                pass  # The request waits for an agent.

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            process.wait()  # The terminal is as it was then.
