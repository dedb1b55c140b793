import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// A load generator of cohorts: each is a number of connections that ask for the paths of a list in turn, with a report of
/// its own. They begin together, and a second means the same second to all of them.
///
///     java Cohorts.java PORT WARM-SECONDS SECONDS NAME,CONNECTIONS,PAUSE-MILLIS,ACCEPT-ENCODING,PATHS-FILE …
///
/// Closed loops: a connection asks again when it has its answer. One that wanted a coding and got the plain form, because
/// the server had no room to make one, first waits for PAUSE-MILLIS: the load is then on what makes forms, not on the wire.
/// What was answered in the first seconds (WARM) is not counted. One line of JSON for each cohort.
public final class Cohorts {
    private Cohorts() {
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        long warmNanos = Long.parseLong(arguments[1]) * 1_000_000_000L;
        int seconds = Integer.parseInt(arguments[2]);
        List<Cohort> cohorts = new ArrayList<>();
        CountDownLatch connected = new CountDownLatch(arguments.length - 3);
        for (String cohort : List.of(arguments).subList(3, arguments.length)) {
            cohorts.add(new Cohort(Plan.parse(cohort), port, warmNanos, seconds, connected));
        }
        List<Thread> threads = new ArrayList<>();
        for (Cohort cohort : cohorts) {
            threads.add(Thread.ofPlatform().name(cohort.plan.name()).start(cohort));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        cohorts.forEach(cohort -> System.out.println(cohort.report()));
    }

    /// What one cohort does.
    private record Plan(String name, int connections, int pauseMillis, String coding, List<byte[]> requests) {
        static Plan parse(String text) throws IOException {
            String[] parts = text.split(",", 5);
            List<byte[]> requests = new ArrayList<>();
            for (String path : Files.readAllLines(Path.of(parts[4]))) {
                String accept = parts[3].isEmpty() ? "" : "Accept-Encoding: " + parts[3] + "\r\n";
                requests.add(("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + accept + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
            }
            return new Plan(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2]), parts[3], requests);
        }
    }

    /// The connections of one plan, on one thread.
    private static final class Cohort implements Runnable {
        final Plan plan;
        private final int port;
        private final long warmNanos;
        private final int[] perSecond;
        private final CountDownLatch connected;
        private final Latencies latencies = new Latencies();
        private final ArrayDeque<Connection> pausing = new ArrayDeque<>();
        private long began;
        private int nextRequest;
        private long coded;
        private long plain;
        private long otherStatus;
        private long bytes;
        private String failure = "";

        Cohort(Plan plan, int port, long warmNanos, int seconds, CountDownLatch connected) {
            this.plan = plan;
            this.port = port;
            this.warmNanos = warmNanos;
            this.perSecond = new int[seconds];
            this.connected = connected;
        }

        @Override
        public void run() {
            try (Selector selector = Selector.open()) {
                List<Connection> connections = new ArrayList<>();
                for (int i = 0; i < plan.connections(); i++) {
                    connections.add(new Connection(port, selector));
                }
                connected.countDown();
                connected.await();
                began = System.nanoTime() + warmNanos;
                for (Connection connection : connections) {
                    connection.ask(nextRequest());
                }
                turn(selector, began + perSecond.length * 1_000_000_000L);
                for (Connection connection : connections) {
                    connection.channel.close();
                }
            } catch (IOException | InterruptedException | RuntimeException e) {
                failure = e.toString().replace('"', '\'');
                connected.countDown();
            }
        }

        private void turn(Selector selector, long end) throws IOException {
            for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
                while (!pausing.isEmpty() && pausing.peek().resumeAt <= now) {
                    pausing.poll().ask(nextRequest());
                }
                long wait = pausing.isEmpty() ? end - now : Math.min(end, pausing.peek().resumeAt) - now;
                selector.select(key -> answered((Connection) key.attachment()), Math.max(1, wait / 1_000_000));
            }
        }

        private byte[] nextRequest() {
            byte[] request = plan.requests().get(nextRequest);
            nextRequest = nextRequest + 1 == plan.requests().size() ? 0 : nextRequest + 1;
            return request;
        }

        /// A failure of one ends the cohort: that it has no errors is what it is there to show.
        private void answered(Connection connection) {
            try {
                if (connection.read()) {
                    long now = System.nanoTime();
                    count(connection, now);
                    boolean gotPlain = !plan.coding().isEmpty() && !connection.answerCoded;
                    if (gotPlain && plan.pauseMillis() > 0) {
                        connection.resumeAt = now + plan.pauseMillis() * 1_000_000L;
                        pausing.add(connection);
                    } else {
                        connection.ask(nextRequest());
                    }
                }
            } catch (IOException e) {
                throw new IllegalStateException(plan.name() + ": " + e.getMessage(), e);
            }
        }

        private void count(Connection connection, long now) {
            long second = Math.floorDiv(now - began, 1_000_000_000L);
            if (second < 0 || second >= perSecond.length) {
                return;
            }
            perSecond[(int) second]++;
            latencies.add(now - connection.askedAt);
            bytes += connection.answerBytes;
            if (connection.answerStatus != 200) {
                otherStatus++;
            } else if (connection.answerCoded) {
                coded++;
            } else {
                plain++;
            }
        }

        String report() {
            return ("{\"cohort\": \"%s\", \"perSecond\": %s, \"p50Us\": %d, \"p99Us\": %d, \"maxUs\": %d, \"coded\": %d, "
                    + "\"plain\": %d, \"otherStatus\": %d, \"bytes\": %d, \"failure\": \"%s\"}").formatted(plan.name(),
                            Arrays.toString(perSecond), latencies.quantileMicros(0.5), latencies.quantileMicros(0.99),
                            latencies.quantileMicros(1), coded, plain, otherStatus, bytes, failure);
        }
    }

