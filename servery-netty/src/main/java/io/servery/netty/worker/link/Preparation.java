package io.servery.netty.worker.link;

import io.netty.channel.epoll.Epoll;
import io.servery.core.config.Logging;
import io.servery.core.config.RuntimeConfig;
import io.servery.core.config.ServeryConfig;
import io.servery.core.config.WorkerConfiguration;
import io.servery.core.control.Bounds;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.control.Shard;
import io.servery.core.fault.ExitCode;
import io.servery.core.reason.Reason;
import io.servery.netty.listen.BoundSocket;
import io.servery.netty.natives.NativeFiles;
import io.servery.netty.observe.BuildVersions;
import io.servery.netty.observe.Event;
import io.servery.netty.observe.Events;
import io.servery.netty.start.AotCache;
import io.servery.netty.start.WorkerCommand;
import io.servery.netty.worker.WarmUpException;
import io.servery.netty.worker.Worker;
import io.servery.netty.worker.WorkerSpec;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import javax.net.ssl.SSLException;

/// Makes the worker that an order to prepare describes.
///
/// *Owner*: a thread that may wait.
record Preparation(Order.Prepare order, SortedMap<Shard, BoundSocket> sockets, Map<Integer, Integer> redirects,
        Given given) {
    private static final Duration WARM_UP_MAX = Duration.ofMillis(250);
    private static final long EVENTS_END_NANOS = Duration.ofMillis(200).toNanos();

    /// What came of it.
    sealed interface Result {
    }

    /// A worker that reads nothing yet.
    ///
    /// @param carriedOut what came of what it was given to show and to answer
    record Made(Worker worker, int slot, WorkerConfiguration configuration, int eventLoops, Events events,
            List<Report> carriedOut)
            implements
                Result {
        Made {
            carriedOut = List.copyOf(carriedOut);
        }

        /// This worker, with these values in the place of those it was made from.
        ///
        /// @throws IllegalArgumentException with what is wrong in them
        Made with(List<Order.Setting> settings) {
            return new Made(worker, slot, configuration.with(settings), eventLoops, events, carriedOut);
        }

        Duration drainTimeout() {
            return configuration.config().runtime().drainTimeout();
        }

        /// The last events go out, or are lost after a moment.
        void closeEvents() {
            try {
                events.close(EVENTS_END_NANOS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// None.
    ///
    /// @param cause for people
    record Refused(Reason reason, String cause, ExitCode exitCode) implements Result {
    }

    Result run() throws InterruptedException {
        WorkerConfiguration configuration;
        try {
            configuration = WorkerConfiguration.read(order.configuration());
        } catch (IllegalArgumentException e) {
            return new Refused(Reason.INVALID_CONFIG, String.valueOf(e.getMessage()), ExitCode.FAILED);
        }
        ServeryConfig config = configuration.config();
        Events events = events(config);
        AotCache.rejection().ifPresent(events::emit);
        prepareNativeFiles(config.runtime(), events);
        if (!Epoll.isAvailable()) {
            return new Refused(Reason.STARTUP_FAILURE,
                    "runtime.transport: this system has no epoll, which workers need: " + Epoll.unavailabilityCause(),
                    ExitCode.FAILED);
        }
        int processors = Runtime.getRuntime().availableProcessors();
        int loops = config.runtime().eventLoops(processors);
        Worker worker;
        try {
            worker = Worker.prepare(new WorkerSpec(config, sockets, redirects, List.of(), given.identities(),
                    config.runtime().workers(processors), true, loops, BuildVersions.here(), events,
                    new FileOutputStream(FileDescriptor.out)));
        } catch (SSLException | IllegalArgumentException e) {
            return new Refused(Reason.INVALID_CONFIG, "tls: " + e.getMessage(), ExitCode.FAILED);
        } catch (IOException e) {
            return new Refused(Reason.INVALID_CONFIG, "application.static.root: " + e.getMessage(), ExitCode.FAILED);
        }
        try {
            worker.warmUp(WARM_UP_MAX);
            return new Made(worker, order.slot(), configuration, loops, events, carriedOut(worker));
        } catch (WarmUpException e) {
            return new Refused(Reason.APPLICATION_STARTUP_FAILURE, trace(e), ExitCode.FAILED);
        }
    }

    private List<Report> carriedOut(Worker worker) {
        List<Report> reports = new ArrayList<>();
        given.identities().ifPresent(order -> reports.add(new Report.Identified(order.number(), "")));
        given.challenges().ifPresent(order -> reports.add(posted(worker, order)));
        return reports;
    }

    /// A worker that cannot answer a challenge serves all the same.
    private static Report.Posted posted(Worker worker, Order.Post post) {
        try {
            worker.post(post.challenges()).join(); // its loops have nothing else to do yet
            return new Report.Posted(post.number(), "");
        } catch (SSLException | IllegalArgumentException e) {
            return new Report.Posted(post.number(), Bounds.cut("tls: " + e.getMessage(), Bounds.CAUSE_BYTES_MAX));
        }
    }

    private Events events(ServeryConfig config) {
        Map<String, Object> whose = new LinkedHashMap<>();
        whose.put("generation", order.generation());
        whose.put("worker", order.slot());
        // The parent decides, who knows whether a person reads them.
        boolean json = Boolean.parseBoolean(System.getProperty(WorkerCommand.JSON_EVENTS,
                Boolean.toString(config.logging().format() == Logging.Format.JSON)));
        return new Events(config.logging().level(), json,
                new FileOutputStream(FileDescriptor.err), Clock.systemUTC(), whose);
    }

    private static void prepareNativeFiles(RuntimeConfig runtime, Events events) {
        for (NativeFiles.Rejected rejected : NativeFiles.prepare(runtime.runtimeDirectory())) {
            events.emit(Event.of(Logging.Level.WARN, "natives.rejected").with("path", rejected.path().toString())
                    .with("message", rejected.message()));
        }
    }

    /// The whole of a failure, for people.
    static String trace(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        String prefix = "";
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            text.append(prefix).append(cause).append('\n');
            for (StackTraceElement frame : cause.getStackTrace()) {
                text.append("\tat ").append(frame).append('\n');
            }
            prefix = "Caused by: ";
        }
        return text.toString();
    }
}
