package io.servery.core.lifecycle;

import static io.servery.core.lifecycle.Host.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.fault.ExitCode;
import io.servery.core.lifecycle.Effect.Severity;
import io.servery.core.lifecycle.Event.ChannelClosed;
import io.servery.core.lifecycle.Plan.Recycling;
import io.servery.core.lifecycle.Plan.RestartPolicy;
import io.servery.core.reason.Reason;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/// Workers of a generation that serves: death, standing still, restarts, crash loops, recycling.
class WorkersTest {
    private static final Plan TWO = Plans.of(2);
    private static final Shard FIRST = new Shard(0, 0);
    private static final Shard SECOND = new Shard(0, 1);

    // Death

    @Test
    void shardsOfADeadWorkerAreAdoptedAtOnceAndComeHomeToItsReplacement() {
        Host host = Host.serving(TWO).exit(worker(1, 0, 1), 1);
        assertThat(host.orders(worker(1, 1, 1))).containsExactly(new Order.Adopt(List.of(FIRST)));
        assertThat(host.spawned()).containsExactly(worker(1, 0, 2));
        assertThat(host.facts()).contains(new Fact.WorkerRestarted(worker(1, 0, 2), Reason.UNEXPECTED_EXIT));

        host.ready(worker(1, 0, 2));
        assertThat(host.orders(worker(1, 1, 1))).containsExactly(new Order.Release(1, List.of(FIRST)));
        assertThat(host.orders(worker(1, 0, 2))).isEmpty();
        host.confirmReleases();
        assertThat(host.orders(worker(1, 0, 2))).containsExactly(new Order.Adopt(List.of(FIRST)));
    }

    @Test
    void endOfTheControlChannelIsADeathBeforeTheProcessIsReaped() {
        Host host = Host.serving(TWO);
        host.act(new ChannelClosed(host.now(), worker(1, 0, 1), "closed its control channel"));

        assertThat(host.orders(worker(1, 1, 1))).containsExactly(new Order.Adopt(List.of(FIRST)));
        assertThat(host.signals()).containsExactly(new Effect.Signal(worker(1, 0, 1), Severity.TERM));
        assertThat(host.spawned()).as("not before it is reaped").isEmpty();
        host.pass(Duration.ofSeconds(1));
        assertThat(host.signals()).containsExactly(new Effect.Signal(worker(1, 0, 1), Severity.KILL));
        assertThat(host.exit(worker(1, 0, 1), 137).spawned()).containsExactly(worker(1, 0, 2));
    }

    @Test
    void shardOfTheOnlyWorkerWaitsForItsReplacement() {
        Host host = Host.serving(Plans.of(1)).exit(worker(1, 0, 1), 1);
        assertThat(host.fleet().condition()).isEqualTo(Condition.RECOVERING);

        host.ready(worker(1, 0, 2));
        assertThat(host.orders(worker(1, 0, 2))).containsExactly(new Order.Adopt(List.of(FIRST)));
        assertThat(host.fleet().condition()).isEqualTo(Condition.READY);
    }

    @Test
    void reportOutOfItsPlaceIsTheFailureOfItsWorkerAlone() {
        Host host = Host.serving(TWO).report(worker(1, 0, 1), new Report.Prepared());

        assertThat(host.signals()).containsExactly(new Effect.Signal(worker(1, 0, 1), Severity.TERM));
        assertThat(host.exit(worker(1, 0, 1), 143).facts()).contains(new Fact.WorkerExited(worker(1, 0, 1),
                new Cause(Reason.HEALTH_FAILURE, "the worker reported Prepared while Ready")));
    }

    @Test
    void survivorOfKillIsReportedAndReplaced() {
        Host host = Host.serving(TWO).report(worker(1, 0, 1), new Report.Prepared());
        host.pass(Duration.ofSeconds(2));

        assertThat(host.facts()).contains(new Fact.WorkerSurvived(worker(1, 0, 1)));
        assertThat(host.spawned()).containsExactly(worker(1, 0, 2));
    }

    // Standing still

