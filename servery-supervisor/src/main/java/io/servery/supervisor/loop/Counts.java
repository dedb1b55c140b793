package io.servery.supervisor.loop;

import io.servery.core.control.Report;
import io.servery.core.lifecycle.Moment;
import io.servery.core.lifecycle.WorkerId;
import io.servery.core.metric.FleetCounts;
import io.servery.core.metric.MetricScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// What workers have counted, and who waits to be told.
///
/// *Owner*: the loop. *Invariant*: whoever asks is told after [#ANSWER_MAX] at the latest, with the last that is known of a
/// worker that did not answer.
final class Counts {
    private static final Duration ANSWER_MAX = Duration.ofMillis(500);
    private static final MetricScope SCOPE = MetricScope.http1FilesTls();

    /// @param missing workers that have not answered yet
    private record Question(Consumer<FleetCounts<WorkerId>> asker, Set<WorkerId> missing, Moment until) {
    }

    private final Supplier<List<WorkerId>> workers;
    private final List<Question> questions = new ArrayList<>();
    private FleetCounts<WorkerId> counts = FleetCounts.none(SCOPE);

    /// @param workers asks all that can be heard, and names them
    Counts(Supplier<List<WorkerId>> workers) {
        this.workers = workers;
    }

    void ask(Consumer<FleetCounts<WorkerId>> asker, Moment now) {
        questions.add(new Question(asker, new HashSet<>(workers.get()), now.plus(ANSWER_MAX)));
    }

    void started(WorkerId worker) {
        counts = counts.started(worker);
    }

    /// A series that this build does not know comes of no worker of this build.
    void heard(WorkerId worker, Report.MetricsSnapshot report) {
        report.snapshot(SCOPE).ifPresent(snapshot -> {
            counts = counts.reported(worker, snapshot, report.process().sample(worker.slot()));
        });
        questions.forEach(question -> question.missing().remove(worker));
    }

    void ended(WorkerId worker) {
        counts = counts.ended(worker);
        questions.forEach(question -> question.missing().remove(worker));
    }

    Optional<Moment> deadline() {
        return questions.isEmpty()
                ? Optional.empty()
                : questions.stream().map(Question::until).reduce(Moment::orEarlier);
    }

    /// Answers whoever can be.
    void passed(Moment now) {
        if (questions.isEmpty()) {
            return;
        }
        List<Question> answered = questions.stream()
                .filter(question -> question.missing().isEmpty() || question.until().isReached(now)).toList();
        questions.removeAll(answered);
        answered.forEach(question -> question.asker().accept(counts));
    }

    /// Answers whoever still waits: nothing more comes.
    void close() {
        questions.forEach(question -> question.asker().accept(counts));
        questions.clear();
    }
}
