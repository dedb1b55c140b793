"""What is asked of the servers, how wrk asks it, and what wrk says."""
import json
import os
import re
import subprocess
from dataclasses import dataclass

from . import machine, places, servers

# wrk ends by itself; this much later it is taken for lost.
PATIENCE_SECONDS = 30


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


def chosen(names):
    if not names:
        return list(ALL)
    known = {workload.name: workload for workload in ALL}
    for name in names.split(","):
        if name not in known:
            raise SystemExit(f"--work: found `{name}`; expected some of {', '.join(known)}")
    return [known[name] for name in names.split(",")]


class BadRun(Exception):
    """The generator failed, or the server answered wrongly: such a run is no figure."""


def parse_summary(text):
    """The counts that load/summary.lua prints."""
    found = re.search(r"^summary (\{.*\})$", text, re.MULTILINE)
    if not found:
        last = text.strip().splitlines()
        raise BadRun(f"wrk printed no summary, but: {last[-1] if last else 'nothing'}")
    return json.loads(found[1])


def answered(workload, summary):
    """How many answers were given; refuses counts with errors in them.

    A read error of wrk at the end of its time is one at most for each connection, and none was seen; so any is one."""
    wrong = {name: summary[name] for name in ("connect", "read", "write", "timeout", "status") if summary[name]}
    if wrong:
        raise BadRun(f"errors: {wrong}")
    count = summary["bytes"] / workload.size if workload.counts_bytes else summary["requests"]
    if not count:
        raise BadRun("no request was answered")
    return count


def shoot(server, workload, seconds):
    """One run: the load, and what it cost the server's process tree."""
    tree = server.pids()
    own = {*tree, os.getpid()}
    others, stolen, used = machine.others(own), machine.steal(), machine.cpu_seconds(tree)
    wrk = ["wrk", "-t1", f"-c{workload.connections}", f"-d{seconds}s", "--timeout", "10s", "-s", places.SUMMARY_LUA,
           f"http://127.0.0.1:{server.port}{workload.path}"]
    try:
        done = subprocess.run(wrk, capture_output=True, text=True, check=False, timeout=seconds + PATIENCE_SECONDS)
    except subprocess.TimeoutExpired as late:
        raise BadRun(f"wrk did not end in {seconds + PATIENCE_SECONDS} s") from late
    used = machine.cpu_seconds(tree) - used
    foreign = machine.taken(others, machine.others(own))
    if set(server.pids()) != set(tree):
        raise BadRun(f"{server.name}: its processes changed during the run, so their CPU time is not known")
    summary = parse_summary(done.stdout + done.stderr)
    wall = summary["microseconds"] / 1e6
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
