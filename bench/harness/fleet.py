"""The parent and its workers: what a request costs with them, memory, balance, replacement, and reloads under load.

Beside the direct run, `serve DIR`, which is one process. All have one event loop a process and, but for replacement and
reloads, the server's processor."""
import os
import time

from . import figures, idle, jdk, load, machine, ports, process, reloads, replacement, servers, workloads
from .record import Section
from .service import EVENT_LOOPS, Service
from .workloads import BadRun, shoot

DIRECT = "direct"
SIZES = (1, 2, 4)
PARTS = ("cost", "memory", "replacement", "reload")
# The same, as far as this benchmark can tell two things apart.
COST = workloads.Gate(DIRECT, 1.05, 1.0)
WORKLOAD = workloads.ALL[0]
PARENT_MIB, WORKER_MIB = 60, 75
# None: a thousandth of a processor is not told from it.
IDLE_MILLIS = 1.0
SETTLE_SECONDS = 2
# What a start leaves to its compilers is done by then.
REST_SECONDS = 10
IDLE_SECONDS = 30
LOAD_SECONDS = 10
MEMORY_REPS = 3
BALANCE_CONNECTIONS = 4000
# Of chi-square, by degrees of freedom: what chance exceeds once in a thousand times.
CHI_SQUARE_MAX = {1: 10.83, 3: 16.27}


def name_of(workers):
    return f"workers-{workers}" if workers else DIRECT


def chi_square(counts):
    """How far counts lie from an even share: near to their number less one when chance made them."""
    even = sum(counts) / len(counts)
    return sum((count - even) ** 2 / even for count in counts)


# What a request costs


def _server(workers, part):
    """A service with so many workers, or the direct run for none."""
    port, name = ports.free_port(), f"fleet-{part}-{name_of(workers)}"
    if workers == 0:
        return process.Server(name, port, servers.ours(port, settings=(f"runtime.event_loops={EVENT_LOOPS}",)))
    return Service(name, port, workers)


def cost(section, options):
    """Neighbours in a rotation are close in time: one worker beside the direct run."""
    sizes = {name_of(workers): workers for workers in (SIZES[0], 0, *SIZES[1:])}
    definitions = [servers.Definition(name, servers.ours, jvm=True) for name in sizes]
    load.Load(section, options, lambda definition: _server(sizes[definition.name], "cost")).run(definitions, [WORKLOAD])


def cost_table(measured):
    lines = ["| | CPU µs a request | × direct | requests/s | p99 ms | runs, disturbed |",
             "| --- | --- | --- | --- | --- | --- |"]
    for name in (DIRECT, *map(name_of, SIZES)):
        runs = measured.get(name, [])
        paired = figures.pairs(runs, measured.get(DIRECT, []))
        if not paired:
            continue
        ratio = "–" if name == DIRECT else figures.Range.of(a["us"] / b["us"] for a, b in paired).text()
        us, rate, p99 = (figures.Range.of(run[key] for run in runs) for key in ("us", "requests_per_second", "p99_us"))
        bad = sum(1 for run in runs if figures.disturbed(run))
        lines.append(f"| {name} | {us.text()} | {ratio} | {rate.text(0)} | {p99.median / 1000:.2f} |"
                     f" {len(runs)}, {bad} |")
    return lines


def cost_verdicts(measured):
    paired = figures.pairs(measured.get(name_of(1), []), measured.get(DIRECT, []))
    if not paired:
        return []
    verdict = figures.judge(paired, COST.gate)
    return [figures.told("fleet, CPU a request of parent and worker", verdict.word == "held",
                         f"gate {COST.gate:g} × direct: {verdict.ratio.text()}", verdict.why)]


# Memory, idleness, balance


def _workers(server):
    return server.workers() if isinstance(server, Service) else []


def _pss(service):
    """MiB of the parent and of each worker. Pages of a file are shared out among all that have it, so somebody else's JVM
    makes ours look smaller: how many of those there are."""
    workers = _workers(service)
    return {"parent": machine.pss_kib([service.pid]) / 1024,
            "workers": [machine.pss_kib([pid]) / 1024 for pid in workers],
            "strangers": len(jdk.users() - {service.pid, *workers})}


def _idle(service, seconds):
    workers = _workers(service)
    watch = machine.Watch(service.pids())
    began, before = time.monotonic(), [machine.cpu_seconds([pid]) for pid in (service.pid, *workers)]
    time.sleep(seconds)
    after, wall = [machine.cpu_seconds([pid]) for pid in (service.pid, *workers)], time.monotonic() - began
    parent, *others = [1000 * (end - start) / wall for start, end in zip(before, after)]
    return {"parent_ms": parent, "worker_ms": others, **watch.over({*service.pids(), os.getpid()})}


