"""Cost of a permission check without a prompt, with a plain C echo server on a Unix socket in the same run."""

import shutil
import subprocess
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


def row(name, load, socket, connections, target):
    done = subprocess.run(
        [load, socket, str(connections), SECONDS, target], capture_output=True, text=True, check=True)
    rate, middle, high = map(float, done.stdout.split())
    print(f"{name:<50}{connections:>12}{rate:>14,.0f}{middle:>9.1f}{high:>9.1f}", flush=True)
    return middle


def main():
    load = ROOT / ".build" / "release" / "authorization-load"
    source = ROOT / "Benchmarks" / "authorization" / "load.c"
    # Swift brings a C compiler.
    subprocess.run([shutil.which("clang") or "cc", "-O2", "-std=gnu11", "-Wall", "-o", load, source, "-lpthread"], check=True)
    print(f"{'microseconds':<50}{'connections':>12}{'requests/s':>14}{'p50':>9}{'p99':>9}")
    with tempfile.TemporaryDirectory() as folder, Service({"mic": "speed 1"}) as service:
        echo, checked = str(Path(folder, "echo.sock")), str(Path(folder, "checked.sock"))
        servers = [
            subprocess.Popen([load, option, path], stdout=subprocess.PIPE, text=True)
            for option, path in [("--serve", echo), ("--serve-checked", checked)]]
        for server in servers:
            server.stdout.readline()
        install(service, "load", load)
        try:
            for connections in (1, 8):
                floor = row("C echo: the floor", load, echo, connections, "echo")
                same = row("C echo that checks its caller as the service does", load, checked, connections, "echo")
                row("GET /v1/health: the HTTP stack", load, service.socket, connections, "/v1/health")
                asked = row("GET /v1/authorization", load, service.socket, connections, PATH)
                print(f"{'':<50}p50 is {asked / floor:.1f} times the floor's, {asked / same:.1f} times the checking echo's")
        finally:
            for server in servers:
                server.kill()
                server.wait()
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
