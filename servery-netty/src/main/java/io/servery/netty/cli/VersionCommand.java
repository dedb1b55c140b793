package io.servery.netty.cli;

import io.servery.core.fault.ExitCode;
import io.servery.core.metric.BuildInfo;
import io.servery.netty.observe.BuildVersions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `version`: what runs here.
@Command(name = "version", description = "Print the versions of servery, Java and Netty.")
final class VersionCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this.")
    private boolean help;

    VersionCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        BuildInfo build = BuildVersions.here();
        surroundings.out().println("servery " + build.version());
        surroundings.out().println("java " + build.java());
        surroundings.out().println("netty " + build.netty());
        return ExitCode.OK.code();
    }
}
