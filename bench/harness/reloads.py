"""What a steady load sees of reloads: p99 before, during and after, and the curve.

The service has all processors. During is from the signal until the workers before are gone. Each reload is a pair: what
came after its signal, and what was before it."""
import os
import time

from . import curve, figures, machine, places, ports
from .replacement import moment
from .service import Service
from .steady import Generator
from .workloads import ALL as WORKLOADS
from .workloads import BadRun, shoot

WORKERS = 2
RATE = 500
CONNECTIONS = 50
SETTLE_SECONDS = 1
BEFORE_SECONDS, AFTER_SECONDS = 10, 10
P99_FACTOR = 3.0
# How late the generator may be, at p99, as a share of the p99 that it measured before.
LATE_MAX = 0.5
PICTURE = os.path.join(places.RESULTS, "reload.svg")


def _watched(service, generator, seconds=None, act=None):
    """The watch of one stretch of time, whether it is slept or something is done."""
    watch = machine.Watch({*service.pids(), os.getpid(), generator.pid})
    result = act() if act else time.sleep(seconds)
    return watch.over({*service.pids(), os.getpid(), generator.pid}), result


def _one(service, rep, before, after):
    """One reload under the load; the record of it, with all samples."""
    generator = Generator(service.port, RATE, CONNECTIONS)
    try:
        time.sleep(SETTLE_SECONDS)
        start = time.monotonic()
        seen_before, _ = _watched(service, generator, before)
        seen_during, (pids, asked, gone) = _watched(service, generator, act=service.reload)
        seen_after, _ = _watched(service, generator, after)
        saw = generator.finish()
    finally:
        generator.abandon()
    offset = time.time() - time.monotonic()
    serving = moment(service.events("generation.serving")[-1]) - offset - asked
    windows = {"before": (start, asked, seen_before), "during": (asked, gone, seen_during),
               "after": (gone, gone + after, seen_after)}
    run = {"rep": rep, "workers": len(pids), "during_seconds": gone - asked, "serving_seconds": serving,
           "begin": start - asked, "end": gone + after - asked, "first": saw["first"],
           "faults": sorted({f"{why} ({at - asked:.2f} s after it)" for at, why in saw["faults"]}),
           "samples": [(round(at - asked, 5), round(latency, 7)) for at, latency in saw["samples"]]}
    for name, (begin, end, seen) in windows.items():
        held = curve.window(saw["samples"], begin, end)
        late = curve.window(saw["late"], begin, end)
        if not held:
            raise BadRun(f"nothing was answered {name} a reload")
        run[name] = {"rep": rep, "us": 1e6 * curve.percentile(held, 0.99), "p50_us": 1e6 * curve.percentile(held, 0.5),
                     "max_us": 1e6 * max(held), "late_us": 1e6 * curve.percentile(late, 0.99), "count": len(held), **seen}
    return run


def _stretch(run, name):
    one = run[name]
    noise = figures.disturbed(one)
    return (f"{name} p50 {one['p50_us'] / 1000:.2f} p99 {one['us'] / 1000:.2f} most {one['max_us'] / 1000:.2f} ms"
            + (f" (disturbed: {noise})" if noise else ""))


def _said(run):
    priority = "" if run["first"] else " without priority"
    print(f"reload {run['rep']}: " + ", ".join(_stretch(run, name) for name in ("before", "during", "after"))
          + f"; {run['during_seconds']:.1f} s; generator{priority} late by {run['during']['late_us']:.0f} us at p99; "
          + ("; ".join(run["faults"]) or "all answered"), flush=True)


def measure(reps, warm, warm_again, before=BEFORE_SECONDS, after=AFTER_SECONDS):
    """So many reloads of one service, which is warmed up before each."""
    service = Service("fleet-reload", ports.free_port(), WORKERS, range(os.cpu_count())).start()
    runs = []
    try:
        for rep in range(reps):
            try:
                shoot(service, WORKLOADS[0], warm if rep == 0 else warm_again)
                runs.append(_one(service, rep, before, after))
                _said(runs[-1])
            except BadRun as bad:
                print(f"reload {rep}: {bad}", flush=True)
    finally:
        service.stop()
    return runs


def quiet(runs):
    """Those whose every part is undisturbed and whose generator was in time: the others are in no curve."""
    return [run for run in runs if not any(figures.disturbed(run[name]) or _late(run, name)
                                           for name in ("before", "during", "after"))]


def _late(run, name):
    return run[name]["late_us"] > LATE_MAX * run["before"]["us"]


def _noise(runs, name):
    late = sum(1 for run in runs if _late(run, name) or _late(run, "before"))
    return [f"the generator itself was late in {late} of {len(runs)}"] if late > figures.DISTURBED_MAX * len(runs) else []


def verdicts(runs):
    """p99 during and after, as ratios to before; and that nothing was lost, which a busy machine does not excuse."""
    if not runs:
        return []
    found = []
    for name in ("during", "after"):
        verdict = figures.judge([(run[name], run["before"]) for run in runs], P99_FACTOR)
        here, there = (figures.Range.of(run[each]["us"] / 1000 for run in runs) for each in (name, "before"))
        found.append(figures.told(f"fleet, p99 {name} a reload", verdict.word == "held",
                                  f"gate {P99_FACTOR:g} × before: {verdict.ratio.text()}, "
                                  f"{here.text()} of {there.text()} ms",
                                  verdict.why + _noise(runs, name)))
    faults = [f"reload {run['rep']}: {fault}" for run in runs for fault in run["faults"]]
    answered = sum(len(run["samples"]) for run in runs)
    found.append(figures.told("fleet, every request over reloads answered", not faults,
                              "; ".join(faults[:5]) or f"{answered} of {answered}"))
    return found


def drawn(runs):
    """The curve of the quiet runs as lines of text; and its picture, which an earlier one does not outlive."""
    if os.path.exists(PICTURE):
        os.remove(PICTURE)
    kept = quiet(runs)
    if not kept:
        return [f"No curve: none of {len(runs)} reloads was undisturbed."]
    samples = [sample for run in kept for sample in run["samples"]]
    begin, end = max(run["begin"] for run in kept), min(run["end"] for run in kept)
    serving, during = (figures.Range.of(run[name] for run in kept).median
                       for name in ("serving_seconds", "during_seconds"))
    title = f"{RATE} requests a second of 1 KiB over {len(kept)} reloads of {WORKERS} workers"
    note = f"{len(runs) - len(kept)} of {len(runs)} reloads left out as disturbed; buckets of {curve.BUCKET_SECONDS:g} s"
    with open(PICTURE, "w", encoding="utf-8") as file:
        file.write(curve.svg(samples, begin, end, [(0, "asked for"), (serving, "new workers serve"),
                                                   (during, "old workers gone")], title, note))
    return [f"{title}; {note}. New workers serve after {serving:.2f} s, the old ones are gone after {during:.2f} s.", "",
            "```", *curve.text(samples, begin, end), "```"]
