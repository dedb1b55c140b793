"""What an idle keep-alive connection costs: memory of the process, and of the live heap of a JVM."""
import os
import re
import selectors
import subprocess
import time
from collections import Counter

from . import figures, jdk, level, machine, process
from .servers import OURS, Missing
from .workloads import ALL as WORKLOADS
from .workloads import BadRun, shoot

CONNECTIONS = 5_000
REPS = 5
WARM_SECONDS = 4
CONNECT_AT_ONCE = 200
ASKED_AGAIN = 50
GROWN_SHOWN = 12
REQUEST = b"GET /1k.txt HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def parse_histogram(text):
    """Bytes by class in what `jcmd PID GC.class_histogram` prints: it collects first, so all of it is alive but for what
    fills gaps between objects."""
    return {found[2]: int(found[1]) for found in
            re.finditer(r"^\s*\d+:\s+\d+\s+(\d+)\s+(\S+)", text, re.MULTILINE) if "internal.vm.Filler" not in found[2]}


def live_heap(pids):
    jcmd = os.path.join(jdk.find(), "bin", "jcmd")
    alive = Counter()
    for pid in pids:
        done = subprocess.run([jcmd, str(pid), "GC.class_histogram"], capture_output=True, text=True, check=True)
        alive.update(parse_histogram(done.stdout))
    return alive


def grown(before, after, connections):
    """What grew by most, as (class, bytes a connection)."""
    each = {name: (size - before.get(name, 0)) / connections for name, size in after.items()}
    return sorted(each.items(), key=lambda item: -item[1])[:GROWN_SHOWN]


class Held:
    """Connections that have each got one answer and are then left alone."""

    def __init__(self, port, count, tls=False):
        self._port = port
        self._trusted = process.trust(tls)
        self.sockets = []
        try:
            while len(self.sockets) < count:
                self._open(min(CONNECT_AT_ONCE, count - len(self.sockets)))
        except BaseException:
            self.close()
            raise

    def _open(self, count):
        fresh = []
        for _ in range(count):
            fresh.append(process.connected(self._port, 10, self._trusted))
            self.sockets.append(fresh[-1])
        self._ask(fresh)

    @staticmethod
    def _ask(sockets):
        with selectors.DefaultSelector() as waiting:
            for one in sockets:
                one.sendall(REQUEST)
                waiting.register(one, selectors.EVENT_READ, bytearray())
            until = time.monotonic() + 30
            while waiting.get_map():
                if time.monotonic() > until:
                    raise BadRun(f"{len(waiting.get_map())} connections got no answer in 30 s")
                for key, _ in waiting.select(1):
                    Held._read(waiting, key)

    @staticmethod
    def _read(waiting, key):
        more = key.fileobj.recv(65536)
        # A record that TLS has read already makes nothing readable.
        while more and getattr(key.fileobj, "pending", int)():
            more += key.fileobj.recv(65536)
        if not more:
            raise BadRun("a connection was closed instead of held")
        key.data.extend(more)
        head, end, body = bytes(key.data).partition(b"\r\n\r\n")
        if end and len(body) >= 1024:
            if b" 200 " not in head.split(b"\r\n", 1)[0]:
                raise BadRun(f"an answer was {head[:40]!r}")
            waiting.unregister(key.fileobj)

    def ask_some_again(self):
        """Whether they are still served: a sample, evenly over all."""
        step = max(1, len(self.sockets) // ASKED_AGAIN)
        self._ask(self.sockets[::step])

    def close(self):
        for one in self.sockets:
            one.close()


def _look(server):
    """The memory once it is level, and whether it is."""
    return level.wait(lambda: machine.pss_kib(server.pids()))


def _others(server):
    """Other processes with the JVM's pages, which are shared out among all that have them."""
    return jdk.users() - set(server.pids())


def _with_connections(server, definition, count):
    """What there is while they are held: (KiB, whether that is level, live heap)."""
    held = Held(server.port, count, server.tls)
    try:
        pss, still = _look(server)
        heap = live_heap(server.serving()) if definition.jvm else None
        if definition.jvm:
            # A collection moves what is alive into pages that it may not have used before, as it did before the first
            # look: connections that fit into what an earlier load had left free would else seem to cost nothing.
            collected, also = _look(server)
            pss, still = max(pss, collected), still and also
        held.ask_some_again()
    finally:
        held.close()
    return pss, still, heap


def _one(definition, count, make, warm):
    server = make(definition).start()
    try:
        for workload in warm:
            shoot(server, workload, WARM_SECONDS)
        watch, sharing = machine.Watch({*server.pids(), os.getpid()}), _others(server)
        heap = live_heap(server.serving()) if definition.jvm else None
        pss, still = _look(server)
        pss_after, still_after, heap_after = _with_connections(server, definition, count)
        seen = watch.over({*server.pids(), os.getpid()})
        sharing = sharing ^ _others(server)
    finally:
        server.stop()
    return {
        "connections": count,
        "pss_before_mib": pss / 1024,
        "pss_after_mib": pss_after / 1024,
        "pss_kib_each": (pss_after - pss) / count,
        "heap_kib_each": (sum(heap_after.values()) - sum(heap.values())) / 1024 / count if definition.jvm else None,
        "grown": grown(heap, heap_after, count) if definition.jvm else [],
        "level": still and still_after,
        "came_or_went": len(sharing),
        **seen,
    }


def noise(runs):
    """Why the memory of these runs tells nothing, beside what a busy machine does to any run."""
    reasons = level.noise(runs)
    sharing = sum(1 for run in runs if run["came_or_went"])
    if sharing:
        reasons.append(f"other JVMs, which share pages with ours, came or went in {sharing} of {len(runs)} runs")
    return reasons


def _bad(one):
    said = [figures.disturbed(one)] if figures.disturbed(one) else []
    return "".join(f", {each}" for each in said + noise([one]))


def run(record, definitions, count, reps, make=process.Server.of, warm=WORKLOADS[:1]):
    """Each server by itself; ours `reps` times, for a gate is set on it, rivals once. `make` makes a server of its
    definition, the workloads in `warm` come first: what a server keeps of its first work is none of the connections'."""
    allowed = machine.allow_descriptors(count + 4000)
    if allowed < count + 1000:
        print(f"idle: only {allowed} descriptors are allowed; {count} connections need {count + 1000} "
              "(ulimit -n, by root)", flush=True)
        return
    results = {}
    for definition in definitions:
        for rep in range(reps if definition.name == OURS else 1):
            try:
                one = {"rep": rep, **_one(definition, count, make, warm)}
            except (Missing, process.NotStarted, BadRun, OSError, subprocess.SubprocessError) as why:
                print(f"idle {definition.name}: {why}", flush=True)
                record.data["absent"].setdefault(definition.name, f"idle: {why}")
                break
            results.setdefault(definition.name, []).append(one)
            heap = "" if one["heap_kib_each"] is None else f", live heap {one['heap_kib_each']:.2f} KiB"
            print(f"idle {definition.name:17} rep {rep}: PSS {one['pss_kib_each']:.2f} KiB a connection{heap}"
                  + _bad(one), flush=True)
            record.put("idle", results)