    /// One connection with at most one request on its way.
    private static final class Connection {
        private static final int BUFFER_BYTES = 256 * 1024;
        private static final byte[] LENGTH = "\r\ncontent-length: ".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] CODING = "\r\ncontent-encoding: ".getBytes(StandardCharsets.US_ASCII);
        private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

        final SocketChannel channel;
        private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
        private final ByteBuffer out = ByteBuffer.allocateDirect(4096);
        /// Content that is still to come; -1 while the head is.
        private long left;
        long askedAt;
        long resumeAt;
        long answerBytes;
        int answerStatus;
        boolean answerCoded;

        Connection(int port, Selector selector) throws IOException {
            channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void ask(byte[] request) throws IOException {
            out.clear().put(request).flip();
            left = -1;
            answerBytes = 0;
            in.clear();
            askedAt = System.nanoTime();
            while (out.hasRemaining()) {
                channel.write(out); // a request fits into the empty buffer of a socket
            }
        }

        /// Takes what has come; whether the answer is complete.
        boolean read() throws IOException {
            int got = channel.read(in);
            if (got < 0) {
                throw new IOException("the server closed a connection");
            }
            if (left < 0) {
                return head();
            }
            left -= got;
            answerBytes += got;
            in.clear();
            return left == 0;
        }

        private boolean head() throws IOException {
            int end = find(END, in.position());
            if (end < 0) {
                return false;
            }
            answerStatus = (in.get(9) - '0') * 100 + (in.get(10) - '0') * 10 + in.get(11) - '0';
            answerCoded = find(CODING, end) >= 0;
            int length = find(LENGTH, end);
            if (length < 0) {
                throw new IOException("an answer of status " + answerStatus + " has no length");
            }
            long content = 0;
            for (int at = length; in.get(at) != '\r'; at++) {
                content = content * 10 + in.get(at) - '0';
            }
            answerBytes = in.position() - end;
            left = content - answerBytes;
            in.clear();
            return left == 0;
        }

        /// Where the first occurrence before `limit` ends, case of letters aside; -1 without one.
        private int find(byte[] text, int limit) {
            for (int at = 0; at <= limit - text.length; at++) {
                int matched = 0;
                while (matched < text.length && lower(in.get(at + matched)) == text[matched]) {
                    matched++;
                }
                if (matched == text.length) {
                    return at + matched;
                }
            }
            return -1;
        }

        private static byte lower(byte b) {
            return b >= 'A' && b <= 'Z' ? (byte) (b + 'a' - 'A') : b;
        }
    }

    /// Counts of latencies in buckets a hundredth of their size wide, so quantiles are right within 1%.
    private static final class Latencies {
        private static final double STEP = Math.log(1.01);
        private final long[] counts = new long[2_400];
        private long total;
        private long maxNanos;

        void add(long nanos) {
            counts[Math.min(counts.length - 1, (int) (Math.log(Math.max(1.0, nanos)) / STEP))]++;
            total++;
            maxNanos = Math.max(maxNanos, nanos);
        }

        long quantileMicros(double share) {
            if (share >= 1) {
                return maxNanos / 1_000;
            }
            long below = 0;
            for (int at = 0; at < counts.length; at++) {
                below += counts[at];
                if (below > share * total) {
                    return (long) Math.exp((at + 1) * STEP) / 1_000;
                }
            }
            return 0;
        }
    }
}
