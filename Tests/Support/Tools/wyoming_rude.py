"""A client of a Wyoming socket that does not keep to the protocol, byte by byte.

    wyoming_rude.py SOCKET CASE [WAV]

Prints the events that come back, one JSON object a line (header and data merged), then `closed`, or `reset` where the
connection was cut off.
"""

import json
import socket
import sys
import wave


def event(kind, data=None, payload=b"", **header):
    body = b"" if data is None else json.dumps(data).encode()
    lengths = {"data_length": len(body), "payload_length": len(payload)} | header
    return json.dumps({"type": kind} | lengths).encode() + b"\n" + body + payload


FORMAT = {"rate": 16000, "width": 2, "channels": 1}
TRANSCRIBE = event("transcribe", {"language": "en"})


def start(**other):
    return event("audio-start", FORMAT | other)


def chunk(payload, **other):
    return event("audio-chunk", FORMAT | {"timestamp": None} | other, payload)


def speech(path):
    with wave.open(path) as sound:
        data = sound.readframes(sound.getnframes())
    return b"".join(chunk(data[at : at + 4000]) for at in range(0, len(data), 4000))


# What is sent; whether the sending side is closed then; the socket stays open otherwise.
CASES = {
    "a payload that is never sent": lambda _: (start() + event("audio-chunk", FORMAT, b"", payload_length=4000), True),
    "a payload without bounds": lambda _: (event("audio-chunk", FORMAT, b"", payload_length=10**12), False),
    "data without bounds": lambda _: (event("describe", None, b"", data_length=10**12), False),
    "a length below nothing": lambda _: (event("describe", None, b"", data_length=-1), False),
    "a length that is not a number": lambda _: (event("describe", None, b"", data_length="9"), False),
    "a length with a fraction": lambda _: (event("describe", None, b"", payload_length=1.5), False),
    "a header without end": lambda _: (b'{"type": "' + b"x" * 10_000_000, False),
    "a header that is not JSON": lambda _: (b"hello\n", False),
    "a header that is a list": lambda _: (b"[1, 2]\n", False),
    "a header without a type": lambda _: (b'{"data": {}}\n', False),
    "another protocol": lambda _: (b"POST /v1/dictation HTTP/1.1\r\nHost: voicegate\r\n\r\n", False),
    "data that is a list": lambda _: (event("describe", [1]), False),
    "data that nests without end": lambda _: (
        b'{"type": "describe", "data_length": 60000}\n' + b'{"a":' + b"[" * 59995, False),
    "bytes of no text": lambda _: (bytes(range(128, 256)) * 20 + b"\n", False),
    "audio without a format": lambda _: (event("audio-chunk", {}, b"\0" * 100), False),
    "audio without its start": lambda path: (speech(path) + event("audio-stop"), True),
    "a request after the start": lambda path: (start() + TRANSCRIBE + speech(path) + event("audio-stop"), True),
    "a start of another rate": lambda path: (start(rate=8000) + speech(path) + event("audio-stop"), True),
    "a start within audio": lambda _: (start() + chunk(b"\0" * 4000) + start(), False),
    "a rate that changes": lambda _: (start() + chunk(b"\0" * 4000) + chunk(b"\0" * 4000, rate=8000), False),
    "an absurd rate": lambda _: (start(rate=10**9), False),
    "a rate that nothing can read": lambda _: (start(rate=1) + chunk(b"\0" * 4000, rate=1) + event("audio-stop"), False),
    "no channels": lambda _: (start(channels=0), False),
    "a width of nine": lambda _: (start(width=9), False),
    "terms that are not texts": lambda _: (event("transcribe", {"transcript_terms": [1]}), False),
    "too many terms": lambda _: (
        event("transcribe", {"transcript_terms": ["word"] * 2_000}) + start() + event("audio-stop"), False),
    "another language": lambda _: (event("transcribe", {"language": "de"}) + start(), False),
    "no audio": lambda _: (TRANSCRIBE + start() + event("audio-stop"), True),
    "an empty chunk": lambda _: (TRANSCRIBE + start() + chunk(b"") + event("audio-stop"), True),
    "an end in the middle of an event": lambda _: (b'{"type": "descr', True),
    "an end in the middle of audio": lambda path: (TRANSCRIBE + start() + speech(path), True),
    "an end behind the audio": lambda path: (TRANSCRIBE + start() + speech(path) + event("audio-stop"), True),
    "nothing": lambda _: (b"", False),
    "half an event": lambda _: (b'{"type": "ping"', False),
    "audio that stops coming": lambda _: (start() + chunk(b"\0" * 4000), False),
    "noise of other events": lambda _: (
        event("timer-started", {"id": "1"}) * 5_000 + event("ping", {"text": "still there"}), True),
}


def events(stream):
    while line := stream.readline():
        header = json.loads(line)
        data = header.get("data", {}) | json.loads(stream.read(header.get("data_length", 0)) or "{}")
        stream.read(header.get("payload_length", 0))
        yield {"type": header["type"]} | data


def main(path, name, sound=None):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    data, ends = CASES[name](sound)
    try:
        connection.sendall(data)
    except ConnectionError:
        # The service has closed the connection; its answer can still be read.
        pass
    if ends:
        connection.shutdown(socket.SHUT_WR)
    try:
        for reply in events(connection.makefile("rb")):
            print(json.dumps(reply), flush=True)
        print("closed")
    except ConnectionError:
        print("reset")


main(*sys.argv[1:])
