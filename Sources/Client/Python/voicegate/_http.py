"""One response of HTTP/1.1 (RFC 9112), from bytes as they come."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from .errors import Disconnected, ProtocolError

_LONGEST_HEAD = 65_536
_LONGEST_LINE = 4 << 20
PIECE = 65_536


def head(method: str, path: str, query: Mapping[str, str | None], fields: Mapping[str, str]) -> bytes:
    """A request's head. Parameters without a value are left out."""
    parameters = "&".join(f"{name}={quote(value, safe='')}" for name, value in query.items() if value is not None)
    lines = [f"{method} {path}{'?' if parameters else ''}{parameters} HTTP/1.1", "Host: voicegate", "Connection: close"]
    return "\r\n".join([*lines, *(f"{name}: {value}" for name, value in fields.items()), "", ""]).encode("ascii")


def chunk(data: bytes) -> bytes:
    """A piece of a body with `Transfer-Encoding: chunked`; an empty one is the body's end."""
    return b"%x\r\n%b\r\n" % (len(data), data)


class Response:
    """Takes bytes, and gives those of the body. Complete responses ignore what follows."""

    def __init__(self) -> None:
        self.status = 0
        self.fields: dict[str, str] = {}
        self.is_complete = False
        #: Whether the request went out whole, for the error if the service closes the connection.
        self.is_request_sent = False
        self._buffer = bytearray()
        #: Bytes that are left of the body or the chunk; `None`: of a body that ends with the connection.
        self._left: int | None = 0
        self._is_chunked = False
        self._in_trailer = False

    @property
    def has_head(self) -> bool:
        return self.status >= 200

    def feed(self, data: bytes) -> bytes:
        """The body's bytes that these bring; no bytes mean that the service closed the connection."""
        if not data:
            if self.has_head and self._left is None:
                self.is_complete = True
            if not self.is_complete:
                raise self.broken_off()
            return b""
        self._buffer += data
        while not self.has_head:
            if not self._read_head():
                return b""
        return self._read_body()

    def broken_off(self) -> Disconnected:
        if self.is_request_sent:
            return Disconnected("The service closed the connection before it had answered. See its log, then retry.")
        return Disconnected(
            "The service closed the connection before it had read the whole request; what was sent is not at fault. "
            "See its log, then send it again."
        )

    def _read_head(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > _LONGEST_HEAD:
                raise ProtocolError("its head is too long")
            return False
        first, *lines = bytes(self._buffer[:end]).decode("latin-1").split("\r\n")
        del self._buffer[: end + 4]
        words = first.split(" ", 2)
        if len(words) < 2 or not words[0].startswith("HTTP/1.") or not words[1].isdigit() or len(words[1]) != 3:
            raise ProtocolError("it is not HTTP")
        self.status = int(words[1])
        fields = (line.partition(":") for line in lines)
        self.fields = {name.strip().lower(): value.strip() for name, _, value in fields}
        length = self.fields.get("content-length")
        self._is_chunked = self.fields.get("transfer-encoding", "").lower() == "chunked"
        if self.has_head and self.status in (204, 304):
            self.is_complete = True
        elif not self._is_chunked:
            if length is not None and not (length.isascii() and length.isdigit()):
                raise ProtocolError("its length is not a number")
            self._left = int(length) if length is not None else None
            self.is_complete = self._left == 0
        return True

    def _read_body(self) -> bytes:
        body = bytearray()
        while not self.is_complete:
            if not self._is_chunked or self._left:
                taken = self._buffer[: self._left]
                body += taken
                del self._buffer[: len(taken)]
                if self._left is not None:
                    self._left -= len(taken)
                    self.is_complete = not self._is_chunked and not self._left
                if not self._buffer:
                    break
            elif not self._read_chunk_line():
                break
        return bytes(body)

    def _read_chunk_line(self) -> bool:
        """The line before a chunk, the empty one after it, or one of the trailer."""
        line, found, _ = self._buffer.partition(b"\r\n")
        if not found:
            if len(self._buffer) > _LONGEST_HEAD:
                raise ProtocolError("a chunk has no length")
            return False
        del self._buffer[: len(line) + 2]
        if self._in_trailer:
            self.is_complete = not line
        elif line:
            try:
                self._left = int(b"0" + line.partition(b";")[0].strip(), 16)
            except ValueError:
                raise ProtocolError("a chunk has no length") from None
            self._in_trailer = self._left == 0
        return True


class Lines:
    """Cuts bytes into lines."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._searched = 0

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def next(self) -> bytes | None:
        """The next whole line without its end."""
        end = self._buffer.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._buffer)
            if self._searched > _LONGEST_LINE:
                raise ProtocolError(f"a line is longer than {_LONGEST_LINE} bytes")
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._searched = 0
        return line

    def rest(self) -> bytes:
        """What follows the last line's end."""
        rest = bytes(self._buffer)
        self._buffer.clear()
        self._searched = 0
        return rest
