"""How `aio` waits: on the event loop. What blocks is read in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Sequence

from .._http import PIECE
from .._link import Link, Upload
from .._sound import AnySound, pieces


class Connection(Link):
    @staticmethod
    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds)

    @staticmethod
    async def run(words: Sequence[str]) -> int:
        silent = asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(*words, stdin=silent, stdout=silent, stderr=silent)
        return await process.wait()

    async def _send(self, data: bytes, timeout: float | None) -> None:
        async with asyncio.timeout(timeout):
            await asyncio.get_running_loop().sock_sendall(self.socket, data)

    async def _receive(self, timeout: float | None) -> bytes:
        async with asyncio.timeout(timeout):
            return await asyncio.get_running_loop().sock_recv(self.socket, PIECE)

    def upload(self, first: bytes, sound: AnySound) -> Upload:
        return _TaskUpload(self, first, sound if isinstance(sound, AsyncIterable) else _read(pieces(sound)))


class _TaskUpload(Upload):
    def __init__(self, link: Link, first: bytes, body: AsyncIterable[bytes]) -> None:
        super().__init__(link, first, body)
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self.run())

    def cancel(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._task.cancel)


async def _read(body: Iterator[bytes]) -> AsyncIterator[bytes]:
    while (piece := await asyncio.to_thread(next, body, None)) is not None:
        yield piece
