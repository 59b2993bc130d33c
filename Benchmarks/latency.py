"""Latency: start of speech → first live words, end of speech → final text, with two concurrent sessions.

Clips of people are played into two virtual microphones in real time and dictated through the service at the same time. The
latency of the final text is measured from the end of the pause that ends an utterance (`endSilence`). Sessions start without a
learnt mean, which is the slow case.
"""

import json
import pathlib
import re
import statistics
import subprocess
import threading
import time

from service import RELEASE, Service
from speech import clips, other_clips

ENDPOINTER = pathlib.Path(__file__).resolve().parent.parent / "Sources/Model/Speech/Endpointing/Endpointer.swift"


def setting(name):
    """A default of the endpointer, in seconds; its frames are 10 ms."""
    return int(re.search(rf"public var {name} = (\d+)$", ENDPOINTER.read_text(), re.M)[1]) / 100


PAUSE, POST_ROLL = setting("endSilence"), setting("postRoll")


def follow(service, device, results):
    """Each event with its arrival, in seconds of the session's audio."""
    command = [RELEASE / "voicegate", "dictate", "--device", device, "--stop-after-silence", "3", "--json",
               "--socket", service.socket]
    process = subprocess.Popen(command, env=service.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    began = None
    for line in process.stdout:
        now = time.monotonic()
        event = json.loads(line)
        if event["type"] == "started":
            began = now
        elif began is not None:
            results.append((now - began, event))
    process.wait()


def waits(events):
    first, final, start = [], [], None
    for moment, event in events:
        if event["type"] == "speechStarted":
            start = event["at"]
        elif event["type"] == "partial" and start is not None and event["text"]:
            first.append(moment - start)
            start = None
        elif event["type"] == "final" and event["text"]:
            # The transcript ends this long after the last sound.
            final.append((moment - (event["end"] - POST_ROLL) - PAUSE, event["end"] - event["start"]))
    return first, final


def row(name, values):
    values = sorted(values)
    if values:
        p95 = values[min(len(values) - 1, int(0.95 * len(values)))]
        print(f"{name:<44}{len(values):>4}{1000 * statistics.median(values):>8.0f}{1000 * p95:>8.0f}")


def main():
    found = list({**clips(), **other_clips()}.values())
    microphones = {f"clip{number}": f'file "{path}" speed 1' for number, (path, _) in enumerate(found)}
    first, final = [], []
    with Service(microphones) as service:
        for pair in [range(number, min(number + 2, len(found))) for number in range(0, len(found), 2)]:
            results = {number: [] for number in pair}
            threads = [
                threading.Thread(target=follow, args=(service, f"clip{number}", results[number])) for number in pair]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            for events in results.values():
                new = waits(events)
                first += new[0]
                final += new[1]
    print(f"{'milliseconds, two sessions at once':<44}{'':>4}{'p50':>8}{'p95':>8}")
    row("speech begins → first live words", first)
    row("the pause is over → final text", [wait for wait, _ in final])
    row("the same, utterances of 7 s and more", [wait for wait, length in final if length >= 7])


if __name__ == "__main__":
    main()
