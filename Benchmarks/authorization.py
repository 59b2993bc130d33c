"""Cost of a permission check without a prompt, beside two D-Bus calls that desktops make for the same question, in the same run:
PermissionStore.Lookup of xdg-desktop-portal, and CheckAuthorization of polkit.

Each runs on its own bus. Only root can start polkitd: other users ask the polkit of the machine.
Exit codes: 0; 69 if something is not installed or the machine's polkit does not answer; 1 if something fails.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from service import ROOT, Service

SECONDS = "5"
MANIFEST = """<plist version="1.0"><dict>
<key>CFBundleIdentifier</key><string>org.example.{name}</string>
<key>CFBundleExecutable</key><string>{executable}</string>
<key>NSSpeechRecognitionUsageDescription</key><string>To measure what asking costs.</string>
<key>NSMicrophoneUsageDescription</key><string>To measure what asking costs.</string>
<key>VoiceGateRecipients</key><array/>
<key>Padding</key><string>{padding}</string>
</dict></plist>"""
PATH = "/v1/authorization"


def install(service, name, executable, padding=0):
    folder = service.folder / "clients" / name
    folder.mkdir(parents=True, mode=0o700)
    (folder / "Info.plist").write_text(
        MANIFEST.format(name=name, executable=executable, padding="x" * padding))


BUS = """<busconfig><type>{kind}</type><listen>unix:path={path}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/></policy>
</busconfig>"""
STORE, POLKIT = "/usr/libexec/xdg-permission-store", "/usr/lib/polkit-1/polkitd"
NOBODY = 65534
RULE = """polkit.addRule(function(action, subject) {
    if (action.id == "org.freedesktop.policykit.exec" && subject.user == "nobody") return polkit.Result.YES;
});
"""


def unavailable(message):
    print(message, file=sys.stderr)
    sys.exit(69)


def require_packages():
    needed = {
        "/usr/include/systemd/sd-bus.h": "libsystemd-dev", "/usr/bin/dbus-daemon": "dbus-daemon",
        STORE: "xdg-desktop-portal", POLKIT: "polkitd"}
    missing = {path: package for path, package in needed.items() if not os.path.exists(path)}
    if missing:
        unavailable(f"Missing: {', '.join(missing)}. Install them: sudo apt-get install {' '.join(missing.values())}")


class Bus:
    """A bus with one daemon on it. Use as a context; `folder` must exist and may be used by this bus only."""

    def __init__(self, kind, folder, daemon):
        self.address = f"unix:path={folder}/bus"
        self.environment = os.environ | {f"DBUS_{kind.upper()}_BUS_ADDRESS": self.address, "XDG_DATA_HOME": str(folder)}
        self.daemon, self.log, self.configuration = daemon, folder / "log", folder / "bus.conf"
        self.configuration.write_text(BUS.format(kind=kind, path=folder / "bus"))

    def __enter__(self):
        with contextlib.ExitStack() as ends:
            log = ends.enter_context(open(self.log, "w"))

            def start(command, output):
                process = subprocess.Popen(command, env=self.environment, stdout=output, stderr=log)
                ends.callback(process.wait)
                ends.callback(process.kill)
                return process

            bus = start(
                ["dbus-daemon", f"--config-file={self.configuration}", "--nofork", "--nopidfile", "--print-address=1"],
                subprocess.PIPE)
            ends.enter_context(bus.stdout)
            if not bus.stdout.readline():
                raise SystemExit("dbus-daemon did not start: " + self.log.read_text())
            self.process = start(self.daemon, log)
            self.ends = ends.pop_all()
        return self

    def __exit__(self, *_):
        self.ends.close()

    def wait(self, ask):
        """Returns when the daemon answers: when `ask` returns None instead of an error's text."""
        end = time.monotonic() + 30
        while error := ask():
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"{' '.join(self.daemon)} does not answer: {error}{self.log.read_text()}")
            time.sleep(0.1)


