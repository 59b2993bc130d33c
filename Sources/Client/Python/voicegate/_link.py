"""A connection, and a body that is sent while the answer is read. How they wait is in `aio` and in `plain`."""

from __future__ import annotations

import errno
import socket
from asyncio import CancelledError
from collections.abc import AsyncIterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Self

from ._http import chunk
from ._socket import check_peer, check_place, unreachable
from ._sound import AnySound
from .errors import ServiceTimeout


class Link:
    """One connection. `close` may be called at any time and from any thread; it wakes who sends or receives."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.setblocking(False)
        self.is_closed = False
        self._lock = Lock()
        self._users = 0

    @classmethod
    async def open(cls, path: str) -> Self:
        check_place(path)
        link = cls()
        try:
            for _ in range(100):
                try:
                    link.socket.connect(path)
                except BlockingIOError:  # Too many connections wait (connect(2): EAGAIN).
                    await cls.sleep(0.02)
                else:
                    check_peer(link.socket, path)
                    return link
            raise unreachable(path, BlockingIOError(errno.EAGAIN, ""))
        except OSError as error:
            link.close()
            raise unreachable(path, error) from error
        except BaseException:
            link.close()
            raise

    async def send(self, data: bytes, timeout: float | None) -> bool:
        """Whether the service may take it: not after it closed the connection."""
        try:
            with self._in_use():
                await self._send(data, timeout)
        except TimeoutError:
            raise _stalled(timeout) from None
        except OSError:
            return False
        return True

    async def receive(self, timeout: float | None) -> bytes:
        """Nothing if the connection is closed."""
        try:
            with self._in_use():
                return await self._receive(timeout)
        except TimeoutError:
            raise _stalled(timeout) from None
        except OSError:
            return b""

    def close(self) -> None:
        with self._lock:
            if not self.is_closed:
                self.is_closed = True
                try:
                    self.socket.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # Not connected, or no more.
            if not self._users:
                self.socket.close()

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        """While a thread or task sends or receives, the descriptor stays: no other connection gets its number."""
        with self._lock:
            if self.is_closed:
                raise ConnectionResetError
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self.is_closed and not self._users:
                    self.socket.close()

    @staticmethod
    async def sleep(seconds: float) -> None:
        raise NotImplementedError

    @staticmethod
    async def run(words: Sequence[str]) -> int:
        """Runs a command without input and output. Returns its exit status."""
        raise NotImplementedError

    async def _send(self, data: bytes, timeout: float | None) -> None:
        """Raises `TimeoutError`."""
        raise NotImplementedError

    async def _receive(self, timeout: float | None) -> bytes:
        """Raises `TimeoutError`."""
        raise NotImplementedError

    def upload(self, first: bytes, sound: AnySound) -> Upload:
        """Begins to send this and the sound as a body. Raises `OSError` if a path cannot be opened."""
        raise NotImplementedError


class Upload:
    """Sends a body piece by piece, as the service takes it."""

    def __init__(self, link: Link, first: bytes, body: AsyncIterable[bytes]) -> None:
        self.is_sent = False
        #: What reading the sound raised; the connection is closed then.
        self.failure: BaseException | None = None
        self._link = link
        self._first = first
        self._body = body

    async def run(self) -> None:
        try:
            if self._first and not await self._link.send(chunk(self._first), None):
                return
            async for piece in self._body:
                if piece and not await self._link.send(chunk(piece), None):
                    return
            self.is_sent = await self._link.send(chunk(b""), None)
        except CancelledError:
            raise
        except BaseException as error:
            self.failure = error
            self._link.close()

    def cancel(self) -> None:
        """Called once the connection is closed, from any thread; the next piece ends it in any case."""


def _stalled(timeout: float | None) -> ServiceTimeout:
    return ServiceTimeout(f"The service did not answer within {timeout} s. See its log, then try again.")
