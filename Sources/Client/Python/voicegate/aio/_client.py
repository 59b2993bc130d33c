"""The calls."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, TypeVar, Unpack
from urllib.parse import quote

from .. import _command, _socket
from .._decoding import camel
from .._link import Link
from .._sound import AnySound
from ..errors import ServiceNotRunning
from ..wire import (
    Authorization,
    AuthorizationStatus,
    Device,
    DevicesReply,
    DictationOptions,
    DictationsReply,
    Health,
    Resource,
    RunningDictation,
    TranscriptionOptions,
)
from ._exchange import Exchange, decoded, json_object
from ._io import Connection
from ._streams import Changes, Dictation, Records, Transcription

T = TypeVar("T")


class Client:
    """Calls VoiceGate's service, each time on its own connection.

    The kernel tells the service which program calls, so the user is asked about the program that uses this package: a
    script needs its own manifest (`voicegate manifest new SCRIPT`). Every method raises `VoiceGateError`.
    """

    _connection: type[Link] = Connection

    def __init__(
        self,
        socket: str | os.PathLike[str] | None = None,
        *,
        language: str | None = None,
        timeout: float | None = 30,
        asks_in_terminal: bool = True,
    ) -> None:
        """
        socket: where the service listens; by default `VOICEGATE_SOCKET`, the machine's own service, or the user's; that is
            started if it does not run and `VOICEGATE_NO_START` is not set.
        language: of the service's messages: `en`, `ja` or `ko`; by default that of the locale.
        timeout: seconds without an answer until `ServiceTimeout`; not while the user is asked. In a dictation, a
            transcription and changes: without a heartbeat, if the service sends heartbeats.
        asks_in_terminal: whether prompts appear in this program's terminal, if it is its foreground job and the
            command `voicegate` is there; otherwise `voicegate agent` shows them.
        """
        self._starts_service = socket is None
        self.socket = os.fspath(socket) if socket is not None else _socket.default_socket()
        self.language = language or _socket.default_language()
        self.timeout = timeout
        self.asks_in_terminal = asks_in_terminal

    async def health(self) -> Health:
        """The service's version and mode, and whether everything is muted, in enforced mode for all users."""
        return await self._answer(Health, "GET", "/v1/health")

    async def authorization(self) -> Authorization:
        """This program's permissions. Does not ask the user."""
        return await self._answer(Authorization, "GET", "/v1/authorization")

    async def request_authorization(
        self, resource: str | None = None, *, scope: str | None = None, language: str | None = None
    ) -> Authorization:
        """Asks the user if they have not decided, and waits for the answer. Anything but a grant raises `Refused`.

        resource: `speechRecognition` or `microphone`; by default both, in this order, as dictation needs them.
        scope: `always` if the program also needs it in the background; the user is asked for that later.
        language: what is to be recognised; the user is not asked if no engine there recognises it.
        """
        body = {"resource": resource, "scope": scope, "language": language}
        with await self._prompts(resource):
            return await self._answer(Authorization, "POST", "/v1/authorization/requests", body, asks_user=True)

    async def request_temporary_full_fidelity(self, purpose_key: str) -> Authorization:
        """Asks the user for full fidelity for this process's next session.

        purpose_key: of the manifest's `VoiceGateTemporaryFullFidelityUsageDescriptionDictionary`.
        """
        path = "/v1/authorization/temporary-full-fidelity"
        return await self._answer(Authorization, "POST", path, {"purposeKey": purpose_key}, asks_user=True)

    def authorization_changes(self) -> Changes:
        """This program's permissions now, and each change."""
        return Changes(self)

    async def mute(self) -> None:
        """Ends everything that listens and refuses everything, until the user ends that by `voicegate unmute`."""
        await self._perform("PUT", "/v1/mute")

    async def devices(self) -> tuple[Device, ...]:
        """The capture devices; those that cannot be used have the reason."""
        return (await self._answer(DevicesReply, "GET", "/v1/devices")).devices

    def dictate(self, **options: Unpack[DictationOptions]) -> Dictation:
        """Listens, once the first event is taken, until the session ends or the iterator is closed.

        Asks the user for permissions that they have not decided about. The keywords are those of `DictationOptions`.
        """
        return Dictation(self, _json(options, DictationOptions.__optional_keys__))

    async def dictations(self) -> tuple[RunningDictation, ...]:
        """This program's running dictations, newest first."""
        return (await self._answer(DictationsReply, "GET", "/v1/dictation")).sessions

    async def control(self, session: str, control: str) -> None:
        """Controls a running session of this program.

        control: `end` recognises what was heard until now, `cancel` discards it; `suspend`, `resume`.
        """
        await self._perform("POST", f"/v1/dictation/{quote(session, safe='')}/{quote(control, safe='')}")

    def transcribe(
        self, sound: AnySound, *, start: float = 0, language: str | None = None, **options: Unpack[TranscriptionOptions]
    ) -> Transcription:
        """Turns a sound file of any format and length into text. Needs speech recognition, and no microphone.

        If the service restarts, the transcription of a path or of bytes continues after the last utterance.

        sound: a path, the file's bytes, a file that is open for reading bytes, or an iterable of pieces of bytes.
        start: seconds; utterances that begin earlier are left out.
        language: what is spoken, such as `en`; refused if no engine of the service recognises it.
        options: what is known about the words: the keywords of `TranscriptionOptions`.
        """
        return Transcription(self, sound, start, language, _json(options, TranscriptionOptions.__optional_keys__))

    def records(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = None,
        after: int | None = None,
    ) -> Records:
        """The records of the consent log about this program, oldest first.

        limit: only this many of the newest.
        after: only records with a higher index.
        """
        return Records(self, since, until, limit, after)

    async def _answer(
        self,
        kind: type[T],
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        *,
        asks_user: bool = False,
    ) -> T:
        return decoded(kind, json_object(await self._perform(method, path, body, asks_user=asks_user)))

    async def _perform(
        self, method: str, path: str, body: Mapping[str, object] | None = None, *, asks_user: bool = False
    ) -> bytes:
        exchange = await self._connect(None if asks_user else self.timeout, starts=True)
        try:
            await exchange.ask(method, path, body=body)
            return await exchange.collect()
        finally:
            exchange.close()

    async def _connect(self, timeout: float | None, heartbeat: float | None = None, *, starts: bool) -> Exchange:
        """
        starts: whether the service is started if it does not run; not one that has ended meanwhile.
        """
        try:
            connection = await self._connection.open(self.socket)
        except ServiceNotRunning:
            command = _command.start(self.socket) if starts and self._starts_service else None
            if command is None or await self._connection.run(command) != 0:
                raise
            connection = await self._connection.open(self.socket)
        return Exchange(connection, self.language, timeout, heartbeat)

    async def _prompts(self, resource: str | None, *, asks: bool = True) -> _command.Prompts:
        """Shows prompts in this terminal if the user has not decided about the resource, by default about each."""
        prompts = _command.Prompts(self.socket)
        if asks and self.asks_in_terminal and _command.has_terminal():
            known = await self.authorization()
            statuses = {Resource.MICROPHONE: known.microphone, Resource.SPEECH_RECOGNITION: known.speech_recognition}
            asked = [status for of, status in statuses.items() if resource is None or of == resource]
            if AuthorizationStatus.NOT_DETERMINED in asked:
                prompts.show()
        return prompts


def _json(options: Mapping[str, Any], known: Iterable[str]) -> dict[str, object]:
    """Keywords as the fields of a request."""
    for name in options:
        if name not in known:
            raise TypeError(f"unknown keyword {name!r}; known: {', '.join(sorted(known))}")
    values = {camel(name): value for name, value in options.items() if value is not None}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
