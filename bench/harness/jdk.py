"""Finds a JDK 25 or later, in the places where Maven's toolchain plugin looks."""
import glob
import os
import re

from . import machine

RELEASE_MIN = 25
PLACES = ("/usr/lib/jvm/*", "/opt/*", "~/.sdkman/candidates/java/*", "~/.jdks/*", "~/.asdf/installs/java/*",
          "~/.jenv/versions/*", "~/.local/share/mise/installs/java/*")


class NoJdk(Exception):
    """There is none."""


def major(release):
    """The feature release in the text of a JDK's `release` file; 0 when it says none."""
    found = re.search(r'^JAVA_VERSION="(\d+)', release, re.MULTILINE)
    return int(found[1]) if found else 0


def _release_of(home):
    try:
        with open(os.path.join(home, "release"), encoding="utf-8") as file:
            complete = os.access(os.path.join(home, "bin", "javac"), os.X_OK)
            return major(file.read()) if complete else 0
    except OSError:
        return 0


def find(environment=None):
    """The home of the JDK: JAVA_HOME if it will do, else the least release that is enough among those installed."""
    environment = os.environ if environment is None else environment
    given = environment.get("JAVA_HOME")
    if given and _release_of(given) >= RELEASE_MIN:
        return given
    homes = sorted(value for name, value in environment.items() if re.fullmatch(r"JAVA\d+_HOME", name))
    for place in PLACES:
        homes += sorted(glob.glob(os.path.expanduser(place)))
    found = [(release, home) for home in homes if (release := _release_of(home)) >= RELEASE_MIN]
    if not found:
        raise NoJdk(f"no JDK {RELEASE_MIN} or later in JAVA_HOME, {', '.join(PLACES)}")
    return min(found)[1]


def users():
    """The processes that have this JDK's virtual machine in their memory, and so share its pages."""
    return machine.mapped_by(os.path.join(os.path.realpath(find()), "lib", "server", "libjvm.so"))
