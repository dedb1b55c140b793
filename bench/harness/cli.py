"""The command line of the benchmark."""
import argparse
import os
import signal
import subprocess
import sys

from . import fleet, idle, jdk, load, machine, mixed, places, process, report, servers, startup, tls, workloads
from .record import Record

PARTS = ("load", "idle", "mixed", "startup")

DESCRIPTION = """\
Measures Servery beside nginx (sendfile on and off), lighttpd, h2o, Caddy, Undertow and Jetty on the same files.

  load      CPU time a request, in rotated pairs      about 16 minutes
  idle      memory of 5,000 idle connections          about 6 minutes
  mixed     small files beside large compressions     about 5 minutes
  startup   from exec to the first answer, the first
            two seconds, memory                       about 6 minutes
  fleet     the parent and its workers: cost, memory,
            replacement, reloads under load           about 20 minutes
  tls       CPU time a request and a connection, and
            memory of 2,000 idle ones, over TLS       about 15 minutes
  jmh       microbenchmarks and allocation, by JMH
  report    prints what was measured last

Without a command: load, idle, mixed and startup, and the report.
"""


def _parser():
    parser = argparse.ArgumentParser(prog="bench/run", description=DESCRIPTION,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", nargs="?", default="all", choices=["all", *PARTS, "fleet", "tls", "jmh", "report"])
    parser.add_argument("words", nargs="*", help="for jmh: its own options; "
                        f"for startup: some of {', '.join(startup.PARTS)}; for fleet: of {', '.join(fleet.PARTS)}; "
                        f"for tls: of {', '.join(tls.PARTS)}")
    parser.add_argument("--only", metavar="A,B", help="these servers")
    parser.add_argument("--work", metavar="A,B", help="these workloads")
    parser.add_argument("--reps", type=int, default=9, help="rotations, and so pairs (9)")
    parser.add_argument("--dur", type=int, metavar="SECONDS", help="of each run (2, and 3 for 10 MiB)")
    parser.add_argument("--warm", type=int, default=30, metavar="SECONDS", help="of a JVM at least, first workload (30)")
    parser.add_argument("--warm-again", type=int, default=8, metavar="SECONDS", help="of a JVM at least, later ones, and at a time until its compilers are done (8)")
    parser.add_argument("--connections", type=int, default=idle.CONNECTIONS, help="of idle (5000, and 2000 over TLS)")
    parser.add_argument("--idle-reps", type=int, metavar="REPS",
                        help=f"of idle for Servery ({idle.REPS}), and of the memory of fleet ({fleet.MEMORY_REPS})")
    parser.add_argument("--jar", action="append", metavar="JAR", help="of startup: measured in turns with ours")
    parser.add_argument("--trials", type=int, default=7, help="of mixed (7)")
    parser.add_argument("--quick", action="store_true",
                        help="a trial in some minutes: its verdicts say that the pairs are too few")
    parser.add_argument("--resume", action="store_true", help="goes on with a load that was broken off")
    return parser


def _hasten(options):
    options.reps, options.dur, options.warm, options.warm_again = min(options.reps, 2), 1, 5, 2
    options.connections, options.idle_reps, options.trials = min(options.connections, 1000), 1, 1


def _prepare():
    """What every part needs; says what is missing, with its package."""
    if os.cpu_count() < 2:
        raise SystemExit("bench: found one processor; expected two, for the server and for the generator")
    places.make_site()
    try:
        servers.need_wrk()
        jdk.find()
    except (servers.Missing, jdk.NoJdk) as missing:
        raise SystemExit(f"bench: {missing}") from missing
    machine.allow_descriptors(servers.CONNECTIONS_MAX + 4000)
    os.sched_setaffinity(0, {process.GENERATOR_CPU})


def _jmh(words):
    """Builds and runs servery-bench on its own, on all processors."""
    regex = " ".join(words) if words else "io.servery"
    return subprocess.run(["mvn", "-q", "-B", "-f", os.path.join(places.REPOSITORY, "pom.xml"), "-pl", "servery-bench",
                           "-am", "verify", "-Dtest=NoTest", "-Dsurefire.failIfNoSpecifiedTests=false",
                           f"-Djmh={regex}"], check=False).returncode


def main(arguments):
    options = _parser().parse_args(arguments)
    if options.quick:
        _hasten(options)
    if options.command == "jmh":
        return _jmh(options.words)
    whole = options.command == "all"
    record = Record(os.path.join(places.RESULTS, "record.json"))
    if options.command == "report":
        report.write(record.data)
        return 0
    # So that what was started is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    _prepare()
    if options.command == "fleet":
        fleet.run(record, options, options.words)
    if options.command == "tls":
        tls.run(record, options, options.words)
    definitions = servers.chosen(options.only) if whole or options.command in PARTS else []
    if whole or options.command == "load":
        if not options.resume:
            record.forget_load()
        load.Load(record, options).run(definitions, workloads.chosen(options.work))
    if whole or options.command == "idle":
        idle.run(record, definitions, options.connections, options.idle_reps or idle.REPS)
    if whole or options.command == "mixed":
        mixed.run(record, options.trials, options.dur or mixed.TRIAL_SECONDS)
    if whole or options.command == "startup":
        startup.run(record, options, options.words)
    verdicts = report.write(record.data)
    return 1 if any(one["word"] == "missed" for one in verdicts) else 0
