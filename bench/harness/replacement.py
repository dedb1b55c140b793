"""How long a worker takes from its start until it is ready, when a reload or a death asks for one.

The service has all processors, as when it is deployed, and nothing to do meanwhile. Times are those of the events."""
import datetime
import os
import time

from . import figures, machine, ports
from .service import Service

READY_MILLIS = 900
REPLACED_MILLIS = 2000
# An exit this soon after READY counts as one of a row, before which the parent pauses.
PROBATION_SECONDS = 10.5


def moment(event):
    """Seconds since the epoch."""
    return datetime.datetime.fromisoformat(event["timestamp"]).timestamp()


def starts(events):
    """Milliseconds from worker.started to worker.ready, by pid; those that did not become ready have none."""
    began = {event["pid"]: moment(event) for event in events if event["event"] == "worker.started"}
    return {event["pid"]: round(1000 * (moment(event) - began[event["pid"]])) for event in events
            if event["event"] == "worker.ready" and event["pid"] in began}


def _reloaded(service):
    """A run for each of the workers that one reload starts, all at once."""
    watch = machine.Watch(service.pids())
    pids, _, _ = service.reload()
    seen = watch.over({*service.pids(), os.getpid()})
    taken = starts(service.events())
    return [{"ready_ms": taken[pid], **seen} for pid in pids]


def _killed(service):
    watch = machine.Watch(service.pids())
    pid, at = service.kill_worker()
    seen = watch.over({*service.pids(), os.getpid()})
    ready = next(event for event in service.events("worker.ready") if event["pid"] == pid)
    return [{"ready_ms": starts(service.events())[pid], "replaced_ms": round(1000 * (moment(ready) - at)), **seen}]


def _said(what, rep, runs):
    for run in runs:
        more = f", {run['replaced_ms']} ms after the kill" if "replaced_ms" in run else ""
        noise = figures.disturbed(run)
        print(f"replacement, {what}, rep {rep}: ready in {run['ready_ms']} ms{more}"
              + (f", disturbed: {noise}" if noise else ""), flush=True)


def measure(reps, pause=PROBATION_SECONDS):
    """Reloads of one worker and of two, and kills of one of two; runs by name."""
    found = {"reload of 1": [], "reload of 2": [], "kill of 1 of 2": []}

    def add(what, rep, runs):
        _said(what, rep, runs)
        found[what] += [{"rep": rep, **run} for run in runs]

    for workers in (1, 2):
        service = Service(f"fleet-replacement-{workers}", ports.free_port(), workers, range(os.cpu_count())).start()
        try:
            for rep in range(reps):
                add(f"reload of {workers}", rep, _reloaded(service))
                if workers > 1:
                    time.sleep(pause)
                    add("kill of 1 of 2", rep, _killed(service))
                    time.sleep(pause)
        finally:
            service.stop()
    return found


def verdicts(found):
    """Of each kind, whether workers are ready in time, and of kills whether the whole took no longer than it may."""
    lines = []
    for what, runs in found.items():
        if not runs:
            continue
        ready = figures.Range.of(run["ready_ms"] for run in runs)
        noise = figures.lone_noise(runs, "starts")
        lines.append(figures.told(f"fleet, {what}, start to READY", ready.median <= READY_MILLIS,
                                  f"gate {READY_MILLIS} ms: {ready.text(0)} ms", noise))
        whole = [run["replaced_ms"] for run in runs if "replaced_ms" in run]
        if whole:
            replaced = figures.Range.of(whole)
            lines.append(figures.told(f"fleet, {what}, kill to READY", replaced.greatest <= REPLACED_MILLIS,
                                      f"gate {REPLACED_MILLIS} ms, each: {replaced.text(0)} ms", noise))
    return lines
