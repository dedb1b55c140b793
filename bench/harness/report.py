"""The report of a record: tables, a verdict line for each gate, and the same as JSON."""
import json
import os

from . import figures, idle, places, servers, startup
from .workloads import ALL as WORKLOADS
from .workloads import TLS as TLS_WORKLOADS

PSS_AFTER_LOAD = startup.PSS_MIB
IDLE_HEAP_KIB = (2.0, 1.3)
IDLE_PSS_KIB = (4.0, 2.0)
IDLE_TLS_PSS_KIB = (12.0, 10.0)


def verdict_line(subject, gate, goal, verdict, digits=2):
    """`1k-c64 / nginx: gate 0.65: 0.61 (0.58–0.66) held; goal 0.58 not reached`."""
    line = f"{subject}: gate {gate:g}: {verdict.ratio.text(digits)} {verdict.word}"
    if verdict.word == "too noisy to tell":
        return f"{line}: {'; '.join(verdict.why)}"
    reached = "reached" if verdict.reaches(goal) else "not reached"
    return f"{line}; goal {goal:g} {reached}"


def _cell(runs, key, digits):
    return figures.Range.of(run[key] for run in runs).text(digits)


def load_table(workload, measured):
    """The servers of one workload, the cheapest first; ratios are of pairs."""
    baselines = [name for name in (servers.NGINX, servers.NGINX_NOSENDFILE) if name in measured]
    what = "connection" if workload.closes else "request"
    lines = [f"### {workload.name}: {workload.path}, {workload.connections} connections",
             "",
             f"| server | CPU µs a {what} | {''.join(f'× {name} | ' for name in baselines)}{what}s/s | MiB/s |"
             " server's CPU | p99 ms | runs, disturbed |",
             f"| --- | --- |{' --- |' * len(baselines)} --- | --- | --- | --- | --- |"]
    by_cost = sorted((name for name in measured if measured[name]),
                     key=lambda name: figures.Range.of(run["us"] for run in measured[name]).median)
    for name in by_cost:
        runs = measured[name]
        ratios = []
        for baseline in baselines:
            paired = figures.pairs(runs, measured.get(baseline, []))
            ratios.append(figures.Range.of(a["us"] / b["us"] for a, b in paired).text()
                          if paired and name != baseline else "–")
        bad = sum(1 for run in runs if figures.disturbed(run))
        rate, mib = (figures.Range.of(run[key] for run in runs).median for key in ("requests_per_second",
                                                                                   "mib_per_second"))
        share = figures.Range.of(run["server_cpu"] for run in runs).median
        # Not every generator tells how long an answer took.
        slowest = [run["p99_us"] for run in runs if run["p99_us"] is not None]
        p99 = f"{figures.Range.of(slowest).median / 1000:.2f}" if slowest else "–"
        lines.append(f"| {name} | {_cell(runs, 'us', 2)} | {''.join(f'{ratio} | ' for ratio in ratios)}{rate:.0f} |"
                     f" {mib:.0f} | {share:.0%} | {p99} | {len(runs)}, {bad} |")
    return lines


def load_verdicts(workload, measured):
    """(line, JSON) of each gate of a workload; a gate whose baseline is missing says so."""
    found = []
    for gate in workload.gates:
        subject = f"{workload.name} / {gate.baseline}"
        paired = figures.pairs(measured.get(servers.OURS, []), measured.get(gate.baseline, []))
        if not paired:
            found.append((f"{subject}: gate {gate.gate:g}: not measured (no pair of {servers.OURS} and "
                          f"{gate.baseline})", {"subject": subject, "word": "not measured"}))
            continue
        verdict = figures.judge(paired, gate.gate)
        found.append((verdict_line(subject, gate.gate, gate.goal, verdict), _json(subject, gate.gate, verdict)))
    return found


def _json(subject, gate, verdict):
    return {"subject": subject, "gate": gate, "median": verdict.ratio.median, "least": verdict.ratio.least,
            "greatest": verdict.ratio.greatest, "word": verdict.word, "why": verdict.why}


def _load_part(data, workloads, pss_bounds):
    lines, verdicts = [], []
    for workload in workloads:
        measured = {name: runs for name, runs in data["load"].get(workload.name, {}).items() if runs}
        if measured:
            lines += load_table(workload, measured) + [""]
            verdicts += load_verdicts(workload, measured)
    pss = data.get("pss_after_load_mib", {})
    if pss:
        lines += ["### PSS after load", "", "| server | MiB |", "| --- | --- |"]
        lines += [f"| {name} | {mib:.1f} |" for name, mib in sorted(pss.items(), key=lambda item: item[1])] + [""]
        if servers.OURS in pss and pss_bounds:
            subject, (gate, goal) = "PSS after load, MiB", pss_bounds
            verdict = figures.at_most([pss[servers.OURS]], gate, figures.sharing(data["pss_sharing"][servers.OURS]))
            verdicts.append((verdict_line(subject, gate, goal, verdict, 1), _json(subject, gate, verdict)))
    return lines, verdicts


def _alone(subject, bounds, runs, key, reasons=()):
    gate, goal = bounds
    verdict = figures.judge_alone(runs, key, gate, reasons=reasons)
    return verdict_line(subject, gate, goal, verdict), _json(subject, gate, verdict)


