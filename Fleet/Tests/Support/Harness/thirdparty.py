"""A third party with the tiles: it verifies an honest collector's log with tools that are not VoiceGate's, and finds a lie."""
import contextlib, copy, os, pathlib, shutil, subprocess, sys

import monitor
from collector import Collector, origin_hash, program
from log import Tree, leaf_hash

HERE = pathlib.Path(__file__).parent


def place_of(scene, log, kind="mirror", collector=None):
    return f"{(collector or scene.collector).url}/{kind}/{origin_hash(log)}"


def keys_of(scene, log):
    file = scene.folder / "keys"
    file.write_text("".join(key.vkey + "\n" for key in log.keys))
    return file


def cosigner(scene, role):
    return scene.primary.sql(f"SELECT vkey FROM fleet.cosigner WHERE role = '{role}'")[0][0]


def foreign(scene):
    (host,), (log,) = scene.hosts, scene.logs
    host.send(len(log))
    keys, vkey = keys_of(scene, log), cosigner(scene, "mirror")
    fits = True
    # The environment of a test may have no home, which Go wants for its cache.
    environment = {
        "GOCACHE": "/tmp/voicegate-go-cache", **os.environ, "GOPATH": "/usr/share/gocode", "GO111MODULE": "off"}
    for name, command in (
        ("pymerkle and cryptography", [sys.executable, HERE / "monitor.py", place_of(scene, log), keys, "--cosigner", vkey]),
        ("aics-tlog", [sys.executable, HERE / "tiles.py", place_of(scene, log), keys, vkey]),
        ("Go's sumdb", ["go", "run", HERE / "monitor.go", place_of(scene, log), keys, vkey]),
    ):
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(f"{name}: exit code {done.returncode}, {done.stdout.strip()}")
        fits &= done.returncode == 0 and done.stdout.startswith(f"{len(log)} ")
    # The witness's own page: the newest checkpoint, cosigned as a witness.
    note = monitor.Tiles(place_of(scene, log, "witness")).get("checkpoint").decode()
    signed = monitor.Verifier(cosigner(scene, "witness")).signed(note)
    print(f"the witness's cosignature: {'verified' if signed else 'missing'}")
    return fits and signed


# What a collector may do to a log, in SQL. The note is that of a smaller checkpoint, which the host once signed.
LIES = {
    "a record is left out": "DELETE FROM fleet.record WHERE index = 690",
    "a record was replaced": """
        UPDATE fleet.record SET kind = CASE kind WHEN 'session.stopped' THEN 'session.started' ELSE 'session.stopped' END
        WHERE index = 300""",
    "two records are exchanged": """
        UPDATE fleet.record AS one SET digest = other.digest FROM kept_record AS other
        WHERE (one.index, other.index) IN ((691, 692), (692, 691)) AND other.host = one.host""",
    "the time of a record was changed": "UPDATE fleet.record SET time = time + interval '1 ms' WHERE index = 695",
    "the last records are cut, with the checkpoint": """
        DELETE FROM fleet.record WHERE index >= 600;
        UPDATE fleet.host SET mirror_size = 600, pending_size = 600, next_entry = 600, mirror_note = $note${note}$note$,
            pending_note = $note${note}$note$""",
}


def lies(scene):
    """An altered row is not a secret from a party that keeps a checkpoint; nor from `voicegate-fleet verify`, if it is built."""
    (host,), (log,) = scene.hosts, scene.logs
    host.send(600)
    host.send(len(log))
    sql, kept = scene.primary.sql, log.checkpoint(len(log))
    sql("CREATE TABLE kept_record AS TABLE fleet.record; CREATE TABLE kept_host AS TABLE fleet.host")
    keys = keys_of(scene, log).read_text().split()

    def found():
        try:
            monitor.verify(place_of(scene, log), keys, kept=[kept])
        except monitor.Wrong as reason:
            return str(reason)

    def fleet_verify():
        done = subprocess.run(
            [program("voicegate-fleet"), "verify"], env=scene.collector.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout.strip().splitlines()[-1:]

    honest, verdict = found(), fleet_verify()
    print(f"an honest collector: {honest or 'verified'}; voicegate-fleet verify: {verdict}")
    fits = honest is None and verdict[0] == 0
    for name, text in LIES.items():
        sql(text.replace("{note}", log.checkpoint(600)))
        reason, verdict = found(), fleet_verify()
        print(f"{name}: {reason or 'NOT FOUND'}; voicegate-fleet verify: {verdict}")
        fits &= reason is not None
        # Errors in the rows themselves are found by the collector's own organisation, too.
        fits &= verdict[0] != 0 or "cut" in name
        sql("""
            DELETE FROM fleet.record; INSERT INTO fleet.record SELECT * FROM kept_record;
            UPDATE fleet.host SET (mirror_size, pending_size, next_entry, mirror_note, pending_note) =
                (SELECT mirror_size, pending_size, next_entry, mirror_note, pending_note FROM kept_host)""")
    again = found()
    print(f"with the rows as they were: {again or 'verified'}")
    return fits and again is None


FORK = 650


def fork(scene):
    """A machine and a collector that conspire show one log to one reader and another, with the same signature and cosignature, to a
    second. Each is complete and consistent in itself; the third party has the machine's checkpoint of the first."""
    (host,), (log,) = scene.hosts, scene.logs
    host.send(len(log))
    other = copy.copy(log)
    other.leaves = list(log.leaves)
    # From one record on it is another log: that record claims another time.
    other.leaves[FORK] = log.leaves[FORK].replace(b'"time":"20', b'"time":"19')
    other.tree = Tree([leaf_hash(leaf) for leaf in other.leaves])
    scene.primary.sql("CREATE DATABASE fork")
    folder = scene.folder / "fork"
    folder.mkdir()
    shutil.copy(scene.folder / "collector.key", folder)
    with contextlib.ExitStack() as stack:
        second = Collector(folder, scene.clusters)
        second.environment["PGDATABASE"] = "fork"
        stack.callback(second.kill)
        second.run("migrate")
        second.start()
        second.enroll(other, host.name).send(len(other))
        keys, vkey = keys_of(scene, log).read_text().split(), cosigner(scene, "mirror")
        places = place_of(scene, log), place_of(scene, log, collector=second)

        def found(place, *kept):
            try:
                monitor.verify(place, keys, vkey, kept)
            except monitor.Wrong as reason:
                return str(reason)

        fits = True
        for reader, place in zip(("one reader", "a second reader"), places):
            reason = found(place)
            print(f"a fork, {reader} alone: {reason or 'verified, cosigned'}")
            fits &= reason is None
        # A checkpoint of before the fork is the beginning of both.
        for size, differs in (FORK, False), (FORK + 1, True), (len(log), True):
            reasons = [found(place, log.checkpoint(size)) for place in places]
            print(f"a fork, with the machine's checkpoint of {size}: {[reason or 'verified' for reason in reasons]}")
            fits &= reasons[0] is None and (reasons[1] is not None) == differs
        file = folder / "kept"
        file.write_text(log.checkpoint(len(log)))
        done = subprocess.run(
            [program("voicegate-fleet"), "verify", "--checkpoint", file], env=second.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(f"a fork, voicegate-fleet verify --checkpoint: exit code {done.returncode}, {done.stdout.strip()}")
        return fits and done.returncode == 76
