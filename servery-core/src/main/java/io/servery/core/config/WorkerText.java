package io.servery.core.config;

import io.servery.core.fault.Place;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The text of a configuration for workers: one key a line, each value as its type writes it, then the mounts.
///
/// Reading it is a part of every start of a worker: one pass, no index of places, no layers.
final class WorkerText {
    private static final String SEPARATOR = " = ";
    private static final String MOUNT_HEADER = "[[" + KeyTable.MOUNT + "]]";

    private final String text;
    private final Values values = new Values();
    private final List<Values> mounts = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private int line;

    WorkerText(String text) {
        this.text = text;
    }

    WorkerConfiguration read() {
        int at = 0;
        while (at < text.length()) {
            int end = text.indexOf('\n', at);
            line++;
            if (end < 0) {
                throw refusal("line " + line, "the end of the text", "the end of the line");
            }
            line(text.substring(at, end));
            at = end + 1;
        }
        endScope();
        return new WorkerConfiguration(values, mounts);
    }

    private void line(String content) {
        if (content.equals(MOUNT_HEADER)) {
            endScope();
            mounts.add(new Values());
            return;
        }
        int separator = content.indexOf(SEPARATOR);
        String name = separator < 0 ? "" : content.substring(0, separator);
        Key<?> key = key(name).filter(one -> one.isForWorkers() && seen.add(one.path()))
                .orElseThrow(() -> refusal("line " + line, "`" + Printable.shown(name) + "`",
                        "a key that workers have, and each once"));
        scope().put(key, value(key, content.substring(separator + SEPARATOR.length()), "line " + line));
    }

    private Values scope() {
        return mounts.isEmpty() ? values : mounts.getLast();
    }

    private Optional<Key<?>> key(String name) {
        return mounts.isEmpty() ? KeyTable.single(name) : KeyTable.inElement(KeyTable.MOUNT + "." + name);
    }

    /// The value that these words are.
    ///
    /// *Invariant*: written again, it is the same words. So a relative path, or `1000` where we write `"1000KiB"`, is none.
    static <T> Values.Value value(Key<T> key, String words, String at) {
        Where where = new Where.Outside(new Place.Named(at));
        Reading reading = new Reading(key.path(), Path.of("/"), Map.of(), Profile.LOCAL, new Faults());
        T value = PlainToml.read(words, where).flatMap(raw -> key.type().read(raw, reading))
                .filter(read -> key.type().write(read).equals(words))
                .orElseThrow(() -> refusal(at, "`" + key.path() + SEPARATOR + Printable.shown(words) + "`",
                        key.type().description() + ", as this build writes it"));
        return Values.Value.byDefault(Optional.of(value));
    }

    /// What always has a value must have one; what may be absent, and what workers do not have, is absent.
    private void endScope() {
        Iterable<Key<?>> keys = mounts.isEmpty() ? KeyTable.single() : KeyTable.element(KeyTable.MOUNT);
        for (Key<?> key : keys) {
            if (!seen.contains(key.path())) {
                scope().put(key, absent(key));
            }
        }
        seen.clear();
    }

    private Values.Value absent(Key<?> key) {
        if (key.isForWorkers() && isRequired(key)) {
            throw refusal("line " + line, "no `" + key.path() + "`", "it before");
        }
        return Values.Value.byDefault(key.equals(MetricsKeys.ENABLED) ? Optional.of(false) : Optional.empty());
    }

    private boolean isRequired(Key<?> key) {
        if (key.equals(KeyTable.SCHEMA_VERSION) || key.equals(KeyTable.PROFILE)) {
            return true;
        }
        boolean replaced = Effective.LISTENER_ADDRESS.contains(key.path())
                && (seen.contains(ListenerKeys.UNIX.path()) || seen.contains(ListenerKeys.INHERIT.path()));
        return key.byDefault().of(values.of(KeyTable.PROFILE)) != null && !replaced;
    }

    private static IllegalArgumentException refusal(String at, String found, String expected) {
        return new IllegalArgumentException(
                "worker configuration: " + at + ": found " + found + "; expected " + expected);
    }
}
