"""Ports for servers whose port has to be known before they start."""
import itertools
import os
import socket

EPHEMERAL = "/proc/sys/net/ipv4/ip_local_port_range"
FIRST, LAST = 10_000, 65_535
_next = itertools.count(os.getpid() * 16)


def ephemeral():
    """The first and the last port that the kernel gives to whoever asks for any: ip(7)."""
    with open(EPHEMERAL, encoding="ascii") as file:
        first, last = map(int, file.read().split())
    return first, last


def free_port():
    """One that nobody has; another each time. Where the kernel leaves any, one that no connection is given before the start."""
    given = ephemeral()
    outside = [port for port in range(FIRST, LAST + 1) if not given[0] <= port <= given[1]] or range(FIRST, LAST + 1)
    for _ in outside:
        port = outside[next(_next) % len(outside)]
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise RuntimeError(f"found no free port among {len(outside)} from {FIRST} on; the kernel gives {given[0]} to {given[1]} away")
