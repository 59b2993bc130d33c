"""Dictation and its permissions from VoiceGate, the Linux service that owns the microphone.

    import voicegate

    for event in voicegate.Client().dictate(stop_after_silence=2):
        if isinstance(event, voicegate.Final):
            print(event.text)

`voicegate.Client` waits; `voicegate.aio.Client` has the same names for asyncio. Errors are in `voicegate.errors`.
"""

from . import aio, errors, plain, wire
from .errors import *
from .plain import *
from .wire import *

__all__ = ["aio"]
__all__ += errors.__all__
__all__ += plain.__all__
__all__ += wire.__all__
