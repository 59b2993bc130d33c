"""Tries a running service with requests of all kinds by schemathesis: fuzz_api.py SOCKET EXAMPLES [OPTION …]

The service's own description says what is sent and what may come back: no 5xx that is a failure, no status, type or body that
is not described, and each line of a stream as described. Schemathesis speaks TCP, so a relay in this process hands on what
it sends; the service sees this process. A stream without an end is ended by the relay once it is silent.

EXAMPLES: at the most for each operation. The options are schemathesis's. Prints its report, a line
`operation: METHOD PATH` for each that was tried, and a last line `requests: N`. Exit codes: 0 nothing was found, else schemathesis's.
"""
import json
import select
import socket
import sys
import tempfile
import threading

import jsonschema
import schemathesis
import strict_description
from schemathesis.cli import schemathesis as program

UNIX, EXAMPLES, *OPTIONS = sys.argv[1:]
# Seconds in which a stream tells all that it has to tell at once.
SILENCE = 0.05
requests = 0
operations = set()
counting = threading.Lock()


def relay(client):
    """Relays one connection. Each request has its own, so that a broken request breaks nothing else."""
    global requests
    with client, socket.socket(socket.AF_UNIX) as service:
        service.connect(UNIX)
        with counting:
            requests += 1
        head, streams, silence = b"", False, SILENCE
        while True:
            wait = silence if streams else None
            ready, _, _ = select.select([client, service], [], [], wait)
            if not ready:
                # Between two chunks; the service takes the end of the connection for the end of the stream.
                client.sendall(b"0\r\n\r\n")
                return
            if client in ready:
                piece = client.recv(65536)
                if not piece:
                    return
                try:
                    service.sendall(piece)
                except OSError:
                    pass
            if service in ready:
                try:
                    piece = service.recv(65536)
                except OSError:
                    return
                if not piece:
                    return
                client.sendall(piece)
                if len(head) < 65536:
                    head += piece
                start, found, body = head.partition(b"\r\n\r\n")
                streams = bool(found) and b"\r\ncontent-type: application/x-ndjson" in start.lower() \
                    and b"\r\ntransfer-encoding: chunked" in start.lower() and not piece.endswith(b"0\r\n\r\n")
                # The first line comes after the head; a stream may have none.
                silence = SILENCE if body else 20 * SILENCE


def listen():
    server = socket.create_server(("127.0.0.1", 0), backlog=128)

    def serve():
        while True:
            client, _ = server.accept()
            threading.Thread(target=relay, args=(client,), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    return server.getsockname()[1]


def description():
    with socket.socket(socket.AF_UNIX) as service:
        service.connect(UNIX)
        service.sendall(b"GET /v1/openapi.json HTTP/1.1\r\nHost: voicegate\r\nConnection: close\r\n\r\n")
        answer = b""
        while piece := service.recv(65536):
            answer += piece
    return json.loads(answer.partition(b"\r\n\r\n")[2])


document = strict_description.strict(description())


@schemathesis.hook
def before_call(context, case, kwargs):
    # The relay knows one request a connection.
    case.headers["Connection"] = "close"
    operations.add(f"{case.operation.method.upper()} {case.operation.path}")


@schemathesis.serializer("application/x-ndjson", "application/x-voicegate-transcription")
def as_bytes(context, value):
    """Output that is not JSON is sent as it was made."""
    return value if isinstance(value, bytes) else str(value).encode(errors="surrogatepass")


@schemathesis.check
def own_failure(ctx, response, case):
    """Answers must not report a failure of the service. A missing device that the request names is not a failure."""
    if response.status_code < 500:
        return
    named = isinstance(case.body, dict) and case.body.get("device") is not None
    assert named and response.status_code == 503 and b'"code":"deviceUnavailable"' in response.content, \
        f"{response.status_code}: {response.content[:300]}"


@schemathesis.check
def lines_conformance(ctx, response, case):
    """Each line of a stream is what the description says of its lines."""
    kind = response.headers.get("content-type", [""])[0]
    if response.status_code != 200 or "application/x-ndjson" not in kind:
        return
    operation = document["paths"][case.operation.path][case.operation.method.lower()]
    line = operation["responses"]["200"]["content"]["application/x-ndjson"]["x-line"]
    schema = {"$ref": line["$ref"], "components": document["components"]}
    for text in filter(None, response.content.decode().splitlines()):
        error = jsonschema.exceptions.best_match(
            jsonschema.Draft202012Validator(schema).iter_errors(json.loads(text)))
        assert error is None, f"{case.operation.path}: {text[:300]}: {error.message[:300]}"


if __name__ == "__main__":
    status = 0
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(document, file)
        file.flush()
        try:
            # A value may fit the description and still not be a sound, a grammar or a time of this log; that is 422 and
            # described. The built-in check of 5xx does not know that a device may be missing.
            program.main(
                args=["run", file.name, "--url", f"http://127.0.0.1:{listen()}", "--max-examples", EXAMPLES,
                      "--no-color", "--generation-database", "none", "--continue-on-failure", "--exclude-checks",
                      "not_a_server_error,positive_data_acceptance", *OPTIONS],
                standalone_mode=False)
        except SystemExit as end:
            status = end.code
    for operation in sorted(operations):
        print(f"operation: {operation}")
    print(f"requests: {requests}")
    sys.exit(status)
