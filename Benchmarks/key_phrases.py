#!/usr/bin/env python3
"""Key phrases in speech that nothing was chosen on: how many are found, how many that were not said, and what they cost.

Of each clip: sequences of two, three and four of its words, and three of other clips. Then the longest time without a reply while
30 s of talk are judged, with four phrases, as many as a client may monitor.
"""

import argparse
import random
import threading
import time
from pathlib import Path

from speech import RATE, SHARED, speakers, words
from worker import MODEL, Worker

SILENCE = bytes(4 * RATE)


def tolerance(phrase):
    """As KeyPhrase has it."""
    return [0, 0, 0.05, 0.15][min(len(phrase.split()), 3)]


def found(phrases, samples):
    """The phrases that are found, CPU seconds, and the longest time between two replies in seconds."""
    worker = Worker(key_phrases=[(phrase, tolerance(phrase)) for phrase in phrases])

    def feed():
        worker.hear(samples + SILENCE)
        worker.send("audio-stop")

    sending = threading.Thread(target=feed)
    sending.start()
    said, last, longest = [], time.monotonic(), 0
    while (reply := worker.next()) is not None:
        last, longest = time.monotonic(), max(longest, time.monotonic() - last)
        if reply["type"] == "error":
            raise SystemExit(f"the recogniser failed: {reply}")
        if reply["type"] == "final":
            said.append(reply["text"])
    sending.join()
    worker.end()
    return said, worker.cpu, longest


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--clips", type=int, default=40)
    chosen = options.parse_args()
    chance = random.Random(7)
    known = {line.split()[0] for line in Path(MODEL, "cmudict-en-us.dict").read_text().splitlines()}
    clips = [clip for clip in speakers(SHARED / "dev", 30) if set(words(clip.text)) <= known]

    def piece(clip, length):
        said = words(clip.text)
        start = chance.randrange(max(1, len(said) - length + 1))
        return " ".join(said[start:start + length])

    hits = spoken = wrong = others = cpu = seconds = 0
    for clip in [clip for clip in clips if 2 <= clip.seconds <= 12][:chosen.clips]:
        own = list({piece(clip, length) for length in (2, 3, 4)})
        foreign = {piece(chance.choice(clips), length) for length in (2, 2, 3)}
        text = f" {' '.join(words(clip.text))} "
        foreign = [phrase for phrase in foreign if f" {phrase} " not in text]
        said, spent, _ = found(own + foreign, clip.samples)
        hits, spoken = hits + len(set(own) & set(said)), spoken + len(own)
        wrong, others = wrong + len(set(foreign) & set(said)), others + len(foreign)
        cpu, seconds = cpu + spent, seconds + clip.seconds
    print(f"found {hits} of {spoken}; not said, but found {wrong} of {others}; CPU for a second of audio {cpu / seconds:.3f}")

    talk = b"".join(clip.samples for clip in clips)[:60 * RATE]
    phrases = [piece(clip, 3) for clip in clips[-4:]]
    _, cpu, longest = found(phrases, talk)
    print(f"four phrases in 30 s of talk: {cpu:.1f} s of CPU, at most {longest:.1f} s without a reply")


if __name__ == "__main__":
    main()
