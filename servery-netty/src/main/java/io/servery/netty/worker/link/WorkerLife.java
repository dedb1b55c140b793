package io.servery.netty.worker.link;

import io.servery.core.control.Bounds;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.fault.ExitCode;
import io.servery.core.reason.Reason;
import io.servery.netty.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import javax.net.ssl.SSLException;

/// The life of a worker as its parent orders it.
///
///     Gathering ─Prepare─► Preparing ─made─► Prepared ─Commit─► Serving ─► Leaving ─► Over
///         └──────────────────┴──── a failure, TERM, or the parent is gone ───────────────▲
///
/// An order out of its place is the parent's bug: before the commit it ends this process, later it drains.
///
/// *Owner*: the control thread.
final class WorkerLife implements ControlLoop.Life {
    private static final Duration PULSE = Duration.ofMillis(400);
    /// What nothing is due for is looked at all the same.
    private static final Duration IDLE_MAX = Duration.ofSeconds(10);

    private sealed interface State {
    }

    private record Gathering(Gathered gathered, Given given) implements State {
    }

    /// @param pushed settings that came meanwhile
    /// @param given what came meanwhile
    private record Preparing(List<Order.Setting> pushed, Given given) implements State {
    }

    /// @param beats what its event loops said last
    private record Life(Preparation.Made made, Heartbeats beats, Snapshots snapshots) {
        Worker worker() {
            return made.worker();
        }

        void tell(ControlLoop loop) {
            if (loop.parentReads()) {
                beats.take(loop::report);
                snapshots.timePassed();
            }
        }
    }

    private record Prepared(Life life) implements State {
    }

    private record Serving(Life life) implements State {
    }

    private record Leaving(Life life, Departure departure) implements State {
    }

    private record Over(ExitCode exitCode) implements State {
    }

    private final ControlLoop loop;
    private final Executor thread;
    private final GentleLife gentle;
    /// Complete when the last order that takes its time is carried out.
    private CompletableFuture<Void> carryingOut = CompletableFuture.completedFuture(null);
    private State state = new Gathering(new Gathered(), Given.NOTHING);

    /// @param thread what may wait: preparing, draining
    WorkerLife(ControlLoop loop, Executor thread, GentleLife gentle) {
        this.loop = loop;
        this.thread = thread;
        this.gentle = gentle;
    }

    @Override
    public void obey(Order order) {
        switch (order) {
            case Order.TakeListeners(List<Order.Listener> listeners) -> take(order, listeners);
            case Order.Prepare prepare -> prepare(prepare);
            case Order.Commit _ -> commit(order);
            case Order.Adopt(List<Shard> shards) -> adopt(order, shards);
            case Order.Release(long number, List<Shard> shards) -> release(order, number, shards);
            case Order.Drain drain -> drain(drain);
            case Order.Push(List<Order.Setting> settings) -> push(order, settings);
            case Order.TakeSnapshot _ -> takeSnapshot();
            case Order.Identify identify -> identify(identify);
            case Order.Post post -> post(post);
        }
    }

    private void take(Order order, List<Order.Listener> listeners) {
        List<Integer> descriptors = loop.takeDescriptors(listeners.size());
        if (state instanceof Gathering(Gathered gathered, _)) {
            gathered.take(listeners, descriptors).ifPresent(fault -> fail(Reason.STARTUP_FAILURE, fault));
        } else {
            misplaced(order);
        }
    }

    private void prepare(Order.Prepare order) {
        if (!(state instanceof Gathering(Gathered gathered, Given given))) {
            misplaced(order);
            return;
        }
        gathered.fault(order.shards(), loop.surplusDescriptors()).ifPresentOrElse(
                fault -> fail(Reason.STARTUP_FAILURE, fault), () -> {
                    state = new Preparing(new ArrayList<>(), Given.NOTHING);
                    Preparation preparation = new Preparation(order, gathered.sockets(), gathered.redirects(), given);
                    thread.execute(() -> prepare(preparation));
                });
    }

    /// On the thread that may wait.
    private void prepare(Preparation preparation) {
        try {
            Preparation.Result result = preparation.run();
            loop.execute(() -> prepared(result));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error bug) {
            broken(bug);
        }
    }

    private void prepared(Preparation.Result result) {
        if (!(state instanceof Preparing(List<Order.Setting> pushed, Given given))) {
            return; // told to end meanwhile
        }
        switch (result) {
            case Preparation.Refused(Reason reason, String cause, ExitCode exitCode) -> fail(reason, cause, exitCode);
            case Preparation.Made made -> {
                Heartbeats beats = new Heartbeats(made.eventLoops(), loop::wake);
                Life life = new Life(made, beats, new Snapshots(made.worker(), made.slot(), loop));
                state = new Prepared(life);
                made.carriedOut().forEach(loop::report);
                loop.report(new Report.Prepared());
                made.worker().pulse(beats, PULSE);
                if (!pushed.isEmpty()) {
                    push(new Order.Push(pushed), pushed);
                }
                given.identities().ifPresent(this::identify);
                given.challenges().ifPresent(this::post);
            }
        }
    }

