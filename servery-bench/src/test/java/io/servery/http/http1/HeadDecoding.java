package io.servery.http.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// The head of one request, from bytes in a direct buffer to facts: decoding alone, and with the judgement of the whole.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class HeadDecoding {
    private static final Http1Limits LIMITS = new Http1Limits(32 << 10, 100, 8 << 10, 1 << 20, 64 << 10, 0, 1, 1, 0, 1,
            1);
    private static final String LINE = "GET /1k.txt HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n";

    /// How many fields come beside Host, of 40 bytes each.
    @Param({"0", "10"})
    private int fields;

    private ByteBuf bytes;
    private Http1Exchange exchange;

    @Setup
    public void prepare() {
        byte[] head = (LINE + "X-Field-Name: a value of thirty bytes now\r\n".repeat(fields) + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        bytes = Unpooled.directBuffer(head.length).writeBytes(head);
        exchange = new Http1Exchange();
    }

    @Benchmark
    public Object decoded() {
        bytes.readerIndex(0);
        exchange.decoder.reset();
        return exchange.decoder.decode(bytes, LIMITS);
    }

    @Benchmark
    public Object decodedAndJudged() {
        bytes.readerIndex(0);
        exchange.reset();
        if (exchange.decoder.decode(bytes, LIMITS) != HeadDecoder.Progress.COMPLETE
                || exchange.judge(LIMITS) != null) {
            throw new IllegalStateException("the head is sound");
        }
        return exchange.path();
    }
}
