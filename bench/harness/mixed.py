"""Mixed load: small files beside distinct large compressions that keep the compute lane full.

Two cohorts of one generator on the generator's processor. *Alone*, the cheap one asks for 1 KiB; *mixed*, it does the same
beside the expensive one, whose connections are more than the lane has places, each asking for another large file with
Accept-Encoding. Trials alternate which half comes first. Every file is of one size, so the bytes that the lane is charged
say how much work is outstanding, running work included.
"""
import json
import os
import random
import re
import statistics
import subprocess
import threading
import time
import urllib.request
from dataclasses import dataclass

from . import figures, jdk, machine, places, ports, process, servers
from .process import GENERATOR_CPU

CHEAP_CONNECTIONS = 32
EXTRA_CONNECTIONS = 8  # more than the lane has places: what they ask for finds it full
PAUSE_MILLIS = 100
WARM_SECONDS = 2
TRIAL_SECONDS = 6
WARM_UP_SECONDS = 15
PLATEAU_SECONDS = 60
PLATEAU_WATCHED_SECONDS = 60
# What may still be added after that, and in a minute of what comes last, as a share: allocators breathe.
PLATEAU_GROWTH = 0.03
# Of the looks that were due, so many must have been taken for either part to say something.
LOOKS_MIN = 0.5
FILES = 160
FILE_BYTES = 256 << 10
CODING = "br"  # the dearest at the level that is used
QUEUE = 64
RATE_MIN = 0.80
P99_FACTOR, P99_MORE_US = 2.0, 10_000


