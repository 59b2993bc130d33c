"""A network that fails: a proxy for HTTP/1.1 with bodies of a known length, which drops, delays, duplicates and reorders.

For each request it throws dice: pass on; cut the connection before, within, or after the request reached the collector, so that
its answer is lost; wait; deliver it twice; or cut the connection and deliver the request only when a later one of any host has
been answered. Ended by `close`.
"""
import collections, random, socket, threading, time

FATES = ("pass", "pass", "pass", "drop", "half", "lost", "delay", "twice", "late")


def read_head(stream):
    lines = []
    while (line := stream.readline(65536)) not in (b"\r\n", b""):
        lines.append(line)
    return lines


def length_of(lines):
    for line in lines:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


class FaultyNetwork:
    def __init__(self, target, seed, fates=FATES):
        self.target, self.fates = target, fates
        self.random, self.lock = random.Random(seed), threading.Lock()
        self.counts, self.late = collections.Counter(), []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.address = self.listener.getsockname()
        self.is_open = True
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        """Passes on what is late, and accepts nothing more."""
        self.is_open = False
        self.listener.close()
        self._deliver_late()

    def _accept(self):
        while self.is_open:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _fate(self):
        with self.lock:
            fate = self.random.choice(self.fates)
            self.counts[fate] += 1
            return fate, self.random.random()

    def _serve(self, client):
        try:
            with client, client.makefile("rb") as stream:
                while head := read_head(stream):
                    body = stream.read(length_of(head))
                    request = b"".join(head) + b"\r\n" + body
                    fate, chance = self._fate()
                    if fate == "drop":
                        return
                    if fate == "half":
                        self._deliver(request[: int(len(request) * chance)], answers=False)
                        return
                    if fate == "late":
                        with self.lock:
                            self.late.append(request)
                        return
                    if fate == "delay":
                        time.sleep(0.3 * chance)
                    if fate == "twice":
                        self._deliver(request)
                    answer = self._deliver(request)
                    if fate == "lost" or answer is None:
                        return
                    client.sendall(answer)
                    self._deliver_late()
        except OSError:
            return

    def _deliver_late(self):
        with self.lock:
            waiting, self.late = self.late, []
        for request in waiting:
            self._deliver(request)

    def _deliver(self, request, answers=True):
        """Over its own connection. Returns the answer; `None`: there was none."""
        try:
            with socket.create_connection(self.target, timeout=60) as server:
                server.sendall(request)
                if not answers:
                    return None
                with server.makefile("rb") as stream:
                    head = read_head(stream)
                    if not head:
                        return None
                    if any(line.lower().startswith(b"transfer-encoding:") for line in head):
                        raise OSError("the answer is chunked")
                    return b"".join(head) + b"\r\n" + stream.read(length_of(head))
        except OSError:
            return None
