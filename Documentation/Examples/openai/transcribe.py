#!/usr/bin/env python3
"""Writes what is said in a sound file, by PyPI's openai client over VoiceGate's Unix socket.

transcribe.py FILE            the text
transcribe.py --stream FILE   each utterance as soon as it is decoded

Needs: pip install openai httpx2
"""
import os
import sys

import httpx2
import openai


def client(socket):
    # The kernel tells the service who calls, so the key can be anything.
    return openai.OpenAI(
        api_key="none",
        base_url="http://voicegate/v1",
        http_client=httpx2.Client(transport=httpx2.HTTPTransport(uds=socket), timeout=600),
    )


def main(arguments):
    streams = arguments[:1] == ["--stream"]
    if len(arguments) != 1 + streams:
        print(__doc__, file=sys.stderr)
        return 64
    folders = ["/run", os.environ.get("XDG_RUNTIME_DIR", f"/run/user/{os.getuid()}")]
    # The machine's own service where there is one, else the user's.
    sockets = [path for folder in folders if os.path.exists(path := f"{folder}/voicegate/voicegate.sock")]
    socket = os.environ.get("VOICEGATE_SOCKET") or next(iter(sockets), f"{folders[-1]}/voicegate/voicegate.sock")
    try:
        with open(arguments[-1], "rb") as file:
            transcriptions = client(socket).audio.transcriptions
            if streams:
                for event in transcriptions.create(model="whisper-1", file=file, stream=True):
                    if event.type == "transcript.text.delta":
                        print(event.delta, end="", flush=True)
                print()
            else:
                print(transcriptions.create(model="whisper-1", file=file).text)
    except openai.APIConnectionError:
        print(f"No service answers at {socket}. To start it: voicegate service start", file=sys.stderr)
        return 69
    except openai.APIError as error:
        # The message says who refused, or what is wrong with the file, and what to do next.
        message = error.body.get("message") if isinstance(error.body, dict) else None
        print(message or error.message, file=sys.stderr)
        return 77 if isinstance(error, openai.PermissionDeniedError) else 65
    except OSError as error:
        print(f"{error.filename} cannot be read: {error.strerror}.", file=sys.stderr)
        return 66
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
