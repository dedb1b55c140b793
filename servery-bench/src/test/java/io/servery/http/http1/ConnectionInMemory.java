package io.servery.http.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// One request through a whole connection without a socket: decoding, judging, a handler that answers at once with a plan that
/// it keeps, and writing that plan. What `HeadDecoding` has not is the writing, and the channel that it is written to.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ConnectionInMemory {
    /// 0: none; up to what is copied behind its head; more than that.
    @Param({"0", "1024", "65536"})
    private int contentBytes;

    private EmbeddedChannel channel;
    private ByteBuf request;

    @Setup
    public void prepare() {
        ResponseHead head = ResponseHead.status(200).with("Content-Type", "text/plain").with("ETag", "\"123456789\"")
                .length(contentBytes);
        ResponsePlan plan = contentBytes == 0
                ? new ResponsePlan.Empty(head)
                : new ResponsePlan.Bytes(head, new byte[contentBytes]);
        channel = new EmbeddedChannel(ConstantService.connection(plan));
        byte[] bytes = ConstantService.request(0);
        request = Unpooled.unreleasableBuffer(Unpooled.directBuffer(bytes.length).writeBytes(bytes));
    }

    @TearDown
    public void close() {
        channel.finishAndReleaseAll();
    }

    @Benchmark
    public int answered() {
        request.readerIndex(0);
        channel.writeInbound(request);
        int written = 0;
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            written += out.readableBytes();
            out.release();
        }
        if (written < contentBytes + 20) {
            throw new IllegalStateException("found " + written + " bytes of an answer with " + contentBytes);
        }
        return written;
    }
}
