"""The socket's types. Written by `generate` from openapi.json; `_decoding` reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias, TypedDict

from ._decoding import AuthorizationMeanings, EndedMeanings, OpenWord

__all__ = [
    "AUTHORIZATION_EVENTS",
    "DICTATION_EVENTS",
    "AuditRecord",
    "Authorization",
    "AuthorizationChanged",
    "AuthorizationEvent",
    "AuthorizationGap",
    "AuthorizationResumed",
    "AuthorizationState",
    "AuthorizationStatus",
    "Device",
    "DevicesReply",
    "DictationEnding",
    "DictationEvent",
    "DictationOptions",
    "DictationsReply",
    "Ended",
    "Fidelity",
    "Final",
    "Grant",
    "GrantRecords",
    "Health",
    "Level",
    "Limits",
    "LogState",
    "MuteScope",
    "MutedBy",
    "NoSound",
    "Overrun",
    "Partial",
    "PauseReason",
    "Paused",
    "Progress",
    "Resource",
    "ResourceState",
    "ResourceStates",
    "Resumed",
    "RunningDictation",
    "Scope",
    "ServiceMode",
    "SessionControl",
    "Sound",
    "SpeechStarted",
    "Started",
    "TaskHint",
    "TranscriptionOptions",
    "Word",
]


class AuthorizationStatus(OpenWord):
    NOT_DETERMINED = "notDetermined"
    RESTRICTED = "restricted"
    DENIED = "denied"
    AUTHORIZED = "authorized"


class MuteScope(OpenWord):
    """Whose listening a mute ends: the user's, or that of all users of the machine's service."""
    USER = "user"
    EVERYONE = "everyone"


@dataclass(frozen=True, slots=True, kw_only=True)
class MutedBy:
    """The mute in force. Absent if nothing is muted."""
    scope: MuteScope
    program: str | None = None
    """The path of the program that muted. Absent: not known, or another user's."""


class Scope(OpenWord):
    ONCE = "once"
    WHILE_IN_USE = "whileInUse"
    ALWAYS = "always"


class Fidelity(OpenWord):
    """`reduced`: the client gets only phrases that it declares."""
    FULL = "full"
    REDUCED = "reduced"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What a grant allows."""
    scope: Scope
    fidelity: Fidelity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Authorization(AuthorizationMeanings):
    """The caller's permissions."""
    client: str
    name: str
    speech_recognition: AuthorizationStatus
    microphone: AuthorizationStatus
    muted: bool
    problems: tuple[str, ...]
    """Manifests and policy files that could not be used."""
    muted_by: MutedBy | None = None
    speech_recognition_grant: Grant | None = None
    microphone_grant: Grant | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceState:
    status: AuthorizationStatus
    grant: Grant | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceStates:
    speech_recognition: ResourceState | None = None
    microphone: ResourceState | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationState:
    """The present state."""
    cursor: str
    authorization: Authorization
    resources: ResourceStates


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationResumed:
    """The changes continue without a gap."""
    cursor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationChanged:
    """The state right after one change."""
    cursor: str
    muted: bool
    changed: ResourceStates


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationGap:
    """Changes before this are lost."""


