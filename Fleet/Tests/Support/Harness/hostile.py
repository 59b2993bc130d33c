"""Hosts that harm: each harms only itself, and is found out; an honest one goes on beside them."""
import http.client, random, socket, struct, threading, time

from collector import WAIT, differences
from host import RECORDS, Refused
from log import Key, Tree, leaf_hash

MEMORY = 200 << 20
SLOW = 40  # connections that say nothing more


class Result:
    def __init__(self):
        self.fits = True

    def note(self, name, fits, what):
        print(f"{name}: {what}{'' if fits else '   WRONG'}", flush=True)
        self.fits &= bool(fits)


def refused(call, *statuses):
    """What a call is refused with."""
    try:
        answer = call()
    except Refused as error:
        return error.status in statuses, f"refused with {error.status}"
    except (OSError, http.client.HTTPException) as error:
        return 0 in statuses, f"cut ({type(error).__name__})"
    return False, f"not refused ({answer})"


def post(host, path, body, kind=RECORDS, token=None):
    headers = {"Content-Type": kind, "Authorization": f"Bearer {token or host.token}"}
    status, _, answer = host.link.call("POST", path, body, headers)
    if status >= 300:
        raise Refused(status, answer)
    return status


def rubbish(host, result):
    dice = random.Random(7)
    for path in "/add-checkpoint", "/add-entries", "/add-records", "/report", "/enroll", "/keys":
        for body in (b"", dice.randbytes(5000), b"{" * 5000, host.log.head(0, 2**63 - 1) + dice.randbytes(5000)):
            fits, what = refused(lambda: post(host, path, body), 400, 401, 403, 404, 409, 413, 415, 422)
            if not fits:
                result.note(f"rubbish for {path}", False, what)
    result.note("rubbish", True, "refused at each path")


def foreign_records(host, other, result):
    body = other.log.upload(other.acknowledged, other.witnessed)
    result.note("another host's records", *refused(lambda: post(host, "/add-records", body), 401, 403, 404))
    body = host.log.upload(0, host.witnessed)
    result.note("a wrong token", *refused(lambda: post(host, "/add-records", body, token="x" * 43), 401, 403))


def altered_records(host, result):
    size = host.witnessed
    for name, change in {
        "an altered leaf": lambda log: log.leaves.__setitem__(3, log.leaves[3].replace(b"schema", b"schemb")),
        "an altered disclosure": lambda log: log.disclosures.__setitem__(3, log.disclosures[3] + b" "),
        "records in another order": lambda log: log.leaves.__setitem__(slice(3, 5), log.leaves[4:2:-1]),
        "a record left out": lambda log: (log.leaves.pop(3), log.disclosures.pop(3)),
    }.items():
        leaves, disclosures = list(host.log.leaves), list(host.log.disclosures)
        change(host.log)
        body = host.log.upload(0, size)
        host.log.leaves, host.log.disclosures = leaves, disclosures
        result.note(name, *refused(lambda: post(host, "/add-records", body), 400, 422))


def fork(host, result):
    """The same key signs a tree that does not continue the one before."""
    host.send(300)
    log = host.log
    hashes = [leaf_hash(leaf) for leaf in log.leaves]
    hashes[100] = leaf_hash(log.leaves[100].replace(b"schema", b"schemb"))
    honest, log.tree = log.tree, Tree(hashes)
    body = log.witness_request(300, 400)
    log.tree = honest
    result.note("a forked tree", *refused(lambda: post(host, "/add-checkpoint", body, "text/plain"), 409, 422))


def unknown_key(host, result):
    log = host.log
    text = log.checkpoint(2, keys=[Key.new(log.origin)])
    body = log.witness_request(host.witnessed, 2).split(b"\n\n")[0] + b"\n\n" + text.encode()
    result.note("a checkpoint of an unknown key", *refused(lambda: post(host, "/add-checkpoint", body, "text/plain"), 403))


def roll_back(host, result):
    host.send(300)
    refused(lambda: host.report(200), 200, 409, 422)
    result.note("a log that was rolled back", True, "reported")


def wrong_clock(host, result):
    host.send(100)
    host.report(100, clock=time.time() - 86400)
    result.note("a clock that is a day late", True, "reported")


