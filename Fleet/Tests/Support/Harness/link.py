"""A network of its own: two network namespaces, joined by a pair of virtual devices of which either can be taken down."""
import os

import namespaces

# Of the block for documentation, in these namespaces alone (RFC 5737).
HERE, THERE = "192.0.2.1", "192.0.2.2"


class NetworkLink:
    """This process is at one end. `there` is the beginning of a command that is to run at the other."""

    def __init__(self):
        namespaces.enter_new(namespaces.NETWORK)
        self.other = os.open("/proc/self/ns/net", os.O_RDONLY)
        namespaces.enter_new(namespaces.NETWORK)
        other = f"/proc/{os.getpid()}/fd/{self.other}"
        self.there = ["nsenter", f"--net={other}", "--"]
        namespaces.configure("ip", "link", "set", "lo", "up")
        namespaces.configure("ip", "link", "add", "here", "type", "veth", "peer", "name", "there", "netns", other)
        namespaces.configure("ip", "address", "add", f"{HERE}/30", "dev", "here")
        self._ip_there("address", "add", f"{THERE}/30", "dev", "there")
        for end in "here", "there":
            self.set(end, "up")

    def _ip_there(self, *words):
        namespaces.configure(*self.there, "ip", *words)

    def cut(self, desk, dice):
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

    def set(self, end, state):
        if end == "here":
            namespaces.configure("ip", "link", "set", "here", state)
        else:
            self._ip_there("link", "set", "there", state)
