"""A simulated host: sends its log as VoiceGate's sender does, over HTTP(S) with keep-alive, and repeats what was not answered."""
import datetime, http.client, json, socket, ssl, time

RECORDS = "application/vnd.voicegate.records"
INFO = "text/x.tlog.mirror-info"


class Refused(Exception):
    """`pause`: the seconds after which the collector asks to come back; `None`: it does not."""

    def __init__(self, status, body, headers=None):
        super().__init__(f"{status}: {body[:300].decode(errors='replace')}")
        pause = headers and headers.get("Retry-After")
        self.status, self.body, self.pause = status, body, pause and int(pause)

    @property
    def is_pushback(self):
        """A failure behind the collector is answered with the time to retry."""
        return self.status in (429, 503) and self.pause is not None


class Link:
    """A connection that is made again when it breaks. Not for two threads at once."""

    def __init__(self, address, certificate=None, timeout=60, own=None):
        """`certificate`: the server's; `own`: a certificate and its key that it is shown."""
        self.address, self.timeout, self.connection = address, timeout, None
        self.context = ssl.create_default_context(cafile=certificate) if certificate else None
        if own:
            self.context.load_cert_chain(*own)

    def call(self, method, path, body=b"", headers=None):
        """Returns status, headers and body. Raises OSError or HTTPException if there is no answer."""
        if self.connection is None:
            host, port = self.address
            if self.context:
                self.connection = http.client.HTTPSConnection(host, port, timeout=self.timeout, context=self.context)
            else:
                self.connection = http.client.HTTPConnection(host, port, timeout=self.timeout)
        try:
            self.connection.request(method, path, body=body, headers=headers or {})
            if self.connection.sock:
                self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            answer = self.connection.getresponse()
            data = answer.read()
            return answer.status, answer.headers, data
        except Exception:
            self.close()
            raise

    def close(self):
        if self.connection:
            self.connection.close()
            self.connection = None


class Host:
    """`acknowledged`: how many records the collector has confirmed; it must never lose one of them."""

    def __init__(self, log, link, name):
        self.log, self.link, self.name = log, link, name
        self.token, self.interval, self.counter = None, 60, 0
        self.witnessed = self.acknowledged = 0

    def enroll(self, one_time_token, size):
        body = json.dumps({
            "token": one_time_token, "key": self.log.keys[0].vkey, "name": self.name,
            "report": self.log.report(size, 0, self._time(), self.log.keys[:1])})
        status, _, answer = self.link.call("POST", "/enroll", body.encode(), {"Content-Type": "application/json"})
        if status != 201:
            raise Refused(status, answer)
        answer = json.loads(answer)
        self.token, self.interval = answer["token"], answer.get("interval", 60)
        return answer

    def _headers(self, kind):
        return {"Content-Type": kind, "Authorization": f"Bearer {self.token}"}

    def step(self, size, packages=32):
        """One request on the way to the collector having `size` records. Returns whether it has them."""
        target = self._next_checkpoint(size)
        if self.witnessed < target:
            self._add_checkpoint(target)
        elif self.acknowledged < target:
            self._add_records(target, packages)
        return self.acknowledged >= size

    def send(self, size, packages=32):
        """Until the collector has `size` records."""
        while not self.step(size, packages):
            pass

    def send_through(self, size, deadline, packages=32):
        """The same over a network, or to a collector, that fails. Fails when the deadline has passed."""
        while True:
            try:
                if self.step(size, packages):
                    return
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)
            except Refused as error:
                if not error.is_pushback:
                    raise
                # The pause that it asks for would take too long here.
                time.sleep(0.05)
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.name}: {self.acknowledged} of {size} records in time")

    def _next_checkpoint(self, size):
        """Behind a key's record there is one that both keys sign; the collector needs it to know the new one."""
        return min([key.since + 1 for key in self.log.keys if self.acknowledged < key.since + 1 < size], default=size)

    def witness(self, size):
        """Until the collector has cosigned a checkpoint of this size, which a key that it knows signs."""
        while self.witnessed < size:
            self._add_checkpoint(size)

    def _add_checkpoint(self, size):
        status, headers, body = self.link.call(
            "POST", "/add-checkpoint", self.log.witness_request(self.witnessed, size), self._headers("text/plain"))
        if status == 409:
            known = int(body)
            if known > len(self.log):
                raise Refused(status, body)
            self.witnessed = known
        elif status == 200:
            self.witnessed = size
        else:
            raise Refused(status, body, headers)

    def _add_records(self, size, packages):
        size = max(size, self.witnessed)
        body = self.log.upload(self.acknowledged, size, packages)
        status, headers, answer = self.link.call("POST", "/add-records", body, self._headers(RECORDS))
        if status == 200:
            self.acknowledged = max(self.acknowledged, size)
        elif status in (202, 409) and headers.get("Content-Type", "").startswith(INFO):
            following = int(answer.split(b"\n")[1])
            if following < self.acknowledged:
                raise AssertionError(f"{self.name}: {self.acknowledged} records were acknowledged, now {following}")
            if following == self.acknowledged and status == 202:
                raise AssertionError(f"{self.name}: 202 without progress")
            self.acknowledged = following
        else:
            raise Refused(status, answer, headers)

    @staticmethod
    def _time(clock=None):
        time_of_host = datetime.datetime.fromtimestamp(clock or time.time(), datetime.timezone.utc)
        return time_of_host.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def report(self, size, clock=None):
        """`clock`: seconds since 1970, if it is not this machine's."""
        self.counter += 1
        body = json.dumps({"report": self.log.report(size, self.counter, self._time(clock)), "interval": self.interval})
        status, _, answer = self.link.call("POST", "/report", body.encode(), self._headers("application/json"))
        if status == 409:
            self.counter = json.loads(answer)["counter"]
        elif status != 200:
            raise Refused(status, answer)
