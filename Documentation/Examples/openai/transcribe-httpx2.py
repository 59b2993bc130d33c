#!/usr/bin/env python3
"""Writes the words of a sound file with their times, by PyPI's httpx2 over VoiceGate's Unix socket.

transcribe-httpx2.py FILE
"""
import os
import sys

import httpx2

folders = ["/run", os.environ.get("XDG_RUNTIME_DIR", f"/run/user/{os.getuid()}")]
# The machine's own service where there is one, else the user's.
sockets = [path for folder in folders if os.path.exists(path := f"{folder}/voicegate/voicegate.sock")]
socket = os.environ.get("VOICEGATE_SOCKET") or next(iter(sockets), f"{folders[-1]}/voicegate/voicegate.sock")
fields = {"response_format": "verbose_json", "timestamp_granularities[]": "word"}
with httpx2.Client(transport=httpx2.HTTPTransport(uds=socket), timeout=600) as client, open(sys.argv[1], "rb") as file:
    reply = client.post("http://voicegate/v1/audio/transcriptions", data=fields, files={"file": file})
if reply.status_code != 200:
    sys.exit(reply.json()["error"]["message"])
for word in reply.json()["words"]:
    print(f"{word['start']:8.2f} {word['end']:8.2f}  {word['word']}")
