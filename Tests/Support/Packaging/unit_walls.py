#!/usr/bin/env python3
"""Starts a service inside the walls that its systemd unit describes, where no systemd runs:

    unit_walls.py ROOT UNIT

ROOT is an installed system, UNIT the path of the service's unit in it. The socket is bound by root, as systemd does it,
and handed over. Directives that are not tried are listed on standard error, one a line. Ends by becoming the
service.
"""
import ctypes
import fcntl
import os
import pwd
import re
import resource
import socket
import subprocess
import sys

libc = ctypes.CDLL(None, use_errno=True)
seccomp = ctypes.CDLL("libseccomp.so.2", use_errno=True)
seccomp.seccomp_init.restype = ctypes.c_void_p
for function in ("seccomp_load", "seccomp_rule_add_array"):
    getattr(seccomp, function).argtypes = None

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
CLONE = {"NEWNS": 0x00020000, "NEWCGROUP": 0x02000000, "NEWUTS": 0x04000000, "NEWIPC": 0x08000000,
         "NEWUSER": 0x10000000, "NEWPID": 0x20000000, "NEWNET": 0x40000000}
CAPABILITIES = {"CAP_SYS_PTRACE": 19}
ALLOW, EPERM, EAFNOSUPPORT, ENOSYS = 0x7FFF0000, 0x00050000 | 1, 0x00050000 | 97, 0x00050000 | 38
NE, EQ, MASKED_EQ = 1, 4, 7
# Directives that say nothing about walls, or that a different one of the list brings along here.
TRIED_OTHERWISE = {
    "Type", "Restart", "RestartSec", "Group", "StateDirectoryMode", "TasksMax", "PrivateMounts", "KeyringMode", "RemoveIPC",
    "RestartPreventExitStatus", "TimeoutStartSec", "TimeoutAbortSec",
}
# Where a service reports to its manager, if anything listens there.
NOTIFY = "/run/notify"


class Compare(ctypes.Structure):
    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


def check(result, what):
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def mount(source, target, kind=None, flags=0, data=None):
    encode = lambda text: None if text is None else text.encode()
    check(libc.mount(encode(source), target.encode(), encode(kind), ctypes.c_ulong(flags), encode(data)),
          f"mount {target}")


def read_unit(path, wanted="[Service]"):
    """Key → values, in order."""
    text = re.sub(r"\\\n\s*", " ", open(path).read())
    unit, section = {}, None
    for line in text.splitlines():
        if line.startswith("["):
            section = line
        elif section == wanted and "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            unit.setdefault(key, []).append(value.strip())
    return unit


def call_sets():
    """systemd's groups of system calls, by its own word."""
    found, name = {}, None
    for line in subprocess.check_output(["systemd-analyze", "syscall-filter", "--no-pager"], text=True).splitlines():
        if line.startswith("@"):
            name = line.strip()
            found[name] = []
        elif name and line.startswith("    ") and not line.strip().startswith("#"):
            found[name].append(line.strip())
    return found


def allowed_calls(lines):
    sets = call_sets()

    def expanded(word):
        if not word.startswith("@"):
            return {word}
        return set().union(*(expanded(inner) for inner in sets[word])) if sets[word] else set()

    allowed = set()
    for line in lines:
        words = set().union(*(expanded(word) for word in line.lstrip("~").split()))
        allowed = allowed - words if line.startswith("~") else allowed | words
    return allowed | expanded("@default")


def filter_calls(default, rules):
    """rules: (action, call, comparisons)"""
    context = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(default)))
    for action, call, comparisons in rules:
        number = seccomp.seccomp_syscall_resolve_name(call.encode())
        if number < 0:
            continue
        array = (Compare * max(1, len(comparisons)))(*[Compare(*c) for c in comparisons])
        check(-abs(seccomp.seccomp_rule_add_array(
            context, ctypes.c_uint32(action), number, ctypes.c_uint(len(comparisons)), array)), call)
    return context


def load(context):
    check(-abs(seccomp.seccomp_load(context)), "seccomp_load")


def is_on(unit, key):
    return unit.get(key, ["no"])[-1] in ("yes", "true")