def ten_gigabytes(scene, host, result):
    """Promised by Content-Length, and without a length: the collector ends either. How much the network takes until then is its
    own matter; the memory is compared at the end."""
    limit = 10 << 30
    for name, header in ("ten gigabytes", b"Content-Length: %d" % limit), ("without a length", b"Transfer-Encoding: chunked"):
        sent, chunk = 0, b"\0" * 65536
        with socket.create_connection(scene.collector.address, timeout=WAIT) as connection:
            connection.sendall(
                b"POST /add-records HTTP/1.1\r\nHost: collector\r\nContent-Type: %s\r\nAuthorization: Bearer %s\r\n%s\r\n\r\n"
                % (RECORDS.encode(), host.token.encode(), header)
                + (b"%x\r\n" % limit if b"chunked" in header else b""))
            connection.setblocking(True)
            try:
                while sent < limit:
                    connection.sendall(chunk)
                    sent += len(chunk)
            except OSError:
                pass
        result.note(name, sent < limit, f"cut after {sent >> 20} MB")


def slow_uploads(scene, hosts):
    """Half an upload from each, then a byte now and then, from more hosts than the collector takes uploads at once; and connections
    that end in the middle of a request's head."""
    found = []
    for place in range(SLOW):
        connection = socket.create_connection(scene.collector.address, timeout=WAIT)
        host = hosts[place % len(hosts)]
        head = (
            b"POST /add-records HTTP/1.1\r\nHost: collector\r\nContent-Type: %s\r\nContent-Length: 1000000\r\n"
            b"Authorization: Bearer %s\r\n" % (RECORDS.encode(), host.token.encode()))
        connection.sendall(head + (b"\r\n" + host.log.upload(0, 200)[:20000] if place < len(hosts) else b""))
        found.append(connection)
    return found


def dribble(connections, stop):
    while not stop.wait(5):
        for connection in connections:
            try:
                connection.send(b"x")
            except OSError:
                pass


def are_cut(connections):
    deadline, count = time.monotonic() + 3 * WAIT, 0
    for connection in connections:
        connection.settimeout(max(0.1, deadline - time.monotonic()))
        try:
            while connection.recv(4096):
                pass
            count += 1
        except TimeoutError:
            pass
        except OSError:
            count += 1
        connection.close()
    return count


def run(scene):
    result, collector = Result(), scene.collector
    honest, bad, forker, unknown, back, late, large, *slow = scene.hosts
    for host in slow:
        host.witness(200)
    connections, stop = slow_uploads(scene, slow), threading.Event()
    threading.Thread(target=dribble, args=(connections[: len(slow)], stop), daemon=True).start()
    end, failures = len(honest.log), []

    begin = time.monotonic()

    def go_on():
        try:
            for size in range(20, end + 1, 20):
                honest.send_through(size, time.monotonic() + WAIT)
                # Or it would be silent on a busy machine.
                honest.report(size)
            honest.send_through(end, time.monotonic() + WAIT)
            honest.report(end)
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=go_on)
    thread.start()
    bad.witness(200)
    rubbish(bad, result)
    foreign_records(bad, honest, result)
    altered_records(bad, result)
    fork(forker, result)
    unknown_key(unknown, result)
    roll_back(back, result)
    wrong_clock(late, result)
    ten_gigabytes(scene, large, result)
    thread.join()
    result.note("the honest host", not failures, 
        f"sent {honest.acknowledged} of {end} records in {time.monotonic() - begin:.1f} s {failures or ''}")
    found = differences(scene.primary, honest, end)
    result.note("its rows", not found, f"{len(found)} differences {found[:2]}")
    count = scene.primary.sql(
        f"SELECT count(*) FROM fleet.record JOIN fleet.host ON host.id = record.host WHERE name = '{bad.name}'")[0][0]
    result.note("records of the host whose uploads were altered", count == "0", count)
    alarms = dict(scene.primary.sql(
        "SELECT name, string_agg(kind, ',') FROM fleet.alarm JOIN fleet.host ON host.id = alarm.host GROUP BY name"))
    for host, kind in (forker, "forked"), (unknown, "unknownKey"), (back, "rolledBack"), (late, "clockWrong"):
        result.note(f"alarm {kind}", kind in alarms.get(host.name, "").split(","), alarms.get(host.name))
    result.note("alarms of the honest host", honest.name not in alarms, alarms.get(honest.name, "none"))
    cut = are_cut(connections)
    stop.set()
    result.note("slow connections", cut == SLOW, f"{cut} of {SLOW} cut")
    peak = collector.peak_memory()
    result.note("the collector's peak memory", peak <= MEMORY, f"{peak >> 20} MB")
    return result.fits
