#!/usr/bin/env python3
"""An engine of another kind behind VoiceGate: PocketSphinx 5 from PyPI (pip install pocketsphinx).

It is an example of the protocol in Documentation/Engines.md, complete and small: one pass, final texts only.
"""
import io
import json
import sys
import wave
from importlib.metadata import version
from socket import socket

import pocketsphinx

RATE = 16_000


class Refusal(Exception):
    """Ends the session with a code that the service knows."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Connection:
    """Descriptor 3: a JSON line, then as many bytes of data and payload as it tells."""

    def __init__(self):
        self.socket = socket(fileno=3)
        self.input = self.socket.makefile("rb")

    def send(self, kind, **data):
        self.socket.sendall(json.dumps({"type": kind, "data": data}).encode() + b"\n")

    def events(self):
        while line := self.input.readline(65_537):
            try:
                header = json.loads(line)
                data = dict(header.get("data") or {})
                data |= json.loads(self.input.read(int(header.get("data_length") or 0)) or b"{}")
                payload = self.input.read(int(header.get("payload_length") or 0))
                yield header["type"], data, payload
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise Refusal("protocolViolation", "This is not an event of the protocol.") from error


class Session:
    """From `start` to `finished`. Positions are samples since the session's first one, lost ones counted."""

    def __init__(self, connection, decoder, pause):
        self.connection, self.decoder, self.pause = connection, decoder, pause
        self.position = 0
        self.told = 0
        self.rest = b""
        self.reset()

    def reset(self):
        self.endpointer = pocketsphinx.Endpointer(window=self.pause, ratio=0.9)
        self.origin = self.position
        self.is_speaking = False
        self.rest = b""

    def audio(self, samples, position):
        if position > self.position:
            self.close()
            self.position = position
            self.reset()
        self.rest += samples
        self.position += len(samples) // 2
        size = self.endpointer.frame_bytes
        while len(self.rest) >= size:
            frame, self.rest = self.rest[:size], self.rest[size:]
            self.take(self.endpointer.process(frame))
        if self.position - self.told >= RATE:
            self.told = self.position
            self.connection.send("progress", time=self.position / RATE)

    def take(self, speech):
        if speech is None:
            return
        if not self.is_speaking:
            self.is_speaking = True
            self.start = self.origin / RATE + self.endpointer.speech_start
            self.connection.send("voice-started", time=self.start)
            self.decoder.start_utt()
        self.decoder.process_raw(speech)
        if not self.endpointer.in_speech:
            self.end(self.origin / RATE + self.endpointer.speech_end)

    def close(self):
        if self.is_speaking:
            self.take(self.endpointer.end_stream(self.rest))
        if self.is_speaking:
            self.end(self.position / RATE)

    def end(self, end):
        self.is_speaking = False
        self.decoder.end_utt()
        end = min(max(end, self.start), self.position / RATE)
        words = []
        for segment in self.decoder.seg() or []:
            if segment.word[0] in "<[" or segment.word.startswith("++"):
                continue
            begins = min(self.start + segment.start_frame / 100, end)
            words.append(
                {
                    "word": segment.word.split("(")[0],
                    "start": begins,
                    "end": min(self.start + (segment.end_frame + 1) / 100, end),
                    "confidence": min(max(self.decoder.get_logmath().exp(segment.prob), 0), 1),
                }
            )
        text = " ".join(word["word"] for word in words)
        self.connection.send("final", text=text, start=self.start, end=end, words=words, alternatives=[])

    def finish(self):
        self.close()
        self.connection.send("finished", duration=self.position / RATE)


def samples_of(file):
    try:
        with wave.open(io.BytesIO(file)) as sound:
            if (sound.getframerate(), sound.getnchannels(), sound.getsampwidth()) != (RATE, 1, 2):
                raise Refusal("badAudio", "This engine reads WAV files of 16 kHz, one channel and 16 bits.")
            return sound.readframes(sound.getnframes())
    except (wave.Error, EOFError) as error:
        raise Refusal("badAudio", "This is not a WAV file.") from error


def serve(connection, decoder):
    session, file = None, None
    for kind, data, payload in connection.events():
        if session is None:
            if kind != "start":
                raise Refusal("protocolViolation", "A session begins with start.")
            if data["task"] != "dictation":
                raise Refusal("phraseRefused", "This engine does not listen for phrases.")
            session = Session(connection, decoder, min(max(data["end_silence"], 0.2), 2))
            file = bytearray() if data["input"] == "file" else None
        elif kind == "audio-chunk" and file is None:
            session.audio(payload, int(data["position"]))
        elif kind == "file-chunk" and file is not None:
            file += payload
        elif kind == "audio-stop":
            if file is not None:
                samples = samples_of(bytes(file))
                for start in range(0, len(samples), RATE):
                    session.audio(samples[start : start + RATE], session.position)
            return session.finish()
        else:
            raise Refusal("protocolViolation", "The request does not fit what came before it.")


def main():
    connection = Connection()
    decoder = pocketsphinx.Decoder(loglevel="FATAL")
    connection.send(
        "ready",
        protocol=2,
        name="PocketSphinx 5",
        version=version("pocketsphinx"),
        languages=["en-US"],
        tasks=["dictation"],
        inputs=["live", "file"],
    )
    try:
        serve(connection, decoder)
    except Refusal as refusal:
        connection.send("error", code=refusal.code, text=str(refusal))
        sys.exit(1)


if __name__ == "__main__":
    main()
