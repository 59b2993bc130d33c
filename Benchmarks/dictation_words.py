"""Word errors and CPU time of live dictation and of pocketsphinx_continuous on the same clips, in one run.

The clips are played into a virtual microphone in real time and dictated with `voicegate dictate`, each in a separate
session; the peer reads the files. `live` is the last text before the end of each utterance, `final` the text of the second
pass. CPU time is that of each session's worker without loading its model, which is reported separately, and all CPU time
of the peer, which loads its model for each file.
"""

import json
import resource
import subprocess

from service import Service
from speech import clips, other_clips
from word_errors import errors, words
from worker import Worker, samples, seconds


def peer(path):
    """Its text, and its CPU in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        ["pocketsphinx_continuous", "-infile", path, "-logfn", "/dev/null"], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def worker(path):
    """The CPU of a session on the same audio, and that of loading."""
    session = Worker()
    session.hear(samples(path))
    session.finish()
    return session.cpu, session.load


def dictated(service, device):
    live, final, partial = [], [], ""
    for line in service.command("dictate", "--device", device, "--stop-after-silence", "3", "--json").splitlines():
        event = json.loads(line)
        if event["type"] == "partial":
            partial = event["text"]
        elif event["type"] == "final":
            live.append(partial)
            final.append(event["text"])
            partial = ""
    return " ".join(live), " ".join(final)


def measure(title, found):
    microphones = {f"clip{number}": f'file "{path}" speed 1' for number, (path, _) in enumerate(found.values())}
    sums, total, cost, length = [0, 0, 0], 0, [0.0, 0.0, 0.0], 0.0
    print(f"{title}: errors of words\n{'clip':<14}{'words':>6}{'pocketsphinx':>14}{'live':>8}{'final':>8}")
    with Service(microphones) as service:
        for number, (name, (path, text)) in enumerate(found.items()):
            reference = words(text)
            live, final = dictated(service, f"clip{number}")
            other, spent = peer(path)
            cost = [a + b for a, b in zip(cost, (spent, *worker(path)))]
            length += seconds(path)
            counts = [errors(reference, words(text)) for text in (other, live, final)]
            sums = [a + b for a, b in zip(sums, counts)]
            total += len(reference)
            print(f"{name:<14}{len(reference):>6}{counts[0]:>14}{counts[1]:>8}{counts[2]:>8}", flush=True)
    print(f"{'all':<14}{total:>6}{sums[0]:>14}{sums[1]:>8}{sums[2]:>8}")
    rates = [f"{100 * count / total:.1f} %" for count in sums]
    print(f"{'in 100 words':<20}{rates[0]:>14}{rates[1]:>8}{rates[2]:>8}")
    if sums[0]:
        print(f"final / pocketsphinx_continuous: {sums[2] / sums[0]:.2f}, live: {sums[1] / sums[0]:.2f}")
    print(
        f"CPU for a second of audio: pocketsphinx_continuous {cost[0] / length:.3f}, worker {cost[1] / length:.3f}, "
        f"with its loading {(cost[1] + cost[2]) / length:.3f}\n")
    return sums, total


def main():
    parts = [measure("LibriVox (pocketsphinx-testdata)", clips())]
    if others := other_clips():
        parts.append(measure("LJ Speech (seen while tuning)", others))
    theirs, live, final = (sum(part[0][index] for part in parts) for index in range(3))
    if theirs:
        print(f"all clips: final / pocketsphinx_continuous {final / theirs:.2f} (aim 0.70), "
              f"live {live / theirs:.2f} (aim 0.80)")


if __name__ == "__main__":
    main()
