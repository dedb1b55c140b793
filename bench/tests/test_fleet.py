"""What the parts about parent and workers parse, decide and draw; and the steady load against a server of a few lines."""
import itertools
import os
import socket
import tempfile
import threading
import time
import unittest
import unittest.mock
import xml.dom.minidom

from harness import curve, figures, fleet, record, reloads, replacement, service, steady

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def event(name, second, **fields):
    return {"event": name, "timestamp": f"2026-11-30T10:00:{second:06.3f}Z", **fields}


class Events(unittest.TestCase):
    def test_whole_lines_of_json_are_events_and_others_are_not(self):
        self.assertEqual(service.parse_events('{"event":"a"}\nservery: text\n{broken\n{"event":"b"}\n'),
                         [{"event": "a"}, {"event": "b"}])

    def test_a_start_is_from_its_first_event_to_ready(self):
        events = [event("worker.started", 1.0, pid=7), event("worker.started", 1.5, pid=8),
                  event("worker.ready", 1.75, pid=7)]
        self.assertEqual(replacement.starts(events), {7: 750})


class Replacements(unittest.TestCase):
    @staticmethod
    def words(ready, replaced, foreign=0.0, count=9):
        runs = [{"ready_ms": ready, "replaced_ms": replaced, "foreign": foreign, "steal": 0.0}] * (count - 1)
        runs += [{**runs[0], "replaced_ms": replaced + 1}]
        return [one["word"] for _, one in replacement.verdicts({"kill of 1 of 2": runs, "reload of 1": []})]

    def test_ready_is_told_by_the_median_and_the_whole_by_the_longest(self):
        self.assertEqual(self.words(900, 1999), ["held", "held"])
        self.assertEqual(self.words(901, 2000), ["missed", "missed"])

    def test_a_busy_machine_and_few_starts_tell_nothing(self):
        self.assertEqual(set(self.words(100, 100, foreign=0.2)), {"too noisy to tell"})
        self.assertEqual(set(self.words(100, 100, count=4)), {"too noisy to tell"})


class Balance(unittest.TestCase):
    @staticmethod
    def word(connections, foreign=0.0):
        run = {"connections": connections, "foreign": foreign, "steal": 0.0}
        return fleet.balance_verdict("workers-2", [run])[1]["word"]

    def test_even_counts_have_no_distance(self):
        self.assertEqual(fleet.chi_square([1000, 1000]), 0)
        self.assertEqual(fleet.chi_square([60, 40]), 4)

    def test_what_chance_makes_is_held_and_more_is_not(self):
        self.assertEqual(self.word([2100, 1900]), "held")
        self.assertEqual(self.word([2105, 1895]), "missed")
        self.assertEqual(self.word([1060, 980, 1000, 960]), "held")
        self.assertEqual(self.word([1100, 900, 1000, 1000]), "missed")

    def test_a_busy_machine_may_be_why_they_are_uneven(self):
        self.assertEqual(self.word([2500, 1500], foreign=0.2), "too noisy to tell")


class Memory(unittest.TestCase):
    @staticmethod
    def words(parent=59.0, workers=(70.0, 74.0), idle=0.5, strangers=0, foreign=0.0):
        pss = {"parent": parent, "workers": list(workers), "strangers": strangers}
        run = {"rep": 0, "ready": pss, "after": pss, "load": {"worker_shares": [0.5, 0.5]},
               "idle": {"parent_ms": idle, "worker_ms": [1.0], "foreign": foreign, "steal": 0.0}}
        return [one["word"] for _, one in fleet.memory_verdicts({"workers-2": [run] * 3})]

    def test_parent_largest_worker_and_rest_have_a_gate_each(self):
        self.assertEqual(self.words(), ["held"] * 3)
        self.assertEqual(self.words(parent=61.0), ["missed", "held", "held"])
        self.assertEqual(self.words(workers=(60.0, 76.0)), ["held", "missed", "held"])
        self.assertEqual(self.words(idle=1.1), ["held", "held", "missed"])

    def test_beside_another_jvm_memory_tells_nothing(self):
        self.assertEqual(self.words(strangers=1), ["too noisy to tell", "too noisy to tell", "held"])

    def test_an_idle_parent_on_a_busy_machine_tells_nothing(self):
        self.assertEqual(self.words(foreign=0.2), ["held", "held", "too noisy to tell"])


