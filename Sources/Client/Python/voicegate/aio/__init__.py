"""The asyncio form: each call is awaited. `plain` has the same names and waits instead.

    async for event in aio.Client().dictate(stop_after_silence=2):
        if isinstance(event, voicegate.Final):
            print(event.text)
"""

from ._client import Client
from ._streams import Changes, Dictation, Records, Stream, Transcription

__all__ = ["Changes", "Client", "Dictation", "Records", "Stream", "Transcription"]
