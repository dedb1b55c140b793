package io.servery.interop;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// One thread of another process that stands still while the others go on: stopped by a tracer (ptrace(2), PTRACE_SEIZE and
/// PTRACE_INTERRUPT), which no signal can do. It goes on when this is closed, unless its process was killed.
public final class StoppedThread implements AutoCloseable {
    /// Says `stopped`, or the number of the error; then waits for the end of its input.
    private static final String TRACER = """
            import ctypes, os, sys
            libc, tid = ctypes.CDLL(None, use_errno=True), int(sys.argv[1])
            libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
            if libc.ptrace(0x4206, tid, None, None) or libc.ptrace(0x4207, tid, None, None):
                print("errno", ctypes.get_errno(), flush=True)
                sys.exit()
            os.waitpid(tid, 0x40000000)
            print("stopped", flush=True)
            sys.stdin.read()
            libc.ptrace(17, tid, None, None)
            """;

    private final Process tracer;
    private final OutputStream hold;

    private StoppedThread(Process tracer) {
        this.tracer = tracer;
        this.hold = tracer.getOutputStream();
    }

    /// Stops the thread of a process that has this name, and returns when it stands still.
    public static StoppedThread of(OsProcess process, String name) throws IOException {
        long thread = process.thread(name);
        Process tracer = new ProcessBuilder(List.of("python3", "-c", TRACER, Long.toString(thread)))
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        StoppedThread stopped = new StoppedThread(tracer);
        BufferedReader says = tracer.inputReader(StandardCharsets.UTF_8);
        String said = String.valueOf(says.readLine());
        if (!said.equals("stopped")) {
            stopped.close();
            abort("this user may not trace processes: " + said);
        }
        return stopped;
    }

    @Override
    public void close() throws IOException {
        hold.close();
        try {
            tracer.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