def make_site():
    """Distinct texts that compress by about a half, all of one size; and the small file."""
    os.makedirs(places.MIXED_SITE, exist_ok=True)
    os.chmod(places.MIXED_SITE, 0o755)
    random_words = random.Random(16)
    for number in range(FILES):
        path = os.path.join(places.MIXED_SITE, f"{number}.txt")
        if not os.path.exists(path) or os.path.getsize(path) != FILE_BYTES:
            words = " ".join(format(random_words.getrandbits(20), "x") for _ in range(FILE_BYTES // 5))
            with open(path, "w", encoding="ascii") as file:
                file.write(words[:FILE_BYTES].ljust(FILE_BYTES, "."))
    with open(os.path.join(places.MIXED_SITE, "1k.txt"), "w", encoding="ascii") as file:
        file.write("x" * 1024)
    for name, paths in (("cheap", ["/1k.txt"]), ("large", [f"/{number}.txt" for number in range(FILES)])):
        with open(paths_file(name), "w", encoding="ascii") as file:
            file.write("\n".join(paths) + "\n")


def paths_file(name):
    return os.path.join(places.RUN, f"{name}.paths")


def compile_generator():
    classes = places.COHORTS_CLASSES
    made = os.path.join(classes, "Cohorts.class")
    if not os.path.exists(made) or os.path.getmtime(made) < os.path.getmtime(places.COHORTS_SOURCE):
        os.makedirs(classes, exist_ok=True)
        subprocess.run([os.path.join(jdk.find(), "bin", "javac"), "-d", classes, places.COHORTS_SOURCE], check=True)


def parse_series(text, name, label=""):
    """The value of one series in the Prometheus text; None where it is not there."""
    found = re.search(rf"^{name}(?:\{{[^}}]*{re.escape(label)}[^}}]*\}})? (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else None


def outstanding(lane_bytes):
    """How much work is charged: input and output, of files of one size."""
    return round(lane_bytes / (2 * FILE_BYTES))


class Gauges(threading.Thread):
    """Looks at the lane's gauges and the memory of the server while a load runs."""

    EVERY_SECONDS = 0.25

    def __init__(self, server, admin_port):
        super().__init__(daemon=True)
        self._server, self._url = server, f"http://127.0.0.1:{admin_port}/metrics"
        self._over = threading.Event()
        self.depth = self.outstanding = 0
        self.memory_mib = []

    def metrics(self):
        with urllib.request.urlopen(self._url, timeout=10) as answer:
            return answer.read().decode()

    def lane_empty(self):
        text = self.metrics()
        return not parse_series(text, "servery_lane_bytes", 'lane="compute"')

    def run(self):
        began = time.monotonic()
        while not self._over.wait(self.EVERY_SECONDS):
            text = self.metrics()
            self.depth = max(self.depth, parse_series(text, "servery_queue_depth", 'queue="compute"') or 0)
            charged = parse_series(text, "servery_lane_bytes", 'lane="compute"') or 0
            self.outstanding = max(self.outstanding, outstanding(charged))
            pids = self._server.pids()
            self.memory_mib.append((time.monotonic() - began, (machine.pss_kib(pids) + machine.anonymous_kib(pids)) / 1024))

    def stop(self):
        self._over.set()
        self.join()


class Mixed:
    """One session: a server, and trials against it."""

    def __init__(self, server, admin_port, connections):
        self._server, self._admin_port, self._large = server, admin_port, connections

    def shoot(self, mixed, seconds, warm=WARM_SECONDS):
        """One load; the cohorts' reports by name, with what the gauges showed."""
        cohorts = [f"cheap,{CHEAP_CONNECTIONS},0,,{paths_file('cheap')}"]
        if mixed:
            cohorts.append(f"large,{self._large},{PAUSE_MILLIS},{CODING},{paths_file('large')}")
        gauges = Gauges(self._server, self._admin_port)
        tree = self._server.pids()
        own = {*tree, os.getpid()}
        others, stolen = machine.others(own), machine.steal()
        gauges.start()
        try:
            done = subprocess.run([*servers.java("-Xmx256m", "-XX:+UseSerialGC", "-cp", places.COHORTS_CLASSES,
                                                 "Cohorts"), str(self._server.port), str(warm), str(seconds), *cohorts],
                                  capture_output=True, text=True, check=False, timeout=warm + seconds + 60)
        finally:
            gauges.stop()
        reports = {report["cohort"]: report for report in map(json.loads, done.stdout.splitlines())}
        if set(reports) != {"cheap", *(["large"] if mixed else [])}:
            raise RuntimeError(f"the generator said: {(done.stdout + done.stderr).strip()}")
        wall = warm + seconds
        return {"cohorts": reports, "depth": gauges.depth, "outstanding": gauges.outstanding,
                "memory_mib": gauges.memory_mib, "foreign": machine.taken(others, machine.others(own)) / wall,
                "steal": (machine.steal() - stolen) / wall}

    def calm(self):
        """Waits until the lane has made what is still wanted."""
        gauges = Gauges(self._server, self._admin_port)
        until = time.monotonic() + 60
        while not gauges.lane_empty() and time.monotonic() < until:
            time.sleep(0.1)


def rate(shot):
    counts = shot["cohorts"]["cheap"]["perSecond"]
    return sum(counts) / len(counts)


def faults(shots, places_max):
    """What must not happen at all, whatever the rates are."""
    found = []
    for shot in shots:
        for report in shot["cohorts"].values():
            if report["failure"]:
                found.append(f"{report['cohort']}: {report['failure']}")
            if report["otherStatus"]:
                found.append(f"{report['cohort']}: {report['otherStatus']} answers were not 200")
        if min(shot["cohorts"]["cheap"]["perSecond"]) == 0:
            found.append("a second without progress of the cheap cohort")
        if shot["outstanding"] > places_max:
            found.append(f"{shot['outstanding']} outstanding; at most {places_max} may be")
        if shot["depth"] > QUEUE:
            found.append(f"{shot['depth']:.0f} wait; the queue has {QUEUE} places")
    return found


@dataclass(frozen=True)
class Plateau:
    """What memory did before PLATEAU_SECONDS and after it, in MiB."""

    before: float
    after: float
    # What the last third would add in a minute.
    rising: float

    @staticmethod
    def of(samples):
        """Samples are (seconds, MiB). How it rises is told by the medians of the halves of the last third: a collection
        between two looks moves neither."""
        sixth = samples[-1][0] / 6
        earlier = [mib for at, mib in samples if 4 * sixth <= at < 5 * sixth]
        later = [mib for at, mib in samples if 5 * sixth <= at]
        return Plateau(max(mib for at, mib in samples if at <= PLATEAU_SECONDS),
                       max(mib for at, mib in samples if at > PLATEAU_SECONDS),
                       (statistics.median(later) - statistics.median(earlier)) * 60 / sixth)

    @property
    def level(self):
        most = PLATEAU_GROWTH * self.before
        return self.after - self.before <= most and self.rising <= most

    def text(self):
        return (f"{self.after:.1f} MiB of PSS and files in memory at most, {self.before:.1f} MiB before; "
                f"{self.rising:+.1f} MiB a minute in the last third")


def _told(subject, held, text, noise=()):
    return figures.told(f"mixed, {subject}", held, text, noise)


def _noise(trials):
    bad = sum(1 for pair in trials if any(figures.disturbed(shot) for shot in pair))
    reasons = [f"{bad} of {len(trials)} trials disturbed"] if bad > figures.DISTURBED_MAX * len(trials) else []
    if len(trials) < figures.PAIRS_MIN:
        reasons.append(f"{len(trials)} trials; expected at least {figures.PAIRS_MIN}")
    return reasons


def _rate_verdict(trials):
    ratios = figures.Range.of(rate(mixed) / rate(alone) for alone, mixed in trials)
    return _told("rate of its rate alone", ratios.median >= RATE_MIN, f"gate {RATE_MIN:g}: {ratios.text()}",
                 _noise(trials))


def _latency_verdict(trials):
    p99 = [tuple(shot["cohorts"]["cheap"]["p99Us"] for shot in pair) for pair in trials]
    over = figures.Range.of(mixed - max(P99_FACTOR * alone, alone + P99_MORE_US) for alone, mixed in p99)
    alone_ms, mixed_ms = (figures.Range.of(each / 1000 for each in column) for column in zip(*p99))
    return _told("p99", over.median <= 0, f"gate 2 × or + 10 ms: {mixed_ms.text()} ms beside {alone_ms.text()} ms alone",
                 _noise(trials))


def _missing_looks(samples):
    """Why so few looks say nothing, as a list of reasons: a machine that stood still saw no memory."""
    reasons = []
    for what, begin, seconds in (("until then", 0, PLATEAU_SECONDS),
                                 ("after it", PLATEAU_SECONDS, PLATEAU_WATCHED_SECONDS)):
        looks = sum(1 for at, _ in samples if begin < at <= begin + seconds)
        if looks < LOOKS_MIN * seconds / Gauges.EVERY_SECONDS:
            reasons.append(f"{looks} looks {what}; {seconds / Gauges.EVERY_SECONDS:.0f} were due")
    return reasons


def _plateau_verdict(long_run, places_max):
    """A lane that was not full proves nothing; a busy machine may be why memory rises, and is none why it does not."""
    subject = f"memory is level after {PLATEAU_SECONDS} s"
    noise = _missing_looks(long_run["memory_mib"])
    if noise:
        return _told(subject, False, "not seen", noise)
    found = Plateau.of(long_run["memory_mib"])
    if long_run["outstanding"] < places_max:
        noise.append(f"the lane was not full: {long_run['outstanding']} of {places_max} outstanding")
    if not found.level and figures.disturbed(long_run):
        noise.append(figures.disturbed(long_run))
    return _told(subject, found.level, found.text(), noise)


def verdicts(trials, long_run, places_max):
    """Lines and JSON, in the form of the report's verdicts. What a busy machine does not excuse has no third answer."""
    everything = [shot for pair in trials for shot in pair] + [long_run]
    wrong = faults(everything, places_max)
    most = max(shot["outstanding"] for shot in everything)
    large = [mixed["cohorts"]["large"] for _, mixed in trials]
    plain = sum(report["plain"] for report in large)
    saturated = plain > 0 and all(mixed["outstanding"] == places_max for _, mixed in trials)
    return [
        _rate_verdict(trials),
        _latency_verdict(trials),
        _told("all answered, progress in every second, work within bounds", not wrong,
              "; ".join(dict.fromkeys(wrong)) or f"at most {most} of {places_max} outstanding"),
        _told("the lane was full", saturated,
              f"{sum(report['coded'] for report in large)} forms made, {plain} answered plain"),
        _plateau_verdict(long_run, places_max),
    ]


def table(trials):
    lines = ["### Mixed load", "", "| cohort | alone | mixed |", "| --- | --- | --- |"]

    def row(name, of):
        alone, mixed = (figures.Range.of(of(shot) for shot in column) for column in zip(*trials))
        lines.append(f"| {name} | {alone.text(1)} | {mixed.text(1)} |")

    row("cheap, requests/s", rate)
    row("cheap, least in a second", lambda shot: min(shot["cohorts"]["cheap"]["perSecond"]))
    row("cheap, p50 ms", lambda shot: shot["cohorts"]["cheap"]["p50Us"] / 1000)
    row("cheap, p99 ms", lambda shot: shot["cohorts"]["cheap"]["p99Us"] / 1000)
    row("cheap, longest ms", lambda shot: shot["cohorts"]["cheap"]["maxUs"] / 1000)
    row("foreign CPU, %", lambda shot: 100 * shot["foreign"])
    for kind in ("coded", "plain"):
        row(f"large, {kind} answers", lambda shot, kind=kind: shot["cohorts"].get("large", {}).get(kind, 0))
    row("PSS and files in memory, MiB", lambda shot: max((mib for _, mib in shot["memory_mib"]), default=0))
    return lines + [""]


def run(record, trials_wanted, seconds):
    make_site()
    compile_generator()
    port, admin_port = ports.free_port(), ports.free_port()
    threads = 1  # the lane has as many as processors that the server may use
    words = servers.ours(port, places.MIXED_SITE, (
        "metrics.enabled=true", f"metrics.port={admin_port}", f"resources.lanes.compute.queue={QUEUE}",
        f"resources.lanes.compute.threads={threads}"))
    server = process.Server("servery-mixed", port, words).start()
    try:
        session = Mixed(server, admin_port, threads + QUEUE + EXTRA_CONNECTIONS)
        print(f"mixed: warming up, {2 * WARM_UP_SECONDS} s", flush=True)
        session.shoot(False, WARM_UP_SECONDS, 0)
        session.shoot(True, WARM_UP_SECONDS, 0)
        session.calm()
        trials = []
        for trial in range(trials_wanted):
            halves = {}
            for mixed in (False, True) if trial % 2 == 0 else (True, False):
                halves[mixed] = session.shoot(mixed, seconds)
                session.calm()
            trials.append((halves[False], halves[True]))
            print(f"mixed trial {trial}: {rate(halves[True]):.0f} of {rate(halves[False]):.0f} requests/s, p99 "
                  f"{halves[True]['cohorts']['cheap']['p99Us'] / 1000:.1f} ms of "
                  f"{halves[False]['cohorts']['cheap']['p99Us'] / 1000:.1f} ms, large "
                  f"{halves[True]['cohorts']['large']['coded']} coded "
                  f"{halves[True]['cohorts']['large']['plain']} plain, outstanding {halves[True]['outstanding']}",
                  flush=True)
        print(f"mixed: {PLATEAU_SECONDS + PLATEAU_WATCHED_SECONDS} s for the memory", flush=True)
        long_run = session.shoot(True, PLATEAU_SECONDS + PLATEAU_WATCHED_SECONDS)
    finally:
        server.stop()
    record.put("mixed", {"trials": trials, "long_run": long_run, "lines": table(trials),
                         "verdicts": verdicts(trials, long_run, threads + QUEUE)})
