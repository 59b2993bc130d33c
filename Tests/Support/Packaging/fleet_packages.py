"""The packages of many machines: a collector and the questions where no service is, and then a sender beside the service."""
import os
import shutil
import socket
import stat
import subprocess
import sys
from pathlib import Path

from clean_debian import eventually, named_like_us

HARNESS = Path(__file__).resolve().parents[3] / "Fleet/Tests/Support/Harness"
FOLDER, KEY = "/etc/voicegate-collector", "/etc/voicegate-collector/collector.key"
LISTEN = "/tmp/collector.sock"
ERASE = "voicegate-collector voicegate-collector/erase-key boolean true"
FILES = {
    "voicegate-collector": [
        "/usr/bin/voicegate-collector", FOLDER + "/config.yaml", "/usr/share/voicegate-collector/alerts.yml",
        "/usr/share/man/man8/voicegate-collector.8.gz", "/usr/share/man/man8/voicegate-collector-serve.8.gz",
        "/usr/share/bash-completion/completions/voicegate-collector"],
    "voicegate-fleet": [
        "/usr/bin/voicegate-fleet", "/usr/lib/voicegate-fleet/libswiftCore.so", "/usr/share/man/man1/voicegate-fleet.1.gz",
        "/usr/share/man/man1/voicegate-fleet-verify.1.gz"],
    "voicegate-sender": ["/usr/bin/voicegate-sender", "/usr/share/man/man8/voicegate-sender.8.gz"],
}


