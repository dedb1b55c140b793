"""The comparison under load: all servers up, one running at a time, in rotations."""
import time

from . import figures, jdk, machine, process, warmth
from .workloads import BadRun, shoot

WARM_NATIVE_SECONDS = 2
# A disturbed run, or one that went wrong, is made again so often, as long as all repetitions are no more than this share of
# the runs: a session on a busy machine must end, too.
AGAIN_MAX = 2
AGAIN_SHARE = 0.2


def rotation(items, rep):
    """The order of one rotation: each begins one place later, and every other one goes backwards, so that neither the
    place in the order nor the neighbour before favours anybody. Neighbours stay neighbours."""
    at = rep // 2 % len(items) if items else 0
    turned = items[at:] + items[:at]
    return turned if rep % 2 == 0 else turned[::-1]


class Load:
    """One session of load over all workloads; `make` makes a server of its definition."""

    def __init__(self, record, options, make=process.Server.of):
        self._record = record
        self._options = options
        self._make = make
        self._warmed = set()
        self._again_left = 0

    def run(self, definitions, workloads):
        started = []
        try:
            self._record.put("absent", process.start_all(definitions, started, self._make))
            self._again_left = int(AGAIN_SHARE * len(started) * len(workloads) * self._options.reps)
            for workload in workloads:
                self._measure(workload, started)
            if workloads:
                self._record.put("pss_after_load_mib", {
                    definition.name: machine.pss_kib(server.pids()) / 1024 for definition, server in started})
                self._record.put("pss_sharing", {
                    definition.name: len(jdk.users() - set(server.pids())) for definition, server in started
                    if definition.jvm})
        finally:
            for _, server in started:
                server.stop()

    def _measure(self, workload, started):
        reps = range(self._options.reps)
        todo = [(definition, server) for definition, server in started
                if any(not self._record.has(workload.name, definition.name, rep) for rep in reps)]
        if not todo:
            print(f"{workload.name}: complete already", flush=True)
            return
        for definition, server in todo:
            self._warm_up(definition, server, workload)
        for rep in reps:
            for definition, server in rotation(todo, rep):
                if not self._record.has(workload.name, definition.name, rep):
                    self._one(definition, server, workload, rep)

    def _warm_up(self, definition, server, workload):
        """Gates speak of warm servers; a JVM needs its time, above all before its first workload."""
        def once(seconds):
            try:
                shoot(server, workload, seconds)
            except BadRun as bad:
                print(f"{workload.name:11} {server.name:17} warm-up: {bad}", flush=True)
        first = server.name not in self._warmed
        self._warmed.add(server.name)
        print(f"{workload.name:11} {server.name:17} warming up", flush=True)
        server.resume()
        try:
            if not definition.jvm:
                once(WARM_NATIVE_SECONDS)
                return
            seconds, share = warmth.warmed(
                lambda some: warmth.compilers_share(server, lambda: once(some)),
                self._options.warm if first else self._options.warm_again, self._options.warm_again)
            print(f"{workload.name:11} {server.name:17} {'warm' if share < warmth.DONE_SHARE else 'NOT WARM'} after {seconds} s: "
                  f"its compilers take {share:.1%}", flush=True)
        finally:
            server.pause()

    def _one(self, definition, server, workload, rep):
        """Keeps the quietest of a few tries; all that is given up is written down."""
        best = self._try(server, workload, rep)
        for _ in range(AGAIN_MAX):
            if self._again_left == 0 or best is not None and figures.disturbed(best) is None:
                break
            self._again_left -= 1
            run = self._try(server, workload, rep)
            if run is not None and (best is None or run["foreign"] + run["steal"] < best["foreign"] + best["steal"]):
                best = run
        if best is not None:
            self._record.add(workload.name, definition.name, best)

    def _try(self, server, workload, rep):
        server.resume()
        try:
            run = shoot(server, workload, self._options.dur or workload.seconds)
        except BadRun as bad:
            self._record.data["discarded"].append({"workload": workload.name, "server": server.name, "rep": rep,
                                                   "why": str(bad)})
            print(f"{workload.name:11} {server.name:17} rep {rep}: {bad}", flush=True)
            return None
        finally:
            server.pause()
        run["rep"] = rep
        run["at"] = time.time()
        say = figures.disturbed(run)
        print(f"{workload.name:11} {server.name:17} rep {rep}: {run['us']:8.2f} us, "
              f"{run['requests_per_second']:8.0f} requests/s, server at {run['server_cpu']:4.0%}"
              + (f", disturbed: {say}" if say else ""), flush=True)
        return run
