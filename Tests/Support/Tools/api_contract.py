"""The contract for clients in any language, tried at a running service without a library: api_contract.py SOCKET WAV

Prints a line for each promise that is kept. A broken one is an AssertionError, and the exit code 1. Run it as a client with a
manifest whose user allows speech recognition.
"""
import http.client
import json
import socket
import sys
import time

SOCKET, WAV = sys.argv[1:]


class Connection(http.client.HTTPConnection):
    def __init__(self):
        super().__init__("voicegate", timeout=60)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(60)
        self.sock.connect(SOCKET)


def call(method, path, body=None, connection=None, **fields):
    """The answer's status, fields and body."""
    used = connection or Connection()
    used.request(method, path, body, fields)
    answer = used.getresponse()
    result = answer.status, answer.headers, answer.read()
    if connection is None:
        used.close()
    return result


def served():
    """A connection that the service serves: it may not have seen yet that earlier ones were closed, and refuse it, or serve
    no more than one request of those that every client may make."""
    while True:
        connection = Connection()
        try:
            if call("GET", "/v1/models", connection=connection)[0] == 200:
                return connection
        except (ConnectionError, http.client.HTTPException):
            pass
        connection.close()
        time.sleep(0.1)


def problem(answer, status, code):
    """Checks an error of VoiceGate's own calls."""
    found, fields, body = answer
    assert found == status, (found, status, body)
    assert fields["Content-Type"] == "application/problem+json", fields.items()
    value = json.loads(body)
    assert value["status"] == status and value["title"], value
    assert value["error"]["code"] == code and value["type"] == f"urn:voicegate:error:{code}", value
    assert value["detail"] == value["error"]["message"], value
    return fields


document = json.loads(call("GET", "/v1/openapi.json")[2])
paths = [path for path, operations in document["paths"].items() if "get" in operations and "{" not in path]
kept = Connection()
for path in paths:
    operation = document["paths"][path]["get"]
    is_endless = "without an end" in operation["responses"]["200"]["description"]
    status, fields, body = call("HEAD", path, connection=kept)
    assert body == b"" and status in (200, 403, 404, 422), (path, status, body)
    if not is_endless:
        got = call("GET", path, connection=kept)
        assert status == got[0] and fields["Content-Type"] == got[1]["Content-Type"], (path, status, got)
assert "HEAD" in call("POST", "/v1/health")[1]["Allow"]
assert call("HEAD", "/v1/nothing", connection=kept)[0] == 404 and call("GET", "/v1/health", connection=kept)[0] == 200
kept.close()
print(f"HEAD: {len(paths)} paths")

problem(call("GET", "/v1/nothing"), 404, "notFound")
problem(call("POST", "/v1/health"), 405, "methodNotAllowed")
problem(call("POST", "/v1/dictation", "{"), 400, "badRequest")
problem(call("POST", "/v1/dictation", '{"device": 7}'), 400, "badRequest")
problem(call("GET", "/v1/settings"), 403, "notAllowed")
print("problems (RFC 9457)")

for path, body in [
    ("/v1/authorization/requests", {"resource": "camera"}), ("/v1/authorization/requests", {"scope": "for ever"}),
    ("/v1/monitors", {"kind": "doorbell", "action": "start"}), ("/v1/monitors", {"kind": "soundBegan", "action": "sing"}),
    ("/v1/dictation", {"taskHint": "poem"}), ("/v1/dictation", {"language": "xx-not"}),
    ("/v1/dictation?heartbeat=soon", {}),
]:
    problem(call("POST", path, json.dumps(body)), 422, "invalidValue")
problem(call("POST", "/v1/audio/transcriptions", b'{"taskHint": "poem"}\nRIFF',
             **{"Content-Type": "application/x-voicegate-transcription"}), 422, "invalidValue")
problem(call("GET", "/v1/audit/records?since=yesterday"), 422, "invalidValue")
print("unknown words")

for moment in ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z", "2026-01-01T01:00:00%2B01:00"]:
    assert call("GET", f"/v1/audit/records?since={moment}&until={moment}")[0] == 200, moment
# Which is recorded; a program sees no further than its own records.
call("POST", "/v1/authorization/requests", b'{"resource":"microphone"}', **{"Content-Type": "application/json"})
first = call("GET", "/v1/audit/records")
span = first[1]["voicegate-record-span"]
last, size = span.partition("-")[2].split("/")
rest = call("GET", f"/v1/audit/records?after={last}")
assert int(last) + 1 <= int(size) and rest[1]["voicegate-record-span"].startswith(("*/", f"{int(last) + 1}-")), (span, rest)
print("times, and the records' cursor")

begin = time.monotonic()
stream = Connection()
stream.request("GET", "/v1/indicator/changes?heartbeat=1")
lines = stream.getresponse()
assert json.loads(lines.readline()) and lines.readline() == b"\n" and lines.readline() == b"\n"
assert 1.5 < time.monotonic() - begin < 30
stream.close()
assert call("GET", "/v1/authorization?heartbeat=soon")[0] == 200, "a parameter of other calls is ignored"
print("heartbeat")

limits = json.loads(call("GET", "/v1/health")[2])["limits"]
held = [served() for _ in range(limits["connectionsOfProgram"])]
# More than are kept for revoking: those that wait give way to others, and are told so.
more = [Connection() for _ in range(40)]
for connection in more:
    connection.connect()
for connection in more:
    try:
        connection.request("GET", "/v1/models")
    except BrokenPipeError:
        pass
    answer = http.client.HTTPResponse(connection.sock)
    answer.begin()
    fields = problem((answer.status, answer.headers, answer.read()), 503, "unavailable")
    assert fields["Retry-After"] == "1" and fields["Connection"] == "close", fields.items()
    connection.close()
for connection in held:
    connection.close()
print(f"{limits['connectionsOfProgram']} connections, then 503")

# As whisper.cpp's server has it: examples/server/README.md of that project.
with open(WAV, "rb") as file:
    sound = file.read()
boundary = "------------------------d74496d66958873e"
parts = [("file", "sample.wav", sound), ("temperature", None, b"0.0"), ("temperature_inc", None, b"0.2"),
         ("response_format", None, b"json")]
body = b"".join(
    f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'.encode()
    + (f'; filename="{filename}"\r\nContent-Type: audio/x-wav'.encode() if filename else b"") + b"\r\n\r\n" + value + b"\r\n"
    for name, filename, value in parts) + f"--{boundary}--\r\n".encode()
kept = served()
status, _, text = call(
    "POST", "/v1/audio/transcriptions", body, kept, **{"Content-Type": f"multipart/form-data; boundary={boundary}"})
kept.close()
assert status == 200 and json.loads(text)["text"], (status, text)
print(f"whisper.cpp's form: {json.loads(text)['text']}")
