#!/usr/bin/python3
"""One user of a service, as another would like to slow him down, and that other user.

one_user.py victim SOCKET CLIENT      allows curl to dictate; then, for each line of its input, prints how long a denial about
                                      CLIENT and the start of a session take: medians of several, in seconds
one_user.py ATTACK SOCKET SIZE        fills or asks for what any user can until its input ends; prints "attacking" once it does

ATTACK: decisions, streams, networks, records, verification. Runs as the service's own command (a copy of Python in its place).
"""

import http.client
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time

CURL = "/usr/bin/curl"
DENIALS, SESSIONS = 15, 5


class Connection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("voicegate", timeout=300)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)

    def ask(self, method, target, body=None):
        """The status of the answer, which is read to its end."""
        self.request(method, target, body and json.dumps(body), {"Content-Type": "application/json"} if body else {})
        answer = self.getresponse()
        answer.read()
        return answer.status


def deny(connection, client):
    return connection.ask("PUT", "/v1/settings/" + client, {"resource": "microphone", "choice": "deny"})


def reset(connection, client):
    return connection.ask("DELETE", f"/v1/settings/{client}?resource=microphone")


def start_of_session(path):
    begin = time.perf_counter()
    command = [CURL, "-sN", "--unix-socket", path, "http://voicegate/v1/dictation", "-d", "{}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        taken = time.perf_counter() - begin
        process.kill()
    if '"type":"started"' not in line:
        sys.exit(f"No session: {line}")
    return taken


def victim(path, client):
    connection = Connection(path)
    for resource in ("speechRecognition", "microphone"):
        status = connection.ask("PUT", "/v1/settings/org.example.curl", {"resource": resource, "choice": "allow"})
        if status != 204:
            sys.exit(f"The permission was not given: {status}")
    print("ready", flush=True)
    for _ in sys.stdin:
        denials = []
        for _ in range(DENIALS):
            begin = time.perf_counter()
            status = deny(connection, client)
            denials.append(time.perf_counter() - begin)
            if status != 204:
                sys.exit(f"The denial was refused: {status}")
            reset(connection, client)
        sessions = [start_of_session(path) for _ in range(SESSIONS)]
        print(f"{statistics.median(denials):.4f} {statistics.median(sessions):.4f}", flush=True)


def in_threads(count, work):
    def again():
        while True:
            try:
                work()
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)

    for _ in range(count):
        threading.Thread(target=again, daemon=True).start()


def decisions(path, size):
    """About clients that nobody has; what is stored stays, and connections go on to deny."""
    connection = Connection(path)
    for number in range(size):
        deny(connection, f"org.example.invented{number}")
    local = threading.local()

    def again():
        if not hasattr(local, "connection"):
            local.connection, local.number = Connection(path), 0
        local.number = (local.number + 1) % size
        deny(local.connection, f"org.example.invented{local.number}")

    in_threads(4, again)


def streams(path, size):
    """Streams of changes, beside changes."""
    for _ in range(size):
        stream = socket.socket(socket.AF_UNIX)
        stream.connect(path)
        stream.sendall(b"GET /v1/settings/changes HTTP/1.1\r\nHost: v\r\n\r\n")
        threading.Thread(target=lambda s=stream: iter(lambda: s.recv(65536), b"").__next__, daemon=True).start()
    records(path, 1)


def networks(path, size):
    """Sessions without a network, beside processes with many descriptors."""
    for _ in range(size):
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            null = os.open("/dev/null", os.O_RDONLY)
            try:
                while True:
                    os.dup(null)
            except OSError:
                signal.pause()
    command = ["/usr/bin/unshare", "-Urn", CURL, "-sN", "--unix-socket", path, "http://voicegate/v1/dictation", "-d", "{}"]
    in_threads(3, lambda: subprocess.run(command, stdout=subprocess.DEVNULL, timeout=60))


def records(path, size):
    """Changes back and forth, of which each is a record."""
    local = threading.local()

    def again():
        if not hasattr(local, "connection"):
            local.connection = Connection(path)
        deny(local.connection, "org.example.curl")
        reset(local.connection, "org.example.curl")

    in_threads(size, again)


def verification(path, size):
    in_threads(size, lambda: Connection(path).ask("GET", "/v1/audit/verification"))


def attack(name, path, size):
    os.setpgid(0, 0)
    # What is measured is the service's time, not who gets the processors.
    os.nice(19)
    {"decisions": decisions, "streams": streams, "networks": networks, "records": records, "verification": verification}[name](
        path, size)
    print("attacking", flush=True)
    sys.stdin.read()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)


if sys.argv[1] == "victim":
    victim(*sys.argv[2:])
else:
    attack(sys.argv[1], sys.argv[2], int(sys.argv[3]))
