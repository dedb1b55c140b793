package io.servery.core.lifecycle;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// A text that two states share when they differ in nothing that matters for what can happen next: times are told from now,
/// and so are numbers that only grow. So the states of a machine that runs forever are finitely many.
///
/// What is past by more than the longest time that any rule looks back counts as just that long ago.
final class Canonical {
    /// Numbers that only tell things apart: their order says all, or nothing reads them.
    private static final Set<String> UNREAD = Set.of("incarnations", "generations", "reloads", "releases", "release",
            "revision", "text", "requests", "connections");

    /// Of these no more than so many matter.
    private static final Map<String, Integer> CLAMPED = Map.of("row", 3, "survivors", 1);

    private static final Map<Class<?>, List<Method>> ACCESSORS = new HashMap<>();

    private final Moment now;
    private final long pastNanosMax;
    private final List<Integer> generations;
    private final List<WorkerId> workers;
    private final StringBuilder text = new StringBuilder();

    private Canonical(Fleet fleet, Moment now, Duration pastMax) {
        this.now = now;
        this.pastNanosMax = pastMax.toNanos();
        this.generations = new ArrayList<>(new TreeSet<>(fleet.generations().map(Generation::number).toList()));
        this.workers = new ArrayList<>(new TreeSet<>(fleet.workers().map(Worker::id).toList()));
    }

    static String of(Fleet fleet, Moment now, Duration pastMax) {
        Canonical canonical = new Canonical(fleet, now, pastMax);
        canonical.append(fleet);
        return canonical.text.toString();
    }

    private void append(Object value) {
        switch (value) {
            case Moment moment -> text.append(Math.max(moment.nanos() - now.nanos(), -pastNanosMax) / 1_000_000);
            case WorkerId id -> text.append('w').append(workers.indexOf(id)).append('@').append(id.slot());
            case Plan plan -> text.append("plan").append(plan.shards());
            case Optional<?> optional -> optional.ifPresentOrElse(this::append, () -> text.append('-'));
            case Map<?, ?> map -> map.forEach((key, one) -> {
                append(key);
                append(one);
            });
            case Collection<?> all -> {
                all.forEach(this::append);
                text.append(';');
            }
            case Record one -> appendRecord(one);
            default -> text.append(value).append(',');
        }
    }

    private void appendRecord(Record one) {
        text.append(one.getClass().getSimpleName()).append('(');
        for (Method accessor : ACCESSORS.computeIfAbsent(one.getClass(), Canonical::accessors)) {
            appendComponent(one, accessor);
        }
        text.append(')');
    }

    private void appendComponent(Record one, Method accessor) {
        try {
            Object value = accessor.invoke(one);
            if (one instanceof Generation generation && accessor.getName().equals("number")) {
                text.append('g').append(generations.indexOf(generation.number()));
            } else if (value instanceof Integer count && CLAMPED.containsKey(accessor.getName())) {
                text.append(Math.min(count, CLAMPED.get(accessor.getName())));
            } else {
                append(value);
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a component of " + one.getClass(), e);
        }
    }

    private static List<Method> accessors(Class<?> type) {
        List<Method> accessors = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            boolean reload = type == Reload.Request.class && component.getName().equals("number");
            if (!reload && !UNREAD.contains(component.getName())) {
                component.getAccessor().setAccessible(true);
                accessors.add(component.getAccessor());
            }
        }
        return accessors;
    }
}