class Database:
    """A server outside of the chroot, whose socket is where libpq of Debian looks for it."""

    def __init__(self, chroot):
        self.process = subprocess.Popen(
            [sys.executable, "-B", str(HARNESS / "postgres.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.host = self.process.stdout.readline().strip()
        assert self.host, "PostgreSQL did not start"
        # The collector's user reaches the socket; the data beside it has its own mode.
        os.chmod(self.host, 0o711)
        place = chroot.path("/run/postgresql")
        place.mkdir()
        subprocess.check_call(["mount", "--bind", self.host, place])
        # As Documentation/Fleet.md does it.
        self.ask("postgres", 'CREATE ROLE "voicegate-collector" LOGIN')
        self.ask("postgres", 'CREATE DATABASE voicegate OWNER "voicegate-collector"')
        self.ask("postgres", "CREATE ROLE fleet_auditor")
        self.ask("postgres", "CREATE ROLE fleet_admin")

    def ask(self, name, question):
        return subprocess.check_output(
            ["psql", "--host", self.host, "--username", "postgres", "--no-psqlrc", "--tuples-only", "--no-align", "--command",
             question, name], text=True).strip()

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)


def try_each(chroot, folder, package):
    version = Path(package).name.split("_", 1)[1]

    def install(*names):
        # By names that are not like the package's, of which a purge must leave nothing.
        copies = [f"/var/tmp/{number}.deb" for number, _ in enumerate(names)]
        for name, copy in zip(names, copies):
            shutil.copy(Path(folder) / f"{name}_{version}", chroot.path(copy))
        chroot.run("apt-get", "install", "-y", "--no-install-recommends", *copies)
        for name in names:
            for place in [*FILES.get(name, []), f"/usr/share/doc/{name}/copyright", f"/usr/share/{name}/sbom.spdx.json"]:
                assert chroot.path(place).exists(), f"{place} is missing"

    def as_collector(*command, status=0):
        return chroot.run("runuser", "-u", "voicegate-collector", "--", *command, status=status)

    install("voicegate-fleet", "voicegate-collector")
    assert not chroot.path("/usr/bin/voicegate").exists(), "a collector needs the service's package"
    check_collector(chroot, as_collector)
    database = Database(chroot)
    try:
        serve(chroot, as_collector)
        install("voicegate", "voicegate-sender")
        check_sender(chroot)
        purge(chroot, install, database)
    finally:
        database.end()


def check_collector(chroot, as_collector):
    chroot.run("systemd-analyze", "verify", "--man=no", "/lib/systemd/system/voicegate-collector.service")
    wanted = chroot.path("/etc/systemd/system/multi-user.target.wants/voicegate-collector.service")
    assert not wanted.is_symlink(), "it starts without a key"
    # An upgrade restarts one that runs, and a removal stops it.
    scripts = {path.suffix: path.read_text() for path in chroot.path("/var/lib/dpkg/info").glob("voicegate-collector.p*")}
    assert "_dh_action=restart" in scripts[".postinst"] and ".preinst" not in scripts, scripts
    assert "deb-systemd-invoke stop 'voicegate-collector.service'" in scripts[".prerm"], scripts
    status = chroot.path(FOLDER).stat()
    assert (status.st_uid, stat.S_IMODE(status.st_mode)) == (0, 0o1770), status
    # The configuration as it is installed: all of it is comments.
    assert "key new" in as_collector("voicegate-collector", "serve", status=1)
    assert as_collector("voicegate-collector", "key", "new", "collector.example").count("\n") == 2
    key = chroot.path(KEY).stat()
    owner = int(chroot.run("id", "-u", "voicegate-collector"))
    assert (key.st_uid, stat.S_IMODE(key.st_mode)) == (owner, 0o600), key
    # It writes its key here, and cannot put another configuration in place.
    as_collector("mv", KEY, FOLDER + "/config.yaml", status=1)
    chroot.run("ls", FOLDER, user="alice", status=2)


def serve(chroot, as_collector):
    with open(chroot.path(FOLDER + "/config.yaml"), "a") as settings:
        settings.write(f"database: dbname=voicegate\nlisten: unix:{LISTEN}\n")
    assert as_collector("voicegate-collector", "migrate").startswith("Applied: ")
    as_collector("voicegate-collector", "token", "create", "--name", "desk17")
    process = subprocess.Popen(
        # Not by runuser, which kills what it started two seconds after it was ended itself.
        ["chroot", str(chroot.root), "setpriv", "--reuid", "voicegate-collector", "--regid", "voicegate-collector",
         "--init-groups", "--reset-env", "voicegate-collector", "serve"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        eventually(lambda: chroot.path(LISTEN).exists() or process.poll() is not None, "a collector that listens")
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.connect(str(chroot.path(LISTEN)))
            client.sendall(b"GET /ready HTTP/1.1\r\nHost: collector.example\r\nConnection: close\r\n\r\n")
            answer = client.makefile("rb").readline().decode()
        assert " 200 " in answer, answer
    finally:
        process.terminate()
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert chroot.run("runuser", "-u", "voicegate-collector", "--", "voicegate-fleet", "hosts", "--database", "dbname=voicegate")


def check_sender(chroot):
    chroot.run("systemd-analyze", "verify", "--man=no", "/lib/systemd/system/voicegate-sender.service")
    chroot.run("voicegate-sender", "--version")
    chroot.run("voicegate-fleet", "hosts", "--database", "host=/run/postgresql user=voicegate-collector dbname=voicegate")
    chroot.path("/var/lib/voicegate-sender/credential.json").write_text("{}")


def purge(chroot, install, database):
    """The token goes; the key stays unless it is answered that it shall not; the database is never touched."""
    def stored():
        return database.ask("voicegate", "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'fleet'")

    def account():
        fields = chroot.run("getent", "shadow", "voicegate-collector").rstrip("\n").split(":")
        return fields[1].startswith("!"), fields[7]

    tables, key = stored(), chroot.path(KEY).read_bytes()
    assert int(tables) > 5 and key
    chroot.run("apt-get", "purge", "-y", "voicegate-sender", "voicegate-collector")
    assert not chroot.path("/var/lib/voicegate-sender").exists()
    assert chroot.path(KEY).read_bytes() == key and not chroot.path(FOLDER + "/config.yaml").exists()
    assert account() == (True, "1"), account()
    install("voicegate-collector")
    assert account()[1] == "" and chroot.path(KEY).read_bytes() == key
    chroot.run("sh", "-c", f"echo '{ERASE}' | debconf-set-selections")
    chroot.run("sh", "-c", "echo voicegate voicegate/erase-log boolean true | debconf-set-selections")
    chroot.run("apt-get", "purge", "-y", "voicegate-collector", "voicegate-fleet", "voicegate")
    assert stored() == tables, "a purge changed the database"
    left = named_like_us(chroot.root)
    assert not left, f"left behind: {left}"
