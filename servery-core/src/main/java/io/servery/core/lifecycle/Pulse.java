package io.servery.core.lifecycle;

import io.servery.core.control.Report.Heartbeat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// When each event loop of a worker was heard last, and what it said.
public record Pulse(List<Beat> loops) {

    public Pulse {
        loops = List.copyOf(loops);
    }

    /// What was heard of one loop.
    ///
    /// @param connections open on that loop
    /// @param requests completed by it since the worker began
    public record Beat(Moment heard, int connections, long requests) {
    }

    /// All loops heard now, nothing said.
    static Pulse of(int loops, Moment now) {
        return new Pulse(Collections.nCopies(loops, new Beat(now, 0, 0)));
    }

    boolean knows(int loop) {
        return loop < loops.size();
    }

    /// Whether this loop said the same the last time.
    boolean repeats(Heartbeat beat) {
        Beat last = loops.get(beat.loop());
        return last.connections() == beat.connections() && last.requests() == beat.requests();
    }

    Pulse heard(Heartbeat beat, Moment now) {
        List<Beat> next = new ArrayList<>(loops);
        next.set(beat.loop(), new Beat(now, beat.connections(), beat.requests()));
        return new Pulse(next);
    }

    /// The same as if all loops had been heard now.
    Pulse anew(Moment now) {
        return new Pulse(loops.stream().map(beat -> new Beat(now, beat.connections(), beat.requests())).toList());
    }

    /// When the loop that is silent the longest was heard.
    Moment oldest() {
        Moment oldest = loops.getFirst().heard();
        for (Beat beat : loops) {
            oldest = oldest.orEarlier(beat.heard());
        }
        return oldest;
    }

    public long connections() {
        return loops.stream().mapToLong(Beat::connections).sum();
    }

    public long requests() {
        return loops.stream().mapToLong(Beat::requests).sum();
    }
}
