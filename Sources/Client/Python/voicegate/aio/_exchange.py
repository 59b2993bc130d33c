"""One request and its answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from .. import _http
from .._decoding import Malformed, decode
from .._link import Link, Upload
from .._sound import AnySound
from ..errors import Disconnected, ProtocolError, refusal

T = TypeVar("T")

#: Bytes of the longest answer that is not a stream.
_LONGEST_ANSWER = 8 << 20


class Exchange:
    """One request and its answer."""

    def __init__(self, connection: Link, language: str, timeout: float | None, heartbeat: float | None = None) -> None:
        """
        timeout: seconds without anything from the service.
        heartbeat: the same, once the service has shown that it sends heartbeats.
        """
        self._connection = connection
        self._language = language
        self._timeout = timeout
        self._heartbeat = heartbeat
        self._response = _http.Response()
        self._body = _http.Lines()
        self._upload: Upload | None = None

    @property
    def _beat(self) -> int:
        """Seconds between heartbeats, as the service takes them."""
        return min(3600, max(1, int((self._heartbeat or 0) / 3)))

    async def ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str | None] | None = None,
        fields: Mapping[str, str] | None = None,
        body: Mapping[str, object] | None = None,
        line: bytes = b"",
        sound: AnySound | None = None,
    ) -> Mapping[str, str]:
        """Sends a request and waits for the head of its answer.

        line: sent before the sound.
        Returns the head's fields. Raises `Refused` for the status of an error.
        """
        sent = b"" if body is None else json.dumps({key: body[key] for key in body if body[key] is not None}).encode()
        fields = {"Accept-Language": self._language, **(fields or {})}
        if body is not None:
            fields |= {"Content-Type": "application/json", "Content-Length": str(len(sent))}
        if sound is not None:
            fields |= {"Transfer-Encoding": "chunked"}
        if self._heartbeat is not None:
            query = {**(query or {}), "heartbeat": str(self._beat)}
        is_sent = await self._connection.send(_http.head(method, path, query or {}, fields) + sent, self._timeout)
        self._response.is_request_sent = is_sent and sound is None
        if sound is not None:
            self._upload = self._connection.upload(line, sound)
        while not self._response.has_head:
            await self._read()
        status = self._response.status
        if not 200 <= status < 300:
            try:
                answer = await self.collect()
            except Disconnected:
                answer = b""
            raise refusal(status, self._response.fields, answer)
        return self._response.fields

    async def line(self) -> bytes | None:
        """The next line that is not empty; an empty one is a heartbeat."""
        while True:
            line = self._body.next()
            if line is None:
                if self._response.is_complete:
                    return self._body.rest().strip() or None
                await self._read()
            elif line.strip():
                return line
            elif self._heartbeat is not None:
                self._timeout = max(self._heartbeat, 3 * self._beat)

    async def collect(self) -> bytes:
        """The whole answer, as far as it was not read."""
        answer = self._body.rest()
        while not self._response.is_complete:
            await self._read()
            answer += self._body.rest()
            if len(answer) > _LONGEST_ANSWER:
                raise ProtocolError(f"it is longer than {_LONGEST_ANSWER} bytes")
        return answer

    def close(self) -> None:
        """Ends the session, if there is one. May be called from any thread."""
        self._connection.close()
        if self._upload is not None:
            self._upload.cancel()

    async def _read(self) -> None:
        data = await self._connection.receive(self._timeout)
        if self._upload is not None:
            self._response.is_request_sent = self._upload.is_sent
            if not data and self._upload.failure is not None:
                raise self._upload.failure
        self._body.feed(self._response.feed(data))


def json_object(line: bytes) -> Mapping[str, Any]:
    try:
        fields = json.loads(line)
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        raise ProtocolError("it is not an object of JSON")
    return fields


def decoded(kind: type[T], fields: Mapping[str, Any]) -> T:
    try:
        return decode(kind, fields)
    except Malformed as error:
        raise ProtocolError(str(error)) from None
