"""The plain form: each call waits. `aio` has the same names, and the documentation of each call."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, Unpack

from .. import aio
from .._sound import Sound
from ..errors import Unreachable
from ..wire import (
    AuditRecord,
    AuthorizationChanged,
    AuthorizationGap,
    AuthorizationState,
    DictationEvent,
    DictationOptions,
    Ended,
    TranscriptionOptions,
)
from ._io import Connection, run

__all__ = ["Changes", "Client", "Dictation", "Records", "Transcription"]

T = TypeVar("T")
P = ParamSpec("P")


def _waiting(method: Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]) -> Callable[Concatenate[Any, P], T]:
    """The plain form of a method of `aio`."""

    def call(self: Any, /, *arguments: P.args, **keywords: P.kwargs) -> T:
        return run(method(self._aio, *arguments, **keywords))

    functools.update_wrapper(call, method)
    return call


class Stream(Generic[T]):
    """Values, one a line. `close`, leaving `with`, and dropping it end it at once."""

    def __init__(self, stream: aio.Stream[T]) -> None:
        self._aio = stream

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        try:
            return run(self._aio.__anext__())
        except StopAsyncIteration:
            raise StopIteration from None

    close = _waiting(aio.Stream.close)


class Changes(Stream[AuthorizationState | AuthorizationChanged | AuthorizationGap | Unreachable]):
    __doc__ = aio.Changes.__doc__


class Records(Stream[AuditRecord]):
    __doc__ = aio.Records.__doc__


class Dictation(Stream[DictationEvent]):
    __doc__ = aio.Dictation.__doc__
    _aio: aio.Dictation

    @property
    def session(self) -> str | None:
        """The session's identifier, once it has started."""
        return self._aio.session

    @property
    def ended(self) -> Ended | None:
        """How it ended, once it has."""
        return self._aio.ended

    @property
    def position(self) -> float:
        """Seconds: the end of the last utterance."""
        return self._aio.position

    text = _waiting(aio.Dictation.text)
    end = _waiting(aio.Dictation.end)
    cancel = _waiting(aio.Dictation.cancel)
    suspend = _waiting(aio.Dictation.suspend)
    resume = _waiting(aio.Dictation.resume)


class Transcription(Dictation):
    __doc__ = aio.Transcription.__doc__


class _Client(aio.Client):
    _connection = Connection


class Client:
    __doc__ = aio.Client.__doc__

    def __init__(
        self,
        socket: str | os.PathLike[str] | None = None,
        *,
        language: str | None = None,
        timeout: float | None = 30,
        asks_in_terminal: bool = True,
    ) -> None:
        self._aio = _Client(socket, language=language, timeout=timeout, asks_in_terminal=asks_in_terminal)

    __init__.__doc__ = aio.Client.__init__.__doc__

    health = _waiting(aio.Client.health)
    authorization = _waiting(aio.Client.authorization)
    request_authorization = _waiting(aio.Client.request_authorization)
    request_temporary_full_fidelity = _waiting(aio.Client.request_temporary_full_fidelity)
    mute = _waiting(aio.Client.mute)
    devices = _waiting(aio.Client.devices)
    dictations = _waiting(aio.Client.dictations)
    control = _waiting(aio.Client.control)

    def authorization_changes(self) -> Changes:
        return Changes(self._aio.authorization_changes())

    def dictate(self, **options: Unpack[DictationOptions]) -> Dictation:
        return Dictation(self._aio.dictate(**options))

    def transcribe(
        self, sound: Sound, *, start: float = 0, language: str | None = None, **options: Unpack[TranscriptionOptions]
    ) -> Transcription:
        return Transcription(self._aio.transcribe(sound, start=start, language=language, **options))

    def records(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = None,
        after: int | None = None,
    ) -> Records:
        return Records(self._aio.records(since=since, until=until, limit=limit, after=after))

    for _stream in (authorization_changes, dictate, transcribe, records):
        _stream.__doc__ = getattr(aio.Client, _stream.__name__).__doc__
    del _stream
