"""Sound files of every kind as pieces of bytes."""

from __future__ import annotations

import os
from collections.abc import AsyncIterable, Iterable, Iterator
from typing import BinaryIO, TypeAlias, cast

from ._http import PIECE

#: A path, a file's bytes, a file that is open for reading bytes, or pieces of bytes.
Sound: TypeAlias = str | os.PathLike[str] | bytes | BinaryIO | Iterable[bytes]
#: The same for asyncio.
AnySound: TypeAlias = Sound | AsyncIterable[bytes]


def pieces(sound: Sound) -> Iterator[bytes]:
    """Raises `OSError` at once if a path cannot be opened."""
    if isinstance(sound, (str, os.PathLike)):
        return _read(open(sound, "rb"), closes=True)
    if isinstance(sound, (bytes, bytearray, memoryview)):
        return iter([bytes(sound)])
    if hasattr(sound, "read"):
        return _read(cast(BinaryIO, sound), closes=False)
    return iter(sound)


def can_be_read_again(sound: object) -> bool:
    return isinstance(sound, (str, os.PathLike, bytes))


def _read(file: BinaryIO, *, closes: bool) -> Iterator[bytes]:
    try:
        while piece := file.read(PIECE):
            yield piece
    finally:
        if closes:
            file.close()
