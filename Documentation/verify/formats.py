"""The formats of a bundle, each with one way to write it: JSON, signed notes, RFC 6962's tree, records.

A reader raises Broken with a rule of Documentation/Bundle.md, or ValueError and the like, which `attempt` makes a rule.
"""

import base64
import hashlib
import json
import re
import unicodedata
from datetime import datetime

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FILTERS = ("client", "since", "subject", "until")
NUMBER = re.compile(r"0|[1-9][0-9]*", re.ASCII)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
LARGEST = 2**63 - 1
EMPTY = hashlib.sha256().digest()


class Broken(Exception):
    """Arguments: the rule's name, and the reason."""


def require(condition, rule, reason):
    if not condition:
        raise Broken(rule, reason)


def ensure(condition):
    if not condition:
        raise ValueError


def attempt(rule, reason, function, *arguments):
    """The function's value; its errors break the rule."""
    try:
        return function(*arguments)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Broken(rule, reason) from error


# Text forms, each with one way to write it


def canonical_text(value, depth=0):
    """RFC 8785, without fractions."""
    if isinstance(value, (dict, list)):
        ensure(depth < 64)
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical_text(key)}:{canonical_text(value[key], depth + 1)}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical_text(item, depth + 1) for item in value) + "]"
    ensure(type(value) is not float and (type(value) is not int or -LARGEST - 1 <= value <= LARGEST))
    return json.dumps(value, ensure_ascii=False)


def canonical(data, limit=1 << 20):
    """The value of canonical JSON in UTF-8; anything else, a doubled member say, is not a value."""
    ensure(len(data) <= limit)
    value = json.loads(data.decode())
    ensure(canonical_text(value).encode() == data)
    return value


def unbase64(text):
    data = base64.b64decode(text, validate=True)
    ensure(base64.b64encode(data) == text)
    return data


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(text):
    ensure(NUMBER.fullmatch(text) and int(text) <= LARGEST)
    return int(text)


def tree_hash(text):
    data = unbase64(text)
    ensure(len(data) == 32)
    return data


def key_name(data):
    name, hidden = data.decode(), ("Cc", "Cf", "Zl", "Zp")
    ensure(0 < len(data) < 256 and not any(c in "+ " or c.isspace() or unicodedata.category(c) in hidden for c in name))
    return name


# Signed notes (c2sp.org/signed-note) and checkpoints (c2sp.org/tlog-checkpoint)


def parse_keys(data):
    """Verifier keys `name+identifier+base64(type ‖ key)`: (name, identifier) to the key; None for other types."""
    keys = {}
    for line in filter(None, data.split(b"\n")):
        name, identifier, encoded = line.split(b"+", 2)
        key = unbase64(encoded)
        expected = sha256(key_name(name).encode() + b"\n" + key)[:4]
        ensure(len(key) == 33 and key[0] in (1, 4) and identifier == expected.hex().encode())
        keys[name.decode(), expected] = (line.decode(), key[1:] if key[0] == 1 else None)
    ensure(keys)
    return keys


def parse_note(data):
    """The text, and the signatures by key."""
    ensure(len(data) <= 65536 and data.endswith(b"\n") and all(byte >= 32 or byte == 10 for byte in data))
    text, blank, rest = data.rpartition(b"\n\n")
    ensure(blank)
    signatures = {}
    for line in rest[:-1].split(b"\n"):
        dash, name, encoded = line.split(b" ")
        signature = unbase64(encoded)
        key = (key_name(name), signature[:4])
        ensure(dash == "—".encode() and len(signature) > 4 and key not in signatures)
        signatures[key] = signature[4:]
    ensure(len(signatures) <= 64)
    return text.decode() + "\n", signatures


def signers(text, signatures, keys, origin):
    """The log's keys that signed, as text; none also when one of their signatures is wrong."""
    log_keys = [(name, line, key) for name, (line, key) in keys.items() if name[0] == origin and key]
    found = [(line, key, signatures[name]) for name, line, key in log_keys if name in signatures]
    try:
        for _, key, signature in found:
            Ed25519PublicKey.from_public_bytes(key).verify(signature, text.encode())
    except InvalidSignature:
        return []
    return [line for line, _, _ in found]


def parse_checkpoint(data):
    """The origin, size and root of a signed checkpoint, its text and its signatures."""
    text, signatures = parse_note(data)
    origin, size, root, end = text.split("\n")
    ensure(key_name(origin.encode()) and end == "" and (number(size) > 0 or unbase64(root.encode()) == EMPTY))
    return origin, number(size), tree_hash(root.encode()), text, signatures


def held_checkpoints(path):
    """The signed checkpoints in a file to which they were appended, with empty lines between them or none."""
    data = path.read_bytes().lstrip(b"\n")
    notes = re.findall(rb"(?:(?!\xe2\x80\x94 ).+\n)+\n(?:\xe2\x80\x94 .*\n)+\n*", data)
    require(notes and b"".join(notes) == data, "H1", f"{path}: it is not a file of signed checkpoints")
    return [attempt("H1", "a held checkpoint is not a checkpoint", parse_checkpoint, note.rstrip(b"\n") + b"\n") for note in notes]


