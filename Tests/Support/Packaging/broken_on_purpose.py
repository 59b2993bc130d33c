"""What voicegate doctor has to find."""
import contextlib
import json
import subprocess
from pathlib import Path

from clean_debian import held


def try_each(chroot):
    """Each thing broken on purpose is found, alone, and gone when it is mended."""
    folder = "/dev/voicegate/snd"
    node, other, stayed = folder + "/pcmC0D0c", "/dev/snd/pcmC0D0p", "/dev/snd/pcmC0D0c"
    chroot.path("/dev/snd").mkdir(exist_ok=True)
    for path, minor in ((node, "24"), (other, "16")):
        subprocess.check_call(["mknod", "-m", "660", chroot.path(path), "c", "116", minor])
    chroot.run("chgrp", "voicegate", node)
    record = chroot.path("/run/udev/data/c116:24")
    record.parent.mkdir(parents=True)
    record.write_text("G:voicegate\nQ:voicegate\n")

    def attention(user=None):
        told = json.loads(chroot.run("voicegate", "doctor", "--json", user=user, status=None))
        wrong = [f for f in told["findings"] if f["verdict"] == "attention"]
        assert all(f.get("nextStep") for f in wrong), wrong
        return {f["check"] for f in wrong}, told["findings"]

    assert attention()[0] == set(), attention()
    holding = contextlib.ExitStack()
    hidden = chroot.path("/etc/udev/rules.d/72-voicegate.rules")
    action = chroot.path("/usr/share/polkit-1/actions/io.voicegate.policy")
    breaks = [
        (lambda: chroot.run("gpasswd", "--add", "bob", "voicegate"),
         lambda: chroot.run("gpasswd", "--delete", "bob", "voicegate"), {"group", "users"}),
        (lambda: chroot.run("setfacl", "-m", "u:alice:rw", node), lambda: chroot.run("setfacl", "-b", node), {"acl"}),
        (lambda: chroot.run("setfacl", "-m", "u:alice:rx", folder, "-m", "u:alice:rw", node),
         lambda: chroot.run("setfacl", "-b", folder, node), {"acl", "users"}),
        (lambda: record.write_text("G:uaccess\nQ:uaccess\n"), lambda: record.write_text("Q:voicegate\n"), {"uaccess"}),
        (lambda: chroot.run("chgrp", "audio", node), lambda: chroot.run("chgrp", "voicegate", node), {"nodes"}),
        (lambda: chroot.run("chmod", "666", node), lambda: chroot.run("chmod", "660", node), {"nodes"}),
        (lambda: chroot.run("chmod", "777", folder, node),
         lambda: chroot.run("sh", "-c", f"chmod 750 {folder}; chmod 660 {node}"), {"nodes", "users"}),
        (lambda: chroot.run("mv", node, stayed), lambda: chroot.run("mv", stayed, node), {"nodes"}),
        (lambda: holding.enter_context(held(chroot, node)), holding.close, {"otherPrograms"}),
        (lambda: hidden.symlink_to("/dev/null"), hidden.unlink, {"udevRule"}),
        (lambda: action.rename(f"{action}.away"), lambda: Path(f"{action}.away").rename(action), {"polkitAction"}),
        (lambda: chroot.run("chmod", "777", "/run/voicegate"), lambda: chroot.run("chmod", "755", "/run/voicegate"),
         {"socket", "service"}),
    ]
    for cause, mend, expected in breaks:
        cause()
        found = attention()
        assert found[0] == expected, f"expected {expected}: {found}"
        mend()
        assert attention()[0] == set(), attention()
    record.unlink()
    assert {f["check"] for f in attention()[1] if f["verdict"] == "unknown"} >= {"uaccess"}
    seen_by_alice = {f["check"]: f["verdict"] for f in attention("alice")[1]}
    assert seen_by_alice["users"] == "unknown" and seen_by_alice["otherPrograms"] == "unknown", seen_by_alice
