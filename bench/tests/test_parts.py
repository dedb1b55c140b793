"""What the parts parse, decide and report."""
import contextlib
import io
import json
import os
import tempfile
import unittest

from harness import figures, idle, level, load, mixed, process, report, servers, startup, warmth, workloads
from harness.record import Record

from .runs import idle_run

SUMMARY = {"requests": 100, "bytes": 30 << 20, "microseconds": 2_000_000, "connect": 0, "read": 0, "write": 0,
           "timeout": 0, "status": 0, "p50": 1, "p99": 2}


class Wrk(unittest.TestCase):
    def test_the_summary_is_found_in_what_wrk_prints(self):
        text = f"Running 2s test\n  1 threads\n\nsummary {json.dumps(SUMMARY)}\nRequests/sec: 50\n"
        self.assertEqual(workloads.parse_summary(text), SUMMARY)

    def test_without_a_summary_the_last_words_are_the_reason(self):
        with self.assertRaisesRegex(workloads.BadRun, "unable to connect"):
            workloads.parse_summary("Running\nunable to connect to 127.0.0.1:1\n")

    def test_small_answers_are_counted_and_large_ones_measured(self):
        small, large = workloads.ALL[0], workloads.ALL[-1]
        self.assertEqual(workloads.answered(small, SUMMARY), 100)
        self.assertEqual(workloads.answered(large, SUMMARY), 3)

    def test_a_run_with_errors_is_no_figure(self):
        for name in ("connect", "read", "write", "timeout", "status"):
            with self.subTest(name), self.assertRaisesRegex(workloads.BadRun, name):
                workloads.answered(workloads.ALL[0], {**SUMMARY, name: 1})
        with self.assertRaises(workloads.BadRun):
            workloads.answered(workloads.ALL[0], {**SUMMARY, "requests": 0})


class Rotations(unittest.TestCase):
    def test_everybody_runs_once_in_each(self):
        for rep in range(9):
            self.assertEqual(sorted(load.rotation([1, 2, 3, 4], rep)), [1, 2, 3, 4])

    def test_every_other_one_goes_backwards_from_a_later_place(self):
        self.assertEqual([load.rotation(["a", "b", "c"], rep) for rep in range(4)],
                         [["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"], ["a", "c", "b"]])

    def test_ours_stands_between_the_two_baselines(self):
        names = [definition.name for definition in servers.ALL]
        at = names.index(servers.OURS)
        self.assertEqual({names[at - 1], names[at + 1]}, {servers.NGINX, servers.NGINX_NOSENDFILE})


class Level(unittest.TestCase):
    @staticmethod
    def wait(memory):
        """Looks at memory by a clock that only waiting moves; (MiB, level, seconds)."""
        now = [0.0]

        def sleep(seconds):
            now[0] += seconds
        return (*level.wait(lambda: memory(now[0]), lambda: now[0], sleep), now[0])

    def test_what_stays_the_same_is_level_after_six_seconds(self):
        self.assertEqual(self.wait(lambda at: 100)[:2], (100, True))
        self.assertAlmostEqual(self.wait(lambda at: 100)[2], 6.0, delta=0.31)

    def test_what_is_held_for_five_seconds_and_then_given_back_is_waited_for(self):
        kib, still, seconds = self.wait(lambda at: 115 if at < 5 else 100)
        self.assertEqual((kib, still), (100, True))
        self.assertAlmostEqual(seconds, 11.0, delta=0.7)

    def test_two_hundredths_of_a_share_are_level_and_more_is_not(self):
        self.assertTrue(self.wait(lambda at: 1000 + 5 * (round(at, 1) % 2 < 1))[1])
        self.assertFalse(self.wait(lambda at: 1000 + 7 * (round(at, 1) % 2 < 1))[1])

    def test_what_never_rests_is_given_up_after_fifteen_seconds(self):
        kib, still, seconds = self.wait(lambda at: 1000 + 10 * at)
        self.assertFalse(still)
        self.assertAlmostEqual(seconds, 15.0, delta=0.31)
        self.assertAlmostEqual(kib, 1150, delta=4)

    def test_of_too_many_that_were_not_level_memory_tells_nothing(self):
        self.assertEqual(level.noise([{"level": True}] * 2 + [{"level": False}]), [])
        self.assertEqual(level.noise([{"level": True}, {"level": False}]),
                         ["memory of 1 of 2 runs was not level after 15 s"])


