package io.servery.netty;

import io.servery.core.fault.ExitCode;
import io.servery.netty.worker.link.WorkerProcess;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.nio.file.Path;

/// The entry point of a worker process, which a parent starts.
public final class WorkerMain {
    private WorkerMain() {
    }

    /// @param args the path of the control socket
    public static void main(String[] args) {
        if (args.length != 1) {
            System.err.println("servery worker: found " + args.length
                    + " arguments; expected the path of a control socket: a service starts its workers itself");
            System.exit(ExitCode.USAGE.code());
        }
        ExitCode code = ExitCode.SOFTWARE;
        try {
            code = WorkerProcess.run(Path.of(args[0]), new FileInputStream(FileDescriptor.in), System.err);
        } finally {
            System.exit(code.code());
        }
    }
}
