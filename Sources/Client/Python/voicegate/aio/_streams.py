"""What the service sends line by line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from .._decoding import timestamp
from .._sound import AnySound, can_be_read_again
from ..errors import (
    CannotConnect,
    Disconnected,
    RateLimited,
    ServiceTimeout,
    SessionEnded,
    Unavailable,
    Unreachable,
    VoiceGateError,
    refusal_of,
)
from ..wire import (
    AUTHORIZATION_EVENTS,
    DICTATION_EVENTS,
    AuditRecord,
    AuthorizationChanged,
    AuthorizationGap,
    AuthorizationResumed,
    AuthorizationState,
    DictationEnding,
    DictationEvent,
    Ended,
    Final,
    Started,
)
from ._exchange import Exchange, decoded, json_object

if TYPE_CHECKING:
    from ._client import Client

T = TypeVar("T")


class Stream(Generic[T]):
    """Values, one a line. `close`, leaving `async with`, cancelling and dropping it end it at once."""

    #: How often in a row it connects again, once it has begun.
    _attempts: float = 0
    _timeout: float | None = None

    def __init__(self, client: Client) -> None:
        self._client = client
        self._heartbeat = client.timeout
        self._exchange: Exchange | None = None
        self._is_over = False
        self._has_begun = False
        self._failures = 0
        self._delay = 0.0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        while not self._is_over:
            value: T | None = None
            try:
                # Another task or thread may close it at any time.
                exchange = self._exchange
                if exchange is None:
                    if self._failures:
                        await self._client._connection.sleep(self._delay)
                    exchange = self._exchange = await self._client._connect(
                        self._timeout, self._heartbeat, starts=not self._has_begun
                    )
                    if self._is_over:
                        break
                    await self._ask(exchange)
                line = await exchange.line()
                if line is None:
                    self._leave()
                    self._is_over = self._ends()
                else:
                    value = self._value(json_object(line))
            except (CannotConnect, Disconnected, ServiceTimeout, RateLimited, Unavailable) as error:
                if self._is_over:
                    break
                self._leave()
                self._failures += 1
                if self._failures > self._attempts or not self._has_begun:
                    self._is_over = True
                    raise
                self._delay = max(min(10, 0.05 * 2 ** min(self._failures, 8)), getattr(error, "retry_after", None) or 0)
                value = self._report(error)
            except BaseException:
                self._is_over = True
                self._leave()
                raise
            if value is not None:
                return value
        self._leave()
        raise StopAsyncIteration

    async def close(self) -> None:
        """Ends it. What was not read is lost; a dictation stops to listen, and what it heard is discarded."""
        self._is_over = True
        self._leave()

    def __del__(self) -> None:
        if getattr(self, "_exchange", None) is not None:
            self._leave()

    def _leave(self) -> None:
        exchange, self._exchange = self._exchange, None
        if exchange is not None:
            exchange.close()

    def _got_further(self) -> None:
        self._has_begun = True
        self._failures = 0

    async def _ask(self, exchange: Exchange) -> None:
        raise NotImplementedError

    def _value(self, fields: Mapping[str, Any]) -> T | None:
        """What a line says; `None` if this version does not know it."""
        raise NotImplementedError

    def _ends(self) -> bool:
        """At the end of the answer: whether nothing follows it."""
        return True

    def _report(self, error: VoiceGateError) -> T | None:
        """What to give out when the connection is lost and will be made again."""
        return None


class Changes(Stream[AuthorizationState | AuthorizationChanged | AuthorizationGap | Unreachable]):
    """The program's permissions now, and then each change, in order, also one that was undone since.

    Connects again and continues after the last change that was taken. Changes that are lost, because the service
    restarted or the reader was far behind, are an `AuthorizationGap`, and the state follows. `Unreachable` is reported
    once until the service is reached again. Has no end but `close`.
    """

    _attempts = float("inf")

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self._cursor: str | None = None
        self._is_known_unreachable = False
        self._has_begun = True

    async def _ask(self, exchange: Exchange) -> None:
        await exchange.ask("GET", "/v1/authorization/changes", query={"after": self._cursor})

    def _value(
        self, fields: Mapping[str, Any]
    ) -> AuthorizationState | AuthorizationChanged | AuthorizationGap | Unreachable | None:
        event = _event(fields, AUTHORIZATION_EVENTS)
        if event is not None:
            self._got_further()
            self._is_known_unreachable = False
        if event is None or isinstance(event, AuthorizationGap):
            return event
        self._cursor = event.cursor
        return None if isinstance(event, AuthorizationResumed) else event

    def _ends(self) -> bool:
        raise Disconnected("The service closed the connection.")

    def _report(self, error: VoiceGateError) -> Unreachable | None:
        if self._is_known_unreachable or isinstance(error, Disconnected):
            return None
        self._is_known_unreachable = True
        return Unreachable(error)


class Dictation(Stream[DictationEvent]):
    """The events of a session; the last is `Ended`, with the reason. No audio is captured before `Started`."""

    def __init__(self, client: Client, request: Mapping[str, object]) -> None:
        super().__init__(client)
        self._request = request
        #: The session's identifier, once it has started.
        self.session: str | None = None
        #: How it ended, once it has.
        self.ended: Ended | None = None
        #: Seconds: the end of the last utterance.
        self.position = 0.0

    async def text(self) -> str:
        """Reads to the end: all utterances. Raises `SessionEnded` if the session ends before all is recognised."""
        texts = [event.text async for event in self if isinstance(event, Final) and event.text]
        if self.ended is not None and not self.ended.is_complete:
            raise SessionEnded(self.ended.reason, self.ended.message)
        return " ".join(texts)

    async def end(self) -> None:
        """Stops to listen. What was heard is recognised, and its events follow."""
        await self._control("end")

    async def cancel(self) -> None:
        """Stops to listen, and discards what was heard and is not recognised yet."""
        await self._control("cancel")

    async def suspend(self) -> None:
        """Does not listen until `resume`."""
        await self._control("suspend")

    async def resume(self) -> None:
        """Listens again after `suspend`."""
        await self._control("resume")

    async def _control(self, control: str) -> None:
        if self.session is None:
            raise VoiceGateError("The session has not started. Take its events until Started first.")
        await self._client.control(self.session, control)

    async def _ask(self, exchange: Exchange) -> None:
        with await self._client._prompts(None, asks=self._request.get("ask") is not False):
            await exchange.ask("POST", "/v1/dictation", body=self._request)

    def _value(self, fields: Mapping[str, Any]) -> DictationEvent | None:
        event = _event(fields, DICTATION_EVENTS)
        if isinstance(event, Started):
            self.session = event.session
        elif isinstance(event, Final):
            self.position = event.end
            self._got_further()
        elif isinstance(event, Ended):
            self.ended = event
            self._is_over = True
            self._leave()
        return event

    def _ends(self) -> bool:
        raise Disconnected("The service closed the connection before the session's end. See its log, then try again.")


class Transcription(Dictation):
    """The events of a sound file, with each utterance once it is recognised; the last is `Ended`."""

    def __init__(
        self, client: Client, sound: AnySound, start: float, language: str | None, request: Mapping[str, object]
    ) -> None:
        super().__init__(client, request)
        self._sound = sound
        self._start = start
        self._language = language
        self._attempts = 6 if can_be_read_again(sound) else 0

    def _value(self, fields: Mapping[str, Any]) -> DictationEvent | None:
        if fields.get("reason") == DictationEnding.SERVICE_STOPPED and self._attempts and self._has_begun:
            raise Disconnected("The service stopped before it had read the whole file. Start it again, then try again.")
        return super()._value(fields)

    async def _ask(self, exchange: Exchange) -> None:
        begin = max(self._start, self.position)
        with await self._client._prompts("speechRecognition"):
            await exchange.ask(
                "POST",
                "/v1/audio/transcriptions",
                query={"from": str(begin) if begin > 0 else None, "language": self._language},
                fields={
                    "Accept": "application/x-ndjson",
                    "Content-Type": f"application/{'x-voicegate-transcription' if self._request else 'octet-stream'}",
                },
                line=json.dumps(self._request).encode() + b"\n" if self._request else b"",
                sound=self._sound,
            )


class Records(Stream[AuditRecord]):
    """Records, in as many requests as the service needs; continues after the last one if the connection is lost."""

    _attempts = 6

    def __init__(
        self, client: Client, since: datetime | None, until: datetime | None, limit: int | None, after: int | None
    ) -> None:
        super().__init__(client)
        self._timeout, self._heartbeat = client.timeout, None
        self._since = timestamp(since) if since else None
        self._until = timestamp(until) if until else None
        self._limit = limit
        self._after = after
        #: The last position that the answer covers, and the records of the log.
        self._span: tuple[int, int] | None = None

    async def _ask(self, exchange: Exchange) -> None:
        query = {
            "since": self._since,
            "until": self._until,
            "limit": None if self._limit is None else str(self._limit),
            "after": None if self._after is None else str(self._after),
        }
        fields = await exchange.ask("GET", "/v1/audit/records", query=query)
        covered, _, size = fields.get("voicegate-record-span", "").partition("/")
        last = covered.rpartition("-")[2]
        self._span = (int(last), int(size)) if last.isdigit() and size.isdigit() else None

    def _value(self, fields: Mapping[str, Any]) -> AuditRecord:
        record = decoded(AuditRecord, fields)
        if self._limit is None:
            self._after = record.index
            self._got_further()
        return record

    def _ends(self) -> bool:
        if self._limit is not None or self._span is None or self._span[0] + 1 >= self._span[1]:
            return True
        self._after = self._span[0]
        return False


def _event(fields: Mapping[str, Any], kinds: Mapping[str, type[T]]) -> T | None:
    """The event of a line; `None` if this version does not know it."""
    if "type" not in fields and "error" in fields:
        raise refusal_of(500, {}, fields)
    kind = kinds.get(str(fields.get("type")))
    return None if kind is None else decoded(kind, fields)