class Idle(unittest.TestCase):
    HISTOGRAM = """\
 num     #instances         #bytes  class name (module)
-------------------------------------------------------
   1:         30001        2400080  [B (java.base@25)
   2:          5000         600000  io.servery.http.http1.Http1Connection
   3:             9          99999  [Ljdk.internal.vm.FillerElement; (java.base@25)
Total         35010        3100079
"""

    def test_the_histogram_is_read_by_class(self):
        self.assertEqual(idle.parse_histogram(self.HISTOGRAM),
                         {"[B": 2400080, "io.servery.http.http1.Http1Connection": 600000})

    def test_what_grew_is_told_for_a_connection(self):
        self.assertEqual(idle.grown({"[B": 400}, {"[B": 2400, "C": 500}, 10), [("[B", 200.0), ("C", 50.0)])


class Warmth(unittest.TestCase):
    @staticmethod
    def warmed(*shares):
        seconds, left = [], list(shares)

        def load(some):
            seconds.append(some)
            return left.pop(0) if len(left) > 1 else left[0]
        return warmth.warmed(load, 30, 8), seconds

    def test_a_server_whose_compilers_are_done_gets_no_more(self):
        self.assertEqual(self.warmed(0.0), ((30, 0.0), [30]))

    def test_it_goes_on_until_they_are(self):
        self.assertEqual(self.warmed(0.3, 0.02, 0.019), ((46, 0.019), [30, 8, 8]))

    def test_it_ends_where_they_never_are(self):
        (spent, share), seconds = self.warmed(0.5)
        self.assertEqual((spent, share), (182, 0.5))
        self.assertEqual(len(seconds), 20)


class IdleVerdicts(unittest.TestCase):
    @staticmethod
    def words(count=5, **changes):
        data = {**Reports.data(1.0, 1.0), "load": {},
                "idle": {"servery": [idle_run(rep, **changes) for rep in range(count)]}}
        return [one["word"] for one in report.text(data)[1]]

    def test_heap_and_memory_have_a_gate_each(self):
        self.assertEqual(self.words(each=4.0, heap=2.0), ["held", "held"])
        self.assertEqual(self.words(each=4.01), ["held", "missed"])
        self.assertEqual(self.words(heap=2.01), ["missed", "held"])

    def test_a_busy_machine_and_few_runs_tell_nothing(self):
        self.assertEqual(self.words(foreign=0.2), ["too noisy to tell"] * 2)
        self.assertEqual(self.words(count=4), ["too noisy to tell"] * 2)

    def test_memory_that_was_not_level_or_was_shared_with_others_tells_nothing(self):
        self.assertEqual(self.words(level=False), ["held", "too noisy to tell"])
        self.assertEqual(self.words(came_or_went=1), ["held", "too noisy to tell"])


