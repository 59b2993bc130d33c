"""Cost of a permission check without a prompt, beside two D-Bus calls that desktops make for the same question, in the same run:
PermissionStore.Lookup of xdg-desktop-portal, and CheckAuthorization of polkit, as root.

Needs libsystemd-dev, dbus-daemon, xdg-desktop-portal and polkitd. Exit codes: 0, or 69 if one of them is missing.
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
DAEMONS = {"store": "/usr/libexec/xdg-permission-store", "polkit": "/usr/lib/polkit-1/polkitd"}


def missing():
    """The Debian packages that are not installed."""
    needed = {
        "/usr/include/systemd/sd-bus.h": "libsystemd-dev", "/usr/bin/dbus-daemon": "dbus-daemon",
        DAEMONS["store"]: "xdg-desktop-portal", DAEMONS["polkit"]: "polkitd",
    }
    return [package for path, package in needed.items() if not os.path.exists(path)]


@contextlib.contextmanager
def bus(name, folder):
    """The address of a private bus with one of the daemons."""
    path = folder / name
    path.mkdir()
    # polkitd becomes another user.
    folder.chmod(0o711)
    configuration = path / "bus.conf"
    kind = "system" if name == "polkit" else "session"
    configuration.write_text(BUS.format(kind=kind, path=path / "bus"))
    address = f"unix:path={path / 'bus'}"
    variable = {"polkit": "DBUS_SYSTEM_BUS_ADDRESS", "store": "DBUS_SESSION_BUS_ADDRESS"}[name]
    environment = os.environ | {variable: address, "XDG_DATA_HOME": str(path)}
    with contextlib.ExitStack() as ends:
        def start(command, **options):
            process = subprocess.Popen(command, env=environment, **options)
            ends.callback(process.wait)
            ends.callback(process.kill)
            return process
        daemon = start(
            ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile", "--print-address=1"],
            stdout=subprocess.PIPE)
        daemon.stdout.readline()
        start([DAEMONS[name]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        yield address


def measure(command, name, connections):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    rate, middle, high = map(float, done.stdout.split())
    print(f"{name:<50}{connections:>12}{rate:>14,.0f}{middle:>9.1f}{high:>9.1f}", flush=True)
    return middle


def row(name, load, socket, connections, target):
    return measure([load, socket, connections, SECONDS, target], name, connections)


def call_row(name, program, kind, folder):
    with bus(kind, folder) as address:
        for attempt in range(100):
            # Until the daemon has its name on the bus.
            if subprocess.run([program, address, "0", kind], capture_output=True).returncode == 0:
                break
            time.sleep(0.1)
        return measure([program, address, SECONDS, kind], name, 1)


def build(name, *libraries):
    program = ROOT / ".build/release" / f"authorization-{name}"
    source = ROOT / "Benchmarks/authorization" / f"{name}.c"
    # Swift brings a C compiler.
    compiler = shutil.which("clang") or "cc"
    subprocess.run([compiler, "-O2", "-std=gnu11", "-Wall", "-o", program, source, *libraries], check=True)
    return program


def main():
    if packages := missing():
        print("Install " + " ".join(packages) + ": sudo apt install " + " ".join(packages), file=sys.stderr)
        return 69
    load, calls = build("load", "-lpthread"), build("dbus_calls", "-lsystemd")
    print(f"{'microseconds':<50}{'connections':>12}{'requests/s':>14}{'p50':>9}{'p99':>9}")
    with tempfile.TemporaryDirectory() as folder, Service({"mic": "speed 1"}) as service:
        install(service, "load", load)
        lookup = call_row("D-Bus: PermissionStore.Lookup", calls, "store", Path(folder))
        check = call_row("D-Bus: polkit's CheckAuthorization", calls, "polkit", Path(folder))
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
    return 0


if __name__ == "__main__":
    sys.exit(main())
