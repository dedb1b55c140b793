import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/// Makes the ahead-of-time cache of the jar (docs/adr/0015): one process (`io.servery.netty.TrainingMain`) serves a made-up site
/// under a short, mixed load, is a parent and is a worker, each until TERM; at its end the JVM writes what it has loaded, linked
/// and counted.
///
///     java --enable-native-access=ALL-UNNAMED -cp JAR build/AotTraining.java JAR [true: only remove the cache that is there]
public final class AotTraining {
    private static final Pattern ADDRESS = Pattern.compile("\"listener\":\"(http|admin)\",\"address\":\"https?://[^\"]*:(\\d+)/?\"");
    private static final int PEERS = 4;
    private static final int ROUNDS = 2000;
    private static final int VISITS = 2000;
    private static final int VISITS_SECURE = 300;
    /// Connections that a worker which leaves has to tell.
    private static final int KEPT = 8;
    private static final long LOAD_NANOS_MAX = TimeUnit.SECONDS.toNanos(6);
    private static final long BRIEF_LOAD_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long END_SECONDS_MAX = 180;
    /// With the directory of its sockets, and the site.
    private static final String CONFIGURATION = """
            schema_version = 1

            [runtime]
            workers = 1
            event_loops = 1
            runtime_directory = "%s"

            [listener]
            port = 0

            [tls]
            mode = "self-signed"

            [logging]
            format = "json"

            [metrics]
            enabled = true
            port = 0

            [application]
            mode = "static"

            [application.static]
            root = "%s"
            listing = true
            """;

    /// The mix of one peer: every line a request of a kind of its own, the small file most often.
    private static final List<String> MIX = List.of("GET /small.txt", "GET /small.txt", "GET /small.txt", "GET /page.html",
            "GET /small.txt", "GET /", "GET /small.txt", "GET /large.bin\r\nRange: bytes=100-299", "GET /small.txt",
            "HEAD /small.txt", "GET /page.html\r\nAccept-Encoding: gzip", "GET /small.txt", "GET /absent.html",
            "GET /style.css\r\nAccept-Encoding: gzip, deflate, br, zstd", "GET /small.txt",
            "GET /script.js\r\nAccept-Encoding: br", "GET /page.html\r\nIf-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT",
            "GET /small.txt\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\nAccept: text/html,*/*;q=0.8\r\nAccept-Language: en\r\nCookie: a=b",
            "GET /folder/", "GET /folder", "GET /middle.bin", "GET /folder/file-7.txt?query=1", "POST /small.txt\r\nContent-Length: 0",
            "GET /script.js\r\nAccept-Encoding: zstd", "GET /small.txt");

    private AotTraining() {
    }

