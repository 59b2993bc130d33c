"""Word error rates of two transcripts of the same clips, side by side.

usage: word_errors.py REFERENCES NAME=TRANSCRIPTS [NAME=TRANSCRIPTS …]

Each file has a line a clip: its name, a tab, the words. Errors are substitutions, insertions and deletions of the
cheapest alignment (Levenshtein), for 100 words of the reference.
"""

import re
import sys


def words(text):
    """Lower-case words; punctuation and sentence marks do not count."""
    return re.findall(r"[a-z']+", re.sub(r"</?s>", " ", text.lower()))


def errors(reference, hypothesis):
    row = list(range(len(hypothesis) + 1))
    for i, word in enumerate(reference, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(hypothesis, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (word != other))
    return row[-1]


def read(path):
    with open(path, encoding="utf-8") as file:
        return dict(line.rstrip("\n").split("\t", 1) for line in file if "\t" in line)


def main():
    references = {name: words(text) for name, text in read(sys.argv[1]).items()}
    systems = [argument.split("=", 1) for argument in sys.argv[2:]]
    transcripts = {name: read(path) for name, path in systems}
    total = sum(map(len, references.values()))
    print(f"{'clip':<12}{'words':>6}" + "".join(f"{name:>26}" for name, _ in systems))
    sums = dict.fromkeys(transcripts, 0)
    for clip, reference in sorted(references.items()):
        row = f"{clip:<12}{len(reference):>6}"
        for name in transcripts:
            count = errors(reference, words(transcripts[name].get(clip, "")))
            sums[name] += count
            row += f"{count:>26}"
        print(row)
    print(f"{'all':<12}{total:>6}" + "".join(f"{sums[n]:>14} ({100 * sums[n] / total:5.1f} %)" + " " * 1 for n in sums))


main()
