"""Faults between simulated hosts and a collector: nothing that was acknowledged is lost, and nothing is stored twice.

    faults.py SCENARIO [--rounds N] [--seed S]

collector  is killed at random moments, N times; so are sender (a real one, with a real service) and postgres
failover   the primary is killed and its synchronous replica promoted
balanced   one of two collectors behind HAProxy is killed; then a read replica is asked
fulldisk   PostgreSQL's data and its write-ahead log by turns have no space left; as root
network    a proxy drops, delays, duplicates and reorders requests
certificates  a collector requires a client certificate of a real sender, which has none, another, the right one, a renewed one
link       the link to a real sender, which has its own network, goes down and up again; as root
partition  the link between the collector and PostgreSQL does so; as root
hostile    hosts that send rubbish, other hosts' records, forks, too much, or too slowly, beside one that is honest
lying      a collector whose database was altered, or that forks a log, is found by a third party from its tiles
foreign    a log's tiles, checkpoint and cosignature, verified by pymerkle, cryptography, aics-tlog and Go's sumdb

Prints a line for each round, then what was compared. Exit codes: 0 all as it must be, 1 not, 64 usage, 69 PostgreSQL or a
program is missing, or namespaces are not allowed here.
"""
import argparse, contextlib, pathlib, random, shutil, signal, sys, tempfile, threading, time, traceback

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import balancer, desk, hostile, link, thirdparty  # noqa: E402
from collector import Collector, differences, make_logs, program  # noqa: E402
from fulldisk import PROBE, SmallDisks  # noqa: E402
from log import Log  # noqa: E402
from postgres import Cluster, Missing  # noqa: E402
from proxy import FaultyNetwork  # noqa: E402

HOSTS = 4
SLICE = 150    # records that each host sends in a round
STEPS = 6      # sizes at which it signs in a round
PATIENCE = 600  # seconds until a host must have sent its slice, whatever failed


