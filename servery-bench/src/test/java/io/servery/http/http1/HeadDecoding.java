package io.servery.http.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.servery.http.exchange.ResponseHead;
import io.servery.http.exchange.ResponsePlan;
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
    /// How many fields come beside Host, of 40 bytes each.
    @Param({"0", "10"})
    private int fields;

    private ByteBuf bytes;
    private Http1Exchange exchange;
    private Http1Connection connection;

    @Setup
    public void prepare() {
        byte[] head = ConstantService.request(fields);
        bytes = Unpooled.directBuffer(head.length).writeBytes(head);
        exchange = new Http1Exchange();
        connection = ConstantService.connection(new ResponsePlan.Empty(ResponseHead.status(204).length(0)));
    }

    @Benchmark
    public Object decoded() {
        bytes.readerIndex(0);
        exchange.decoder.reset();
        return exchange.decoder.decode(bytes, ConstantService.LIMITS);
    }

    @Benchmark
    public Object decodedAndJudged() {
        bytes.readerIndex(0);
        exchange.reset();
        exchange.begin(connection);
        if (exchange.decoder.decode(bytes, ConstantService.LIMITS) != HeadDecoder.Progress.COMPLETE
                || exchange.judge(ConstantService.LIMITS) != null) {
            throw new IllegalStateException("the head is sound");
        }
        return exchange.path();
    }
}
