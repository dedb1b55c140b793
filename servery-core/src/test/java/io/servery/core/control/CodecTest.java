package io.servery.core.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.servery.core.control.Decoded.Complete;
import io.servery.core.control.Decoded.Incomplete;
import io.servery.core.control.Decoded.Malformed;
import io.servery.core.metric.MethodClass;
import io.servery.core.metric.MetricRegistry;
import io.servery.core.metric.MetricScope;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.ProcessRole;
import io.servery.core.metric.ProcessSample;
import io.servery.core.metric.ProcessSample.BufferPool;
import io.servery.core.metric.ProcessSample.Collector;
import io.servery.core.metric.ProcessSample.Jvm;
import io.servery.core.metric.ProcessSample.MemoryArea;
import io.servery.core.metric.ProcessSample.OperatingSystem;
import io.servery.core.metric.QueueName;
import io.servery.core.metric.Transport;
import io.servery.core.metric.WorkClass;
import io.servery.core.reason.Reason;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The bytes of orders and reports: what is written is read as it was, and what nobody wrote is refused in words.
class CodecTest {
    private static final Shard SHARD = new Shard(1, 2);

    @Provide
    Arbitrary<Order> orders() {
        return Messages.orders();
    }

    @Provide
    Arbitrary<Report> reports() {
        return Messages.reports();
    }

    @Property(tries = 500)
    void everyOrderIsReadAsItWasWritten(@ForAll("orders") Order order) {
        ByteBuffer frame = ByteBuffer.wrap(OrderCodec.encode(order));

        assertThat(OrderCodec.decode(frame)).isEqualTo(new Complete<>(order));
        assertThat(frame.hasRemaining()).isFalse();
        assertThat(frame.capacity()).isLessThanOrEqualTo(Bounds.ORDER_BYTES_MAX);
    }

    @Property(tries = 500)
    void everyReportIsReadAsItWasWritten(@ForAll("reports") Report report) {
        ByteBuffer frame = ByteBuffer.wrap(ReportCodec.encode(report));

        assertThat(ReportCodec.decode(frame)).isEqualTo(new Complete<>(report));
        assertThat(frame.hasRemaining()).isFalse();
        assertThat(frame.capacity()).isLessThanOrEqualTo(Bounds.REPORT_BYTES_MAX);
    }

    @Property(tries = 100)
    void everyBeginningOfAFrameIsIncompleteAndLeavesTheBufferAsItWas(@ForAll("reports") Report report) {
        byte[] frame = ReportCodec.encode(report);
        for (int length = 0; length < frame.length; length++) {
            ByteBuffer beginning = ByteBuffer.wrap(frame, 0, length);
            int expected = length < Integer.BYTES ? Integer.BYTES : frame.length;
            assertThat(ReportCodec.decode(beginning)).isEqualTo(new Incomplete<>(expected));
            assertThat(beginning.position()).isZero();
        }
    }

    @Property(tries = 300)
    void frameThatEndsEarlyWithinItsFieldsIsMalformed(@ForAll("orders") Order order) {
        byte[] frame = OrderCodec.encode(order);
        for (int length = Integer.BYTES + 1; length < frame.length; length += 1 + frame.length / 50) {
            byte[] cut = Arrays.copyOf(frame, length);
            ByteBuffer.wrap(cut).putInt(length - Integer.BYTES);
            assertThat(OrderCodec.decode(ByteBuffer.wrap(cut))).isInstanceOf(Malformed.class);
        }
    }

    @Property(tries = 300)
    void orderIsNoReport(@ForAll("orders") Order order) {
        assertThat(ReportCodec.decode(ByteBuffer.wrap(OrderCodec.encode(order)))).isInstanceOf(Malformed.class);
    }

    @Property(tries = 1_000)
    void anyBytesAreJudgedWithoutAnException(@ForAll byte[] bytes) {
        ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + bytes.length).putInt(bytes.length).put(bytes).flip();

