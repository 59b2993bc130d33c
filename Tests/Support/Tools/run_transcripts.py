#!/usr/bin/env python3
"""Runs transcripts: what is typed and said, and what the built programs must then show. CONTRIBUTING.md has an example.

Usage: run_transcripts.py [--programs FOLDER] [--jobs N] [--json] [--show] TRANSCRIPT...

Each has a new folder, which is HOME and where commands run, and a service at the user's usual socket. In the expected output "…" is
any text of a line, and a line of "…" alone is any number of lines. The order counts, and each line must be whole. Verbs:

  # text                        a remark
  needs PATH                    a file below $CHECKOUT without which the transcript is skipped; first
  microphone NAME CLIP KEY=N…   a virtual microphone: goforward, a number of the book's sentences, a file, or silence; before the service
  service [VAR=VALUE…] [OPTION…]  starts voicegated, also again with its state; the lines below answer its prompts,
                                and a request that nobody can ask about is refused at once, without --agent-timeout SECONDS
  client NAME PROGRAM [KEY…]    makes a program the client org.example.NAME; speech and microphone are the described resources,
                                KIND=PERIOD is what VoiceGate keeps for it, and the lines below are other keys of its manifest
  file PATH                     writes the lines below, which begin with four spaces; it is in place at once
  clock FROM TO                 sets the variable HOURS to the hours from FROM to TO from now, as a policy writes them
  $ COMMAND                     runs to its end, without input; below are its output and errors, and [N] if its exit code is not 0
  start NAME $ COMMAND          runs at the same time, as a foreground job with a pipe for its input and one for its output
  background NAME $ COMMAND     the same without a terminal
  terminal NAME $ COMMAND       the same with its terminal as input and output
  wait NAME                     waits for the lines below, in this order, after those that were waited for before; others may come between
  type NAME TEXT                types it; \\n, \\x03 and so on are as in Python
  press NAME KEY                answers a prompt, and waits for the lines below
  close NAME                    closes its input
  signal NAME SIGNAL            TERM, KILL, INT…; the service is a NAME too
  end NAME                      waits for its end; below are [N] and all of its output and errors, after the last line waited for. Without
                                lines one that was waited for may have shown anything, and one that was not nothing

What a program has shown is in the file NAME.out. "curl /v1/PATH" means curl at the service's socket. $HOME is the folder,
$CHECKOUT is the sources, and $pid(NAME) a program's process. A line below that would begin with a verb begins with "…". A program
that ends with another exit code than 0 needs its "end". A test whose result nothing reads, as in "[ -s x ]; ls", is refused.
Exit codes: 0 all passed, 1 one did not, 64 usage.
"""
import argparse, concurrent.futures, datetime, difflib, fcntl, json, os, pathlib, pty, re, shutil, signal, struct, subprocess
import sys, tempfile, termios, threading, time

LIMIT = 240  # seconds a step may take on a busy machine
SPEECH = "/usr/share/pocketsphinx/test/data/"
VERBS = "needs microphone service client file clock $ start background terminal wait type press close signal end".split()
FORMS = {"file": "    ", "client": "<", "service": "{"}  # how a line below begins
KEYS = {"speech": "NSSpeechRecognitionUsageDescription", "microphone": "NSMicrophoneUsageDescription"}


class Failure(Exception):
    pass


class Skipped(Exception):
    pass


