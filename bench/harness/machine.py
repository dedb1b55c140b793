"""What the kernel says: processors, process trees, their CPU time and memory, and which machine this is. Linux."""
import glob
import os
import platform
import re
import resource
import time

TICKS = os.sysconf("SC_CLK_TCK")


def _read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def parent_of(stat):
    """The parent's pid in the text of /proc/PID/stat, whose second field may hold anything but a last parenthesis."""
    return int(stat.rsplit(")", 1)[1].split()[1])


def start_of(pid):
    """When the process began, in ticks since boot; None when it is gone or only waits to be reaped."""
    try:
        fields = _read(f"/proc/{pid}/stat").rsplit(")", 1)[1].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else int(fields[19])


def tree(pid):
    """The process and all that descend from it."""
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                children.setdefault(parent_of(_read(f"/proc/{name}/stat")), []).append(int(name))
            except OSError:
                pass  # gone meanwhile
    found, todo = [], [pid]
    while todo:
        next_pid = todo.pop()
        found.append(next_pid)
        todo += children.get(next_pid, [])
    return found


def cpu_seconds(pids):
    """CPU time that these processes have used, by the kernel's clock of each process.

    Nanoseconds, and ended threads count (a sum over /proc/PID/task/*/schedstat would lose those, ticks of /proc/PID/stat
    are 10 ms). What runs on another CPU this moment may be behind by a tick, so ask before and after the load, when the
    servers wait. A process that ends takes its time with it: see Load, which compares the trees."""
    total = 0
    for pid in pids:
        try:
            total += time.clock_gettime_ns((~pid << 3) | 2)  # clock_getcpuclockid(3): CPUCLOCK_SCHED of a process
        except OSError:
            pass
    return total / 1e9


def is_compiler(thread):
    """Whether a JVM compiles on threads of this name, of which the kernel has fifteen characters."""
    return thread.startswith(("C1 CompilerThre", "C2 CompilerThre"))


def compiler_seconds(pids):
    """CPU time of the compiler threads that these processes have now; of those that ended it is lost."""
    total = 0
    for pid in pids:
        for task in glob.glob(f"/proc/{pid}/task/*"):
            try:
                if is_compiler(_read(f"{task}/comm")):
                    total += int(_read(f"{task}/schedstat").split()[0])
            except OSError:
                pass  # ended meanwhile
    return total / 1e9


KERNEL_THREADS = 2  # the pid of kthreadd, the parent of all of them


def others(own):
    """CPU seconds of every process but these and kernel threads, by pid. The kernel's threads work for the load: the
    loopback's packets are handled by one of them when they are many."""
    found = {}
    for name in os.listdir("/proc"):
        pid = int(name) if name.isdigit() else KERNEL_THREADS
        if pid in own or pid == KERNEL_THREADS:
            continue
        try:
            if parent_of(_read(f"/proc/{pid}/stat")) != KERNEL_THREADS:
                found[pid] = cpu_seconds([pid])
        except OSError:
            pass
    return found


def taken(before, after):
    """CPU seconds that other processes took between two looks; those that began meanwhile count, those that both began
    and ended are missed."""
    return sum(max(0.0, seconds - before.get(pid, 0.0)) for pid, seconds in after.items())


class Watch:
    """What others take of the processors, from its making on. Processes that begin or end meanwhile may be ours: ours are
    asked for at the end, too."""

    def __init__(self, own):
        self._began = time.monotonic()
        self._others, self._stolen = others(set(own)), steal()

    def over(self, own):
        """The shares of one processor, as every run carries them."""
        wall = time.monotonic() - self._began
        return {"foreign": taken(self._others, others(set(own))) / wall, "steal": (steal() - self._stolen) / wall}


def mapped_by(path):
    """The processes that have this file in their memory, and so share its pages."""
    found = set()
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if path in _read(f"/proc/{name}/maps"):
                    found.add(int(name))
            except OSError:
                pass
    return found


def parse_steal(stat):
    """Seconds that the hypervisor gave to others, of all CPUs together, in the text of /proc/stat."""
    for line in stat.splitlines():
        if line.startswith("cpu "):
            return int(line.split()[8]) / TICKS
    raise ValueError("/proc/stat: found no line of all CPUs")


def steal():
    return parse_steal(_read("/proc/stat"))


def parse_pss(smaps_rollup):
    return sum(int(line.split()[1]) for line in smaps_rollup.splitlines() if line.startswith("Pss:"))


def pss_kib(pids):
    """The proportional share of memory of these processes, in KiB."""
    total = 0
    for pid in pids:
        try:
            total += parse_pss(_read(f"/proc/{pid}/smaps_rollup"))
        except OSError:
            pass
    return total


def _names(directory):
    try:
        return os.listdir(directory)
    except OSError:
        return []  # gone meanwhile


def anonymous_kib(pids):
    """What the files without a name hold that these processes have open (memfd_create(2)): memory that no PSS shows as long as
    nobody maps them."""
    blocks = {}
    for pid in pids:
        for name in _names(f"/proc/{pid}/fd"):
            path = f"/proc/{pid}/fd/{name}"
            try:
                if os.readlink(path).startswith("/memfd:"):
                    found = os.stat(path)
                    blocks[found.st_ino] = found.st_blocks
            except OSError:
                pass  # closed meanwhile
    return sum(blocks.values()) / 2


def allow_descriptors(count):
    """Raises this process's own limit, and so its children's; says what it is then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, max(count, hard)))
        except (ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, hard), hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def identity():
    """Which machine, for whoever reads the results later."""
    model = re.search(r"model name\s*:\s*(.*)", _read("/proc/cpuinfo"))
    return {
        "processor": model[1] if model else platform.machine(),
        "processors": os.cpu_count(),
        "kernel": platform.release(),
        "python": platform.python_version(),
    }
