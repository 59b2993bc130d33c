"""Words of live dictation beside pocketsphinx_continuous on the same clips, in one run.

The clips are played into a virtual microphone in real time and dictated with `voicegate dictate`; the peer reads the
files. `live` is the last text shown before each utterance's end, `final` the text of its second pass.
"""

import json
import subprocess

from clips import clips, other_clips
from service import Service
from word_errors import errors, words


def peer(path):
    done = subprocess.run(
        ["pocketsphinx_continuous", "-infile", path, "-logfn", "/dev/null"], capture_output=True, text=True)
    return done.stdout


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
    sums, total = [0, 0, 0], 0
    print(f"{title}: errors of words\n{'clip':<14}{'words':>6}{'pocketsphinx':>14}{'live':>8}{'final':>8}")
    with Service(microphones) as service:
        for number, (name, (path, text)) in enumerate(found.items()):
            reference = words(text)
            live, final = dictated(service, f"clip{number}")
            counts = [errors(reference, words(text)) for text in (peer(path), live, final)]
            sums = [a + b for a, b in zip(sums, counts)]
            total += len(reference)
            print(f"{name:<14}{len(reference):>6}{counts[0]:>14}{counts[1]:>8}{counts[2]:>8}", flush=True)
    print(f"{'all':<14}{total:>6}{sums[0]:>14}{sums[1]:>8}{sums[2]:>8}")
    rates = [f"{100 * count / total:.1f} %" for count in sums]
    print(f"{'in 100 words':<20}{rates[0]:>14}{rates[1]:>8}{rates[2]:>8}")
    if sums[0]:
        print(f"final / pocketsphinx_continuous: {sums[2] / sums[0]:.2f}, live: {sums[1] / sums[0]:.2f}\n")
    return sums


def main():
    measure("LibriVox (pocketsphinx-testdata)", clips())
    if others := other_clips():
        measure("LJ Speech (seen while tuning)", others)


main()
