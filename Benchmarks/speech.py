"""Clips of read speech, each with its words."""

from pathlib import Path

FOLDER = Path("/usr/share/pocketsphinx/test/data/librivox")
# More read prose, if available: a folder with references.tsv (name, tab, words) and the clips. It was used to choose the
# recogniser's settings, so it only shows that they still work.
OTHER = Path(__file__).resolve().parent.parent.parent / "shared" / "audio"


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