class Traffic:
    """Hosts that send side by side, slice after slice."""

    def __init__(self, hosts, seed):
        self.hosts, self.random, self.sizes = hosts, random.Random(seed), {host: 1 for host in hosts}
        self.sent, self.changed, self.errors = 0, threading.Condition(), []

    def _feed(self, host, end, seed):
        dice = random.Random(seed)
        try:
            while self.sizes[host] < end:
                size = min(end, self.sizes[host] + dice.randint(1, 2 * SLICE // STEPS))
                host.send_through(size, time.monotonic() + PATIENCE, packages=dice.choice((1, 2, 32)))
                self.sizes[host] = size
                with self.changed:
                    self.sent += 1
                    self.changed.notify_all()
        except BaseException as error:
            traceback.print_exc()
            with self.changed:
                self.errors.append(error)
                self.changed.notify_all()

    def round(self, fault):
        """All hosts send a slice; in the middle of it the fault comes."""
        self.sent, moment = 0, self.random.randint(0, len(self.hosts) * (STEPS - 1))
        threads = [
            threading.Thread(
                target=self._feed, daemon=True,
                args=(host, min(len(host.log), self.sizes[host] + SLICE), self.random.getrandbits(32)))
            for host in self.hosts
        ]
        for thread in threads:
            thread.start()
        with self.changed:
            self.changed.wait_for(lambda: self.errors or self.sent >= moment or not any(map(threading.Thread.is_alive, threads)))
        time.sleep(self.random.random() * 0.03)
        fault()
        for thread in threads:
            thread.join()
        if self.errors:
            raise self.errors[0]


class Scene:
    """A cluster, a collector and enrolled hosts; all gone at the end."""

    def __init__(self, stack, records, seed, hosts=HOSTS, cluster=None, standby=False, **of_collector):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vg-fleet-", dir="/tmp"))
        stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.clusters = [cluster or Cluster().create().start()]
        stack.callback(lambda: [cluster.remove() for cluster in self.clusters])
        if standby:
            self.clusters.append(self.primary.standby())
            self.primary.wait_for_standby()
        self.collector = Collector(self.folder, self.clusters, **of_collector)
        self.collector.run("migrate")
        self.collector.start()
        stack.callback(self.collector.kill)
        self.logs = [Log(path) for path in make_logs(self.folder, hosts, records, seed)] if hosts else []
        self.hosts = [self.collector.enroll(log, f"desk-{place}") for place, log in enumerate(self.logs)]

    @property
    def primary(self):
        return self.clusters[0]

    @property
    def acknowledged(self):
        return sum(host.acknowledged for host in self.hosts)

    def compare(self):
        """Prints and returns how the rows differ from what was acknowledged."""
        found = [line for host in self.hosts for line in differences(self.primary, host, host.acknowledged)]
        rows, different = map(
            int, self.primary.sql("SELECT count(*), count(DISTINCT (host, index)) FROM fleet.record")[0])
        print(
            f"{self.acknowledged} records acknowledged, {self.acknowledged - different} lost, {rows - different} twice; "
            f"differences: {len(found)}")
        for line in found[:20]:
            print(line)
        return found


def kill_collector(scene):
    scene.collector.kill()
    scene.collector.start()


def kill_postgres(scene):
    scene.primary.kill()
    scene.primary.start()


def fail_over(scene):
    former, replica = scene.clusters
    former.kill()
    replica.promote()
    scene.clusters[:] = [replica, replica.standby(former.folder)]
    scene.primary.wait_for_standby()


def killed(scene, options, fault):
    traffic = Traffic(scene.hosts[:HOSTS], options.seed)
    for number in range(options.rounds):
        begin = time.monotonic()
        traffic.round(lambda: fault(scene))
        print(f"round {number + 1}: {scene.acknowledged} records acknowledged, {time.monotonic() - begin:.1f} s", flush=True)
    return not scene.compare()


def through_network(scene, options):
    network = FaultyNetwork(scene.collector.address, options.seed)
    for host in scene.hosts:
        host.link = scene.collector.link(network.address, timeout=20)
    traffic = Traffic(scene.hosts, options.seed)
    for number in range(options.rounds):
        traffic.round(lambda: None)
    network.close()
    print("requests: " + ", ".join(f"{count} {fate}" for fate, count in sorted(network.counts.items())))
    return not scene.compare()


def at_desk(scene, stack, options, fault, *there):
    machine = desk.run(scene, stack, options, fault, *there)
    # The records after the export: its own, and its signature's.
    found = differences(scene.primary, machine, len(machine.log), more=4)
    print(f"{len(machine.log)} records; differences: {len(found)}", *found[:20], sep="\n")
    return not found


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("scenario", choices=[
        "collector", "sender", "postgres", "failover", "balanced", "fulldisk", "network", "certificates", "link", "partition",
        "hostile", "lying", "foreign"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(31))
    try:
        options = parser.parse_args()
    except SystemExit as exit:
        return 64 if exit.code else 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    print(f"seed {options.seed}", flush=True)
    records = options.rounds * SLICE + 10
    with contextlib.ExitStack() as stack:
        try:
            if not program("voicegate-collector").exists():
                raise Missing(f"{program('voicegate-collector')} is not built. Run: make fleet-build")
            scene = lambda records=records, **more: Scene(stack, records, options.seed, **more)
            match options.scenario:
                case "collector":
                    fits = killed(scene(), options, kill_collector)
                case "sender":
                    fits = at_desk(scene(hosts=0), stack, options, desk.kill_sender)
                case "postgres":
                    fits = killed(scene(), options, kill_postgres)
                case "failover":
                    cluster = Cluster(settings=["synchronous_standby_names=*"]).create().start()
                    fits = killed(scene(cluster=cluster, standby=True), options, fail_over)
                case "balanced":
                    # Acknowledged records can be seen on the replica.
                    cluster = Cluster(
                        settings=["synchronous_standby_names=*", "synchronous_commit=remote_apply"]).create().start()
                    here = scene(hosts=HOSTS + 1, cluster=cluster, standby=True)
                    fits = killed(here, options, balancer.Balancer(here, stack).kill_one) and balancer.same_answers(here)
                case "fulldisk":
                    disks = SmallDisks(stack)
                    # The last host sends only when a disk is full.
                    records = options.rounds * 2 * PROBE + 10
                    fits = killed(scene(records, hosts=HOSTS + 1, cluster=disks.cluster), options, disks.fill_up)
                case "network":
                    fits = through_network(scene(), options)
                case "certificates":
                    fits = desk.certificates(scene(hosts=0, tls=True), stack)
                case "link":
                    cable = link.NetworkLink()
                    fits = at_desk(
                        scene(hosts=0, address=link.HERE), stack, options, cable.cut_from_collector, cable.there)
                case "partition":
                    cable = link.NetworkLink()
                    cluster = cable.start_there(Cluster(settings=[f"listen_addresses={link.THERE}"]).create())
                    fits = killed(scene(hosts=HOSTS + 1, cluster=cluster), options, cable.cut_from_database)
                case "hostile":
                    # A connection that sends no request is cut sooner than by default.
                    fits = hostile.run(scene(700, hosts=12, options=["--idle-timeout", "10"]))
                case "lying":
                    here = scene(700, hosts=1)
                    fits = thirdparty.lies(here) and thirdparty.fork(here)
                case "foreign":
                    fits = thirdparty.foreign(scene(700, hosts=1))
        except Missing as reason:
            print(reason)
            return 69
    print("as it must be" if fits else "WRONG")
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main())
