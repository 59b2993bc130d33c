"""Both forms against a service that is newer, broken or silent."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import threading
import typing
import unittest
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import voicegate
from voicegate import aio, errors

from .scripted import AsyncioForm, Conversation, PlainForm, Scripted

STARTED = {"type": "started", "time": 0, "session": "s1", "device": "mic", "grants": {"camera": "x"}, "new": [1]}
PARTIAL = {"type": "partial", "time": 1, "text": "naïve wo", "stablePrefix": 6, "stableText": "naïve"}
FINAL = {"type": "final", "time": 2.5, "text": "naïve words", "start": 0.5, "end": 2, "words": [], "mood": "glad"}
ENDED = {"type": "ended", "time": 3, "reason": "silence"}
STATE = {
    "client": "org.example.notes", "name": "Notes", "speechRecognition": "authorized", "microphone": "authorized",
    "muted": False, "problems": [], "camera": "authorized",
}  # fmt: skip


def changed(cursor: str, status: str) -> dict[str, Any]:
    states = {"microphone": {"status": status}, "camera": {"status": "authorized"}}
    return {"type": "changed", "cursor": cursor, "muted": False, "changed": states}


class Both(PlainForm):
    """The tests of both forms; here of the plain one."""

    def test_what_is_unknown_is_ignored(self) -> None:
        def newer(service: Conversation) -> None:
            unknown = {"type": "yawn", "time": 1}
            service.stream(STARTED, unknown, {"heartbeat": 1}, PARTIAL, FINAL, ENDED | {"reason": "bored"})

        with Scripted(newer) as service:
            client = self.client(service.path)
            events = self.take(lambda: client.dictate(stop_after_silence=2))
            self.assertEqual([type(event).__name__ for event in events], ["Started", "Partial", "Final", "Ended"])
            self.assertEqual(events[1].stable_text, "naïve")
            self.assertFalse(events[3].reason.is_known or events[3].is_complete)
            self.assertEqual(events[3].reason, "bored")
            with self.assertRaises(voicegate.SessionEnded) as ended:
                self.call(lambda: client.dictate().text())
            self.assertEqual(ended.exception.reason, "bored")

    def test_an_unknown_status_is_not_authorized(self) -> None:
        with Scripted(
            lambda service: service.answer(STATE | {"microphone": "maybe"}), lambda service: service.answer(STATE)
        ) as service:
            client = self.client(service.path)
            unknown = self.call(client.authorization)
            self.assertFalse(unknown.is_authorized or unknown.microphone.is_known)
            self.assertNotIn(unknown.microphone, list(voicegate.AuthorizationStatus))
            self.assertTrue(self.call(client.authorization).is_authorized)

    def test_what_breaks_off_is_no_end(self) -> None:
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        for beginning in [b"", b"HTTP/1.1 200", head, head + b"20\r\n{"]:
            with self.subTest(beginning), Scripted(lambda service: service.send(beginning)) as service:
                with self.assertRaises(voicegate.Disconnected):
                    self.take(self.client(service.path).dictate)
                self.assertEqual(len(service.heard), 1, "a dictation is not started again")
        with Scripted(lambda service: service.stream(STARTED)) as service, self.assertRaises(voicegate.Disconnected):
            self.take(self.client(service.path).dictate)

    def test_what_is_not_the_interface(self) -> None:
        for answer in [b"SSH-2.0\r\n\r\n", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"]:
            with Scripted(lambda service: service.send(answer)) as service, self.assertRaises(voicegate.ProtocolError):
                self.call(self.client(service.path).health)
        health = {"version": "1", "mode": "x", "processIdentifier": 1, "muted": False}
        for value in [b"[]", b"{", {"version": "1"}, health | {"version": 1}, health | {"processIdentifier": "1"}]:
            with Scripted(lambda service: service.answer(value)) as service, self.assertRaises(voicegate.ProtocolError):
                self.call(self.client(service.path).health)

    def test_a_service_that_stalls(self) -> None:
        for beginning in [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"]:
            with Scripted(stalling(beginning)) as service:
                with self.assertRaises(voicegate.ServiceTimeout):
                    self.call(self.client(service.path, timeout=0.05).health)

    def test_heartbeats_that_stop(self) -> None:
        def stops(service: Conversation) -> None:
            self.assertEqual(service.heartbeat, "1")
            service.stream(STARTED, {"type": "gap"}, ends=False)
            service.send(b"1\r\n\n\r\n")
            service.wait_for_close()

        with Scripted(stops) as service:
            client = self.client(service.path, timeout=0.05)
            with self.assertRaises(voicegate.ServiceTimeout):
                self.take(client.dictate)
            self.assertEqual(len(self.take(client.authorization_changes, 3)), 3, "it connects again")

    def test_each_refusal_keeps_its_reason(self) -> None:
        soon = format_datetime(datetime.now(UTC) + timedelta(seconds=100))
        refused: list[tuple[int, str, Any, type[errors.Refused]]] = [
            (403, "", {"code": "denied", "message": "m", "settings": "voicegate settings x"}, errors.Denied),
            (403, "", {"code": "restricted", "message": "m", "status": "restricted"}, errors.Restricted),
            (403, "", {"code": "muted", "message": "m"}, errors.Muted),
            (403, "", {"code": "notDetermined", "message": "m", "status": "new"}, errors.NotDetermined),
            (403, "", {"code": "missingUsageDescription", "client": "a.b"}, errors.MissingUsageDescription),
            (403, "", {"code": "missingManifest", "client": "unregistered.x"}, errors.MissingManifest),
            (403, "", {"code": "moonPhase", "message": "m"}, errors.PermissionRefused),
            (409, "", {"code": "tooManyRequests", "message": "m"}, errors.RateLimited),
            (429, "Retry-After: 7\r\n", {"code": "new", "message": "m"}, errors.RateLimited),
            (503, f"Retry-After: {soon}\r\n", {"code": "busy", "message": "m"}, errors.RateLimited),
            (503, "Retry-After: 2\r\n", None, errors.Unavailable),
            (422, "", {"code": "invalidValue", "message": "m"}, errors.InvalidRequest),
            (500, "Retry-After: never\r\n", {"code": "internalError", "message": "m"}, errors.ServiceFailed),
        ]
        for status, head, error, kind in refused:
            members = {"type": "about:blank", "title": "t", "status": status, "detail": "d"}
            bodies = [{"error": error}, {"error": error} | members, members | error] if error else [b"", members]
            for body in bodies:
                with Scripted(lambda service: service.answer(body, status, head)) as service:
                    client = self.client(service.path)
                    with self.subTest(str(body)), self.assertRaises(kind) as raised:
                        self.call(client.request_authorization)
                    with self.assertRaises(kind):
                        self.take(client.dictate)
                found = raised.exception
                self.assertIs(type(found), kind)
                self.assertTrue(found.message)
                self.assertEqual(found.http_status, status)
                self.assertEqual(found.code, error["code"] if error else "")
                self.assertEqual(found.command, (error or {}).get("settings"))
                seconds = {"": None, "Retry-After: 7": 7, "Retry-After: 2": 2}.get(head.strip(), found.retry_after)
                self.assertEqual(found.retry_after, seconds)
                if soon in head:
                    self.assertTrue(90 < (found.retry_after or 0) <= 100)

    def test_a_socket_that_is_not_the_services(self) -> None:
        with Scripted(lambda service: service.answer(STATE)) as service:
            os.chmod(service.folder.name, 0o777)
            with self.assertRaisesRegex(voicegate.UntrustedService, "others can write"):
                self.call(self.client(service.path).authorization)
            os.chmod(service.folder.name, 0o700)
            if os.getuid() == 0:
                service.listen_as(65_534)
                os.chmod(service.folder.name, 0o1777)
                with self.assertRaisesRegex(voicegate.UntrustedService, "another user's program"):
                    self.call(self.client(service.path).authorization)
                os.chmod(service.folder.name, 0o700)
                os.chown(service.path, 65_534, -1)
                with self.assertRaisesRegex(voicegate.UntrustedService, "belongs to another user"):
                    self.call(self.client(service.path).authorization)
                os.chown(service.path, 0, -1)
            file = service.folder.name + "/file"
            os.close(os.open(file, os.O_CREAT))
            with self.assertRaisesRegex(voicegate.UntrustedService, "not a socket"):
                self.call(self.client(file).authorization)
            with self.assertRaises(voicegate.ServiceNotRunning) as absent:
                self.call(self.client(service.folder.name + "/none").authorization)
            self.assertEqual(absent.exception.command, "voicegate service start")
            with self.assertRaises(voicegate.CannotConnect):
                self.call(self.client("/" + "x" * 200).authorization)
            self.assertTrue(all(heard.target == "" for heard in service.heard), "nothing was sent")
            # Only root can have put it there: the machine's own service, which has its own user.
            self.assertTrue(self.call(self.client(service.path).authorization).is_authorized)

    def test_changes_continue_after_the_last_one(self) -> None:
        def first(service: Conversation) -> None:
            states = {"microphone": {"status": "notDetermined"}}
            state = {"type": "state", "cursor": "a:1", "authorization": STATE, "resources": states}
            service.stream(state, changed("a:2", "authorized"), ends=False)

        def second(service: Conversation) -> None:
            service.stream({"type": "resumed", "cursor": "a:2"}, {"type": "moved"}, changed("a:3", "denied"))

        def third(service: Conversation) -> None:
            service.answer({"error": {"code": "busy", "message": "m"}}, 503)

        def last(service: Conversation) -> None:
            service.stream({"type": "gap"}, ends=False)
            service.wait_for_close()

        with Scripted(first, second, third, third, last) as service:
            events = self.take(self.client(service.path).authorization_changes, 5)
            self.assertEqual([getattr(event, "cursor", "") for event in events], ["a:1", "a:2", "a:3", "", ""])
            self.assertEqual(events[2].changed.microphone.status, voicegate.AuthorizationStatus.DENIED)
            self.assertIsInstance(events[3], voicegate.Unreachable)
            self.assertIsInstance(events[4], voicegate.AuthorizationGap)
            cursors = ["", "?after=a%3A2", "?after=a%3A3", "?after=a%3A3", "?after=a%3A3"]
            heard = [heard.target.removeprefix("/v1/authorization/changes") for heard in service.heard]
            self.assertEqual(heard, cursors)

    def test_a_transcription_continues_after_the_last_utterance(self) -> None:
        bodies: list[bytes] = []

        def first(service: Conversation) -> None:
            bodies.append(service.body())
            service.stream(STARTED, FINAL, ends=False)

        def second(service: Conversation) -> None:
            bodies.append(service.body())
            more = FINAL | {"text": "more", "start": 3, "end": 4}
            service.stream(STARTED, more, ENDED | {"reason": "serviceStopped"})

        def third(service: Conversation) -> None:
            bodies.append(service.body())
            service.stream(STARTED, ENDED | {"reason": "ended"})

        sounds: list[str | bytes] = [b"RIFF" * 50_000, __file__]
        for sound in sounds:
            bodies.clear()
            with Scripted(first, second, third) as service:
                client = self.client(service.path)
                text = self.call(lambda: client.transcribe(sound, task_hint="search", language="en").text())
                self.assertEqual(text, "naïve words more")
                self.assertEqual(service.heard[0].target, "/v1/audio/transcriptions?language=en")
                self.assertEqual(service.heard[1].target, "/v1/audio/transcriptions?from=2.0&language=en")
                self.assertEqual(service.heard[2].target, "/v1/audio/transcriptions?from=4.0&language=en")
                content = pathlib.Path(sound).read_bytes() if isinstance(sound, str) else sound
                self.assertEqual(bodies, [b'{"taskHint": "search"}\n' + content] * 3)
        with Scripted(first, second) as service, self.assertRaises(voicegate.Disconnected):
            self.take(lambda: self.client(service.path).transcribe(iter([b"RIFF"])))

    def test_records_come_in_as_many_requests_as_needed(self) -> None:
        def records(service: Conversation) -> None:
            first = int(service.target.partition("after=")[2] or -1) + 1
            lines = [{"index": first, "kind": "k", "time": "t", "fields": {}, "isErased": False}]
            service.stream(*lines, head=f"VoiceGate-Record-Span: {first}-{first + 1}/5\r\n", ends=first != 2)

        with Scripted(records) as service:
            since = datetime(2026, 1, 2, tzinfo=UTC)
            found = self.take(lambda: self.client(service.path).records(since=since))
            self.assertEqual([record.index for record in found], [0, 2, 3])
            self.assertEqual([heard.target.partition("after=")[2] for heard in service.heard], ["", "1", "2"])
            self.assertIn("since=2026-01-02T00%3A00%3A00.000Z", service.heard[0].target)

    def test_closing_ends_listening_at_once(self) -> None:
        gone = threading.Event()

        def listen(service: Conversation) -> None:
            service.stream(STARTED, ends=False)
            service.wait_for_close()
            gone.set()

        with Scripted(listen) as service:
            self.take(self.client(service.path).dictate, 1)
            self.assertTrue(gone.wait(5))

    def test_keywords_are_those_of_the_description(self) -> None:
        client = self.client("/nonexistent")
        with self.assertRaisesRegex(TypeError, "stop_after_silnce"):
            client.dictate(stop_after_silnce=2)
        with self.assertRaises(FileNotFoundError), Scripted(lambda service: service.wait_for_close()) as service:
            self.call(lambda: self.client(service.path).transcribe("/nonexistent").text())


class Asyncio(AsyncioForm, Both):
    def test_a_cancelled_task_ends_listening_at_once(self) -> None:
        gone, listening = threading.Event(), threading.Event()

        def listen(service: Conversation) -> None:
            service.stream(STARTED, ends=False)
            service.wait_for_close()
            gone.set()

        async def run(path: str) -> None:
            dictation = aio.Client(path).dictate()

            async def dictate() -> None:
                async for _ in dictation:
                    listening.set()

            task = asyncio.create_task(dictate())
            await asyncio.to_thread(listening.wait)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            self.assertTrue(await asyncio.to_thread(gone.wait, 5))

        with Scripted(listen) as service:
            asyncio.run(run(service.path))

    def test_another_task_closes(self) -> None:
        async def run(path: str) -> None:
            dictation = aio.Client(path).dictate()
            await anext(dictation)
            asyncio.get_running_loop().call_later(0.05, asyncio.ensure_future, dictation.close())
            self.assertEqual([event async for event in dictation], [])

        with Scripted(stalling()) as service:
            asyncio.run(run(service.path))

    def test_a_sound_that_comes_while_the_answer_is_read(self) -> None:
        async def run(path: str) -> list[str]:
            heard = asyncio.Event()

            async def speech() -> typing.AsyncIterator[bytes]:
                yield b"one"
                await heard.wait()
                yield b"two"

            texts = []
            async for event in aio.Client(path).transcribe(speech()):
                if isinstance(event, voicegate.Final):
                    texts.append(event.text)
                    heard.set()
            return texts

        with Scripted(echo) as service:
            self.assertEqual(asyncio.run(run(service.path)), ["one", "two"])


class Plain(Both):
    def test_dropping_ends_listening_at_once(self) -> None:
        gone = threading.Event()

        def listen(service: Conversation) -> None:
            service.stream(STARTED, ends=False)
            service.wait_for_close()
            gone.set()

        with Scripted(listen) as service:
            for _ in voicegate.Client(service.path).dictate():
                break
            self.assertTrue(gone.wait(5))

    def test_another_thread_closes(self) -> None:
        with Scripted(stalling()) as service:
            dictation = voicegate.Client(service.path).dictate()
            next(dictation)
            threading.Timer(0.05, dictation.close).start()
            self.assertEqual(list(dictation), [])

    def test_a_sound_that_comes_while_the_answer_is_read(self) -> None:
        heard = threading.Event()

        def speech() -> typing.Iterator[bytes]:
            yield b"one"
            heard.wait()
            yield b"two"

        texts = []
        with Scripted(echo) as service:
            for event in voicegate.Client(service.path).transcribe(speech()):
                if isinstance(event, voicegate.Final):
                    texts.append(event.text)
                    heard.set()
        self.assertEqual(texts, ["one", "two"])

    def test_a_sound_that_cannot_be_read_is_its_own_error(self) -> None:
        def broken() -> typing.Iterator[bytes]:
            yield b"one"
            raise ZeroDivisionError

        with Scripted(lambda service: service.wait_for_close()) as service, self.assertRaises(ZeroDivisionError):
            list(voicegate.Client(service.path).transcribe(broken()))

    def test_an_answer_that_comes_in_single_bytes(self) -> None:
        def slowly(service: Conversation) -> None:
            body = b'{"version":"1","mode":"new","processIdentifier":7.0,"muted":true}'
            answer = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding:chunked\r\n\r\n"
            answer += b"5;x=y\r\n%b\r\n%x\r\n%b" % (body[:5], len(body) - 5, body[5:])
            answer += b"\r\n0\r\nTrailer: x\r\n\r\n"
            for byte in answer:
                service.send(bytes([byte]))

        with Scripted(slowly) as service:
            self.assertEqual(voicegate.Client(service.path).health().process_identifier, 7)


def stalling(beginning: bytes | None = None) -> Callable[[Conversation], None]:
    """Sends this, or that it listens, and then nothing until the client is gone."""

    def script(service: Conversation) -> None:
        if beginning is None:
            service.stream(STARTED, ends=False)
        else:
            service.send(beginning)
        service.wait_for_close()

    return script


def echo(service: Conversation) -> None:
    """Each piece is an utterance."""
    service.stream(STARTED, ends=False)
    while piece := service.chunk():
        service.lines(FINAL | {"text": piece.decode()})
    service.lines(ENDED | {"reason": "ended"}, ends=True)


# Only their subclasses are run.
del PlainForm, AsyncioForm, Both

if __name__ == "__main__":
    unittest.main()
