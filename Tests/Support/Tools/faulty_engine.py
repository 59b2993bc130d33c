"""An engine that hears one word in anything that is loud, and has the fault that it is told to have: faulty_engine.py FAULT"""
import json
import signal
import sys
import time
from socket import socket

fault = sys.argv[1]
connection = socket(fileno=3)
reader = connection.makefile("rb")


def send(kind, **data):
    try:
        connection.sendall(json.dumps({"type": kind, "data": data}).encode() + b"\n")
    except OSError:
        if fault != "outlives its socket":
            sys.exit(1)


def refuse(code):
    send("error", code=code, text="No.")
    sys.exit(1)


def final(start, end, text):
    words = [] if task == "phrases" and fault != "tells everything" else [
        {"word": text, "start": start, "end": end, "confidence": 1}]
    send("voice-started", time=start)
    send("final", text=text, start=start, end=end, words=words, alternatives=[])


if fault == "silent":
    time.sleep(60)
if fault == "talks before it is asked":
    send("progress", time=0)
declared = {"takes any task": {"tasks": ["dictation"]}, "declares nonsense": {"languages": ["any language"]}}
send("ready", **declared.get(fault, {}))
task, file, position, told, loud = None, None, 0, 0, None
while line := reader.readline():
    try:
        header = json.loads(line)
        data = dict(header.get("data") or {})
        data |= json.loads(reader.read(header.get("data_length") or 0) or b"{}")
        payload = reader.read(header.get("payload_length") or 0)
        kind = header["type"]
    except (ValueError, TypeError, AttributeError, KeyError):
        if fault == "answers nonsense":
            send("progress", time=0)
            continue
        refuse("protocolViolation")
    if kind == "start":
        task, file = data["task"], bytearray() if data["input"] == "file" else None
    elif task is None:
        refuse("protocolViolation")
    elif kind == "audio-chunk":
        if any(payload) and loud is None:
            loud = position / 16_000
        position = int(data["position"]) + len(payload) // 2
        if fault != "never tells" and position - told >= 16_000:
            told = position
            send("progress", time=position / 16_000)
    elif kind == "file-chunk":
        file += payload
    else:
        if file is not None and not file.startswith(b"RIFF") and fault != "takes anything for sound":
            refuse("badAudio")
        end = position / 16_000
        if fault == "hears words in silence" or (loud is not None and task == "dictation"):
            final(loud or 0, end, "something")
        elif loud is not None and fault == "tells everything":
            final(loud, end, "something")
        send("finished", duration=end + (1 if fault == "counts wrong" else 0))
        break
else:
    if fault == "outlives its socket":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(60)
