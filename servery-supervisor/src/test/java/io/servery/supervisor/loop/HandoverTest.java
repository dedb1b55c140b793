package io.servery.supervisor.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Outcome;
import io.servery.core.config.ServeryConfig;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.lifecycle.Verdict;
import io.servery.core.lifecycle.WorkerId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// What all go back to when one worker cannot show what is new, however many changes are on their way.
class HandoverTest {
    private static final WorkerId ONE = new WorkerId(1, 0, 1);
    private static final WorkerId OTHER = new WorkerId(1, 1, 1);
    private static final Order.Identify FIRST = order(1);

    private final Revisions revisions = new Revisions();
    private final List<Long> told = new ArrayList<>();
    private final Refusals refusals = new Refusals();
    private int serving;
    private final Handover handover = new Handover(revisions, () -> serving, this::tell, refusals);

    HandoverTest() {
        serving = revision(FIRST);
        handover.concluded(new Verdict.Serving(1, serving), Optional.empty());
    }

    private static final class Refusals extends NoIdentities {
        private final List<String> all = new ArrayList<>();

        @Override
        public Reading read(ServeryConfig config) {
            throw new AssertionError(config);
        }

        @Override
        public void refused(long number, Optional<Order.Identify> again, String why) {
            all.add(number + " " + again.map(Order.Identify::number).map(String::valueOf).orElse("none"));
        }
    }

    private Collection<WorkerId> tell(Revisions.Revision revision) {
        told.add(revision.identities().orElseThrow().number());
        return List.of(ONE, OTHER);
    }

    private static Order.Identify order(long number) {
        return new Order.Identify(number, List.of(new Order.Shown(List.of(), "certificate " + number, "key")), "",
                List.of("00"));
    }

    private int revision(Order.Identify shown) {
        String text = """
                schema_version = 1
                [tls]
                mode = "self-signed"
                """;
        return switch (Configuration.read(text.getBytes(StandardCharsets.UTF_8), new ConfigurationInputs(
                Optional.of(Path.of("servery.toml")), Map.of(), List.of(), Path.of("").toAbsolutePath(), false))) {
            case Outcome.Accepted accepted -> revisions.add(accepted.config(), accepted.effective(), List.of(),
                    Optional.of(shown)).number();
            case Outcome.Refused refused -> throw new AssertionError(refused.faults().toString());
        };
    }

    private CompletableFuture<Void> identify(long number) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        handover.identify(revisions.of(serving).config(), order(number), end);
        return end;
    }

    private void shows(WorkerId worker, long number) {
        handover.heard(worker, new Report.Identified(number, ""));
    }

    private void refuses(WorkerId worker, long number) {
        handover.heard(worker, new Report.Identified(number, "tls: no"));
    }

    private long shown() {
        return handover.shown().orElseThrow().number();
    }

    @Test
    void whatOneRefusesIsTakenBackByAll() {
        CompletableFuture<Void> end = identify(2);
        shows(ONE, 2);
        refuses(OTHER, 2);

        assertThat(end).isCompletedExceptionally();
        assertThat(shown()).isEqualTo(1);
        assertThat(told).containsExactly(2L, 1L);
        assertThat(refusals.all).containsExactly("2 1");
        refuses(ONE, 2);
        assertThat(refusals.all).as("said once").hasSize(1);
    }

    /// A worker that starts would be given what no worker can show.
    @Test
    void secondChangeBeforeTheFirstRefusalGoesBackToWhatEveryWorkerHasShown() {
        identify(2);
        shows(ONE, 2);
        identify(3);
        refuses(OTHER, 2);
        assertThat(refusals.all).as("of what is not to be shown any more").isEmpty();
        refuses(OTHER, 3);

        assertThat(shown()).isEqualTo(1);
        assertThat(told).containsExactly(2L, 3L, 1L);
        assertThat(refusals.all).containsExactly("3 1");
        identify(4);
        refuses(ONE, 4);
        assertThat(shown()).isEqualTo(1);
    }

    @Test
    void secondChangeMayBeShownThoughTheFirstWasRefused() {
        identify(2);
        CompletableFuture<Void> end = identify(3);
        refuses(OTHER, 2);
        shows(ONE, 3);
        shows(OTHER, 3);
        assertThat(end).isCompleted();
        identify(4);
        refuses(ONE, 4);
        assertThat(shown()).isEqualTo(3);
    }

    @Test
    void changeThatAReloadPushesIsProvenOnlyWhenItIsShown() {
        int before = serving;
        serving = revision(order(2));
        handover.concluded(new Verdict.Pushed(serving), revisions.of(before).identities());
        identify(3);
        refuses(OTHER, 3);
        assertThat(shown()).isEqualTo(1);

        before = serving;
        serving = revision(order(4));
        handover.concluded(new Verdict.Pushed(serving), revisions.of(before).identities());
        shows(ONE, 4);
        shows(OTHER, 4);
        identify(5);
        refuses(OTHER, 5);
        assertThat(shown()).isEqualTo(4);
    }

    @Test
    void generationShowsWhatItBeganWithAndEndsWhatWasOnItsWay() {
        CompletableFuture<Void> end = identify(2);
        serving = revision(order(3));
        handover.concluded(new Verdict.Serving(2, serving), Optional.of(order(2)));
        assertThat(end).isCompletedExceptionally();
        identify(4);
        refuses(ONE, 4);
        assertThat(shown()).isEqualTo(3);
    }
}
