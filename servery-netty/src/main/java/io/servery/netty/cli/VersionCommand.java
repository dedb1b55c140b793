package io.servery.netty.cli;

import io.netty.util.Version;
import io.servery.core.fault.ExitCode;
import java.util.Map;
import java.util.Optional;
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
        String own = Optional.ofNullable(VersionCommand.class.getPackage().getImplementationVersion())
                .orElse("development");
        surroundings.out().println("servery " + own);
        surroundings.out().println("java " + Runtime.version());
        surroundings.out().println("netty " + netty());
        return ExitCode.OK.code();
    }

    /// The native files have a version of their own, so the Java modules are asked for.
    private static String netty() {
        Map<String, Version> known = Version.identify(VersionCommand.class.getClassLoader());
        Optional<Version> common = Optional.ofNullable(known.get("netty-common"));
        return common.or(() -> known.values().stream().filter(v -> !v.artifactId().contains("native")).findFirst())
                .map(Version::artifactVersion).orElse("of unknown version");
    }
}