class Startup(unittest.TestCase):
    RUNS = {"start": {"ready_ms": 430.0, "cpu_ms": 400.0}, "first": {"share": 0.7},
            "memory": {"pss_mib": 88.0, "us": 8.0, "strangers": 0}}

    def found(self, count=5, quiet=0.0, **changes):
        """Runs of each part with the cache; changes are of those parts that have such a figure."""
        return {part: {startup.WITH: [{"rep": rep, "foreign": quiet, "steal": 0.0, **run,
                                       **{key: value for key, value in changes.items() if key in run}}
                                      for rep in range(count)]} for part, run in self.RUNS.items()}

    def words(self, **changes):
        return [one["word"] for one in report.text({**Reports.data(1.0, 1.0), "load": {},
                                                    "startup": self.found(**changes)})[1]]

    def test_start_first_seconds_and_memory_have_a_gate_each(self):
        self.assertEqual(self.words(), ["held"] * 3)
        self.assertEqual(self.words(ready_ms=601.0), ["missed", "held", "held"])
        self.assertEqual(self.words(share=0.49), ["held", "missed", "held"])
        self.assertEqual(self.words(pss_mib=95.1), ["held", "held", "missed"])

    def test_a_share_is_to_be_more_and_not_less(self):
        text, _ = report.text({**Reports.data(1.0, 1.0), "load": {}, "startup": self.found(share=0.81)})
        self.assertIn("of the warm rate: gate 0.5: 0.81 (0.81–0.81) held; goal 0.8 reached", text)
        self.assertIn("| with the AOT cache | 430 (430–430) | 400 (400–400) | 0.81 (0.81–0.81) |", text)

    def test_a_busy_machine_and_few_starts_tell_nothing(self):
        self.assertEqual(self.words(quiet=0.2), ["too noisy to tell"] * 3)
        self.assertEqual(self.words(count=4), ["too noisy to tell"] * 3)

    def test_beside_another_jvm_memory_tells_nothing(self):
        self.assertEqual(self.words(strangers=1), ["held", "held", "too noisy to tell"])

    def test_without_the_cache_there_is_no_verdict(self):
        found = {part: {startup.WITHOUT: runs[startup.WITH]} for part, runs in self.found().items()}
        self.assertEqual(startup.verdicts(found), [])
        self.assertIn("| without it |", "\n".join(startup.table(found)))

    def test_who_begins_changes_and_a_start_that_failed_is_no_run(self):
        order = []

        def measure(name, fails):
            order.append(name)
            if fails:
                raise process.NotStarted("it ended")
            return {"ready_ms": 1.0, "foreign": 0.0, "steal": 0.0}
        with contextlib.redirect_stdout(io.StringIO()):
            found = startup.in_turns({"a": ("a", False), "b": ("b", True)}, 2, measure)
        self.assertEqual(order, ["a", "b", "b", "a"])
        self.assertEqual({name: len(runs) for name, runs in found.items()}, {"a": 2, "b": 0})

    def test_an_unknown_part_is_said(self):
        with self.assertRaisesRegex(SystemExit, "expected some of start, first, memory"):
            startup.run(None, None, ["boot"])


def looks(memory, every=0.25, seconds=120):
    """What memory is at each look, by its time."""
    return [(number * every, memory(number * every)) for number in range(1, int(seconds / every) + 1)]


def shot(per_second, status=0, outstanding=65, failure="", p99=1000, large=True, foreign=0.0):
    cohorts = {"cheap": {"cohort": "cheap", "perSecond": per_second, "p99Us": p99, "otherStatus": status,
                         "failure": failure}}
    if large:
        cohorts["large"] = {"cohort": "large", "perSecond": [1], "otherStatus": 0, "failure": "", "coded": 5,
                            "plain": 5}
    return {"cohorts": cohorts, "outstanding": outstanding, "depth": 3, "foreign": foreign, "steal": 0.0,
            "memory_mib": looks(lambda at: min(100.0, 80.0 + at))}


