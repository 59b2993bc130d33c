"""Why something was not done, and what to do next.

Every error has a message for people (what happened, then what to do next) and, if one helps, the command that the user
can run. A refusal by the service is a `Refused`: its class says what kind, its `code` is the service's own word.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from .wire import AuthorizationStatus, DictationEnding, Resource

__all__ = [
    "CannotConnect",
    "Denied",
    "Disconnected",
    "InvalidRequest",
    "MissingManifest",
    "MissingUsageDescription",
    "Muted",
    "NoAnswer",
    "NotAllowed",
    "NotDetermined",
    "NotInUse",
    "PermissionOutdated",
    "PermissionRefused",
    "ProtocolError",
    "RateLimited",
    "Refused",
    "Restricted",
    "ServiceFailed",
    "ServiceNotRunning",
    "ServiceTimeout",
    "SessionEnded",
    "Unavailable",
    "Unreachable",
    "UntrustedService",
    "VoiceGateError",
]


class VoiceGateError(Exception):
    """Base of all errors of this package."""

    def __init__(self, message: str, *, command: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        #: A command that the user can run next; the message contains it.
        self.command = command


class CannotConnect(VoiceGateError):
    """The socket is there and cannot be reached, or no socket can have this path."""


class ServiceNotRunning(CannotConnect):
    """Nothing listens at the socket."""


class UntrustedService(VoiceGateError):
    """The socket, its directory or the process behind it is neither the user's own nor the system's."""


class Disconnected(VoiceGateError):
    """The service closed the connection before it had answered."""


class ServiceTimeout(VoiceGateError, TimeoutError):
    """The service did not answer within the client's timeout."""


class ProtocolError(VoiceGateError):
    """The answer is not one of the socket's interface."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"The service's answer cannot be understood: {what}. "
            "The package and the service may be of different versions; restart the service.",
            command="voicegate service restart",
        )


class SessionEnded(VoiceGateError):
    """A session ended before all was recognised."""

    def __init__(self, reason: DictationEnding, message: str | None) -> None:
        super().__init__(message or f"The session ended before all was recognised ({reason}).")
        self.reason = reason


class Refused(VoiceGateError):
    """The service answered with an error."""

    def __init__(
        self,
        message: str,
        *,
        http_status: int,
        code: str = "",
        retry_after: float | None = None,
        status: AuthorizationStatus | None = None,
        resource: Resource | None = None,
        client: str | None = None,
        command: str | None = None,
    ) -> None:
        super().__init__(message, command=command)
        self.http_status = http_status
        #: The service's word for programs, such as `denied`; empty if it gave none.
        self.code = code
        #: Seconds after which the same request may be accepted, if the service said so.
        self.retry_after = retry_after
        #: Of the permission that was requested.
        self.status = status
        self.resource = resource
        #: The program that the service takes the caller for.
        self.client = client


class PermissionRefused(Refused):
    """The program may not listen or recognise now."""


class NotDetermined(PermissionRefused):
    """The user has not decided. `request_authorization` asks them."""


class Denied(PermissionRefused):
    """The user decided against it, and is not asked again. They can change that by `command`."""


class Restricted(PermissionRefused):
    """A policy of the machine's administrator does not allow it."""


class Muted(PermissionRefused):
    """The user muted everything. They can end that by `command`."""


class MissingManifest(PermissionRefused):
    """No manifest describes this program, so the user cannot be asked. `command` writes one."""


class MissingUsageDescription(PermissionRefused):
    """The program's manifest has no text that says why it needs the resource."""


class PermissionOutdated(PermissionRefused):
    """The program, or what its manifest declares, has changed since the user allowed it."""


class NotInUse(PermissionRefused):
    """The program is in the background, and the request needs the foreground; or the user is absent."""


class NoAnswer(PermissionRefused):
    """The prompt could not be shown, or was not answered. Nothing was decided."""


class RateLimited(Refused):
    """Too many requests, sessions or connections."""


class Unavailable(Refused):
    """A device, the recogniser or the storage does not work now."""


class NotAllowed(Refused):
    """This caller may not make this call."""


class InvalidRequest(Refused):
    """The request is at fault."""


class ServiceFailed(Refused):
    """The service is at fault."""


@dataclass(frozen=True, slots=True)
class Unreachable:
    """Among the events of `authorization_changes`: the service cannot be reached, and connecting is tried again."""

    error: VoiceGateError


#: By `ErrorCode` and `RefusalCode`. A code that is not here is judged by its HTTP status.
BY_CODE: Mapping[str, type[Refused]] = {
    "notDetermined": NotDetermined,
    "denied": Denied,
    "restricted": Restricted,
    "muted": Muted,
    "missingManifest": MissingManifest,
    "missingUsageDescription": MissingUsageDescription,
    "identityChanged": PermissionOutdated,
    "termsWidened": PermissionOutdated,
    "notInUse": NotInUse,
    "locked": NotInUse,
    "switched": NotInUse,
    "asleep": NotInUse,
    "noAnswer": NoAnswer,
    "reducedFidelity": PermissionRefused,
    "missingBackgroundMode": PermissionRefused,
    "untrusted": PermissionRefused,
    "alreadyFull": InvalidRequest,
    "missingPurpose": InvalidRequest,
    "tooManyRequests": RateLimited,
    "busy": RateLimited,
    "deviceBusy": Unavailable,
    "deviceUnavailable": Unavailable,
    "recognizerUnavailable": Unavailable,
    "storageUnavailable": Unavailable,
    "recordingFailed": Unavailable,
    "serviceStalled": Unavailable,
    "notAllowed": NotAllowed,
    "internalError": ServiceFailed,
}


def refusal(http_status: int, headers: Mapping[str, str], body: bytes) -> Refused:
    """The error of an answer with an error's status.

    The body is `{"error":{"code","message",…}}`, or members of RFC 9457 (`title`, `detail`), or both, or nothing.
    """
    try:
        answer = json.loads(body)
    except ValueError:
        answer = None
    return refusal_of(http_status, headers, answer)


def refusal_of(http_status: int, headers: Mapping[str, str], answer: object) -> Refused:
    """The same of a body that is read."""
    whole: dict[str, Any] = answer if isinstance(answer, dict) else {}
    error = whole.get("error")
    found: dict[str, Any] = {**whole, **error} if isinstance(error, dict) else whole

    def text(*names: str) -> str | None:
        return next((value for name in names if isinstance(value := found.get(name), str) and value), None)

    code, client, status, resource = text("code") or "", text("client"), text("status"), text("resource")
    code = code or (text("type") or "").removeprefix("urn:voicegate:error:").removeprefix("about:blank")
    kind = BY_CODE.get(code) or _by_status(http_status)
    return kind(
        text("message", "detail", "title") or f"The service answered with HTTP status {http_status} and no reason.",
        http_status=http_status,
        code=code,
        retry_after=_seconds(headers.get("retry-after")),
        status=AuthorizationStatus(status) if status else None,
        resource=Resource(resource) if resource else None,
        client=client,
        command=text("settings"),
    )


def _by_status(status: int) -> type[Refused]:
    known: dict[int, type[Refused]] = {403: PermissionRefused, 429: RateLimited, 503: Unavailable}
    return known.get(status) or (ServiceFailed if status >= 500 else InvalidRequest)


def _seconds(value: str | None) -> float | None:
    """`Retry-After` (RFC 9110, section 10.2.3): seconds or a date."""
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())