AuthorizationEvent: TypeAlias = (
    AuthorizationState
    | AuthorizationResumed
    | AuthorizationChanged
    | AuthorizationGap
)
#: By the word of `type`.
AUTHORIZATION_EVENTS: Mapping[str, type[AuthorizationEvent]] = {
    "state": AuthorizationState,
    "resumed": AuthorizationResumed,
    "changed": AuthorizationChanged,
    "gap": AuthorizationGap,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantRecords:
    """By resource, the record of the permission."""
    speech_recognition: str | None = None
    microphone: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    time: float
    """Seconds since the first frame of the session."""
    session: str
    grants: GrantRecords
    device: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechStarted:
    time: float
    """Seconds since the first frame of the session."""
    at: float
    """Seconds since the first frame: where the speech begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Partial:
    time: float
    """Seconds since the first frame of the session."""
    text: str
    stable_prefix: int
    """The length of `stableText` in bytes of UTF-8, which languages count differently."""
    stable_text: str
    """The beginning of `text` that every later `partial` of the utterance begins with. The text of `final` may
    differ.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """Times in seconds."""
    word: str
    start: float
    """Seconds since the first frame."""
    end: float
    """Seconds since the first frame."""
    confidence: float
    """Probability, 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    time: float
    """Seconds since the first frame of the session."""
    text: str
    start: float
    """Seconds since the first frame."""
    end: float
    """Seconds since the first frame."""
    words: tuple[Word, ...]
    alternatives: tuple[str, ...] | None = None
    noisy_decibels: float | None = None
    """Present if the text is unreliable: decibels of the speech above its noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    time: float
    """Seconds since the first frame of the session."""
    seconds: float
    """Seconds of the file that were decoded."""
    duration: float | None = None
    """Seconds of the whole file, if known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    time: float
    """Seconds since the first frame of the session."""
    decibels: float
    """Decibels below full scale (dBFS)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    time: float
    """Seconds since the first frame of the session."""
    samples: str
    """What was heard since the last one: 16 bits, little-endian, 16 kHz, one channel."""


class PauseReason(OpenWord):
    SUSPENDED = "suspended"
    DEVICE_LOST = "deviceLost"
    BACKGROUND = "background"
    LOCKED = "locked"
    SWITCHED = "switched"
    ASLEEP = "asleep"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paused:
    time: float
    """Seconds since the first frame of the session."""
    reason: PauseReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    time: float
    """Seconds since the first frame of the session."""
    reason: PauseReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrun:
    time: float
    """Seconds since the first frame of the session."""
    lost_frames: int
    """Frames of 1/16000 s that were lost."""
    cause: str | None = None
    """`suspended`: the machine or the device was. Absent: a buffer overran."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoSound:
    time: float
    """Seconds since the first frame of the session."""
    decibels: float
    """The loudest tenth of a second of the session's first five seconds (dBFS): the microphone may be muted, or
    the wrong one.
    """


class DictationEnding(OpenWord):
    ENDED = "ended"
    CANCELLED = "cancelled"
    SILENCE = "silence"
    REVOKED = "revoked"
    RESTRICTED = "restricted"
    MUTED = "muted"
    BACKGROUND = "background"
    LOCKED = "locked"
    SWITCHED = "switched"
    ASLEEP = "asleep"
    DEVICE_LOST = "deviceLost"
    FAILED = "failed"
    INCOMPLETE = "incomplete"
    DISCONNECTED = "disconnected"
    CLIENT_STALLED = "clientStalled"
    SERVICE_STALLED = "serviceStalled"
    SERVICE_STOPPED = "serviceStopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended(EndedMeanings):
    time: float
    """Seconds since the first frame of the session."""
    reason: DictationEnding
    message: str | None = None


DictationEvent: TypeAlias = (
    Started
    | SpeechStarted
    | Partial
    | Final
    | Progress
    | Level
    | Sound
    | Paused
    | Resumed
    | Overrun
    | NoSound
    | Ended
)
#: By the word of `type`. `time` is in seconds since the session's start.
DICTATION_EVENTS: Mapping[str, type[DictationEvent]] = {
    "started": Started,
    "speechStarted": SpeechStarted,
    "partial": Partial,
    "final": Final,
    "progress": Progress,
    "level": Level,
    "sound": Sound,
    "paused": Paused,
    "resumed": Resumed,
    "overrun": Overrun,
    "noSound": NoSound,
    "ended": Ended,
}


class ServiceMode(OpenWord):
    ADVISORY = "advisory"
    ENFORCED = "enforced"


class LogState(OpenWord):
    VERIFYING = "verifying"
    INTACT = "intact"
    ALTERED = "altered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the service takes at most."""
    connections_of_program: int
    """Open connections of one program; one more is 503 `unavailable`."""
    sessions_of_client: int
    """Running sessions of one client; one more is 429 `busy`."""
    sessions: int
    """Running sessions of all users."""
    monitors_of_client: int
    """Registered monitors of one client; one more is 409 `conflict`."""
    bytes_of_body: int
    """Bytes of a JSON body."""
    bytes_of_body_with_words: int
    """Bytes of a dictation's, which may have the user's own writing."""
    bytes_of_words: int
    """Bytes of UTF-8 of the user's own writing (`words`)."""
    bytes_of_grammar: int
    """Bytes of UTF-8 of a grammar."""
    context_phrases: int
    """The number of likely phrases (`contextPhrases`)."""
    characters_of_phrase: int
    """Characters of a likely phrase."""
    alternatives: int
    """The number of alternative texts of an utterance."""
    bytes_of_file: int
    """Bytes of a sound file."""
    records_of_answer: int
    """The number of positions of the log that one answer of `GET /v1/audit/records` covers."""
    seconds_of_pause: int
    """Seconds in which a body may pause; a longer pause is 408 `clientStalled`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    version: str
    mode: ServiceMode
    process_identifier: int
    """Of the service."""
    muted: bool
    log: LogState | None = None
    """What the service knows of its log since its start."""
    recognizer: str | None = None
    """The engine of dictations with its version. Absent: unknown."""
    limits: Limits | None = None
    """What the service takes at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    name: str
    description: str
    problem: str | None = None
    """Why it cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DevicesReply:
    devices: tuple[Device, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningDictation:
    session: str
    client: str
    device: str
    started_at: datetime
    """UTC, with milliseconds."""
    paused: tuple[PauseReason, ...]
    """Why it does not listen now; empty if it listens."""
    is_ending: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DictationsReply:
    sessions: tuple[RunningDictation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """One record; its `fields` are those of consent-record.schema.json."""
    index: int
    """Of the record, counted from 0."""
    kind: str
    time: str
    fields: dict[str, Any]
    is_erased: bool


class SessionControl(OpenWord):
    END = "end"
    CANCEL = "cancel"
    SUSPEND = "suspend"
    RESUME = "resume"


class Resource(OpenWord):
    SPEECH_RECOGNITION = "speechRecognition"
    MICROPHONE = "microphone"


class TaskHint(OpenWord):
    DICTATION = "dictation"
    SEARCH = "search"
    COMMAND = "command"


class DictationOptions(TypedDict, total=False):
    """Keywords of a call. Each may be absent."""
    device: str
    """ALSA's PCM name."""
    wait_for_device: bool
    """Waits for a device that is lost."""
    stop_after_silence: float
    """Seconds: ends the session after this much silence, once speech has begun."""
    end_silence: float
    """Seconds: the pause that ends an utterance."""
    task_hint: TaskHint | str
    """The length of the pause that ends an utterance."""
    context_phrases: Sequence[str]
    """Likely phrases."""
    words: str
    """The user's own writing, at most 512 KiB of UTF-8."""
    grammar: str
    """JSGF, at most 64 KiB of UTF-8: only what it allows is recognised."""
    alternatives: int
    """The number of alternative texts of each utterance."""
    level: bool
    """Sends `level` events."""
    sound: bool
    """Sends `sound` events, for 10 s. Only for VoiceGate's own command at a terminal, which plays them back;
    others are refused.
    """
    suspended: bool
    """`true`: it does not listen before `resume`."""
    ask: bool
    """`false`: refuses at once instead of asking the user."""
    language: str
    """What is spoken, such as `en` or `en-US`; refused if no engine here recognises it. Absent, and `auto`: any
    language of the engine.
    """
    keep: bool
    """`false`: nothing of this session is kept, whatever the user agreed to."""


class TranscriptionOptions(TypedDict, total=False):
    """Keywords of a call. Each may be absent."""
    task_hint: TaskHint | str
    """The length of the pause that ends an utterance."""
    context_phrases: Sequence[str]
    """Likely phrases."""
    words: str
    """The user's own writing, at most 512 KiB of UTF-8."""
    grammar: str
    """JSGF, at most 64 KiB of UTF-8: only what it allows is recognised."""
    alternatives: int
    """The number of alternative texts of each utterance."""