    @Test
    void workerThatIsSilentForASecondLendsItsShardsAndHasThemBack() {
        Host host = Host.serving(TWO).standStill(worker(1, 0, 1)).pass(Duration.ofMillis(999));
        assertThat(host.orders(worker(1, 1, 1))).isEmpty();
        host.pass(Duration.ofMillis(1));
        assertThat(host.orders(worker(1, 1, 1))).containsExactly(new Order.Adopt(List.of(FIRST)));
        assertThat(host.orders(worker(1, 0, 1))).containsExactly(new Order.Release(1, List.of(FIRST)));

        host.turnAgain(worker(1, 0, 1)).pass(Duration.ofMillis(250));
        assertThat(host.orders(worker(1, 1, 1))).containsExactly(new Order.Release(2, List.of(FIRST)));
        host.confirmReleases();
        assertThat(host.reader(FIRST)).contains(worker(1, 0, 1));
        assertThat(host.fleet().workers()).hasSize(2);
    }

    @Test
    void oneLoopThatStandsStillMakesItsWorkerSilent() {
        Plan loops = new Plan(1, 1, 1, 2, TWO.shards(), TWO.timing(), TWO.restarts(), TWO.recycling());
        Host host = Host.serving(loops).pass(Duration.ofSeconds(1));

        assertThat(host.worker(worker(1, 0, 1))).as("loop 1 says nothing").isInstanceOf(Worker.Silent.class);
    }

    @Test
    void onlyWorkerKeepsItsShardsWhenItIsSilent() {
        Host host = Host.serving(Plans.of(1)).standStill(worker(1, 0, 1)).pass(Duration.ofSeconds(5));

        assertThat(host.effects(Effect.Send.class)).isEmpty();
        assertThat(host.reader(FIRST)).contains(worker(1, 0, 1));
        assertThat(host.fleet().condition()).isEqualTo(Condition.RECOVERING);
    }

    @Test
    void workerThatHangsIsKilledAndReplaced() {
        Host host = Host.serving(TWO).standStill(worker(1, 0, 1)).pass(Duration.ofMillis(9_999));
        assertThat(host.signals()).isEmpty();
        assertThat(host.pass(Duration.ofMillis(1)).signals()).containsExactly(
                new Effect.Signal(worker(1, 0, 1), Severity.KILL));
        host.exit(worker(1, 0, 1), 137);
        assertThat(host.facts()).contains(new Fact.WorkerRestarted(worker(1, 0, 2), Reason.HEALTH_FAILURE));
    }

    @Test
    void parentThatStoodStillItselfJudgesNobody() {
        Host host = Host.serving(TWO).sleep(Duration.ofSeconds(40));

        assertThat(host.signals()).isEmpty();
        assertThat(host.fleet().condition()).isEqualTo(Condition.READY);
        assertThat(host.standStill(worker(1, 0, 1)).pass(Duration.ofSeconds(10)).signals()).hasSize(1);
    }

    // Restarts

    @Test
    void firstExitIsReplacedAtOnceAndLaterOnesAfterTwiceTheTimeEach() {
        RestartPolicy policy = Plans.RESTARTS;

        assertThat(List.of(1, 2, 3, 4, 9, 10, 1_000)).extracting(policy::delay).containsExactly(Duration.ZERO,
                Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(30),
                Duration.ofSeconds(30), Duration.ofSeconds(30));
    }

    @Test
    void secondExitInARowWaits() {
        Host host = Host.serving(TWO).exit(worker(1, 0, 1), 1).exit(worker(1, 0, 2), 1);
        assertThat(host.spawned()).isEmpty();

        assertThat(host.pass(Duration.ofMillis(249)).spawned()).isEmpty();
        assertThat(host.pass(Duration.ofMillis(1)).spawned()).containsExactly(worker(1, 0, 3));
    }

    @Test
    void workerThatWasReadyForTenSecondsBeginsANewRow() {
        Host host = Host.serving(TWO).exit(worker(1, 0, 1), 1).ready(worker(1, 0, 2)).confirmReleases();
        host.pass(Duration.ofSeconds(10));

        assertThat(host.exit(worker(1, 0, 2), 1).spawned()).containsExactly(worker(1, 0, 3));
    }

    // Crash loops

    private static Host crash(Host host, int slot, int generation, int from, int times) {
        for (int i = from; i < from + times; i++) {
            host.exit(worker(generation, slot, i), 1);
            List<Fact> facts = host.facts();
            if (facts.stream().noneMatch(Fact.CrashLooped.class::isInstance)) {
                host.pass(Duration.ofSeconds(4));
            }
        }
        return host;
    }

