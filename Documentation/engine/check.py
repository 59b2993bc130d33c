#!/usr/bin/env python3
"""Checks an engine against the protocol in Documentation/Engines.md.

    check.py [--clip hello.wav --text "hello world"] [--rule NAME] -- PROGRAM [ARGUMENT …]

Each rule gets its own process and prints a line: kept, BROKEN or not tried, its name, and what it requires; below a broken rule
is what happened. Half of the rules need a recording of speech with its words: a WAV file of 16 kHz, one channel and 16 bits.

Exit codes: 0 if each rule that was tried is kept, 65 if one is broken, 66 if the recording cannot be read, 64 for wrong arguments.

To run the engine in the service's sandbox, put its launcher in front:
    check.py -- /usr/libexec/voicegate/voicegate-engine --readable /opt/engine -- /opt/engine/run --model /opt/model
"""
import argparse
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
import wave

RATE = 16_000
LARGEST_PIECE = 65_536
LIMITS = {"header": 65_536, "data": 1_048_576, "payload": 2_097_152}
CODES = {
    "modelUnavailable", "badAudio", "phraseRefused", "grammarRefused", "wordsRefused", "decodingFailed", "protocolViolation"
}
TASKS = ["dictation", "phrases", "key-phrases", "grammar"]
GRAMMAR = b"#JSGF V1.0; grammar music; public <music> = play music;"


class Broken(Exception):
    """What the engine did wrong."""


class Engine:
    """A process of the engine, started as the service starts it. Each call ends by the deadline."""

    def __init__(self, command, limit):
        self.deadline = time.monotonic() + limit
        self.input = b""
        self.socket, theirs = socket.socketpair()
        try:
            # Descriptor 3 is in use here: the socket pair takes the lowest free numbers.
            self.process = subprocess.Popen(
                command, preexec_fn=lambda: os.dup2(theirs.fileno(), 3), pass_fds=[3], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={"LANG": "C.UTF-8"}, start_new_session=True)
        except OSError as error:
            self.socket.close()
            raise Broken(f"it cannot be started: {error}") from error
        finally:
            theirs.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            # Its group: also what it started.
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.socket.close()

    def wait(self, writes, what):
        rest = self.deadline - time.monotonic()
        ready = select.select([] if writes else [self.socket], [self.socket] if writes else [], [], max(rest, 0))
        if not any(ready):
            raise Broken(f"it did not {what} in time")

    def write(self, data):
        while data:
            self.wait(True, "read its input")
            try:
                data = data[self.socket.send(data, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL):]
            except BlockingIOError:
                continue
            except (BrokenPipeError, ConnectionResetError):
                # It may have answered and closed its end: its answer is read next.
                return

    def send(self, kind, payload=b"", **data):
        body = json.dumps(data).encode() if data else b""
        header = {"type": kind, "data_length": len(body), "payload_length": len(payload)}
        self.write(json.dumps(header).encode() + b"\n" + body + payload)

    def read(self, size=None):
        """This many bytes, or a line; None if the engine has closed its end between two events."""
        while len(self.input) < size if size is not None else b"\n" not in self.input:
            if size is None and len(self.input) >= LIMITS["header"]:
                raise Broken("a header line is too long")
            self.wait(False, "answer")
            try:
                more = self.socket.recv(65_536)
            except ConnectionResetError:
                more = b""
            if not more:
                if self.input or size:
                    raise Broken("it closed its end within an event")
                return None
            self.input += more
        end = self.input.index(b"\n") + 1 if size is None else size
        result, self.input = self.input[:end], self.input[end:]
        return result

    def event(self):
        """The next event as type, data and payload, or None at the end."""
        line = self.read()
        if line is None:
            return None
        try:
            header = json.loads(line)
            kind, data = header["type"], dict(header.get("data") or {})
            lengths = {part: header.get(part + "_length") or 0 for part in ("data", "payload")}
            for part, length in lengths.items():
                if not isinstance(length, int) or not 0 <= length <= LIMITS[part]:
                    raise Broken(f"{part}_length is {length}")
            data |= json.loads(self.read(lengths["data"]) or b"{}")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Broken(f"it sent {line[:80]!r}, which is not a header of the protocol") from error
        return kind, data, self.read(lengths["payload"])

    def has_event(self):
        return bool(self.input or select.select([self.socket], [], [], 0)[0])

    def wait_for_end(self):
        try:
            self.process.wait(max(self.deadline - time.monotonic(), 0))
        except subprocess.TimeoutExpired as error:
            raise Broken("it did not end in time") from error


