"""Start of the service with a large log: how soon it answers, and when the log is verified.

VOICEGATE_LOG_RECORDS: records; a million by default, which takes 1.2 GB in VOICEGATE_BENCHMARK_FOLDER.
"""

import http.client
import json
import os
import shutil
import socket
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from service import ROOT, Service

ROUNDS = 5


def health(service):
    connection = http.client.HTTPConnection("voicegate")
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.connect(service.socket)
    connection.request("GET", "/v1/health")
    reply = json.loads(connection.getresponse().read())
    connection.close()
    return reply


def start(state):
    """Seconds from the start of the program until it answers, and until it has verified the log."""
    service = Service({}, state=state)
    begin = time.perf_counter()
    with service:
        reply = health(service)
        ready = time.perf_counter() - begin
        while reply["log"] == "verifying":
            time.sleep(0.01)
            reply = health(service)
        if reply["log"] != "intact":
            raise SystemExit(f"the log is {reply['log']}")
        return ready, time.perf_counter() - begin


def main():
    count = os.environ.get("VOICEGATE_LOG_RECORDS", "1000000")
    folder = tempfile.mkdtemp(dir=os.environ.get("VOICEGATE_BENCHMARK_FOLDER", "/var/tmp"), prefix="voicegate-bench-")
    try:
        for records in ("0", count):
            subprocess.run([ROOT / ".build/benchmarks/release/consent-benchmark", folder, "fill", records], check=True)
            state = max(Path(folder).glob("fill-*"), key=os.path.getmtime)
            times = [start(state) for _ in range(ROUNDS)]
            ready, verified = (statistics.median(column) for column in zip(*times))
            print(f"start with {records} records: answers after {ready:.2f} s (aim 1), has verified after {verified:.2f} s")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
