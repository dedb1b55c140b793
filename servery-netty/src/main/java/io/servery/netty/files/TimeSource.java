package io.servery.netty.files;

/// The clocks that files look at.
public interface TimeSource {
    /// The clocks of this machine.
    TimeSource SYSTEM = new TimeSource() {
        @Override
        public long epochMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }
    };

    /// The time of day: for dates.
    long epochMillis();

    /// A time that only goes forward, from no particular beginning: for ages.
    long nanos();

    default long epochSecond() {
        return Math.floorDiv(epochMillis(), 1000L);
    }
}