class Program:
    """A running command, with what it has shown."""

    def __init__(self, command, environment, folder, shows, is_terminal=False, is_job=True):
        self.text, self.position, self.change, self.is_over = "", 0, threading.Condition(), False
        self.shows = open(shows, "wb", buffering=0)
        before = ""
        if is_terminal or is_job:  # the first terminal that a session's leader opens is its own
            self.controller, terminal = pty.openpty()
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
            path = os.ttyname(terminal)
            before = f"exec <>{path} >&0 2>&0\n" if is_terminal else f": 9<>{path}\n"
        if not re.search(r"[|;&(){}\n]", re.sub(r"\d?[<>]&[\d-]", "", unquoted(command))):
            before += "exec env " if re.match(r"\w+=", command) else "exec "
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", before + command], env=environment, cwd=folder, start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        source = self.process.stdout.fileno()
        if is_terminal:
            source = self.controller
            self.process.stdout.read()  # ends when the command has taken its terminal
            os.close(terminal)
        elif is_job:
            self.terminal = terminal
        self.input = self.controller if is_terminal else self.process.stdin.fileno()
        self.reader = threading.Thread(target=self.read, args=(source,), daemon=True)
        self.reader.start()

    def read(self, source):
        data = b""
        while True:
            try:
                part = os.read(source, 65536)
            except OSError:  # the terminal's last user has ended
                part = b""
            data += part
            self.shows.write(part)
            with self.change:
                self.text, self.is_over = data.decode(errors="replace").replace("\r\n", "\n"), not part
                self.change.notify_all()
            if not part:
                return self.shows.close()

    def wait_for(self, pattern, timeout=LIMIT):
        """Goes past the first line that fits, which may still be unfinished."""
        end = time.monotonic() + timeout
        with self.change:
            while True:
                rest = self.text[self.position:]
                place = 0
                for line in rest.splitlines(keepends=True):
                    if fits(pattern, line.rstrip("\n")):
                        self.position += place + len(line)
                        return True
                    place += len(line)
                left = end - time.monotonic()
                if self.is_over or left <= 0:
                    return False
                self.change.wait(left)

    def end(self):
        try:
            self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            raise Failure("it did not end; it showed:\n" + self.text)
        self.reader.join(LIMIT)
        return self.status()

    def status(self):
        """As a shell has it; nothing while it runs."""
        code = self.process.poll()
        return 128 - code if code and code < 0 else code

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def unquoted(command):
    return re.sub(r"'[^']*'|\"[^\"]*\"", "", command)


def is_swallowed(part):
    """Whether a part of a command before ";" ends with a test whose result nothing reads."""
    return re.search(r"(^|[|&!]|\b(do|then|else)\b)\s*(\[ |grep -\w*q)[^|&]*$", part) and not re.search(r"\b(until|while|if|elif)\b", part)


def fits(pattern, line):
    line = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]", "", line).rstrip()
    return re.fullmatch(".*".join(re.escape(part) for part in pattern.split("…")), line) is not None


def compare(expected, got):
    """Nothing if the lines are as expected, else the difference."""
    def from_here(i, j):  # … alone is any number of lines
        while i < len(expected) and expected[i] != "…":
            if j == len(got) or not fits(expected[i], got[j]):
                return False
            i, j = i + 1, j + 1
        if i == len(expected):
            return j == len(got)
        return any(from_here(i + 1, place) for place in range(j, len(got) + 1))
    if from_here(0, 0):
        return None
    shown = [next((pattern for pattern in expected if pattern != "…" and fits(pattern, line)), line) for line in got]
    return "\n".join(difflib.unified_diff(expected, shown, "expected", "got", lineterm="", n=9))


