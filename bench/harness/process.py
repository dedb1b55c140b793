"""One started server: on the server's processor, stopped while another one is measured, ended with its tree."""
import os
import signal
import socket
import ssl
import subprocess
import time

from . import machine, places, ports, servers

SERVER_CPU = 0
GENERATOR_CPU = 1
READY_SECONDS = 60
END_SECONDS = 10


class NotStarted(Exception):
    """The server did not answer; the message names its output."""


def connected(port, seconds, tls=None):
    """A connection that waits so long at most, over TLS when a context is given."""
    plain = socket.create_connection(("127.0.0.1", port), seconds)
    if tls is None:
        return plain
    try:
        return tls.wrap_socket(plain, server_hostname="127.0.0.1")
    except BaseException:
        plain.close()
        raise


def trust(tls):
    """What a client needs for TLS: the one certificate of all servers is all that it trusts. None without TLS."""
    return ssl.create_default_context(cafile=places.CERTIFICATE) if tls else None


def answers(port, path="/1k.txt", tls=None):
    """Whether a request on a connection of its own gets a 200."""
    try:
        with connected(port, 2, tls) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
            return b" 200 " in connection.recv(64)
    except OSError:
        return False


class Server:
    """A running server. Only processes of the tree that this has started are ever signalled."""

    def __init__(self, name, port, words, processors=(SERVER_CPU,), tls=False):
        self.name = name
        self.port = port
        self.tls = tls
        self._words = words
        self._processors = processors
        self._process = None

    @staticmethod
    def of(definition):
        port = ports.free_port()
        return Server(definition.name, port, definition.command(port), tls=definition.tls)

    def start(self, probe="/1k.txt", every=0.01):
        with open(self.output, "ab") as output:
            self._process = subprocess.Popen(  # pylint: disable=consider-using-with (ended by stop)
                self._words, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=places.RUN,
                preexec_fn=lambda: os.sched_setaffinity(0, self._processors))
        trusted = trust(self.tls)
        until = time.monotonic() + READY_SECONDS
        while time.monotonic() < until and self._process.poll() is None:
            if answers(self.port, probe, trusted):
                return self
            time.sleep(every)
        self.stop()
        raise NotStarted(f"{self.name} did not answer; it said in {self.output}: {self._last_words()}")

    @property
    def output(self):
        return os.path.join(places.RUN, f"{self.name}.log")

    def _last_words(self):
        with open(self.output, encoding="utf-8", errors="replace") as file:
            lines = file.read().strip().splitlines()
        return lines[-1] if lines else "nothing"

    @property
    def pid(self):
        return self._process.pid

    def pids(self):
        return machine.tree(self.pid)

    def serving(self):
        """The processes of the tree that have the connections."""
        return [self.pid]

    def pause(self):
        """Stops it, so that its timers and compilers take nothing from the server under test."""
        self._signal(signal.SIGSTOP, self.pids())

    def resume(self):
        """Children first: a parent that goes on finds them alive."""
        self._signal(signal.SIGCONT, reversed(self.pids()))

    def _signal(self, number, pids):
        for pid in pids:
            try:
                os.kill(pid, number)
            except OSError:
                pass

    def stop(self):
        if self._process is None:
            return
        self.resume()
        born = {pid: machine.start_of(pid) for pid in self.pids()}
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                pass
        for pid, start in born.items():
            if start is not None and machine.start_of(pid) == start:  # not somebody who has got the number since
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        self._process = None


def start_all(definitions, started, make=Server.of):
    """Starts what can be started and pauses it, adding each to `started`; names what cannot, with the reason."""
    absent = {}
    for definition in definitions:
        try:
            server = make(definition).start()
        except (servers.Missing, NotStarted) as reason:
            absent[definition.name] = str(reason)
            print(f"left out: {definition.name}: {reason}", flush=True)
            continue
        started.append((definition, server))
        server.pause()
    return absent
