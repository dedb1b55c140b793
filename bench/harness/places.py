"""Where everything lies: the repository, what is measured, what is built, what comes out."""
import os

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REPOSITORY = os.path.dirname(BENCH)
JAR = os.path.join(REPOSITORY, "servery-netty", "target", "servery-netty.jar")
TARGET = os.path.join(BENCH, "target")
SITE = os.path.join(TARGET, "www")
MIXED_SITE = os.path.join(TARGET, "mixed-www")
RUN = os.path.join(TARGET, "run")
RESULTS = os.path.join(TARGET, "results")
RIVALS = os.path.join(TARGET, "servers")
SUMMARY_LUA = os.path.join(BENCH, "load", "summary.lua")
CERTIFICATE = os.path.join(RUN, "tls.crt")
KEY = os.path.join(RUN, "tls.key")
COHORTS_SOURCE = os.path.join(BENCH, "load", "Cohorts.java")
COHORTS_CLASSES = os.path.join(TARGET, "load")

FILES = {"1k.txt": 1 << 10, "100k.bin": 100 << 10, "10m.bin": 10 << 20}


def make_site():
    """Writes the files that every server serves; they stay as they are when they are there."""
    for folder in (TARGET, SITE, RUN, RESULTS):
        os.makedirs(folder, exist_ok=True)
    for name, size in FILES.items():
        path = os.path.join(SITE, name)
        if not os.path.exists(path) or os.path.getsize(path) != size:
            with open(path, "wb") as file:
                file.write(b"x" * size if name.endswith(".txt") else os.urandom(size))
    # Servers that give up root must still reach the files.
    for folder in (TARGET, SITE):
        os.chmod(folder, 0o755)
