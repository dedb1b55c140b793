package io.servery.interop.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/// What a service manager is to a service that it starts: the socket that it is told by (sd_notify(3)), and sockets that are
/// open already (sd_listen_fds(3)).
final class ServiceManager implements AutoCloseable {
    /// Writes what it is told, a message a line, until the end of its input.
    private static final String RECEIVER = """
            import select, socket, sys
            receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            receiver.bind(sys.argv[1])
            print("bound", flush=True)
            while True:
                ready = select.select([receiver, sys.stdin], [], [])[0]
                if receiver not in ready:
                    break
                print(receiver.recv(65536).decode().replace("\\n", "\\t"), flush=True)
            """;
    /// Executes a command that has listening sockets from descriptor 3 on; 69 where it cannot bind, as the service itself says.
    private static final String LAUNCHER = """
            import os, socket, sys
            port, count, name, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]
            opened = []
            for number in range(count):
                listening = socket.socket()
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                try:
                    listening.bind(("127.0.0.1", port))
                except OSError:
                    sys.exit(69)
                listening.listen(1024)
                opened.append(listening)
                if listening.fileno() != 3 + number:
                    os.dup2(listening.fileno(), 3 + number)
                os.set_inheritable(3 + number, True)
            os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(count), LISTEN_FDNAMES=":".join([name] * count))
            os.execvp(command[0], command)
            """;

    private static final String FED = "WATCHDOG=1";

    private final Process receiver;
    private final Path socket;
    private final Path messages;

    private ServiceManager(Process receiver, Path socket, Path messages) {
        this.receiver = receiver;
        this.socket = socket;
        this.messages = messages;
    }

    /// Returns when it hears what it is told.
    static ServiceManager listening(Path folder) {
        Path socket = folder.resolve("notify");
        Path messages = folder.resolve("notified.txt");
        try {
            ServiceManager manager = new ServiceManager(
                    new ProcessBuilder(List.of("python3", "-c", RECEIVER, socket.toString()))
                            .redirectOutput(messages.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT).start(),
                    socket, messages);
            Awaitility.await().atMost(Service.PATIENCE).until(() -> manager.lines().findFirst().isPresent());
            return manager;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Starts a service that tells this manager, and that is watched.
    Service.Starter starter(long watchdogMicros) {
        return (builder, _) -> builder.environment().putAll(
                Map.of("NOTIFY_SOCKET", socket.toString(), "WATCHDOG_USEC", Long.toString(watchdogMicros)));
    }

    /// Starts a service with so many sockets of one name, bound to its port.
    static Service.Starter sockets(int count, String name) {
        return (builder, configuration) -> builder.command(Stream.concat(
                Stream.of("python3", "-c", LAUNCHER, Integer.toString(configuration.port()), Integer.toString(count),
                        name),
                builder.command().stream()).toList());
    }

    /// Every message so far but those of the watchdog: assignments, with tabs between them.
    List<String> told() {
        return lines().skip(1).filter(message -> !message.equals(FED)).toList();
    }

    /// Whether the watchdog was fed.
    boolean fed() {
        return lines().anyMatch(FED::equals);
    }

    /// The changes of state that it was told of, in their order.
    List<String> states() {
        return told().stream().map(message -> message.split("\t", 2)[0]).filter(first -> !first.startsWith("STATUS="))
                .toList();
    }

    /// The lines that are whole.
    private Stream<String> lines() {
        try {
            String text = Files.readString(messages);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        receiver.getOutputStream().close();
        try {
            receiver.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
