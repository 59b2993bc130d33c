#!/usr/bin/env python3
"""Checks a bundle of `voicegate audit export`, or a proof of `voicegate audit prove`, with nothing of VoiceGate's.

    python3 -m venv tools && tools/bin/pip install cryptography
    tools/bin/python verify.py BUNDLE [KEYS] [--checkpoint FILE]...
    tools/bin/python verify.py INDEX.tlog-proof KEYS [--checkpoint FILE]...

KEYS is a file with the log's verifier keys, one per line, from another source than the bundle. Without it the bundle's
own log.vkey is used, which shows only that the bundle is consistent. FILE has signed checkpoints that you kept: the
bundle's log must continue them. The rules and their names: Documentation/Bundle.md. The last line is the verdict.
Exit codes: 0 verified, 64 usage, 65 a rule is broken, 66 a file cannot be read, 76 a checkpoint contradicts the bundle.
"""

import base64
import hashlib
import json
import os
import pathlib
import re
import stat
import sys

from formats import (
    EMPTY, Broken, attempt, check_line, climb, ensure, erased, held_checkpoints, parse_checkpoint, parse_keys, parse_note,
    parse_proof, parse_scope, proves_consistency, require, sha256, signers, tree_hash, tree_root,
)

DERIVED = {"README.txt", "accesses.csv", "consent.jsonld", "decisions.csv", "report.html"}
UNLISTED = {"SHA256SUMS", "SHA256SUMS.note"}
REQUIRED = DERIVED | UNLISTED | {"checkpoint", "log.vkey", "records.jsonl", "scope.json"}
FILES = re.compile(
    r"notices/[0-9a-f]{64}\.txt|proofs/(0|[1-9]\d{0,18})\.tlog-proof|consistency/[1-9]\d{0,18}", re.ASCII
)
FOLDERS, SMALL = ("notices", "proofs", "consistency"), ("checkpoint", "log.vkey", "scope.json", "SHA256SUMS.note")


