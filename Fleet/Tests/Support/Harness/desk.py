"""A real machine: voicegated and voicegate-sender, to which something happens at random moments while the service records, or
which has a client certificate."""
import atexit, contextlib, functools, json, os, pathlib, random, shutil, subprocess, tempfile, time

from collector import WAIT, make_certificate, program, service_program

SLICE = 6  # records of a round


class Records:
    """The log as the service exports it, for `differences`."""

    def __init__(self, bundle):
        entries = [json.loads(line) for line in (bundle / "records.jsonl").read_text().splitlines()]
        self.leaves = [entry["leaf"].encode() for entry in entries]
        self.disclosures = [entry["disclosures"][0].encode() if entry["disclosures"] else None for entry in entries]

    def __len__(self):
        return len(self.leaves)


@functools.cache
def copies():
    """Of the programs, for links: a link to a program itself changes its inode, and a program that reads it meanwhile reads it again."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="vg-programs-", dir="/tmp"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    names = "voicegated", "voicegate", "voicegate-recognizer", "voicegate-engine"
    return [pathlib.Path(shutil.copy2(path, folder)) for path in [*map(service_program, names), program("voicegate-sender")]]


def one_folder(folder):
    """The service answers a sender only from its own folder, as a package installs them; symbolic links do not count."""
    folder.mkdir()
    for path in copies():
        try:
            os.link(path, folder / path.name)
        except OSError:
            shutil.copy2(path, folder)
    return folder


class Desk:
    """`there`: a context in which the sender is started."""

    def __init__(self, scene, name, there=contextlib.nullcontext):
        self.scene, self.name, self.folder, self.there = scene, name, scene.folder / name, there
        (self.folder / "state").mkdir(parents=True, mode=0o700)
        (self.folder / "sender").mkdir(mode=0o700)
        self.programs, self.socket = one_folder(self.folder / "bin"), self.folder / "socket"
        self.options = ["--socket", self.socket]
        (self.folder / "config.yaml").write_text(
            f"warmRecognizers: 0\ncollector:\n  url: {scene.collector.url}\n  name: Example Ltd.\n"
            "  purpose: To show that nobody listened without permission.\n  send: records\n")
        self.environment = {**os.environ, "HOME": str(self.folder), "VOICEGATE_NO_START": "1"}
        self.service = self.sender = None

    def start(self):
        reading, writing = os.pipe()
        self.service = subprocess.Popen(
            [self.programs / "voicegated", *self.options, "--state-directory", self.folder / "state", "--configuration",
             self.folder / "config.yaml", "--ready-file-descriptor", str(writing)],
            pass_fds=[writing], env=self.environment, stdin=subprocess.DEVNULL, **self._log("service"))
        os.close(writing)
        with open(reading) as ready:
            if not ready.readline():
                raise RuntimeError(f"the service of {self.name} did not start:\n{(self.folder / 'service.log').read_text()}")

    def _log(self, name):
        return dict(stdout=open(self.folder / f"{name}.log", "ab"), stderr=subprocess.STDOUT)

    def enroll(self, *options):
        token = self.folder / "token"
        token.write_text(self.scene.collector.run("token", "create", "--name", self.name))
        certificate = self.scene.collector.certificate
        self._run(
            "voicegate-sender", "enroll", "--token-file", token, "--name", self.name, *options, "--state-directory",
            self.folder / "sender", *(["--ca", certificate] if certificate and "--ca" not in options else []))

    @property
    def credential(self):
        return self.folder / "sender/credential.json"

    def status(self):
        return self._run("voicegate-sender", "status", "--state-directory", self.folder / "sender")

    def start_sender(self):
        with self.there():
            self.sender = subprocess.Popen(
                [self.programs / "voicegate-sender", "run", *self.options, "--state-directory", self.folder / "sender"],
                env=self.environment, stdin=subprocess.DEVNULL, **self._log("sender"))

    def _run(self, command, *words):
        # A separate session: only the user's own command may read the log, not one that a script runs.
        done = subprocess.run(
            [self.programs / command, *words, *self.options], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, start_new_session=True)
        if done.returncode:
            raise RuntimeError(f"{command} {' '.join(map(str, words))}: {done.returncode}\n{done.stdout}")
        return done.stdout

    def record(self):
        """An export is a record."""
        self._run("voicegate", "audit", "export", "--format", "jsonl")

    def size(self):
        """Of the service's log."""
        return int(json.loads(self._run("voicegate", "audit", "checkpoint", "--json"))["checkpoint"].split("\n")[1])

    def stored(self):
        """How many of its records the collector has."""
        rows = self.scene.primary.sql(f"SELECT next_entry FROM fleet.host WHERE name = '{self.name}'")
        return int(rows[0][0]) if rows else 0

    def wait_until_stored(self, size):
        deadline = time.monotonic() + WAIT
        while (stored := self.stored()) < size:
            if time.monotonic() > deadline:
                log = (self.folder / "sender.log").read_text()[-2000:]
                raise RuntimeError(f"{stored} of {size} records arrived:\n{log}")
            time.sleep(0.1)

    def records(self):
        self._run("voicegate", "audit", "export", "--output", self.folder / "bundle")
        return Records(self.folder / "bundle")

    def end(self):
        for process in self.sender, self.service:
            if process and process.poll() is None:
                process.terminate()
                process.wait(WAIT)


