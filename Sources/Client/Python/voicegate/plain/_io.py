"""How `plain` waits: by calls that block. So the coroutines of `aio` run from beginning to end without an event loop."""

from __future__ import annotations

import select
import subprocess
import time
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from threading import Thread
from typing import Any, TypeVar, cast

from .._http import PIECE
from .._link import Link, Upload
from .._sound import AnySound, Sound, pieces

T = TypeVar("T")


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that uses a `Connection` of this module."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return cast(T, end.value)
    raise AssertionError("it waits for an event loop")


class Connection(Link):
    @staticmethod
    async def sleep(seconds: float) -> None:
        time.sleep(seconds)

    @staticmethod
    async def run(words: Sequence[str]) -> int:
        silent = subprocess.DEVNULL
        return subprocess.run(words, stdin=silent, stdout=silent, stderr=silent).returncode

    async def _send(self, data: bytes, timeout: float | None) -> None:
        left = memoryview(data)
        while left:
            try:
                left = left[self.socket.send(left) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, timeout)

    async def _receive(self, timeout: float | None) -> bytes:
        while True:
            try:
                return self.socket.recv(PIECE)
            except BlockingIOError:
                self._wait(select.POLLIN, timeout)

    def _wait(self, event: int, timeout: float | None) -> None:
        poll = select.poll()
        poll.register(self.socket, event)
        if not poll.poll(None if timeout is None else timeout * 1000):
            raise TimeoutError

    def upload(self, first: bytes, sound: AnySound) -> Upload:
        upload = Upload(self, first, _each(pieces(cast(Sound, sound))))
        Thread(target=lambda: run(upload.run()), daemon=True).start()
        return upload


async def _each(body: Iterator[bytes]) -> AsyncIterator[bytes]:
    for piece in body:
        yield piece
