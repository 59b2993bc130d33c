"""The number of sessions that this machine decodes in real time: workers with continuous speech, one more in each step.

Each worker gets 20 ms of audio every 20 ms, as from a device. Its delay at the end of the audio is the user's latency; if its
socket is full, audio would be lost. Then one session more than the service accepts is requested.
"""

import json
import os
import subprocess
import threading
import time

from service import RELEASE, Service
from speech import clips, other_clips
from worker import Worker, samples

SECONDS = int(os.environ.get("VOICEGATE_SESSION_SECONDS", "20"))
PIECE = 640
BEHIND = 1.0


class Speaker(threading.Thread):
    def __init__(self, audio):
        super().__init__()
        self.worker = Worker()
        self.audio = audio
        self.late = 0.0

    def run(self):
        start = time.monotonic()
        for offset in range(0, len(self.audio), PIECE):
            due = start + offset / 32_000
            wait = due - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            # Blocks if the worker has not read the previous audio.
            self.worker.hear(self.audio[offset:offset + PIECE], offset // 2)
            self.late = max(self.late, time.monotonic() - due)
        ended = time.monotonic()
        self.worker.finish()
        self.behind = time.monotonic() - ended


def carried(audio, count):
    speakers = [Speaker(audio[number * 160_000:] + audio[:number * 160_000]) for number in range(count)]
    for speaker in speakers:
        speaker.start()
    for speaker in speakers:
        speaker.join()
    behind = max(speaker.behind for speaker in speakers)
    late = max(speaker.late for speaker in speakers)
    cpu = sum(speaker.worker.cpu for speaker in speakers) / (count * len(audio) / 32_000)
    print(f"{count:>8}{behind:>12.2f}{late:>12.2f}{cpu:>12.3f}", flush=True)
    return behind < BEHIND and late < BEHIND


def refused(service):
    """The number of sessions that the service accepts, and its reply to the next."""
    running = []
    try:
        while True:
            command = [RELEASE / "voicegate", "dictate", "--device", "endless", "--json", "--socket", service.socket]
            process = subprocess.Popen(
                command, env=service.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True)
            line = process.stdout.readline()
            if not line or json.loads(line)["type"] != "started":
                return len(running), process.stderr.read().strip()
            running.append(process)
    finally:
        for process in running:
            process.terminate()
            process.wait()


def main():
    found = list({**clips(), **other_clips()}.values())
    audio = b"".join(samples(path) for path, _ in found)[:SECONDS * 32_000]
    print(f"{os.cpu_count()} processors, {SECONDS} s of speech in every session")
    print(f"{'sessions':>8}{'behind, s':>12}{'late, s':>12}{'CPU/audio':>12}")
    count = 1
    while count <= 16 and carried(audio, count):
        count += 1
    print(f"in real time: {count - 1}")
    with Service({"endless": f'file "{found[0][0]}" loop yes speed 1'}) as service:
        taken, message = refused(service)
        print(f"of one client the service takes {taken}; to one more it says: {message}")


if __name__ == "__main__":
    main()
