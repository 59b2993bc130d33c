"""A separate voicegated with virtual microphones, for benchmarks."""

import os
import plistlib
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RELEASE = Path(os.environ.get("VOICEGATE_PROGRAMS", ROOT / ".build" / "release")).resolve()


class Service:
    """Use as a context; `microphones` maps a PCM's name to the lines of its definition, `state` is a folder with a log,
    `configuration` the text of config.yaml, `processors` how many the service and its recognisers may use, `manifest` more keys of
    the client."""

    def __init__(self, microphones, state=None, configuration="", processors=None, manifest=None):
        self.state = state
        self.prefix = ["taskset", "-c", f"0-{processors - 1}"] if processors else []
        self.folder = Path(tempfile.mkdtemp(prefix="voicegate-bench-"))
        definitions = [f'pcm_type.voicegate {{ lib "{RELEASE}/libasound_module_pcm_voicegate.so" }}']
        definitions += [f"pcm.{name} {{ type voicegate {lines} }}" for name, lines in microphones.items()]
        (self.folder / "asound.conf").write_text("\n".join(definitions) + "\n")
        (self.folder / "config.yaml").write_text(configuration)
        # A registered client: an unregistered program would prompt for each session.
        client = self.folder / "clients" / "benchmark"
        client.mkdir(parents=True, mode=0o700)
        with open(client / "Info.plist", "wb") as file:
            plistlib.dump({
                "CFBundleIdentifier": "org.example.benchmark", "CFBundleExecutable": os.path.realpath(sys.executable),
                "VoiceGateScript": str(Path(sys.argv[0]).resolve()),
                "NSSpeechRecognitionUsageDescription": "To measure what VoiceGate does.",
                "NSMicrophoneUsageDescription": "To measure what VoiceGate does.", **(manifest or {}),
            }, file)
        (self.folder / "answers").write_text('{"client":"*","resource":"*","answer":"whileInUse"}\n')
        self.socket = str(self.folder / "s.sock")
        self.environment = dict(
            os.environ, HOME=str(self.folder), VOICEGATE_NO_START="1",
            ALSA_CONFIG_PATH=f"/usr/share/alsa/alsa.conf:{self.folder}/asound.conf")

    def __enter__(self):
        reading, writing = os.pipe()
        self.process = subprocess.Popen(
            [*self.prefix, RELEASE / "voicegated", "--configuration", self.folder / "config.yaml", "--socket", self.socket, "--state-directory", self.state or self.folder / "state",
             "--clients-directory", self.folder / "clients", "--agent", f"script:{self.folder}/answers",
             "--ready-file-descriptor", str(writing)],
            pass_fds=[writing], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=open(self.folder / "log", "w"))
        os.close(writing)
        with os.fdopen(reading) as ready:
            if ready.readline() != "ready\n":
                raise SystemExit("the service did not start: " + (self.folder / "log").read_text())
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, *arguments):
        """Runs voicegate and returns its standard output."""
        done = subprocess.run(
            [RELEASE / "voicegate", *arguments, "--socket", self.socket], env=self.environment,
            stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"voicegate {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def lines(self, *arguments):
        """Runs voicegate and yields each line of its standard output with its arrival."""
        command = [RELEASE / "voicegate", *arguments, "--socket", self.socket]
        with subprocess.Popen(
                command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as running:
            for line in running.stdout:
                yield time.monotonic(), line
        if running.returncode:
            raise SystemExit(f"voicegate {' '.join(arguments)} ended with {running.returncode}")

    def recognizers(self):
        """Processes of the service's workers."""
        children = f"/proc/{self.process.pid}/task"
        lists = (Path(children, task, "children") for task in os.listdir(children))
        return [int(number) for text in lists for number in text.read_text().split()]
