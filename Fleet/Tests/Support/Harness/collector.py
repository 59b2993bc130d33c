"""A collector as a process, and what its database must have of a log."""
import errno, hashlib, http.client, json, os, pathlib, random, re, socket, subprocess, time

from host import Host, Link

ROOT = pathlib.Path(__file__).resolve().parents[4]
WAIT = 120  # seconds; for a machine that is very busy


def program(name):
    """Built in the same way as the tests; VOICEGATE_FLEET_PROGRAMS names another folder."""
    return pathlib.Path(os.environ.get("VOICEGATE_FLEET_PROGRAMS", ROOT / ".build/debug")).resolve() / name


def service_program(name):
    """Of the main package; VOICEGATE_PROGRAMS names another folder."""
    return pathlib.Path(os.environ.get("VOICEGATE_PROGRAMS", ROOT / ".build/debug")).resolve() / name


def make_logs(folder, count, records, seed=1, first=0, days=30, rotations=2):
    """Returns their paths."""
    numbers = first, count, records, seed, days, rotations
    subprocess.run([service_program("log-maker"), folder, *map(str, numbers)], check=True, stdin=subprocess.DEVNULL)
    return [pathlib.Path(folder) / f"host-{number:05}.log" for number in range(first, first + count)]


def free_port(address):
    """Below the ports that the kernel gives to clients, so that none gets it before a server does."""
    while True:
        try:
            with socket.create_server((address, random.randrange(20000, 32768))) as server:
                return server.getsockname()[1]
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise


def make_certificate(folder, address="127.0.0.1"):
    """A certificate for an IP address, valid for a month, and its key."""
    folder.mkdir(exist_ok=True)
    certificate, key = folder / "tls.pem", folder / "tls.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
         "-subj", f"/CN={address}", "-addext", f"subjectAltName=IP:{address}", "-keyout", key, "-out", certificate],
        check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return certificate, key


class Collector:
    """At one port, however often it is killed and started again. It speaks TLS unless the address is this machine's alone."""

    def __init__(self, folder, clusters, address="127.0.0.1", options=(), tls=False):
        self.folder, self.process, self.options, self.machine = pathlib.Path(folder), None, list(options), None
        self.address = (address, free_port(address))
        encrypts = tls or address != "127.0.0.1"
        self.certificate, self.certificate_key = make_certificate(self.folder, address) if encrypts else (None, None)
        self.environment = {
            **os.environ, "PGHOST": ",".join(str(cluster.host) for cluster in clusters), "PGUSER": "postgres",
            "PGDATABASE": "postgres", "PGTARGETSESSIONATTRS": "read-write", "PGCONNECT_TIMEOUT": "10"}

    @property
    def url(self):
        return f"{'https' if self.certificate else 'http'}://%s:%d" % self.address

    def run(self, *words):
        """A command of the program, to its end. Returns what it prints."""
        done = subprocess.run(
            [program("voicegate-collector"), *map(str, words)], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
            text=True)
        if done.returncode:
            raise RuntimeError(f"voicegate-collector {' '.join(map(str, words))}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def start(self):
        key = self.folder / "collector.key"
        if not key.exists():
            self.run("key", "new", "collector.example.org", key)
        tls = ["--certificate", self.certificate, "--certificate-key", self.certificate_key] if self.certificate else []
        self.process = subprocess.Popen(
            [program("voicegate-collector"), "serve", "--listen", "%s:%d" % self.address, "--key-file", key,
             "--monitoring", "open", *tls, *(["--client-ca", self.machine[0]] if self.machine else []), *self.options],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=open(self.folder / "collector.log", "ab"),
            stderr=subprocess.STDOUT)
        return self.wait()

    def require(self, machine):
        """From now on it answers only those who show this certificate; `machine`: with its key."""
        self.kill()
        self.machine = machine
        return self.start()

    def wait(self):
        """Until it is ready."""
        deadline, link = time.monotonic() + WAIT, self.link(timeout=5)
        while True:
            if self.process.poll() is not None:
                raise RuntimeError(f"the collector ended with {self.process.returncode}:\n{self.log()}")
            try:
                if link.call("GET", "/ready")[0] == 200:
                    return self
            except (OSError, http.client.HTTPException):
                pass
            if time.monotonic() > deadline:
                raise RuntimeError(f"the collector was not ready in {WAIT} s:\n{self.log()}")
            time.sleep(0.02)

    def require_life(self):
        if self.process.poll() is not None or self.link(timeout=WAIT).call("GET", "/health")[0] != 200:
            raise AssertionError(f"the collector does not live:\n{self.log()}")

    def log(self):
        return "".join(open(self.folder / "collector.log", errors="replace").readlines()[-20:])

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def stop(self):
        """In order; its exit code."""
        self.process.terminate()
        return self.process.wait(WAIT)

    def peak_memory(self):
        """Bytes (VmHWM)."""
        status = open(f"/proc/{self.process.pid}/status").read()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) * 1024

    def link(self, address=None, timeout=60):
        return Link(address or self.address, self.certificate, timeout, self.machine)

    def enroll(self, log, name, address=None, size=1):
        host = Host(log, self.link(), name)
        token = self.run("token", "create", "--name", name).split()[-1]
        host.enroll(token, size)
        host.link = self.link(address)
        return host


def differences(cluster, host, size, more=0):
    """How the collector's rows differ from the first `size` records of a host's log; the leaf and the disclosure are made again
    from the columns. `more`: how many rows there may be behind them."""
    number = cluster.sql(f"SELECT id FROM fleet.host WHERE name = '{host.name}'")[0][0]
    rows = cluster.sql(f"""
        SELECT index, to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), kind, encode(digest, 'base64'),
            encode(salt, 'base64'), fields, next_entry, mirror_size
        FROM fleet.record JOIN fleet.host ON host.id = record.host WHERE host.id = {number} ORDER BY index""")
    log, found = host.log, []
    if not size <= len(rows) <= size + more:
        found.append(f"{host.name}: {len(rows)} rows instead of {size}")
    url = lambda text: text.replace("+", "-").replace("/", "_").rstrip("=")
    for place, (index, time_, kind, digest, salt, fields, *_) in enumerate(rows[:size]):
        leaf = (f'{{"_sd":["{url(digest)}"],"index":{index},"kind":"{kind}","schema":2,"time":"{time_}"}}').encode()
        if leaf != log.leaves[place]:
            found.append(f"{host.name}: row {place} is {leaf}, the log's leaf {log.leaves[place]}")
        text = log.disclosures[place]
        if text is not None and salt == "\\N":
            found.append(f"{host.name}: row {place} has no fields")
        elif text is not None and json.loads(text) != [url(salt), json.loads(fields)]:
            found.append(f"{host.name}: the fields of row {place} are others than the log's")
        elif text is None and (salt, fields) != ("\\N", "\\N"):
            found.append(f"{host.name}: row {place} has fields that were erased")
    # Of the same moment as the rows: a sender may still be at work.
    next_entry, mirrored = rows[0][6:] if rows else (0, 0)
    if int(next_entry) != len(rows) or not size <= int(mirrored) <= len(rows):
        found.append(f"{host.name}: next entry {next_entry}, mirror's size {mirrored} instead of {size}")
    return found


def origin_hash(log):
    """The name of the log in the collector's paths."""
    return hashlib.sha256(log.origin.encode()).hexdigest()
