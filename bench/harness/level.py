"""Waits until memory is level. A JVM's compilers hold some MiB for seconds after a load and then give them back, so that a
look at a fixed time after it finds them on one machine and not on another."""
import time

from . import figures

LOOK_SECONDS = 0.3
# Longer than what the compilers hold stays with them: five seconds, which is how often the JVM looks at it.
LEVEL_SECONDS = 6.0
# How far the least and the most of these seconds may lie apart, as a share of the most.
SHARE_MAX = 0.005
BOUND_SECONDS = 15.0


def is_level(looks):
    """Whether memory has been the same for so long. Looks are (seconds, KiB), the last one now."""
    now, _ = looks[-1]
    if now - looks[0][0] < LEVEL_SECONDS:
        return False
    held = [kib for at, kib in looks if now - at <= LEVEL_SECONDS]
    return max(held) - min(held) <= SHARE_MAX * max(held)


def wait(look, clock=time.monotonic, sleep=time.sleep):
    """The memory once it is level, or at the bound; and whether it is level."""
    began = clock()
    looks = [(0.0, look())]
    while not is_level(looks) and looks[-1][0] < BOUND_SECONDS:
        sleep(LOOK_SECONDS)
        looks.append((clock() - began, look()))
    return looks[-1][1], is_level(looks)


def noise(runs):
    """The reason, in a list, why memory of these runs tells nothing: that of too many was never level."""
    restless = sum(1 for run in runs if not run["level"])
    if restless > figures.DISTURBED_MAX * len(runs):
        return [f"memory of {restless} of {len(runs)} runs was not level after {BOUND_SECONDS:g} s"]
    return []
