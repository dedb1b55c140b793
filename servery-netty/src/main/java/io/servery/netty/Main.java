package io.servery.netty;

import io.servery.core.config.Configuration;
import io.servery.core.config.ConfigurationInputs;
import io.servery.core.config.Logging;
import io.servery.core.config.Outcome;
import io.servery.core.metric.BuildInfo;
import io.servery.netty.observe.Events;
import io.servery.netty.run.ServiceRun;
import io.servery.netty.start.SelfExec;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/// Placeholder until the command line is there.
public final class Main {
    private Main() {
    }

    public static void main(String[] args) throws Exception {
        SelfExec.replaceIfServing(Main.class, args);
        switch (Configuration.load(new ConfigurationInputs(Optional.of(Path.of(args[1])), System.getenv(), List.of(),
                Path.of("").toAbsolutePath(), false))) {
            case Outcome.Refused refused -> {
                refused.faults().forEach(System.err::println);
                System.exit(78);
            }
            case Outcome.Accepted accepted -> {
                Events events = new Events(Logging.Level.INFO, true, System.err, Clock.systemUTC());
                System.exit(new ServiceRun(accepted.config(), new BuildInfo("0.1.0", "25", "4.2.20"), events,
                        System.err).run().code());
            }
        }
    }
}
