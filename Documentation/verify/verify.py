#!/usr/bin/env python3
"""Checks a bundle made by `voicegate audit export`, with PyPI's pymerkle and cryptography and nothing of VoiceGate's.

    python3 -m venv tools && tools/bin/pip install pymerkle==7.0.0 cryptography
    tools/bin/python verify.py BUNDLE [KEYS]

KEYS is a file with the log's verifier keys, one per line, from another source than the bundle. Without it the bundle's
own log.vkey is used, which shows only that the bundle is consistent.
"""

import base64
import hashlib
import json
import pathlib
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pymerkle import InclusionProof, InmemoryTree, InvalidProof, verify_inclusion
from pymerkle.hasher import MerkleHasher


class Mismatch(Exception):
    """The first mismatch."""


def require(condition, what):
    if not condition:
        raise Mismatch(what)


def read_keys(path):
    """Verifier keys, `name+hexadecimal identifier+base64(01 ‖ public key)`, by name and identifier."""
    keys = {}
    for line in path.read_text().split():
        name, identifier, encoded = line.split("+", 2)
        key = base64.b64decode(encoded, validate=True)
        expected = hashlib.sha256(name.encode() + b"\n" + key).digest()[:4]
        require(len(key) == 33 and key[0] == 1 and bytes.fromhex(identifier) == expected, f"{path.name}: no key: {line}")
        keys[name, expected] = Ed25519PublicKey.from_public_bytes(key[1:])
    return keys


def open_note(path, keys):
    """The text of a signed note that one of the keys signed."""
    text, _, signatures = path.read_bytes().decode().rpartition("\n\n")
    text += "\n"
    signers = 0
    for line in signatures.removesuffix("\n").split("\n"):
        dash, name, encoded = line.split(" ")
        signature = base64.b64decode(encoded, validate=True)
        require(dash == "—" and len(signature) > 4, f"{path.name}: no signature: {line}")
        key = keys.get((name, signature[:4]))
        if key:
            key.verify(signature[4:], text.encode())
            signers += 1
    require(signers > 0, f"{path.name}: none of the keys signed it")
    return text


def check_record(line):
    """Checks a record's text, absent if erased, against the hash in its leaf. Returns the leaf and the index."""
    record = json.loads(line)
    leaf = json.loads(record["leaf"])
    require(len(leaf["_sd"]) == 1 and len(record["disclosures"]) <= 1, f"record {leaf['index']}: it is not a record")
    for text in record["disclosures"]:
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        require([digest] == leaf["_sd"], f"record {leaf['index']}: its fields do not match its leaf's digest")
    return record["leaf"].encode(), leaf["index"]


def check_proof(path, index, leaf, size, root):
    """Checks a record by its C2SP tlog-proof, which has the hashes from the leaf to the root."""
    lines = path.read_text().partition("\n\n")[0].split("\n")
    require(lines[:2] == ["c2sp.org/tlog-proof@v1", f"index {index}"], f"{path.name}: it is not a proof of record {index}")
    base = MerkleHasher("sha256").hash_buff(leaf)
    hashes = [base64.b64decode(line, validate=True) for line in lines[2:]]
    # pymerkle needs the side of each node below its parent, from the leaf up; the root has none.
    sides, start, end = [0], 0, size
    while end - start > 1:
        middle = start + (1 << (end - start - 1).bit_length() - 1)
        sides.insert(0, int(index >= middle))
        start, end = (middle, end) if index >= middle else (start, middle)
    proof = InclusionProof("sha256", True, size, index + 1, sides, [base] + hashes)
    verify_inclusion(base, root, proof, index=index + 1, size=size)


def check_records(bundle, size, root):
    """Checks the leaves against the checkpoint: all of them by its root, or each by its own proof."""
    has_proofs = (bundle / "proofs").is_dir()
    tree = InmemoryTree(algorithm="sha256")
    count, last = 0, -1
    with open(bundle / "records.jsonl", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            require(line.endswith("\n"), "records.jsonl: it is cut off")
            leaf, index = check_record(line)
            require(index > last and (has_proofs or index == count), f"record {index} comes after record {last}")
            if has_proofs:
                check_proof(bundle / "proofs" / f"{index}.tlog-proof", index, leaf, size, root)
            else:
                tree.append_entry(leaf)
            count, last = count + 1, index
    if not has_proofs:
        require(count == size, f"there are {count} records, but {size} were signed")
        require(tree.get_root() == root, "these are not the records that were signed")
    return count


def check_files(bundle, origin, keys):
    """Checks that each file is the one whose hash was signed, and that there is no other."""
    sums = (bundle / "SHA256SUMS").read_bytes()
    signed = open_note(bundle / "SHA256SUMS.note", keys)
    require(signed == f"{origin}/export\n{hashlib.sha256(sums).hexdigest()}\n", "SHA256SUMS is not the one signed")
    expected = dict(reversed(line.split("  ", 1)) for line in sums.decode().splitlines())
    for path in bundle.rglob("*"):
        name = path.relative_to(bundle).as_posix()
        if (path.is_dir() and not path.is_symlink()) or name in ("SHA256SUMS", "SHA256SUMS.note"):
            continue
        require(path.is_file() and not path.is_symlink(), f"{name}: it is not a regular file")
        with open(path, "rb") as file:
            digest = hashlib.sha256()
            while piece := file.read(1 << 16):
                digest.update(piece)
        require(expected.pop(name, None) == digest.hexdigest(), f"{name}: it differs from the signed file")
    require(not expected, f"files are not there: {', '.join(expected)}")


def verify(bundle, keys_path):
    keys = read_keys(keys_path)
    origin, size, root, end = open_note(bundle / "checkpoint", keys).split("\n")
    require(end == "", "checkpoint: it does not have three lines")
    count = check_records(bundle, int(size), base64.b64decode(root, validate=True))
    check_files(bundle, origin, keys)
    print(f"verified: {count} records of {origin}, which had {size}, root {root}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    try:
        verify(folder, pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else folder / "log.vkey")
    except (Mismatch, InvalidSignature, InvalidProof, ValueError, KeyError, TypeError, OSError) as problem:
        print(f"does not verify: {problem or type(problem).__name__}", file=sys.stderr)
        sys.exit(65)
