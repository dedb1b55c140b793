package io.servery.core.lifecycle;

import io.servery.core.control.Bounds;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.lifecycle.Effect.Severity;
import io.servery.core.reason.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/// A worker as it may be: what it does next is drawn, and done later, unless it stands still or is dead by then.
final class FakeProcess {
    private static final Duration BEAT = Duration.ofMillis(450);
    private static final int SIGKILL = 9;

    static final int TROUBLE_MAX = 4;

    private final Simulation host;
    private final WorkerId id;
    private final int trouble;
    private final Random random;
    private final boolean bad;
    private final boolean ignoresTerm;
    private final boolean unkillable;
    private final Set<Shard> reading = new HashSet<>();
    /// Told to stop reading, and not yet come to it.
    private final Map<Long, List<Shard>> toRelease = new HashMap<>();
    private Moment stillUntil;
    private Moment obeyedUntil;
    private boolean serves;
    private boolean draining;
    private boolean channel;
    private boolean dead;
    private long requests;

    /// @param trouble how much goes wrong, from 0 to [#TROUBLE_MAX]
    /// @param bad whether its configuration makes it fail again and again
    FakeProcess(Simulation host, WorkerId id, int trouble, boolean bad) {
        this.host = host;
        this.trouble = trouble;
        this.random = host.random();
        this.id = id;
        this.bad = bad;
        this.ignoresTerm = fault(6);
        this.unkillable = fault(8);
        this.stillUntil = host.now();
        this.obeyedUntil = host.now();
        if (fault(60)) {
            dead = true;
            host.after(millis(20), () -> host.notice(new Event.SpawnFailed(host.now(), id, "no memory")));
        } else if (!fault(40)) {
            later(millis(400), this::connect);
        }
        if (fault(25)) {
            later(millis(3_000), this::crash);
        }
    }

    boolean isDead() {
        return dead;
    }

    boolean isUnkillable() {
        return unkillable;
    }

    boolean isWell() {
        return !dead && serves && stillUntil.isReached(host.now());
    }

    boolean reads(Shard shard) {
        return reading.contains(shard) && toRelease.values().stream().noneMatch(shards -> shards.contains(shard));
    }

    // Orders

    void prepare() {
        if (fault(bad ? 4 : 40)) {
            later(millis(500), () -> report(new Report.Failed(Reason.APPLICATION_STARTUP_FAILURE, "no module")));
        } else if (!fault(50)) {
            later(millis(fault(8) ? 4_000 : 600), () -> report(new Report.Prepared()));
        }
    }

    void obey(Order order) {
        if (dead) {
            return;
        }
        switch (order) {
            case Order.Commit() -> {
                if (!fault(60)) {
                    later(millis(100), this::serve);
                }
            }
            case Order.Adopt(List<Shard> shards) -> inTurn(() -> reading.addAll(shards));
            case Order.Release(long number, List<Shard> shards) -> {
                toRelease.put(number, shards);
                inTurn(() -> release(number, shards));
            }
            case Order.Drain _ -> {
                draining = true;
                later(millis(300), () -> release(0, new ArrayList<>(reading)));
                later(millis(fault(4) ? 4_000 : 800), this::drained);
            }
            case Order.TakeListeners _,Order.Prepare _,Order.Push _,Order.TakeSnapshot _,Order.Identify _,Order.Post _ ->
                throw new AssertionError("an order that is not the machine's to send: " + order);
        }
    }

    void signal(Severity severity) {
        if (dead) {
            return;
        }
        switch (severity) {
            case TERM -> {
                if (!ignoresTerm) {
                    later(millis(300), () -> exit(new ExitStatus.Code(143)));
                }
            }
            case KILL -> {
                if (unkillable) {
                    // The kernel holds it: it runs no more, and is there.
                    stillUntil = host.now().plus(Duration.ofDays(1));
                } else {
                    host.after(millis(50), () -> exit(new ExitStatus.Signal(SIGKILL)));
                }
            }
        }
    }

    // What it does

    private void connect() {
        channel = true;
        report(new Report.Hello(Bounds.VERSION, "build", "token"));
    }

    private void serve() {
        serves = true;
        report(new Report.Ready());
        for (int loop = 0; loop < host.eventLoops(id); loop++) {
            beat(loop);
        }
        if (bad ? random.nextBoolean() : fault(8)) {
            later(millis(bad ? 500 : 12_000), this::crash);
        }
        if (fault(5)) {
            later(millis(12_000), this::standStill);
        }
    }

    private void beat(int loop) {
        report(new Report.Heartbeat(loop, 1, requests += random.nextInt(4)));
        later(BEAT, () -> beat(loop));
    }

    private void release(long number, List<Shard> shards) {
        shards.forEach(reading::remove);
        toRelease.remove(number);
        if (!shards.isEmpty() && !dead) {
            report(new Report.Released(number, shards.stream().sorted().toList()));
        }
    }

    private void drained() {
        if (draining) {
            report(new Report.Drained(0));
            later(millis(100), () -> exit(new ExitStatus.Code(0)));
        }
    }

    private void crash() {
        if (random.nextBoolean() && channel) {
            channel = false;
            host.notice(new Event.ChannelClosed(host.now(), id, "closed its control channel"));
        }
        host.after(millis(20), () -> exit(new ExitStatus.Code(1)));
    }

    private void standStill() {
        stillUntil = host.now().plus(millis(5_000));
    }

    private void report(Report report) {
        if (channel) {
            host.notice(new Event.Reported(host.now(), id, report));
        }
    }

    private void exit(ExitStatus status) {
        if (!dead) {
            dead = true;
            serves = false;
            reading.clear();
            host.notice(new Event.Exited(host.now(), id, status));
        }
    }

    /// Orders are obeyed as they came: none overtakes another.
    private void inTurn(Runnable what) {
        Moment soon = host.now().plus(millis(5));
        obeyedUntil = soon.compareTo(obeyedUntil) > 0 ? soon : obeyedUntil;
        later(obeyedUntil.since(host.now()), what);
    }

    /// When it has come round to it.
    private void later(Duration delay, Runnable what) {
        host.after(delay, () -> whenItTurns(what));
    }

    private void whenItTurns(Runnable what) {
        if (dead) {
            return;
        }
        if (stillUntil.isReached(host.now())) {
            what.run();
        } else {
            host.after(stillUntil.since(host.now()), () -> whenItTurns(what));
        }
    }

    private Duration millis(int max) {
        return Duration.ofMillis(1 + random.nextInt(max));
    }

    /// Something that goes wrong: more often in some lives than in others, and in some never.
    private boolean fault(int oneIn) {
        return trouble > 0 && random.nextInt(oneIn * TROUBLE_MAX / trouble) == 0;
    }

    @Override
    public String toString() {
        return id + (dead ? " dead" : "") + (serves ? " serving" : "") + (draining ? " draining" : "");
    }
}
