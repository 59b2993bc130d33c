"""What `aio` waits for: a connection, a body that is sent while the answer is read, and time."""

from __future__ import annotations

import asyncio
import errno
from asyncio import sleep
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from typing import Self, TypeAlias

from .._http import PIECE, chunk
from .._socket import Link, check_place, unreachable
from .._sound import Sound, pieces
from ..errors import ServiceTimeout

__all__ = ["AnySound", "Connection", "Upload", "sleep"]

AnySound: TypeAlias = Sound | AsyncIterable[bytes]


class Connection(Link):
    @classmethod
    async def open(cls, path: str) -> Self:
        check_place(path)
        connection = cls()
        try:
            for _ in range(100):
                if connection.try_connecting(path):
                    return connection
                await sleep(0.02)
            raise unreachable(path, BlockingIOError(errno.EAGAIN, ""))
        except BaseException:
            connection.close()
            raise

    async def send(self, data: bytes, timeout: float | None) -> bool:
        """Whether the service may take it: not after it closed the connection."""
        try:
            with self.in_use():
                async with asyncio.timeout(timeout):
                    await asyncio.get_running_loop().sock_sendall(self.socket, data)
        except TimeoutError:
            raise _stalled(timeout) from None
        except OSError:
            return False
        return True

    async def receive(self, timeout: float | None) -> bytes:
        """Nothing if the connection is closed."""
        try:
            with self.in_use():
                async with asyncio.timeout(timeout):
                    return await asyncio.get_running_loop().sock_recv(self.socket, PIECE)
        except TimeoutError:
            raise _stalled(timeout) from None
        except OSError:
            return b""


class Upload:
    """Sends a body piece by piece, as the service takes it. What blocks is read in a thread."""

    def __init__(self, connection: Connection, first: bytes, sound: AnySound) -> None:
        self.is_sent = False
        #: What reading the sound raised; the connection is closed then.
        self.failure: BaseException | None = None
        self._connection = connection
        self._loop = asyncio.get_running_loop()
        body = sound if isinstance(sound, AsyncIterable) else _read(pieces(sound))
        self._task = self._loop.create_task(self._run(first, body))

    async def _run(self, first: bytes, body: AsyncIterable[bytes]) -> None:
        try:
            if first and not await self._connection.send(chunk(first), None):
                return
            async for piece in body:
                if piece and not await self._connection.send(chunk(piece), None):
                    return
            self.is_sent = await self._connection.send(chunk(b""), None)
        except Exception as error:
            self.failure = error
            self._connection.close()

    def cancel(self) -> None:
        """May be called from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._task.cancel)


async def _read(body: Iterator[bytes]) -> AsyncIterator[bytes]:
    while (piece := await asyncio.to_thread(next, body, None)) is not None:
        yield piece


def _stalled(timeout: float | None) -> ServiceTimeout:
    return ServiceTimeout(f"The service did not answer within {timeout} s. See its log, then try again.")
