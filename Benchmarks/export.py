"""Large exports: speed, and memory by number of records. VOICEGATE_EXPORT_RECORDS, default a million."""

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import service

RECORDS = int(os.environ.get("VOICEGATE_EXPORT_RECORDS", "1000000"))
FORMATS = ["bundle", "jsonl", "csv", "jsonld", "html"]


def peak(process):
    """Peak resident memory since the last reset, in MB."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def forget_peak(process):
    Path(f"/proc/{process}/clear_refs").write_text("5")


def filled(folder, count):
    """A log with this many records, written by the append benchmark."""
    subprocess.run(
        [service.RELEASE / "consent-benchmark", folder, "fill", str(count)], check=True, stdout=subprocess.DEVNULL)
    return next(Path(folder).glob("fill-*"))


def export(running, kind, place):
    """Seconds, the command's peak and the service's, in MB."""
    forget_peak(running.process.pid)
    arguments = [service.RELEASE / "voicegate", "audit", "export", "--format", kind, "--output", place / kind]
    begin = time.perf_counter()
    process = subprocess.Popen(
        [*arguments, "--socket", running.socket, "--quiet"], env=running.environment, stdin=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    taken = time.perf_counter() - begin
    if process.returncode:
        raise SystemExit(f"export --format {kind} ended with {process.returncode}")
    return taken, usage.ru_maxrss / 1024, peak(running.process.pid)


def main():
    print(f"{'records':>9} {'format':<8}{'records/s':>11}{'command, MB':>13}{'service, MB':>13}")
    for count in [max(RECORDS // 100, 256), max(RECORDS // 10, 256), RECORDS]:
        folder = Path(tempfile.mkdtemp(prefix="voicegate-bench-"))
        try:
            with service.Service({}, state=filled(folder, count)) as running:
                for kind in FORMATS:
                    taken, command, daemon = export(running, kind, folder)
                    print(f"{count:>9} {kind:<8}{count / taken:>11.0f}{command:>13.0f}{daemon:>13.0f}", flush=True)
                    target = folder / kind
                    shutil.rmtree(target) if target.is_dir() else target.unlink()
        finally:
            shutil.rmtree(folder, ignore_errors=True)


main()
