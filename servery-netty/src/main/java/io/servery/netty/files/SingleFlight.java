package io.servery.netty.files;

import io.servery.netty.lane.Lane;
import io.servery.netty.lane.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Work that is done once for all who ask for the same thing meanwhile: who comes first sends it to a lane, the others wait
/// for it instead of filling the lane's queue.
///
/// *Owner*: event loops join, the lane works. *Invariant*: whoever was taken aboard is told once, by the task.
final class SingleFlight<K, P> {
    private final ConcurrentHashMap<K, Flight> flights = new ConcurrentHashMap<>();
    private final Lane lane;
    private final int followersMax;

    /// @param followersMax how many wait for one thing beside the one who came first
    SingleFlight(Lane lane, int followersMax) {
        this.lane = lane;
        this.followersMax = followersMax;
    }

    /// What is done, and how those who wait for it are told. All but `refuse` are called by the lane.
    interface Task<P> {
        /// Does the work and tells everyone aboard, or hands that on to another lane.
        ///
        /// @param landing ends the boarding, and says who is aboard, in the order in which they came; to be called once, by whoever tells them
        void run(Supplier<List<P>> landing);

        /// The lane was closed before the work began.
        void discard(List<P> aboard);

        /// There was no room for the work, which somebody waits for who came second.
        void refuse(P follower);
    }

    /// Has the task done, or waits with others for theirs.
    ///
    /// @param bytes what the work is charged with
    /// @return false when there is no room: nobody will tell the passenger anything
    boolean join(K key, P passenger, long bytes, Task<P> task) {
        while (true) {
            Flight own = new Flight(key, passenger, task);
            Flight flight = flights.putIfAbsent(key, own);
            if (flight == null) {
                return start(own, bytes);
            }
            Boarding boarding = flight.board(passenger);
            if (boarding != Boarding.TOO_LATE) {
                return boarding == Boarding.ABOARD;
            }
        }
    }

    private boolean start(Flight flight, long bytes) {
        if (lane.offer(flight, bytes)) {
            return true;
        }
        // Whoever boarded in between found no room either.
        List<P> aboard = flight.land();
        aboard.subList(1, aboard.size()).forEach(flight.task::refuse);
        return false;
    }

    private enum Boarding {
        ABOARD,
        FULL,
        TOO_LATE
    }

    private final class Flight implements Work {
        private final K key;
        private final Task<P> task;
        private final List<P> aboard = new ArrayList<>(1);
        private boolean landed;

        Flight(K key, P first, Task<P> task) {
            this.key = key;
            this.task = task;
            aboard.add(first);
        }

        synchronized Boarding board(P passenger) {
            if (landed) {
                return Boarding.TOO_LATE;
            }
            if (aboard.size() > followersMax) {
                return Boarding.FULL;
            }
            aboard.add(passenger);
            return Boarding.ABOARD;
        }

        synchronized List<P> land() {
            landed = true;
            flights.remove(key, this);
            return aboard;
        }

        @Override
        public void run() {
            task.run(this::land);
        }

        @Override
        public void discard() {
            task.discard(land());
        }
    }
}
