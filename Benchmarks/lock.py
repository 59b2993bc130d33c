"""A locked screen: SetLockedHint → the device is closed, that is durable, and the client is told.

logind is python-dbusmock's on a separate bus, because this machine cannot be locked 100 times; the service, its microphone (virtual,
in real time) and its log are real. The time begins before the program starts that locks (gdbus, about 15 ms of it). Also printed: the
last sound level that the client was told, which comes each tenth of a second while frames are heard. Exits with 1 if any lock took
longer than 200 ms, or if a level was told while it was locked.
"""

import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import threading
import time

from service import Service

LOCKS = int(os.environ.get("VOICEGATE_LOCKS", "100"))
LOGIND, PATH = "org.freedesktop.login1", "/org/freedesktop/login1"


class Logind:
    """On its own bus."""

    def __init__(self, folder):
        self.environment = dict(
            os.environ, DBUS_SESSION_BUS_ADDRESS=f"unix:path={folder}/bus", DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={folder}/bus")
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": self.environment}
        self.programs = [subprocess.Popen(["dbus-daemon", "--session", "--nofork", f"--address=unix:path={folder}/bus"], **quiet)]
        while not os.path.exists(f"{folder}/bus"):
            time.sleep(0.01)
        self.programs.append(subprocess.Popen(["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "logind"], **quiet))
        subprocess.run(["gdbus", "wait", "--session", "--timeout", "60", LOGIND], env=self.environment, check=True)
        self.call(PATH, "org.freedesktop.DBus.Mock.AddSession", "c1", "seat0", str(os.getuid()), "me", "true")

    def call(self, path, method, *arguments):
        subprocess.run(
            ["gdbus", "call", "--session", "--dest", LOGIND, "--object-path", path, "--method", method, *arguments],
            env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def lock(self, is_locked):
        self.call(f"{PATH}/session/c1", f"{LOGIND}.Session.SetLockedHint", str(is_locked).lower())

    def end(self):
        for program in self.programs:
            program.kill()
            program.wait()


class Events:
    """A dictation's events with their arrival, newest last."""

    def __init__(self, path):
        self.all, self.change = [], threading.Condition()
        connection = http.client.HTTPConnection("voicegate")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(path)
        connection.request("POST", "/v1/dictation", json.dumps({"device": "mic", "level": True}))
        self.response = connection.getresponse()
        if self.response.status != 200:
            raise SystemExit(self.response.read().decode())
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.response:
            if line.strip():
                with self.change:
                    self.all.append((time.monotonic(), json.loads(line)))
                    self.change.notify_all()

    def next(self, kind, after):
        """The arrival of the first event of the kind after a moment."""
        with self.change:
            while True:
                for moment, event in self.all:
                    if moment > after and event["type"] == kind:
                        return moment
                if self.all and self.all[-1][1]["type"] == "ended":
                    raise SystemExit(f"it ended: {self.all[-1][1]}")
                self.change.wait(30)


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1000


def main():
    service = Service({"mic": "loop yes"}, manifest={"UIBackgroundModes": ["audio"]})
    logind = Logind(service.folder)
    service.environment["DBUS_SYSTEM_BUS_ADDRESS"] = logind.environment["DBUS_SYSTEM_BUS_ADDRESS"]
    told, levels, late = [], [], 0
    try:
        with service:
            events = Events(service.socket)
            events.next("level", 0)
            for _ in range(LOCKS):
                began = time.monotonic()
                logind.lock(True)
                paused = events.next("paused", began)
                time.sleep(0.3)
                unlocked = time.monotonic()
                heard = [moment for moment, event in list(events.all) if event["type"] == "level" and began < moment < unlocked]
                late += sum(moment > paused for moment in heard)
                told.append(paused - began)
                levels.append(max(heard, default=began) - began)
                logind.lock(False)
                events.next("level", events.next("resumed", unlocked))
    finally:
        logind.end()
    for name, values in (("device closed, durable and told", told), ("the last level", levels)):
        print(f"{name}: mean {statistics.mean(values) * 1000:.0f} ms, p50 {percentile(values, 0.5):.0f}, "
              f"p95 {percentile(values, 0.95):.0f}, max {max(values) * 1000:.0f}, of {len(values)} locks")
    print(f"levels told while locked: {late}")
    return int(late > 0 or max(told) > 0.2)


if __name__ == "__main__":
    sys.exit(main())
