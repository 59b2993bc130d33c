"""A client that PyPI's openapi-python-client makes of a running service's own description, against that service and against one
that is newer: generated_client.py SOCKET WAV

Prints a line for each answer that it understands from both. One that it does not is an error, and exit code 1. Run it as a
client with a manifest whose user allows speech recognition.
"""
import importlib
import json
import pathlib
import subprocess
import sys
import tempfile

import httpx

SOCKET, WAV = sys.argv[1:]
# What a later version of version 1 may add.
FIELD = {"later": {"new": [1]}}
EVENT = {"type": "later", "time": 1, "new": {}}


class Newer(httpx.BaseTransport):
    """The same service, with a further field in each object, and other words in each enumeration that may have others."""

    def __init__(self, words):
        self.words, self.service = words, httpx.HTTPTransport(uds=SOCKET)

    def handle_request(self, request):
        answer = self.service.handle_request(request)
        kind, lines = answer.headers.get("content-type", ""), answer.read().splitlines()
        if "json" in kind:
            lines = [json.dumps(self.extended(json.loads(line))).encode() for line in lines]
        if "ndjson" in kind:
            lines.insert(1, json.dumps(EVENT).encode())
        return httpx.Response(answer.status_code, headers={"content-type": kind}, content=b"\n".join(lines))

    def extended(self, value):
        if isinstance(value, list):
            return [self.extended(member) for member in value]
        if isinstance(value, dict):
            return {key: member if key == "type" else self.extended(member) for key, member in value.items()} | FIELD
        return f"{value}Later" if value in self.words else value


def words(value):
    """Those of all enumerations that may get others."""
    if isinstance(value, list):
        return set().union(*map(words, value))
    if not isinstance(value, dict):
        return set()
    return set(value.get("x-extensible-enum", [])).union(*map(words, value.values()))


def call(tag, name, kind, status=200, **arguments):
    """The answer of an operation, as one of the client's types."""
    operation = importlib.import_module(f"generated.api.{tag}.{name}")
    answer = operation.sync_detailed(client=client, **arguments)
    assert answer.status_code == status, (name, answer.status_code, answer.content)
    assert type(answer.parsed).__name__ == kind, (name, answer.parsed)
    assert is_newer == ("later" in answer.parsed.to_dict()), (name, answer.parsed)
    print(f"{name}: {kind}", flush=True)
    return answer.parsed


def events(text):
    """The types by which each line can be read."""
    members = [getattr(models, name) for name in dir(models) if name.startswith("DictationEventType")]
    for line in text.splitlines():
        if line:
            found = [member.__name__ for member in members if reads(member, line)]
            assert len(found) == 1 or is_newer and json.loads(line) == EVENT and not found, (line, found)
            assert reads(models.OtherEvent, line)
            yield json.loads(line)["type"]


def reads(kind, line):
    try:
        return kind.from_dict(json.loads(line)) is not None
    except (KeyError, ValueError):
        return False


with httpx.Client(transport=httpx.HTTPTransport(uds=SOCKET), base_url="http://voicegate") as service:
    document = service.get("/v1/openapi.json").json()
with tempfile.TemporaryDirectory() as folder:
    place = pathlib.Path(folder)
    (place / "openapi.json").write_text(json.dumps(document))
    (place / "settings.yaml").write_text("post_hooks: []\n")
    subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", "--path", place / "openapi.json", "--config",
         place / "settings.yaml", "--meta", "none", "--output-path", place / "generated"],
        check=True, stdout=subprocess.DEVNULL)
    sys.path.insert(0, folder)
    from generated import Client, models

    for is_newer in False, True:
        transport = Newer(words(document)) if is_newer else httpx.HTTPTransport(uds=SOCKET)
        client = Client("http://voicegate", timeout=60, httpx_args={"transport": transport})
        call("health", "health", "HealthReply")
        call("authorization", "request_authorization", "AuthorizationReply",
             body=models.AuthorizationRequest(resource="speechRecognition"))
        call("authorization", "authorization", "AuthorizationReply")
        call("dictation", "dictations", "DictationsReply")
        call("dictation", "dictate", "ErrorReply", 422, body=models.DictationRequest(language="xx-not"))
        call("devices", "devices", "DevicesReply")
        call("indicator", "indicator", "IndicatorReply")
        call("monitors", "monitors", "MonitorsReply")
        call("settings", "settings", "ErrorReply", 403)
        call("audio", "open_ai_models", "OpenAIModelList")
        with open(WAV, "rb") as file:
            answer = client.get_httpx_client().post(
                "/v1/audio/transcriptions", content=file.read(),
                headers={"Accept": "application/x-ndjson", "Content-Type": "application/octet-stream"})
        read = list(events(answer.text))
        assert read[0] == "started" and "final" in read and read[-1] == "ended" and is_newer == ("later" in read), read
        print(f"events: {len(set(read))} types", flush=True)