class Fields:
    """The data of an event, whose fields must be within their bounds."""

    def __init__(self, kind, data):
        self.kind, self.data = kind, data

    def get(self, name, is_right):
        value = self.data.get(name)
        if not is_right(value):
            raise Broken(f"the field {name} of {self.kind} is missing or out of bounds: {value!r}")
        return value

    def number(self, name, low=0, high=2**26):
        return self.get(
            name, lambda value: isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high)

    def text(self, name, longest):
        return self.get(name, lambda value: is_text(value, longest))

    def list(self, name, most, is_right):
        return self.get(
            name, lambda value: isinstance(value, list) and len(value) <= most and all(map(is_right, value)))

    def optional(self, read, name, *bounds):
        return read(name, *bounds) if name in self.data else None


def is_text(value, longest):
    return (
        isinstance(value, str) and len(value.encode()) <= longest
        and not any(ord(character) < 0x20 or 0x7F <= ord(character) <= 0x9F for character in value))


def is_name(value):
    return is_text(value, 80) and re.fullmatch(r"[\w.+()/-](?:[\w .+()/-]*[\w.+()/-])?", value) is not None


class Session:
    """A conversation with an engine, from `ready` to its last event. Each event is checked against those before it."""

    def __init__(self, engine, is_file=False):
        self.engine, self.is_file = engine, is_file
        self.state = "loading"
        self.sent = self.latest = self.done = 0.0
        self.count, self.stable = 0, b""
        self.finals, self.progress, self.others = [], [], []
        self.declared, self.duration, self.failure = {}, None, None
        first = self.next()
        if first is None:
            raise Broken("it ended before it was ready")
        if first != "ready":
            raise Broken(f"its first message is {first}, not ready" + (f": {self.failure}" if self.failure else ""))

    def start(self, task="dictation", phrases=(), grammar=b""):
        data = {"phrases": [{"text": text, "tolerance": 0.5} for text in phrases]} if phrases else {}
        self.engine.send(
            "start", grammar, task=task, input="file" if self.is_file else "live", end_silence=0.8, alternatives=0,
            context_phrases=[], text_length=0, grammar_length=len(grammar), **data)
        return self

    def hear(self, samples, position=0, pieces=(1_600,)):
        offset = turn = 0
        while offset < len(samples):
            piece = samples[offset : offset + 2 * pieces[turn % len(pieces)]]
            self.audio(piece, position + offset // 2)
            offset += len(piece)
            turn += 1
            while self.engine.has_event():
                if self.next() is None:
                    return

    def audio(self, piece, position):
        self.sent = (position + len(piece) // 2) / RATE
        self.engine.send("audio-chunk", piece, rate=RATE, width=2, channels=1, position=position)

    def hear_file(self, content):
        for offset in range(0, len(content), LARGEST_PIECE):
            self.engine.send("file-chunk", content[offset : offset + LARGEST_PIECE])

    def finish(self):
        self.engine.send("audio-stop")
        while self.state != "ended":
            if self.next() is None:
                raise Broken("it ended without a last event")
        return self

    @property
    def text(self):
        return " ".join(final["text"] for final in self.finals if final["text"])

    def next(self):
        event = self.engine.event()
        if event is None:
            return None
        kind, data, payload = event
        self.count += 1
        if not self.is_file and self.count > 200 + 100 * self.sent:
            raise Broken("it sends more messages than the audio can cause")
        if payload and kind != "sound":
            raise Broken(f"{kind} has a payload")
        self.check(kind, Fields(kind, data), payload)
        return kind

    def check(self, kind, fields, payload):
        state = self.state
        is_active = state in ("quiet", "speaking")
        match kind:
            case "ready" if state == "loading":
                self.check_ready(fields)
                self.state = "quiet"
            case "error" if state != "ended":
                self.failure = fields.get("code", lambda code: code in CODES), fields.text("text", 1_000)
                self.state = "ended"
            case "progress" if is_active:
                self.progress.append(fields.number("time"))
                if not self.is_file and self.progress[-1] > self.sent + 0.1:
                    raise Broken("its progress is beyond the audio")
            case "voice-started" if state == "quiet":
                self.advance(fields.number("time"))
                self.state, self.stable = "speaking", b""
            case "partial" if state == "speaking":
                self.check_partial(fields)
                self.others.append(kind)
            case "final" if state == "speaking":
                self.check_final(fields)
                self.state = "quiet"
            case "file-progress" if is_active and self.is_file:
                fields.optional(fields.number, "duration")
                if fields.number("time") < self.done:
                    raise Broken("its progress decreases")
                self.done = fields.data["time"]
            case "learnt" if state == "quiet":
                fields.list("mean", 100, lambda value: isinstance(value, (int, float)))
                fields.number("mean_frames", 1)
            case "sound":
                raise Broken("it sends sound that was not asked for")
            case "finished" if state == "quiet":
                self.duration = fields.number("duration")
                self.advance(self.duration)
                self.state = "ended"
            case _:
                raise Broken(f"{kind} does not fit what came before it ({state})")

    def check_ready(self, fields):
        fields.optional(fields.number, "protocol", 1, 1_000)
        for name in "name", "version":
            fields.optional(fields.get, name, is_name)
        fields.optional(fields.get, "model", lambda value: re.fullmatch("[0-9a-f]{64}", str(value)) is not None)
        tag = "[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*"
        for name, is_right in (
            ("languages", lambda value: re.fullmatch(tag, str(value)) is not None),
            ("tasks", lambda value: is_text(value, 80)), ("inputs", lambda value: is_text(value, 80)),
        ):
            fields.optional(fields.list, name, 200, is_right)
        fields.optional(fields.list, "options", 20, lambda value: is_text(value, 80))
        self.declared = fields.data

    def check_partial(self, fields):
        text = fields.text("text", 65_536).encode()
        stable = fields.number("stable_prefix", 0, len(text))
        for end in len(self.stable), stable:
            if end not in (0, len(text)) and text[end : end + 1] != b" ":
                raise Broken("the stable prefix of a partial ends within a word")
        if not text.startswith(self.stable) or stable < len(self.stable):
            raise Broken("a partial changes a stable word")
        self.stable = text[:stable]

    def check_final(self, fields):
        start = earliest = fields.number("start")
        end = fields.number("end", start)
        for data in fields.list("words", 10_000, lambda word: isinstance(word, dict)):
            word = Fields("a word", data)
            earliest = word.number("start", earliest, end)
            word.number("end", earliest, end)
            word.number("confidence", 0, 1)
            word.text("word", 256)
        fields.text("text", 65_536)
        fields.list("alternatives", 10, lambda text: is_text(text, 65_536))
        fields.optional(fields.number, "noisy_decibels", -100, 200)
        self.advance(start)
        self.advance(end)
        self.finals.append(fields.data)

    def advance(self, moment):
        # Times are rounded to milliseconds, and the last frame may be longer than the audio.
        if moment < self.latest - 0.002 or not self.is_file and moment > self.sent + 0.1:
            raise Broken(f"the time {moment} does not fit the audio or the times before it")
        self.latest = max(self.latest, moment)


class Check:
    """The rules. Each opens its own engines, and raises Broken with what is wrong."""

    def __init__(self, command, limit, clip, text):
        self.command, self.limit, self.text = command, limit, text
        if clip:
            with open(clip, "rb") as file:
                self.file = file.read()
            with wave.open(clip) as sound:
                if (sound.getframerate(), sound.getnchannels(), sound.getsampwidth()) != (RATE, 1, 2):
                    raise wave.Error("it is not of 16 kHz, one channel and 16 bits")
                self.samples = sound.readframes(sound.getnframes())

    def engine(self):
        return Engine(self.command, self.limit)

    def session(self, hear=lambda session: None, is_file=False, **start):
        """A whole session, in which `hear` sends the audio."""
        with self.engine() as engine:
            session = Session(engine, is_file).start(**start)
            hear(session)
            return session.finish()

    def greets(self):
        """sends ready once its model is loaded, and nothing else before a session"""
        with self.engine() as engine:
            Session(engine)
            if engine.has_event():
                raise Broken("it sends more than ready before a session")

    def silence(self):
        """recognises no words in silence, and reports the length of the audio"""
        session = self.session(lambda session: session.hear(silence(3)))
        if session.text:
            raise Broken(f"it recognised “{session.text}”")
        check_duration(session, 3)

    def nothing(self):
        """finishes at once without audio"""
        check_duration(self.session(), 0)

    def progress(self):
        """reports its progress for each two seconds of audio"""
        count = len(self.session(lambda session: session.hear(silence(10))).progress)
        if count < 4:
            raise Broken(f"it reported its progress {count} times in 10 seconds of audio")

    def nonsense(self):
        """refuses invalid messages, and does not hang"""
        self.check_refusal(lambda session: session.engine.write(b'this is not a header\n{"type":\n\0'))

    def early(self):
        """refuses audio before a session"""
        self.check_refusal(lambda session: session.audio(silence(1), 0))

    def text_file(self):
        """refuses a file without sound as badAudio"""
        failure = self.session(lambda session: session.hear_file(b"this is a text and no sound"), is_file=True).failure
        if not failure:
            raise Broken("it transcribed a text")
        if failure[0] != "badAudio":
            raise Broken(f"it refused a text as {failure[0]}")

    def declaration(self):
        """refuses tasks that its ready does not declare"""
        with self.engine() as engine:
            declared = Session(engine).declared.get("tasks", TASKS)
        for task in TASKS:
            if task in declared:
                continue
            phrases = ["play music"] if "phrases" in task else []
            failure = self.session(task=task, phrases=phrases, grammar=GRAMMAR if task == "grammar" else b"").failure
            if not failure:
                raise Broken(f"it accepted {task}")
            if failure[0] not in ("phraseRefused", "grammarRefused"):
                raise Broken(f"it refused {task} as {failure[0]}")

    def check_refusal(self, send):
        """An error and the end of the process both count as a refusal."""
        with self.engine() as engine:
            session = Session(engine)
            send(session)
            while event := engine.event():
                if event[0] != "error":
                    raise Broken("it accepted it and answered")
                if event[1].get("code") != "protocolViolation":
                    raise Broken(f"it refused it as {event[1].get('code')}")
                return

    def recognises(self):
        """recognises speech, with times within the audio"""
        session = self.session(lambda session: session.hear(self.samples + silence(2)))
        if session.failure:
            raise Broken(session.failure[1])
        found, said = words(session.text), words(self.text)
        right = sum(word in found for word in said)
        if 2 * right < len(said):
            raise Broken(f"of {len(said)} words it found {right}: “{session.text}”")
        end = len(self.samples) / 2 / RATE + 0.5
        if any(word["end"] > end for final in session.finals for word in final["words"]):
            raise Broken("a word ends after the recording")

    def pieces(self):
        """recognises the same text for any division of the audio"""
        texts = []
        for pieces in [1_600], [1, 159, 4_001, 320]:
            session = self.session(lambda session: session.hear(self.samples + silence(2), pieces=pieces))
            if session.failure:
                raise Broken(session.failure[1])
            texts.append(session.text)
        if texts[0] != texts[1]:
            raise Broken(f"“{texts[0]}” is “{texts[1]}” in other pieces")

    def gap(self):
        """counts lost audio in its times, and ends the utterance at the gap"""
        length = len(self.samples) // 2
        after = length + 10 * RATE

        def hear(session):
            session.hear(self.samples)
            session.audio(b"", after)
            session.hear(self.samples, after)

        finals = self.session(hear).finals
        begin, end = length / RATE + 0.5, after / RATE - 0.5
        if not finals or finals[-1]["start"] < end:
            raise Broken("speech after ten lost seconds has a time before them")
        if any(final["start"] < begin and final["end"] > end for final in finals):
            raise Broken("an utterance spans ten lost seconds")

    def ends(self):
        """exits when its socket is closed, also during a word"""
        with self.engine() as engine:
            Session(engine).start().hear(self.samples[: len(self.samples) // 4 * 2])
            engine.socket.shutdown(socket.SHUT_RDWR)
            engine.wait_for_end()

    def sound_file(self):
        """transcribes a sound file"""
        session = self.session(lambda session: session.hear_file(self.file), is_file=True)
        if session.failure:
            raise Broken(session.failure[1])
        if not session.text:
            raise Broken("it recognised no word in it")

    def phrases(self):
        """reports only the client's phrases if it is limited to them, or refuses the limit"""
        session = self.session(
            lambda session: session.hear(self.samples + silence(2)), task="phrases", phrases=["play music"])
        if session.failure:
            if session.failure[0] != "phraseRefused":
                raise Broken(f"it failed as {session.failure[0]}")
        elif session.others or any(final["text"] != "play music" or final["words"] for final in session.finals):
            raise Broken("it reported something else")


RULES = {
    "greets": Check.greets, "silence": Check.silence, "nothing": Check.nothing, "progress": Check.progress,
    "nonsense": Check.nonsense, "early": Check.early, "text-file": Check.text_file, "declaration": Check.declaration,
}
RULES_OF_SPEECH = {
    "recognises": Check.recognises, "pieces": Check.pieces, "gap": Check.gap, "ends": Check.ends,
    "sound-file": Check.sound_file, "phrases": Check.phrases,
}


def silence(seconds):
    return bytes(2 * RATE * seconds)


def words(text):
    return re.findall(r"[^\W_]+(?:'[^\W_]+)*", text.lower())


def check_duration(session, expected):
    if session.duration is None:
        raise Broken(f"it failed: {session.failure}")
    if abs(session.duration - expected) >= 0.2:
        raise Broken(f"it reports {session.duration} seconds for {expected} seconds of audio")


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(os.EX_USAGE, f"{self.prog}: {message}\n")


def main():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clip", metavar="FILE", help="a recording of speech")
    parser.add_argument("--text", metavar="WORDS", help="the words in the recording")
    parser.add_argument("--rule", choices=[*RULES, *RULES_OF_SPEECH], action="append", help="only this rule; may be repeated")
    parser.add_argument("--limit", type=float, default=60, metavar="SECONDS", help="of each session (default: 60)")
    parser.add_argument("command", nargs="+", metavar="PROGRAM")
    options = parser.parse_args()
    if (options.clip is None) != (options.text is None):
        parser.error("--clip and --text require each other.")
    try:
        check = Check(options.command, options.limit, options.clip, options.text)
    except (OSError, EOFError, wave.Error) as error:
        print(f"{options.clip} cannot be used: {error}. Supply a WAV file of 16 kHz, one channel and 16 bits.", file=sys.stderr)
        return os.EX_NOINPUT
    is_broken = False
    for name, rule in {**RULES, **RULES_OF_SPEECH}.items():
        if options.rule and name not in options.rule:
            continue
        outcome, detail = "kept", None
        if name in RULES_OF_SPEECH and not options.clip:
            outcome = "not tried"
        else:
            try:
                rule(check)
            except Broken as broken:
                outcome, detail, is_broken = "BROKEN", str(broken), True
        print(f"{outcome:9}  {name:11}  It {rule.__doc__}.", flush=True)
        if detail:
            print(f"           {detail}", flush=True)
    return os.EX_DATAERR if is_broken else 0


if __name__ == "__main__":
    sys.exit(main())
