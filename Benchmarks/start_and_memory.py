"""Start of a session, warm and cold, and idle memory, with an empty request and an empty program as lower bounds."""

import contextlib
import fcntl
import http.client
import json
import os
import pty
import signal
import socket
import statistics
import subprocess
import termios
import time
from pathlib import Path

from service import RELEASE, Service
from worker import memory

ROUNDS = 30
COLD_ROUNDS = 10
SPEECH = "/usr/share/pocketsphinx/test/data/goforward.raw"
MANIFEST = """<plist version="1.0"><dict>
<key>CFBundleIdentifier</key><string>org.example.bench</string>
<key>CFBundleExecutable</key><string>{executable}</string>
<key>NSSpeechRecognitionUsageDescription</key><string>To measure how soon a session listens.</string>
<key>NSMicrophoneUsageDescription</key><string>To measure how soon a session listens.</string>
<key>VoiceGateRecipients</key><array/>
</dict></plist>"""


PROGRAMS = ("voicegate", "voicegated", "voicegate-recognizer", "voicegate-engine")


class Connection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("voicegate")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def health(service):
    """A new connection and an empty request: the lower bound."""
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


def at_terminal():
    """Makes standard input the controlling terminal, because only a foreground job may listen."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def program(environment, *arguments, ends=False):
    """From the start of a command at its own terminal to the end of its first line.

    ends: waits for its end instead of ending it then."""
    master, terminal = pty.openpty()
    begin = time.perf_counter()
    with subprocess.Popen([RELEASE / "voicegate", *arguments], env=environment, preexec_fn=at_terminal, stdin=terminal,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
        line = running.stdout.readline()
        taken = time.perf_counter() - begin
        if not ends:
            running.kill()
        running.stdout.read()
    os.close(master)
    os.close(terminal)
    return taken, line


def dictate(environment, *arguments):
    """From the start of voicegate dictate to its event that the device is open."""
    taken, line = program(environment, "dictate", "--json", "--device", "mic", *arguments)
    if b'"started"' not in line:
        raise SystemExit(f"no session: {line}")
    return taken


def size(name):
    """MB of a program without its symbols, as a package has it."""
    stripped = "/tmp/voicegate-bench-stripped"
    subprocess.run(["strip", "-o", stripped, RELEASE / name], check=True)
    bytes_ = Path(stripped).stat().st_size
    Path(stripped).unlink()
    return bytes_ / 1e6


def end(process):
    """Ends a service that a command has started, and waits for it; it is not a child of this process."""
    os.kill(process, signal.SIGTERM)
    with contextlib.suppress(FileNotFoundError):
        # A zombie's other threads may still hold its files.
        while (Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
               or len(os.listdir(f"/proc/{process}/task")) > 1):
            time.sleep(0.01)


def cold(service):
    """The same without a running service: voicegate starts it, in a home folder with a stored permission."""
    home = service.folder / "home"
    run, state = home / "run", home / "state"
    for folder in (run, state):
        folder.mkdir(parents=True, mode=0o700)
    environment = dict(service.environment, HOME=str(home), XDG_RUNTIME_DIR=str(run), XDG_STATE_HOME=str(state),
                       XDG_CONFIG_HOME=str(home / "config"))
    del environment["VOICEGATE_NO_START"]
    path = str(run / "voicegate" / "voicegate.sock")

    def process():
        connection = Connection(path)
        connection.request("GET", "/v1/health")
        return json.loads(connection.getresponse().read())["processIdentifier"]

    for resource in ("speechRecognition", "microphone"):
        program(environment, "settings", "io.voicegate.cli", "--allow", resource, ends=True)
    times = []
    for _ in range(COLD_ROUNDS):
        end(process())
        times.append(dictate(environment))
    end(process())
    return times


def at_own_terminal():
    """Goes on in a process in the foreground of its own terminal: only such a client may listen, and a benchmark may be
    started by anything. Its output stays where it was."""
    outputs = os.dup(1), os.dup(2)
    process, master = pty.fork()
    if process:
        with contextlib.suppress(OSError):
            # It ends with the last process that has the terminal open (EIO).
            while os.read(master, 4096):
                pass
        raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
    for standard, output in zip((1, 2), outputs):
        os.dup2(output, standard)
        os.close(output)


def row(name, times):
    times = sorted(1000 * value for value in times)
    print(f"{name:<34}{statistics.median(times):>9.2f}{times[int(len(times) * 0.9)]:>9.2f}{times[-1]:>9.2f}")


def main():
    at_own_terminal()
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
            # The next recogniser is warmed between sessions, as between dictations.
            time.sleep(2)
            times.append(session(service))
        row("POST /v1/dictation → started", times)
        row("voicegate --version (floor)", [program(service.environment, "--version")[0] for _ in range(ROUNDS)])
        times = []
        for _ in range(ROUNDS):
            time.sleep(2)
            times.append(dictate(service.environment, "--socket", service.socket))
        row("voicegate dictate → open device", times)
        row("the same without a service", cold(service))
        time.sleep(2)
        workers = service.recognizers()
        print(f"\nmemory, proportional: service {memory(service.process.pid):.0f} MB, of that in no file "
              f"{memory(service.process.pid, 'Private_Dirty:'):.1f} MB; "
              f"{len(workers)} warm recognisers {sum(map(memory, workers)):.0f} MB")
        print("programs, stripped: " + ", ".join(f"{name} {size(name):.0f} MB" for name in PROGRAMS))


main()
