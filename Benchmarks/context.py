"""Effect of context text and phrases: errors with and without them on matching and on other text, names that were
recognised, the cost of preparing them, and the share of correct words by confidence.

The clips are sent to a worker over its socket as in dictation, one session per clip. LJ Speech is measured if available (see speech.py): its text is about the history of printing, and so is
context/printing.txt, which was written for this benchmark and shares no sequence of five words with the clips.
"""

import json
import random
import sys
from pathlib import Path

from speech import clips, errors, other_clips, words
from worker import Worker, samples

FOLDER = Path(__file__).resolve().parent / "context"
# Rare words of the clips; the recogniser's own language model lacks the first and the third.
NAMES = ["woodcutters", "gutenberg", "letterpress", "typography", "dashwood"]
DICTIONARY = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"
BINS = [0, 0.2, 0.4, 0.6, 0.8, 0.99, 1.01]


def given(text="", phrases=()):
    return {"text": text, "phrases": list(phrases)}


def sessions(found, told):
    """Errors, words, events, CPU seconds and peak memory of all clips."""
    result = {"errors": 0, "words": 0, "live": 0, "finals": [], "cpu": 0.0, "peak": 0.0}
    for path, text in found.values():
        worker = Worker(text=told["text"], phrases=told["phrases"])
        worker.hear(samples(path))
        final, live, partial = [], [], ""
        for event in worker.finish():
            if event["type"] == "partial":
                partial = event["text"]
            elif event["type"] == "final":
                final.append(event)
                live.append(partial)
                partial = ""
        reference = words(text)
        understood = " ".join(event["text"] for event in final)
        result["errors"] += errors(reference, words(understood))
        result["live"] += errors(reference, words(" ".join(live)))
        result["words"] += len(reference)
        result["finals"].append((reference, final))
        result["cpu"] += worker.cpu
        result["peak"] = max(result["peak"], worker.peak)
    return result


def named(result):
    """Spoken names that were recognised."""
    read = found = 0
    for reference, final in result["finals"]:
        understood = [word for event in final for word in words(event["text"])]
        for name in NAMES:
            if name in reference:
                read += 1
                found += name in understood
    return f"{found} of {read}"


def row(title, result, plain, audio):
    rate = 100 * result["errors"] / result["words"]
    change = "" if result is plain else f"{100 * (result['errors'] / max(1, plain['errors']) - 1):+.0f} %"
    print(
        f"{title:<42}{result['errors']:>5} ({rate:4.1f} %) {change:>7} {result['live']:>6}  {named(result):>8}"
        f"{result['cpu'] / audio:>8.2f}{result['peak']:>7.0f}", flush=True)


def right(reference, found):
    """Whether each recognised word is correct, by the alignment with the fewest errors."""
    rows = [list(range(len(found) + 1))]
    for i, word in enumerate(reference, 1):
        rows.append([i])
        for j, other in enumerate(found, 1):
            rows[i].append(min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (word != other)))
    marks, i, j = [False] * len(found), len(reference), len(found)
    while i and j:
        if rows[i][j] == rows[i - 1][j - 1] + (reference[i - 1] != found[j - 1]):
            marks[j - 1] = reference[i - 1] == found[j - 1]
            i, j = i - 1, j - 1
        elif rows[i][j] == rows[i - 1][j] + 1:
            i -= 1
        else:
            j -= 1
    return marks


def confidences(results):
    pairs = []
    for result in results:
        for reference, final in result["finals"]:
            told = [word for event in final for word in event["words"]]
            marks = right(reference, [word["word"] for word in told])
            pairs += [(word["confidence"], mark) for word, mark in zip(told, marks)]
    return sorted(pairs)


def fit(pairs):
    """Shares of correct words, monotonic in the confidence (pool adjacent violators)."""
    pools = []
    for value, mark in pairs:
        pools.append([value, value, mark, 1])
        while len(pools) > 1 and pools[-2][2] * pools[-1][3] >= pools[-1][2] * pools[-2][3]:
            low, high, count, size = pools.pop()
            pools[-1] = [pools[-1][0], high, pools[-1][2] + count, pools[-1][3] + size]
    return pools


def learning():
    """The cost of preparing the context in a worker, before audio arrives."""
    known = [line.split()[0] for line in Path(DICTIONARY).read_text().splitlines() if "(" not in line]
    chance = random.Random(1)
    most = ""
    while len(most) < 500_000:
        # One word in fifty is new, as in a text full of names.
        line = [chance.choice(known) if chance.randrange(50) else chance.choice(known) + "ick" for _ in range(12)]
        most += " ".join(line) + ".\n"
    phrases = [f"{chance.choice(known)} {chance.choice(known)}" for _ in range(500)]
    floor = None
    print(f"{'learning, nothing heard':<42}{'CPU seconds':>12}{'MB':>7}")
    for title, text, told in (
        ("nothing", "", []), ("a page", (FOLDER / "printing.txt").read_text(), []), ("500 context phrases", "", phrases),
        ("500 kB", most, []),
    ):
        taken = []
        for _ in range(3):
            worker = Worker(text=text, phrases=told)
            worker.finish()
            taken.append((worker.cpu, worker.peak))
        cpu, peak = sorted(taken)[1]
        floor = floor or (cpu, peak)
        print(f"{title:<42}{cpu - floor[0]:>12.2f}{peak - floor[1]:>+7.0f}", flush=True)
    print()


def main():
    learning()
    printing = (FOLDER / "printing.txt").read_text()
    novel = (FOLDER / "novel.txt").read_text()
    sets = {"LibriVox, a novel": (clips(), novel, printing)}
    if others := other_clips():
        sets["LJ Speech, printing"] = (others, printing, novel)
    plains = []
    for title, (found, matching, other) in sets.items():
        audio = sum(len(samples(path)) / 32_000 for path, _ in found.values())
        print(f"{title:<42}{'final':>5} {'':>17}{'live':>6}  {'names':>8}{'CPU/s':>8}{'MB':>7}")
        plain = sessions(found, given())
        row("no context", plain, plain, audio)
        row("a page of matching text", sessions(found, given(matching)), plain, audio)
        names = [name for name in NAMES if any(name in words(text) for _, text in found.values())]
        row("the names as context phrases", sessions(found, given(phrases=names)), plain, audio)
        row("a page of other text", sessions(found, given(other)), plain, audio)
        plains.append(plain)
        print()
    pairs = confidences(plains)
    print(f"words by their confidence: {'told':>12}{'words':>7}{'right':>7}")
    for low, high in zip(BINS, BINS[1:]):
        marks = [mark for value, mark in pairs if low <= value < high]
        if marks:
            print(f"{low:>33.2f}–{min(high, 1):.2f}{len(marks):>6}{100 * sum(marks) / len(marks):>6.0f} %")
    if "--fit" in sys.argv:
        for low, high, count, size in fit(pairs):
            print(json.dumps({"from": low, "to": high, "right": round(count / size, 3), "words": size}))


if __name__ == "__main__":
    main()
