"""Bad HTTP at a Unix socket: bad_http.py SOCKET WAV

Prints a line of JSON for each thing that was tried: {"name", "status"}; the status is null where the connection was closed
without an answer. Then holds 1,000 connections that say nothing, prints how many of them the service closed, and waits for
the end of its input.
"""
import json
import resource
import select
import socket
import sys
import threading
import time

path, wav = sys.argv[1:]


def connect():
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(120)
    connection.connect(path)
    return connection


def answer(connection):
    """The status and the body of everything that comes until the end."""
    data = b""
    try:
        while piece := connection.recv(65536):
            data += piece
    except ConnectionError:
        pass
    return data


def tell(name, data, **more):
    status = int(data.split(b" ", 2)[1]) if data.startswith(b"HTTP/1.1 ") else None
    print(json.dumps({"name": name, "status": status, "answers": data.count(b"HTTP/1.1 "),
                      "text": data.rpartition(b"\r\n\r\n")[2].decode(errors="replace")[-600:]} | more), flush=True)


def send(name, *pieces, half_close=True):
    with connect() as connection:
        try:
            for piece in pieces:
                connection.sendall(piece)
            if half_close:
                connection.shutdown(socket.SHUT_WR)
        except ConnectionError:
            pass
        tell(name, answer(connection))


def endless(name, start, piece, pause=0):
    """Sends a piece again and again until the service has enough of it."""
    sent = len(start)
    with connect() as connection:
        try:
            connection.sendall(start)
            while sent < 100_000_000:
                connection.sendall(piece)
                sent += len(piece)
                time.sleep(pause)
        except ConnectionError:
            pass
        tell(name, answer(connection), sent=sent)


def drip():
    """A header's bytes, one a second."""
    with connect() as connection:
        sent, data = 0, b""
        connection.settimeout(1)
        connection.sendall(b"GET /v1/health HTTP/1.1\r\nX: ")
        while sent < 110:
            try:
                connection.sendall(b"x")
                sent += 1
                piece = connection.recv(65536)
                if not piece:
                    break
                data += piece
            except TimeoutError:
                continue
            except ConnectionError:
                break
        tell("a header's bytes, one a second", data, sent=sent)


def form(*parts, boundary="b", end=True, type=None):
    body = b"".join(b"--" + boundary.encode() + b"\r\n" + part + b"\r\n" for part in parts)
    if end:
        body += b"--" + boundary.encode() + b"--\r\n"
    type = type or f"multipart/form-data; boundary={boundary}"
    return (f"POST /v1/audio/transcriptions HTTP/1.1\r\nHost: v\r\nConnection: close\r\nContent-Type: {type}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body


def field(name, value):
    value = value if isinstance(value, bytes) else value.encode()
    return f'Content-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + value


part = b'--b\r\nContent-Disposition: form-data; name="prompt"\r\n\r\n'
chunked = b"POST /v1/audio/transcriptions HTTP/1.1\r\nHost: v\r\nTransfer-Encoding: chunked\r\n" \
    b"Content-Type: multipart/form-data; boundary=b\r\n\r\n"
first = chunked + b"%x\r\n%s\r\n" % (len(part), part)
field_without_end = threading.Thread(
    target=endless, args=("form: an endless field", first, b"1000\r\n" + b"x" * 4096 + b"\r\n", 0.02))
field_without_end.start()
slow = threading.Thread(target=drip)
slow.start()
with open(wav, "rb") as file:
    sound = field("file", file.read())
request = b"GET /v1/health HTTP/1.1\r\nHost: v\r\n\r\n"
post = b"POST /v1/dictation HTTP/1.1\r\nHost: v\r\n"

send("nothing at all")
send("half a request", b"GET /v1/hea")
send("no HTTP", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 200)
send("half-closed behind its request", request)
send("a hundred at once", request * 100)
send("a length and chunks", post + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
send("two lengths", post + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}}")
send("a length below nothing", post + b"Content-Length: -1\r\n\r\n")
send("chunks without a size", post + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n")
send("a body that is cut off", post + b"Content-Length: 100\r\n\r\n{")
endless("endless headers", b"GET /v1/health HTTP/1.1\r\n", b"X-More: and more\r\n" * 100)
endless("an endless header", b"GET /v1/health HTTP/1.1\r\nX: ", b"x" * 4096)
endless("an endless first line", b"GET /", b"x" * 4096)
send("form: no boundary", form(sound, type="multipart/form-data"))
send("form: a boundary of 71", form(sound, boundary="b" * 71))
send("form: another boundary", form(sound, type="multipart/form-data; boundary=c"))
send("form: no file", form(field("model", "whisper-1")))
send("form: two files", form(sound, sound))
send("form: cut off", form(sound, end=False))
send("form: 65 parts", form(*[field(f"timestamp_granularities[]", "word")] * 65, sound))
send("form: a long field", form(field("prompt", "x" * 70_000), sound))
send("form: no UTF-8", form(field("prompt", b"\xff\xfe"), sound))
send("form: prompt behind the file", form(sound, field("prompt", "ten meters")))
send("form: language behind the file", form(sound, field("language", "ja")))
send("form: the rest behind the file", form(sound, field("model", "whisper-1"), field("response_format", "text")))
slow.join()
field_without_end.join()

resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
idle, ends = [], select.poll()
for _ in range(1000):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    ends.register(connection, select.POLLIN)
    idle.append(connection)
closed = set()
# As many as one process may have are left.
while len(closed) < 1000 - 64:
    for descriptor, _ in ends.poll():
        ends.unregister(descriptor)
        closed.add(descriptor)
print(json.dumps({"name": "idle", "closed": len(closed)}), flush=True)
sys.stdin.read()
