"""How soon a session listens, and what waiting costs, beside the floor of a request that does nothing."""

import http.client
import json
import socket
import statistics
import time
from pathlib import Path

from service import Service, memory

ROUNDS = 30
SPEECH = "/usr/share/pocketsphinx/test/data/goforward.raw"
MANIFEST = """<plist version="1.0"><dict>
<key>CFBundleIdentifier</key><string>org.example.bench</string>
<key>CFBundleExecutable</key><string>{executable}</string>
<key>NSSpeechRecognitionUsageDescription</key><string>To measure how soon a session listens.</string>
<key>NSMicrophoneUsageDescription</key><string>To measure how soon a session listens.</string>
<key>VoiceGateRecipients</key><array/>
</dict></plist>"""


class Connection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("voicegate")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def health(service):
    """A new connection and a request without work: the floor."""
    begin = time.perf_counter()
    connection = Connection(service.socket)
    connection.request("GET", "/v1/health")
    connection.getresponse().read()
    connection.close()
    return time.perf_counter() - begin


def session(service):
    """From the connection to `started`: two grants, a durable record, a recogniser, the open device."""
    begin = time.perf_counter()
    connection = Connection(service.socket)
    connection.request("POST", "/v1/dictation", body=json.dumps({"device": "mic"}))
    answer = connection.getresponse()
    line = json.loads(answer.readline())
    if line.get("type") != "started":
        raise SystemExit(f"no session: {line}")
    taken = time.perf_counter() - begin
    connection.close()
    return taken


def row(name, times):
    times = sorted(1000 * value for value in times)
    print(f"{name:<34}{statistics.median(times):>9.2f}{times[int(len(times) * 0.9)]:>9.2f}{times[-1]:>9.2f}")


def main():
    executable = str(Path("/proc/self/exe").resolve())
    with Service({"mic": f'file "{SPEECH}" speed 1 loop yes'}) as service:
        folder = service.folder / "clients" / "bench"
        folder.mkdir(parents=True, mode=0o700)
        (folder / "Info.plist").write_text(MANIFEST.format(executable=executable))
        session(service)
        print(f"{'milliseconds':<34}{'median':>9}{'p90':>9}{'worst':>9}")
        row("GET /v1/health (floor)", [health(service) for _ in range(ROUNDS)])
        times = []
        for _ in range(ROUNDS):
            # The next recogniser is warmed between sessions, as between a person's dictations.
            time.sleep(2)
            times.append(session(service))
        row("POST /v1/dictation → started", times)
        time.sleep(2)
        workers = service.recognizers()
        print(f"\nmemory, proportional: service {memory(service.process.pid):.0f} MB, "
              f"{len(workers)} warm recognisers {sum(map(memory, workers)):.0f} MB")


main()
