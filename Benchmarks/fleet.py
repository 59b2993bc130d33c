"""What a collector takes and answers: simulated hosts with real logs and keys, beside COPY of the very same rows by psql.

    fleet.py [--hosts N] [--records N] [--times N] [--logs FOLDER] [--seed S]

  --hosts    how many (default: 1,000)
  --records  in all (default: 1,000,000)
  --times    questions are asked of this many times the records: the rest are copies of the rows under other hosts (default: 10)
  --logs     a folder with logs of log-maker, which is made if it is missing, and stays

Hosts, collector and PostgreSQL share this machine. What the figures mean: README.md.
"""
import argparse, contextlib, hashlib, http.client, os, pathlib, random, secrets, shutil, statistics, sys, tempfile, threading, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Fleet/Tests/Support/Harness"))
from collector import Collector, make_logs  # noqa: E402
from host import Host  # noqa: E402
from log import Log  # noqa: E402
from postgres import Cluster  # noqa: E402

SENDERS = 8       # connections that all hosts share
CROWD = 64        # connections while all hosts catch up
HOUR = 24         # records of a busy host in an hour
INTERVAL = 5      # seconds between the reports of the hosts that stayed online
ONLINE = 100      # of them
LINKS = 10        # connections that they share
QUESTIONS = 200
REPORTS = 1000    # over new connections


def say(text):
    print(text, flush=True)


def enroll_all(scene, logs):
    """Tokens are put into the database at once: a process for each would take a minute."""
    cluster, collector = scene
    tokens = [secrets.token_urlsafe(32) for _ in logs]
    values = ",".join(
        f"(decode('{hashlib.sha256(token.encode()).hexdigest()}', 'hex'), now() + interval '1 hour')" for token in tokens)
    cluster.sql(f"""
        INSERT INTO fleet.tenant (name) SELECT 'benchmark' WHERE NOT EXISTS (SELECT FROM fleet.tenant);
        INSERT INTO fleet.enrolment_token (sha256, tenant, expires_at)
            SELECT sha256, (SELECT min(id) FROM fleet.tenant), until FROM (VALUES {values}) AS token (sha256, until)""")
    link, hosts = collector.link(), []
    for place, (log, token) in enumerate(zip(logs, tokens)):
        host = Host(log, link, f"desk-{place:04}")
        host.enroll(token, 1)
        hosts.append(host)
    return hosts


