"""The start, the first two seconds and the memory of the packaged jar, as docs/adr/0015 tells them.

start   from exec to the first 200, and the CPU time until then
first   requests a second in the first two seconds after ready, as a part of the rate when warm
memory  PSS of the process after each of the workloads of load, and CPU time of a request then

With the AOT cache beside the jar and without it, and other jars that are named, in turns."""
import os
import time

from . import figures, jdk, load, machine, places, ports, process, servers, workloads
from .workloads import BadRun, shoot

PARTS = ("start", "first", "memory")
WITH, WITHOUT = "with the AOT cache", "without it"
NO_CACHE = "-XX:AOTMode=off"
FIRST_SECONDS = 2
WARM_SECONDS = 12
LOAD_SECONDS = 4
QUICK_SECONDS = 1
POLL_SECONDS = 0.001
# Room for the probe beside 256, and no larger heap than is given first: that would be another start.
CONNECTIONS_MAX = 300
START_MILLIS = (600, 450)
FIRST_SHARE = (0.5, 0.8)
PSS_MIB = (95.0, 80.0)


class Start(process.Server):
    """A run of one jar, from its exec on."""

    def __init__(self, jar, flags):
        port = ports.free_port()
        super().__init__("startup", port, servers.java(
            *flags, "-jar", jar, "serve", places.SITE, "--no-access", "--port", str(port), "--set",
            f"resources.max_connections={CONNECTIONS_MAX}"))
        self.ready_ms = self.cpu_ms = None

    def __enter__(self):
        began = time.perf_counter()
        self.start(every=POLL_SECONDS)
        self.ready_ms = 1000 * (time.perf_counter() - began)
        self.cpu_ms = 1000 * machine.cpu_seconds(self.pids())
        return self

    def __exit__(self, *_):
        self.stop()


def _start(jar, flags, _):
    watch = machine.Watch({os.getpid()})
    with Start(jar, flags) as server:
        return {"ready_ms": server.ready_ms, "cpu_ms": server.cpu_ms,
                **watch.over({*server.pids(), os.getpid()})}


def _noisiest(runs):
    return {each: max(run[each] for run in runs) for each in ("foreign", "steal")}


def _first(jar, flags, quick):
    with Start(jar, flags) as server:
        cold = shoot(server, workloads.ALL[0], FIRST_SECONDS)
        shoot(server, workloads.ALL[0], QUICK_SECONDS if quick else WARM_SECONDS)
        warm = shoot(server, workloads.ALL[0], FIRST_SECONDS)
    return {"share": cold["requests_per_second"] / warm["requests_per_second"], **_noisiest([cold, warm])}


def _memory(jar, flags, quick):
    seconds = QUICK_SECONDS if quick else LOAD_SECONDS
    with Start(jar, flags) as server:
        runs = [shoot(server, workload, seconds) for workload in workloads.ALL]
        pss = machine.pss_kib(server.pids()) / 1024
        strangers = len(jdk.users() - set(server.pids()))
        runs.append(shoot(server, workloads.ALL[0], seconds))
    return {"pss_mib": pss, "us": runs[-1]["us"], "strangers": strangers, **_noisiest(runs)}


MEASURES = {"start": _start, "first": _first, "memory": _memory}


def has_cache(jar):
    return os.path.exists(os.path.splitext(jar)[0] + ".aot")


def variants(jars):
    """The packaged jar in its two ways, and others as they are: (jar, flags) by name."""
    own = servers.jar()
    found = {WITH: (own, [])} if has_cache(own) else {}
    return {**found, WITHOUT: (own, [NO_CACHE]), **{jar: (os.path.abspath(jar), []) for jar in jars or ()}}


def repetitions(part, reps):
    """What takes long is measured no more often than a verdict needs."""
    return reps if part == "start" else min(reps, figures.PAIRS_MIN)


def in_turns(chosen, reps, measure):
    """Runs by variant; who begins changes from turn to turn."""
    found = {}
    for rep in range(reps):
        for name in load.rotation(list(chosen), rep):
            try:
                found.setdefault(name, []).append({"rep": rep, **measure(*chosen[name])})
            except (BadRun, process.NotStarted) as why:
                print(f"startup {name} rep {rep}: {why}", flush=True)
                continue
            _say(name, found[name][-1])
    return found


def _say(name, run):
    noise = figures.disturbed(run)
    said = ", ".join(f"{key} {value:.2f}" for key, value in run.items() if key not in ("rep", "foreign", "steal"))
    print(f"startup {name} rep {run['rep']}: {said}" + (f", disturbed: {noise}" if noise else ""), flush=True)


def run(record, options, parts):
    """The parts that were asked for; of the others stands what was measured last."""
    for part in parts:
        if part not in PARTS:
            raise SystemExit(f"startup: found `{part}`; expected some of {', '.join(PARTS)}")
    chosen = variants(options.jar)
    found = dict(record.data.get("startup", {}))
    for part in parts or PARTS:
        found[part] = in_turns(chosen, repetitions(part, options.reps),
                               lambda jar, flags, part=part: MEASURES[part](jar, flags, options.quick))
        record.put("startup", found)


# What came of it

COLUMNS = (("start", "ready_ms", "exec to 200, ms", 0), ("start", "cpu_ms", "CPU until then, ms", 0),
           ("first", "share", "first 2 s, of the warm rate", 2), ("memory", "pss_mib", "PSS after load, MiB", 1),
           ("memory", "us", "CPU µs a request then", 2))


def table(found):
    names = list(dict.fromkeys(name for part in found.values() for name in part))
    lines = ["### Startup", "", f"| | {' | '.join(title for _, _, title, _ in COLUMNS)} |",
             f"| --- |{' --- |' * len(COLUMNS)}"]
    for name in names:
        cells = [_cell(found.get(part, {}).get(name, []), key, digits) for part, key, _, digits in COLUMNS]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _cell(runs, key, digits):
    return figures.Range.of(run[key] for run in runs).text(digits) if runs else "–"


def verdicts(found):
    """(subject, gate, goal, verdict, digits) of each part that was measured with the cache, which is how it is shipped."""
    told = []
    for part, subject, key, bounds, digits in (
            ("start", "startup, exec to the first 200, ms", "ready_ms", START_MILLIS, 0),
            ("first", "startup, first 2 s after ready, of the warm rate", "share", FIRST_SHARE, 2),
            ("memory", "startup, PSS after load, MiB", "pss_mib", PSS_MIB, 1)):
        runs = found.get(part, {}).get(WITH, [])
        if runs:
            noise = figures.sharing(max(run["strangers"] for run in runs)) if part == "memory" else []
            verdict = figures.judge_alone(runs, key, bounds[0], at_least=part == "first", reasons=noise)
            told.append((subject, *bounds, verdict, digits))
    return told