    @Test
    void slotThatEndsOnceTooOftenIsGivenUpAndTheOthersServe() {
        Host host = crash(Host.serving(TWO), 0, 1, 1, 6);

        assertThat(host.facts()).hasAtLeastOneElementOfType(Fact.SlotGivenUp.class);
        assertThat(host.fleet().condition()).isEqualTo(Condition.READY);
        assertThat(host.pass(Duration.ofMinutes(10)).spawned()).isEmpty();
        assertThat(host.reader(FIRST)).contains(worker(1, 1, 1));
    }

    @Test
    void exitsOfASlotThatIsGivenUpDoNotCountAgainstTheOthers() {
        Host host = crash(Host.serving(TWO), 0, 1, 1, 6).exit(worker(1, 1, 1), 1);

        assertThat(host.spawned()).containsExactly(worker(1, 1, 2));
    }

    @Test
    void exitsOfMoreThanTheWindowAgoDoNotCount() {
        Host host = Host.serving(TWO);
        for (int i = 1; i <= 20; i++) {
            host.exit(worker(1, 0, i), 1);
            assertThat(host.facts()).contains(new Fact.WorkerRestarted(worker(1, 0, i + 1), Reason.UNEXPECTED_EXIT));
            host.ready(worker(1, 0, i + 1)).confirmReleases().pass(Duration.ofSeconds(13));
        }
    }

    @Test
    void fewerThanTheMinimumFailsTheServiceWhichStaysAMinuteToSayWhy() {
        Host host = crash(Host.serving(Plans.withMinimum(TWO, 2)), 0, 1, 1, 6);
        assertThat(host.fleet().condition()).isEqualTo(Condition.FAILED);
        assertThat(host.orders(worker(1, 1, 1))).contains(new Order.Drain(Duration.ofSeconds(30), Duration.ZERO));

        host.report(worker(1, 1, 1), new Report.Released(0, List.of(FIRST, SECOND)));
        assertThat(host.effects(Effect.Close.class)).containsExactly(new Effect.Close(List.of(FIRST, SECOND)));
        host.exit(worker(1, 1, 1), 0).pass(Duration.ofMillis(59_999));
        assertThat(host.fleet()).isInstanceOfSatisfying(Fleet.Ending.class, ending -> assertThat(
                ending.failure().orElseThrow().text()).startsWith("fewer than 2 workers can be kept running"));
        assertThat(host.pass(Duration.ofMillis(1)).effects(Effect.Finish.class))
                .containsExactly(new Effect.Finish(ExitCode.FAILED));
    }

    @Test
    void crashLoopThatBeganWithAReloadIsRolledBack() {
        Host host = crash(Host.serving(TWO).reloaded(1, Plans.revision(TWO, 2), 2), 0, 2, 1, 6);
        assertThat(host.effects(Effect.Restore.class)).containsExactly(new Effect.Restore(2, TWO));
        assertThat(host.facts()).doesNotHaveAnyElementsOfTypes(Fact.SlotGivenUp.class);

        host.accept(2, TWO).bring(3);
        assertThat(host.verdict(2)).isEqualTo(new Verdict.RolledBack(3, 1));
        assertThat(host.fleet().condition()).isEqualTo(Condition.READY);
    }

    @Test
    void crashLoopThatCannotBeRolledBackGivesTheSlotUp() {
        Host host = crash(Host.serving(TWO).reloaded(1, Plans.revision(TWO, 2), 2), 0, 2, 1, 6);
        host.accept(2, TWO).exit(worker(3, 0, 1), 1).pass(Duration.ofSeconds(30));
        assertThat(host.spawned()).as("still tried, at the longest pace").containsExactly(worker(2, 0, 7));

        assertThat(host.exit(worker(2, 0, 7), 1).facts()).hasAtLeastOneElementOfType(Fact.SlotGivenUp.class);
    }

    @Test
    void crashLoopLongAfterAReloadIsNoneOfIt() {
        Host host = Host.serving(TWO).reloaded(1, Plans.revision(TWO, 2), 2).pass(Duration.ofSeconds(61));
        crash(host, 0, 2, 1, 6);

        assertThat(host.effects(Effect.Restore.class)).isEmpty();
        assertThat(host.facts()).hasAtLeastOneElementOfType(Fact.SlotGivenUp.class);
    }

