"""What is asked of the servers, how the generators ask it, and what they say."""
import json
import os
import re
import subprocess
import time
from dataclasses import dataclass
from typing import Callable

from . import machine, places, servers

# A generator ends by itself; this much later it is taken for lost.
PATIENCE_SECONDS = 30


class BadRun(Exception):
    """The generator failed, or the server answered wrongly: such a run is no figure."""


@dataclass(frozen=True)
class Tool:
    """A generator: its words for (workload, scheme, port, seconds), and the counts in what it prints."""

    words: Callable
    summary: Callable


def _wrk(workload, scheme, port, seconds):
    closing = ["-H", "Connection: close"] if workload.closes else []
    return ["wrk", "-t1", f"-c{workload.connections}", f"-d{seconds}s", "--timeout", "10s", "-s", places.SUMMARY_LUA,
            *closing, f"{scheme}://127.0.0.1:{port}{workload.path}"]


def _s_time(workload, _scheme, port, seconds):
    return ["openssl", "s_time", "-connect", f"127.0.0.1:{port}", "-tls1_3", "-new", "-time", str(seconds), "-www",
            workload.path]


def parse_summary(text):
    """The counts that load/summary.lua prints."""
    found = re.search(r"^summary (\{.*\})$", text, re.MULTILINE)
    if not found:
        last = text.strip().splitlines()
        raise BadRun(f"wrk printed no summary, but: {last[-1] if last else 'nothing'}")
    return json.loads(found[1])


S_TIME_LINES = re.compile(r"^(\d+) connections in \d+\.\d+s; \S+ connections/user sec, bytes read (\d+)\n"
                          r"(\d+) connections in (\d+) real seconds, (\d+) bytes read per connection$", re.MULTILINE)


def parse_s_time(text):
    """The counts that `openssl s_time` prints. It looks at no status, and ends at the first failure without them: every
    answer must be as long as all others, and longer than the file, which no error's answer is."""
    found = S_TIME_LINES.findall(text)
    if len(found) != 1:
        last = text.strip().splitlines()
        raise BadRun(f"openssl s_time printed no counts, but: {last[-1] if last else 'nothing'}")
    connections, read, again, _, each = map(int, found[0])
    if connections != again or connections * each != read:
        raise BadRun(f"openssl s_time read {read} bytes from {connections} connections, and not as many from each")
    # Its seconds are whole ones: how long it ran is told by the clock beside it.
    return {"requests": connections, "bytes": read, "each": each, "connect": 0, "read": 0, "write": 0, "timeout": 0,
            "status": 0, "p50": None, "p99": None}


WRK = Tool(_wrk, parse_summary)
S_TIME = Tool(_s_time, parse_s_time)


@dataclass(frozen=True)
class Workload:
    """One kind of load: a file, and how many connections ask for it again and again."""

    name: str
    path: str
    size: int
    connections: int
    seconds: int
    # Against which baseline, which ratio must be reached, and which is hoped for.
    gates: tuple
    tool: Tool = WRK
    # Whether each request has a connection of its own.
    closes: bool = False

    @property
    def counts_bytes(self):
        """Large answers are cut by the end of a run: their number is what the bytes make."""
        return self.size >= 1 << 20


@dataclass(frozen=True)
class Gate:
    baseline: str
    gate: float
    goal: float


SMALL = (Gate(servers.NGINX_NOSENDFILE, 0.95, 0.88), Gate(servers.NGINX, 0.65, 0.58))
LARGE = (Gate(servers.NGINX, 1.15, 1.0),)
ALL = (
    Workload("1k-c64", "/1k.txt", 1 << 10, 64, 2, SMALL),
    Workload("1k-c256", "/1k.txt", 1 << 10, 256, 2, SMALL),
    Workload("100k-c32", "/100k.bin", 100 << 10, 32, 2, LARGE),
    Workload("10m-c8", "/10m.bin", 10 << 20, 8, 3, LARGE),
)
# wrk takes a session along to the next connection, s_time -new does not and has one connection at a time.
TLS = (
    Workload("tls-1k-c64", "/1k.txt", 1 << 10, 64, 2, (Gate(servers.NGINX, 0.88, 0.80),)),
    Workload("tls-resumed", "/1k.txt", 1 << 10, 16, 2, (Gate(servers.NGINX, 0.90, 0.80),), closes=True),
    Workload("tls-full", "/1k.txt", 1 << 10, 1, 3, (Gate(servers.NGINX, 1.05, 0.95),), tool=S_TIME, closes=True),
    Workload("tls-10m-c8", "/10m.bin", 10 << 20, 8, 3, (Gate(servers.NGINX, 1.2, 1.0),)),
)


def chosen(names, among=ALL):
    if not names:
        return list(among)
    known = {workload.name: workload for workload in among}
    for name in names.split(","):
        if name not in known:
            raise SystemExit(f"--work: found `{name}`; expected some of {', '.join(known)}")
    return [known[name] for name in names.split(",")]


def answered(workload, summary):
    """How many answers were given; refuses counts with errors in them.

    A read error of wrk at the end of its time is one at most for each connection, and none was seen; so any is one."""
    wrong = {name: summary[name] for name in ("connect", "read", "write", "timeout", "status") if summary[name]}
    if wrong:
        raise BadRun(f"errors: {wrong}")
    count = summary["bytes"] / workload.size if workload.counts_bytes else summary["requests"]
    if not count:
        raise BadRun("no request was answered")
    if summary.get("each", workload.size) < workload.size:
        raise BadRun(f"answers of {summary['each']} bytes; expected at least {workload.size}")
    return count


def shoot(server, workload, seconds):
    """One run: the load, and what it cost the server's process tree."""
    tree = server.pids()
    own = {*tree, os.getpid()}
    others, stolen, used = machine.others(own), machine.steal(), machine.cpu_seconds(tree)
    words = workload.tool.words(workload, "https" if server.tls else "http", server.port, seconds)
    began = time.monotonic()
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=seconds + PATIENCE_SECONDS)
    except subprocess.TimeoutExpired as late:
        raise BadRun(f"{words[0]} did not end in {seconds + PATIENCE_SECONDS} s") from late
    wall = time.monotonic() - began
    used = machine.cpu_seconds(tree) - used
    foreign = machine.taken(others, machine.others(own))
    if set(server.pids()) != set(tree):
        raise BadRun(f"{server.name}: its processes changed during the run, so their CPU time is not known")
    summary = workload.tool.summary(done.stdout + done.stderr)
    if done.returncode:
        raise BadRun(f"{words[0]} ended with {done.returncode}")
    wall = summary["microseconds"] / 1e6 if "microseconds" in summary else wall
    count = answered(workload, summary)
    return {
        "us": used * 1e6 / count,
        "requests_per_second": count / wall,
        "mib_per_second": summary["bytes"] / wall / (1 << 20),
        "p50_us": summary["p50"],
        "p99_us": summary["p99"],
        "server_cpu": used / wall,
        "foreign": foreign / wall,
        "steal": (machine.steal() - stolen) / wall,
    }
