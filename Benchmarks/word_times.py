"""Word times compared with a forced alignment.

The same clips in three ways: each in a separate session, all in one session, and all in one session that loses half a
second of frames between clips. Only correct words count. VOICEGATE_WORD_CLIPS: the number of clips.
"""

import os
from difflib import SequenceMatcher

from noisy_speech import RATE, clips, session
from worker import Worker


def understood(worker_events):
    return [word for event in worker_events if event["type"] == "final" for word in event["words"]]


def gaps(words, said):
    """Differences between reported and aligned times of matching words, in seconds."""
    matcher = SequenceMatcher(None, [word["word"] for word in words], [word for word, _, _ in said], autojunk=False)
    found = []
    for block in matcher.get_matching_blocks():
        for index in range(block.size):
            told, (_, start, end) = words[block.a + index], said[block.b + index]
            found += [told["start"] - start, told["end"] - end]
    return found


def report(title, found):
    sizes = sorted(abs(gap) for gap in found)
    within = sum(size <= 0.0501 for size in sizes)
    share = lambda part: sizes[min(len(sizes) - 1, int(part * len(sizes)))]
    print(f"{title:<42}{len(sizes) // 2:>6}{100 * within / len(sizes):>9.1f}{1000 * share(0.5):>8.0f}"
          f"{1000 * share(0.95):>8.0f}{1000 * sizes[-1]:>8.0f}{1000 * sum(found) / len(found):>8.0f}", flush=True)


def live(pieces):
    """Pieces of (samples, position)."""
    worker = Worker()
    for samples, position in pieces:
        worker.hear(samples.tobytes(), position)
    return understood(worker.finish())


def main():
    found = clips()[:int(os.environ.get("VOICEGATE_WORD_CLIPS", "24"))]
    print("Word times against a forced alignment, ms")
    print(f"{'':<42}{'words':>6}{'≤50 ms,%':>9}{'median':>8}{'p95':>8}{'worst':>8}{'mean':>8}")
    single, behind, lost = [], [], []
    for clip in found:
        samples, placed = session([clip], gap=1)
        start = placed[0][1]
        single += gaps(live([(samples, 0)]), [(word, start + a, start + b) for word, a, b in clip.words])
    report("each clip in its own session", single)
    samples, placed = session(found, gap=1.5)
    said = [(word, start + a, start + b) for clip, start in placed for word, a, b in clip.words]
    behind = gaps(live([(samples, 0)]), said)
    report("all in one session", behind)
    pieces, said, last = [], [], 0
    for number, (clip, start) in enumerate(placed):
        end = int((placed[number + 1][1] if number + 1 < len(placed) else len(samples) / RATE) * RATE) - RATE // 2
        shift = number * RATE // 2
        pieces.append((samples[last:end], last + shift))
        said += [(word, start + shift / RATE + a, start + shift / RATE + b) for word, a, b in clip.words]
        last = end
    report("half a second lost between each two", gaps(live(pieces), said))


main()
