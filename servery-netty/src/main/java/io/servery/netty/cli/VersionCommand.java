package io.servery.netty.cli;

import io.servery.core.fault.ExitCode;
import io.servery.core.metric.BuildInfo;
import io.servery.netty.observe.BuildVersions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `version`: what runs here.
@Command(name = "version", description = "Print the versions of servery, Java and Netty.")
final class VersionCommand implements Callable<Integer> {
    private final Surroundings surroundings;

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
