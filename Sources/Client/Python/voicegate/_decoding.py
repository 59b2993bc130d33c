"""From the socket's JSON to the types of `wire`, and what these types have in common.

Fields, events and words that this version does not know are ignored: the service may be newer than the package.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from typing import Any, Self, TypeVar, cast

T = TypeVar("T")


class OpenWord(StrEnum):
    """A word of the interface. One that this version does not know is a value that equals no known word."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, str):
            return None
        word = str.__new__(cls, value)
        word._name_, word._value_ = "UNKNOWN", value
        return word

    @property
    def is_known(self) -> bool:
        """Whether this version knows the word."""
        return self.name != "UNKNOWN"


class Malformed(ValueError):
    """The value is not of the type."""


def camel(name: str) -> str:
    """The name in JSON of a field: `noisy_decibels` → `noisyDecibels`."""
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), name)


def timestamp(date: datetime) -> str:
    """UTC with milliseconds, as the service writes it. A date without a time zone is in this machine's."""
    return date.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def decode(kind: type[T], value: object) -> T:
    """A value of JSON as a type of `wire`.

    Raises `Malformed` if a field of the type is missing or of another type.
    """
    return cast(T, _decode(kind, value, kind.__name__))


@cache
def _fields(kind: Any) -> list[tuple[str, str, Any, bool]]:
    hints = typing.get_type_hints(kind)
    return [
        (field.name, camel(field.name), hints[field.name], field.default is dataclasses.MISSING)
        for field in dataclasses.fields(kind)
    ]


def _decode(kind: Any, value: Any, place: str) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is types.UnionType:  # Only of a type and None.
        return None if value is None else _decode(arguments[0], value, place)
    if kind is Any:
        return value
    if origin is tuple and isinstance(value, list):
        return tuple(_decode(arguments[0], member, place) for member in value)
    if origin is dict and isinstance(value, dict):
        return {key: _decode(arguments[1], member, place) for key, member in value.items()}
    if dataclasses.is_dataclass(kind) and isinstance(value, dict):
        found = {}
        for name, key, hint, is_required in _fields(cast(Any, kind)):
            if key in value:
                found[name] = _decode(hint, value[key], f"{place}.{key}")
            elif is_required:
                raise Malformed(f"{place} has no {key}")
        return cast(Any, kind)(**found)
    if kind in (bool, str) and isinstance(value, kind):
        return value
    if kind is float and isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if kind is int and isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(value):
        return int(value)
    if isinstance(kind, type) and issubclass(kind, OpenWord) and isinstance(value, str):
        return kind(value)
    if kind is datetime and isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            pass
    raise Malformed(f"{place} is not of its type")


class AuthorizationMeanings:
    """What a program asks of its permissions."""

    __slots__ = ()
    speech_recognition: Any
    microphone: Any

    @property
    def is_authorized(self) -> bool:
        """Whether both resources are authorized: what dictation needs. An unknown status is not a permission."""
        return bool(self.speech_recognition == self.microphone == "authorized")


class EndedMeanings:
    """The end of a session."""

    __slots__ = ()
    reason: Any

    @property
    def is_complete(self) -> bool:
        """Whether all that was said is recognised: the session was ended, or by silence."""
        return self.reason in ("ended", "silence")
