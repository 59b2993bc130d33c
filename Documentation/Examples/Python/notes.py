#!/usr/bin/env python3
"""Writes what you say, or what is said in a sound file, at the end of a file of notes.

notes.py NOTES         dictates; ends after two seconds of silence, or with Ctrl-C
notes.py NOTES SOUND   transcribes the file

Exit codes: 0 written, 64 usage, 66 a file that cannot be opened, 69 no service, no sound, or a note that may be incomplete,
75 try again later, 77 not allowed.
"""

import asyncio
import datetime
import signal
import sys

import voicegate
from voicegate import aio


async def listen(events: aio.Dictation) -> list[str]:
    """The utterances until the session ends, with the words so far in the terminal."""
    loop, texts = asyncio.get_running_loop(), []
    async for event in events:
        match event:
            case voicegate.Started(device=str(device)):
                print(f"Listening on {device}. Ctrl-C ends the note.", file=sys.stderr)
                # What was heard until then is still recognised.
                loop.add_signal_handler(signal.SIGINT, lambda: loop.create_task(events.end()))
            case voicegate.Partial(text=text):
                print(f"\r… {text}", end="\033[K", file=sys.stderr, flush=True)
            case voicegate.Final(text=text) if text:
                print(f"\r{text}", end="\033[K\n", file=sys.stderr)
                texts.append(text)
            case voicegate.Paused(reason=reason):
                print(f"Not listening: {reason}", file=sys.stderr)
            case voicegate.Ended(is_complete=False, reason=reason, message=message):
                print(message or f"The note may be incomplete: {reason}", file=sys.stderr)
    return texts


async def main(arguments: list[str]) -> int:
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 64
    notes, *sounds = arguments
    client = aio.Client()
    try:
        events = client.transcribe(sounds[0]) if sounds else client.dictate(stop_after_silence=2)
        texts = await listen(events)
        if texts:
            with open(notes, "a", encoding="utf-8") as file:
                file.write(f"- {datetime.datetime.now():%Y-%m-%d %H:%M} {' '.join(texts)}\n")
        return 0 if events.ended and events.ended.is_complete else 69
    except voicegate.RateLimited as error:
        print(f"{error} Try again in {error.retry_after or 60:.0f} s.", file=sys.stderr)
        return 75
    except voicegate.PermissionRefused as error:
        # The message says who refused and what changes that: the user, an administrator, or a manifest that is missing.
        print(error, file=sys.stderr)
        return 77
    except voicegate.VoiceGateError as error:
        print(error, file=sys.stderr)
        return 69
    except OSError as error:
        print(error, file=sys.stderr)
        return 66


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main(sys.argv[1:])))
    except KeyboardInterrupt:
        sys.exit(130)
