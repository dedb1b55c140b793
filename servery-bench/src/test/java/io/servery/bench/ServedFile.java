package io.servery.bench;

import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Logging;
import io.servery.core.config.Outcome;
import io.servery.core.config.ServeryConfig;
import io.servery.core.metric.BuildInfo;
import io.servery.netty.listen.Binder;
import io.servery.netty.listen.ListenResult;
import io.servery.netty.listen.ListenerGroup;
import io.servery.netty.observe.Events;
import io.servery.netty.worker.Worker;
import io.servery.netty.worker.WorkerSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A worker in this process, made as the server makes it, with epoll, one event loop, no access log, and one file: `/1k.txt`.
final class ServedFile implements AutoCloseable {
    static final String PATH = "/1k.txt";
    static final int FILE_BYTES = 1024;
    private static final int BACKLOG = 128;
    private static final long EVENTS_END_NANOS = 1_000_000_000;

    private final Path root;
    private final ByteArrayOutputStream eventLines = new ByteArrayOutputStream();
    private final Events events = new Events(Logging.Level.WARN, true, eventLines, Clock.systemUTC());
    private final List<ListenerGroup> listeners;
    private final Worker worker;

    ServedFile() throws IOException {
        root = Files.createTempDirectory("servery-bench");
        Files.writeString(root.resolve(PATH.substring(1)), "x".repeat(FILE_BYTES));
        ServeryConfig config = config(root);
        listeners = switch (new Binder("listener", BACKLOG, 1, true).bind(config.listener().endpoint())) {
            case ListenResult.Bound(List<ListenerGroup> groups) -> groups;
            case ListenResult.Refused refused -> throw new IOException(refused.message());
        };
        worker = Worker
                .prepare(new WorkerSpec(config, WorkerSpec.shards(listeners), Map.of(), List.of(), Optional.empty(), 1,
                        true, 1,
                        new BuildInfo("bench", "25", "4.2"), events, OutputStream.nullOutputStream()));
        worker.commit();
        worker.adopt(worker.shards());
    }

    private static ServeryConfig config(Path root) {
        String text = """
                schema_version = 1
                [listener]
                host = "127.0.0.1"
                port = 0
                [logging]
                access = false
                [application]
                mode = "static"
                [application.static]
                root = "%s"
                """.formatted(root);
        return switch (Configuration.read(text.getBytes(StandardCharsets.UTF_8), new ConfigurationInputs(
                Optional.of(Path.of("servery.toml")), Map.of(), List.of(), root, false))) {
            case Outcome.Accepted accepted -> accepted.config();
            case Outcome.Refused refused -> throw new IllegalStateException(refused.faults().toString());
        };
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listeners.getFirst().address();
    }

    @Override
    public void close() throws IOException {
        try {
            worker.drain();
            events.close(EVENTS_END_NANOS);
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted while the worker drained");
        }
        Files.delete(root.resolve(PATH.substring(1)));
        Files.delete(root);
    }
}