    private void commit(Order order) {
        if (state instanceof Prepared(Life life)) {
            gentle.served(thread);
            life.worker().commit();
            state = new Serving(life);
            loop.report(new Report.Ready());
        } else {
            misplaced(order);
        }
    }

    private void adopt(Order order, List<Shard> shards) {
        if (state instanceof Serving(Life life) && life.worker().holds(shards)) {
            life.worker().adopt(shards);
        } else {
            misplaced(order);
        }
    }

    /// A worker that leaves reads what it still has to its end, unless its parent wants it elsewhere before.
    private void release(Order order, long number, List<Shard> shards) {
        Worker worker = switch (state) {
            case Serving(Life life) -> life.worker();
            case Leaving(Life life, _) -> life.worker();
            case Gathering _,Preparing _,Prepared _,Over _ -> null;
        };
        if (worker == null || !worker.holds(shards)) {
            misplaced(order);
            return;
        }
        var _ = worker.release(shards)
                .thenRun(() -> loop.execute(() -> loop.report(new Report.Released(number, shards))));
    }

    private void drain(Order.Drain order) {
        switch (state) {
            case Serving(Life life) -> leave(life, order.timeout(), order.parting());
            case Leaving _ -> {
                // It does already.
            }
            case Gathering _,Preparing _,Prepared _,Over _ -> misplaced(order);
        }
    }

    private void push(Order order, List<Order.Setting> settings) {
        switch (state) {
            case Preparing(List<Order.Setting> pushed, _) -> {
                settings.forEach(later -> pushed.removeIf(setting -> setting.key().equals(later.key())));
                pushed.addAll(settings);
            }
            case Prepared(Life life) -> apply(life, settings);
            case Serving(Life life) -> apply(life, settings);
            case Leaving _ -> {
                // What it has left to do goes on under the old ones.
            }
            case Gathering _,Over _ -> misplaced(order);
        }
    }

    private void apply(Life life, List<Order.Setting> settings) {
        try {
            Preparation.Made made = life.made().with(settings);
            made.worker().apply(made.configuration().config());
            Life changed = new Life(made, life.beats(), life.snapshots());
            state = state instanceof Prepared ? new Prepared(changed) : new Serving(changed);
        } catch (IllegalArgumentException e) {
            amiss("the parent pushed what cannot be: " + e.getMessage());
        }
    }

    private void identify(Order.Identify order) {
        switch (state) {
            case Gathering(Gathered gathered, Given given) -> state = new Gathering(gathered, given.with(order));
            case Preparing(List<Order.Setting> pushed, Given given) -> state = new Preparing(pushed, given.with(order));
            case Prepared(Life life) -> identify(life, order);
            case Serving(Life life) -> identify(life, order);
            case Leaving _ -> // it shakes no more hands that are worth a change
                loop.report(new Report.Identified(order.number(), ""));
            case Over _ -> misplaced(order);
        }
    }

    private void identify(Life life, Order.Identify order) {
        inTurn(() -> {
            life.worker().identify(order);
            return CompletableFuture.allOf(); // by the first handshake that begins from here on
        }, refusal -> new Report.Identified(order.number(), refusal));
    }

    private void post(Order.Post order) {
        switch (state) {
            case Gathering(Gathered gathered, Given given) -> state = new Gathering(gathered, given.with(order));
            case Preparing(List<Order.Setting> pushed, Given given) -> state = new Preparing(pushed, given.with(order));
            case Prepared(Life life) -> post(life, order);
            case Serving(Life life) -> post(life, order);
            case Leaving _ ->
                loop.report(new Report.Posted(order.number(), "")); // whoever comes from now on comes to another worker
            case Over _ -> misplaced(order);
        }
    }

    private void post(Life life, Order.Post order) {
        inTurn(() -> life.worker().post(order.challenges()), refusal -> new Report.Posted(order.number(), refusal));
    }

    /// Something about TLS that a worker may find out that it cannot do.
    private interface Step {
        /// @return completes when it holds for every event loop
        CompletableFuture<Void> run() throws SSLException;
    }

