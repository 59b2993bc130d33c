"""A recogniser's worker, driven over its socket like the service does (RecognizerProtocol), to measure its CPU time."""

import json
import os
import socket
import subprocess
import time
import wave
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORKER = os.environ.get("VOICEGATE_RECOGNIZER", ROOT / ".build" / "release" / "voicegate-recognizer")
MODEL = "/usr/share/pocketsphinx/model/en-us"
PIECE = 320  # samples: 20 ms


def samples(path):
    """16 kHz mono PCM of a WAV file."""
    with wave.open(str(path)) as file:
        return file.readframes(file.getnframes())


def seconds(path):
    return len(samples(path)) / 32_000


def event(kind, data=None, payload=b""):
    body = json.dumps(data).encode() if data else b""
    header = {"type": kind, "version": "1.10.2"}
    if body:
        header["data_length"] = len(body)
    if payload:
        header["payload_length"] = len(payload)
    return json.dumps(header).encode() + b"\n" + body + payload


def take_socket(theirs):
    """In the worker, before its program starts: its socket is descriptor 3."""
    os.dup2(theirs.fileno(), 3)
    # dup2(2) keeps the flag of a descriptor that has the number already.
    os.set_inheritable(3, True)


class Worker:
    """One session: of dictation, or of `key_phrases` (text and tolerance of each). `load` is the CPU until it was ready, `cpu`
    what the session took, both in seconds. `command` is another engine's (Documentation/Engines.md)."""

    def __init__(
            self, end_silence=0.8, mean=None, text="", phrases=(), input="live", command=None,
            key_phrases=()):
        # What the service starts a file's worker with.
        own = [WORKER, "--model", MODEL, *(["--file-decoders", "1"] if input == "file" else [])]
        ours, theirs = socket.socketpair()
        self.process = subprocess.Popen(
            command or own, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            # Python's own descriptors are closed at the exec. pass_fds would keep the socket's number.
            close_fds=False, preexec_fn=lambda: take_socket(theirs))
        theirs.close()
        self.socket = ours
        self.file = ours.makefile("rb")
        self.next()
        self.load = self.spent()
        data = {
            "task": "dictation", "input": input, "end_silence": end_silence, "from": 0, "alternatives": 0,
            "context_phrases": list(phrases), "text_length": len(text.encode()), "grammar_length": 0}
        if key_phrases:
            data |= {"task": "key-phrases", "phrases": [{"text": said, "tolerance": most} for said, most in key_phrases]}
        if mean:
            data |= {"mean": mean["values"], "mean_frames": mean["frames"]}
        self.send("start", data, text.encode())

    def spent(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def send(self, kind, data=None, payload=b""):
        self.socket.sendall(event(kind, data, payload))

    def next(self):
        line = self.file.readline()
        if not line:
            return None
        header = json.loads(line)
        data = json.loads(self.file.read(header["data_length"])) if header.get("data_length") else {}
        return {"type": header["type"], **data}

    def hear(self, audio, position=0):
        """Sends the audio at position, in samples, and returns the position after it."""
        for start in range(0, len(audio), 2 * PIECE):
            piece = audio[start:start + 2 * PIECE]
            self.send(
                "audio-chunk", {"rate": 16000, "width": 2, "channels": 1, "position": position + start // 2}, piece)
        return position + len(audio) // 2

    def hear_file(self, content):
        """Sends a sound file."""
        for start in range(0, len(content), 65_536):
            self.send("file-chunk", None, content[start:start + 65_536])

    def finish(self):
        """Returns all events."""
        self.send("audio-stop")
        events = []
        while (found := self.next()) is not None:
            events.append(found)
        self.end()
        return events

    def end(self):
        """After the last event."""
        _, _, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = 0
        self.cpu = usage.ru_utime + usage.ru_stime - self.load
        self.peak = usage.ru_maxrss / 1024
        self.socket.close()


def memory(process, kind="Pss:"):
    """In MB; by default the proportional set: shared pages count by share."""
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith(kind):
            return int(line.split()[1]) / 1024
    return 0.0


def texts(events):
    """Live text (the last before each end) and final text of a session, of a worker or of the service."""
    live, final, partial = [], [], ""
    for found in events:
        if found["type"] == "partial":
            partial = found["text"]
        elif found["type"] == "final":
            live.append(partial)
            final.append(found["text"])
            partial = ""
    return " ".join(live), " ".join(final)
