"""Sessions of human speech with noise at a known level, and the positions of the words.

Clips of people (LibriVox and card commands of Debian's `pocketsphinx-testdata`, LJ Speech if available) are
normalised to one level and concatenated with silence between them. White noise, pink noise and babble (six other clips at
once) are generated here. Decibels are the ratio of speech, from the first to the last word, to noise. The positions of words
come from a forced alignment of the clean clip (`word_alignment.c`).
"""

import math
import random
import subprocess
import sys
import tempfile
from array import array
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATA = Path("/usr/share/pocketsphinx/test/data")
OTHER = HERE.parent.parent / "shared" / "audio"
RATE = 16_000
# The root mean square of all speech: 27 dB below full scale.
LEVEL = 1_500.0
# The noise of a quiet room, in dB below speech.
ROOM = 45
KINDS = ("white", "pink", "babble")


class Clip:
    """`words`: (word, start, end) in seconds. `samples`: floats at `LEVEL`."""

    def __init__(self, name, text, words, samples):
        self.name, self.text, self.words = name, text, words
        spoken = samples[int(words[0][1] * RATE):int(words[-1][2] * RATE)]
        scale = LEVEL / math.sqrt(sum(sample * sample for sample in spoken) / len(spoken))
        self.samples = array("d", (sample * scale for sample in samples))


def read(path):
    data = array("h", Path(path).read_bytes()[44 if str(path).endswith(".wav") else 0:])
    if sys.byteorder == "big":
        data.byteswap()
    return data


def sources():
    """Names, files and texts."""
    found = []
    for folder in ("librivox", "cards"):
        table = DATA / folder / ("transcription" if folder == "librivox" else "cards.transcription")
        for line in table.read_text().splitlines():
            text, name = line.rsplit("(", 1)
            name = name.strip().rstrip(")")
            text = " ".join(word for word in text.split() if not word.startswith("<"))
            found.append((name.rsplit("-", 1)[-1], DATA / folder / f"{name}.wav", text))
    found.append(("goforward", DATA / "goforward.raw", "go forward ten meters"))
    found.append(("something", DATA / "something.raw", "go somewhere and do something"))
    table = OTHER / "references.tsv"
    if table.exists():
        for line in table.read_text().splitlines():
            if "\t" in line:
                name, text = line.split("\t", 1)
                name = name.strip().removesuffix(".wav")
                if (OTHER / f"{name}.wav").exists():
                    found.append((name, OTHER / f"{name}.wav", text))
    return found


def built(source, packages):
    """A C program of this folder, as a temporary executable."""
    program = Path(tempfile.gettempdir()) / f"voicegate-bench-{Path(source).stem}-{HERE.stat().st_ino}"
    if not program.exists() or program.stat().st_mtime < (HERE / source).stat().st_mtime:
        flags = subprocess.run(
            ["pkg-config", "--cflags", "--libs", *packages], capture_output=True, text=True, check=True).stdout.split()
        subprocess.run(["cc", "-O2", HERE / source, "-o", program, *flags, "-lm"], check=True)
    return program


def aligned(found):
    """The words of each (name, file, text): lists of (word, start, end); those that cannot be aligned are left out."""
    # A word that is not in the dictionary, as two words that are.
    lines = "".join(f"{path}\t{text.replace('woodcutters', 'wood cutters')}\n" for _, path, text in found)
    done = subprocess.run(
        [built("word_alignment.c", ["pocketsphinx", "sphinxbase"])], input=lines, capture_output=True, text=True, check=True)
    result = {}
    for line in done.stdout.splitlines():
        path, words = line.split("\t")
        rows = [entry.split() for entry in words.split(";") if entry]
        result[path] = [(word.split("(")[0], float(start), float(end)) for word, start, end in rows]
    return result


def clips():
    found = sources()
    words = aligned(found)
    return [Clip(name, text, words[str(path)], read(path)) for name, path, text in found if words.get(str(path))]


def white(count, seed=1):
    generator = random.Random(seed)
    return array("d", (generator.gauss(0, 1) for _ in range(count)))


def pink(count, seed=2):
    """White noise through Kellet's filter: 3 dB less for each octave."""
    a = b = c = 0.0
    result = array("d")
    for value in white(count, seed):
        a = 0.99765 * a + value * 0.0990460
        b = 0.96300 * b + value * 0.2965164
        c = 0.57000 * c + value * 1.0526913
        result.append(a + b + c + value * 0.1848)
    return result


def babble(found, heard, seed=3):
    """Six clips at once, repeated for the length of the session; `heard` has the session's clips by sample."""
    generator = random.Random(seed)
    result = array("d", bytes(8 * heard[-1][1]))
    for voice in range(6):
        position = -generator.randrange(3 * RATE)
        while position < len(result):
            spans = [clip for clip, end, start in heard if start < position + 12 * RATE and end > position]
            clip = generator.choice([clip for clip in found if clip not in spans] or found)
            for index in range(max(0, -position), min(len(clip.samples), len(result) - position)):
                result[position + index] += clip.samples[index]
            position += len(clip.samples) + generator.randrange(RATE // 4)
    return result


def session(found, kind=None, decibels=None, gap=2.5, gain=1.0):
    """A session's samples and, for each clip, (clip, start in seconds)."""
    placed, heard, position = [], [], int(1.5 * RATE)
    for clip in found:
        placed.append((clip, position))
        heard.append((clip, position + len(clip.samples), position))
        position += len(clip.samples) + int(gap * RATE)
    heard.append((None, position, position))
    # Half a minute of noise, repeated: longer than any state of the detectors.
    length = 30 * RATE
    room = scaled(pink(length), LEVEL * 10 ** (-ROOM / 20))
    mixed = array("d", (room * (position // length + 1))[:position])
    if kind:
        noise = babble(found, heard) if kind == "babble" else {"white": white, "pink": pink}[kind](length)
        noise = scaled(noise, LEVEL * 10 ** (-decibels / 20))
        noise = (noise * (position // len(noise) + 1))[:position]
        mixed = array("d", map(float.__add__, mixed, noise))
    for clip, start in placed:
        end = start + len(clip.samples)
        mixed[start:end] = array("d", map(float.__add__, mixed[start:end], clip.samples))
    samples = array("h", (max(-32_768, min(32_767, round(value * gain))) for value in mixed))
    return samples, [(clip, start / RATE) for clip, start in placed]


def scaled(noise, level):
    now = math.sqrt(sum(value * value for value in noise) / len(noise))
    return array("d", (value * level / now for value in noise))
