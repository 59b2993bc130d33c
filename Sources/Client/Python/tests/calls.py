"""What a program asks of a real service; a line of JSON for each answer. Its manifest names this file.

calls.py use SOUND   asks, dictates and transcribes, in both forms, and reads its records
calls.py ask         asks for permission
calls.py follow      dictates and follows its permissions, until the dictation is over and the microphone is denied
"""

import asyncio
import json
import sys
from typing import Any

import voicegate
from voicegate import aio


def say(**values: Any) -> None:
    print(json.dumps(values), flush=True)


def use(sound: str) -> None:
    client = voicegate.Client()
    say(before=client.authorization().microphone, asked=client.request_authorization().is_authorized)
    events = list(client.dictate(stop_after_silence=0.5))
    texts = [event.text for event in events if isinstance(event, voicegate.Final)]
    say(events=[type(event).__name__ for event in events], texts=texts)
    say(text=client.transcribe(sound, context_phrases=["ten meters"]).text())
    records = list(client.records())
    say(clients=sorted({record.fields["client"] for record in records}), kinds=[record.kind for record in records])
    say(newest=[record.index for record in client.records(limit=1)] == [records[-1].index])
    asyncio.run(use_asyncio())


async def use_asyncio() -> None:
    client = aio.Client()
    async with client.dictate() as dictation:
        async for event in dictation:
            if isinstance(event, voicegate.Started):
                say(running=[running.session for running in await client.dictations()] == [event.session])
            if isinstance(event, voicegate.Partial):
                break
    while await client.dictations():
        await asyncio.sleep(0.02)
    try:
        await client.control("none", "end")
    except voicegate.InvalidRequest as error:
        say(code=error.code)


def ask() -> None:
    try:
        say(kind="", status=voicegate.Client().request_authorization().microphone)
    except voicegate.Refused as error:
        say(kind=type(error).__name__, status=error.status, command=error.command or "")
    except voicegate.VoiceGateError as error:
        say(kind=type(error).__name__, command=error.command or "")


async def follow() -> None:
    async def dictate() -> None:
        async for event in aio.Client().dictate():
            if isinstance(event, voicegate.Started | voicegate.Ended):
                say(event=type(event).__name__, reason=getattr(event, "reason", ""))

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(dictate())
        async for change in aio.Client().authorization_changes():
            if isinstance(change, voicegate.AuthorizationChanged) and (state := change.changed.microphone):
                say(microphone=state.status)
                if state.status == voicegate.AuthorizationStatus.DENIED:
                    break


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["use", sound]:
            use(sound)
        case ["ask"]:
            ask()
        case ["follow"]:
            asyncio.run(follow())
        case _:
            sys.exit(__doc__)
