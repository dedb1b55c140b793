package io.servery.core.control;

import io.servery.core.control.Order.Listener;
import io.servery.core.control.Order.Setting;
import io.servery.core.control.ProcessFigures.Area;
import io.servery.core.control.ProcessFigures.Collected;
import io.servery.core.control.ProcessFigures.Pool;
import io.servery.core.control.ProcessFigures.Reading;
import io.servery.core.control.Report.Count;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/// Any order and any report.
final class Messages {
    private Messages() {
    }

    static Arbitrary<Order> orders() {
        return Arbitraries.oneOf(List.of(
                shards().flatMap(shards -> text(Bounds.ADDRESS_BYTES_MAX).list().ofSize(shards.size())
                        .map(addresses -> listeners(shards, addresses))),
                Combinators.combine(count(), count(), text(2_000), shards()).as(Order.Prepare::new),
                Arbitraries.of(new Order.Commit(), new Order.TakeSnapshot()),
                shards().map(Order.Adopt::new),
                Combinators.combine(Arbitraries.longs().greaterOrEqual(0), shards()).as(Order.Release::new),
                Arbitraries.longs().between(0, Bounds.DRAIN_MAX.toNanos()).flatMap(timeout -> Arbitraries.longs()
                        .between(0, timeout)
                        .map(parting -> new Order.Drain(Duration.ofNanos(timeout), Duration.ofNanos(parting)))),
                Combinators.combine(text(Bounds.KEY_BYTES_MAX), text(Bounds.VALUE_BYTES_MAX)).as(Setting::new).list()
                        .ofMinSize(1).ofMaxSize(20).uniqueElements(Setting::key).map(Order.Push::new),
                Combinators.combine(Arbitraries.longs().greaterOrEqual(0), shown().list().ofMinSize(1).ofMaxSize(5),
                        text(2_000), text(Bounds.TICKET_KEY_BYTES_MAX).list().ofMinSize(1)
                                .ofMaxSize(Bounds.TICKET_KEYS_MAX))
                        .as(Order.Identify::new),
                Combinators.combine(Arbitraries.longs().greaterOrEqual(0), challenges()).as(Order.Post::new)));
    }

    private static Arbitrary<Challenges> challenges() {
        Arbitrary<String> token = Arbitraries.strings().withCharRange('a', 'z').withChars("AZ09-_").ofMinLength(1)
                .ofMaxLength(50);
        return Combinators.combine(
                Combinators.combine(token, token).as((one, other) -> new Challenges.Http(one, one + '.' + other))
                        .list().ofMaxSize(5).uniqueElements(Challenges.Http::token),
                Combinators.combine(text(Bounds.NAME_BYTES_MAX), text(2_000), text(2_000)).as(Challenges.Alpn::new)
                        .list().ofMaxSize(5).uniqueElements(Challenges.Alpn::serverName))
                .as(Challenges::new);
    }

    private static Arbitrary<Order.Shown> shown() {
        return Combinators.combine(text(Bounds.NAME_BYTES_MAX).list().ofMaxSize(3), text(2_000), text(2_000))
                .as(Order.Shown::new);
    }

    static Arbitrary<Report> reports() {
        Arbitrary<Long> number = Arbitraries.longs().greaterOrEqual(0);
        return Arbitraries.oneOf(List.of(
                Combinators.combine(text(Bounds.BUILD_BYTES_MAX), text(Bounds.TOKEN_BYTES_MAX))
                        .as((build, token) -> new Report.Hello(Bounds.VERSION, build, token)),
                Arbitraries.of(new Report.Prepared(), new Report.Ready()),
                Combinators.combine(Arbitraries.integers().between(0, Bounds.LOOPS_MAX - 1), count(), number)
                        .as(Report.Heartbeat::new),
                Combinators.combine(number, shards()).as(Report.Released::new),
                Combinators.combine(Arbitraries.of(Report.Failed.REASONS), text(Bounds.CAUSE_BYTES_MAX))
                        .as(Report.Failed::new),
                number.map(Report.Drained::new),
                Combinators.combine(counts(), figures()).as(Report.MetricsSnapshot::new),
                Combinators.combine(Arbitraries.integers().between(0, 255), text(Bounds.CAUSE_BYTES_MAX))
                        .as(Report.Exiting::new),
                Combinators.combine(number, text(Bounds.CAUSE_BYTES_MAX)).as(Report.Identified::new),
                Combinators.combine(number, text(Bounds.CAUSE_BYTES_MAX)).as(Report.Posted::new)));
    }

    private static Arbitrary<List<Count>> counts() {
        return Combinators.combine(Arbitraries.integers().between(0, Bounds.COUNTS_MAX - 1), Arbitraries.longs())
                .as(Count::new).list().ofMaxSize(50).uniqueElements(Count::series)
                .map(counts -> counts.stream().sorted((a, b) -> Integer.compare(a.series(), b.series())).toList());
    }

    private static Arbitrary<ProcessFigures> figures() {
        Arbitrary<Long> any = Arbitraries.longs();
        Arbitrary<String> name = text(Bounds.FIGURE_NAME_BYTES_MAX);
        Arbitrary<List<Reading>> readings = Combinators
                .combine(Arbitraries.integers().between(0, ProcessFigures.KIND_MAX), any.filter(value -> value >= 0))
                .as(Reading::new).list().ofMaxSize(ProcessFigures.KIND_MAX + 1).uniqueElements(Reading::kind)
                .map(list -> list.stream().sorted((a, b) -> Integer.compare(a.kind(), b.kind())).toList());
        return Combinators.combine(count(), readings,
                Combinators.combine(name, any, any, any).as(Area::new).list().ofMaxSize(Bounds.FIGURES_MAX)
                        .uniqueElements(Area::name),
                Combinators.combine(name, any, any).as(Pool::new).list().ofMaxSize(Bounds.FIGURES_MAX)
                        .uniqueElements(Pool::name),
                Combinators.combine(name, any, any).as(Collected::new).list().ofMaxSize(Bounds.FIGURES_MAX)
                        .uniqueElements(Collected::name))
                .as(ProcessFigures::new);
    }

    private static Order listeners(List<Shard> shards, List<String> addresses) {
        return new Order.TakeListeners(IntStream.range(0, shards.size())
                .mapToObj(i -> new Listener(shards.get(i), ListenerRole.values()[i % 2], addresses.get(i))).toList());
    }

    private static Arbitrary<Integer> count() {
        return Arbitraries.integers().greaterOrEqual(0);
    }

    private static Arbitrary<List<Shard>> shards() {
        return Combinators.combine(count(), count()).as(Shard::new).set().ofMinSize(1).ofMaxSize(30)
                .map(shards -> List.copyOf(new TreeSet<>(shards)));
    }

    static Arbitrary<String> text(int bytesMax) {
        return Arbitraries.strings().all().ofMaxLength(200).map(text -> Bounds.cut(text, bytesMax));
    }
}
