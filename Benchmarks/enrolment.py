"""What learning a voice is worth: errors of words with and without it, on sentences it was not learnt from.

For each speaker: half of the clips are learnt from and the other half is tried, then the other way round, so that every
clip is tried once. Beside it, what the enrolment itself measured (four parts of the half that it learns from), and
whether it would have kept the profile. `both`: with a page of the user's own words, too.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from dictation_words import clips, other_clips
from recognizer_process import final_texts, learn
from word_errors import errors, words

CONTEXT = Path(__file__).resolve().parent / "context"


def is_clear(gain):
    fewer = gain["errors_before"] - gain["errors_after"]
    return fewer >= 2 and 100 * fewer >= 3 * gain["errors_before"] and gain["better"] > gain["worse"]


def learnt(found):
    folder = tempfile.mkdtemp(prefix="voicegate-bench-", dir="/dev/shm")
    try:
        return learn(found, folder)
    finally:
        shutil.rmtree(folder)


def total(found, **options):
    return sum(errors(words(text), words(final_texts(path, **options))) for path, text in found)


def measure(title, found, page=None):
    """`found`: (path, words) of one speaker."""
    count = sum(len(words(text)) for _, text in found)
    halves = [found[0::2], found[1::2]]
    sums = {"without": 0, "with": 0, "kept": 0, "words": 0, "both": 0}
    text = page.read_text() if page and page.exists() else ""
    for number, (seen, unseen) in enumerate([(halves[0], halves[1]), (halves[1], halves[0])]):
        plain = total(unseen)
        try:
            gain, matrix, seconds = learnt(seen)
        except RuntimeError as problem:
            print(f"{title}, half {number + 1}: not learnt: {problem}")
            for name in ("without", "with", "kept"):
                sums[name] += plain
            continue
        adapted = total(unseen, transform=matrix)
        sums["without"] += plain
        sums["with"] += adapted
        sums["kept"] += adapted if is_clear(gain) else plain
        if text:
            sums["words"] += total(unseen, text=text)
            sums["both"] += total(unseen, text=text, transform=matrix)
        print(
            f"{title}, half {number + 1}: learnt from {gain['seconds']:.0f} s in {seconds:.0f} s of CPU; in itself "
            f"{gain['errors_before']} -> {gain['errors_after']} of {gain['words']} words, {gain['better']} sentences "
            f"better, {gain['worse']} worse: {'kept' if is_clear(gain) else 'refused'}; on the other half "
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
        measure("LibriVox and LJ Speech mixed up (two voices)", sorted([*clips().values(), *others[:7]]))
    measure("LibriVox (five clips)", list(clips().values()))


if __name__ == "__main__":
    main()
