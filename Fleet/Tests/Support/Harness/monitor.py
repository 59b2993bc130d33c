"""A third party: fetches a host's log from a collector as C2SP tlog-tiles and verifies it with pymerkle and cryptography, none
of VoiceGate's code.

    monitor.py PREFIX KEYS [--cosigner VKEY] [--kept CHECKPOINT]...

PREFIX is the address of the log's tiles, KEYS a file with the host's verifier keys, CHECKPOINT a signed checkpoint that was
kept: the log must continue it. Prints the size and the root.
Exit codes: 0 verified, 1 it does not verify, with the reason, 64 usage.
"""
import argparse, base64, hashlib, struct, sys, urllib.error, urllib.request

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pymerkle import InmemoryTree


class Wrong(Exception):
    pass


class Verifier:
    """C2SP signed-note: `name+identifier+base64(type ‖ key)`; type 1 is Ed25519, 4 a witness's cosignature/v1."""

    def __init__(self, vkey):
        self.name, identifier, key = vkey.split("+", 2)
        key = base64.b64decode(key)
        self.identifier, self.type, self.key = bytes.fromhex(identifier), key[0], Ed25519PublicKey.from_public_bytes(key[1:])
        if hashlib.sha256(self.name.encode() + b"\n" + key).digest()[:4] != self.identifier:
            raise Wrong("a verifier key's identifier is not its hash")

    def signed(self, note):
        """Whether the note has a signature of this key that verifies; one that does not is an error."""
        text, _, signatures = note.partition("\n\n")
        text += "\n"
        for line in signatures.splitlines():
            _, name, signature = line.split(" ")
            data = base64.b64decode(signature)
            if name != self.name or data[:4] != self.identifier:
                continue
            message, data = text.encode(), data[4:]
            if self.type == 4:
                (time,) = struct.unpack(">Q", data[:8])
                message, data = f"cosignature/v1\ntime {time}\n".encode() + message, data[8:]
            try:
                self.key.verify(data, message)
                return True
            except InvalidSignature:
                raise Wrong(f"a signature of {self.name} is wrong") from None
        return False


class Tiles:
    def __init__(self, prefix):
        self.prefix = prefix.rstrip("/")

    def get(self, path):
        try:
            with urllib.request.urlopen(f"{self.prefix}/{path}", timeout=60) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise Wrong(f"{path}: the collector answers {error.code}") from None

    def tile(self, level, number, width):
        path = f"{number % 1000:03}"
        while number >= 1000:
            number //= 1000
            path = f"x{number % 1000:03}/{path}"
        return self.get(f"tile/{level}/{path}" + (f".p/{width}" if width < 256 else ""))

    def entries(self, size):
        for number in range((size + 255) // 256):
            width = min(256, size - 256 * number)
            data, place, found = self.tile("entries", number, width), 0, []
            while place < len(data):
                (count,) = struct.unpack_from(">H", data, place)
                found.append(data[place + 2 : place + 2 + count])
                place += 2 + count
            if len(found) != width:
                raise Wrong(f"bundle {number} has {len(found)} entries instead of {width}")
            hashes = b"".join(hashlib.sha256(b"\0" + entry).digest() for entry in found)
            if self.tile(0, number, width) != hashes:
                raise Wrong(f"tile 0/{number} is not that of its entries")
            yield from found


def checkpoint(note):
    lines = note.split("\n")
    return lines[0], int(lines[1]), base64.b64decode(lines[2])


def verify(prefix, keys, cosigner=None, kept=()):
    """Returns the size and the root."""
    tiles = Tiles(prefix)
    verifiers = [Verifier(key) for key in keys]
    note = tiles.get("checkpoint").decode()
    origin, size, root = checkpoint(note)
    if origin not in {verifier.name for verifier in verifiers}:
        raise Wrong(f"the checkpoint is of {origin}")
    if not any(verifier.signed(note) for verifier in verifiers):
        raise Wrong("no key of the host signed the checkpoint")
    if cosigner and not Verifier(cosigner).signed(note):
        raise Wrong("the collector did not cosign the checkpoint")
    # In the order of their sizes, so that the tree grows past each.
    promises = sorted((checkpoint(text)[1:] for text in kept), key=lambda promise: promise[0])
    for text in kept:
        if not any(verifier.signed(text) for verifier in verifiers):
            raise Wrong("no key of the host signed a checkpoint that was kept")
    tree, count = InmemoryTree(algorithm="sha256"), 0

    def compare():
        while promises and promises[0][0] == count:
            if count and tree.get_root(count) != promises[0][1]:
                raise Wrong(f"the log was rewritten: its first {count} records are not those of a checkpoint that was kept")
            promises.pop(0)

    compare()
    for entry in tiles.entries(size):
        tree.append_entry(entry)
        count += 1
        compare()
    if size and tree.get_root(size) != root:
        raise Wrong("the entries are not those of the checkpoint")
    if promises:
        raise Wrong(f"the log was cut: it has {size} records, and a checkpoint that was kept has {promises[-1][0]}")
    return size, root


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("prefix")
    parser.add_argument("keys")
    parser.add_argument("--cosigner")
    parser.add_argument("--kept", action="append", default=[])
    try:
        options = parser.parse_args()
    except SystemExit as exit:
        return 64 if exit.code else 0
    try:
        size, root = verify(
            options.prefix, open(options.keys).read().split(), options.cosigner, [open(file).read() for file in options.kept])
    except Wrong as reason:
        print(reason)
        return 1
    print(f"{size} {base64.b64encode(root).decode()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
