#!/usr/bin/python3
"""One user of a service, as another would like to slow them down, and that other user.

one_user.py victim SOCKET CLIENT    allows curl to dictate; then, for each line of its input, prints how long a denial about
                                    CLIENT and the start of a session take: medians of several, in seconds
one_user.py ATTACK TARGET SIZE      fills and asks for what any user can until its input ends; prints "attacking" once it does,
                                    and at the end how often it got which answer since then

ATTACK: denials, streams, networks, connections, records, verification. TARGET: the service's socket; of connections, its TCP port.
Runs as the service's own command (a copy of Python in its place), because that may ask for most.
"""

import collections
import http.client
import json
import os
import resource
import signal
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time

CURL = "/usr/bin/curl"
DENIALS, SESSIONS = 15, 5
DESCRIPTORS = 19_000
REGISTERED = "org.example.curl"
answers = collections.Counter()


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
        answers[answer.status] += 1
        return answer.status


def change(connection, client, choice, resource="microphone"):
    return connection.ask("PUT", "/v1/settings/" + client, {"resource": resource, "choice": choice})


def start_of_session(path):
    command = [CURL, "-sN", "--unix-socket", path, "http://voicegate/v1/dictation"]
    begin = time.perf_counter()
    with subprocess.Popen([*command, "-d", "{}"], stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        taken = time.perf_counter() - begin
        process.kill()
    if '"type":"started"' not in line:
        sys.exit(f"No session: {line}")
    # A client may have few at a time.
    while json.loads(subprocess.check_output(command)).get("sessions") != []:
        pass
    return taken


def allow_curl(path):
    connection = Connection(path)
    for resource in ("speechRecognition", "microphone"):
        status = change(connection, REGISTERED, "allow", resource)
        if status != 204:
            sys.exit(f"The permission was not given: {status}")


def victim(path, client):
    allow_curl(path)
    print("ready", flush=True)
    for _ in sys.stdin:
        # One that was idle may have been closed.
        connection = Connection(path)
        denials = []
        for _ in range(DENIALS):
            begin = time.perf_counter()
            status = change(connection, client, "deny")
            denials.append(time.perf_counter() - begin)
            if status != 204:
                sys.exit(f"The denial was refused: {status}")
            change(connection, client, "ask")
        sessions = [start_of_session(path) for _ in range(SESSIONS)]
        print(f"{statistics.median(denials):.4f} {statistics.median(sessions):.4f}", flush=True)


def in_threads(count, work):
    """Each calls `work` with its own number, again and again."""

    def again(number):
        while True:
            try:
                work(number)
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)

    for number in range(count):
        threading.Thread(target=again, args=(number,), daemon=True).start()


def over_connections(path, count, work):
    """The same with a connection for each."""
    connections = [Connection(path) for _ in range(count)]
    in_threads(count, lambda number: work(connections[number], number))


def at_once(path, count, work):
    """Each calls `work` once with a connection and its own number; waits for all."""
    threads = [threading.Thread(target=work, args=(Connection(path), number)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def deny_all(path, size):
    """Denies invented clients, then both resources of all that have a manifest."""
    names = [f"org.example.invented{number}" for number in range(size)]
    connection = Connection(path)
    connection.request("GET", "/v1/settings")
    names += {entry["client"] for entry in json.load(connection.getresponse())["entries"]} - {REGISTERED}
    names.sort()

    def deny(connection, number):
        for name in names[number::4]:
            for resource in ("microphone", "speechRecognition"):
                change(connection, name, "deny", resource)

    at_once(path, 4, deny)
    return names


def denials(path, size):
    """Denials of ever more clients, with and without a manifest."""
    names = deny_all(path, size)
    places = [0] * 8

    def again(connection, number):
        places[number] += 1
        change(connection, f"org.example.invented{number}n{places[number]}", "deny")
        change(connection, names[(8 * places[number] + number) % len(names)], "deny")

    over_connections(path, 8, again)


def streams(path, size):
    """Thirty streams that show all decisions, which change."""
    names = deny_all(path, size)
    held = [Connection(path) for _ in range(30)]
    for connection in held:
        connection.request("GET", "/v1/settings/changes")
    for connection in held:
        # Reads it, and keeps nothing.
        threading.Thread(target=collections.deque, args=(connection.getresponse(), 0), daemon=True).start()

    def again(connection, number):
        for choice in ("ask", "deny"):
            change(connection, names[number], choice)
        connection.ask("PUT", "/v1/mute")
        connection.ask("DELETE", "/v1/mute")

    over_connections(path, 4, again)


def hold_descriptors(count):
    """Starts this many processes with many descriptors."""
    for _ in range(count):
        reading, writing = os.pipe()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS + 10,) * 2)
            for _ in range(DESCRIPTORS - 5):
                os.dup(reading)
            os.write(writing, b"-")
            signal.pause()
        os.read(reading, 1)
        os.close(reading)
        os.close(writing)


def networks(path, size):
    """Sessions in another network than the host's, beside processes with many descriptors."""
    allow_curl(path)
    hold_descriptors(size)
    sound = bytes(3200)
    wave = b"RIFF" + struct.pack("<I", 36 + len(sound)) + b"WAVEfmt "
    wave += struct.pack("<IHHIIHH", 16, 1, 1, 16000, 32000, 2, 16) + b"data" + struct.pack("<I", len(sound)) + sound
    command = [CURL, "-s", "-o", "/dev/null", "-w", "%{http_code}", "--unix-socket", path, "--data-binary", "@-"]
    command += ["http://voicegate/v1/audio/transcriptions"]

    def again(_):
        answers[subprocess.run(command, input=wave, stdout=subprocess.PIPE, timeout=300).stdout.decode()] += 1

    in_threads(6, again)


def connections(port, size):
    """Forty TCP connections, beside processes with many descriptors."""
    hold_descriptors(size)

    def again(_):
        with socket.create_connection(("127.0.0.1", int(port)), timeout=300) as connection:
            connection.sendall(b'{"type":"describe"}\n')
            connection.recv(100)
            answers["answered"] += 1
            # Its answer was a refusal, or the connection stays.
            time.sleep(0.1)

    in_threads(40, again)


def change_back_and_forth(connection, number, times=1):
    for _ in range(times):
        for choice in ("deny", "ask"):
            change(connection, REGISTERED, choice, ("microphone", "speechRecognition")[number % 2])


def records(path, size):
    """Changes back and forth, of which each is a record."""
    at_once(path, 4, lambda connection, number: change_back_and_forth(connection, number, size // 8))
    over_connections(path, 4, change_back_and_forth)


def verification(path, size):
    """Verification of a long log."""
    at_once(path, 4, lambda connection, number: change_back_and_forth(connection, number, 50))
    in_threads(size, lambda _: Connection(path).ask("GET", "/v1/audit/verification"))


def attack(name, target, size):
    # What is measured is the service's time, not who gets the processors.
    os.nice(10)
    attacks = (denials, streams, networks, connections, records, verification)
    {attack.__name__: attack for attack in attacks}[name](target, size)
    answers.clear()
    print("attacking", flush=True)
    sys.stdin.read()
    print(json.dumps(dict(answers)), flush=True)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)


if sys.argv[1] == "victim":
    victim(*sys.argv[2:])
else:
    attack(sys.argv[1], sys.argv[2], int(sys.argv[3]))
