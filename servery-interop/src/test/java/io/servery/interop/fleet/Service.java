package io.servery.interop.fleet;

import io.servery.interop.Answer;
import io.servery.interop.OsProcess;
import io.servery.interop.ServeryProcess;
import io.servery.interop.WireConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/// One running service: the parent, its workers, its configuration file, and all that it lets be seen.
public final class Service implements AutoCloseable {
    /// For whatever has no bound of its own in the contract, on a busy machine.
    public static final Duration PATIENCE = Duration.ofSeconds(60);
    static final int CANNOT_BIND = 69;
    private static final Duration POLL = Duration.ofMillis(20);
    private static final int TRIES = 5;

    private final Process process;
    private final Starter starter;
    private final Path file;
    private final Path errors;
    /// Every worker that was ever seen, so that none outlives its test.
    private final Set<ProcessHandle> seen = ConcurrentHashMap.newKeySet();
    private Configuration configuration;

    private Service(Process process, Starter starter, Path file, Path errors, Configuration configuration) {
        this.process = process;
        this.starter = starter;
        this.file = file;
        this.errors = errors;
        this.configuration = configuration;
    }

    /// What a service is started by, such as a service manager.
    @FunctionalInterface
    interface Starter {
        Starter PLAIN = (_, _) -> {
        };

        /// Changes the environment, or the command to one that executes it.
        void prepare(ProcessBuilder builder, Configuration configuration);

        /// The parent of the workers, where what was started is a process before it.
        default OsProcess parent(OsProcess started) {
            return started;
        }
    }

    /// Starts a service on free ports and waits until it is ready.
    public static Service start(Configuration wanted) {
        return start(wanted, Starter.PLAIN);
    }

    static Service start(Configuration wanted, Starter starter) {
        for (int attempt = 1;; attempt++) {
            Service service = launch(wanted.ports(ServeryProcess.freePort(), ServeryProcess.freePort()), starter);
            if (service.becomesReady()) {
                return service;
            }
            if (service.process.exitValue() != CANNOT_BIND || attempt == TRIES) {
                throw new AssertionError("the service ended with " + service.process.exitValue()
                        + " instead of serving:\n" + service.errorText());
            }
        }
    }

    private boolean becomesReady() {
        try {
            await("a service that is ready", () -> !alive() || ready());
            workers();
            return alive();
        } catch (AssertionError e) {
            close();
            throw e;
        }
    }

    /// Starts a service without waiting for anything.
    public static Service launch(Configuration configuration) {
        return launch(configuration, Starter.PLAIN);
    }

    static Service launch(Configuration configuration, Starter starter) {
        try {
            Path file = configuration.folder().resolve("servery-" + configuration.port() + ".toml");
            write(file, configuration.toml());
            Path errors = Files.createTempFile(configuration.folder(), "errors", ".log");
            Path output = Files.createTempFile(configuration.folder(), "output", ".log");
            ProcessBuilder builder = new ProcessBuilder(ServeryProcess.java(), "-jar", ServeryProcess.JAR.toString(),
                    "--config", file.toString()).directory(configuration.folder().toFile())
                    .redirectOutput(output.toFile()).redirectError(errors.toFile());
            starter.prepare(builder, configuration);
            Process process = builder.start();
            process.getOutputStream().close();
            return new Service(process, starter, file, errors, configuration);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Puts a whole file in the place of another.
    private static void write(Path file, String text) throws IOException {
        Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), text);
        Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-r--r--"));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    public Configuration configuration() {
        return configuration;
    }

    /// Changes the file; the service does not look at it by itself.
    public void configure(Configuration next) {
        configuration = next;
        configure(next.toml());
    }

