#!/usr/bin/env python3
"""Turns WAV files into text by a Wyoming service, one after the other over one connection.

    pip install wyoming
    python3 transcribe.py hello.wav
    python3 transcribe.py --uri tcp://127.0.0.1:10300 --stream hello.wav
    python3 transcribe.py --describe

Exit codes: 0, 65 for audio that cannot be read, 66 without a file, 69 where no service answers, 70 for other errors of it,
77 where a permission is missing.
"""

import argparse
import asyncio
import os
import sys
import wave

from wyoming.asr import Transcribe, Transcript, TranscriptChunk
from wyoming.audio import AudioStop, wav_to_chunks
from wyoming.client import AsyncClient
from wyoming.error import Error
from wyoming.info import Describe, Info

# What else the service says when it refuses; each is explained by the error's text.
PERMISSION = {
    "notDetermined", "denied", "restricted", "identityChanged", "termsWidened", "missingManifest", "missingUsageDescription",
    "noAnswer", "notInUse", "muted", "reducedFidelity", "untrusted", "notAllowed",
}  # fmt: skip
EXIT = {"badAudio": 65, "timedOut": 65}


def default_uri() -> str:
    """The machine's own service where there is one, else the user's."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", f"/run/user/{os.getuid()}")
    machine = "/run/voicegate/wyoming.sock"
    return f"unix://{machine if os.path.exists(machine) else runtime + '/voicegate/wyoming.sock'}"


async def describe(client: AsyncClient) -> int:
    await client.write_event(Describe().event())
    event = await client.read_event()
    if event is None or not Info.is_type(event.type):
        return 69
    for program in Info.from_event(event).asr:
        for model in program.models:
            languages = ", ".join(model.languages) or "?"
            print(f"{program.name} {program.version}: {model.name} ({languages})")
    # Other Wyoming services do not tell this.
    standing = event.data.get("voicegate")
    if standing:
        status = standing["authorization"]["speechRecognition"]
        print(f"{standing['client']}: speechRecognition {status}")
    return 0


async def transcribe(client: AsyncClient, path: str, options: argparse.Namespace) -> int:
    try:
        sound = wave.open(path, "rb")
    except (OSError, EOFError, wave.Error) as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 66 if isinstance(error, OSError) else 65
    request = Transcribe(language=options.language, transcript_terms=options.term or None)
    await client.write_event(request.event())
    with sound:
        # The audio is written while answers are read: a refusal comes before it is over.
        sending = asyncio.create_task(send(client, sound))
        try:
            while True:
                event = await client.read_event()
                if event is None:
                    print("The service has closed the connection.", file=sys.stderr)
                    return 69
                if options.stream and TranscriptChunk.is_type(event.type):
                    print(TranscriptChunk.from_event(event).text.strip(), flush=True)
                if Transcript.is_type(event.type):
                    if not options.stream:
                        print(Transcript.from_event(event).text)
                    return 0
                if Error.is_type(event.type):
                    error = Error.from_event(event)
                    print(f"{error.text} ({error.code})", file=sys.stderr)
                    return 77 if error.code in PERMISSION else EXIT.get(error.code, 70)
        finally:
            sending.cancel()


async def send(client: AsyncClient, sound: wave.Wave_read) -> None:
    try:
        for chunk in wav_to_chunks(sound, samples_per_chunk=1024, start_event=True, stop_event=False):
            await client.write_event(chunk.event())
        await client.write_event(AudioStop().event())
    except ConnectionError:
        # The service has said why before it closed the connection.
        pass


async def main() -> int:
    parser = argparse.ArgumentParser(description="Turns WAV files into text by a Wyoming service.")
    parser.add_argument("file", nargs="*", help="a WAV file of any rate")
    parser.add_argument("--uri", default=default_uri(), help="unix://PATH or tcp://HOST:PORT")
    parser.add_argument("--language", help="such as en")
    parser.add_argument("--term", action="append", help="a phrase that is likely to be said")
    parser.add_argument("--stream", action="store_true", help="print each utterance as soon as it is understood")
    parser.add_argument("--describe", action="store_true", help="say what the service recognises")
    options = parser.parse_args()
    status = None
    try:
        async with AsyncClient.from_uri(options.uri) as client:
            if options.describe:
                status = await describe(client)
            for path in options.file:
                status = await transcribe(client, path, options)
                if status != 0:
                    break
    except OSError as error:
        # After a refusal the service closes first, and what was not sent any more is not news.
        if status is None:
            print(f"No service answers at {options.uri}: {error}", file=sys.stderr)
            return 69
    return status or 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
