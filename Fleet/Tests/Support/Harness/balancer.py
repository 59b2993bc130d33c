"""HAProxy in front of two collectors of one database, which are killed by turns, and questions to a read replica."""
import itertools, os, pathlib, shutil, subprocess, textwrap, time

from collector import WAIT, Collector, free_port, program
from postgres import Missing

PROBE = 100  # records that a host sends while one collector is gone


def published():
    """The configuration of HAProxy that compose.yaml has."""
    compose = pathlib.Path(__file__).resolve().parents[4] / "Packaging/fleet/compose.yaml"
    lines = compose.read_text().split("    content: |\n", 1)[1].splitlines()
    return textwrap.dedent("\n".join(itertools.takewhile(lambda line: line.startswith("      "), lines))) + "\n"


class Balancer:
    """It passes bytes, and asks each collector whether it is ready."""

    def __init__(self, scene, stack):
        haproxy = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
        if haproxy is None:
            raise Missing("HAProxy is not installed. Run: Scripts/setup fleet")
        other = scene.folder / "other"
        other.mkdir()
        shutil.copy(scene.folder / "collector.key", other)
        self.collectors = [scene.collector, Collector(other, scene.clusters).start()]
        stack.callback(self.collectors[1].kill)
        self.address = ("127.0.0.1", free_port("127.0.0.1"))
        # Of compose.yaml, here without TLS.
        text = published()
        for name, collector in zip(("collector-1:8443", "collector-2:8443"), self.collectors):
            assert name in text
            text = text.replace(f"{name} check check-ssl verify none", "%s:%d check inter 100ms" % collector.address)
        configuration = scene.folder / "haproxy.cfg"
        configuration.write_text(text.replace("bind :8443", "bind %s:%d" % self.address))
        process = subprocess.Popen(
            [haproxy, "-db", "-f", configuration], stdin=subprocess.DEVNULL, stdout=open(scene.folder / "haproxy.log", "ab"),
            stderr=subprocess.STDOUT)
        stack.callback(process.wait)
        stack.callback(process.kill)
        for host in scene.hosts:
            host.link = scene.collector.link(self.address)

    def kill_one(self, scene):
        """The last host sends through the other collector before this one is back."""
        gone, probe = self.collectors[0], scene.hosts[-1]
        self.collectors.reverse()
        gone.kill()
        probe.send_through(max(1, probe.acknowledged) + PROBE, time.monotonic() + WAIT)
        gone.start()


def answers(cluster):
    """What the questions print of a server, without a difference from one server to the other."""
    environment = {**os.environ, "PGUSER": "postgres", "PGDATABASE": "postgres", "PGHOST": str(cluster.host)}
    found = []
    for words in ("hosts", "--json"), ("verify",), ("records", "--host", "desk-0", "--json"):
        done = subprocess.run(
            [program("voicegate-fleet"), *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(f"voicegate-fleet {' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
        found.append(done.stdout)
    return found


def same_answers(scene):
    """Whether a hot standby answers as the primary does."""
    primary, replica = map(answers, scene.clusters)
    print(f"the replica's answers are {'the same' if primary == replica else 'others'}: {primary[1].splitlines()[-1]}")
    return primary == replica