class MixedLoad(unittest.TestCase):
    METRICS = """\
# TYPE servery_queue_depth gauge
servery_queue_depth{queue="filesystem"} 1
servery_queue_depth{queue="compute"} 64
servery_lane_bytes{lane="compute"} 3.4078720E7
"""

    def words(self, trials, long_run=None):
        found = mixed.verdicts(trials, long_run or shot([100]), 65)
        return {one["subject"].removeprefix("mixed, "): one["word"] for _, one in found}

    def test_gauges_are_read_by_their_label(self):
        self.assertEqual(mixed.parse_series(self.METRICS, "servery_queue_depth", 'queue="compute"'), 64)
        charged = mixed.parse_series(self.METRICS, "servery_lane_bytes", 'lane="compute"')
        self.assertEqual(mixed.outstanding(charged), 65)
        self.assertIsNone(mixed.parse_series(self.METRICS, "servery_queue_depth", 'queue="stream"'))

    def test_four_fifths_of_the_rate_hold_and_less_does_not(self):
        self.assertEqual(self.words([(shot([100], large=False), shot([80]))] * 7)["rate of its rate alone"], "held")
        self.assertEqual(self.words([(shot([100], large=False), shot([79]))] * 7)["rate of its rate alone"], "missed")

    def test_rates_of_a_busy_machine_tell_nothing(self):
        busy = [(shot([100], large=False), shot([50], foreign=0.3))] * 7
        self.assertEqual(self.words(busy)["rate of its rate alone"], "too noisy to tell")

    def test_a_lane_that_was_never_full_shows_nothing(self):
        for full, word in ((65, "held"), (64, "missed")):
            trials = [(shot([100], large=False), shot([90], outstanding=full))] * 7
            self.assertEqual(self.words(trials)["the lane was full"], word)

    def test_few_trials_tell_nothing(self):
        self.assertEqual(self.words([(shot([100], large=False), shot([80]))] * 2)["p99"], "too noisy to tell")

    def test_p99_may_be_twice_or_ten_milliseconds_more(self):
        for alone, with_load, word in ((1000, 11_000, "held"), (1000, 11_001, "missed"), (30_000, 60_000, "held"),
                                       (30_000, 60_001, "missed")):
            trials = [(shot([100], p99=alone, large=False), shot([90], p99=with_load))] * 7
            self.assertEqual(self.words(trials)["p99"], word)

    def test_what_must_never_happen_is_named(self):
        self.assertEqual(mixed.faults([shot([5, 5])], 65), [])
        self.assertIn("not 200", mixed.faults([shot([5], status=1)], 65)[0])
        self.assertIn("without progress", mixed.faults([shot([5, 0])], 65)[0])
        self.assertIn("66 outstanding", mixed.faults([shot([5], outstanding=66)], 65)[0])
        self.assertIn("closed", mixed.faults([shot([5], failure="closed")], 65)[0])

    def plateau(self, memory, **changes):
        """The verdict on what memory did in two minutes."""
        long_run = {**shot([100], **changes), "memory_mib": memory}
        trials = [(shot([100], large=False), shot([90]))] * 7
        return self.words(trials, long_run)["memory is level after 60 s"]

    def test_memory_that_grew_and_stays_is_level(self):
        self.assertEqual(self.plateau(looks(lambda at: min(120.0, 80.0 + at))), "held")

    def test_a_collection_now_and_then_is_no_rise(self):
        self.assertEqual(self.plateau(looks(lambda at: 100.0 + at % 7)), "held")

    def test_more_after_a_minute_than_before_is_no_plateau(self):
        for most, word in ((103.0, "held"), (103.1, "missed")):
            self.assertEqual(self.plateau(looks(lambda at, most=most: most if 70 < at < 75 else 100.0)), word)

    def test_what_rises_at_the_end_is_no_plateau_though_it_was_more_before(self):
        # A first peak hides what grows under it.
        def memory(rise):
            return looks(lambda at: 200.0 if at < 5 else 150.0 + rise * at / 60)
        self.assertEqual(self.plateau(memory(5.9)), "held")
        self.assertEqual(self.plateau(memory(6.1)), "missed")

    def test_few_looks_and_a_lane_that_was_not_full_tell_nothing(self):
        self.assertEqual(self.plateau(looks(lambda at: 100.0, every=0.6)), "too noisy to tell")
        self.assertEqual(self.plateau(looks(lambda at: 100.0, seconds=61)), "too noisy to tell")
        self.assertEqual(self.plateau(looks(lambda at: 100.0), outstanding=64), "too noisy to tell")

    def test_a_busy_machine_excuses_a_rise_and_proves_no_less(self):
        self.assertEqual(self.plateau(looks(lambda at: 100.0 + at), foreign=0.3), "too noisy to tell")
        self.assertEqual(self.plateau(looks(lambda at: 100.0), foreign=0.3), "held")


