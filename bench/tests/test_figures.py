"""The statistics: medians, pairs, verdicts."""
import unittest

from harness import figures


def run(rep, us, foreign=0.0, steal=0.0):
    return {"rep": rep, "us": us, "foreign": foreign, "steal": steal}


def quiet(ours, baseline):
    return [(run(rep, a), run(rep, b)) for rep, (a, b) in enumerate(zip(ours, baseline))]


class Ranges(unittest.TestCase):
    def test_a_range_is_the_median_with_the_least_and_the_greatest(self):
        self.assertEqual(figures.Range.of([3, 1, 2]).text(), "2.00 (1.00–3.00)")

    def test_spread_is_the_distance_of_the_quartiles_over_the_median(self):
        self.assertAlmostEqual(figures.spread([8, 9, 10, 11, 12]), 0.2)
        self.assertEqual(figures.spread([1, 100]), 0.0)

    def test_the_median_of_nine_lies_between_the_second_and_the_eighth(self):
        self.assertEqual(figures.median_interval([9, 1, 8, 2, 7, 3, 6, 4, 5]), (2, 8))

    def test_of_few_figures_the_interval_is_the_whole_range(self):
        self.assertEqual(figures.median_interval([3, 1, 2]), (1, 3))


class Pairs(unittest.TestCase):
    def test_a_pair_is_of_one_rotation(self):
        ours, baseline = [run(1, 5), run(0, 4)], [run(0, 8), run(2, 9)]
        self.assertEqual(figures.pairs(ours, baseline), [(ours[1], baseline[0])])

    def test_the_ratio_is_of_pairs_and_not_of_medians(self):
        # The medians are 10 and 10; the pairs say that ours costs half or twice as much, mostly half.
        paired = quiet([5, 10, 10, 5, 40], [10, 20, 5, 10, 20])
        self.assertEqual(figures.judge(paired, 0.5).ratio.median, 0.5)


class Verdicts(unittest.TestCase):
    def test_held_at_the_gate_itself(self):
        self.assertEqual(figures.judge(quiet([95] * 9, [100] * 9), 0.95).word, "held")

    def test_missed_above_it(self):
        self.assertEqual(figures.judge(quiet([96] * 9, [100] * 9), 0.95).word, "missed")

    def test_a_third_of_disturbed_pairs_may_be_no_more(self):
        paired = quiet([90] * 9, [100] * 9)
        for at in range(3):
            paired[at][at % 2]["foreign"] = 0.2
        self.assertEqual(figures.judge(paired, 0.95).word, "held")
        paired[3][0]["steal"] = 0.2
        verdict = figures.judge(paired, 0.95)
        self.assertEqual(verdict.word, "too noisy to tell")
        self.assertIn("4 of 9 pairs disturbed", verdict.why[0])

    def test_a_baseline_that_spreads_tells_nothing(self):
        baseline = [60, 70, 80, 90, 100, 110, 120, 130, 140]
        verdict = figures.judge(quiet([each * 0.9 for each in baseline], baseline), 0.95)
        self.assertEqual(verdict.word, "too noisy to tell")
        self.assertIn("spread by 40%", verdict.why[0])

    def test_ratios_on_both_sides_of_the_gate_tell_nothing(self):
        verdict = figures.judge(quiet([80, 85, 85, 90, 90, 110, 115, 115, 120], [100] * 9), 1.0)
        self.assertEqual(verdict.word, "too noisy to tell")
        self.assertIn("both sides", verdict.why[0])

    def test_ratios_close_around_the_gate_are_told_by_their_median(self):
        self.assertEqual(figures.judge(quiet([93, 94, 94, 94, 94, 96, 96, 96, 97], [100] * 9), 0.95).word, "held")

    def test_few_pairs_are_a_trial(self):
        self.assertEqual(figures.judge(quiet([50] * 4, [100] * 4), 0.95).word, "too noisy to tell")

    def test_figures_without_a_baseline_are_compared_by_their_median(self):
        self.assertEqual(figures.at_most([1, 2, 9], 2).word, "held")
        self.assertEqual(figures.at_most([1, 3, 9], 2).word, "missed")


class Alone(unittest.TestCase):
    @staticmethod
    def judge(values, gate, at_least=False, foreign=0.0, reasons=()):
        return figures.judge_alone([run(rep, value, foreign) for rep, value in enumerate(values)], "us", gate, at_least,
                                   reasons)

    def test_held_up_to_the_gate_or_from_it_on(self):
        for value, most, least in ((94, "held", "missed"), (95, "held", "held"), (96, "missed", "held")):
            self.assertEqual(self.judge([value] * 5, 95).word, most)
            self.assertEqual(self.judge([value] * 5, 95, at_least=True).word, least)

    def test_a_goal_is_reached_on_the_side_of_its_gate(self):
        self.assertTrue(self.judge([80] * 5, 95).reaches(80))
        self.assertFalse(self.judge([81] * 5, 95).reaches(80))
        self.assertFalse(self.judge([80] * 5, 50, at_least=True).reaches(81))
        self.assertTrue(self.judge([81] * 5, 50, at_least=True).reaches(81))

    def test_figures_on_both_sides_of_the_gate_tell_nothing(self):
        self.assertIn("both sides", self.judge([80, 90, 94, 100, 110], 95).why[0])
        self.assertEqual(self.judge([92, 93, 94, 95, 96], 95).word, "held")

    def test_a_busy_machine_few_runs_and_what_the_caller_knows_tell_nothing(self):
        self.assertEqual(self.judge([90] * 5, 95, foreign=0.2).why, ["5 of 5 runs disturbed"])
        self.assertEqual(self.judge([90] * 4, 95).why, ["4 runs; expected at least 5"])
        self.assertEqual(self.judge([90] * 5, 95, reasons=["a guest"]).word, "too noisy to tell")
