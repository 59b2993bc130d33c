#!/usr/bin/python3
"""A file server (FUSE) for the files of a folder that stops answering when it is told to, as one behind a dead network.

silent_files.py MOUNTPOINT FOLDER: needs root. It prints "ready"; after a line on standard input it reads requests and answers none,
and prints "silent". At the end of its input it ends; what waits for it then fails. So it does after 30 s of silence: a test must
not wait for ever.
"""

import ctypes
import os
import select
import stat
import struct
import sys
import time

LOOKUP, FORGET, GETATTR, OPEN, READ, RELEASE, FLUSH, INIT = 1, 2, 3, 14, 15, 18, 25, 26
OPENDIR, READDIR, RELEASEDIR, ACCESS, INTERRUPT, BATCH_FORGET = 27, 28, 29, 34, 36, 42
NO_ANSWER = (FORGET, INTERRUPT, BATCH_FORGET)
ENOENT, ENOSYS = 2, 38
LONGEST_SILENCE = 30
libc = ctypes.CDLL(None, use_errno=True)

mountpoint, folder = sys.argv[1:3]
files = [folder] + [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
device = os.open("/dev/fuse", os.O_RDWR)
options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other"
if libc.mount(b"silent", mountpoint.encode(), b"fuse", 0, options.encode()) != 0:
    sys.exit(f"mount: {os.strerror(ctypes.get_errno())}")


def attributes(node):
    found = os.stat(files[node - 1])
    mode = stat.S_IFDIR | 0o755 if node == 1 else stat.S_IFREG | 0o755
    # Long ago, so that nothing about it is fresh.
    times = (1_600_000_000,) * 3 + (0, 0, 0)
    return struct.pack("<6Q10I", node, found.st_size, found.st_size // 512 + 1, *times[:3], *times[3:], mode, 1, 0, 0, 0, 4096, 0)


def answer(operation, node, body):
    """The answer's body, or an error number. Nothing may be kept: each look at a file asks again."""
    if operation == INIT:
        return struct.pack("<4I2H2I2H2I2H11I", 7, 31, 0, 0, 16, 16, 131_072, 1, 0, 0, 0, 0, 0, 0, *[0] * 11)[:64]
    if operation == LOOKUP:
        path = os.path.join(folder, body.rstrip(b"\0").decode())
        if path not in files:
            return ENOENT
        child = files.index(path) + 1
        # The name is kept for an hour, its attributes not at all.
        return struct.pack("<4Q2I", child, 0, 3600, 0, 0, 0) + attributes(child)
    if operation == GETATTR:
        return struct.pack("<Q2I", 0, 0, 0) + attributes(node)
    if operation in (OPEN, OPENDIR):
        return struct.pack("<Q2I", 0, 0, 0)
    if operation == READ:
        offset, size = struct.unpack_from("<QI", body, 8)
        with open(files[node - 1], "rb") as file:
            file.seek(offset)
            return file.read(size)
    # Its folder lists nothing; the files are found by name.
    return b"" if operation in (READDIR, RELEASE, RELEASEDIR, FLUSH, ACCESS) else ENOSYS


print("ready", flush=True)
silent_since = None
while silent_since is None or time.monotonic() - silent_since < LONGEST_SILENCE:
    readable, _, _ = select.select([device, 0], [], [], 1)
    if 0 in readable:
        if not os.read(0, 100):
            break
        silent_since = time.monotonic()
        print("silent", flush=True)
    if device not in readable:
        continue
    request = os.read(device, 200_000)
    _, operation, unique, node = struct.unpack_from("<2I2Q", request)
    if silent_since is not None or operation in NO_ANSWER:
        continue
    body = answer(operation, node, request[40:])
    error, body = (-body, b"") if isinstance(body, int) else (0, body)
    try:
        os.write(device, struct.pack("<IiQ", 16 + len(body), error, unique) + body)
    except OSError:
        # The request was withdrawn.
        pass
# The connection ends with the last descriptor, and what waits for it fails.
os.close(device)
libc.umount2(mountpoint.encode(), 2)
