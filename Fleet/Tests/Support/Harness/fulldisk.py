"""A PostgreSQL whose disks are small and fill up: that of its data, and that of its write-ahead log."""
import contextlib, errno, shutil, time

import namespaces
from collector import WAIT
from host import Refused
from postgres import Cluster

DATA, WAL = 256, 64  # MiB
SEGMENTS = 8         # more than are made ahead
PROBE = 300          # records whose keys need another page of each index
REFUSALS = 20


class Disk:
    """A separate file system."""

    def __init__(self, folder, size, user):
        folder.mkdir()
        owner = f",uid={user.pw_uid},gid={user.pw_gid}" if user else ""
        namespaces.configure("mount", "-t", "tmpfs", "-o", f"size={size}m,mode=700{owner}", "tmpfs", folder)
        self.folder, self.ballast = folder, folder / "ballast"

    def fill(self):
        """To the last byte."""
        with open(self.ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 20))
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise

    def empty(self):
        self.ballast.unlink()

    def remove(self):
        namespaces.configure("umount", "--lazy", self.folder)


class SmallDisks:
    """The disks of a cluster, in a mount namespace of this process. They fill up by turns."""

    def __init__(self, stack):
        namespaces.enter_new(namespaces.MOUNTS)
        namespaces.configure("mount", "--make-rprivate", "/")
        # A new segment is needed soon, and not made of an old one.
        self.cluster = Cluster(settings=["max_wal_size=16MB", "wal_recycle=off"])
        stack.callback(shutil.rmtree, self.cluster.folder, ignore_errors=True)
        wal = self.cluster.folder / "wal"
        self.disks = []
        for folder, size in (self.cluster.data, DATA), (wal, WAL):
            self.disks.append(Disk(folder, size, self.cluster.user))
            stack.callback(self.disks[-1].remove)
        self.cluster.create("--waldir", wal, "--wal-segsize", "1").start()

    def fill_up(self, scene):
        """Full until the last host was put off several times; then there is space again, and that host goes on."""
        disk, probe = self.disks[0], scene.hosts[-1]
        self.disks.reverse()
        disk.fill()
        # Where the log is full, the server ends.
        with contextlib.suppress(RuntimeError):
            self.cluster.sql("SELECT pg_logical_emit_message(true, '', ''), pg_switch_wal();" * SEGMENTS)
        size = self._put_off(probe)
        scene.collector.require_life()
        disk.empty()
        restarts = self._restart_until_stored(probe, size)
        print(f"{disk.folder.name} was full; restarts of PostgreSQL: {restarts}")

    def _put_off(self, probe):
        """Returns how many records the host tried to send at last."""
        refusals = 0
        while refusals < REFUSALS:
            size = probe.acknowledged + (1 if refusals else PROBE)
            try:
                probe.send(size)
            except Refused as refusal:
                if not refusal.is_pushback:
                    raise
                refusals += 1
                time.sleep(0.05)
        return size

    def _restart_until_stored(self, probe, size):
        """A server whose recovery found no space gives up; its supervisor starts it again. Returns how often."""
        deadline, restarts = time.monotonic() + WAIT, 0
        while True:
            if self.cluster.process.poll() is not None:
                self.cluster.start()
                restarts += 1
            try:
                if probe.step(size):
                    return restarts
            except Refused as refusal:
                if not refusal.is_pushback or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
