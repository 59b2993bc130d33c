"""A host's log as log-maker wrote it, with a Merkle tree, proofs and signatures that share no code with VoiceGate.

Sources: RFC 6962 section 2.1 (tree, consistency), draft-ietf-plants-merkle-tree-certs (subtree consistency proofs),
C2SP tlog-checkpoint, signed-note, tlog-witness, tlog-mirror.
"""
import base64, hashlib, json, struct

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ERASED = 0xFFFFFFFF
PACKAGE = 256


def leaf_hash(data):
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


class Tree:
    """Complete subtrees of a list of leaf hashes, by level."""

    def __init__(self, hashes):
        self.levels = [list(hashes)]
        while len(self.levels[-1]) > 1:
            below = self.levels[-1]
            self.levels.append([node_hash(below[i], below[i + 1]) for i in range(0, len(below) - 1, 2)])

    def __len__(self):
        return len(self.levels[0])

    def root(self, start, end):
        """MTH of the leaves of a range that begins at a multiple of the power of two that is not less than its length."""
        count = end - start
        if count == 0:
            return hashlib.sha256(b"").digest()
        level = count.bit_length() - 1
        if count == 1 << level:
            return self.levels[level][start >> level]
        middle = start + (1 << level)
        return node_hash(self.levels[level][start >> level], self.root(middle, end))

    @staticmethod
    def _half(start, end):
        return start + (1 << ((end - start - 1).bit_length() - 1))

    def subtree_proof(self, first, last, size):
        """SUBTREE_PROOF(first, last, D[0:size]); with first = 0 it is RFC 6962's consistency proof."""

        def proof(first, last, start, end, whole):
            if (first, last) == (start, end):
                return [] if whole else [self.root(start, end)]
            middle = self._half(start, end)
            if last <= middle:
                return proof(first, last, start, middle, whole) + [self.root(middle, end)]
            if middle <= first:
                return proof(first, last, middle, end, whole) + [self.root(start, middle)]
            # The subtree begins where this part does, and ends in its right half.
            return proof(middle, last, middle, end, False) + [self.root(start, middle)]

        return proof(first, last, 0, size, True)

    def consistency_proof(self, old, size):
        return [] if old in (0, size) else self.subtree_proof(0, old, size)


class Key:
    def __init__(self, vkey, secret, since=0):
        self.vkey, self.since = vkey, since
        # PRIVATE+KEY+name+identifier+base64(01 ‖ seed); the name has no plus sign.
        _, _, self.name, identifier, seed = secret.split("+", 4)
        self.identifier = bytes.fromhex(identifier)
        self.key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(seed)[1:])

    def sign(self, text):
        signature = base64.b64encode(self.identifier + self.key.sign(text.encode())).decode()
        return f"— {self.name} {signature}\n"

    @staticmethod
    def new(name):
        """A key of a signed note: the identifier is the hash of the name and the public key (C2SP signed-note)."""
        key = Ed25519PrivateKey.generate()
        public = b"\1" + key.public_key().public_bytes_raw()
        identifier = hashlib.sha256(name.encode() + b"\n" + public).digest()[:4].hex()
        seed = base64.b64encode(b"\1" + key.private_bytes_raw()).decode()
        return Key(f"{name}+{identifier}+{base64.b64encode(public).decode()}", f"PRIVATE+KEY+{name}+{identifier}+{seed}")


class Log:
    """All records of a host. The sender keeps track of the sent ones: a log of any earlier size is its beginning."""

    def __init__(self, path):
        with open(path, "rb") as file:
            head = json.loads(file.readline())
            data = file.read()
        self.path, self.origin = path, head["origin"]
        self.keys = [Key(**key) for key in head["keys"]]
        self.leaves, self.disclosures = [], []
        place = 0
        while place < len(data):
            (count,) = struct.unpack_from(">H", data, place)
            self.leaves.append(data[place + 2 : place + 2 + count])
            place += 2 + count
            (count,) = struct.unpack_from(">I", data, place)
            place += 4
            self.disclosures.append(None if count == ERASED else data[place : place + count])
            place += 0 if count == ERASED else count
        self.tree = Tree([leaf_hash(leaf) for leaf in self.leaves])
        if base64.b64encode(self.tree.root(0, len(self))).decode() != head["root"] or len(self) != head["size"]:
            raise ValueError(f"{path}: the tree is not the one that its writer had")

    def __len__(self):
        return len(self.leaves)

    def signers(self, size):
        """The keys that sign a checkpoint of this size: the last key that the records before it name, and, directly
        behind that record, also the one before it, as the service does."""
        place = max((place for place, key in enumerate(self.keys) if key.since < size), default=0)
        former = self.keys[max(0, place - 1) : place] if self.keys[place].since + 1 == size else []
        return [self.keys[place], *former]

    def checkpoint(self, size, tree=None, keys=None):
        root = base64.b64encode((tree or self.tree).root(0, size)).decode()
        text = f"{self.origin}\n{size}\n{root}\n"
        return text + "\n" + "".join(key.sign(text) for key in keys or self.signers(size))

    def report(self, size, counter, time, keys=None):
        """A checkpoint with one extension line, signed; `time` as RFC 3339 has it, in UTC with milliseconds."""
        root = base64.b64encode(self.tree.root(0, size)).decode()
        text = f"{self.origin}\n{size}\n{root}\nvoicegate-report {counter} {time}\n"
        return text + "\n" + "".join(key.sign(text) for key in keys or self.signers(size))

    def witness_request(self, old, size):
        proof = "".join(base64.b64encode(each).decode() + "\n" for each in self.tree.consistency_proof(old, size))
        return (f"old {old}\n{proof}\n" + self.checkpoint(size)).encode()

    def head(self, start, end, ticket=b""):
        origin = self.origin.encode()
        return struct.pack(">H", len(origin)) + origin + struct.pack(">QQH", start, end, len(ticket)) + ticket

    def package(self, start, end, size):
        parts = []
        for leaf in self.leaves[start:end]:
            parts += [struct.pack(">H", len(leaf)), leaf]
        for text in self.disclosures[start:end]:
            parts += [struct.pack(">I", ERASED)] if text is None else [struct.pack(">I", len(text)), text]
        proof = self.tree.subtree_proof(start // PACKAGE * PACKAGE, end, size)
        return b"".join([*parts, bytes([len(proof)]), *proof])

    def upload(self, start, end, packages=32, ticket=b""):
        """The body of add-records for the canonical packages from `start` on, at most this many."""
        body, place = [self.head(start, end, ticket)], start
        while place < end and packages > 0:
            stop = min(end, (place // PACKAGE + 1) * PACKAGE)
            body.append(self.package(place, stop, end))
            place, packages = stop, packages - 1
        return b"".join(body)