def measure(name, command, connections=1, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr}")
    rate, middle, high = map(float, done.stdout.split())
    print(f"{name:<50}{connections:>12}{rate:>14,.0f}{middle:>9.1f}{high:>9.1f}", flush=True)
    return middle


def row(name, load, socket, connections, target):
    return measure(name, [load, socket, connections, SECONDS, target], connections)


def first_call(program, address, call, **options):
    """The text of the error of one call, or None."""
    done = subprocess.run([program, address, "0", call], capture_output=True, text=True, **options)
    return done.stderr if done.returncode else None


def lookup_row(program, folder):
    folder.mkdir()
    with Bus("session", folder, [STORE]) as bus:
        bus.wait(lambda: first_call(program, bus.address, "lookup"))
        return measure("D-Bus: PermissionStore.Lookup", [program, bus.address, SECONDS, "lookup"])


def check_row(program, folder):
    """As root, a rule grants the action to the user nobody, who asks: polkit authorizes root without evaluating rules."""
    if os.geteuid() != 0:
        address = os.environ.get("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/run/dbus/system_bus_socket")
        if error := first_call(program, address, "check"):
            unavailable(f"polkit does not answer on the system bus. Start it, or run this as root, which starts its own. {error}")
        return measure("D-Bus: CheckAuthorization by the machine's rules", [program, address, SECONDS, "check"])
    rules = folder / "rules"
    rules.mkdir(parents=True)
    (rules / "50-benchmark.rules").write_text(RULE)
    mount = f"mount --bind '{rules}' /etc/polkit-1/rules.d && exec {POLKIT} --no-debug"
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    with Bus("system", folder, ["unshare", "--mount", "/bin/sh", "-c", mount]) as bus:
        bus.wait(lambda: first_call(program, bus.address, "check-granted", **user))
        return measure(
            "D-Bus: CheckAuthorization, granted by a rule", [program, bus.address, SECONDS, "check-granted"], **user)


def build(program, name, *libraries):
    source = ROOT / "Benchmarks/authorization" / f"{name}.c"
    # Swift brings a C compiler.
    compiler = shutil.which("clang") or shutil.which("cc") or unavailable("Missing: a C compiler. Install it: sudo apt-get install clang")
    subprocess.run([compiler, "-O2", "-std=gnu11", "-Wall", "-o", program, source, *libraries], check=True)
    return program


def main():
    require_packages()
    # polkitd and the client that asks it are other users.
    os.umask(0o022)
    with tempfile.TemporaryDirectory() as name, Service({"mic": "speed 1"}) as service:
        folder = Path(name)
        folder.chmod(0o755)
        load = build(ROOT / ".build/release/authorization-load", "load", "-lpthread")
        calls = build(folder / "dbus_calls", "dbus_calls", "-lsystemd")
        install(service, "load", load)
        print(f"{'microseconds':<50}{'connections':>12}{'requests/s':>14}{'p50':>9}{'p99':>9}")
        lookup = lookup_row(calls, folder / "store")
        check = check_row(calls, folder / "polkit")
        for connections in (1, 8):
            row("GET /v1/health: the HTTP stack", load, service.socket, connections, "/v1/health")
            asked = row("GET /v1/authorization", load, service.socket, connections, PATH)
            if connections == 1:
                print(f"{'':<50}p50 is {asked / lookup:.2f} times Lookup's, {asked / check:.2f} times CheckAuthorization's")
        # Many large manifests must not slow down requests.
        for number in range(500):
            install(service, f"other{number}", f"/usr/bin/other{number}", padding=200_000)
        begin = time.perf_counter()
        subprocess.run([load, service.socket, "1", "0", PATH], check=True, stdout=subprocess.DEVNULL)
        print(f"500 manifests of 200 kB are read for the first answer: {time.perf_counter() - begin:.2f} s")
        # Nothing about a file that changed within the last 2 s may be kept.
        time.sleep(3)
        row("GET /v1/authorization, 500 manifests of 200 kB", load, service.socket, 8, PATH)


main()