    /// On a thread that may wait, one after the other: what is shown shakes hands with itself first.
    ///
    /// @param report of why it cannot be, empty where it is done
    private void inTurn(Step step, Function<String, Report> report) {
        carryingOut = carryingOut.thenRunAsync(() -> {
            try {
                var _ = step.run().thenRun(() -> reportLater(report.apply("")));
            } catch (SSLException | IllegalArgumentException e) {
                reportLater(report.apply(Bounds.cut("tls: " + e.getMessage(), Bounds.CAUSE_BYTES_MAX)));
            } catch (RuntimeException | Error bug) {
                broken(bug);
            }
        }, thread);
    }

    private void reportLater(Report report) {
        loop.execute(() -> loop.report(report));
    }

    private void takeSnapshot() {
        switch (state) {
            case Prepared(Life life) -> life.snapshots().now();
            case Serving(Life life) -> life.snapshots().now();
            case Leaving(Life life, _) -> life.snapshots().now();
            case Gathering _,Preparing _,Over _ -> loop.report(new Report.MetricsSnapshot(List.of()));
        }
    }

    // Ends

    private void misplaced(Order order) {
        amiss("the parent ordered " + order.getClass().getSimpleName() + " while the worker was "
                + state.getClass().getSimpleName());
    }

    private void amiss(String what) {
        if (state instanceof Serving(Life life)) {
            leave(life, life.made().drainTimeout(), Duration.ZERO);
        } else if (!(state instanceof Leaving)) {
            fail(Reason.STARTUP_FAILURE, what);
        }
    }

    private void fail(Reason reason, String cause) {
        fail(reason, cause, ExitCode.FAILED);
    }

    private void fail(Reason reason, String cause, ExitCode exitCode) {
        if (!(state instanceof Over)) {
            loop.report(new Report.Failed(reason, Bounds.cut(cause, Bounds.CAUSE_BYTES_MAX)));
            state = new Over(exitCode);
        }
    }

    /// A bug, on whatever thread.
    void broken(Throwable bug) {
        loop.execute(() -> fail(Reason.HEALTH_FAILURE, Preparation.trace(bug), ExitCode.SOFTWARE));
    }

    @Override
    public void parentGone(String how) {
        switch (state) {
            case Serving(Life life) -> leave(life, life.made().drainTimeout(), Duration.ZERO);
            case Leaving _ -> {
                // It goes on to its end.
            }
            case Gathering _,Preparing _,Prepared _ -> state = new Over(ExitCode.FAILED);
            case Over _ -> {
                // So is this.
            }
        }
    }

    /// TERM, from any thread.
    void terminate() {
        loop.execute(() -> {
            switch (state) {
                case Serving(Life life) -> {
                    loop.report(new Report.Exiting(ExitCode.OK.code(), "it was told to end by TERM"));
                    leave(life, Duration.ZERO, Duration.ZERO).hurry();
                }
                case Leaving(_, Departure departure) -> departure.hurry();
                case Gathering _,Preparing _,Prepared _ -> {
                    loop.report(new Report.Exiting(ExitCode.OK.code(), "it was told to end by TERM before it served"));
                    state = new Over(ExitCode.OK);
                }
                case Over _ -> {
                    // So is this.
                }
            }
        });
    }

    private Departure leave(Life life, Duration timeout, Duration parting) {
        gentle.left();
        Departure departure = new Departure(life.made(), loop, life.snapshots());
        state = new Leaving(life, departure);
        departure.begin(timeout, parting, thread, this::broken);
        return departure;
    }

    // Time

    @Override
    public Duration untilDue() {
        return switch (state) {
            case Prepared(Life life) -> Duration.ofNanos(life.snapshots().nanosUntilDue());
            case Serving(Life life) ->
                Duration.ofNanos(Math.min(life.snapshots().nanosUntilDue(), gentle.nanosUntilDue()));
            case Leaving(Life life, Departure departure) ->
                Duration.ofNanos(Math.min(life.snapshots().nanosUntilDue(), departure.nanosUntilEnd()));
            case Gathering _,Preparing _,Over _ -> IDLE_MAX;
        };
    }

    @Override
    public void timePassed() {
        switch (state) {
            case Prepared(Life life) -> life.tell(loop);
            case Serving(Life life) -> {
                life.tell(loop);
                gentle.timePassed();
            }
            case Leaving(Life life, Departure departure) -> {
                life.tell(loop);
                departure.timePassed();
                ExitCode exitCode = departure.exitCode();
                if (exitCode != null) {
                    life.made().closeEvents();
                    state = new Over(exitCode);
                }
            }
            case Gathering _,Preparing _,Over _ -> {
                // Nothing is due.
            }
        }
    }

    @Override
    public boolean over() {
        return state instanceof Over;
    }

    /// How the process ends, once it is over.
    ExitCode exitCode() {
        return state instanceof Over(ExitCode exitCode) ? exitCode : ExitCode.SOFTWARE;
    }
}
