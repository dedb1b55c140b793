package io.servery.netty;

import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Logging;
import io.servery.core.config.Outcome;
import io.servery.core.config.RuntimeConfig.Transport;
import io.servery.core.config.ServeryConfig;
import io.servery.core.fault.ExitCode;
import io.servery.netty.cli.Commands;
import io.servery.netty.cli.StartOptions;
import io.servery.netty.cli.Surroundings;
import io.servery.netty.observe.BuildVersions;
import io.servery.netty.observe.Events;
import io.servery.netty.run.ParentRun;
import io.servery.netty.run.ServiceRun;
import io.servery.netty.start.HeapNeed;
import io.servery.netty.start.SelfExec;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// The composition root: the command line, wired to the service that it starts.
///
/// Under a Java older than 25 the launcher starts this in a JVM of its own; a command that serves replaces this JVM once by
/// one with the flags that serving needs.
public final class Main {
    /// Where a value comes from when nobody chose it.
    private static final Set<String> NOT_CHOSEN = Set.of("default", "profile local", "profile production");

    /// How long the end waits for whoever should read the last events.
    private static final long EVENTS_END_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Surroundings surroundings;
    private final String[] args;

    private Main(Surroundings surroundings, String[] args) {
        this.surroundings = surroundings;
        this.args = args;
    }

    public static void main(String[] args) {
        SelfExec.replaceIfServing(Main.class, args);
        System.exit(run(Surroundings.ofProcess(), args));
    }

    /// Does what the words say.
    ///
    /// @return the exit code of the process
    static int run(Surroundings surroundings, String... args) {
        return new Commands(new Main(surroundings, args)::launch, surroundings).execute(args);
    }

    private int launch(ServeryConfig config, StartOptions options) {
        boolean supervised = options.file().isPresent() && config.runtime().transport() != Transport.NIO
                && System.getProperty("os.name").equals("Linux");
        if (!supervised) {
            SelfExec.enlargeHeap(Main.class, args, HeapNeed.bytes(config.resources()));
        }
        Events events = new Events(config.logging().level(), eventsAsJson(config, options),
                new FileOutputStream(FileDescriptor.err), Clock.systemUTC());
        try {
            ExitCode code = supervised
                    ? parent(config, options, events).run()
                    : new ServiceRun(config, BuildVersions.here(), events, surroundings.err()).run();
            events.close(EVENTS_END_NANOS);
            return code.code();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED.code();
        }
    }

    /// A file describes a service: its parent, and workers. A folder is served by this process alone, and so is everything
    /// by NIO, which cannot take over a socket that another process made.
    private ParentRun parent(ServeryConfig config, StartOptions options, Events events) {
        ConfigurationInputs inputs = new ConfigurationInputs(options.file(), surroundings.environment(),
                options.settings(), surroundings.workingDirectory(), options.unsafeDevelopmentTls());
        return new ParentRun(new Outcome.Accepted(config, options.effective()), options.file().orElseThrow(),
                () -> Configuration.load(inputs), WorkerMain.class, events, surroundings.err());
    }

    /// A format that was chosen holds; else people get lines on a terminal and anything else gets JSON.
    private boolean eventsAsJson(ServeryConfig config, StartOptions options) {
        boolean chosen = options.effective().origin("logging.format").filter(origin -> !NOT_CHOSEN.contains(origin))
                .isPresent();
        boolean json = config.logging().format() == Logging.Format.JSON;
        return chosen ? json : json || !surroundings.errIsTerminal();
    }
}
