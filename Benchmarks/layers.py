"""Overhead of the layers: CPU time of a worker and of the library called from C with the same configuration; memory.

The same clips, in one session; the worker detects the utterances in the audio from its socket; the lower bound (layers/floor.c)
gets each clip as an utterance. Both are repeated in turn; the minimum of each counts, because other load only adds time.
"""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from speech import clips, other_clips
from worker import MODEL, ROOT, Worker, memory, samples, seconds

ROUNDS = 3
SILENCE = b"\0" * 32_000
# As with a microphone that was used before.
MEAN = {"values": [41.00, -5.29, -0.12, 5.09, 2.48, -4.07, -1.37, -1.78, -5.08, -2.05, -6.45, -1.42, 1.17], "frames": 300}


def settings():
    """The options of a live session's decoder, as its source has them."""
    source = (ROOT / "Sources/Recognizers/PocketSphinxRecognition/Decoder.swift").read_text()
    lists = [source.split(f"static let {name} = [", 1)[1].split("]", 1)[0] for name in ("settings", "settingsOfJudges")]
    lines = [line for text in lists for line in text.splitlines() if not line.strip().startswith("//")]
    return [text for line in lines for text in re.findall(r'"([^"]+)"', line)]


def build(folder):
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "pocketsphinx"], capture_output=True, text=True, check=True)
    program = folder / "floor"
    subprocess.run(
        ["cc", "-O2", "-o", program, Path(__file__).parent / "layers" / "floor.c", *flags.stdout.split()], check=True)
    return program


def floor(program, paths):
    model = [f"{MODEL}/en-us", f"{MODEL}/en-us.lm.bin", f"{MODEL}/cmudict-en-us.dict"]
    done = subprocess.run(
        [program, *model, *paths, "--", *settings()], capture_output=True, text=True, check=True)
    return float(done.stdout)


def worker(found):
    session = Worker(mean=MEAN)
    position = 0
    for path, _ in found:
        position = session.hear(samples(path) + SILENCE, position)
    session.finish()
    return session.cpu


def warm():
    """Memory of workers in MB: one alone, and what each further worker adds."""
    first = Worker()
    alone = memory(first.process.pid)
    second = Worker()
    both = memory(first.process.pid) + memory(second.process.pid)
    own = second.process.pid
    private = memory(own, "Private_Dirty:")
    for session in (first, second):
        session.finish()
    return alone, both - alone, private


def main():
    found = list({**clips(), **other_clips()}.values())
    length = sum(seconds(path) for path, _ in found)
    folder = Path(tempfile.mkdtemp(prefix="voicegate-bench-"))
    try:
        program = build(folder)
        raw = []
        for number, (path, _) in enumerate(found):
            raw.append(folder / f"{number}.raw")
            raw[-1].write_bytes(samples(path))
        theirs, ours = [], []
        for _ in range(ROUNDS):
            theirs.append(floor(program, raw))
            ours.append(worker(found))
    finally:
        shutil.rmtree(folder)
    print(f"CPU for a second of audio ({length:.0f} s): library {min(theirs) / length:.3f}, worker "
          f"{min(ours) / length:.3f}, ratio {min(ours) / min(theirs):.2f} (aim 1.03)")
    alone, more, private = warm()
    print(f"memory, MB: a worker {alone:.0f}, each further one {more:.0f}, of that written by itself {private:.0f}")


if __name__ == "__main__":
    main()