def _idle_part(data, over, heap_bounds, pss_bounds):
    measured = data.get("idle", {})
    if not measured:
        return [], []
    count = next(iter(measured.values()))[0]["connections"]
    lines = [f"### {count} idle keep-alive connections{over}", "",
             "| server | PSS before, MiB | PSS after, MiB | PSS KiB each | live heap KiB each | not level |",
             "| --- | --- | --- | --- | --- | --- |"]
    for name, runs in sorted(measured.items(), key=lambda item: item[1][0]["pss_kib_each"]):
        heaps = [run["heap_kib_each"] for run in runs if run["heap_kib_each"] is not None]
        lines.append(f"| {name} | {_cell(runs, 'pss_before_mib', 1)} | {_cell(runs, 'pss_after_mib', 1)} |"
                     f" {_cell(runs, 'pss_kib_each', 2)} | {figures.Range.of(heaps).text() if heaps else '–'} |"
                     f" {sum(1 for run in runs if not run['level'])} of {len(runs)} |")
    verdicts = []
    if servers.OURS in measured:
        ours = measured[servers.OURS]
        subject = f"an idle connection{over}"
        if heap_bounds:
            verdicts.append(_alone(f"{subject}, live heap, KiB", heap_bounds, ours, "heap_kib_each"))
        verdicts.append(_alone(f"{subject}, PSS, KiB", pss_bounds, ours, "pss_kib_each", idle.noise(ours)))
        lines += ["", "What grew on our heap, bytes a connection: "
                  + ", ".join(f"{name} {each:.0f}" for name, each in ours[-1]["grown"])]
    return lines + [""], verdicts


def _startup_part(found):
    if not found:
        return [], []
    verdicts = [(verdict_line(subject, gate, goal, verdict, digits), _json(subject, gate, verdict))
                for subject, gate, goal, verdict, digits in startup.verdicts(found)]
    return startup.table(found) + [""], verdicts


def _sessions(each):
    return f"{each['resumed']} of {each['handshakes']}"


def _tls_part(data):
    """Load and idleness over TLS, and what the generators agreed with each server."""
    under_load, idleness = data.get("load", {}), data.get("idle", {})
    lines, verdicts = [], []
    agreed = under_load.get("agreed", {})
    if agreed:
        kind = ("version", "group", "cipher")
        lines = ["### TLS: what wrk agrees with each server, and how many sessions went on", "",
                 "| server | version | group | cipher | wrk | s_time -new |", "| --- | --- | --- | --- | --- | --- |"]
        lines += [f"| {name} | {' | '.join(each['resuming'][key] or '–' for key in kind)} |"
                  f" {_sessions(each['resuming'])} | {_sessions(each['full'])} |" for name, each in agreed.items()]
        ours, theirs = (agreed.get(name, {}).get("resuming", {}).get("cipher") for name in (servers.OURS, servers.NGINX))
        if ours and theirs and ours != theirs:
            lines += ["", f"{servers.OURS} and {servers.NGINX} do not do the same: {ours} is not {theirs}."]
        lines += [""]
    for part, found in (_load_part(under_load, TLS_WORKLOADS, None) if under_load else ([], []),
                        _idle_part(idleness, " over TLS", None, IDLE_TLS_PSS_KIB)):
        lines += part
        verdicts += found
    return lines, verdicts


def text(data):
    """The report, and its verdicts as JSON."""
    where = data["machine"]
    lines = [f"Measured {data['began']} on {where['processors']} × {where['processor']}, Linux {where['kernel']}; "
             f"jar {(data['jar'] or 'none')[:12]}.", ""]
    verdicts = []
    mixed = data.get("mixed", {})
    fleet = data.get("fleet", {}).get("told", {})
    tls = data.get("tls", {})
    parts = [_load_part(data, WORKLOADS, PSS_AFTER_LOAD), _idle_part(data, "", IDLE_HEAP_KIB, IDLE_PSS_KIB),
             (mixed.get("lines", []), mixed.get("verdicts", [])), _startup_part(data.get("startup", {})),
             (fleet.get("lines", []), fleet.get("verdicts", [])), _tls_part(tls)]
    for part, found in parts:
        lines += part
        verdicts += [tuple(one) for one in found]
    absent = {**data["absent"], **{f"tls {part}, {name}": why for part, section in tls.items()
                                   for name, why in section["absent"].items()}}
    discarded = data["discarded"] + [one for section in tls.values() for one in section["discarded"]]
    if absent:
        lines += ["### Left out", ""] + [f"- {name}: {why}" for name, why in absent.items()] + [""]
    if discarded:
        lines += ["### Runs that were no figures", ""]
        lines += [f"- {one['workload']} {one['server']} rep {one['rep']}: {one['why']}" for one in discarded]
        lines += [""]
    if verdicts:
        lines += ["### Verdicts", ""] + [line for line, _ in verdicts]
    return "\n".join(lines), [one for _, one in verdicts]


def write(data):
    """Prints the report, and leaves it beside the record."""
    report, verdicts = text(data)
    os.makedirs(places.RESULTS, exist_ok=True)
    with open(os.path.join(places.RESULTS, "report.md"), "w", encoding="utf-8") as file:
        file.write(report + "\n")
    with open(os.path.join(places.RESULTS, "report.json"), "w", encoding="utf-8") as file:
        json.dump({"machine": data["machine"], "jar": data["jar"], "verdicts": verdicts}, file, indent=1)
    print("\n" + report, flush=True)
    return verdicts
