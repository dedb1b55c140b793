package io.servery.core.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The types of keys that are quantities: counts, sizes, durations, shares.
final class Numbers {

    private Numbers() {
    }

    /// A whole number.
    record Count(Bounds limits) implements ValueType<Integer> {
        Count(int min, int max) {
            this(new Bounds(min, max));
        }

        @Override
        public Optional<Integer> read(Raw raw, Reading reading) {
            return raw instanceof Raw.Scalar(Long number, _) && limits.admit(number)
                    ? Optional.of((int) (long) number)
                    : reading.refuse(raw, description());
        }

        @Override
        public String write(Integer value) {
            return value.toString();
        }

        @Override
        public String description() {
            return limits.min() == limits.max()
                    ? Long.toString(limits.min())
                    : "a whole number from " + limits.min() + " to " + limits.max();
        }

        @Override
        public Bare bare() {
            return Bare.NUMBER;
        }

        @Override
        public Optional<Bounds> bounds() {
            return Optional.of(limits);
        }
    }

    /// A whole number or the word "auto", which is empty.
    record AutoOrCount(Count count) implements ValueType<OptionalInt> {
        private static final String AUTO = "auto";

        @Override
        public Optional<OptionalInt> read(Raw raw, Reading reading) {
            if (raw instanceof Raw.Scalar(String word, _) && word.equals(AUTO)) {
                return Optional.of(OptionalInt.empty());
            }
            return raw instanceof Raw.Scalar(Long number, _) && count.limits().admit(number)
                    ? Optional.of(OptionalInt.of((int) (long) number))
                    : reading.refuse(raw, description());
        }

        @Override
        public String write(OptionalInt value) {
            return value.isPresent() ? Integer.toString(value.getAsInt()) : Words.quote(AUTO);
        }

        @Override
        public String description() {
            return "\"auto\" or " + count.description();
        }

        @Override
        public Bare bare() {
            return Bare.NUMBER;
        }

        @Override
        public Optional<Bounds> bounds() {
            return count.bounds();
        }
    }

    /// Bytes: a number, or a string with a unit.
    record Size(Bounds limits) implements ValueType<Long> {
        private static final Pattern FORM = Pattern.compile("([0-9]{1,18}) ?([A-Za-z]+)");
        private static final Map<String, Long> UNITS = Map.of("B", 1L, "KB", 1_000L, "MB", 1_000_000L, "GB",
                1_000_000_000L, "TB", 1_000_000_000_000L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30, "TiB",
                1L << 40);
        private static final String EXPECTED = "bytes as a number or with a unit, such as \"64KiB\" or \"1GB\"";

        Size(long min, long max) {
            this(new Bounds(min, max));
        }

        @Override
        public Optional<Long> read(Raw raw, Reading reading) {
            if (raw instanceof Raw.Scalar(Long number, _)) {
                return within(number, raw, reading);
            }
            if (!(raw instanceof Raw.Scalar(String text, _))) {
                return reading.refuse(raw, EXPECTED);
            }
            Matcher form = FORM.matcher(text);
            if (!form.matches()) {
                return reading.refuse(raw, EXPECTED);
            }
            Long unit = UNITS.get(form.group(2));
            if (unit == null) {
                return reading.refuse(raw, raw.found(), EXPECTED, "units are B, KB, MB, GB, TB, KiB, MiB, GiB, TiB");
            }
            return scaled(Long.parseLong(form.group(1)), unit).map(bytes -> within(bytes, raw, reading))
                    .orElseGet(() -> reading.refuse(raw, description()));
        }

        private Optional<Long> within(long bytes, Raw raw, Reading reading) {
            return limits.admit(bytes) ? Optional.of(bytes) : reading.refuse(raw, description());
        }

        @Override
        public String write(Long value) {
            return largest(value).map(Words::quote).orElseGet(value::toString);
        }

        @Override
        public String description() {
            return "a size from " + shown(limits.min()) + " to " + shown(limits.max());
        }

        static String shown(long bytes) {
            return largest(bytes).orElseGet(() -> Long.toString(bytes));
        }

