"""A link that fails: two network namespaces, joined by a pair of virtual devices of which either can be taken down."""
import contextlib, os, time

import namespaces
from collector import WAIT
from host import Refused

# Of the block for documentation (RFC 5737), in these namespaces alone.
HERE, THERE = "192.0.2.1", "192.0.2.2"


class NetworkLink:
    """This process is at one end; what it starts `with there()` is at the other."""

    def __init__(self):
        ends = []
        for _ in range(2):
            namespaces.enter_new(namespaces.NETWORK)
            ends.append(os.open("/proc/self/ns/net", os.O_RDONLY))
        self.other, self.own = ends
        namespaces.configure("ip", "link", "set", "lo", "up")
        namespaces.configure(
            "ip", "link", "add", "here", "type", "veth", "peer", "name", "there", "netns", f"/proc/{os.getpid()}/fd/{self.other}")
        namespaces.configure("ip", "address", "add", f"{HERE}/30", "dev", "here")
        with self.there():
            namespaces.configure("ip", "address", "add", f"{THERE}/30", "dev", "there")
        for end in "here", "there":
            self.set(end, "up")

    @contextlib.contextmanager
    def there(self):
        namespaces.enter(self.other, namespaces.NETWORK)
        try:
            yield
        finally:
            namespaces.enter(self.own, namespaces.NETWORK)

    def start_there(self, cluster):
        with open(cluster.data / "pg_hba.conf", "a") as file:
            file.write(f"host all all {HERE}/32 trust\n")
        cluster.host = THERE
        with self.there():
            return cluster.start()

    def set(self, end, state):
        with self.there() if end == "there" else contextlib.nullcontext():
            namespaces.configure("ip", "link", "set", end, state)

    def cut_from_collector(self, desk, dice):
        """The link is down while the machine at the other end records, and then up again."""
        end = dice.choice(("here", "there"))
        self.set(end, "down")
        size = desk.size()
        desk.record()
        desk.record()
        if (stored := desk.stored()) > size:
            raise AssertionError(f"{stored} records are stored, of which {size} were made before the link went down")
        self.set(end, "up")
        desk.wait_until_stored(desk.size())

    def cut_from_database(self, scene):
        """The database at the other end is gone without a word until the collector has given up each connection; then it is
        there again."""
        if "sslmode=verify-full" not in (scene.collector.folder / "collector.log").read_text():
            raise AssertionError("no warning that the database is reached without a verified certificate")
        probe, deadline = scene.hosts[-1], time.monotonic() + WAIT
        self.set("there", "down")
        while count := database_connections():
            if time.monotonic() > deadline:
                raise AssertionError(f"{count} connections to a database that is gone are still open")
            time.sleep(0.1)
        try:
            probe.send(probe.acknowledged + 1)
            raise AssertionError("a record was acknowledged without the database")
        except Refused as refusal:
            if not refusal.is_pushback:
                raise
        scene.collector.require_life()
        self.set("there", "up")
        probe.send_through(probe.acknowledged + 1, time.monotonic() + WAIT)


def database_connections():
    """Established ones from this end; proc(5), /proc/net/tcp."""
    rows = [line.split() for line in open("/proc/net/tcp")][1:]
    return sum(remote.endswith(f":{5432:04X}") and state == "01" for _, _, remote, state, *_ in rows)
