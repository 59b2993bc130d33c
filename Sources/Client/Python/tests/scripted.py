"""A service that says what a test wrote down, and both forms of the client."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import tempfile
import threading
import unittest
from collections.abc import Callable
from typing import Any

import voicegate
from voicegate import aio


class Conversation:
    """One connection, as the service sees it."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self._taken = b""
        self.target = self.heartbeat = ""
        self.fields: dict[str, str] = {}

    def request(self) -> None:
        """Reads the head."""
        first, *lines = self.take(b"\r\n\r\n").decode().split("\r\n")
        target, _, self.heartbeat = first.split(" ")[1].partition("heartbeat=")
        self.target = target.rstrip("?&")
        self.fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}

    def body(self) -> bytes:
        """Reads the body."""
        if "content-length" in self.fields:
            return self.exactly(int(self.fields["content-length"]))
        body = b""
        while piece := self.chunk():
            body += piece
        return body

    def chunk(self) -> bytes:
        return self.exactly(int(self.take(b"\r\n"), 16) + 2)[:-2]

    def take(self, end: bytes) -> bytes:
        while end not in self._taken:
            self._receive()
        found, _, self._taken = self._taken.partition(end)
        return found

    def exactly(self, count: int) -> bytes:
        while len(self._taken) < count:
            self._receive()
        found, self._taken = self._taken[:count], self._taken[count:]
        return found

    def _receive(self) -> None:
        data = self.connection.recv(65_536)
        if not data:
            raise ConnectionResetError
        self._taken += data

    def send(self, data: bytes) -> None:
        self.connection.sendall(data)

    def answer(self, value: object, status: int = 200, head: str = "") -> None:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send(f"HTTP/1.1 {status} OK\r\nContent-Length: {len(body)}\r\n{head}\r\n".encode() + body)

    def stream(self, *lines: dict[str, Any], head: str = "", ends: bool = True) -> None:
        """An answer with each line in a chunk."""
        self.send(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n{head}\r\n".encode())
        self.lines(*lines, ends=ends)

    def lines(self, *lines: dict[str, Any], ends: bool = False) -> None:
        for line in lines:
            data = json.dumps(line).encode() + b"\n"
            self.send(b"%x\r\n%b\r\n" % (len(data), data))
        if ends:
            self.send(b"0\r\n\r\n")

    def wait_for_close(self) -> None:
        """Returns once the client is gone."""
        try:
            while self.connection.recv(65_536):
                pass
        except ConnectionResetError:
            pass


Script = Callable[[Conversation], None]


class Scripted:
    """Plays the scripts, one a connection, in order; the last is played again and again."""

    def __init__(self, *scripts: Script) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "voicegate.sock")
        self.heard: list[Conversation] = []
        self.failures: list[BaseException] = []
        self._scripts = scripts
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen()
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def listen_as(self, user: int) -> None:
        """The kernel tells clients the user who listened last (unix(7), SO_PEERCRED). Needs root."""
        os.seteuid(user)
        self._listener.listen()
        os.seteuid(0)

    def __enter__(self) -> Scripted:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)
        self._listener.close()
        self.folder.cleanup()
        if self.failures:
            raise self.failures[0]

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            conversation = Conversation(connection)
            script = self._scripts[min(len(self.heard), len(self._scripts) - 1)]
            self.heard.append(conversation)
            thread = threading.Thread(target=self._play, args=(script, conversation))
            self._threads.append(thread)
            thread.start()

    def _play(self, script: Script, conversation: Conversation) -> None:
        try:
            conversation.request()
            script(conversation)
        except (ConnectionResetError, BrokenPipeError):
            pass
        except BaseException as error:
            self.failures.append(error)
        finally:
            conversation.connection.close()


class PlainForm(unittest.TestCase):
    def client(self, path: str, timeout: float | None = 10) -> Any:
        return voicegate.Client(path, timeout=timeout, asks_in_terminal=False)

    def call(self, call: Callable[[], Any]) -> Any:
        return call()

    def take(self, stream: Callable[[], Any], count: int = 1000) -> list[Any]:
        """The first values, all by default; then the stream is closed."""
        found: list[Any] = []
        with stream() as values:
            for value in values:
                found.append(value)
                if len(found) == count:
                    break
        return found


class AsyncioForm(PlainForm):
    def client(self, path: str, timeout: float | None = 10) -> Any:
        return aio.Client(path, timeout=timeout, asks_in_terminal=False)

    def call(self, call: Callable[[], Any]) -> Any:
        async def run() -> Any:
            return await call()

        return asyncio.run(run())

    def take(self, stream: Callable[[], Any], count: int = 1000) -> list[Any]:
        async def run() -> list[Any]:
            found: list[Any] = []
            async with stream() as values:
                async for value in values:
                    found.append(value)
                    if len(found) == count:
                        break
            return found

        return asyncio.run(run())
