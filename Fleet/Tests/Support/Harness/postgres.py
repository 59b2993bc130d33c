"""A private PostgreSQL: a cluster in a temporary folder that only this machine's user reaches, by a Unix socket.

As a program it starts one, prints the folder of its socket (for PGHOST; the user is `postgres`), and ends it when its
standard input ends:

    python3 postgres.py [FOLDER]

PostgreSQL refuses to run as root: then it runs as `postgres`, or as `nobody`. The folder is below /tmp, because that user must
reach it and a socket's path has at most 107 bytes. Only programs of PostgreSQL are used, none of Debian's wrappers: a cluster
that Debian created stays as it is.

Exit codes: 0 ended, 69 PostgreSQL is not installed.
"""
import glob, os, pathlib, pwd, re, shutil, signal, subprocess, sys, tempfile, time

WAIT = 180  # seconds; for a machine that is very busy


class Missing(Exception):
    pass


def programs():
    """The folder with the programs of the newest PostgreSQL."""
    found = glob.glob("/usr/lib/postgresql/*/bin/postgres")
    found.sort(key=lambda path: int(re.search(r"/(\d+)", path)[1]), reverse=True)
    if found:
        return pathlib.Path(found[0]).parent
    if path := shutil.which("postgres"):
        return pathlib.Path(path).resolve().parent
    raise Missing("PostgreSQL is not installed. Run: Scripts/setup database")


def owner():
    """The user that PostgreSQL runs as; `None`: this one."""
    if os.geteuid() != 0:
        return None
    for name in "postgres", "nobody":
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise Missing("there is neither a user postgres nor nobody to run PostgreSQL as")


def own_folder(parent=None):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="vg-pg-", dir=parent or "/tmp"))
    if user := owner():
        os.chown(folder, user.pw_uid, user.pw_gid)
    return folder


class Cluster:
    """One server. `standby` makes a second server of its bytes."""

    def __init__(self, folder=None, settings=()):
        self.bin, self.user = programs(), owner()
        self.folder = pathlib.Path(folder) if folder else own_folder()
        # Where the collector finds it.
        self.host = self.folder
        self.data, self.process, self.settings = self.folder / "data", None, list(settings)

    def _as_user(self):
        options = dict(stdin=subprocess.DEVNULL, cwd=self.folder)
        if self.user:
            options.update(user=self.user.pw_uid, group=self.user.pw_gid, extra_groups=[])
        return options

    def _run(self, program, *words):
        done = subprocess.run(
            [self.bin / program, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **self._as_user())
        if done.returncode:
            raise RuntimeError(f"{program} failed:\n{done.stdout}")

    def create(self, *options):
        self._run(
            "initdb", "--pgdata", self.data, "--username", "postgres", "--auth", "trust", "--encoding", "UTF8",
            "--locale", "C.UTF-8", "--no-sync", *options)
        return self

    def start(self):
        """Waits until it accepts connections; after a crash also until its predecessor's memory is free."""
        deadline = time.monotonic() + WAIT
        while True:
            self.process = subprocess.Popen(
                [self.bin / "postgres", "-D", self.data, "-k", self.folder, "-c", "listen_addresses=",
                 "-c", "logging_collector=off", *[word for line in self.settings for word in ("-c", line)]],
                stdout=open(self.folder / "log", "ab"), stderr=subprocess.STDOUT, start_new_session=True,
                **self._as_user())
            while self.process.poll() is None:
                if self.is_ready():
                    return self
                if time.monotonic() > deadline:
                    raise RuntimeError(f"PostgreSQL was not ready in {WAIT} s:\n{self.log()}")
                time.sleep(0.02)
            if time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL does not start:\n{self.log()}")
            time.sleep(0.1)

    def is_ready(self):
        return subprocess.run(
            [self.bin / "pg_isready", "-q", "-h", self.folder], stdin=subprocess.DEVNULL).returncode == 0

    def log(self):
        return "".join(open(self.folder / "log", errors="replace").readlines()[-20:])

    def kill(self):
        """As if the machine's process table were swept: the server and its children, at once and without a word."""
        victims = [self.process.pid, *children(self.process.pid)]
        for pid in victims:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()

    def stop(self):
        """Ends sessions and shuts down in order."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(WAIT)
            except subprocess.TimeoutExpired:
                self.kill()

    def remove(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def sql(self, text, database="postgres"):
        """Runs SQL by psql; columns are separated by tabs, and NULL is the text `\\N`."""
        done = subprocess.run(
            [self.bin / "psql", "-h", self.folder, "-U", "postgres", "-d", database, "-XAtq", "-F", "\t",
             "-P", "null=\\N", "-v", "ON_ERROR_STOP=1", "-f", "-"],
            input=text, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"psql: {done.stderr.strip()}\n{text[:500]}")
        return [line.split("\t") for line in done.stdout.splitlines()]

    def standby(self, folder=None):
        """A streaming replica of this one, started; in the folder of a former server, whose data go."""
        copy = Cluster(folder, self.settings)
        shutil.rmtree(copy.data, ignore_errors=True)
        copy._run(
            "pg_basebackup", "-h", self.folder, "-U", "postgres", "-D", copy.data, "-X", "stream", "-c", "fast", "--no-sync")
        (copy.data / "standby.signal").touch()
        with open(copy.data / "postgresql.auto.conf", "a") as file:
            file.write(f"primary_conninfo = 'host={self.folder} user=postgres'\n")
        if copy.user:
            for path in copy.data / "standby.signal", copy.data / "postgresql.auto.conf":
                os.chown(path, copy.user.pw_uid, copy.user.pw_gid)
        return copy.start()

    def wait_for_standby(self):
        """Waits until commits wait for the replica."""
        deadline = time.monotonic() + WAIT
        while not self.sql("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'"):
            if time.monotonic() > deadline:
                raise RuntimeError(f"the replica is not in step:\n{self.log()}")
            time.sleep(0.05)

    def promote(self):
        if self.sql("SELECT pg_promote(true, 120)") != [["t"]]:
            raise RuntimeError(f"the replica was not promoted:\n{self.log()}")


def children(pid):
    """Of a process, and theirs."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            for child in open(f"/proc/{pid}/task/{task}/children").read().split():
                found += [int(child), *children(int(child))]
    except OSError:
        pass
    return found


def main():
    try:
        cluster = Cluster(own_folder(sys.argv[1] if len(sys.argv) > 1 else None), ["max_connections=50"])
    except Missing as error:
        print(error, file=sys.stderr)
        return 69
    for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
        signal.signal(number, lambda *_: sys.exit(0))
    try:
        cluster.create().start()
        print(cluster.folder, flush=True)
        sys.stdin.buffer.read()
    finally:
        cluster.remove()
    return 0


if __name__ == "__main__":
    sys.exit(main())
