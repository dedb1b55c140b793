package io.servery.supervisor.loop;

import io.servery.core.fault.ExitCode;
import io.servery.core.lifecycle.Condition;
import io.servery.core.lifecycle.Moment;
import io.servery.core.operator.OperatorReplies;
import io.servery.core.operator.OperatorReply;
import io.servery.core.operator.OperatorRequest;
import io.servery.supervisor.channel.Poller;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The operator socket: who asks, and who waits for what.
///
/// *Owner*: the loop. *Invariant*: no more than [#ASKERS_MAX] connections are held. Beyond it, a newcomer takes the place
/// of whoever has been silent longest, so that silence keeps nobody out; where all have asked, it waits in the queue.
final class Operators implements AutoCloseable {
    private static final int ASKERS_MAX = 32;

    private final Door door;
    private final List<Asker> askers = new ArrayList<>();
    private final Map<Integer, List<Asker>> byReload = new HashMap<>();
    private final List<Asker> draining = new ArrayList<>();
    private final List<Asker> stopping = new ArrayList<>();

    /// @param requests told of each request, to be answered sooner or later
    /// @param troubled told when operators cannot be let in
    Operators(Path socket, BiConsumer<Asker, OperatorRequest> requests, Consumer<String> troubled)
            throws IOException {
        this.door = new Door(socket, () -> askers.size() < ASKERS_MAX || longestSilent().isPresent(), connection -> {
            makeRoom();
            askers.add(new Asker(connection, new Moment(System.nanoTime()), requests));
        }, troubled);
    }

    private Optional<Asker> longestSilent() {
        return askers.stream().filter(Asker::isSilent).findFirst();
    }

    private void makeRoom() {
        if (askers.size() >= ASKERS_MAX) {
            longestSilent().ifPresent(asker -> {
                asker.close();
                askers.remove(asker);
            });
        }
    }

    /// The door last: whoever has asked by now is heard before a newcomer may take a place.
    List<Poller.Watched> watched() {
        List<Poller.Watched> watched = new ArrayList<>(askers);
        watched.add(door);
        return watched;
    }

    Optional<Moment> deadline() {
        return askers.isEmpty()
                ? Optional.empty()
                : askers.stream().flatMap(asker -> asker.deadline().stream()).reduce(Moment::orEarlier);
    }

    void passed(Moment now) {
        if (askers.isEmpty()) {
            return;
        }
        askers.forEach(asker -> asker.passed(now));
        askers.removeIf(Asker::isClosed);
        draining.removeIf(Asker::isClosed);
        stopping.removeIf(Asker::isClosed);
        byReload.values().forEach(waiting -> waiting.removeIf(Asker::isClosed));
        byReload.values().removeIf(List::isEmpty);
    }

    /// @param asker null where a signal asked
    void waitsForReload(@Nullable Asker asker, int reload) {
        if (asker != null) {
            byReload.computeIfAbsent(reload, _ -> new ArrayList<>()).add(asker);
        }
    }

    void waitsForDrain(Asker asker) {
        draining.add(asker);
    }

    void waitsForStop(Asker asker) {
        stopping.add(asker);
    }

    /// @param workers of the generation that serves
    /// @param serving its number, if any serves
    void concluded(Conclusion conclusion, int workers, Optional<Integer> serving, Moment now) {
        List<Asker> waiting = byReload.remove(conclusion.reload());
        if (waiting != null) {
            waiting.forEach(asker -> asker.answer(OperatorReplies.verdict(conclusion.verdict(),
                    new OperatorReplies.Change(asker.command(), workers, serving, conclusion.changed())), now));
        }
    }

    void published(Condition condition, Moment now) {
        OperatorReply reply = switch (condition) {
            case WITHDRAWN -> OperatorReplies.drained();
            case DRAINING -> null;
            case STARTING, READY, RECOVERING ->
                OperatorReplies.refused("not drained: a reload brought the service back");
            case FAILED, STOPPED -> OperatorReplies.refused("not drained: the service stops");
        };
        if (reply != null) {
            draining.forEach(asker -> asker.answer(reply, now));
            draining.clear();
        }
    }

    /// Lets go of everyone but those who wait for the end.
    @Override
    public void close() {
        askers.stream().filter(asker -> !stopping.contains(asker)).forEach(Asker::close);
        door.close();
    }

    /// The last that is said: nothing is left but this process. What a peer does not take at once it does not get.
    void farewell(ExitCode code, Moment now) {
        OperatorReply reply = OperatorReplies.stopped(code);
        stopping.forEach(asker -> asker.answer(reply, now));
        stopping.forEach(Asker::close);
        stopping.clear();
    }
}