    public static void main(String[] args) throws Exception {
        Path jar = Path.of(args[0]).toAbsolutePath().normalize();
        String name = jar.getFileName().toString().replaceFirst("\\.jar$", "") + ".aot";
        Path cache = jar.resolveSibling(name);
        // That of an older jar is of no use, whether a new one is wanted or not.
        Files.deleteIfExists(cache);
        if (args.length > 1 && args[1].equals("true")) {
            return;
        }
        Path site = Files.createTempDirectory("servery-training");
        try {
            fill(site);
            train(jar, jar.resolveSibling(name + ".new"), site);
            // By its time the cache is known to be of this jar.
            Files.setLastModifiedTime(jar.resolveSibling(name + ".new"), Files.getLastModifiedTime(jar));
            Files.move(jar.resolveSibling(name + ".new"), cache, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | IllegalStateException failed) {
            System.err.println("AOT cache: " + jar + ": " + failed.getMessage() + "; -Dservery.aot.skip builds without");
            System.exit(1);
        } finally {
            delete(site);
        }
    }

    private static void train(Path jar, Path cache, Path site) throws IOException, InterruptedException {
        Path work = Files.createTempDirectory("servery-training");
        Path file = Files.writeString(work.resolve("servery.toml"), CONFIGURATION.formatted(work.resolve("run"), site));
        Path control = work.resolve("control.sock");
        // The server passes flags that it is given on to the JVM that replaces this one: it trains with its own.
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:AOTCacheOutput=" + cache, "-Xlog:aot*=error:stderr", "-Xlog:cds*=error:stderr", "--enable-native-access=ALL-UNNAMED",
                "-cp", jar.toString(), "io.servery.netty.TrainingMain", "serve", file.toString(), control.toString(), site.toString(), "--listing",
                "--port", "0", "--set", "metrics.enabled=true", "--set", "metrics.port=0", "--set",
                "logging.format=json");
        // Flags of whoever builds would become demands of the cache.
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        Process server = builder.start();
        try (BufferedReader events = server.errorReader(StandardCharsets.UTF_8); TrainingParent parent = new TrainingParent(control)) {
            server.getOutputStream().write("token\n".getBytes(StandardCharsets.US_ASCII));
            server.getOutputStream().flush(); // and it stays open: its end would say that the parent is gone
            Said said = new Said(events);

            Ports folder = said.ready();
            load(Plain.INSTANCE, folder.http(), LOAD_NANOS_MAX);
            ask(folder);
            end(server);

            Ports service = said.ready();
            load(new Secure(), service.http(), BRIEF_LOAD_NANOS);
            ask(service);
            signal(server, "HUP");
            said.until("\"event\":\"reload.accepted\"");
            ask(service);
            end(server);

            Secure secure = new Secure();
            int port = parent.serve(file);
            load(secure, port, BRIEF_LOAD_NANOS);
            List<Thread> kept = keep(secure, port);
            parent.drain();
            for (Thread peer : kept) {
                peer.join();
            }
            said.toEnd();
            if (!server.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS) || !Files.exists(cache)) {
                throw new IllegalStateException("found no cache written; the server said: " + said.lines());
            }
        } finally {
            server.destroyForcibly();
            delete(work);
        }
    }

    /// By its handle: a process that is destroyed closes its streams, and there is more to read.
    private static void end(Process server) {
        server.toHandle().destroy();
    }

    private static void signal(Process server, String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(server.pid())).inheritIO().start().waitFor();
    }

    private record Ports(int http, int admin) {
    }

    /// The events of the server.
    private record Said(BufferedReader events, List<String> lines) {
        Said(BufferedReader events) {
            this(events, new ArrayList<>());
        }

        Ports ready() throws IOException {
            int begin = lines.size();
            until("\"state\":\"ready\"");
            int http = 0;
            int admin = 0;
            for (String line : lines.subList(begin, lines.size())) {
                Matcher address = ADDRESS.matcher(line);
                if (address.find()) {
                    http = address.group(1).equals("http") ? Integer.parseInt(address.group(2)) : http;
                    admin = address.group(1).equals("admin") ? Integer.parseInt(address.group(2)) : admin;
                }
            }
            if (http == 0 || admin == 0) {
                throw new IllegalStateException("the training server told no ports: " + lines);
            }
            return new Ports(http, admin);
        }

        void until(String wanted) throws IOException {
            for (String line = events.readLine(); line != null; line = events.readLine()) {
                lines.add(line);
                if (line.contains(wanted)) {
                    return;
                }
            }
            throw new IllegalStateException("the training server did not come to " + wanted + ": " + lines);
        }

        void toEnd() {
            events.lines().forEach(lines::add);
        }
    }

    private static void load(Way way, int port, long nanosMax) throws InterruptedException {
        long end = System.nanoTime() + nanosMax;
        List<Thread> peers = new ArrayList<>();
        for (int peer = 0; peer < PEERS; peer++) {
            peers.add(Thread.ofPlatform().start(() -> {
                for (int round = 0; round < ROUNDS && System.nanoTime() < end; round += way.rounds()) {
                    peer(way, port, round, end);
                }
            }));
        }
        for (Thread peer : peers) {
            peer.join();
        }
        for (int visit = 0; visit < way.visits(); visit++) {
            request(way, port, visit, "/small.txt");
        }
        request(way, port, 0, "/large.bin");
        hostile(way, port);
        hostile(Plain.INSTANCE, port);
    }

    /// How a peer comes to a connection.
    private interface Way {
        /// @param number of the connection: what is tried depends on it
        Socket open(int port, int number) throws IOException;

        /// How often a connection asks for the whole mix.
        int rounds();

        /// How many connections come for one request each: what is done once for each is counted for the compilers, too.
        int visits();
    }

    private enum Plain implements Way {
        INSTANCE;

        @Override
        public Socket open(int port, int number) throws IOException {
            return new Socket(InetAddress.getLoopbackAddress(), port);
        }

        @Override
        public int rounds() {
            return ROUNDS;
        }

        @Override
        public int visits() {
            return VISITS;
        }
    }

    /// TLS of the JDK: by both versions, for either identity, in full and with the ticket of an earlier connection.
    private static final class Secure implements Way {
        private final SSLContext kept = context();

        private static SSLContext context() {
            try {
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
                return context;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public Socket open(int port, int number) throws IOException {
            String host = number % 8 < 4 ? "localhost" : TrainingParent.OTHER;
            SSLContext context = number % 2 == 0 ? context() : kept;
            Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
            SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(host)));
            parameters.setApplicationProtocols(number % 3 == 0 ? new String[0] : new String[]{"h2", "http/1.1"});
            parameters.setProtocols(new String[]{number % 5 == 4 ? "TLSv1.2" : "TLSv1.3"});
            socket.setSSLParameters(parameters);
            return socket;
        }

        @Override
        public int rounds() {
            return 1;
        }

        @Override
        public int visits() {
            return VISITS_SECURE;
        }
    }

    private static void ask(Ports ports) {
        for (String path : List.of("/readyz", "/livez", "/metrics")) {
            request(Plain.INSTANCE, ports.admin(), 0, path);
        }
    }

    /// One kept connection, which asks the mix over and over. A failure ends it: the cache is then only less good.
    private static void peer(Way way, int port, int number, long end) {
        try (Socket socket = way.open(port, number)) {
            socket.setSoTimeout(10_000);
            socket.setTcpNoDelay(true);
            Reader reader = new Reader(socket.getInputStream());
            for (int round = 0; round < way.rounds() && System.nanoTime() < end; round++) {
                for (String asked : MIX) {
                    String[] parts = asked.split("\r\n", 2);
                    String text = parts[0] + " HTTP/1.1\r\nHost: localhost\r\n" + (parts.length > 1 ? parts[1] + "\r\n" : "") + "\r\n";
                    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                    reader.skipAnswer(asked.startsWith("HEAD"));
                }
            }
        } catch (IOException ended) {
            System.err.println("AOT cache: a training peer ended early: " + ended.getMessage());
        }
    }

    /// Connections that have had an answer, and wait until the server ends them.
    private static List<Thread> keep(Way way, int port) throws InterruptedException {
        List<Thread> kept = new ArrayList<>();
        CountDownLatch answered = new CountDownLatch(KEPT);
        for (int peer = 0; peer < KEPT; peer++) {
            int number = peer;
            kept.add(Thread.ofPlatform().start(() -> keep(way, port, number, answered)));
        }
        answered.await();
        return kept;
    }

    private static void keep(Way way, int port, int number, CountDownLatch answered) {
        try (Socket socket = way.open(port, number)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write("GET /small.txt HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            new Reader(socket.getInputStream()).skipAnswer(false);
            answered.countDown();
            socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
        } catch (IOException ended) {
            System.err.println("AOT cache: a training peer ended early: " + ended.getMessage());
        } finally {
            answered.countDown();
        }
    }

    private static void request(Way way, int port, int number, String path) {
        try (Socket socket = way.open(port, number)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nConnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
        } catch (IOException ended) {
            System.err.println("AOT cache: " + path + ": " + ended.getMessage());
        }
    }

    private static void hostile(Way way, int port) {
        try (Socket socket = way.open(port, 0)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
        } catch (IOException ended) {
            // A refusal may end in a reset.
        }
    }

    /// Answers with `Content-Length`, or without content; the server sends no others in this mix.
    private static final class Reader {
        private final InputStream in;

        private Reader(InputStream in) {
            this.in = new java.io.BufferedInputStream(in, 1 << 16);
        }

        void skipAnswer(boolean head) throws IOException {
            long length = 0;
            String status = line();
            for (String line = line(); !line.isEmpty(); line = line()) {
                if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                    length = Long.parseLong(line.substring(15).strip());
                }
                if (line.regionMatches(true, 0, "connection: close", 0, 17)) {
                    throw new IOException("the server closes after: " + status);
                }
            }
            if (!head && !status.contains(" 304")) {
                in.skipNBytes(length);
            }
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int read = in.read(); read != '\n'; read = in.read()) {
                if (read < 0) {
                    throw new IOException("the connection ended");
                }
                if (read != '\r') {
                    line.append((char) read);
                }
            }
            return line.toString();
        }
    }

    private static void fill(Path site) throws IOException {
        Random chance = new Random(1);
        byte[] large = new byte[1 << 20];
        chance.nextBytes(large);
        Files.write(site.resolve("large.bin"), large);
        Files.write(site.resolve("middle.bin"), java.util.Arrays.copyOf(large, 100 * 1024));
        Files.writeString(site.resolve("small.txt"), "x".repeat(1024));
        String words = "<p>The quick brown fox jumps over the lazy dog.</p>\n".repeat(400);
        for (String name : List.of("page.html", "style.css", "script.js")) {
            Files.writeString(site.resolve(name), words);
        }
        Path folder = Files.createDirectory(site.resolve("folder"));
        for (int at = 0; at < 20; at++) {
            Files.writeString(folder.resolve("file-" + at + ".txt"), "text " + at);
        }
    }

    private static void delete(Path site) throws IOException {
        try (Stream<Path> all = Files.walk(site)) {
            for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
