"""When a JVM is warm: its compilers are done with what the workload asks of it.

A fixed time is no measure of that. Compilers come to a method when it has been called some thousands of times, which takes a second under
small files, and more than a minute where a hundred large ones are asked for in a second."""
from . import machine

# Of the CPU time of the whole tree, while the workload ran.
DONE_SHARE = 0.02
SECONDS_MAX = 180


def warmed(load, least, again):
    """Loads for `least` seconds, and then for `again` seconds at a time until the compilers are done, or SECONDS_MAX are over.

    load(seconds) puts load on the server and returns the compilers' share of the CPU time. Returns all the seconds, and the last share."""
    spent, seconds = 0, least
    while True:
        share = load(seconds)
        spent += seconds
        if share < DONE_SHARE or spent >= SECONDS_MAX:
            return spent, share
        seconds = again


def compilers_share(server, run):
    """What of the CPU time of a server's tree its compilers take while `run` runs."""
    pids = server.pids()
    before, compiling = machine.cpu_seconds(pids), machine.compiler_seconds(pids)
    run()
    used = machine.cpu_seconds(pids) - before
    return max(0.0, machine.compiler_seconds(pids) - compiling) / used if used > 0 else 0.0