def _connections(service, count):
    """How many each worker has of those that are held, as its heartbeats tell."""
    for _ in range(5):
        counts = [worker["connections"] for worker in service.status()["workers"]]
        if sum(counts) == count:
            return counts
        time.sleep(1)
    raise BadRun(f"{service.name}: status tells of {sum(counts)} connections; expected {count}")


def _balance(service, count):
    """New connections, one after another; then what the load's own connections make of the workers."""
    watch = machine.Watch(service.pids())
    held = idle.Held(service.port, count)
    try:
        time.sleep(SETTLE_SECONDS)
        counts = _connections(service, count)
    finally:
        held.close()
    return {"connections": counts, **watch.over({*service.pids(), os.getpid()})}


def _loaded(service, seconds):
    """The load, and the share of the workers' CPU time that each of them used: requests are not counted apart."""
    workers = _workers(service)
    before = [machine.cpu_seconds([pid]) for pid in workers]
    run = shoot(service, WORKLOAD, seconds)
    used = [machine.cpu_seconds([pid]) - start for pid, start in zip(workers, before)]
    return {**run, "worker_shares": [each / sum(used) for each in used]}


def _memory_of(workers, rep, idle_seconds, load_seconds, connections):
    service = _server(workers, "memory").start()
    try:
        time.sleep(SETTLE_SECONDS)
        found = {"rep": rep, "ready": _pss(service)}
        time.sleep(REST_SECONDS)
        found["idle"] = _idle(service, idle_seconds)
        found["load"] = _loaded(service, load_seconds)
        time.sleep(SETTLE_SECONDS)
        found["after"] = _pss(service)
        if workers > 1:
            found["balance"] = _balance(service, connections)
    finally:
        service.stop()
    return found


def memory(reps, idle_seconds, load_seconds, connections):
    """Each size alone, for what several have in common is shared out among them."""
    found = {}
    for rep in range(reps):
        for workers in (0, *SIZES):
            try:
                one = _memory_of(workers, rep, idle_seconds, load_seconds, connections)
            except BadRun as bad:
                print(f"{name_of(workers)} rep {rep}: {bad}", flush=True)
                continue
            found.setdefault(name_of(workers), []).append(one)
            print(f"{name_of(workers)} rep {rep}: PSS of the parent and of each worker "
                  + " ".join(f"{mib:.1f}" for mib in (one["ready"]["parent"], *one["ready"]["workers"]))
                  + f" MiB; idle parent {one['idle']['parent_ms']:.2f} ms/s"
                  + (f"; connections {one['balance']['connections']}" if "balance" in one else ""), flush=True)
    return found


def _shares(shares):
    return ", ".join(f"{share:.0%}" for share in shares)


def _range(values, digits):
    values = list(values)
    return figures.Range.of(values).text(digits) if values else "–"


def memory_table(measured):
    """The one process of the direct run stands where the parent does."""
    lines = ["| | parent MiB, ready | worker MiB, ready | parent, after load | worker, after load | idle parent ms/s |"
             " idle worker ms/s |", "| --- | --- | --- | --- | --- | --- | --- |"]
    for name, runs in measured.items():
        cells = []
        for when in ("ready", "after"):
            cells += [_range((run[when]["parent"] for run in runs), 1),
                      _range((mib for run in runs for mib in run[when]["workers"]), 1)]
        cells += [_range((run["idle"]["parent_ms"] for run in runs), 2),
                  _range((ms for run in runs for ms in run["idle"]["worker_ms"]), 2)]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += ["", "| | connections of each worker | most / least | chi-square | CPU of each worker under load |",
              "| --- | --- | --- | --- | --- |"]
    for name, runs in measured.items():
        for run in runs:
            counts = run.get("balance", {}).get("connections")
            if counts:
                lines.append(f"| {name} | {', '.join(map(str, counts))} | {max(counts) / max(1, min(counts)):.2f} |"
                             f" {chi_square(counts):.1f} | {_shares(run['load']['worker_shares'])} |")
    return lines