def main(root, unit_path):
    check(libc.unshare(CLONE["NEWNS"]), "unshare")
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    os.chroot(root)
    os.chdir("/")
    unit = read_unit(unit_path)
    tried = set(TRIED_OTHERWISE)

    def value(key):
        tried.add(key)
        return unit.get(key, [None])[-1]

    user = pwd.getpwnam(value("User"))
    filters = []
    if "SystemCallFilter" in unit:
        tried.update({"SystemCallFilter", "SystemCallErrorNumber", "SystemCallArchitectures"})
        calls = allowed_calls(unit["SystemCallFilter"])
        filters.append(filter_calls(EPERM, [(ALLOW, call, []) for call in sorted(calls)]))
    rules = []
    if value("RestrictAddressFamilies") == "AF_UNIX":
        rules.append((EAFNOSUPPORT, "socket", [(0, NE, socket.AF_UNIX, 0)]))
    if value("RestrictNamespaces") == "yes":
        rules += [(EPERM, "clone", [(0, MASKED_EQ, flag, flag)]) for flag in CLONE.values()]
        rules += [(ENOSYS, "clone3", []), (EPERM, "unshare", []), (EPERM, "setns", [])]
    if value("MemoryDenyWriteExecute") == "yes":
        rules += [(EPERM, "mmap", [(2, MASKED_EQ, 6, 6)]), (EPERM, "mprotect", [(2, MASKED_EQ, 4, 4)]),
                  (EPERM, "pkey_mprotect", [(2, MASKED_EQ, 4, 4)])]
    if value("LockPersonality") == "yes":
        rules.append((EPERM, "personality", [(0, NE, 0, 0)]))
    filters.append(filter_calls(ALLOW, rules))

    os.umask(0)
    listeners = []
    for path in read_unit(unit_path.replace(".service", ".socket"), "[Socket]")["ListenStream"]:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(path)
        listener.listen(128)
        # Out of the way of the descriptors that they are to be.
        listeners.append(fcntl.fcntl(listener.detach(), fcntl.F_DUPFD_CLOEXEC, 32))

    state = "/var/lib/" + value("StateDirectory")
    os.makedirs(state, exist_ok=True)
    os.chown(state, user.pw_uid, user.pw_gid)
    os.chmod(state, 0o700)

    flags = CLONE["NEWNET"] if value("PrivateNetwork") == "yes" else 0
    flags |= CLONE["NEWIPC"] if value("PrivateIPC") == "yes" else 0
    check(libc.unshare(flags), "unshare")
    mount(state, state, None, MS_BIND)
    if value("PrivateTmp") == "yes":
        for folder in ("/tmp", "/var/tmp"):
            mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV)
    if value("BindPaths"):
        source, target = value("BindPaths").split(":")
        if os.path.exists(source.removeprefix("-")) or not source.startswith("-"):
            os.makedirs(target, exist_ok=True)
            mount(source.removeprefix("-"), target, None, MS_BIND)
    if value("ProtectHome") == "read-only":
        mount("/home", "/home", None, MS_BIND)
        mount(None, "/home", None, MS_REMOUNT | MS_BIND | MS_RDONLY)
    if value("ReadOnlyPaths") == "/proc":
        if value("ReadWritePaths") == "/proc/self":
            mount("/proc/self", "/proc/self", None, MS_BIND)
        mount(None, "/proc", None, MS_REMOUNT | MS_BIND | MS_RDONLY)
        tried.add("ProtectKernelTunables")
    if value("ProtectSystem") == "strict":
        for folder in ("/", "/run"):
            mount(None, folder, None, MS_REMOUNT | MS_BIND | MS_RDONLY)

    number = int(value("LimitNOFILE"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (number, number))
    os.umask(int(value("UMask"), 8))
    kept = [CAPABILITIES[name] for name in value("AmbientCapabilities").split()]
    bounding = [CAPABILITIES[name] for name in value("CapabilityBoundingSet").split()]
    for capability in range(64):
        if capability not in bounding:
            libc.prctl(24, capability, 0, 0, 0)
    check(libc.prctl(8, 1, 0, 0, 0), "PR_SET_KEEPCAPS")
    os.setgroups([])
    os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
    os.setresuid(user.pw_uid, user.pw_uid, user.pw_uid)
    bits = sum(1 << capability for capability in kept)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    check(libc.capset(header, (ctypes.c_uint32 * 6)(bits, bits, bits, 0, 0, 0)), "capset")
    for capability in kept:
        check(libc.prctl(47, 2, capability, 0, 0), "PR_CAP_AMBIENT_RAISE")
    if value("NoNewPrivileges") == "yes":
        check(libc.prctl(38, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS")

    for number, listener in enumerate(listeners):
        os.dup2(listener, 3 + number, inheritable=True)
    environment = {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8",
        "HOME": user.pw_dir, "USER": user.pw_name, "LOGNAME": user.pw_name, "STATE_DIRECTORY": state,
        "LISTEN_FDS": str(len(listeners)), "LISTEN_PID": str(os.getpid()),
    }
    if value("Type") == "notify" and os.path.exists(NOTIFY):
        environment |= {
            "NOTIFY_SOCKET": NOTIFY, "WATCHDOG_PID": str(os.getpid()),
            "WATCHDOG_USEC": str(int(value("WatchdogSec")) * 1_000_000)}
    command = value("ExecStart").split()
    for directive in sorted(set(unit) - tried):
        print(f"not tried: {directive}={' '.join(unit[directive])}", file=sys.stderr)
    sys.stderr.flush()
    for context in filters:
        load(context)
    os.execve(command[0], command, environment)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: unit_walls.py ROOT UNIT")
    main(*sys.argv[1:])
