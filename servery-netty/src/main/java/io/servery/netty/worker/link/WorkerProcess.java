package io.servery.netty.worker.link;

import io.servery.core.control.Bounds;
import io.servery.core.control.Report;
import io.servery.core.fault.ExitCode;
import io.servery.launcher.OsSignal;
import io.servery.netty.observe.BuildVersions;
import io.servery.netty.start.WorkerCommand;
import io.servery.supervisor.channel.ControlChannel;
import io.servery.supervisor.channel.UnixSocket;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A process that is a worker and nothing else, from its connection to the parent to its exit code.
///
/// TERM cuts a drain short; INT and HUP, which a terminal sends to everyone in its foreground, are the parent's to act on.
public final class WorkerProcess {
    private WorkerProcess() {
    }

    /// Lives.
    ///
    /// @param control where the parent listens
    /// @param parent the standard input of this process, without a buffer: the token of the parent, then its end
    /// @param diagnostics where a failure is told that no parent can be told of
    /// @return how the process is to end; threads that hang may still run
    public static ExitCode run(Path control, InputStream parent, PrintStream diagnostics) {
        GentleLife gentle = GentleLife.begin(Boolean.getBoolean(WorkerCommand.BESIDE_OTHERS));
        OsSignal.handle("INT", () -> {
        });
        OsSignal.handle("HUP", () -> {
        });
        ExecutorService thread = Executors
                .newSingleThreadExecutor(Thread.ofPlatform().name("servery-life").daemon().factory());
        try {
            String token = ParentInput.token(parent);
            ControlLoop loop = new ControlLoop(ControlChannel.ofWorker(UnixSocket.connect(control)));
            WorkerLife life = new WorkerLife(loop, thread, gentle);
            OsSignal.handle("TERM", life::terminate);
            loop.report(new Report.Hello(Bounds.VERSION, BuildVersions.identity(), token));
            loop.run(life, new ParentInput(parent, life::parentGone));
            return life.exitCode();
        } catch (IOException e) {
            diagnostics.println("servery worker: " + e.getMessage());
            return ExitCode.FAILED;
        } catch (RuntimeException bug) {
            diagnostics.println("servery worker: " + Preparation.trace(bug));
            return ExitCode.SOFTWARE;
        } finally {
            thread.shutdownNow();
        }
    }
}