class Cost(unittest.TestCase):
    @staticmethod
    def runs(us):
        return [{"rep": rep, "us": us, "foreign": 0.0, "steal": 0.0} for rep in range(9)]

    def test_a_request_costs_the_same_within_a_twentieth(self):
        for us, word in ((10.5, "held"), (10.6, "missed")):
            measured = {"direct": self.runs(10.0), "workers-1": self.runs(us)}
            self.assertEqual(fleet.cost_verdicts(measured)[0][1]["word"], word)

    def test_a_row_that_says_nothing_gives_no_figure(self):
        _, noisy = figures.told("x", True, "gate 1: 0.50", ["a build ran"])
        self.assertEqual(fleet.row(noisy), "| x | – | too noisy to tell: a build ran |")
        _, missed = figures.told("x", False, "gate 1: 2.00")
        self.assertEqual(fleet.row(missed), "| x | gate 1: 2.00 | **missed** |")

    def test_runs_of_a_part_are_apart_from_those_of_a_load(self):
        with tempfile.TemporaryDirectory() as folder:
            whole, found = record.Record(os.path.join(folder, "record.json")), {}
            part = record.Section(whole, found, "runs")
            part.add("1k-c64", "direct", {"rep": 0})
            self.assertTrue(part.has("1k-c64", "direct", 0))
            self.assertFalse(whole.has("1k-c64", "direct", 0))
            self.assertEqual(found["runs"]["load"], {"1k-c64": {"direct": [{"rep": 0}]}})


def reload_run(rep, before=400.0, during=800.0, after=500.0, late=50.0, foreign=0.0, faults=()):
    def part(us):
        return {"rep": rep, "us": us, "p50_us": us / 2, "max_us": 2 * us, "late_us": late, "count": 10,
                "foreign": foreign, "steal": 0.0}
    samples = [(at / 100, 0.0002 + (0.002 if 0 <= at < 50 and at % 25 == 0 else 0)) for at in range(-200, 300)]
    return {"rep": rep, "workers": 2, "during_seconds": 1.0, "serving_seconds": 0.8, "begin": -2.0, "end": 3.0,
            "first": True, "faults": list(faults), "samples": samples, "before": part(before), "during": part(during),
            "after": part(after)}


class Reloads(unittest.TestCase):
    def words(self, **changes):
        return [one["word"] for _, one in reloads.verdicts([reload_run(rep, **changes) for rep in range(9)])]

    def test_three_times_before_is_held_and_more_is_not(self):
        self.assertEqual(self.words(during=1200.0, after=1201.0), ["held", "missed", "held"])

    def test_a_busy_machine_and_a_late_generator_tell_nothing(self):
        self.assertEqual(self.words(foreign=0.2)[:2], ["too noisy to tell"] * 2)
        self.assertEqual(self.words(late=201.0)[:2], ["too noisy to tell"] * 2)

    def test_a_lost_request_is_excused_by_nothing(self):
        self.assertEqual(self.words(foreign=0.2, faults=["closed without an answer (0.10 s after it)"])[2], "missed")

    def test_disturbed_reloads_are_in_no_curve(self):
        runs = [reload_run(0), reload_run(1, foreign=0.2), reload_run(2, late=300.0)]
        self.assertEqual([run["rep"] for run in reloads.quiet(runs)], [0])

    def test_a_picture_is_of_the_quiet_ones_and_does_not_outlive_them(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "reload.svg")
            with unittest.mock.patch.object(reloads, "PICTURE", picture):
                lines = reloads.drawn([reload_run(0), reload_run(1, foreign=0.2)])
                self.assertIn("1 of 2 reloads left out as disturbed", lines[0])
                self.assertTrue(os.path.exists(picture))
                self.assertEqual(reloads.drawn([reload_run(0, foreign=0.2)]),
                                 ["No curve: none of 1 reloads was undisturbed."])
                self.assertFalse(os.path.exists(picture))


