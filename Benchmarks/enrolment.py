"""Effect of adapting to a voice: word errors with and without it, on sentences that were not used to adapt.

For each speaker, two thirds of the clips are used to adapt and the others to test, three times, so that each clip is tested
once. Also reported: the gain that enrolment itself measured (in four parts of its clips), and whether it would have kept the
profile. `both`: with a page of context text too.
"""

import json
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from speech import clips, errors, other_clips, words
from worker import MODEL, WORKER, Worker, event, samples, texts

PARTS = 3
CONTEXT = Path(__file__).resolve().parent / "context"


def is_clear(gain):
    fewer = gain["errors_before"] - gain["errors_after"]
    return fewer >= 2 and 100 * fewer >= 3 * gain["errors_before"] and gain["better"] > gain["worse"]


def learn(found, folder):
    """The gain, the matrix, and the CPU seconds that they took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ours, theirs = socket.socketpair()
    process = subprocess.Popen(
        ["sh", "-c", f'exec "$0" "$@" 3<&{theirs.fileno()}', WORKER, "--model", MODEL, "--learn", folder, "--tools",
         "/usr/lib/sphinxtrain"], pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    theirs.close()
    replies = ours.makefile("rb")
    ours.recv(1, socket.MSG_PEEK)
    replies.readline()
    for path, text in found:
        ours.sendall(event("clip", {"text": text, "input": "file"}))
        content = Path(path).read_bytes()
        for start in range(0, len(content), 60_000):
            ours.sendall(event("piece", None, content[start:start + 60_000]))
    ours.sendall(event("learn"))
    while True:
        header = json.loads(replies.readline())
        data = json.loads(replies.read(header.get("data_length", 0)) or "{}")
        matrix = replies.read(header.get("payload_length", 0))
        if header["type"] in ("learnt", "error"):
            break
    ours.close()
    process.wait()
    if header["type"] == "error":
        raise RuntimeError(data["text"])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return data, matrix, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def final_text(path, **told):
    worker = Worker(**told)
    worker.hear(samples(path))
    return texts(worker.finish())[1]


def learnt(found):
    folder = tempfile.mkdtemp(prefix="voicegate-bench-", dir="/dev/shm")
    try:
        return learn(found, folder)
    finally:
        shutil.rmtree(folder)


def total(found, **options):
    return sum(errors(words(text), words(final_text(path, **options))) for path, text in found)


def measure(title, found, page=None):
    """`found`: (path, words) of one speaker."""
    count = sum(len(words(text)) for _, text in found)
    sums = {"without": 0, "with": 0, "kept": 0, "words": 0, "both": 0}
    text = page.read_text() if page and page.exists() else ""
    for part in range(PARTS):
        unseen = found[part::PARTS]
        seen = [clip for clip in found if clip not in unseen]
        plain = total(unseen)
        try:
            gain, matrix, seconds = learnt(seen)
        except RuntimeError as problem:
            print(f"{title}, part {part + 1}: {problem}", flush=True)
            gain, matrix = None, b""
        adapted = total(unseen, transform=matrix) if matrix else plain
        is_kept = gain is not None and is_clear(gain)
        sums["without"] += plain
        sums["with"] += adapted
        sums["kept"] += adapted if is_kept else plain
        if text:
            sums["words"] += total(unseen, text=text)
            sums["both"] += total(unseen, text=text, transform=matrix)
        if gain:
            print(
                f"{title}, part {part + 1}: learnt from {gain['seconds']:.0f} s in {seconds:.0f} s of CPU; in itself "
                f"{gain['errors_before']} -> {gain['errors_after']} of {gain['words']} words, {gain['better']} sentences "
                f"better, {gain['worse']} worse: {'kept' if is_kept else 'refused'}; on what it did not see "
                f"{plain} -> {adapted}", flush=True)
    rates = {name: f"{100 * value / count:.1f}" for name, value in sums.items()}
    print(f"{title}: {count} words, errors in 100: without {rates['without']}, with {rates['with']}, "
          f"with where it was kept {rates['kept']}"
          + (f"; with words {rates['words']}, with both {rates['both']}" if text else ""), flush=True)


def speakers():
    """One folder for each further speaker, with references.tsv and WAV files: given as arguments."""
    for name in sys.argv[1:]:
        folder = Path(name)
        rows = [line.split("\t", 1) for line in (folder / "references.tsv").read_text().splitlines() if "\t" in line]
        yield folder.name, [(folder / f"{clip.removesuffix('.wav')}.wav", text) for clip, text in rows]


def main():
    for name, found in speakers():
        measure(name, found)
    if others := list(other_clips().values()):
        measure("LJ Speech", others, CONTEXT / "printing.txt")
        # A profile from another speaker should be rejected.
        measure("two voices mixed up", [*others[:7], *clips().values()])
    measure("LibriVox", list(clips().values()))


if __name__ == "__main__":
    main()
