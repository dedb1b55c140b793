"""TLS: what a request and a connection cost over it, and an idle one's memory, beside servers with the same certificate.

Ours is a service with its parent and one worker, as it runs with a certificate: CPU time and memory of both count."""
import os
import subprocess

from . import hello, idle, load, places, ports, process, servers, workloads
from .record import Section
from .service import Service
from .workloads import BadRun

PARTS = ("load", "idle")
WORKERS = 1
VERSION, GROUP = "TLSv1.3", "X25519"
CONNECTIONS = 2000
# Before idle connections: requests, and handshakes, of few connections at a time.
WARM = "tls-1k-c64,tls-resumed"
PROBE_SECONDS = 2
PATIENCE_SECONDS = 30


def make_certificate():
    """One for all servers: P-256, signed by itself. It stays as it is when it is there."""
    if os.path.exists(places.CERTIFICATE) and os.path.exists(places.KEY):
        return
    done = subprocess.run(
        [servers.need_openssl(), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-days", "3650",
         "-keyout", places.KEY, "-out", places.CERTIFICATE], capture_output=True, text=True, check=False)
    if done.returncode:
        raise servers.Missing(f"openssl made no certificate: {done.stderr.strip()}")


def make(definition):
    if definition.name == servers.OURS:
        return Service(definition.name, ports.free_port(), WORKERS, tls=True)
    return process.Server.of(definition)


# What is agreed


def _handshakes(server, workload):
    """Those of one generator, seen on their way."""
    try:
        said, found = hello.overhear(server.port,
                                     lambda port: workload.tool.words(workload, "https", port, PROBE_SECONDS),
                                     PROBE_SECONDS + PATIENCE_SECONDS)
        workloads.answered(workload, workload.tool.summary(said))
    except (TimeoutError, ValueError) as bad:
        raise BadRun(f"{workload.name}, handshakes: {bad}") from bad
    return found


def agreement(handshakes):
    """What all handshakes of one generator with one server have in common, and how many went on with a session."""
    kinds = {(one.version, one.group, one.cipher) for one in handshakes}
    if len(kinds) != 1 or any(one.retried for one in handshakes):
        raise BadRun(f"handshakes are not all of one kind: {sorted(map(str, kinds))}, "
                     f"{sum(one.retried for one in handshakes)} retried")
    version, group, cipher = kinds.pop()
    return {"version": version, "group": group, "cipher": cipher, "handshakes": len(handshakes),
            "resumed": sum(one.resumed for one in handshakes)}


def fault(resuming, full, connections):
    """Why figures of such handshakes would not be those that are asked for; None when they are. Each of the connections
    that a generator has at a time may begin without a session."""
    for one in (resuming, full):
        if (one["version"], one["group"]) != (VERSION, GROUP):
            return f"agrees on {one['version']} and {one['group']}; expected {VERSION} and {GROUP}"
    begun = resuming["handshakes"] - resuming["resumed"]
    if begun > connections or not resuming["resumed"]:
        return (f"resumed {resuming['resumed']} of {resuming['handshakes']} sessions; expected all but the first of "
                f"{connections} connections")
    if full["resumed"]:
        return f"resumed {full['resumed']} sessions of a generator that asks for none"
    return None


def agreed(definitions):
    """What the generators agree with each server: (of those that take part, why of those that do not)."""
    resuming, full = (workloads.chosen(name, workloads.TLS)[0] for name in ("tls-resumed", "tls-full"))
    found, absent = {}, {}
    for definition in definitions:
        try:
            server = make(definition).start()
            try:
                each = [agreement(_handshakes(server, workload)) for workload in (resuming, full)]
            finally:
                server.stop()
            why = fault(*each, resuming.connections)
        except (servers.Missing, process.NotStarted, BadRun) as reason:
            why = str(reason)
        else:
            found[definition.name] = {"resuming": each[0], "full": each[1]}
        if why:
            absent[definition.name] = why
            print(f"left out: {definition.name}: {why}", flush=True)
        else:
            print(f"agreed: {definition.name}: {each}", flush=True)
    return found, absent


# The whole


def _load(section, definitions, options):
    found, absent = agreed(definitions)
    section.put("agreed", found)
    part = [definition for definition in definitions if definition.name not in absent]
    load.Load(section, options, make).run(part, workloads.chosen(options.work, workloads.TLS))
    section.put("absent", {**section.data["absent"], **absent})


def run(record, options, parts):
    """The parts that were asked for; of the others stands what was measured last."""
    for part in parts:
        if part not in PARTS:
            raise SystemExit(f"tls: found `{part}`; expected some of {', '.join(PARTS)}")
    definitions = servers.chosen(options.only, servers.TLS)
    workloads.chosen(options.work, workloads.TLS)
    try:
        make_certificate()
    except servers.Missing as missing:
        raise SystemExit(f"bench: {missing}") from missing
    place = record.data.setdefault("tls", {})
    for part in parts or PARTS:
        section = Section(record, place, part, options.resume)
        if part == "load":
            _load(section, definitions, options)
        else:
            idle.run(section, definitions, min(options.connections, CONNECTIONS),
                     options.idle_reps or idle.REPS, make, workloads.chosen(WARM, workloads.TLS))