        private static Optional<String> largest(long bytes) {
            for (String unit : new String[]{"TiB", "GiB", "MiB", "KiB"}) {
                long size = UNITS.getOrDefault(unit, 1L);
                if (bytes != 0 && bytes % size == 0) {
                    return Optional.of(bytes / size + unit);
                }
            }
            return Optional.empty();
        }

        @Override
        public Bare bare() {
            return Bare.NUMBER;
        }

        @Override
        public Optional<Bounds> bounds() {
            return Optional.of(limits);
        }
    }

    /// A time: a number of seconds, or a string with a unit. Milliseconds are the finest.
    record Time(Bounds limits) implements ValueType<Duration> {
        private static final Pattern FORM = Pattern.compile("([0-9]{1,18}) ?([A-Za-z]+)");
        private static final Map<String, Long> UNITS = Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d",
                86_400_000L);
        private static final String EXPECTED = "seconds as a number or a time with a unit, such as \"250ms\" or \"5m\"";
        private static final double SECONDS_MAX = 1e12;

        /// @param min in milliseconds
        /// @param max in milliseconds
        Time(long min, long max) {
            this(new Bounds(min, max));
        }

        @Override
        public Optional<Duration> read(Raw raw, Reading reading) {
            if (!(raw instanceof Raw.Scalar(Object value, _))) {
                return reading.refuse(raw, EXPECTED);
            }
            return switch (value) {
                case Long seconds -> within(scaled(seconds, 1_000), raw, reading);
                case Double seconds -> within(millis(seconds), raw, reading);
                case String text -> units(text, raw, reading);
                default -> reading.refuse(raw, EXPECTED);
            };
        }

        private Optional<Duration> units(String text, Raw raw, Reading reading) {
            Matcher form = FORM.matcher(text);
            if (!form.matches()) {
                return reading.refuse(raw, EXPECTED);
            }
            Long unit = UNITS.get(form.group(2));
            return unit == null
                    ? reading.refuse(raw, raw.found(), EXPECTED, "units are ms, s, m, h, d")
                    : within(scaled(Long.parseLong(form.group(1)), unit), raw, reading);
        }

        private Optional<Duration> within(Optional<Long> millis, Raw raw, Reading reading) {
            return millis.isPresent() && limits.admit(millis.get())
                    ? millis.map(Duration::ofMillis)
                    : reading.refuse(raw, description());
        }

        private static Optional<Long> millis(double seconds) {
            if (!(Math.abs(seconds) < SECONDS_MAX)) {
                return Optional.empty();
            }
            try {
                return Optional.of(BigDecimal.valueOf(seconds).movePointRight(3).longValueExact());
            } catch (ArithmeticException _) {
                return Optional.empty();
            }
        }

        @Override
        public String write(Duration value) {
            return Words.quote(shown(value.toMillis()));
        }

        @Override
        public String description() {
            return "a time from " + shown(limits.min()) + " to " + shown(limits.max());
        }

        static String shown(long millis) {
            for (String unit : new String[]{"d", "h", "m", "s"}) {
                long length = UNITS.getOrDefault(unit, 1L);
                if (millis != 0 && millis % length == 0) {
                    return millis / length + unit;
                }
            }
            return millis == 0 ? "0s" : millis + "ms";
        }

        @Override
        public Bare bare() {
            return Bare.NUMBER;
        }

        @Override
        public Optional<Bounds> bounds() {
            return Optional.of(limits);
        }
    }

    /// A share from 0 to 1.
    record Share() implements ValueType<Double> {
        @Override
        public Optional<Double> read(Raw raw, Reading reading) {
            return switch (raw) {
                case Raw.Scalar(Double share, _) when share >= 0 && share <= 1 -> Optional.of(share);
                case Raw.Scalar(Long share, _) when share == 0 || share == 1 -> Optional.of((double) share);
                case Raw.Scalar _,Raw.Sequence _,Raw.Table _ -> reading.refuse(raw, description());
            };
        }

        @Override
        public String write(Double value) {
            return value.toString();
        }

        @Override
        public String description() {
            return "a number from 0 to 1";
        }

        @Override
        public Bare bare() {
            return Bare.NUMBER;
        }
    }

    private static Optional<Long> scaled(long number, long unit) {
        try {
            return Optional.of(Math.multiplyExact(number, unit));
        } catch (ArithmeticException _) {
            return Optional.empty();
        }
    }
}
