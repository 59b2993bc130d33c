"""Recorded speech with its words, word errors, and their comparison by speaker."""

import ctypes
import random
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path("/usr/share/pocketsphinx/test/data/librivox")
SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "audio"
# More read prose, if available: a folder with references.tsv (name, tab, words) and the clips. It was used to choose the
# recogniser's settings, so it only shows that they still work.
OTHER = SHARED
RATE = 16_000


@dataclass(frozen=True)
class Clip:
    path: Path
    speaker: str
    text: str
    samples: bytes

    @property
    def seconds(self):
        return len(self.samples) / (2 * RATE)


def clips():
    """Name → path and words."""
    found = {}
    for line in (FOLDER / "transcription").read_text().splitlines():
        text, name = line.rsplit("(", 1)
        name = name.rstrip(") ")
        found[name.rsplit("-", 1)[1]] = (FOLDER / f"{name}.wav", text)
    return found


def other_clips():
    table = OTHER / "references.tsv"
    if not table.exists():
        return {}
    rows = (line.split("\t", 1) for line in table.read_text().splitlines() if "\t" in line)
    named = ((name.strip(), text) for name, text in rows)
    found = {name: (OTHER / f"{name.removesuffix('.wav')}.wav", text) for name, text in named}
    return {name: clip for name, clip in found.items() if clip[0].exists()}


def speakers(folder, most):
    """The clips of a folder's references.tsv (a line of names, then file, speaker, …, text), at most `most` seconds of each
    speaker, but at least one clip."""
    lines = (folder / "references.tsv").read_text().splitlines()
    names = lines[0].split("\t")
    found, total = [], {}
    for line in lines[1:]:
        row = dict(zip(names, line.split("\t")))
        clip = Clip(folder / row["file"], row["speaker"], row["text"], sound(folder / row["file"]))
        if total.get(clip.speaker, 0) > 0 and total[clip.speaker] + clip.seconds > most:
            continue
        total[clip.speaker] = total.get(clip.speaker, 0) + clip.seconds
        found.append(clip)
    return found


class Information(ctypes.Structure):
    """libsndfile's SF_INFO."""

    _fields_ = [("frames", ctypes.c_int64), ("rate", ctypes.c_int), ("channels", ctypes.c_int),
                ("format", ctypes.c_int), ("sections", ctypes.c_int), ("seekable", ctypes.c_int)]


def sound(path):
    """The samples of a sound file, which must have 16 kHz and one channel."""
    library = ctypes.CDLL("libsndfile.so.1")
    library.sf_open.restype = ctypes.c_void_p
    library.sf_readf_short.restype = ctypes.c_int64
    library.sf_readf_short.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    library.sf_close.argtypes = [ctypes.c_void_p]
    information = Information()
    reading = 0x10
    file = library.sf_open(str(path).encode(), reading, ctypes.byref(information))
    if not file or (information.rate, information.channels) != (RATE, 1):
        raise SystemExit(f"{path} is not a sound file with 16 kHz and one channel")
    samples = (ctypes.c_int16 * information.frames)()
    count = library.sf_readf_short(file, samples, information.frames)
    library.sf_close(file)
    return bytes(samples)[:2 * count]


def words(text):
    """Lower-case words of letters; punctuation, digits and sentence marks do not count."""
    return re.findall(r"(?:[^\W\d_]|')+", re.sub(r"</?s>", " ", text.lower()))


def errors(reference, hypothesis):
    """Substitutions, insertions and deletions of the cheapest alignment (Levenshtein)."""
    row = list(range(len(hypothesis) + 1))
    for i, word in enumerate(reference, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(hypothesis, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (word != other))
    return row[-1]


def interval(pairs, rounds=10_000, seed=1):
    """The 95 % interval of the ratio of sums, by drawing pairs (one for each speaker) with replacement."""
    chance = random.Random(seed)
    ratios = []
    for _ in range(rounds):
        drawn = chance.choices(pairs, k=len(pairs))
        theirs = sum(pair[1] for pair in drawn)
        if theirs:
            ratios.append(sum(pair[0] for pair in drawn) / theirs)
    ratios.sort()
    return ratios[int(0.025 * len(ratios))], ratios[int(0.975 * len(ratios))]