def memory_verdicts(measured):
    """Of each size: memory of the parent and of its largest worker at ready, the idle parent, the balance."""
    found = []
    for name, runs in measured.items():
        if name == DIRECT:
            continue
        noise = figures.sharing(max(run["ready"]["strangers"] for run in runs))
        for who, gate, mib in (("the parent", PARENT_MIB, [run["ready"]["parent"] for run in runs]),
                               ("the largest worker", WORKER_MIB, [max(run["ready"]["workers"]) for run in runs])):
            each = figures.Range.of(mib)
            found.append(figures.told(f"fleet, {name}, PSS of {who} at ready", each.median <= gate,
                                      f"gate {gate} MiB: {each.text(1)} MiB", noise))
        rest = figures.Range.of(run["idle"]["parent_ms"] for run in runs)
        found.append(figures.told(f"fleet, {name}, CPU of the idle parent", rest.median <= IDLE_MILLIS,
                                  f"gate {IDLE_MILLIS:g} ms a second: {rest.text()} ms",
                                  figures.mostly_disturbed([run["idle"] for run in runs])))
        balanced = [run["balance"] for run in runs if "balance" in run]
        if balanced:
            found.append(balance_verdict(name, balanced))
    return found


def balance_verdict(name, balanced):
    most = max(balanced, key=lambda run: chi_square(run["connections"]))
    allowed = CHI_SQUARE_MAX[len(most["connections"]) - 1]
    square = chi_square(most["connections"])
    bad = [figures.disturbed(most)] if square > allowed and figures.disturbed(most) else []
    return figures.told(f"fleet, {name}, new connections as even as chance", square <= allowed,
                        f"chi-square at most {allowed}: {square:.1f}, {' '.join(map(str, most['connections']))}", bad)


# The whole


def row(verdict):
    """A verdict as a row of a table; one that says nothing gives no figure."""
    if verdict["word"] == "too noisy to tell":
        return f"| {verdict['subject']} | – | too noisy to tell: {'; '.join(verdict['why'])} |"
    word = "**missed**" if verdict["word"] == "missed" else verdict["word"]
    return f"| {verdict['subject']} | {verdict['text']} | {word} |"


def _part(heading, runs, lines, verdicts):
    return {"runs": runs, "verdicts": verdicts,
            "lines": [f"### Parent and workers: {heading}", "", *lines, ""] if lines else []}


def _measure(part, record, found, options):
    """One part: what came of it, as lines and verdicts."""
    quick = options.quick
    if part == "cost":
        section = Section(record, found, "cost-runs")
        cost(section, options)
        runs = section.data["load"].get(WORKLOAD.name, {})
        return _part("1 KiB, 64 connections, one processor", {}, cost_table(runs), cost_verdicts(runs))
    if part == "memory":
        amounts = (3, 2, 400) if quick else (IDLE_SECONDS, LOAD_SECONDS, BALANCE_CONNECTIONS)
        runs = memory(options.idle_reps or MEMORY_REPS, *amounts)
        return _part("memory, idleness, balance", runs, memory_table(runs), memory_verdicts(runs))
    if part == "replacement":
        runs = replacement.measure(options.reps, 0 if quick else replacement.PROBATION_SECONDS)
        return _part("replacement", runs, [], replacement.verdicts(runs))
    stretch = (2, 2) if quick else (reloads.BEFORE_SECONDS, reloads.AFTER_SECONDS)
    runs = reloads.measure(options.reps, options.warm, options.warm_again, *stretch)
    kept = [{name: value for name, value in run.items() if name != "samples"} for run in runs]
    return _part("a steady load over reloads", kept, reloads.drawn(runs), reloads.verdicts(runs))


def told(found):
    """The lines and verdicts of all parts that there are, with rows for RESULTS.md."""
    parts = [found[part] for part in PARTS if part in found]
    verdicts = [one for part in parts for one in part["verdicts"]]
    lines = [line for part in parts for line in part["lines"]]
    if verdicts:
        lines += ["### Parent and workers: rows for RESULTS.md", "", "| work | found | |", "| --- | --- | --- |",
                  *(row(one) for _, one in verdicts), ""]
    return lines, verdicts


def run(record, options, parts):
    """The parts that were asked for; of the others stands what was measured last."""
    for part in parts:
        if part not in PARTS:
            raise SystemExit(f"fleet: found `{part}`; expected some of {', '.join(PARTS)}")
    found = record.data.setdefault("fleet", {})
    for part in parts or PARTS:
        found.pop(part, None)
        try:
            found[part] = _measure(part, record, found, options)
        except (servers.Missing, process.NotStarted) as why:
            print(f"fleet {part}: {why}", flush=True)
            record.data["absent"][f"fleet {part}"] = str(why)
        else:
            record.data["absent"].pop(f"fleet {part}", None)
        found["told"] = dict(zip(("lines", "verdicts"), told(found)))
        record.save()
