package io.servery.core.lifecycle;

import io.servery.core.lifecycle.Fleet.Running;
import io.servery.core.lifecycle.Reload.Kind;
import io.servery.core.lifecycle.Reload.Request;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What came of the steps that it was shown, by kind and not by value: the verdict of each request, what operators were let
/// know, the exit code. What no step brings is not in it, which is how a test of very many steps finds that it is blind.
final class Outcomes {
    private final Map<String, Long> counts = new TreeMap<>();

    void add(Fleet before, Event event, Step step) {
        for (Effect effect : step.effects()) {
            switch (effect) {
                case Effect.Conclude(int number, Verdict verdict) ->
                    add(kind(number, before, event, step) + " " + text(verdict));
                case Effect.Note(Fact fact) -> add(text(fact));
                case Effect.Publish(Condition condition) -> add(condition.name());
                case Effect.Finish(var code) -> add("Finish " + code);
                case Effect.Spawn _,Effect.HandOver _,Effect.Send _,Effect.Push _,Effect.Signal _,Effect.Load _,Effect.Restore _,Effect.Close _,Effect.Schedule _ ->
                    add(effect.getClass().getSimpleName());
            }
        }
    }

    private void add(String kind) {
        counts.merge(kind, 1L, Long::sum);
    }

    /// Of everything, in words: `RELOAD Kept INVALID_CONFIG`, `WorkerExited HEALTH_FAILURE`, `READY`, `Finish OK`.
    Set<String> all() {
        return counts.keySet();
    }

    /// How often each was.
    Map<String, Long> counts() {
        return counts;
    }

    private static Kind kind(int number, Fleet before, Event event, Step step) {
        return Stream.concat(requests(before), requests(step.next())).filter(request -> request.number() == number)
                .map(Request::kind).findFirst().orElseGet(() -> asked(event));
    }

    /// What was asked for and answered in one step: nobody but the service itself asks for a recovery.
    private static Kind asked(Event event) {
        return switch (event) {
            case Event.ReloadRequested _ -> Kind.RELOAD;
            case Event.RollbackRequested _ -> Kind.ROLLBACK;
            case Event.MovesWorker _,Event.ConfigurationAccepted _,Event.ConfigurationRefused _,Event.DrainRequested _,Event.StopRequested _,Event.StopSignalled _ ->
                Kind.RECOVERY;
        };
    }

    /// What was asked for and is not answered yet.
    static Stream<Request> requests(Fleet fleet) {
        if (!(fleet instanceof Running running)) {
            return Stream.empty();
        }
        Stream<Request> underWay = switch (running.reload().stage()) {
            case Reload.Idle _ -> Stream.empty();
            case Reload.Loading(Request request, _) -> Stream.of(request);
            case Reload.Bringing(Request request, _) -> Stream.of(request);
        };
        return Stream.concat(underWay, running.reload().next().stream());
    }

    private static String text(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Kept(Cause cause) -> "Kept " + cause.reason();
            case Verdict.Pushed _,Verdict.Serving _,Verdict.RolledBack _,Verdict.Superseded _ ->
                verdict.getClass().getSimpleName();
        };
    }

    private static String text(Fact fact) {
        String name = fact.getClass().getSimpleName();
        return switch (fact) {
            case Fact.WorkerExited(_, Cause cause) -> name + " " + cause.reason();
            case Fact.WorkerRestarted(_, var reason) -> name + " " + reason;
            case Fact.ReloadStarted(_, Kind kind) -> name + " " + kind;
            case Fact.WorkerStarted _,Fact.WorkerReady _,Fact.WorkerSilent _,Fact.WorkerHeard _,Fact.WorkerSurvived _,Fact.SlotGivenUp _,Fact.CrashLooped _,Fact.GenerationServed _,Fact.GenerationDraining _,Fact.GenerationGone _ ->
                name;
        };
    }
}
