package io.servery.core.operator;

import io.servery.core.lifecycle.Fleet;
import io.servery.core.lifecycle.FleetTally;
import io.servery.core.lifecycle.Front;
import io.servery.core.lifecycle.Generation;
import io.servery.core.lifecycle.Moment;
import io.servery.core.lifecycle.Reload;
import io.servery.core.lifecycle.Slot;
import io.servery.core.lifecycle.Worker;
import io.servery.core.metric.WorkerState;
import io.servery.core.operator.FleetStatus.WorkerProcess;
import io.servery.core.operator.FleetStatus.Service;
import io.servery.core.operator.FleetStatus.WorkerStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Reads a status off the state of a fleet.
final class FleetReading {
    private static final Comparator<WorkerStatus> ORDER = Comparator.comparingInt(WorkerStatus::generation)
            .thenComparingInt(WorkerStatus::slot).thenComparing(WorkerStatus::state)
            .thenComparingLong(worker -> worker.pid().orElse(0));

    private final Fleet fleet;
    private final Service service;
    private final Moment now;

    FleetReading(Fleet fleet, Service service, Moment now) {
        this.fleet = fleet;
        this.service = service;
        this.now = now;
    }

    FleetStatus status() {
        List<WorkerStatus> workers = new ArrayList<>(fleet.workers().map(this::status).toList());
        serving().ifPresent(serving -> serving.slots().stream()
                .filter(slot -> slot.occupancy() instanceof Slot.GivenUp)
                .forEach(slot -> workers.add(new WorkerStatus(slot.number(), OptionalLong.empty(), serving.number(),
                        WorkerState.FAILED, 0, 0))));
        workers.sort(ORDER);
        return new FleetStatus(fleet.condition().given(service.amiss()), reasons(),
                serving().map(Generation::number).orElse(0),
                seconds(service.started()), workers, service.listeners(), service.redirects(),
                service.certificates(), service.limits());
    }

    private WorkerStatus status(Worker worker) {
        Optional<WorkerProcess> process = Optional.ofNullable(service.processes().get(worker.id()));
        long connections = worker instanceof Worker.InService inService ? inService.pulse().connections() : 0;
        return new WorkerStatus(worker.id().slot(),
                process.map(one -> OptionalLong.of(one.pid())).orElseGet(OptionalLong::empty),
                worker.id().generation(), FleetTally.state(worker),
                process.map(one -> seconds(one.started())).orElse(0L), connections);
    }

    private long seconds(Moment since) {
        return Math.max(0, now.since(since).toSeconds());
    }

    private Optional<Generation.Serving> serving() {
        return fleet instanceof Fleet.Running(Front.Open(Generation.Serving serving, _), _, _)
                ? Optional.of(serving)
                : Optional.empty();
    }

    private List<String> reasons() {
        List<String> reasons = new ArrayList<>();
        switch (fleet) {
            case Fleet.Running running -> running(running, reasons);
            case Fleet.Ending ending -> reasons.add(ending.failure()
                    .map(cause -> cause.reason().code() + ": " + cause.text().strip())
                    .orElse("it stops: " + ending.tree().retired().stream().flatMap(Generation::workers).count()
                            + " workers finish their work"));
            case Fleet.Ended _ -> reasons.add("it has stopped");
        }
        service.amiss().forEach(cause -> reasons.add(cause.reason().code() + ": " + firstLine(cause.text())));
        return reasons;
    }

    private void running(Fleet.Running running, List<String> reasons) {
        switch (running.front()) {
            case Front.Opening _ -> reasons.add("the first workers start");
            case Front.Withdrawn _ -> reasons.add("it was drained; `reload` brings it back");
            case Front.Open(Generation.Serving serving, _) -> serving(serving, reasons);
        }
        if (running.reload().stage() instanceof Reload.Bringing(_, Generation.Candidate candidate)
                && running.front() instanceof Front.Open) {
            reasons.add("generation " + candidate.number() + " starts");
        }
    }

    private static void serving(Generation.Serving serving, List<String> reasons) {
        if (!serving.hasQuorum()) {
            long ready = serving.slots().stream().filter(slot -> slot.holder().isPresent()).count();
            reasons.add("found " + ready + " of " + serving.plan().workers() + " workers ready; expected at least "
                    + serving.plan().minimumWorkers());
        }
        for (Slot slot : serving.slots()) {
            switch (slot.occupancy()) {
                case Slot.GivenUp(var cause) ->
                    reasons.add("slot " + slot.number() + " was given up: " + firstLine(cause.text()));
                case Slot.Waiting(_, var cause) ->
                    reasons.add("slot " + slot.number() + " waits for its next start: " + firstLine(cause.text()));
                case Slot.Filled(Worker.Silent _, _) -> reasons.add("slot " + slot.number() + " stands still");
                case Slot.Filled _,Slot.Overlapping _,Slot.Looping _ -> {
                }
            }
        }
    }

    private static String firstLine(String text) {
        return text.strip().lines().findFirst().orElse("");
    }
}
