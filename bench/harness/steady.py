"""A steady load: requests that are due at fixed times, whatever became of those before.

A process of its own, so that nothing else takes its time; with real-time priority where that is allowed, because it
shares its processor with the service. A request's time begins when its turn is noticed, not when a connection is free for
it. How late it was noticed is told, too: what is not much more than that is not the service's.

    python3 -m harness.steady PORT REQUESTS-A-SECOND CONNECTIONS

ends when its standard input does, and prints one object of JSON. Times are of the monotonic clock, in seconds."""
import collections
import gc
import json
import os
import select
import socket
import subprocess
import sys
import time

from . import places, process

REQUEST = b"GET /1k.txt HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
AGAIN_SECONDS = 0.05
PATIENCE_SECONDS = 10


class Wrong(Exception):
    """What came is no answer; the message is what it is counted as."""


def parse_answer(data):
    """Whether the connection stays, once all of an answer is there; None until then."""
    head, end, body = bytes(data).partition(b"\r\n\r\n")
    if not end:
        return None
    lines = head.split(b"\r\n")
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines[1:])}
    if lines[0].split(b" ")[1:2] != [b"200"]:
        raise Wrong(f"answered {lines[0].decode(errors='replace')}")
    length = int(fields.get(b"content-length", b"-1"))
    if length < 0 or len(body) > length:
        raise Wrong("an answer of no certain length")
    return None if len(body) < length else fields.get(b"connection", b"").lower() != b"close"


class Connection:
    """One connection: it connects, is free, or waits for an answer."""

    def __init__(self, port):
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.connect_ex(("127.0.0.1", port))
        self.connected = False
        self.due = None
        self.data = bytearray()

    def fileno(self):
        return self.socket.fileno()


class Steady:
    """The load. One thread; at most `connections` of them, each asked in its turn."""

    def __init__(self, port, rate, connections):
        self._port, self._interval = port, 1 / rate
        self._due, self._free = collections.deque(), collections.deque()
        self._open, self._again = [], collections.deque()
        self.samples, self.late, self.faults = [], [], []
        for _ in range(connections):
            self._connect()

    def _connect(self):
        self._open.append(Connection(self._port))

    def run(self, until):
        """Until there is something to read on `until`, and then until what is under way is answered."""
        due, ending = time.monotonic() + 0.5, None
        while ending is None or (time.monotonic() < ending and any(one.due is not None for one in self._open)):
            now = time.monotonic()
            while ending is None and due <= now:
                self._due.append(now)
                self.late.append((due, now - due))
                due += self._interval
            while self._again and self._again[0] <= now:
                self._again.popleft()
                self._connect()
            self._ask()
            wait = max(0.0, due - time.monotonic()) if ending is None else 0.1
            readable, writable, _ = select.select([one for one in self._open if one.connected] + [until],
                                                  [one for one in self._open if not one.connected], [],
                                                  min(wait, AGAIN_SECONDS))
            for one in writable:
                self._connected(one)
            for one in readable:
                if one is not until:
                    self._read(one)
                elif ending is None:
                    ending = now + PATIENCE_SECONDS
        for one in self._open:
            if one.due is not None:
                self._fault("no answer", one.due)
            one.socket.close()

    def _ask(self):
        while self._due and self._free:
            one = self._free.popleft()
            one.due = self._due.popleft()
            try:
                one.socket.send(REQUEST)
            except OSError as why:
                self._lost(one, type(why).__name__)

    def _connected(self, one):
        error = one.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if error:
            self._fault(f"not connected: {os.strerror(error)}", time.monotonic())
            self._drop(one)
            self._again.append(time.monotonic() + AGAIN_SECONDS)
            return
        one.connected = True
        self._free.append(one)

    def _read(self, one):
        try:
            more = one.socket.recv(65536)
            if not more or one.due is None:
                self._closed(one, more)
                return
            one.data.extend(more)
            stays = parse_answer(one.data)
        except BlockingIOError:
            return
        except OSError as why:
            self._lost(one, type(why).__name__)
            return
        except Wrong as wrong:
            self._lost(one, str(wrong))
            return
        if stays is None:
            return
        self.samples.append((one.due, time.monotonic() - one.due))
        one.due = None
        one.data.clear()
        if stays:
            self._free.append(one)
        else:
            self._drop(one)
            self._connect()

    def _closed(self, one, more):
        """A free connection may be closed at any time; nothing may come on it, and a request must not be left alone."""
        if more or one.due is not None:
            self._lost(one, "bytes that were not asked for" if more else "closed without an answer")
            return
        self._drop(one)
        self._connect()

    def _lost(self, one, why):
        self._fault(why, one.due or time.monotonic())
        self._drop(one)
        self._connect()

    def _fault(self, why, at):
        self.faults.append((at, why))

    def _drop(self, one):
        self._open.remove(one)
        if one in self._free:
            self._free.remove(one)
        one.socket.close()


class Generator:
    """The process of a load, and what it saw."""

    def __init__(self, port, rate, connections):
        self._process = subprocess.Popen(  # pylint: disable=consider-using-with (ended by finish or abandon)
            [sys.executable, "-B", "-m", "harness.steady", str(port), str(rate), str(connections)], cwd=places.BENCH,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, {process.GENERATOR_CPU}))

    @property
    def pid(self):
        return self._process.pid

    def finish(self):
        return json.loads(self._process.communicate(timeout=4 * PATIENCE_SECONDS)[0])

    def abandon(self):
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


def _hasten():
    """Whether this process runs before all others that wait for its processor."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        return True
    except OSError:
        return False


def main(port, rate, connections):
    gc.disable()
    first = _hasten()
    load = Steady(port, rate, connections)
    load.run(sys.stdin)
    json.dump({"first": first, "samples": load.samples, "late": load.late, "faults": load.faults}, sys.stdout)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
