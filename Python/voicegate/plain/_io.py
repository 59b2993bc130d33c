"""What `plain` waits for: a connection, a body that is sent while the answer is read, and time."""

from __future__ import annotations

import errno
import itertools
import select
from collections.abc import Iterator
from threading import Thread
from time import sleep
from typing import Self, TypeAlias

from .._http import PIECE, chunk
from .._socket import Link, check_place, unreachable
from .._sound import Sound, pieces
from ..errors import ServiceTimeout

__all__ = ["AnySound", "Connection", "Upload", "sleep"]

AnySound: TypeAlias = Sound


class Connection(Link):
    @classmethod
    def open(cls, path: str) -> Self:
        check_place(path)
        connection = cls()
        try:
            for _ in range(100):
                if connection.try_connecting(path):
                    return connection
                sleep(0.02)
            raise unreachable(path, BlockingIOError(errno.EAGAIN, ""))
        except BaseException:
            connection.close()
            raise

    def send(self, data: bytes, timeout: float | None) -> bool:
        """Whether the service may take it: not after it closed the connection."""
        left = memoryview(data)
        try:
            with self.in_use():
                while left:
                    try:
                        left = left[self.socket.send(left) :]
                    except BlockingIOError:
                        self._wait(select.POLLOUT, timeout)
        except ServiceTimeout:
            raise
        except OSError:
            return False
        return True

    def receive(self, timeout: float | None) -> bytes:
        """Nothing if the connection is closed."""
        try:
            with self.in_use():
                while True:
                    try:
                        return self.socket.recv(PIECE)
                    except BlockingIOError:
                        self._wait(select.POLLIN, timeout)
        except ServiceTimeout:
            raise
        except OSError:
            return b""

    def _wait(self, event: int, timeout: float | None) -> None:
        poll = select.poll()
        poll.register(self.socket, event)
        if not poll.poll(None if timeout is None else timeout * 1000):
            raise ServiceTimeout(f"The service did not answer within {timeout} s. See its log, then try again.")


class Upload:
    """Sends a body piece by piece, as the service takes it."""

    def __init__(self, connection: Connection, first: bytes, sound: AnySound) -> None:
        self.is_sent = False
        #: What reading the sound raised; the connection is closed then.
        self.failure: BaseException | None = None
        self._connection = connection
        body = itertools.chain([first], pieces(sound))
        Thread(target=self._run, args=(body,), daemon=True).start()

    def _run(self, body: Iterator[bytes]) -> None:
        try:
            for piece in body:
                if piece and not self._connection.send(chunk(piece), None):
                    return
            self.is_sent = self._connection.send(chunk(b""), None)
        except BaseException as error:
            self.failure = error
            self._connection.close()

    def cancel(self) -> None:
        """Once the connection is closed, the thread ends by itself with its next piece."""