        assertThat(ReportCodec.decode(frame.duplicate())).isNotNull();
        assertThat(OrderCodec.decode(frame.duplicate())).isNotNull();
    }

    @Test
    void snapshotArrivesAsItWasTaken() {
        MetricRegistry registry = new MetricRegistry(MetricScope.http1Files());
        registry.loopShard().requestCompleted(Transport.H1, MethodClass.SAFE, 200, WorkClass.STATIC_SMALL, 1, 2, 3);
        registry.queue(QueueName.COMPUTE, 64);
        MetricSnapshot snapshot = registry.snapshot();
        byte[] frame = ReportCodec.encode(Report.MetricsSnapshot.of(snapshot));

        assertThat(ReportCodec.decode(ByteBuffer.wrap(frame))).isInstanceOfSatisfying(Complete.class,
                complete -> assertThat(((Report.MetricsSnapshot) complete.value()).snapshot(snapshot.scope()))
                        .contains(snapshot));
    }

    @Test
    void snapshotOfASeriesThatDoesNotExistIsNone() {
        Report.MetricsSnapshot unknown = new Report.MetricsSnapshot(
                List.of(new Report.Count(MetricSnapshot.SERIES, 1)));

        assertThat(unknown.snapshot(MetricScope.http1Files())).isEmpty();
        assertThat(MetricSnapshot.SERIES).isLessThan(Bounds.COUNTS_MAX);
    }

    @Test
    void sampleOfAProcessArrivesAsItWasTaken() {
        ProcessSample sample = new ProcessSample(ProcessRole.WORKER, 3,
                new OperatingSystem(OptionalDouble.of(1.25), OptionalDouble.of(1.7e9), OptionalLong.of(10),
                        OptionalLong.empty(), OptionalLong.of(1L << 33), OptionalLong.of(0)),
                new Jvm(List.of(new MemoryArea("heap", 1, 2, -1), new MemoryArea("nonheap", 3, 4, 5)),
                        List.of(new BufferPool("mapped - 'non-volatile memory'", 6, 7)),
                        List.of(new Collector("G1 Young Generation", 8, 0.5)), 9, OptionalLong.empty()));
        Report.MetricsSnapshot report = Report.MetricsSnapshot.of(MetricSnapshot.empty(MetricScope.http1Files()),
                sample);

        assertThat(ReportCodec.decode(ByteBuffer.wrap(ReportCodec.encode(report)))).isEqualTo(new Complete<>(report));
        assertThat(report.process().sample(3)).contains(sample);
        assertThat(ProcessFigures.NONE.sample(3)).isEmpty();
    }

    @Test
    void figuresBeyondTheBoundsAreLeftOut() {
        List<BufferPool> pools = IntStream.range(0, 40).mapToObj(i -> new BufferPool("p".repeat(80) + i, i, i))
                .toList();
        List<Collector> collectors = IntStream.range(0, 40).mapToObj(i -> new Collector("c" + i, i, i)).toList();
        ProcessFigures figures = ProcessFigures.of(new ProcessSample(ProcessRole.WORKER, 0,
                new OperatingSystem(OptionalDouble.of(-1), OptionalDouble.empty(), OptionalLong.empty(),
                        OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty()),
                new Jvm(List.of(), pools, collectors, 1, OptionalLong.of(-1))));

        assertThat(figures.readings()).isEmpty();
        assertThat(figures.pools()).hasSize(1);
        assertThat(figures.collectors()).hasSize(16);
    }

    @Test
    void framesFollowEachOther() {
        byte[] first = ReportCodec.encode(new Report.Prepared());
        byte[] second = ReportCodec.encode(new Report.Drained(7));
        ByteBuffer stream = ByteBuffer.allocate(first.length + second.length).put(first).put(second).flip();

        assertThat(ReportCodec.decode(stream)).isEqualTo(new Complete<>(new Report.Prepared()));
        assertThat(ReportCodec.decode(stream)).isEqualTo(new Complete<>(new Report.Drained(7)));
        assertThat(ReportCodec.decode(stream)).isEqualTo(new Incomplete<>(4));
    }

    /// Bytes in hexadecimal, and what is said about them.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            00000000                                | length: found 0; expected 1 to 262140
            0003fffd 42                             | length: found 262141; expected 1 to 262140
            ffffffff 42                             | length: found 4294967295; expected 1 to 262140
            00000001 00                             | type: found 0; expected one of this protocol
            00000001 01                             | type: found 1; expected one of this protocol
            00000001 ff                             | type: found 255; expected one of this protocol
            00000002 42 00                          | end: found 1 bytes more; expected the end of the frame
            00000005 41 00000004                    | version: found 4; expected 3
            0000000d 41 00000004 ffffffff ffffffff  | version: found 4; expected 3
            00000005 41 00000003                    | build length: found 0 bytes; expected 4
            00000009 41 00000003 00000081           | build length: found 129; expected 0 to 128
            00000009 41 00000003 00000080           | build: found 0 bytes; expected 128
            00000009 41 00000003 ffffffff           | build length: found -1; expected 0 to 128
            0000000a 41 00000003 00000001 ff        | build: found bytes that are not UTF-8
            0000000b 41 00000003 00000002 c0af      | build: found bytes that are not UTF-8
            0000000c 41 00000003 00000003 eda080    | build: found bytes that are not UTF-8
            00000011 44 00000400 00000000 0000000000000000 | loop: found 1024; expected 0 to 1023
            00000011 44 00000000 ffffffff 0000000000000000 | connections: found -1; expected 0 to 2147483647
            00000011 44 00000000 00000000 ffffffffffffffff | requests: found -1; expected 0 to 9223372036854775807
            0000000d 45 0000000000000001 00000000   | shards count: found 0; expected 1 to 4096
            0000000d 45 0000000000000001 00001001   | shards count: found 4097; expected 1 to 4096
            0000000d 45 0000000000000001 00001000   | group: found 0 bytes; expected 4
            0000001d 45 0000000000000001 00000002 0000000000000001 0000000000000001 | shards: found number 1 not above the one before; expected them ascending
            0000001d 45 0000000000000001 00000002 0000000000000001 0000000000000000 | shards: found number 1 not above the one before; expected them ascending
            00000009 46 00000000 00000000           | reason: found none that a worker gives
            00000005 48 00004001                    | counts count: found 16385; expected 0 to 16384
            00000011 48 00000001 00004000 0000000000000000 | series: found 16384; expected 0 to 16383
            00000009 48 00000000 ffffffff           | threads: found -1; expected 0 to 2147483647
            0000000d 48 00000000 00000001 00000008  | readings count: found 8; expected 0 to 7
            00000019 48 00000000 00000001 00000001 00000007 0000000000000000 | kind: found 7; expected 0 to 6
            00000019 48 00000000 00000001 00000001 00000000 ffffffffffffffff | value: found -1; expected 0 to 9223372036854775807
            00000025 48 00000000 00000001 00000002 00000000 0000000000000000 00000000 0000000000000000 | readings: found number 1 not above the one before; expected them ascending
            00000011 48 00000000 00000001 00000000 00000011 | areas count: found 17; expected 0 to 16
            00000015 48 00000000 00000001 00000000 00000000 00000011 | pools count: found 17; expected 0 to 16
            0000003d 48 00000000 00000001 00000000 00000000 00000002 00000000 00000000000000000000000000000000 00000000 00000000000000000000000000000000 | pools: found a name twice; expected each once
            00000009 49 00000100 00000000           | code: found 256; expected 0 to 255
            00000009 4b 0000000000000001            | refusal length: found 0 bytes; expected 4
            """)
    void malformedReportSaysWhatIsWrong(String bytes, String what) {
        ByteBuffer frame = ByteBuffer.wrap(HexFormat.of().parseHex(bytes.replace(" ", "")));

        assertThat(ReportCodec.decode(frame)).isEqualTo(new Malformed<Report>(what));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            001ffffd 03                             | length: found 2097149; expected 1 to 2097148
            00000001 42                             | type: found 66; expected one of this protocol
            00000009 06 7fffffffffffffff            | timeout: found 9223372036854775807; expected 0 to 86400000000000
            00000009 06 ffffffffffffffff            | timeout: found -1; expected 0 to 86400000000000
            00000005 01 000000fe                    | listeners count: found 254; expected 1 to 253
            00000005 07 00000101                    | settings count: found 257; expected 1 to 256
            00000015 07 00000002 00000000 00000000 00000000 00000000 | settings: found a key twice; expected each once
            00000015 01 00000001 00000000 00000000 00000002 00000000 | role: found 2; expected 0 to 1
            0000000d 0a 0000000000000001 00000101   | http count: found 257; expected 0 to 256
            0000001a 0a 0000000000000001 00000001 00000001 2b 00000000 00000000 | http: found a token or a key authorization that is none; expected base64url
            0000001d 0a 0000000000000001 00000001 00000001 61 00000003 612e 0a 00000000 | http: found a token or a key authorization that is none; expected base64url
            0000001d 0a 0000000000000001 00000001 00000001 61 00000003 622e 61 00000000 | http: found a token or a key authorization that is none; expected base64url
            00000029 0a 0000000000000001 00000002 00000001 61 00000003 612e 61 00000001 61 00000003 612e 62 00000000 | challenges: found a token or a server name twice; expected each once
            00000029 0a 0000000000000001 00000000 00000002 00000000 00000000 00000000 00000000 00000000 00000000 | challenges: found a token or a server name twice; expected each once
            0000000d 02 00000000 00000000 00100001  | configuration length: found 1048577; expected 0 to 1048576
            """)
    void malformedOrderSaysWhatIsWrong(String bytes, String what) {
        ByteBuffer frame = ByteBuffer.wrap(HexFormat.of().parseHex(bytes.replace(" ", "")));

        assertThat(OrderCodec.decode(frame)).isEqualTo(new Malformed<Order>(what));
    }

    /// The bytes of version 3: they change with the version alone.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0000000f 41 00000003 00000001 62 00000001 74 | Hello
            00000001 42                             | Prepared
            00000001 43                             | Ready
            00000011 44 00000001 00000002 0000000000000003 | Heartbeat
            00000015 45 0000000000000005 00000001 00000001 00000002 | Released
            """)
    void bytesOfAReportAreThese(String bytes, String name) {
        byte[] expected = HexFormat.of().parseHex(bytes.replace(" ", ""));
        Report report = switch (name) {
            case "Hello" -> new Report.Hello(3, "b", "t");
            case "Prepared" -> new Report.Prepared();
            case "Ready" -> new Report.Ready();
            case "Heartbeat" -> new Report.Heartbeat(1, 2, 3);
            default -> new Report.Released(5, List.of(SHARD));
        };

        assertThat(ReportCodec.encode(report)).isEqualTo(expected);
    }

    @Test
    void bytesOfAnOrderAreThese() {
        assertThat(OrderCodec.encode(new Order.Adopt(List.of(SHARD))))
                .isEqualTo(HexFormat.of().parseHex("0000000d" + "04" + "00000001" + "0000000100000002"));
        assertThat(OrderCodec.encode(new Order.Drain(Duration.ofNanos(9), Duration.ofNanos(8))))
                .isEqualTo(HexFormat.of().parseHex("00000011" + "06" + "0000000000000009" + "0000000000000008"));
        assertThat(OrderCodec.encode(new Order.TakeListeners(
                List.of(new Order.Listener(SHARD, ListenerRole.REDIRECT, "a"))))).isEqualTo(HexFormat.of()
                        .parseHex("00000016" + "01" + "00000001" + "0000000100000002" + "00000001" + "0000000161"));
        assertThat(OrderCodec.encode(new Order.Post(3, new Challenges(List.of(new Challenges.Http("a", "a.b")),
                List.of(new Challenges.Alpn("n", "c", "k")))))).isEqualTo(HexFormat.of()
                        .parseHex("0000002c" + "0a" + "0000000000000003" + "00000001" + "0000000161" + "00000003612e62"
                                + "00000001" + "000000016e" + "0000000163" + "000000016b"));
    }

    @Property(tries = 300)
    void textIsCutToItsBytesAtACharacter(@ForAll String text) {
        String cut = Bounds.cut(text, 20);

        assertThat(cut.getBytes(UTF_8).length).isLessThanOrEqualTo(20);
        assertThat(new String(cut.getBytes(UTF_8), UTF_8)).isEqualTo(cut);
        assertThat(new String(text.getBytes(UTF_8), UTF_8).replace('?', '\uFFFD'))
                .startsWith(cut.replace('?', '\uFFFD'));
    }

    @Test
    void whoeverSendsIsHeldToTheBounds() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Report.Hello(1, "b", "t"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Report.Failed(Reason.BAD_HOST, ""));
        assertThatIllegalArgumentException().isThrownBy(() -> new Report.Exiting(0, "\ud800"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Order.Adopt(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new Order.Adopt(List.of(SHARD, SHARD)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Order.Drain(Duration.ofDays(2), Duration.ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Order.Drain(Duration.ofSeconds(1), Duration.ofSeconds(2)));
    }

    @Test
    void secretsAreNotPrinted() {
        assertThat(new Report.Hello(3, "b", "t0ken").toString()).doesNotContain("t0ken");
        assertThat(new Order.Prepare(1, 0, "key = 's3cret'", List.of(SHARD)).toString()).doesNotContain("s3cret");
        assertThat(new Order.Post(1, new Challenges(List.of(),
                List.of(new Challenges.Alpn("a.example", "c", "s3cret")))).toString()).doesNotContain("s3cret");
        assertThat(new Order.Push(List.of(new Order.Setting("tls.key", "s3cret"))).toString())
                .doesNotContain("s3cret");
    }
}