    void configure(String text) {
        try {
            write(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file() {
        return file;
    }

    Commands commands() {
        return new Commands(configuration.folder(), file);
    }

    public Said run(String... words) {
        return commands().run(words);
    }

    public OsProcess parent() {
        return starter.parent(new OsProcess(process.pid()));
    }

    /// The workers of all generations that have not ended.
    public List<OsProcess> workers() {
        ProcessHandle.of(parent().pid()).stream().flatMap(ProcessHandle::children).forEach(seen::add);
        return parent().children().stream().filter(OsProcess::runs).toList();
    }

    public List<Long> workerPids() {
        return workers().stream().map(OsProcess::pid).sorted().toList();
    }

    /// The only worker.
    OsProcess worker() {
        List<OsProcess> workers = workers();
        if (workers.size() != 1) {
            throw new AssertionError("expected one worker, found " + workers + "\n" + errorText());
        }
        return workers.getFirst();
    }

    public boolean alive() {
        return process.isAlive();
    }

    public int port() {
        return configuration.port();
    }

    public boolean ready() {
        return adminStatus("/readyz") == 200;
    }

    /// The status that the admin listener answers with; 0 when it does not answer.
    int adminStatus(String path) {
        try {
            return admin(path).status();
        } catch (UncheckedIOException | AssertionError e) {
            return 0;
        }
    }

    private Answer admin(String path) {
        try (WireConnection connection = WireConnection.open(configuration.adminPort())) {
            return connection.send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + configuration.adminPort()
                    + "\r\nConnection: close\r\n\r\n").answer();
        }
    }

    public Metrics metrics() {
        Answer page = admin("/metrics");
        if (page.status() != 200) {
            throw new AssertionError("/metrics: " + page.status() + " " + page.text());
        }
        return Metrics.of(page.text());
    }

    public double metric(String series) {
        return metrics().sum(series);
    }

    public int generation() {
        return (int) metric("servery_generation");
    }

    /// What `status --json` says.
    public Map<String, Object> status() {
        Said said = run("status", "--json");
        if (said.code() != 0) {
            throw new AssertionError("status --json: " + said);
        }
        return Json.object(said.output());
    }

    /// How many operators it has on its socket.
    long operators() {
        String path = configuration.operatorSocket().toString();
        try (var lines = Files.lines(Path.of("/proc/net/unix"))) {
            return lines.filter(line -> line.endsWith(" " + path)).count() - 1; // the listener is one
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Whether nobody listens at its port any more.
    boolean refuses() {
        try {
            connect().close();
            return false;
        } catch (UncheckedIOException e) {
            return true;
        }
    }

    WireConnection connect() {
        return WireConnection.open(port());
    }

    /// One request on a connection of its own, which must be answered.
    Answer get(String target) {
        try (WireConnection connection = connect()) {
            return connection.get(target).answer();
        }
    }

    /// The value of the field by which a configuration is told from another.
    String mark() {
        return get("/hello.txt").value("X-Configuration");
    }

    public List<Event> events() {
        return Event.all(errorText());
    }

    /// The events of this name that came after so many of all.
    public List<Event> events(String name, int after) {
        return events().stream().skip(after).filter(event -> event.is(name)).toList();
    }

    /// What is said of the end of a worker; its slot and generation are those that its start was reported with.
    Optional<Event> exited(long pid) {
        List<Event> all = events();
        int start = IntStream.range(0, all.size())
                .filter(at -> all.get(at).is("worker.started") && all.get(at).of(pid)).findFirst()
                .orElseThrow(() -> new AssertionError("no event of the start of " + pid + "\n" + errorText()));
        Event started = all.get(start);
        return all.stream().skip(start).filter(event -> event.is("worker.exited") && event.sameWorker(started))
                .findFirst();
    }

    /// The same, which must come.
    public Event awaitExit(long pid) {
        await("the end of worker " + pid, () -> exited(pid).isPresent());
        return exited(pid).orElseThrow();
    }

    public void await(String what, BooleanSupplier condition) {
        await(what, PATIENCE, condition);
    }

    public void await(String what, Duration within, BooleanSupplier condition) {
        try {
            Awaitility.await(what).atMost(within).pollInterval(POLL).pollDelay(Duration.ZERO)
                    .until(condition::getAsBoolean);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(what + ": not within " + within + "\n" + errorText(), e);
        }
    }

    /// Waits until exactly so many workers run, and all of them are ready and of one generation. A parent that a busy machine
    /// keeps from answering in time is asked again.
    public void settled(int workers) {
        await(workers + " ready workers and no others", () -> {
            Answer page = admin("/metrics");
            Metrics now = Metrics.of(page.status() == 200 ? page.text() : "");
            return workers().size() == workers && now.sum("servery_workers{state=\"ready\"}") == workers
                    && now.sum("servery_workers{") == workers;
        });
    }

    public void signal(String name) {
        parent().signal(name);
    }

    /// The exit code, which must come within this time.
    public int exitCode(Duration within) {
        try {
            if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("the service still runs after " + within + ":\n" + errorText());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public String errorText() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Names below the runtime directory, native files excepted: the next start uses them.
    List<String> runtimeFiles() {
        Path directory = configuration.runtimeDirectory();
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (var all = Files.walk(directory)) {
            return all.map(directory::relativize).map(Path::toString)
                    .filter(name -> !name.isEmpty() && !name.equals("native") && !name.startsWith("native/")).sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Every worker that was ever seen and still runs.
    List<Long> survivors() {
        return seen.stream().filter(ProcessHandle::isAlive).map(handle -> Objects.requireNonNull(handle).pid())
                .filter(pid -> new OsProcess(pid).runs()).toList();
    }

    @Override
    public void close() {
        workers();
        if (alive()) {
            ProcessHandle.of(parent().pid()).ifPresent(ProcessHandle::destroyForcibly);
        }
        process.destroyForcibly();
        seen.forEach(ProcessHandle::destroyForcibly);
        exitCode(Duration.ofSeconds(10));
    }
}
