package io.servery.core.config;

/// The table `[logging]`: events on standard error, one line a request on standard output.
public record Logging(Level level, Format format, boolean access) {

    /// The least severe event that is written.
    public enum Level implements Choice {
        DEBUG("debug"),
        INFO("info"),
        WARN("warn"),
        ERROR("error");

        private final String word;

        Level(String word) {
            this.word = word;
        }

        @Override
        public String word() {
            return word;
        }
    }

    /// How an event is written.
    public enum Format implements Choice {
        HUMAN("human"),
        JSON("json");

        private final String word;

        Format(String word) {
            this.word = word;
        }

        @Override
        public String word() {
            return word;
        }
    }
}
