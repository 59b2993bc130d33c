# Written by `generate` from aio/__init__.py.
"""The plain form: each call waits. `aio` has the same names."""

from ._client import Client
from ._streams import Changes, Dictation, Records, Transcription

__all__ = ["Changes", "Client", "Dictation", "Records", "Transcription"]