class Bundle:
    """Checks itself, in the order of the rules."""

    def __init__(self, folder, keys, held):
        self.folder, self.changes, self.named = folder, [], set()
        self.check_names()
        own = attempt("K1", "log.vkey: it is not a list of keys", parse_keys, self.read("log.vkey"))
        self.note = self.read("checkpoint")
        self.origin, self.size, self.root, text, signatures = attempt(
            "C1", "checkpoint: it is not a signed checkpoint", parse_checkpoint, self.note)
        self.keys = keys or own
        for known in (own, self.keys):
            self.signed_by = signers(text, signatures, known, self.origin)
            require(self.signed_by, "C2", f"checkpoint: no key of {self.origin} signed it")
        self.check_scope()
        self.held = held
        self.leaves, self.notices, self.count, self.notes = [], set(), 0, []
        for check in (self.check_records, self.check_rest, self.check_list, self.check_held):
            check()

    def read(self, name):
        return (self.folder / name).read_bytes()

    def admit(self, found, size, knows_all):
        """Whether one of the keys may sign at this size, by the records key.rotated."""
        current = [key for index, key in self.changes if index < size][-1:]
        return not current or any(key in current or not knows_all and key not in self.named for key in found)

    def check_names(self):
        require(self.folder.is_dir(), "F1", f"{self.folder} is not a folder")
        self.names = set()
        for entry in os.scandir(self.folder):
            is_folder = entry.is_dir(follow_symlinks=False)
            require(not is_folder or entry.name in FOLDERS, "F3", f"{entry.name!r}: a bundle has no such folder")
            for file in os.scandir(entry.path) if is_folder else [entry]:
                name, status = os.path.relpath(file.path, self.folder), file.stat(follow_symlinks=False)
                require(stat.S_ISREG(status.st_mode), "F2", f"{name!r}: it is not a regular file")
                require(name in REQUIRED or FILES.fullmatch(name), "F3", f"{name!r}: a bundle has no such file")
                limit = 65536 if name in SMALL else 1 << 20 if "/" in name else 256 << 30
                require(status.st_size <= limit, "F5", f"{name}: it is larger than such a file can be")
                self.names.add(name)
        missing = REQUIRED - self.names - {"SHA256SUMS.note"}
        require(not missing, "F4", f"missing: {', '.join(sorted(missing))}")

    def check_scope(self):
        scope = attempt("S1", "scope.json: it is not a scope", parse_scope, self.read("scope.json"))
        same = scope["log"] == self.origin and scope["size"] == self.size
        require(same, "S2", "scope.json: its log or size is not the checkpoint's")
        self.whole, self.collector = scope["whole"], scope.get("collector")
        signed = "SHA256SUMS.note" in self.names
        require(signed == (self.collector is None), "F4", "SHA256SUMS.note: the log's own export has it, and no other")

    def check_records(self):
        proofs = {name for name in self.names if name.startswith("proofs/")}
        extra = proofs or any(name.startswith("consistency/") for name in self.names)
        require(not (self.whole and extra), "P1", "a bundle of the whole log has no proofs")
        last, missing = -1, set()
        with open(self.folder / "records.jsonl", "rb") as lines:
            while line := lines.readline((8 << 20) + 2):
                data, leaf, fields = check_line(line, self.origin)
                index = leaf["index"]
                if self.whole:
                    require(index == self.count < self.size, "R4", f"record {self.count} is missing")
                    self.leaves.append(sha256(b"\0" + data))
                else:
                    require(last < index < self.size, "R5", f"record {index} is out of order")
                    self.check_proof(proofs, index, sha256(b"\0" + data))
                if fields is None:
                    missing.add(index)
                    fields = {}
                for first, end in erased(leaf, fields):
                    missing = {place for place in missing if not first <= place <= end}
                if type(fields.get("notice")) is str:
                    self.notices.add(sha256(fields["notice"].encode()).hex())
                if leaf["kind"] == "key.rotated" and "key" in fields:
                    self.changes.append((index, fields.get("key")))
                    self.named |= {fields.get("key"), fields.get("previousKey")}
                self.count, last = self.count + 1, index
        if self.whole:
            require(self.count == self.size, "R4", f"there are {self.count} records, but {self.size} were signed")
            require(tree_root(self.leaves) == self.root, "R7", "these are not the records that were signed")
            require(not missing or self.collector is not None, "R8", f"fields are missing, and no record says why: {sorted(missing)[:5]}")
        require(not proofs, "P1", f"proofs of no record: {', '.join(sorted(proofs)[:5])}")
        require(self.admit(self.signed_by, self.size, self.whole), "R9", "checkpoint: its key had been replaced")
        self.notes += [f"the fields of {len(missing)} records: they are not included"] if missing else []

    def check_proof(self, proofs, index, leaf):
        name = f"proofs/{index}.tlog-proof"
        require(name in proofs, "P1", f"{name} is missing")
        proofs.remove(name)
        what = f"{name}: it is not a proof"
        found, hashes, note, extra = attempt("P2", what, parse_proof, self.read(name), self.size)
        require(found == index and note == self.note and extra is None, "P2", f"{name}: it is not this record's proof")
        proven = climb(index, self.size - 1, hashes, leaf, leaf)[1] == self.root
        require(proven, "P3", f"{name}: it does not prove the record")

    def consistency(self, size):
        """The hashes in the file for a size."""
        top, _, note = self.read(f"consistency/{size}").partition(b"\n\n")
        first, *lines = top.split(b"\n")
        ensure(0 < size < self.size and first == b"old %d" % size and note == self.note and len(lines) <= 65)
        return [tree_hash(line) for line in lines]

    def check_rest(self):
        for name in (name for name in self.names if name.startswith("consistency/")):
            attempt("P4", f"{name}: it is not a consistency proof", self.consistency, int(name[12:]))
        present = {name for name in self.names if name.startswith("notices/")}
        expected = {f"notices/{digest}.txt" for digest in self.notices}
        require(present == expected, "N1", f"notices: not those of the records: {present ^ expected}")
        require(all(self.digest(name) == name[8:72] for name in present), "N1", "notices: a name is not the hash")

    def digest(self, name):
        with open(self.folder / name, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def check_signature(self):
        text, signatures = attempt("D1", "SHA256SUMS.note: no signed note", parse_note, self.read("SHA256SUMS.note"))
        form = re.fullmatch(re.escape(self.origin) + r"/export\n([0-9a-f]{64})\n", text)
        require(form, "D1", "SHA256SUMS.note: it is not a list of this log")
        found = signers(text, signatures, self.keys, self.origin)
        require(found, "D2", f"SHA256SUMS.note: no key of {self.origin} signed it")
        require(self.admit(found, self.size, self.whole), "R9", "SHA256SUMS.note: its key had been replaced")
        require(self.digest("SHA256SUMS") == form[1], "D3", "SHA256SUMS: it is not the one that was signed")

    def check_list(self):
        if self.collector is None:
            self.check_signature()
        else:
            self.notes.append(f"who made the export: the collector {self.collector} does not have the log's key")
        *lines, end = self.read("SHA256SUMS").split(b"\n")
        listed = {}
        for line in lines:
            form = re.fullmatch(r"([0-9a-f]{64})  (.+)", line.decode(errors="replace"))
            known = form and (form[2] in REQUIRED - UNLISTED or FILES.fullmatch(form[2]))
            require(known and form[2] not in listed, "D4", f"SHA256SUMS: {line!r}")
            listed[form[2]] = form[1]
        require(end == b"", "D4", "SHA256SUMS: it is cut off")
        require(set(listed) == self.names - UNLISTED, "D5", "SHA256SUMS: other files are there than are listed")
        for name, digest in listed.items():
            require(self.digest(name) == digest, "D6", f"{name}: it differs from the list of files")

    def check_held(self):
        for origin, size, root, text, signatures in self.held:
            require(origin == self.origin, "H1", f"a checkpoint that you supplied is of another log, {origin}")
            found = signers(text, signatures, self.keys, self.origin)
            require(found, "H1", "no key of the log signed a checkpoint that you supplied")
            admitted = self.admit(found, size, self.whole and size <= self.size)
            require(admitted, "H2", f"the key of the checkpoint of {size} records had been replaced")
            if size > self.size:
                self.notes.append(f"a checkpoint of {size} records: the bundle ends at {self.size}")
                continue
            if size in (0, self.size):
                same = root == (self.root if size else EMPTY)
            elif self.whole:
                same = tree_root(self.leaves[:size]) == root
            else:
                name = f"consistency/{size}"
                require(name in self.names, "H3", f"{name} is missing: a checkpoint cannot be compared")
                same = proves_consistency(self.consistency(size), size, root, self.size, self.root)
            require(same, "contradicts", f"the first {size} records are not those of the checkpoint that you supplied")


def verify_proof(path, keys, held):
    """A record alone. Returns lines to print."""
    index, hashes, note, line = attempt("P2", "it is not a proof", parse_proof, path.read_bytes())
    require(line is not None, "P2", "it has no record")
    origin, size, root, text, signatures = attempt("P2", "it has no checkpoint", parse_checkpoint, note)
    require(signers(text, signatures, keys, origin), "C2", f"no key of {origin} signed the checkpoint")
    data, leaf, fields = check_line(line + b"\n", origin)
    require(leaf["index"] == index, "R5", f"the proof is of record {index}")
    proven = climb(index, size - 1, hashes, *[sha256(b"\0" + data)] * 2)[1] == root
    require(proven, "P3", "it does not prove the record")
    notes = ["whether the key had been replaced"]
    for other, held_size, held_root, text, signatures in held:
        known = other == origin and signers(text, signatures, keys, origin)
        require(known, "H1", "a checkpoint that you supplied is not one of this log")
        require(held_size >= size, "H3", f"a proof of one record cannot be compared with a checkpoint of {held_size}")
        same = held_size > size or held_root == root
        require(same, "contradicts", "the checkpoint that you supplied has another root")
        notes += [f"a checkpoint of {held_size} records: the proof ends at {size}"] if held_size > size else []
    shown = json.dumps({"fields": fields, "kind": leaf["kind"], "time": leaf["time"]})
    return [f"verified: record {index} of {origin}, which had {size}: {shown}"] + [f"not checked: {n}" for n in notes]


def verify(path, keys, held):
    if path.is_file():
        require(keys, "usage", "a proof needs KEYS")
        return verify_proof(path, keys, held)
    bundle = Bundle(path, keys, held)
    root = base64.b64encode(bundle.root).decode()
    result = f"verified: {bundle.count} records of {bundle.origin}, which had {bundle.size}, root {root}"
    signed = "they are signed, but not" if bundle.collector is None else "they are not signed, and not"
    unread = f"what {', '.join(sorted(DERIVED))} say: {signed} compared with the records"
    return [result] + [f"not checked: {note}" for note in [unread, *bundle.notes]]


def main(arguments):
    rest, files = list(arguments), []
    while "--checkpoint" in rest[:-1]:
        place = rest.index("--checkpoint")
        files.append(pathlib.Path(rest[place + 1]))
        del rest[place : place + 2]
    if len(rest) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 64
    lines, verdict, status = [], "verified", 0
    try:
        keys = pathlib.Path(rest[1]).read_bytes() if len(rest) == 2 else None
        keys = None if keys is None else attempt("K1", f"{rest[1]}: it is not a list of keys", parse_keys, keys)
        lines = verify(pathlib.Path(rest[0]), keys, [held for file in files for held in held_checkpoints(file)])
    except (Broken, OSError) as broken:
        verdict = broken.args[0] if isinstance(broken, Broken) else "F1"
        status = {"contradicts": 76, "F1": 66, "usage": 64}.get(verdict, 65)
        print(f"does not verify: {broken.args[1]}", file=sys.stderr)
    print(*lines, f"verdict: {verdict}", sep="\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
