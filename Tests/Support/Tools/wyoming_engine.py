"""A Wyoming engine that behaves as it is told, served by the protocol's own library.

    wyoming_engine.py URI BEHAVIOUR [TEXT]

Prints `ready`, `asked DATA` at each transcribe, `heard BYTES` at each audio-stop, and at the end of each connection `closed BYTES`,
or `described` if it was asked only what it is.
"""

import asyncio
import json
import os
import sys

from wyoming.asr import Transcribe, Transcript, TranscriptChunk, TranscriptStart, TranscriptStop
from wyoming.audio import AudioChunk, AudioStop
from wyoming.error import Error
from wyoming.info import AsrModel, AsrProgram, Attribution, Describe, Info
from wyoming.server import AsyncEventHandler, AsyncServer


class Engine(AsyncEventHandler):
    utterances = 0

    def __init__(self, behaviour, text, *arguments):
        super().__init__(*arguments)
        self.behaviour = behaviour
        self.text = text
        self.heard = 0
        self.described = False
        self.live = False

    def info(self):
        author = {"attribution": Attribution(name="tests", url=""), "installed": True, "description": None}
        model = AsrModel(name="tiny", version="1.2", languages=["en", "ja-JP"], **author)
        streams = self.behaviour == "hears live"
        program = AsrProgram(name="test-engine", version="3", models=[model], supports_transcript_streaming=streams, **author)
        return Info(asr=[program]).event()

    async def handle_event(self, event):
        if Describe.is_type(event.type):
            self.described = True
            if self.behaviour != "keeps to itself":
                await self.write_event(self.info())
            return True
        if Transcribe.is_type(event.type):
            print(f"asked {json.dumps(event.data, sort_keys=True)}", flush=True)
        if AudioChunk.is_type(event.type):
            self.heard += len(AudioChunk.from_event(event).audio)
            if self.behaviour == "dies in mid-utterance":
                return False
            if self.behaviour == "hears live" and not self.live:
                self.live = True
                await self.write_event(TranscriptStart().event())
                await self.write_event(TranscriptChunk(text="Go for").event())
            if self.behaviour == "answers before it is asked":
                await self.write_event(Transcript(text="too soon").event())
                print("answered", flush=True)
        if not AudioStop.is_type(event.type):
            return True
        print(f"heard {self.heard}", flush=True)
        Engine.utterances += 1
        return await self.answer()

    async def answer(self):
        match self.behaviour:
            case "answers":
                await self.write_event(Transcript(text=self.text).event())
            case "answers two at a time":
                while Engine.utterances < 2:
                    await asyncio.sleep(0.01)
                await self.write_event(Transcript(text=str(self.heard)).event())
            case "answers when the file is there":
                while not os.path.exists(self.text):
                    await asyncio.sleep(0.01)
                await self.write_event(Transcript(text="at last").event())
            case "answers the first and refuses the second":
                if Engine.utterances == 1:
                    await self.write_event(Transcript(text="the first").event())
                else:
                    await self.write_event(Error(text="No model.", code="model").event())
            case "hears live":
                await self.write_event(TranscriptChunk(text="ward.").event())
                await self.write_event(Transcript(text="Go forward.").event())
                # The other side closes the connection, when it has read this.
                return True
            case "streams":
                await self.write_event(TranscriptStart().event())
                for word in self.text.split():
                    await self.write_event(TranscriptChunk(text=word + " ").event())
                await self.write_event(Transcript(text=f" {self.text}\n").event())
                await self.write_event(TranscriptStop().event())
            case "hangs":
                return True
            case "refuses":
                await self.write_event(Error(text="No model.", code="model").event())
            case "lies about a length":
                await self.raw(b'{"type": "transcript", "data_length": 999999999}\n{"text": "lie"}')
                return True
            case "promises more than it sends":
                await self.raw(b'{"type": "transcript", "data_length": 5000}\n{"text": "lie"}')
                return True
            case "talks without end":
                while True:
                    await self.raw(b'{"type": "transcript-chunk", "data": {"text": "la "}}\n' * 100)
            case "sends a line without end":
                while True:
                    await self.raw(b"x" * 65536)
            case "is something else":
                await self.raw(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            case "sends invalid text":
                await self.raw(b'{"type": "transcript", "data": {"text": ["a"]}}\n')
            case "moves the cursor":
                await self.write_event(Transcript(text="a\x1b[2Jb").event())
        return False

    async def raw(self, data):
        self.writer.write(data)
        await self.writer.drain()

    async def disconnect(self):
        print("described" if self.described else f"closed {self.heard}", flush=True)


async def main(uri, behaviour, text=""):
    server = AsyncServer.from_uri(uri)
    await server.start(lambda *arguments: Engine(behaviour, text, *arguments))
    print("ready", flush=True)
    await asyncio.Event().wait()


asyncio.run(main(*sys.argv[1:]))