def send_all(collector, hosts, sizes, connections, each=lambda host: None):
    """Sends each host's log up to its size, `connections` hosts at a time. Returns seconds, and the longest of one host."""
    waiting, lock, longest, errors = list(hosts), threading.Lock(), [0.0], []

    def work():
        link = collector.link()
        try:
            while True:
                with lock:
                    if not waiting:
                        return
                    host = waiting.pop()
                host.link = link
                begin = time.monotonic()
                host.send_through(sizes[host], begin + 600)
                each(host)
                with lock:
                    longest[0] = max(longest[0], time.monotonic() - begin)
        except BaseException as error:
            errors.append(error)

    begin = time.monotonic()
    threads = [threading.Thread(target=work) for _ in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return time.monotonic() - begin, longest[0]


def copy_floor(cluster, folder, months):
    """Seconds that psql's COPY takes for the same rows into an equal table of another database."""
    file = folder / "rows"
    file.touch()
    file.chmod(0o666)
    cluster.sql(f"\\copy (SELECT * FROM fleet.record ORDER BY host, index) TO '{file}'")
    cluster.sql("CREATE DATABASE floor TEMPLATE template0")
    collector = Collector(folder, [cluster])
    collector.environment["PGDATABASE"] = "floor"
    collector.run("migrate")
    for month in months:
        cluster.sql(f"SELECT fleet.ensure_partition('{month}')", "floor")
    cluster.sql("CHECKPOINT")
    begin = time.monotonic()
    cluster.sql(f"\\copy fleet.record FROM '{file}'", "floor")
    seconds = time.monotonic() - begin
    size = file.stat().st_size
    file.unlink()
    cluster.sql("DROP DATABASE floor")
    return seconds, size


def copy_hosts(cluster, times, step):
    """The hosts and their records again, under other numbers and names."""
    same = "tenant, department, origin, report_interval, next_entry, frontier, pending_size, pending_note, mirror_size, mirror_note"
    for turn in range(1, times):
        cluster.sql(f"""
            INSERT INTO fleet.host (id, name, origin_sha256, token_sha256, {same}) OVERRIDING SYSTEM VALUE
                SELECT id + {turn * step}, name || '-{turn}', sha256(convert_to(name || {turn}, 'UTF8')),
                    sha256(convert_to('token' || name || {turn}, 'UTF8')), {same} FROM fleet.host WHERE id <= {step};
            INSERT INTO fleet.record SELECT host + {turn * step}, index, time, kind, digest, salt, fields, verbatim, erased
                FROM fleet.record WHERE host <= {step}""")


def ask(cluster, conditions):
    """Asks the view of records as an auditor of the tenant. Returns milliseconds as psql measures them: median, 99 %, worst."""
    lines = ["\\timing on", "SET ROLE nora;"] + [
        f"SELECT host, index, time, kind, fields FROM fleet_api.records WHERE {condition};" for condition in conditions]
    times = [
        float(row[0].split()[1].replace(",", ".")) for row in cluster.sql("\n".join(lines)) if row[0].startswith("Time:")][1:]
    return f"median {statistics.median(times):.1f} ms, 99 % below {sorted(times)[int(len(times) * 0.99)]:.1f} ms, worst {max(times):.1f} ms"


def questions(cluster, hosts, seed):
    dice = random.Random(seed)
    today, client = "date_trunc('day', now())", "client = 'org.example.Mail'"
    say(f"{QUESTIONS} questions by host and day: " + ask(cluster, [
        f"host_id = {dice.choice(hosts)} AND time >= {today} - interval '{days} days' AND time < {today} - interval '{days - 1} days'"
        for days in (dice.randint(1, 28) for _ in range(QUESTIONS))]))
    say(f"{QUESTIONS // 10} questions by client and hour, of all hosts: " + ask(cluster, [
        f"{client} AND time >= {today} - interval '{hours} hours' AND time < {today} - interval '{hours - 1} hours'"
        for hours in (dice.randint(1, 28 * 24) for _ in range(QUESTIONS // 10))]))
    say("1 question by a client that is nowhere, of all hosts and times: " + ask(cluster, ["client = 'org.example.Nowhere'"]))


class Online(threading.Thread):
    """Hosts that report each INTERVAL seconds. `latest`: how long after its time an answer came, at worst."""

    def __init__(self, collector, hosts):
        super().__init__()
        self.collector, self.hosts, self.latest, self.reports, self.missed = collector, hosts, 0.0, 0, 0
        self.over = threading.Event()

    def run(self):
        link = self.collector.link()
        begin, number = time.monotonic(), 0
        while not self.over.is_set():
            due = begin + number * INTERVAL / len(self.hosts)
            if self.over.wait(max(0.0, due - time.monotonic())):
                return
            host = self.hosts[number % len(self.hosts)]
            host.link = link
            while True:
                try:
                    host.report(host.acknowledged)
                    break
                except (OSError, http.client.HTTPException):
                    self.missed += 1
            self.latest = max(self.latest, time.monotonic() - due)
            self.reports, number = self.reports + 1, number + 1


def report_cost(collector, hosts):
    """Milliseconds of the collector's processor for a report over its own connection, as each minute's is."""
    def spent():
        fields = open(f"/proc/{collector.process.pid}/stat").read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    before = spent()
    for number in range(REPORTS):
        host = hosts[number % len(hosts)]
        host.link = collector.link()
        host.report(host.acknowledged)
        host.link.close()
    return 1000 * (spent() - before) / REPORTS


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--hosts", type=int, default=1000)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--logs", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="vg-fleet-", dir="/tmp"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        logs_folder = options.logs or folder / "logs"
        if not logs_folder.exists():
            logs_folder.mkdir()
            begin = time.monotonic()
            make_logs(logs_folder, options.hosts, options.records // options.hosts, options.seed, rotations=1)
            say(f"logs were made in {time.monotonic() - begin:.0f} s")
        logs = [Log(path) for path in sorted(logs_folder.glob("host-*.log"))[: options.hosts]]
        total = sum(map(len, logs))
        size = sum(len(text or b"") for log in logs for text in log.disclosures) + sum(len(x) for log in logs for x in log.leaves)
        say(f"{len(logs)} hosts, {total:,} records, {size / total:.0f} bytes a record")

        cluster = Cluster(settings=["max_wal_size=4GB", "shared_buffers=512MB"]).create().start()
        stack.callback(cluster.remove)
        collector = Collector(folder, [cluster])
        collector.run("migrate")
        collector.start()
        stack.callback(collector.kill)
        hosts = enroll_all((cluster, collector), logs)
        online, offline = hosts[:ONLINE], hosts[ONLINE:]

        # The last hour is kept for later.
        before = {host: max(2, len(host.log) - HOUR) for host in hosts}
        sent = sum(before.values()) - len(hosts)
        cluster.sql("CHECKPOINT")
        seconds, _ = send_all(collector, hosts, before, SENDERS)
        rate = sent / seconds
        say(f"ingest: {sent:,} records in {seconds:.1f} s, {rate:,.0f} records/s, each verified; collector's peak memory "
            f"{collector.peak_memory() >> 20} MB")

        months = [row[0] for row in cluster.sql("SELECT DISTINCT date_trunc('month', time)::date FROM fleet.record")]
        seconds, size = copy_floor(cluster, folder, months)
        floor = sent / seconds
        say(f"COPY of the same {size >> 20} MB by psql: {seconds:.1f} s, {floor:,.0f} rows/s; ingest is {rate / floor:.2f} of it")

        threads = [Online(collector, online[place::LINKS]) for place in range(LINKS)]
        for thread in threads:
            thread.start()
        seconds, longest = send_all(
            collector, offline, {host: len(host.log) for host in offline}, CROWD,
            each=lambda host: host.report(host.acknowledged))
        for thread in threads:
            thread.over.set()
        for thread in threads:
            thread.join()
        say(f"{len(offline)} hosts that were offline for an hour ({HOUR} records each) catch up over {CROWD} connections: "
            f"{seconds:.1f} s, the slowest in {longest:.1f} s; meanwhile {sum(thread.reports for thread in threads)} reports of "
            f"{len(online)} others, each {INTERVAL} s: the latest answer {1000 * max(thread.latest for thread in threads):.0f} ms "
            f"after its time, {sum(thread.missed for thread in threads)} failed")
        alarms = cluster.sql("SELECT kind, count(*) FROM fleet.alarm GROUP BY kind")
        say(f"alarms: {alarms or 'none'}; collector's peak memory {collector.peak_memory() >> 20} MB")

        encrypted = Collector(folder / "tls", [cluster], tls=True)
        shutil.copy(folder / "collector.key", encrypted.folder)
        encrypted.start()
        stack.callback(encrypted.kill)
        costs = [report_cost(each, offline) for each in (collector, encrypted)]
        say(f"{REPORTS} reports over new connections: {costs[0]:.2f} ms of the collector's processor each, with TLS {costs[1]:.2f} ms")
        encrypted.kill()

        numbers = [int(row[0]) for row in cluster.sql("SELECT id FROM fleet.host")]
        step = max(numbers)
        begin = time.monotonic()
        copy_hosts(cluster, options.times, step)
        cluster.sql("ANALYZE fleet.host")
        cluster.sql("VACUUM ANALYZE fleet.record")
        ((count, bytes_),) = cluster.sql("""
            SELECT (SELECT count(*) FROM fleet.record), sum(pg_total_relation_size(inhrelid)) FROM pg_inherits
            WHERE inhparent = 'fleet.record'::regclass""")
        say(f"{int(count):,} rows, {int(bytes_) / int(count):.0f} bytes a row with its indexes; the copies were made in "
            f"{time.monotonic() - begin:.0f} s")
        cluster.sql("CREATE ROLE nora IN ROLE fleet_auditor; INSERT INTO fleet.membership SELECT 'nora', id FROM fleet.tenant")
        questions(cluster, [n + step * turn for n in numbers for turn in range(options.times)], options.seed)


if __name__ == "__main__":
    main()
