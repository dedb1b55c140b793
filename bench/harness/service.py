"""A service with a parent and workers, as `--config FILE` starts it: its processes, its events, its status."""
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

from . import machine, places, process, servers

EVENT_LOOPS = 1
PATIENCE_SECONDS = 60
POLL_SECONDS = 0.02
# After a pause: workers are heard again, and have what was lent while they seemed silent.
RESUME_SECONDS = 0.5


def configuration(port, workers, directory, tls=False):
    """As `serve` has it in one process (no access log, no listener for metrics), but for the parent."""
    return _certificate(tls) + f"""\
[runtime]
workers = {workers}
event_loops = {EVENT_LOOPS}
worker_restart_limit = 1000
runtime_directory = "{directory}/run"
state_directory = "{directory}/state"
[listener]
port = {port}
[resources]
max_connections = {servers.CONNECTIONS_MAX}
[logging]
access = false
format = "json"
[application]
mode = "static"
[application.static]
root = "{places.SITE}"
"""


def _certificate(tls):
    manual = f"""\
[tls]
mode = "manual"
[tls.manual]
certificate_file = "{places.CERTIFICATE}"
private_key_file = "{places.KEY}"
"""
    return "schema_version = 1\n" + (manual if tls else "")


def parse_events(text):
    """The events in whole lines of standard error; a line that is none is passed over."""
    found = []
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                found.append(json.loads(line))
            except ValueError:
                pass  # a line of somebody else
    return found


class Service(process.Server):
    """The parent and its workers. Every worker that was ever seen is ended with it."""

    def __init__(self, name, port, workers, processors=(process.SERVER_CPU,), tls=False):
        words = servers.java("-jar", servers.jar(), "--config")
        # Of few bytes: a path of a Unix socket has 107 at most.
        self._directory = tempfile.mkdtemp(prefix="servery-bench-")
        self._seen = {}
        self._from = 0
        os.mkdir(os.path.join(self._directory, "run"), 0o700)
        self._file = os.path.join(self._directory, "servery.toml")
        with open(self._file, "w", encoding="utf-8") as file:
            file.write(configuration(port, workers, self._directory, tls))
        super().__init__(name, port, [*words, self._file], processors, tls)

    def start(self, probe="/1k.txt"):
        self._from = os.path.getsize(self.output) if os.path.exists(self.output) else 0
        try:
            super().start(probe)
            self.await_events("runtime.state_changed", lambda event: event["state"] == "ready")
        except BaseException:
            self.stop()
            raise
        return self

    def resume(self):
        super().resume()
        time.sleep(RESUME_SECONDS)

    def events(self, name=None):
        """All that it has said since it was started, or those of one name."""
        with open(self.output, "rb") as file:
            file.seek(self._from)
            whole = file.read().rpartition(b"\n")[0].decode(errors="replace")
        return [event for event in parse_events(whole) if name in (None, event["event"])]

    def await_events(self, name, wanted, count=1):
        """The first so many events of a name that are wanted; refuses to wait for ever."""
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            found = [event for event in self.events(name) if wanted(event)]
            if len(found) >= count:
                return found[:count]
            if time.monotonic() > until or self._process is None or self._process.poll() is not None:
                raise process.NotStarted(f"{self.name}: found {len(found)} events {name}; expected {count} within "
                                         f"{PATIENCE_SECONDS} s (its events are in {self.output})")
            time.sleep(POLL_SECONDS)

    def workers(self):
        """The pids of the workers that run, of all generations."""
        born = {pid: machine.start_of(pid) for pid in self.pids() if pid != self.pid}
        found = {pid: start for pid, start in born.items() if start is not None}
        self._seen.update(found)
        return list(found)

    def serving(self):
        return self.workers()

    def status(self):
        """What `status --json` says."""
        words = servers.java("-jar", servers.jar(), "status", "--json", "--config", self._file)
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)
        if done.returncode:
            raise process.NotStarted(f"{self.name}: status: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def reload(self):
        """One reload, begun by HUP and waited for: (its workers' pids, when it was asked for and when the workers before
        were gone, by the monotonic clock)."""
        with contextlib.ExitStack() as stack:
            before = {os.pidfd_open(pid) for pid in self.workers()}
            for descriptor in before:
                stack.callback(os.close, descriptor)
            said = os.path.getsize(self.output)
            began = time.monotonic()
            os.kill(self.pid, signal.SIGHUP)
            verdict = self._await_after(said, lambda event: event["event"] in ("reload.accepted", "reload.rejected",
                                                                              "reload.rolled_back"))
            if verdict["event"] != "reload.accepted":
                raise process.NotStarted(f"{self.name}: the reload failed: {verdict}")
            self._await_end(before)
            gone = time.monotonic()
        return self.workers(), began, gone

    def kill_worker(self):
        """Kills one worker and waits for the one in its place: (that one's pid, when the kill was, in seconds since the
        epoch, as events have their time)."""
        said = os.path.getsize(self.output)
        victim = self.workers()[0]
        at = time.time()
        os.kill(victim, signal.SIGKILL)
        return self._await_after(said, lambda event: event["event"] == "worker.ready")["pid"], at

    def _await_after(self, said, wanted):
        """The first wanted event after so many bytes. Only what is new is read: what this takes, it takes from the service."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            with open(self.output, "rb") as file:
                file.seek(said)
                whole = file.read().rpartition(b"\n")
            said += len(whole[0]) + len(whole[1])
            for event in parse_events(whole[0].decode(errors="replace")):
                if wanted(event):
                    return event
            time.sleep(POLL_SECONDS)
        raise process.NotStarted(f"{self.name}: nothing came of it in {PATIENCE_SECONDS} s; see {self.output}")

    def _await_end(self, descriptors):
        """Until the processes of these descriptors have ended."""
        until = time.monotonic() + PATIENCE_SECONDS
        for descriptor in descriptors:
            if not select.select([descriptor], [], [], max(0.0, until - time.monotonic()))[0]:
                raise process.NotStarted(f"{self.name}: a worker did not end within {PATIENCE_SECONDS} s")

    def stop(self):
        """Workers that lost their parent are no part of its tree any more, and are ended all the same."""
        if self._process is None:
            shutil.rmtree(self._directory, ignore_errors=True)
            return
        self.workers()
        super().stop()
        for pid, start in self._seen.items():
            if machine.start_of(pid) == start:  # not somebody who has got the number since
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self._directory, ignore_errors=True)
