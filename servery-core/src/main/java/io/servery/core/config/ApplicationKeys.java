package io.servery.core.config;

import java.util.List;

/// The keys of `[application]`, its tables, and `[[mount]]`.
final class ApplicationKeys {
    private static final long HOUR = 3_600_000;
    private static final int PROCESSES_MAX = 1_024;

    /// What answers requests.
    enum Mode implements Choice {
        STATIC("static");

        private final String word;

        Mode(String word) {
            this.word = word;
        }

        @Override
        public String word() {
            return word;
        }
    }

    static final Key<Mode> MODE = Key
            .now("application.mode", new Words.OneOf<>(Mode.class, List.of("java", "wsgi", "asgi", "proxy", "cgi")),
                    "What answers requests: so far files alone. Only that mode's table may be present.")
            .byDefault("static");
    static final StaticFileKeys STATIC = new StaticFileKeys("application.static");
    static final Key<String> MOUNT_PATH = Key.now("mount.path", Forms.MOUNT, "Where the files are, below the root.")
            .byDefault("/static/");
    static final StaticFileKeys MOUNT = new StaticFileKeys("mount");

    static final List<Key<?>> OTHER_MODES = List.of(
            Key.later("application.java.class", Forms.TEXT, "The class of the application."),
            Key.later("application.java.classpath", new Groups.ListOf<>(new Words.FilePath(), false, 0, 1_024),
                    "Jars and directories.").byDefault("[]"),
            Key.later("application.java.blocking", new Words.Truth(), "Run it on the application lane.")
                    .byDefault("false"),
            Key.later("application.java.properties", new Groups.TableOf<>(Forms.FIELD, Forms.VALUE, 1_024),
                    "Strings for the application.").byDefault("{}"),
            Key.later("application.wsgi.target", Forms.TEXT, "\"module:attribute\"."),
            Key.later("application.wsgi.directory", new Words.FilePath(), "Where modules are found."),
            Key.later("application.wsgi.interpreter", Forms.TEXT, "The Python interpreter.").byDefault("python3"),
            Key.later("application.wsgi.processes", new Numbers.Count(1, PROCESSES_MAX), "Python processes.")
                    .byDefault("1"),
            Key.later("application.wsgi.threads", new Numbers.Count(1, PROCESSES_MAX), "Threads of each.")
                    .byDefault("8"),
            Key.later("application.asgi.target", Forms.TEXT, "\"module:attribute\"."),
            Key.later("application.asgi.directory", new Words.FilePath(), "Where modules are found."),
            Key.later("application.asgi.interpreter", Forms.TEXT, "The Python interpreter.").byDefault("python3"),
            Key.later("application.asgi.processes", new Numbers.Count(1, PROCESSES_MAX), "Python processes.")
                    .byDefault("1"),
            Key.later("application.asgi.lifespan",
                    new Words.Text("\"auto\", \"on\" or \"off\"", v -> v.matches("auto|on|off")),
                    "Whether lifespan events are sent.").byDefault("auto"),
            Key.later("application.asgi.lifespan_timeout", new Numbers.Time(0, HOUR), "How long they may take.")
                    .byDefault("5s"));

    private ApplicationKeys() {
    }
}