class Records(unittest.TestCase):
    def test_what_was_measured_of_the_same_jar_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "record.json")
            Record(path).add("1k-c64", "nginx", {"rep": 3, "us": 1.0})
            again = Record(path)
            self.assertTrue(again.has("1k-c64", "nginx", 3))
            self.assertFalse(again.has("1k-c64", "nginx", 4))
            again.put("idle", {"nginx": []})
            again.forget_load()
            self.assertFalse(again.has("1k-c64", "nginx", 3))
            self.assertIn("idle", again.data)

    def test_another_jar_or_form_begins_a_new_record(self):
        for change in ({"jar": "another"}, {"form": 1}):
            with self.subTest(change), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "record.json")
                Record(path).add("1k-c64", "nginx", {"rep": 0})
                with open(path, encoding="utf-8") as file:
                    data = json.load(file)
                with open(path, "w", encoding="utf-8") as file:
                    json.dump({**data, **change}, file)
                self.assertFalse(Record(path).has("1k-c64", "nginx", 0))


class Reports(unittest.TestCase):
    @staticmethod
    def data(ours, nginx):
        def runs(us):
            return [{"rep": rep, "us": us, "requests_per_second": 1e6 / us, "mib_per_second": 1, "p99_us": 100,
                     "server_cpu": 1, "foreign": 0, "steal": 0} for rep in range(9)]
        return {"jar": "0" * 64, "began": "now", "machine": {"processors": 2, "processor": "x", "kernel": "6"},
                "load": {"1k-c64": {"servery": runs(ours), "nginx": runs(nginx)}}, "discarded": [],
                "absent": {"caddy": "`caddy` is not installed; Debian's package caddy has it"}}

    def test_every_gate_has_its_line(self):
        text, verdicts = report.text(self.data(6.2, 10.0))
        self.assertIn("1k-c64 / nginx: gate 0.65: 0.62 (0.62–0.62) held; goal 0.58 not reached", text)
        self.assertIn("1k-c64 / nginx-nosendfile: gate 0.95: not measured", text)
        self.assertEqual([one["word"] for one in verdicts], ["not measured", "held"])

    def test_memory_after_load_tells_nothing_beside_another_jvm(self):
        for sharing, word in ((0, "missed"), (1, "too noisy to tell")):
            _, verdicts = report.text({**self.data(1.0, 1.0), "load": {}, "pss_after_load_mib": {"servery": 96.0},
                                       "pss_sharing": {"servery": sharing}})
            self.assertEqual([one["word"] for one in verdicts], [word])

    def test_who_was_left_out_is_named_with_the_package(self):
        self.assertIn("caddy: `caddy` is not installed; Debian's package caddy has it",
                      report.text(self.data(1.0, 1.0))[0])

    def test_a_noisy_line_says_why(self):
        verdict = figures.Verdict("too noisy to tell", figures.Range(1, 1, 1), ["a build ran"])
        self.assertEqual(report.verdict_line("x", 0.95, 0.88, verdict),
                         "x: gate 0.95: 1.00 (1.00–1.00) too noisy to tell: a build ran")

    def test_an_unknown_server_or_workload_is_said(self):
        with self.assertRaisesRegex(SystemExit, "expected some of"):
            servers.chosen("apache")
        with self.assertRaisesRegex(SystemExit, "expected some of"):
            workloads.chosen("2k")