    @Test
    void newGenerationBeginsWithoutTheExitsOfTheOld() {
        Host host = crash(Host.serving(TWO), 0, 1, 1, 5).reloaded(1, Plans.revision(TWO, 2), 2);

        assertThat(host.exit(worker(2, 0, 1), 1).spawned()).containsExactly(worker(2, 0, 2));
    }

    // Recycling

    private static Plan aged(Duration age) {
        return Plans.withRecycling(TWO, new Recycling(age, 0, 0));
    }

    @Test
    void workerOfAgeIsReplacedBeforeItDrains() {
        Host host = Host.serving(aged(Duration.ofSeconds(20))).pass(Duration.ofSeconds(20));
        assertThat(host.spawned()).as("one at a time").containsExactly(worker(1, 0, 2));
        assertThat(host.effects(Effect.Send.class)).isEmpty();

        host.ready(worker(1, 0, 2));
        assertThat(host.orders(worker(1, 0, 1))).containsExactly(new Order.Release(1, List.of(FIRST)),
                new Order.Drain(Duration.ofSeconds(30), Duration.ofSeconds(5)));
        host.confirmReleases();
        assertThat(host.reader(FIRST)).contains(worker(1, 0, 2));
        assertThat(host.spawned()).as("the old one still drains").isEmpty();

        host.exit(worker(1, 0, 1), 0);
        assertThat(host.facts()).contains(new Fact.WorkerExited(worker(1, 0, 1),
                new Cause(Reason.RECYCLE_AGE, "the worker was replaced by a new one")));
        assertThat(host.spawned()).containsExactly(worker(1, 1, 2));
    }

    @Test
    void workerWithEnoughRequestsIsReplaced() {
        Host host = Host.serving(Plans.withRecycling(TWO, new Recycling(Duration.ZERO, 0, 1_000)));
        host.report(worker(1, 1, 1), new Report.Heartbeat(0, 3, 999));
        assertThat(host.spawned()).isEmpty();

        host.report(worker(1, 1, 1), new Report.Heartbeat(0, 3, 1_000));
        assertThat(host.facts()).contains(new Fact.WorkerRestarted(worker(1, 1, 2), Reason.RECYCLE_REQUESTS));
    }

    @Test
    void replacementThatFailsLeavesTheOldWorkerAndIsTriedAgainLater() {
        Host host = Host.serving(aged(Duration.ofSeconds(20))).pass(Duration.ofSeconds(20));
        host.exit(worker(1, 0, 2), 1);
        assertThat(host.fleet().condition()).isEqualTo(Condition.READY);
        assertThat(host.spawned()).as("the next is due meanwhile").containsExactly(worker(1, 1, 2));

        host.exit(worker(1, 1, 2), 1).pass(Duration.ofMillis(29_999));
        assertThat(host.spawned()).isEmpty();
        assertThat(host.pass(Duration.ofMillis(1)).spawned()).containsExactly(worker(1, 0, 3));
    }

    @Test
    void workerThatDiesBesideItsReplacementHasItAlready() {
        Host host = Host.serving(aged(Duration.ofSeconds(20))).pass(Duration.ofSeconds(20));

        assertThat(host.exit(worker(1, 0, 1), 1).spawned()).as("the other is due").containsExactly(worker(1, 1, 2));
        host.ready(worker(1, 0, 2)).confirmReleases();
        assertThat(host.reader(FIRST)).contains(worker(1, 0, 2));
    }

    @Test
    void nobodyIsRecycledDuringAReload() {
        Host host = Host.serving(aged(Duration.ofSeconds(20))).reload().pass(Duration.ofSeconds(29));

        assertThat(host.spawned()).isEmpty();
    }

    @Property(tries = 500)
    void jitterShortensAnAgeByItsShareAtMost(@ForAll @IntRange(max = 1_000) int slot,
            @ForAll @IntRange(min = 1, max = 1_000) int incarnation) {
        Recycling hourly = new Recycling(Duration.ofHours(1), 0.1, 0);

        assertThat(hourly.age(worker(1, slot, incarnation))).isBetween(Duration.ofMinutes(54), Duration.ofHours(1));
    }

    @Test
    void workersOfAStartAreNotOfAnAge() {
        Recycling hourly = new Recycling(Duration.ofHours(1), 0.1, 0);

        assertThat(List.of(0, 1, 2, 3, 4, 5)).extracting(slot -> hourly.age(worker(1, slot, 1)).toSeconds())
                .doesNotHaveDuplicates();
    }
}