def kill_sender(desk, dice):
    desk.sender.kill()
    desk.sender.wait()
    desk.start_sender()


def run(scene, stack, options, fault, there=contextlib.nullcontext):
    """Returns the machine with its log, once the collector has all of it."""
    dice, desk = random.Random(options.seed), Desk(scene, "desk", there)
    stack.callback(desk.end)
    desk.start()
    desk.enroll()
    desk.start_sender()
    for number in range(options.rounds):
        begin, moment = time.monotonic(), dice.randrange(SLICE)
        for place in range(SLICE):
            desk.record()
            if place == moment:
                time.sleep(dice.random() * 0.1)
                fault(desk, dice)
        print(f"round {number + 1}: {desk.stored()} records acknowledged, {time.monotonic() - begin:.1f} s", flush=True)
    desk.log = desk.records()
    # The export is a record itself, made before it is complete or after; the log is what the collector must reach at least.
    desk.wait_until_stored(len(desk.log))
    return desk


def refusal(call):
    try:
        call()
    except RuntimeError as error:
        return str(error)
    return "not refused"


def certificates(scene, stack):
    """A collector that requires the certificate of a machine. Returns whether it got what it must, and nothing else."""
    collector, desk = scene.collector, Desk(scene, "desk")
    stack.callback(desk.end)
    first, second = (make_certificate(scene.folder / name) for name in ("first", "second"))
    own = [shutil.copy(path, desk.folder / path.name) for path in second]
    shown = ["--ca", collector.certificate, "--certificate", own[0], "--key", own[1]]
    collector.require(first)
    desk.start()
    wrong = []

    def expect(what, holds, text=""):
        print(f"{what}{'' if holds else f'   WRONG {text}'}", flush=True)
        wrong.extend([] if holds else [what])

    for name, options, advice in (
            ("without a certificate", shown[:2], "voicegate-sender enroll --certificate FILE --key FILE"),
            ("with a different one", shown, f"If it does not accept the certificate {own[0]}, renew it.")):
        text = refusal(lambda: desk.enroll(*options))
        expect(f"{name}: refused, and told what to do", advice in text, text)
        hosts = scene.primary.sql("SELECT count(*) FROM fleet.host")[0][0]
        expect("nothing is stored", hosts == "0" and not desk.credential.exists(), hosts)

    for path, copy in zip(first, own):
        shutil.copy(path, copy)
    desk.enroll(*shown)
    credential = json.loads(desk.credential.read_text())
    paths = credential["clientCertificate"]
    expect("the sender keeps the paths alone", paths == {"certificate": str(own[0]), "key": str(own[1])}, paths)
    desk.start_sender()
    desk.record()
    desk.wait_until_stored(desk.size())
    desk.sender.kill()
    desk.sender.wait()

    before = desk.stored()
    desk.credential.write_text(json.dumps(credential | {"clientCertificate": None}))
    text = refusal(lambda: desk.status())
    expect("the token alone is refused", "--certificate FILE --key FILE" in text, text)
    desk.record()
    expect("nothing more is stored", desk.stored() == before)
    desk.credential.write_text(json.dumps(credential))
    desk.start_sender()
    desk.wait_until_stored(before + 1)

    collector.kill()
    for path, copy in zip(second, own):
        shutil.copy(path, copy)
    collector.require(second)
    before = desk.stored()
    desk.record()
    desk.wait_until_stored(before + 1)
    expect("a renewed certificate is used without a restart", desk.sender.poll() is None)
    return not wrong
