package io.servery.core.metric;

import java.util.EnumSet;
import java.util.Set;

/// The label values that a service can produce: their series are exposed from the start, with zero.
///
/// A value outside the scope that is counted all the same is exposed from its first count on, so a scope that is too
/// small hides nothing.
public record MetricScope(Set<Transport> transports, Set<WorkClass> workClasses, Set<Phase> phases,
        Set<QueueName> queues, Set<CacheName> caches, Set<LogSink> sinks) {
    public MetricScope {
        transports = Set.copyOf(transports);
        workClasses = Set.copyOf(workClasses);
        phases = Set.copyOf(phases);
        queues = Set.copyOf(queues);
        caches = Set.copyOf(caches);
        sinks = Set.copyOf(sinks);
    }

    /// Files over plaintext HTTP/1.
    public static MetricScope http1Files() {
        return new MetricScope(Set.of(Transport.H1),
                Set.of(WorkClass.STATIC_SMALL, WorkClass.STATIC_STREAM, WorkClass.LISTING),
                EnumSet.complementOf(EnumSet.of(Phase.HANDSHAKE)), Set.of(QueueName.FILESYSTEM, QueueName.COMPUTE),
                EnumSet.allOf(CacheName.class), EnumSet.allOf(LogSink.class));
    }

    /// Files over HTTP/1, over TLS too.
    public static MetricScope http1FilesTls() {
        MetricScope plain = http1Files();
        return new MetricScope(plain.transports, plain.workClasses, EnumSet.allOf(Phase.class), plain.queues,
                plain.caches, plain.sinks);
    }

    /// Whether there are handshakes to count: it is so exactly when they have a deadline.
    public boolean handshakes() {
        return phases.contains(Phase.HANDSHAKE);
    }

    /// What either can produce.
    public MetricScope plus(MetricScope other) {
        return new MetricScope(union(transports, other.transports), union(workClasses, other.workClasses),
                union(phases, other.phases), union(queues, other.queues), union(caches, other.caches),
                union(sinks, other.sinks));
    }

    private static <E extends Enum<E>> Set<E> union(Set<E> left, Set<E> right) {
        if (left.isEmpty()) {
            return right;
        }
        EnumSet<E> both = EnumSet.copyOf(left);
        both.addAll(right);
        return both;
    }
}