class Transcript:
    def __init__(self, path, programs, folder):
        self.path, self.folder, self.programs, self.running = path, folder, programs, {}
        self.is_shown, self.microphones = False, []
        self.environment = {
            "HOME": str(folder), "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin", "TERM": "xterm", "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": f"{folder}/run", "VOICEGATE_NO_START": "1", "NO_COLOR": "1", "USER_ID": str(os.getuid()),
            "CHECKOUT": str(pathlib.Path(__file__).resolve().parents[3]),
            "VOICEGATE_SOCKET": f"{folder}/run/voicegate/voicegate.sock",
        }

    def steps(self):
        """Line number, verb, rest of the line, lines below."""
        found = []
        for number, line in enumerate(self.path.read_text().split("\n"), 1):
            verb, _, rest = line.partition(" ")
            if verb in VERBS and (not found or found[-1][1] != "file" or not line.startswith("    ")):
                found.append((number, verb, rest.strip(), []))
            elif line and not re.match(r"# |#$", line) and found:
                found[-1][3].append(line)
            elif line and not line.startswith("#"):
                raise Failure(f"line {number}: {verb} is not a verb")
        return found

    def run(self):
        number, line = 0, ""
        try:
            steps = self.steps()
            if not steps:
                raise Failure("there are no steps")
            for number, verb, rest, below in steps:
                line = f"{verb} {rest}"
                wrong = [text for text in below if not text.startswith(FORMS.get(verb, ""))]
                if wrong:
                    raise Failure(f"not a verb: {wrong[0]}")
                if below and verb not in ("service", "client", "file", "$", "wait", "press", "end") or not below and verb in ("wait", "press"):
                    raise Failure(f"the lines below {verb} are missing" if not below else f"not a verb: {below[0]}")
                getattr(self, {"$": "command"}.get(verb, verb))(self.filled(rest), [self.filled(text) for text in below])
            for name in self.running:
                self.check_left(name)
        except (Failure, KeyError, ValueError, OSError) as failure:
            return f"line {number}: {line}\n{failure if isinstance(failure, Failure) else repr(failure)}"
        finally:
            for program in self.running.values():
                program.close()
        return None

    def filled(self, text):
        text = text.replace("$HOME", str(self.folder))
        return re.sub(r"\$pid\((\w+)\)", lambda name: str(self.running[name[1]].process.pid), text)

    def needs(self, rest, below):
        if not pathlib.Path(self.environment["CHECKOUT"], rest).exists():
            raise Skipped(f"{rest} is missing")

    def microphone(self, rest, below):
        name, clip, *keys = rest.split()
        paths = {"goforward": SPEECH + "goforward.raw", "silence": None}
        path = paths.get(clip, f"{SPEECH}librivox/sense_and_sensibility_01_austen_64kb-{clip}.wav")
        if (self.folder / clip).exists():
            path = self.folder / clip
        lines = ["type voicegate", *(key.replace("=", " ", 1) for key in keys), *([f'file "{path}"'] if path else [])]
        lines = [re.sub(r"^(\w+_file) (.*)", rf'\1 "{self.folder}/\2"', text) for text in lines]
        self.microphones.append(name)
        text = "pcm.%s {\n%s\nhint.description \"Virtual microphone %s\"\n}\n" % (name, "\n".join(lines), name)
        if len(self.microphones) == 1:
            library = self.programs / "libasound_module_pcm_voicegate.so"
            text = f'pcm_type.voicegate {{ lib "{library}" }}\npcm.!default "{name}"\n' + text
        with open(self.folder / "asound.conf", "a") as configuration:
            configuration.write(text)

    def service(self, rest, below):
        for name in "policy.d", "clients", ".config/voicegate":
            (self.folder / name).mkdir(parents=True, exist_ok=True, mode=0o700)
        (self.folder / "policy.d").chmod(0o700)
        if not (self.folder / ".config/voicegate/config.yaml").exists():
            (self.folder / ".config/voicegate/config.yaml").write_text("warmRecognizers: 0\nfileRecognizers: 1\n")
        if not self.microphones:
            self.microphone("none silence", [])
            (self.folder / "asound.conf").write_text("")
        self.environment["ALSA_CONFIG_PATH"] = f"/usr/share/alsa/alsa.conf:{self.folder}/asound.conf"
        if below:
            (self.folder / "answers.jsonl").write_text("\n".join(below) + "\n")
        script = f" --agent 'script:{self.folder}/answers.jsonl'" if below else ""
        variables, rest = re.fullmatch(r"((?:\w+=\S* ?)*)(.*)", rest).groups()
        # It ends with the runner, whatever ends that.
        command = (f"{variables} setpriv --pdeathsig KILL voicegated --socket '{self.environment['VOICEGATE_SOCKET']}' --state-directory '{self.folder}/state' "
                   f"--policy-directory '{self.folder}/policy.d' --clients-directory '{self.folder}/clients' "
                   f"--ready-file-descriptor 1 --agent-timeout 0{script} {rest}")
        self.begin("service", command, is_job=False)
        self.wait("service", ["ready"])

    def client(self, rest, below):
        name, program, *words = rest.split()
        kept = dict(word.split("=") for word in words if "=" in word)
        own = "".join(below)
        described = "".join(f"<key>{KEYS[word]}</key><string>To try the socket.</string>" for word in words if "=" not in word)
        keys = [f"<key>CFBundleIdentifier</key><string>org.example.{name}</string>",
                f"<key>CFBundleExecutable</key><string>{program}</string>{described}"]
        if "VoiceGateLaunchCommand" not in own:
            keys.append(f"<key>VoiceGateLaunchCommand</key><array><string>{program}</string></array>")
        if "VoiceGateRecipients" not in own:
            keys.append("<key>VoiceGateRecipients</key><array/>")
        if kept:
            kinds = "".join(f"<string>{kind}</string>" for kind in dict.fromkeys(["liveAudio", "transcript", "recording", *kept]))
            periods = "".join(f"<key>{kind}</key><string>{period}</string>" for kind, period in kept.items())
            keys += [f"<key>VoiceGateDataKinds</key><array>{kinds}</array>",
                     "<key>VoiceGateRetention</key><string>As VoiceGate keeps it.</string>",
                     f"<key>VoiceGateKeptByService</key><dict>{periods}</dict>"]
        self.file(f"clients/{name}/Info.plist", [
            '<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>', *keys, *below, "</dict></plist>"])

    def file(self, rest, below):
        path = self.folder / rest
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        text = re.sub(r"\$(\w+)", lambda name: self.environment.get(name[1], name[0]), "\n".join(below) + "\n")
        path.with_name(".new").write_text("\n".join(re.sub("^    ", "", line) for line in text.split("\n")))
        path.with_name(".new").rename(path)

    def clock(self, rest, below):
        hours = [(datetime.datetime.now() + datetime.timedelta(hours=int(word))).strftime("%H:00") for word in rest.split()]
        self.environment["HOURS"] = "-".join(hours)

    def check_left(self, name):
        """A program that no end was given for may not have failed."""
        status = self.running[name].status()
        if status:
            raise Failure(f"{name} ended with {status}, and has no end; it showed:\n{self.running[name].text}")

    def begin(self, name, command, **options):
        if any(map(is_swallowed, unquoted(command).split(";")[:-1])):
            raise Failure("nothing reads the result of the test before a semicolon: use &&")
        if name in self.running:
            self.check_left(name)
            self.running[name].close()
        command = re.sub(r"\bcurl (?=['\"]?/v1)", f"curl -sN --unix-socket '{self.environment['VOICEGATE_SOCKET']}' http://voicegate", command)
        self.running[name] = Program(command, self.environment, self.folder, self.folder / f"{name}.out", **options)

    def command(self, rest, below):
        self.begin("$", rest)
        self.close("$", [])
        self.end("$", below)

    def start(self, rest, below, **options):
        name, _, command = rest.partition(" $ ")
        self.begin(name, command, **options)

    def background(self, rest, below):
        self.start(rest, below, is_job=False)

    def terminal(self, rest, below):
        self.start(rest, below, is_terminal=True)

    def wait(self, rest, below):
        program = self.running[rest]
        for pattern in below:
            start = program.position
            if not program.wait_for(pattern):
                raise Failure(f"{rest} did not show: {pattern}\nIt showed since then:\n{program.text[start:]}")

    def type(self, rest, below):
        name, _, text = rest.partition(" ")
        os.write(self.running[name].input, text.encode().decode("unicode_escape").encode())

    def press(self, rest, below):
        """Keys in a prompt's first moments do not count, so one is pressed after them, and again only when it surely had no effect."""
        name, key = rest.split()
        time.sleep(0.7)
        for _ in range(LIMIT // 5):
            self.type(rest, [])
            if self.running[name].wait_for(below[0], 5):
                return self.wait(name, below[1:])
        self.wait(name, below)

    def close(self, rest, below):
        self.running[rest].process.stdin.close()

    def signal(self, rest, below):
        name, number = rest.split()
        os.kill(self.running[name].process.pid, getattr(signal, "SIG" + number))

    def end(self, rest, below):
        program = self.running[rest]
        status, text = program.end(), program.text[program.position:]
        del self.running[rest]
        expected = 0
        if below and re.fullmatch(r"\[\d+\]", below[-1]):
            expected, below = int(below[-1][1:-1]), below[:-1]
        got = [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]", "", line).rstrip() for line in text.split("\n")]
        got = [line for line in got if line]
        if self.is_shown:
            print("\n".join(got + [f"[{status}]"] * (status != 0)), file=sys.stderr)
        difference = compare(below, got) if below or not program.position else None
        if status != expected:
            difference = f"exit code {status}, expected {expected}\n" + (difference or "\n".join(got))
        if difference:
            raise Failure(difference)


def perform(path, options):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="transcript-", dir="/tmp"))
    try:
        transcript = Transcript(path, options.programs, folder)
        transcript.is_shown = options.show
        problem, skipped = transcript.run(), None
    except Skipped as reason:
        problem, skipped = None, str(reason)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return {"name": path.name, "problem": problem and problem.replace(str(folder), "$HOME"), "skipped": skipped}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[3] / ".build/debug")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("paths", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    status = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for outcome in pool.map(lambda path: perform(path, options), options.paths):
            status = status or int(outcome["problem"] is not None)
            if options.json:
                print(json.dumps(outcome), flush=True)
            else:
                skipped = outcome["skipped"] and "skipped, " + outcome["skipped"]
                print(f"{outcome['name']}: {outcome['problem'] or skipped or 'passed'}", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
