package io.servery.bench;

import java.io.IOException;
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

/// A request for 1 KiB over a kept connection, from the client's write to its last read, over the loopback. With `-prof gc`
/// its `gc.alloc.rate.norm` is what the whole process allocates for a request; the client allocates nothing.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class SmallFileBenchmark {
    /// Whose request it is.
    public enum Sender {
        GENERATOR(Requests.SHORT),
        BROWSER(Requests.BROWSER);

        private final String head;

        Sender(String head) {
            this.head = head;
        }
    }

    @Param
    private Sender sender;

    private ServedFile server;
    private SilentClient client;

    @Setup
    public void start() throws IOException {
        server = new ServedFile();
        client = new SilentClient(server.address(), sender.head);
    }

    @TearDown
    public void stop() throws Exception {
        client.close();
        server.close();
    }

    @Benchmark
    public int keptConnection() throws IOException {
        return client.ask();
    }
}
