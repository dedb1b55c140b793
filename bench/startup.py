"""The start, the first two seconds and the memory of the packaged jar, as docs/adr/0015 tells them.

  bench/startup.py [--jar JAR]... [--java JAVA] [--reps 9] [--seconds 4] [start] [first] [memory]

start   exec to the first 200 on processor 0, with the AOT cache beside the jar and without, in turns; ms and CPU ms
first   requests a second in the first two seconds after ready, as a part of the rate when warm (needs wrk)
memory  PSS of the process after 1 KiB over 64 and 256 connections, 100 KiB and 10 MiB (needs wrk)

Several jars are measured in turns. The server has processor 0, the load the next one. Linux; standard library alone."""
import argparse, contextlib, os, re, shutil, signal, socket, statistics, subprocess, sys, tempfile, time

from harness import ports

TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")
WORK = [("1k.txt", 64), ("1k.txt", 256), ("100k.bin", 32), ("10m.bin", 8)]


def answers(port):
    try:
        with socket.create_connection(("127.0.0.1", port), 2) as s:
            s.settimeout(5)
            s.sendall(b"GET /1k.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return b" 200 " in s.recv(64)
    except OSError:
        return False


def cpu_ms(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * TICK_MS


def pss_mib(pid):
    for line in open(f"/proc/{pid}/smaps_rollup"):
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no Pss")


class Server:
    def __init__(self, java, jar, flags, www):
        self.port = ports.free_port()
        self.command = ["taskset", "-c", "0", java, *flags, "-jar", jar, "serve", www, "--no-access", "--port", str(self.port),
                        # Room for the probe beside 256, and no larger heap than is given first: that would be another start.
                        "--set", "resources.max_connections=300"]

    def __enter__(self):
        begun = time.perf_counter()
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)
        while not answers(self.port):
            if self.process.poll() is not None or time.perf_counter() - begun > 60:
                raise RuntimeError(f"{self.command}: {self.process.stderr.read()}")
            time.sleep(0.001)
        self.ms = (time.perf_counter() - begun) * 1000
        self.cpu = cpu_ms(self.process.pid)
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGTERM)
        self.said = self.process.communicate(timeout=60)[1]

    def load(self, path, connections, seconds):
        """Requests a second, and CPU microseconds a request."""
        before = cpu_ms(self.process.pid)
        text = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}", f"http://127.0.0.1:{self.port}/{path}"],
                              capture_output=True, text=True, check=True).stdout
        count, rate = int(re.search(r"(\d+) requests in", text)[1]), float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
        if re.search(r"Non-2xx", text):
            raise RuntimeError(text)
        return rate, (cpu_ms(self.process.pid) - before) * 1000 / max(1, count)


def told(values, unit):
    return f"{statistics.median(values):.0f} {unit} ({min(values):.0f}-{max(values):.0f})"


def ratio(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f}-{max(values):.2f})"


def in_turns(variants, reps, measure):
    results = {name: [] for name in variants}
    for rep in range(reps):
        names = list(variants)
        for name in names[rep % len(names):] + names[:rep % len(names)]:
            results[name].append(measure(*variants[name]))
    return results


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--jar", action="append")
    options.add_argument("--java", default=os.path.join(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else "java")
    options.add_argument("--reps", type=int, default=9)
    options.add_argument("--seconds", type=int, default=4)
    options.add_argument("what", nargs="*", metavar="start|first|memory")
    chosen = options.parse_args()
    # So that what was started is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    jars = chosen.jar or [os.path.join(os.path.dirname(__file__), "..", "servery-netty", "target", "servery-netty.jar")]
    variants = {}
    for jar in jars:
        variants[jar + " as it is"] = (jar, [])
        variants[jar + " without AOT"] = (jar, ["-XX:AOTMode=off"])
    what = chosen.what or ["start", "first", "memory"]
    if shutil.which("wrk") is None:
        what = [each for each in what if each == "start"]
        print("no wrk: the start alone", file=sys.stderr)
    if os.cpu_count() > 1:
        os.sched_setaffinity(0, {1})
    with tempfile.TemporaryDirectory() as www:
        for name, size in (("1k.txt", 1 << 10), ("100k.bin", 100 << 10), ("10m.bin", 10 << 20)):
            with open(os.path.join(www, name), "wb") as file:
                file.write(b"x" * size if name.endswith("txt") else os.urandom(size))

        def start(jar, flags):
            with Server(chosen.java, jar, flags, www) as server:
                return server.ms, server.cpu

        def first(jar, flags):
            with Server(chosen.java, jar, flags, www) as server:
                cold = server.load("1k.txt", 64, 2)[0]
                server.load("1k.txt", 64, 3 * chosen.seconds)
                return cold / server.load("1k.txt", 64, 2)[0]

        def memory(jar, flags):
            with Server(chosen.java, jar, flags, www) as server:
                for path, connections in WORK:
                    server.load(path, connections, chosen.seconds)
                after = pss_mib(server.process.pid)
                return after, server.load("1k.txt", 64, chosen.seconds)[1]

        if "start" in what:
            for name, rows in in_turns(variants, chosen.reps, start).items():
                print(f"start   {name}: {told([row[0] for row in rows], 'ms')}, CPU {told([row[1] for row in rows], 'ms')}", flush=True)
        if "first" in what:
            for name, rows in in_turns(variants, max(1, chosen.reps // 3), first).items():
                print(f"first   {name}: {ratio(rows)} of the warm rate", flush=True)
        if "memory" in what:
            for name, rows in in_turns(variants, max(1, chosen.reps // 3), memory).items():
                print(f"memory  {name}: PSS {told([row[0] for row in rows], 'MiB')}, CPU a request {ratio([row[1] for row in rows])} us", flush=True)


if __name__ == "__main__":
    main()
