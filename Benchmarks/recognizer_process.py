"""The recogniser's own process, driven as the service does: what measures it alone, without a device and a client."""

import json
import os
import resource
import socket
import subprocess
import wave
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(os.environ.get("VOICEGATE_RECOGNIZER", ROOT / ".build/release/voicegate-recognizer"))
MODEL = "/usr/share/pocketsphinx/model/en-us"
PIECE = 60_000


def samples(path):
    with wave.open(str(path)) as file:
        return file.readframes(file.getnframes())


class Process:
    """A process with Wyoming's framing on descriptor 3."""

    def __init__(self, *arguments):
        ours, theirs = socket.socketpair()
        held = theirs.detach()

        def connect():
            os.dup2(held, 3)
            os.set_inheritable(3, True)

        self.program = subprocess.Popen(
            [PROGRAM, "--model", MODEL, *arguments], preexec_fn=connect, close_fds=False, stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(held)
        self.socket = ours
        self.buffer = b""

    def send(self, kind, data=None, payload=b""):
        body = json.dumps(data).encode() if data else b""
        header = {"type": kind, "data_length": len(body), "payload_length": len(payload)}
        self.socket.sendall(json.dumps(header).encode() + b"\n" + body + payload)

    def next(self):
        while b"\n" not in self.buffer:
            self.more()
        line, self.buffer = self.buffer.split(b"\n", 1)
        header = json.loads(line)
        data = self.take(header.get("data_length", 0))
        payload = self.take(header.get("payload_length", 0))
        return header["type"], {**(header.get("data") or {}), **(json.loads(data) if data else {})}, payload

    def take(self, count):
        while len(self.buffer) < count:
            self.more()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def more(self):
        got = self.socket.recv(1 << 16)
        if not got:
            raise EOFError("the process has ended")
        self.buffer += got

    def close(self):
        self.socket.close()
        self.program.wait()


def final_texts(path, transform=b"", text="", phrases=()):
    """What the final pass understands of a file: as `voicegate transcribe` does."""
    process = Process()
    assert process.next()[0] == "ready"
    words = text.encode()
    process.send(
        "start",
        {
            "task": "dictation", "input": "file", "end_silence": 0.8, "alternatives": 0,
            "context_phrases": list(phrases), "text_length": len(words), "grammar_length": 0,
            "transform_length": len(transform),
        }, words + transform)
    content = Path(path).read_bytes()
    for start in range(0, len(content), PIECE):
        process.send("file-chunk", None, content[start:start + PIECE])
    process.send("audio-stop")
    said = []
    while True:
        kind, data, _ = process.next()
        if kind == "final":
            said.append(data["text"])
        elif kind == "finished":
            break
        elif kind == "error":
            raise RuntimeError(data["text"])
    process.close()
    return " ".join(said)


def learn(clips, folder):
    """Learns from (path, words) pairs. Returns the gain and the matrix, and the seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = Process("--learn", str(folder), "--tools", "/usr/lib/sphinxtrain")
    assert process.next()[0] == "ready"
    for path, text in clips:
        process.send("clip", {"text": text, "input": "file"})
        content = Path(path).read_bytes()
        for start in range(0, len(content), PIECE):
            process.send("piece", None, content[start:start + PIECE])
    process.send("learn")
    while True:
        kind, data, payload = process.next()
        if kind == "learnt":
            break
        if kind == "error":
            process.close()
            raise RuntimeError(data["text"])
    process.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return data, payload, seconds
