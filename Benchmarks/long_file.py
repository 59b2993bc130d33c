"""A long sound file: throughput on one core and on two, equal text, and memory over time, with pocketsphinx_continuous.

The file consists of clips with pauses of different lengths, VOICEGATE_LONG_FILE_MINUTES long (default 10; 60 for the hour).
Times are wall-clock: compare the ratio of the two runs, which are made in pairs, and note the load.
"""

import array
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import wave
from pathlib import Path

from service import Service
from speech import clips, errors, other_clips, words

MINUTES = float(os.environ.get("VOICEGATE_LONG_FILE_MINUTES", "10"))
PAIRS = int(os.environ.get("VOICEGATE_LONG_FILE_PAIRS", "2"))
RATE = 16_000


def build(path):
    """Writes the file and returns its words."""
    found = [*clips().values(), *other_clips().values()]
    sounds = []
    for clip, text in found:
        with wave.open(str(clip)) as file:
            sounds.append((file.readframes(file.getnframes()), text))
    chance = random.Random(5)
    reference, frames = [], 0
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        while frames < MINUTES * 60 * RATE:
            sound, text = chance.choice(sounds)
            # The silence of a room, not digital silence.
            pause = array.array("h", (chance.randint(-8, 8) for _ in range(int(RATE * chance.uniform(0.4, 4)))))
            file.writeframes(sound + pause.tobytes())
            frames += len(sound) // 2 + len(pause)
            reference += words(text)
    return reference, frames / RATE


def cpu_time(process):
    """CPU seconds and peak memory in MB."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    ticks = int(fields[11]) + int(fields[12])
    status = Path(f"/proc/{process}/status").read_text()
    resident = next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")), 0)
    return ticks / os.sysconf("SC_CLK_TCK"), resident / 1024


class Watch(threading.Thread):
    """Samples the service and its busiest worker ten times a minute."""

    def __init__(self, service, before):
        super().__init__(daemon=True)
        self.service, self.before, self.rows, self.over = service, before, [], threading.Event()
        self.cpu = 0.0

    def run(self):
        while not self.over.wait(1):
            try:
                worker = [number for number in self.service.recognizers() if number not in self.before]
                if not worker:
                    continue
                seconds, resident = cpu_time(worker[0])
                self.cpu = max(self.cpu, seconds)
                self.rows.append((resident, cpu_time(self.service.process.pid)[1]))
            except (OSError, IndexError):
                continue


def transcribe(service, path, processors):
    before = set(service.recognizers())
    watch = Watch(service, before)
    watch.start()
    began = time.monotonic()
    text = service.command("transcribe", str(path), "--format", "json")
    took = time.monotonic() - began
    watch.over.set()
    watch.join()
    return json.loads(text), took, watch


def quarter(rows, part, column):
    """The mean of a part of a run, quarters counted from 0."""
    size = max(1, len(rows) // 4)
    chosen = rows[part * size:(part + 1) * size] or rows
    return sum(row[column] for row in chosen) / len(chosen)


def main():
    folder = Path(tempfile.mkdtemp(prefix="voicegate-long-"))
    try:
        path = folder / "long.wav"
        reference, seconds = build(path)
        print(f"{seconds / 60:.1f} minutes, {len(reference)} words; load {os.getloadavg()[0]:.1f}")
        print(f"{'':<28}{'seconds':>9}{'x real time':>13}{'CPU s':>8}{'worker MB, quarters of the run':>34}{'service MB':>22}")
        results, ratios = {}, []
        for pair in range(PAIRS):
            times = {}
            for processors in (1, 2):
                settings = f"warmRecognizers: 1\nfileRecognizers: {processors}\n"
                with Service({}, configuration=settings, processors=processors) as service:
                    service.command("status")
                    time.sleep(3)
                    result, took, watch = transcribe(service, path, processors)
                times[processors] = took
                results[pair, processors] = result["segments"]
                rows = watch.rows or [(0, 0)]
                memory = " ".join(f"{quarter(rows, part, 0):7.0f}" for part in range(4))
                own = " ".join(f"{quarter(rows, part, 1):4.0f}" for part in range(4))
                print(f"{f'{processors} core(s), pair {pair + 1}':<28}{took:>9.1f}{seconds / took:>13.1f}"
                      f"{watch.cpu:>8.1f}{memory:>34}{own:>22}  load {os.getloadavg()[0]:.1f}", flush=True)
            ratios.append(times[1] / times[2])
        same = all(result == results[0, 1] for result in results.values())
        print(f"throughput on two cores / on one: {', '.join(f'{ratio:.2f}' for ratio in ratios)}")
        print(f"the same words and times in all runs: {same}")
        began = time.monotonic()
        peer = subprocess.Popen(
            ["pocketsphinx_continuous", "-infile", path, "-logfn", "/dev/null"], stdout=subprocess.PIPE, text=True)
        text, _ = peer.communicate()
        took = time.monotonic() - began
        print(f"{'pocketsphinx_continuous':<28}{took:>9.1f}{seconds / took:>13.1f}")
        ours = " ".join(segment["text"] for segment in results[0, 1])
        for name, found in (("VoiceGate", ours), ("pocketsphinx_continuous", text)):
            count = errors(reference, words(found))
            print(f"{name}: {count} errors, {100 * count / len(reference):.1f} in 100 words")
        if not same:
            sys.exit("the words depend on the number of cores")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