class Curves(unittest.TestCase):
    def test_the_percentile_is_a_figure_that_was_measured(self):
        self.assertEqual(curve.percentile(range(1, 101), 0.99), 99)
        self.assertEqual(curve.percentile([3, 1, 2], 0.5), 2)
        self.assertEqual(curve.percentile([5], 0.99), 5)

    def test_a_bucket_has_what_was_due_in_it(self):
        samples = [(-0.1, 1), (-0.05, 3), (0.0, 5), (0.1, 7), (0.3, 9)]
        self.assertEqual([(round(at, 6), count, most) for at, count, _, _, most in curve.buckets(samples, -0.1, 0.3)],
                         [(-0.1, 2, 3), (0.0, 1, 5), (0.1, 1, 7)])

    def test_the_text_is_fine_around_the_reload_and_coarse_elsewhere(self):
        lines = curve.text(reload_run(0)["samples"], -2.0, 3.0)
        times = [float(line.split()[0]) for line in lines[1:]]
        self.assertEqual(times[:3], [-2.0, -0.5, -0.4])
        self.assertEqual(len(times), 1 + 35)
        self.assertGreater(len(lines[1 + times.index(0.0)]), len(lines[1]))

    def test_the_picture_is_xml_with_three_lines_and_its_marks(self):
        text = curve.svg(reload_run(0)["samples"], -2.0, 3.0, [(0, "asked for"), (1, "gone")], "title", "note")
        document = xml.dom.minidom.parseString(text)
        self.assertEqual(sum(1 for path in document.getElementsByTagName("path") if path.getAttribute("stroke")), 3)
        words = {each.firstChild.data for each in document.getElementsByTagName("text")}
        self.assertLessEqual({"title", "note", "asked for", "gone", "p50", "p99", "most"}, words)


class Peer(threading.Thread):
    """Answers each request with what `answer(number)` gives, and closes the connection when that is nothing."""

    def __init__(self, answer):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self._answer, self._numbers = answer, itertools.count(1)

    def run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection:
            while connection.recv(65536):
                answer = self._answer(next(self._numbers))
                if not answer:
                    return
                connection.sendall(answer)


class SteadyLoads(unittest.TestCase):
    @staticmethod
    def load(port, wanted):
        """A load of 200 a second over two connections, until so many requests have had their end."""
        load = steady.Steady(port, 200, 2)
        near, far = socket.socketpair()

        def end():
            until = time.monotonic() + 30
            while len(load.samples) + len(load.faults) < wanted and time.monotonic() < until:
                time.sleep(0.01)
            far.close()
        ender = threading.Thread(target=end)
        ender.start()
        with near:
            load.run(near)
        ender.join()
        return load

    def served(self, answer, wanted):
        peer = Peer(answer)
        peer.start()
        with peer.listener:
            return self.load(peer.port, wanted)

    def test_requests_are_answered_over_connections_that_are_kept(self):
        load = self.served(lambda number: OK, 20)
        self.assertEqual(load.faults, [])
        self.assertGreaterEqual(len(load.samples), 20)
        self.assertGreaterEqual(len(load.late), len(load.samples))

    def test_a_connection_that_says_close_is_replaced_without_a_fault(self):
        load = self.served(lambda number: OK.replace(b"OK\r\n", b"OK\r\nConnection: close\r\n"), 10)
        self.assertEqual(load.faults, [])
        self.assertGreaterEqual(len(load.samples), 10)

    def test_a_request_without_an_answer_is_lost(self):
        load = self.served(lambda number: b"" if number == 3 else OK, 10)
        self.assertEqual([why for _, why in load.faults], ["closed without an answer"])

    def test_another_status_is_a_fault(self):
        load = self.served(lambda number: OK.replace(b"200 OK", b"503 No") if number == 2 else OK, 10)
        self.assertEqual([why for _, why in load.faults], ["answered HTTP/1.1 503 No"])

    def test_nobody_there_is_a_fault_each_time(self):
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            load = self.load(silent.getsockname()[1], 3)
        self.assertGreaterEqual(len(load.faults), 3)
        self.assertEqual({why for _, why in load.faults} - {"no answer"}, {"not connected: Connection refused"})

    def test_an_answer_is_whole_before_it_counts(self):
        self.assertIsNone(steady.parse_answer(OK[:10]))
        self.assertIsNone(steady.parse_answer(OK[:-1]))
        self.assertTrue(steady.parse_answer(OK))
        self.assertFalse(steady.parse_answer(OK.replace(b"OK\r\n", b"OK\r\nConnection: close\r\n")))
        with self.assertRaisesRegex(steady.Wrong, "no certain length"):
            steady.parse_answer(OK + b"more")
