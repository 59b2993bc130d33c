"""Namespaces of Linux for this process and those that it starts. They end with the last of these, and with them what is in them."""
import ctypes, os, shutil, subprocess

from postgres import Missing

# CLONE_NEWNS and CLONE_NEWNET of <sched.h>; `os.unshare` and `os.setns` are of Python 3.12.
MOUNTS, NETWORK = 0x0002_0000, 0x4000_0000


def _call(function, *words):
    if getattr(ctypes.CDLL(None, use_errno=True), function)(*words):
        raise Missing(f"namespaces are not possible here: {os.strerror(ctypes.get_errno())}. Run it as root")


def enter_new(kind):
    """Call it before there are threads."""
    _call("unshare", kind)


def enter(descriptor, kind):
    """For this thread, and the processes that it starts."""
    _call("setns", descriptor, kind)


def configure(program, *words):
    """Runs mount, ip and the like, which may be in a folder that only root's PATH has."""
    path = shutil.which(program, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")
    if path is None:
        raise Missing(f"{program} is not installed. Run: Scripts/setup test")
    done = subprocess.run(
        [path, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise Missing(f"{program} is not possible here: {done.stdout.strip()}")
