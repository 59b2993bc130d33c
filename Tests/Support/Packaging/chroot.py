#!/usr/bin/env python3
"""Installs the package into a clean Debian, uses it as several users would, upgrades, removes and purges it; then those of many
machines, which are beside it:

    unshare --mount --pid --fork --kill-child chroot.py BASE WORK PACKAGE PLUGIN SPEECH

BASE is what debootstrap made, WORK a folder that is made and removed, PLUGIN the virtual microphone, SPEECH 16 kHz mono
samples. As root, as process 1 of a process namespace: processes left running end with it.

Prints one JSON object for each step: name, ok, detail. Ends with 1 where a step failed; later steps are then not tried.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import time
import traceback
import wave
from pathlib import Path

import broken_on_purpose
import fleet_packages
from clean_debian import CLIENT, UNIT, Chroot, eventually, held, mounted, named_like_us

SAID = "go forward ten meters"
NODE = "/dev/snd/pcmC0D0c"


def main(base, work, package, plugin, speech):
    root = Path(work) / "root"
    chroot = Chroot(root)
    kept_files = []

    def prepare():
        shutil.rmtree(work, ignore_errors=True)
        Path(work).mkdir(parents=True)
        subprocess.check_call(["cp", "-a", "--reflink=auto", base, root])
        mounted(root)
        for name in ("alice", "bob", "carol"):
            chroot.run("useradd", "--create-home", "--shell", "/bin/bash", name)
        return {"before": named_like_us(root)}

    def install():
        shutil.copy(package, chroot.path("/var/tmp/first.deb"))
        chroot.run("apt-get", "install", "-y", "--no-install-recommends", "/var/tmp/first.deb")
        chroot.run("getent", "passwd", "voicegate")
        members = chroot.run("getent", "group", "voicegate").strip().split(":")[3]
        assert members == "", f"the group has members: {members}"
        chroot.run("systemd-analyze", "verify", "--man=no", "/lib/systemd/system/voicegate.socket", UNIT)
        for place in ("/usr/bin/voicegate", "/usr/libexec/voicegate/voicegate-recognizer",
                      "/lib/udev/rules.d/72-voicegate.rules", "/lib/udev/voicegate-nodes", "/dev/voicegate/snd",
                      "/usr/share/polkit-1/actions/io.voicegate.policy",
                      "/usr/share/man/man1/voicegate-dictate.1.gz", "/usr/share/doc/voicegate/copyright",
                      "/usr/share/voicegate/sbom.spdx.json"):
            assert chroot.path(place).exists(), f"{place} is missing"
        assert not chroot.path("/opt").exists() or not os.listdir(chroot.path("/opt"))
        chroot.run("voicegate", "--version")

    def device():
        folder = chroot.path("/usr/lib/voicegate-test")
        folder.mkdir()
        shutil.copy(plugin, folder / "plugin.so")
        # The build gives it Swift's library to load, of which it uses nothing.
        subprocess.check_call(["patchelf", "--remove-rpath", "--remove-needed", "libswiftCore.so", folder / "plugin.so"])
        with wave.open(str(folder / "speech.wav"), "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(16_000)
            sound.writeframes(Path(speech).read_bytes())
        chroot.path("/etc/asound.conf").write_text(
            'pcm_type.voicegate { lib "/usr/lib/voicegate-test/plugin.so" }\n'
            'pcm.!default { type voicegate file "/usr/lib/voicegate-test/speech.wav" speed 1 loop no }\n')
        policies = chroot.path("/etc/voicegate/policy.d/carol.yaml")
        policies.write_text("deny: [{resource: all, user: carol, reason: Not in this house.}]\n")

    def service():
        chroot.start_service()
        processes = chroot.path("/proc")
        process = processes / str(chroot.service.pid)
        status = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines() if ":\t" in line)
        assert status["CapEff"].strip() == "0000000000080000", status["CapEff"]
        assert status["Uid"].split()[0] != "0" and status["NoNewPrivs"] == "1" and status["Seccomp"] == "2"
        for thread in (process / "task").iterdir():
            lines = (thread / "status").read_text()
            assert "CapAmb:\t0000000000000000" in lines and "CapInh:\t0000000000000000" in lines, lines
        def score(which):
            return int((which / "oom_score_adj").read_text())

        def workers():
            return [processes / child for thread in (process / "task").iterdir()
                    for child in (thread / "children").read_text().split()]

        # They are made ready while it listens already.
        eventually(workers, "a recogniser")
        for worker in workers():
            # Between its beginning and its becoming the recogniser it is a copy of the service.
            eventually(lambda: os.readlink(worker / "exe").endswith("voicegate-recognizer"), "a recogniser that has begun")
            assert "CapPrm:\t0000000000000000" in (worker / "status").read_text()
            # Memory that runs out ends it and not the service.
            assert score(worker) == min(score(process) + 500, 1000), (score(worker), score(process))
        network = os.readlink(process / "ns/net")
        assert network != os.readlink(processes / "1/ns/net")

    def dictate():
        for user in ("alice", "bob"):
            chroot.allow(user)
        running = {user: chroot.at_terminal(user, "voicegate dictate --stop-after-silence 2") for user in ("alice", "bob")}
        for user, command in running.items():
            output, _ = command.communicate(timeout=120)
            assert command.returncode == 0 and SAID in output, f"{user}: {command.returncode} {output}"
        # At a console the shell is login's child, in its session, and the service may not look at its descriptors.
        console = subprocess.run(
            ["chroot", str(root), "script", "-qec", "exec login -f alice", "/dev/null"],
            input="voicegate dictate --stop-after-silence 2; exit\n", capture_output=True, text=True, timeout=120)
        assert SAID in console.stdout, console.stdout

    def refuse():
        command = chroot.at_terminal("carol", "voicegate dictate --stop-after-silence 2")
        output, _ = command.communicate(timeout=60)
        assert command.returncode == 77, f"{command.returncode} {output}"
        assert "Not in this house." in output, output
        chroot.run("voicegate", "settings", CLIENT, "--allow", "microphone", "--user", "alice", user="bob", status=77)

    def apart():
        everything = chroot.records()
        numbers = {user: int(chroot.run("id", "-u", user)) for user in ("alice", "bob", "carol")}
        for user, number in numbers.items():
            own = chroot.records(user)
            others = {record["fields"].get("user") for record in own} - {number, None}
            assert not others, f"{user} reads records about {others}"
            kinds = [record["kind"] for record in own if record["fields"].get("user") == number]
            assert ("session.started" in kinds) == (user != "carol"), f"{user}: {kinds}"
        decided = [record for record in chroot.records("alice") if record["kind"] == "decision.granted"]
        assert [record["fields"]["indication"] for record in decided] == ["administrator"] * 2, decided
        assert {record["fields"]["decidedByUser"] for record in decided} == {0}
        assert len(everything) > len(chroot.records("alice"))
        chroot.run("voicegate", "audit", "backup", "/tmp/backup", user="alice", status=77)

    def taken_away():
        """Revoking needs neither a password nor a terminal; there is no polkit here, so permitting more is refused."""
        def statuses():
            settings = json.loads(chroot.run("voicegate", "settings", "--json", "--no-input", user="bob"))
            return {entry["resource"]: entry["status"] for entry in settings["entries"] if entry["client"] == CLIENT}

        assert statuses() == {"microphone": "authorized", "speechRecognition": "authorized"}, statuses()
        chroot.run("voicegate", "settings", CLIENT, "--deny", "microphone", user="bob")
        chroot.run("voicegate", "reset", "speechRecognition", "--client", CLIENT, user="bob")
        assert statuses() == {"microphone": "denied", "speechRecognition": "notDetermined"}, statuses()
        chroot.run("voicegate", "settings", CLIENT, "--allow", "microphone", user="bob", status=77)
        command = chroot.at_terminal("bob", f"voicegate settings {CLIENT} --allow microphone")
        output, _ = command.communicate(timeout=60)
        assert command.returncode != 0 and "polkit" in output, f"{command.returncode} {output}"
        assert statuses()["microphone"] == "denied", statuses()
        chroot.allow("bob")

    def container():
        """Another root folder and process namespace, with the host's program and socket mounted into it."""
        place = chroot.path("/srv/container")
        for folder in ("usr", "etc", "proc", "dev", "run/voicegate", "tmp", "home"):
            (place / folder).mkdir(parents=True)
        for link in ("bin", "lib", "lib64"):
            os.symlink(f"usr/{link}", place / link)
        inside = "; ".join(
            [f"mount --rbind /{folder} /srv/container/{folder}" for folder in ("usr", "etc", "dev", "run/voicegate", "home")]
            + ["mount -t proc proc /srv/container/proc",
               "exec chroot /srv/container setpriv --reuid \"$1\" --regid \"$1\" --init-groups --reset-env script -qefc "
               "'exec voicegate dictate --stop-after-silence 2' /dev/null"])
        for user, status in (("alice", 0), ("carol", 77)):
            command = subprocess.run(
                ["unshare", "--mount", "--pid", "--fork", "--kill-child", "chroot", str(root), "sh", "-ec", inside, "sh",
                 user],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, timeout=120)
            assert command.returncode == status, f"{user}: {command.returncode} {command.stdout}"
            assert (SAID in command.stdout) == (status == 0), command.stdout
        shutil.rmtree(place)

    def manifests():
        home = chroot.path("/home/alice")
        (home / "bin").mkdir()
        shutil.copy(chroot.path("/usr/bin/cat"), home / "bin/notes")
        os.chmod(home, 0o700)
        manifest = home / "Info.plist"
        manifest.write_text(
            '<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>'
            "<key>CFBundleIdentifier</key><string>org.example.notes</string>"
            "<key>CFBundleExecutable</key><string>/home/alice/bin/notes</string>"
            "<key>NSSpeechRecognitionUsageDescription</key><string>Turns what you say into notes that stay here.</string>"
            "<key>NSMicrophoneUsageDescription</key><string>Listens while you dictate a note, and keeps no sound.</string>"
            "<key>VoiceGateDataKinds</key><array><string>liveAudio</string><string>transcript</string></array>"
            "<key>VoiceGatePurpose</key><string>To write your notes.</string><key>VoiceGateRecipients</key><array/>"
            "</dict></plist>")
        alice = int(chroot.run("id", "-u", "alice"))
        subprocess.check_call(["chown", "-R", f"{alice}:{alice}", home])
        # Without a terminal or a desktop it could be any program of the user.
        install = "voicegate manifest install /home/alice/Info.plist"
        remove, erase = "voicegate manifest remove org.example.notes", "voicegate history erase --all"
        for act in (install, remove, erase):
            text = chroot.run(*act.split(), user="alice", status=77)
            assert "foreground" in text, text
        # There is no polkit to confirm it by; root does not confirm.
        for user, act, status, said in (
                ("alice", install, 77, "polkit"), ("alice", remove, 77, "polkit"), ("alice", erase, 77, "polkit"),
                ("root", install, 0, "for you alone")):
            command = chroot.at_terminal(user, act)
            text, _ = command.communicate(timeout=60)
            assert command.returncode == status and said in text, f"{user}: {act}: {command.returncode} {text}"
        shown = {user: chroot.run("voicegate", "settings", "--json", "--no-input", user=user) for user in ("root", "alice")}
        assert "org.example.notes" in shown["root"] and "org.example.notes" not in shown["alice"]
        chroot.run("voicegate", "manifest", "remove", "org.example.notes", user="root")
        assert "org.example.notes" not in chroot.run("voicegate", "settings", "--json", "--no-input", user="root")

    def doctor():
        broken_on_purpose.try_each(chroot)

    def upgraded():
        before = chroot.records()
        chroot.stop_service()
        # The same with a higher version.
        tree, second = Path(work) / "tree", chroot.path("/var/tmp/second.deb")
        subprocess.check_call(["dpkg-deb", "--raw-extract", package, tree])
        control = tree / "DEBIAN/control"
        control.write_text(re.sub(r"(?m)^Version: (.*)$", r"Version: \1+upgrade", control.read_text()))
        subprocess.check_call(
            ["dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, second], stdout=subprocess.DEVNULL)
        chroot.run("apt-get", "install", "-y", "--no-install-recommends", "/var/tmp/second.deb")
        chroot.start_service()
        after = chroot.records()
        assert after[:len(before)] == before, "records are missing after the upgrade"
        assert "verifies" in chroot.run("voicegate", "audit", "verify")
        command = chroot.at_terminal("bob", "voicegate dictate --stop-after-silence 2")
        output, _ = command.communicate(timeout=120)
        assert command.returncode == 0 and SAID in output, f"the earlier grant: {output}"

    def removed():
        chroot.stop_service()
        # Where udev does not run, nodes are another system's, and stay.
        control = chroot.path("/run/udev/control")
        control.parent.mkdir(parents=True, exist_ok=True)
        control.touch()
        chroot.run("apt-get", "remove", "-y", "voicegate")
        assert not chroot.path("/usr/bin/voicegate").exists()
        for place in ("/lib/udev/rules.d/72-voicegate.rules", "/run/voicegate-nodes", "/dev/voicegate"):
            assert not chroot.path(place).exists(), place
        assert chroot.path(NODE).exists(), "the capture node has not returned"
        assert any(chroot.path("/var/lib/voicegate").iterdir()), "the log is gone before a purge"
        state = chroot.path("/var/lib/voicegate")
        kept_files.extend("/" + str(path.relative_to(root)) for path in state.rglob("*voicegate*"))

    def kept():
        """A purge without an answer keeps the evidence, and its account so that no other user gets its number."""
        chroot.run("apt-get", "purge", "-y", "voicegate")
        shutil.rmtree(chroot.path("/usr/lib/voicegate-test"))
        assert set(named_like_us(root)) == {"/var/lib/voicegate", *kept_files}, named_like_us(root)
        assert_locked()

    def asked():
        """The answer decides whether the microphone is taken from other programs, and can be changed."""
        hidden = chroot.path("/etc/udev/rules.d/72-voicegate.rules")
        off, on = {"hidden", NODE}, {"enabled", "/dev/voicegate/snd/pcmC0D0c"}

        def answer(enforce, *command):
            chroot.run("sh", "-c", f"echo voicegate voicegate/enforce boolean {enforce} | debconf-set-selections")
            return chroot.run(*command)

        def state():
            found = {node for node in (off | on) if node.startswith("/dev/") and chroot.path(node).exists()}
            enabled = chroot.path("/etc/systemd/system/sockets.target.wants/voicegate.socket").is_symlink()
            return found | ({"hidden"} if hidden.is_symlink() else set()) | ({"enabled"} if enabled else set())

        change = ("dpkg-reconfigure", "--frontend=noninteractive", "voicegate")
        answer("false", "apt-get", "install", "-y", "--no-install-recommends", "/var/tmp/first.deb")
        assert state() == off, state()
        with held(chroot, NODE) as process:
            text = answer("true", *change)
            assert f"(process {process}) has opened pcmC0D0c" in text, text
            # udev is not running here: what its rule does.
            chroot.run("/usr/lib/udev/voicegate-nodes", "change", NODE, "116", "24")
            assert state() == on, state()
            # A node that was moved is still open.
            text = answer("true", *change)
            assert f"(process {process}) has opened pcmC0D0c" in text, text
        text = answer("false", *change)
        assert state() == off and "has opened" not in text, (state(), text)
        chroot.run("apt-get", "purge", "-y", "voicegate")
        assert state() == {NODE}, state()

    def purged():
        """It is used again by the package, and a purge erases it after the answer that says so."""
        chroot.run("apt-get", "install", "-y", "--no-install-recommends", "/var/tmp/first.deb")
        assert account()[7] == "", account()
        answer = "voicegate voicegate/erase-log boolean true"
        chroot.run("sh", "-c", f"echo '{answer}' | debconf-set-selections")
        chroot.run("apt-get", "purge", "-y", "voicegate")
        left = named_like_us(root)
        assert not left, f"left behind: {left}"
        assert_locked()

    def many_machines():
        fleet_packages.try_each(chroot, Path(package).parent, package)

    def account():
        return chroot.run("getent", "shadow", "voicegate").rstrip("\n").split(":")

    def assert_locked():
        fields = account()
        assert fields[1].startswith("!") and fields[7] == "1", fields

    for step in (prepare, install, device, service, dictate, refuse, apart, taken_away, container, manifests, doctor, upgraded, removed, kept, asked, purged, many_machines):
        try:
            began = time.monotonic()
            step()
            report = {"name": step.__name__, "ok": True, "detail": f"{time.monotonic() - began:.1f} s"}
        except Exception:
            log = chroot.service_log() if chroot.service else ""
            report = {"name": step.__name__, "ok": False, "detail": traceback.format_exc() + log}
        print(json.dumps(report), flush=True)
        if not report["ok"]:
            return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    arguments = [os.path.abspath(argument) for argument in sys.argv[1:]]
    result = main(*arguments)
    subprocess.run(["umount", "--recursive", f"{arguments[1]}/root"], stderr=subprocess.DEVNULL)
    for folder in ("proc", "run", "tmp", "dev/pts", "dev"):
        subprocess.run(["umount", "--lazy", f"{arguments[1]}/root/{folder}"], stderr=subprocess.DEVNULL)
    shutil.rmtree(arguments[1], ignore_errors=True)
    sys.exit(result)
