"""Figures from runs: medians with ranges, ratios of pairs, and the verdict on a gate. Pure functions.

A pair is one run of ours and one run of a rival in the same rotation. The ratio of a gate is the median over the pairs'
own ratios, not the ratio of two medians: what disturbs the machine for longer than a rotation disturbs both alike.
"""
import statistics
from dataclasses import dataclass, field, replace

# Share of one CPU that processes of others may take before a run counts as disturbed.
FOREIGN_MAX = 0.05
# The same for what the hypervisor takes.
STEAL_MAX = 0.05
# Share of pairs that may be disturbed before they say nothing.
DISTURBED_MAX = 1 / 3
# Distance of the quartiles of the baseline's own runs, over their median.
SPREAD_MAX = 0.25
# Fewer pairs than this are a trial, not a measurement.
PAIRS_MIN = 5


@dataclass(frozen=True)
class Range:
    """The median of some figures with the least and the greatest."""

    median: float
    least: float
    greatest: float

    @staticmethod
    def of(figures):
        figures = list(figures)
        return Range(statistics.median(figures), min(figures), max(figures))

    def text(self, digits=2):
        return f"{self.median:.{digits}f} ({self.least:.{digits}f}–{self.greatest:.{digits}f})"


def spread(figures):
    """How far the quartiles lie apart, as a share of the median; 0 for fewer than four figures, which have none."""
    figures = list(figures)
    if len(figures) < 4:
        return 0.0
    low, _, high = statistics.quantiles(figures, n=4, method="inclusive")
    median = statistics.median(figures)
    return (high - low) / median if median else 0.0


def median_interval(figures):
    """Between which the true median lies with at least 96%, by the order statistics of an odd or even sample; the whole
    range for fewer than nine figures."""
    ordered = sorted(figures)
    if len(ordered) < 9:
        return ordered[0], ordered[-1]
    skip = {9: 1, 10: 1, 11: 1, 12: 2, 13: 2, 14: 2}.get(len(ordered), len(ordered) // 5)
    return ordered[skip], ordered[-1 - skip]


def disturbed(run):
    """Whether something else ran on the CPUs of a run; says what, or None."""
    if run["foreign"] > FOREIGN_MAX:
        return f"other processes took {run['foreign']:.0%} of a CPU"
    if run["steal"] > STEAL_MAX:
        return f"the hypervisor took {run['steal']:.0%} of a CPU"
    return None


def pairs(ours, baseline):
    """Runs of the same rotation, as (ours, baseline), in the order of rotations."""
    others = {run["rep"]: run for run in baseline}
    return [(run, others[run["rep"]]) for run in sorted(ours, key=lambda run: run["rep"]) if run["rep"] in others]


@dataclass(frozen=True)
class Verdict:
    """What pairs, or figures alone, say about a gate."""

    word: str
    ratio: Range
    why: list = field(default_factory=list)
    # Whether more is better, as of rates, and not less.
    at_least: bool = False

    def reaches(self, goal):
        return self.ratio.median >= goal if self.at_least else self.ratio.median <= goal


def noise(paired):
    """Why these pairs tell nothing, as a list of reasons; empty when they do."""
    reasons = []
    bad = sum(1 for pair in paired if any(disturbed(run) for run in pair))
    if bad > DISTURBED_MAX * len(paired):
        worst = max((run for pair in paired for run in pair), key=lambda run: max(run["foreign"], run["steal"]))
        reasons.append(f"{bad} of {len(paired)} pairs disturbed ({disturbed(worst)} in the worst)")
    own = spread(run["us"] for _, run in paired)
    if own > SPREAD_MAX:
        reasons.append(f"the baseline's own runs spread by {own:.0%}")
    if len(paired) < PAIRS_MIN:
        reasons.append(f"{len(paired)} pairs; expected at least {PAIRS_MIN}")
    return reasons


def straddling(figures, gate):
    """The reason, in a list, why a median tells nothing: it may as well lie on the other side of the gate."""
    low, high = median_interval(figures)
    if low <= gate <= high and (high - low) / gate > 2 * FOREIGN_MAX:
        return [f"the median lies between {low:.2f} and {high:.2f}, on both sides of the gate"]
    return []


def _verdict(measured, gate, reasons, at_least=False):
    found = Verdict("held", Range.of(measured), reasons, at_least)
    word = "too noisy to tell" if reasons else "held" if found.reaches(gate) else "missed"
    return replace(found, word=word)


def judge(paired, gate):
    """Held, missed, or too noisy to tell: the median against the gate, unless the machine spoke louder."""
    ratios = [ours["us"] / other["us"] for ours, other in paired]
    return _verdict(ratios, gate, noise(paired) + straddling(ratios, gate))


def judge_alone(runs, key, gate, at_least=False, reasons=()):
    """The same for runs that have no baseline: the median of one of their figures, which is to be at most the gate, or at
    least. `reasons` are those of the caller why the figure says nothing, whatever the runs were."""
    measured = [run[key] for run in runs]
    return _verdict(measured, gate, [*reasons, *lone_noise(runs), *straddling(measured, gate)], at_least)


def at_most(figures, gate, reasons=()):
    """The verdict on figures that neither have a baseline nor vary with the machine: their median is compared."""
    return _verdict(figures, gate, list(reasons))


def sharing(others):
    """The reason, in a list, why the PSS of a JVM tells nothing: one other JVM is enough to make it smaller."""
    return [f"up to {others} other processes had the JVM's pages, too"] if others else []


def told(subject, held, text, noise_of=()):
    """A verdict in words of its own, as a line and as JSON: `text` has its gate and figures, `noise_of` why they say
    nothing."""
    word = "too noisy to tell" if noise_of else "held" if held else "missed"
    reasons = ": " + "; ".join(noise_of) if noise_of else ""
    return f"{subject}: {text} {word}{reasons}", {"subject": subject, "word": word, "text": text, "why": list(noise_of)}


def mostly_disturbed(runs, what="runs"):
    """The reason, in a list, why these runs tell nothing, when more of them were disturbed than may be."""
    bad = sum(1 for run in runs if disturbed(run))
    return [f"{bad} of {len(runs)} {what} disturbed"] if bad > DISTURBED_MAX * len(runs) else []


def lone_noise(runs, what="runs"):
    """Why runs without a baseline tell nothing, as a list of reasons."""
    reasons = mostly_disturbed(runs, what)
    if len(runs) < PAIRS_MIN:
        reasons.append(f"{len(runs)} {what}; expected at least {PAIRS_MIN}")
    return reasons
