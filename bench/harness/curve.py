"""The curve of a steady load over a reload: buckets of time, as text and as a picture. Pure functions.

Times are seconds since the reload was asked for; the curves of several reloads are laid over each other."""
import math

BUCKET_SECONDS = 0.1
# From here to there each bucket has a line of its own in the text, and elsewhere each second.
FINE_FROM, FINE_TO = -0.5, 4.0
BAR_WIDTH = 40
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 900, 380, 64, 56, 16, 48
# Column, name and colour; the last is drawn over the others.
LINES = ((2, "most", "#8a8a8a"), (0, "p50", "#2a7f9e"), (1, "p99", "#c4551d"))


def percentile(figures, share):
    """The least figure that at least this share of all do not exceed (nearest rank)."""
    ordered = sorted(figures)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def window(samples, begin, end):
    """The latencies of what was due from `begin` on and before `end`."""
    return [latency for at, latency in samples if begin <= at < end]


def buckets(samples, begin, end, width=BUCKET_SECONDS):
    """(time, count, p50, p99, most) of each bucket that has samples."""
    sorted_out = {}
    for at, latency in samples:
        if begin <= at < end:
            sorted_out.setdefault(math.floor(round(at / width, 6)), []).append(latency)
    return [(number * width, len(held), percentile(held, 0.5), percentile(held, 0.99), max(held))
            for number, held in sorted(sorted_out.items())]


def _bar(seconds, least, most):
    """Logarithmic: twice as long is always as much more."""
    share = math.log(seconds / least) / math.log(most / least) if most > least else 1
    return "#" * max(1, round(BAR_WIDTH * share))


def text(samples, begin, end):
    """The curve as lines of a table, with a bar of p99."""
    fine = [row for row in buckets(samples, begin, end) if FINE_FROM <= row[0] < FINE_TO]
    coarse = [row for row in buckets(samples, begin, end, 1.0) if row[0] + 1 <= FINE_FROM or row[0] >= FINE_TO]
    rows = sorted(fine + coarse)
    if not rows:
        return []
    least, most = min(row[2] for row in rows), max(row[3] for row in rows)
    lines = ["      s      n   p50 ms   p99 ms  most ms"]
    for at, count, p50, p99, longest in rows:
        lines.append(f"{at:7.1f} {count:6d} {p50 * 1e3:8.2f} {p99 * 1e3:8.2f} {longest * 1e3:8.2f}  "
                     + _bar(p99, least, most))
    return lines


def _decades(least, most):
    return [10.0 ** power for power in range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)]


STYLE = """<style>
text { font: 12px sans-serif; fill: #777 }
path { fill: none; stroke-width: 1.6 }
.grid { stroke: #8884; stroke-width: 1 }
.mark { stroke: #888; stroke-dasharray: 4 3 }
</style>"""


def _text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{words}</text>'


def svg(samples, begin, end, marks, title, note):
    """The picture: p50, p99 and the most of each bucket, logarithmic; `marks` are (time, word)."""
    rows = buckets(samples, begin, end)
    decades = _decades(min(row[2] for row in rows), max(row[4] for row in rows))
    low, high = math.log10(decades[0]), math.log10(decades[-1])
    right, floor = WIDTH - RIGHT, HEIGHT - BOTTOM

    def x(at):
        return LEFT + (at - begin) / (end - begin) * (right - LEFT)

    def y(seconds):
        return TOP + (high - math.log10(seconds)) / max(high - low, 1e-9) * (floor - TOP)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}">',
             STYLE, _text(LEFT, 18, title), _text(LEFT, 36, note),
             _text(right, HEIGHT - 10, "seconds since the reload was asked for", ' text-anchor="end"')]
    for decade in decades:
        parts += [f'<path class="grid" d="M{LEFT} {y(decade):.1f}H{right}"/>',
                  _text(LEFT - 6, y(decade) + 4, f"{decade * 1e3:g} ms", ' text-anchor="end"')]
    for second in range(math.ceil(begin), math.floor(end) + 1):
        parts.append(_text(x(second), floor + 18, second, ' text-anchor="middle"'))
    for place, (at, word) in enumerate(marks):
        parts += [f'<path class="mark" d="M{x(at):.1f} {TOP}V{floor}"/>', _text(x(at) + 4, TOP + 12 + 14 * place, word)]
    for column, name, colour in LINES:
        points = "L".join(f"{x(row[0] + BUCKET_SECONDS / 2):.1f},{y(row[2 + column]):.1f}" for row in rows)
        parts += [f'<path stroke="{colour}" d="M{points}"/>',
                  _text(LEFT + 60 * column, HEIGHT - 10, name, f' style="fill:{colour}"')]
    return "\n".join([*parts, "</svg>", ""])