# The tree of RFC 6962


def sha256(data):
    return hashlib.sha256(data).digest()


def node_hash(left, right):
    return sha256(b"\1" + left + right)


def climb(node, last, hashes, left, right):
    """RFC 9162, sections 2.1.3.2 and 2.1.4.2: joins the hashes up to the root, `left` those on the left alone."""
    for sibling in hashes:
        if last == 0:
            return None, None
        if node & 1 or node == last:
            left, right = node_hash(sibling, left), node_hash(sibling, right)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            right = node_hash(right, sibling)
        node, last = node >> 1, last >> 1
    return (left, right) if last == 0 else (None, None)


def proves_consistency(hashes, old, old_root, size, root):
    node, last = old - 1, size - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    hashes = hashes if old & (old - 1) else [old_root, *hashes]
    return bool(hashes) and climb(node, last, hashes[1:], hashes[0], hashes[0]) == (old_root, root)


def tree_root(hashes):
    while len(hashes) > 1:
        pairs = [node_hash(left, right) for left, right in zip(hashes[::2], hashes[1::2])]
        hashes = pairs + hashes[2 * len(pairs) :]
    return hashes[0] if hashes else EMPTY


# Records


def parse_leaf(data):
    leaf = canonical(data)
    ensure(set(leaf) == {"_sd", "index", "kind", "schema", "time"} and leaf["schema"] == 2)
    ensure(type(leaf["index"]) is int and leaf["index"] >= 0 and type(leaf["kind"]) is str)
    ensure(len(leaf["_sd"]) == 1 and type(leaf["_sd"]) is list and type(leaf["_sd"][0]) is str)
    ensure(TIME.fullmatch(leaf["time"]))
    datetime.fromisoformat(leaf["time"][:-1])
    return leaf


def parse_fields(data, digest):
    ensure(base64url(sha256(data)) == digest)
    salt, fields = canonical(data)
    ensure(len(salt) == 22 and base64url(base64.urlsafe_b64decode(salt + "==")) == salt and type(fields) is dict)
    return fields


def parse_line(line):
    record = canonical(line[:-1], 8 << 20)
    ensure(line.endswith(b"\n") and set(record) == {"disclosures", "leaf"} and type(record["leaf"]) is str)
    ensure(type(record["disclosures"]) is list and len(record["disclosures"]) <= 1)
    ensure(all(type(text) is str for text in record["disclosures"]))
    return record


def check_line(line, origin):
    """A line of records.jsonl: its leaf's bytes, the leaf, and the fields, None if they are not there."""
    record = attempt("R1", "records.jsonl: a line is not a record", parse_line, line)
    data = record["leaf"].encode()
    leaf = attempt("R2", "records.jsonl: a leaf is not one", parse_leaf, data)
    fields = None
    for text in record["disclosures"]:
        what = f"record {leaf['index']}: its fields do not match its leaf"
        fields = attempt("R3", what, parse_fields, text.encode(), leaf["_sd"][0])
    first = leaf["index"] == 0
    named = not first or fields is not None and f"voicegate.local/log/{fields.get('log')}" == origin
    require((leaf["kind"] == "log.genesis") == first and named, "R6", "a log begins with its only log.genesis")
    return data, leaf, fields


def erased(leaf, fields):
    """The ranges of earlier records whose erasure a record reports; other ranges report nothing."""
    ranges = fields.get("records") if leaf["kind"] == "data.erased" else None
    for ends in ranges if type(ranges) is list else []:
        if type(ends) is list and [type(end) for end in ends] == [int, int] and 0 <= ends[0] <= ends[1] < leaf["index"]:
            yield ends


def parse_proof(data, size=None):
    """A C2SP tlog-proof: index, hashes, the bytes of the note (a checkpoint of this size), and the extra line."""
    top, blank, note = data.partition(b"\n\n")
    lines = top.split(b"\n")
    ensure(blank and lines.pop(0) == b"c2sp.org/tlog-proof@v1")
    extra = unbase64(lines.pop(0)[6:]) if lines[0].startswith(b"extra ") else None
    key, index = lines.pop(0).decode().split(" ")
    size = size or parse_checkpoint(note)[1]
    below = (number(index) ^ (size - 1)).bit_length()
    ensure(key == "index" and number(index) < size and len(lines) == below + (number(index) >> below).bit_count())
    return number(index), [tree_hash(line) for line in lines], note, extra


def parse_scope(data):
    scope, texts = canonical(data[:-1]), {"language", "log", "madeAt", "timeZone", "version"}
    kinds = {name: type(value) for name, value in scope.items() if name not in FILTERS}
    ensure(data.endswith(b"\n") and kinds.pop("verification", dict) is dict and scope["bundle"] == 1)
    ensure(kinds.pop("collector", str) is str)
    ensure(kinds == {**dict.fromkeys(texts, str), "bundle": int, "size": int, "whole": bool})
    ensure(all(type(scope.get(name, "")) is str for name in FILTERS))
    ensure(scope["whole"] != any(name in scope for name in FILTERS))
    return scope
