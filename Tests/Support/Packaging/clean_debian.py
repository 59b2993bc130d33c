"""An installed system in a folder, and the package's service in it, inside the walls of its unit."""
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from unit_walls import NOTIFY

HERE = Path(__file__).resolve().parent
UNIT = "/lib/systemd/system/voicegate.service"
CLIENT = "io.voicegate.cli"


class Chroot:
    def __init__(self, root):
        self.root = Path(root)
        self.service = None

    def path(self, inside):
        return self.root / inside.lstrip("/")

    def run(self, *command, user=None, status=0, environment=None):
        """Runs a command to its end and returns its output; both kinds, as a person sees them."""
        words = ["chroot", str(self.root)]
        if user:
            words += ["setpriv", "--reuid", user, "--regid", user, "--init-groups", "--reset-env"]
        result = subprocess.run(
            words + list(command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=180,
            # As for a login: what runs beside the namespace's first process may be an orphan of any program.
            stdin=subprocess.DEVNULL, start_new_session=True,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
                 **(environment or {})})
        assert status is None or result.returncode == status, f"{' '.join(command)} ended with {result.returncode}: {result.stdout}"
        return result.stdout

    def at_terminal(self, user, command):
        """Starts a command as the foreground job of its own terminal."""
        return subprocess.Popen(
            ["chroot", str(self.root), "setpriv", "--reuid", user, "--regid", user, "--init-groups", "--reset-env",
             "script", "-qefc", f"exec {command}", "/dev/null"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)

    def start_service(self):
        self.log = open(self.root.parent / "service.log", "a+")
        manager, place = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM), self.path(NOTIFY)
        place.unlink(missing_ok=True)
        manager.bind(str(place))
        place.chmod(0o777)
        manager.settimeout(1)
        self.service = subprocess.Popen(
            [sys.executable, str(HERE / "unit_walls.py"), str(self.root), UNIT], stdout=self.log, stderr=self.log)
        # The listening socket is there before the service is, which says when it is ready, and then that it works.
        heard, deadline = set(), time.monotonic() + 60
        while not {"READY=1", "WATCHDOG=1"} <= heard:
            try:
                heard.add(manager.recv(100).decode())
            except TimeoutError:
                pass
            assert self.service.poll() is None and time.monotonic() < deadline, f"the service said {heard}: {self.service_log()}"

    def stop_service(self):
        self.service.terminate()
        self.service.wait(timeout=30)
        for socket in self.path("/run/voicegate").glob("*.sock"):
            socket.unlink()
        self.service = None

    def service_log(self):
        self.log.flush()
        return Path(self.log.name).read_text()[-4000:]

    def records(self, user=None):
        return [json.loads(line) for line in self.run("voicegate", "audit", "records", "--json", user=user).splitlines()]

    def allow(self, user):
        for resource in ("speechRecognition", "microphone"):
            self.run("voicegate", "settings", CLIENT, "--allow", resource, "--user", user, "--quiet")


@contextlib.contextmanager
def held(chroot, node):
    """A process of root that has the node open: by its place alone, as there is no driver here. The kernel lists it like an open one."""
    holder = subprocess.Popen(
        ["chroot", str(chroot.root), "perl", "-e",
         'use Fcntl; sysopen(F, "%s", 010000000) or die $!; $| = 1; print "held\n"; sleep 600' % node],
        stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "held\n"
    try:
        yield holder.pid
    finally:
        holder.kill()
        holder.wait()


def eventually(condition, what):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, f"there is never {what}"
        time.sleep(0.05)


def mounted(root):
    # A separate mount, so that the service can be given it read-only.
    subprocess.check_call(["mount", "--bind", root, root])
    for kind, folder in (("proc", "proc"), ("tmpfs", "run"), ("tmpfs", "tmp"), ("tmpfs", "dev")):
        subprocess.check_call(["mount", "-t", kind, kind, root / folder])
    os.chmod(root / "tmp", 0o1777)
    for name, minor in (("null", 3), ("zero", 5), ("full", 7), ("random", 8), ("urandom", 9)):
        subprocess.check_call(["mknod", "-m", "666", root / "dev" / name, "c", "1", str(minor)])
    subprocess.check_call(["mknod", "-m", "666", root / "dev/tty", "c", "5", "0"])
    (root / "dev/pts").mkdir()
    subprocess.check_call(["mount", "-t", "devpts", "-o", "newinstance,ptmxmode=0666,mode=0620", "devpts",
                           root / "dev/pts"])
    os.symlink("pts/ptmx", root / "dev/ptmx")
    os.symlink("/proc/self/fd", root / "dev/fd")


def named_like_us(root):
    """What bears the package's name, where a package puts something."""
    found = subprocess.run(
        ["find", str(root), "-xdev", "(", "-path", f"{root}/proc", "-o", "-path", f"{root}/home", ")", "-prune", "-o",
         "-iname", "*voicegate*", "-print"], capture_output=True, text=True, check=True).stdout.split()
    return sorted("/" + str(Path(path).relative_to(root)) for path in found)
