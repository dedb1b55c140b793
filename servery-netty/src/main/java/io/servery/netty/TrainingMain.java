package io.servery.netty;

import io.servery.core.fault.ExitCode;
import io.servery.netty.cli.Surroundings;
import io.servery.netty.start.SelfExec;
import io.servery.netty.worker.link.WorkerProcess;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.nio.file.Path;

/// The entry point of the process from which the build makes the ahead-of-time cache (docs/adr/0015): all the kinds of
/// processes of a service one after the other, since a cache is made of one process, and serves all. Each lives until TERM.
///
/// Nothing else runs this.
public final class TrainingMain {
    private TrainingMain() {
    }

    /// Serves a folder; is a parent; is a worker.
    ///
    /// @param args `serve`, the path of a configuration, that of a control socket, and what `serve` is to be told
    public static void main(String[] args) {
        SelfExec.replaceIfServing(TrainingMain.class, args);
        String file = args[1];
        Path control = Path.of(args[2]);
        String[] folder = new String[args.length - 2];
        folder[0] = args[0];
        System.arraycopy(args, 3, folder, 1, args.length - 3);
        Surroundings surroundings = Surroundings.ofProcess();
        succeed(Main.run(surroundings, folder));
        succeed(Main.run(surroundings, "--config", file));
        succeed(WorkerProcess.run(control, new FileInputStream(FileDescriptor.in), System.err).code());
        System.exit(ExitCode.OK.code());
    }

    private static void succeed(int code) {
        if (code != ExitCode.OK.code()) {
            System.exit(code);
        }
    }
}
