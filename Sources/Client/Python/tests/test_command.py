"""VoiceGate's command, which this package runs: here a stand-in that notes how it was called."""

from __future__ import annotations

import asyncio
import os
import pathlib
import tempfile
import unittest
from collections.abc import Awaitable, Callable
from typing import Any
from unittest import mock

import voicegate
from voicegate import aio

from .scripted import Scripted

#: Makes a service that was started listen, by renaming its socket.
COMMAND = """#!/bin/sh
echo "$@" >>"$NOTES"
[ -z "$STARTED" ] || mv "$STARTED" "$VOICEGATE_SOCKET"
[ -n "$STARTED" ]
"""
HEALTH = {"version": "1", "mode": "advisory", "processIdentifier": 1, "muted": False}


class Starting(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.socket = f"{folder.name}/voicegate.sock"
        self.notes = pathlib.Path(f"{folder.name}/notes")
        self.notes.write_text("")
        command = pathlib.Path(f"{folder.name}/voicegate")
        command.write_text(COMMAND)
        command.chmod(0o755)
        self.environment = {
            "PATH": f"{folder.name}:/usr/bin:/bin",
            "VOICEGATE_SOCKET": self.socket,
            "NOTES": str(self.notes),
            "STARTED": "",
        }

    def start(self, call: Callable[[], Any], **variables: str) -> Any:
        with mock.patch.dict(os.environ, {**self.environment, **variables}):
            result = call()
            return asyncio.run(self.awaited(result)) if isinstance(result, Awaitable) else result

    @staticmethod
    async def awaited(result: Awaitable[Any]) -> Any:
        return await result

    def test_a_service_that_does_not_run_is_started_once(self) -> None:
        for call in (lambda: voicegate.Client().health(), lambda: aio.Client().health()):
            self.notes.write_text("")
            with Scripted(lambda service: service.answer(HEALTH)) as scripted:
                self.assertEqual(self.start(call, STARTED=scripted.path).version, "1")
            self.assertEqual(self.notes.read_text(), f"service start --quiet --socket {self.socket}\n")
            os.remove(self.socket)

    def test_one_that_cannot_be_started_is_not_running(self) -> None:
        for call in (lambda: voicegate.Client().health(), lambda: aio.Client().health()):
            with self.assertRaises(voicegate.ServiceNotRunning):
                self.start(call)
        self.assertEqual(len(self.notes.read_text().splitlines()), 2)

    def test_nothing_is_started_where_the_user_or_the_program_does_not_want_it(self) -> None:
        with self.assertRaises(voicegate.ServiceNotRunning):
            self.start(lambda: voicegate.Client().health(), VOICEGATE_NO_START="1")
        with self.assertRaises(voicegate.ServiceNotRunning):
            self.start(lambda: voicegate.Client(self.socket).health())
        changes = self.start(lambda: voicegate.Client().authorization_changes())
        with mock.patch.dict(os.environ, self.environment), changes:
            self.assertIsInstance(next(changes), voicegate.Unreachable)
        self.assertEqual(self.notes.read_text(), "")
