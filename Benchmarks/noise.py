"""Dictation in noise: utterance boundaries, word errors, and the share of noisy utterances.

A session of all clips for each kind and level of noise is sent to a worker as from a microphone;
`pocketsphinx_continuous -infile` reads the same session in the same run. An utterance is *missed* if less than
half of it was detected, *false* if it has no speech, *clipped* if it starts more than 30 ms after its first word, *cut* if it
ends more than 50 ms before the end of its last word, *split* if it ends in between, *merged* if it has two clips.
VOICEGATE_NOISE_CLIPS: the number of clips.
"""

import os
import subprocess
import tempfile
import wave

from noisy_speech import KINDS, RATE, clips, session
from speech import errors, words
from worker import Worker

LEVELS = (20, 15, 10, 5)
KEYS = ("missed", "false", "split", "merged", "clipped", "cut")


def boundaries(spans, said):
    """Counts of boundary errors; both are lists of (start, end) in seconds."""
    count = dict.fromkeys(KEYS, 0)
    common = lambda a, b: min(a[1], b[1]) - max(a[0], b[0])
    for place in said:
        hits = [span for span in spans if common(span, place) > 0.05]
        if sum(common(span, place) for span in hits) < 0.5 * (place[1] - place[0]):
            count["missed"] += 1
            continue
        count["split"] += len(hits) - 1
        count["clipped"] += hits[0][0] > place[0] + 0.03
        count["cut"] += hits[-1][1] < place[1] - 0.05
    for span in spans:
        hits = sum(common(span, place) > 0.05 for place in said)
        count["false"] += hits == 0
        count["merged"] += max(0, hits - 1)
    return count


def heard(samples):
    """Utterances as (start, end, text, decibels or None)."""
    worker = Worker()
    worker.hear(samples.tobytes())
    return [(event["start"], event["end"], event["text"], event.get("noisy_decibels"))
            for event in worker.finish() if event["type"] == "final"]


def peer(samples):
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        with wave.open(file.name, "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(RATE)
            sound.writeframes(samples.tobytes())
        return subprocess.run(
            ["pocketsphinx_continuous", "-infile", file.name, "-logfn", "/dev/null"], capture_output=True,
            text=True).stdout


def main():
    found = clips()[:int(os.environ.get("VOICEGATE_NOISE_CLIPS", "12"))]
    reference = [word for clip in found for word in words(clip.text)]
    print(f"{len(found)} utterances, {len(reference)} words; noisy: utterances that were called so")
    print(f"{'':<12}" + "".join(f"{key:>8}" for key in KEYS) + f"{'noisy':>8}{'errors %':>10}{'of told':>10}{'peer %':>8}")
    for kind, level in [(None, None)] + [(kind, level) for kind in KINDS for level in LEVELS]:
        samples, placed = session(found, kind, level)
        said = [(start + clip.words[0][1], start + clip.words[-1][2]) for clip, start in placed]
        utterances = heard(samples)
        count = boundaries([span[:2] for span in utterances], said)
        wrong = errors(reference, words(" ".join(text for _, _, text, _ in utterances)))
        # The reliable text, compared with the words at that position.
        told = total = 0
        for start, end, text, noise in utterances:
            if noise is None and text:
                there = [word for clip, at in placed if start < at + clip.words[-1][2] and end > at + clip.words[0][1]
                         for word in words(clip.text)]
                told += errors(there, words(text))
                total += len(there)
        other = errors(reference, words(peer(samples)))
        share = f"{100 * told / total:.1f}" if total else "–"
        print(f"{f'{kind} {level}' if kind else 'clean':<12}" + "".join(f"{count[key]:>8}" for key in KEYS)
              + f"{sum(noise is not None for *_, noise in utterances):>8}{100 * wrong / len(reference):>10.1f}"
              + f"{share:>10}{100 * other / len(reference):>8.1f}", flush=True)


main()
