package io.servery.supervisor.loop;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.servery.core.control.Bounds;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.reason.Reason;
import io.servery.supervisor.channel.ControlChannel;
import io.servery.supervisor.channel.Poller;
import io.servery.supervisor.channel.UnixSocket;
import io.servery.supervisor.posix.Descriptors;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/// A worker of the tests, a process of its own: it speaks the protocol, serves nothing, and misbehaves as its script says.
/// What it is told it writes into its diary, a line each.
final class ScriptedWorker {
    static final String BUILD = "the build of the test";
    static final int DEATH = 7;
    static final String PIPE_ENDED = "the pipe ended";
    static final String CHANNEL_ENDED = "the channel ended";
    /// A series that never falls.
    private static final int COUNTER = MetricSnapshot.SERIES - 1;
    private static final Duration PULSE = Duration.ofMillis(100);

    private static final int FLOOD = 100_000;

    /// What it does otherwise than a worker should.
    enum Script {
        NOTHING_WRONG,
        NEVER_CONNECTS,
        SAYS_NO_HELLO,
        SAYS_ANOTHER_TOKEN,
        SAYS_ANOTHER_BUILD,
        DIES_UNCONNECTED,
        DIES_AFTER_HELLO,
        DIES_AT_PREPARE,
        DIES_PREPARED,
        DIES_AT_COMMIT,
        REFUSES_ITS_CONFIGURATION,
        SENDS_GARBAGE,
        SENDS_DESCRIPTORS,
        REPEATS_HELLO,
        CLOSES_ITS_CHANNEL,
        IGNORES_ITS_END,
        FLOODS_ONCE_READY,
        STANDS_STILL_ONCE_READY,
        OUTLIVES_ITS_CHANNEL,
        DIES_AT_POST,
        REFUSES_TO_POST,
        NEVER_POSTS
    }

    /// Each way to fail before it is ready, and the words in which its parent says so.
    static Stream<Arguments> failures() {
        String died = "exited with code " + DEATH + " before it was ready";
        return Stream.of(arguments(Script.SAYS_NO_HELLO, "is of another build than its parent"),
                arguments(Script.SAYS_ANOTHER_TOKEN, "came with another token than it was given"),
                arguments(Script.SAYS_ANOTHER_BUILD, "is of another build than its parent"),
                arguments(Script.DIES_UNCONNECTED, died), arguments(Script.DIES_AFTER_HELLO, died),
                arguments(Script.DIES_AT_PREPARE, died), arguments(Script.DIES_PREPARED, died),
                arguments(Script.DIES_AT_COMMIT, died),
                arguments(Script.SENDS_GARBAGE, "sent what is no frame of its control channel"),
                arguments(Script.SENDS_DESCRIPTORS, "sent 1 descriptors that nobody asked for"),
                arguments(Script.REPEATS_HELLO, "reported Hello while Preparing"),
                arguments(Script.CLOSES_ITS_CHANNEL, "its control channel"));
    }

    private final Script script;
    private final Path diary;
    private final ControlChannel<Order, Report> channel;
    private boolean ready;
    private boolean over;
    private boolean endTold;

    private ScriptedWorker(Script script, Path diary, ControlChannel<Order, Report> channel) {
        this.script = script;
        this.diary = diary;
        this.channel = channel;
    }

    /// Lives as the script says.
    ///
    /// @param args the control socket, the script, the diary
    public static void main(String[] args) throws Exception {
        Script script = Script.valueOf(args[1]);
        if (script == Script.IGNORES_ITS_END) {
            Runtime.getRuntime().addShutdownHook(new Thread(ScriptedWorker::waitForEver));
        }
        FileInputStream in = new FileInputStream(FileDescriptor.in);
        String token = token(in);
        if (script == Script.DIES_UNCONNECTED) {
            Runtime.getRuntime().halt(DEATH);
        }
        if (script == Script.NEVER_CONNECTS) {
            in.readAllBytes();
            return;
        }
        new ScriptedWorker(script, Path.of(args[2]), ControlChannel.ofWorker(UnixSocket.connect(Path.of(args[0]))))
                .live(token, in);
        System.exit(0);
    }

    private static void waitForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String token(FileInputStream in) throws IOException {
        StringBuilder token = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            token.append((char) next);
        }
        return token.toString();
    }

    private void live(String token, FileInputStream in) throws IOException {
        hello(token);
        Input input = new Input(in);
        try (Poller poller = new Poller()) {
            while (!over) {
                List<Poller.Watched> watched = new ArrayList<>();
                if (!input.ended) {
                    watched.add(input);
                }
                if (channel.end() == null) {
                    watched.add(new Channel());
                } else if (endsWithItsChannel()) {
                    return;
                }
                over |= input.ended && script == Script.OUTLIVES_ITS_CHANNEL;
                boolean floods = script == Script.FLOODS_ONCE_READY && ready;
                poller.await(watched, floods ? Duration.ZERO : PULSE);
                int beats = floods ? FLOOD : 1;
                for (int beat = 0; beat < beats && ready && channel.end() == null && !channel.wantsToWrite(); beat++) {
                    report(new Report.Heartbeat(0, 0, 0));
                }
            }
        }
    }

    private boolean endsWithItsChannel() {
        if (!endTold) {
            endTold = true;
            write(CHANNEL_ENDED);
        }
        return script != Script.IGNORES_ITS_END && script != Script.OUTLIVES_ITS_CHANNEL
                && script != Script.CLOSES_ITS_CHANNEL;
    }

    private void hello(String token) throws IOException {
        switch (script) {
            case SAYS_NO_HELLO -> report(new Report.Prepared());
            case SAYS_ANOTHER_TOKEN -> report(new Report.Hello(Bounds.VERSION, BUILD, "another"));
            case SAYS_ANOTHER_BUILD -> report(new Report.Hello(Bounds.VERSION, "another", token));
            default -> report(new Report.Hello(Bounds.VERSION, BUILD, token));
        }
        switch (script) {
            case DIES_AFTER_HELLO -> Runtime.getRuntime().halt(DEATH);
            case REPEATS_HELLO -> report(new Report.Hello(Bounds.VERSION, BUILD, token));
            case SENDS_GARBAGE -> channel.socket().send(ByteBuffer.wrap(new byte[64]), List.of());
            case SENDS_DESCRIPTORS -> channel.send(new Report.Heartbeat(0, 0, 0), List.of(0));
            case CLOSES_ITS_CHANNEL -> channel.close();
            default -> {
            }
        }
    }

    private void report(Report report) {
        channel.send(report, List.of());
    }

    private void obey(Order order) {
        write(order.getClass().getSimpleName() + switch (order) {
            case Order.Push push -> " " + push.settings();
            case Order.Post post -> " " + post.number() + " " + post.challenges().http().size();
            default -> "";
        });
        switch (order) {
            case Order.TakeListeners take ->
                channel.takeDescriptors(take.listeners().size()).forEach(Descriptors::close);
            case Order.Prepare _ -> prepare();
            case Order.Commit _ -> commit();
            case Order.Release(long number, var shards) -> report(new Report.Released(number, shards));
            case Order.Drain _ -> {
                if (script != Script.IGNORES_ITS_END) {
                    report(new Report.Drained(0));
                    over = true;
                }
            }
            case Order.TakeSnapshot _ -> report(new Report.MetricsSnapshot(List.of(new Report.Count(COUNTER, 1))));
            case Order.Post(long number, _) -> post(number);
            case Order.Adopt _,Order.Push _,Order.Identify _ -> {
            }
        }
    }

    private void post(long number) {
        switch (script) {
            case DIES_AT_POST -> Runtime.getRuntime().halt(DEATH);
            case REFUSES_TO_POST -> report(new Report.Posted(number, "tls: it is no certificate"));
            case NEVER_POSTS -> {
            }
            default -> report(new Report.Posted(number, ""));
        }
    }

    private void prepare() {
        switch (script) {
            case DIES_AT_PREPARE -> Runtime.getRuntime().halt(DEATH);
            case REFUSES_ITS_CONFIGURATION ->
                report(new Report.Failed(Reason.INVALID_CONFIG, "application.static.root: it is not there"));
            default -> report(new Report.Prepared());
        }
        if (script == Script.DIES_PREPARED) {
            Runtime.getRuntime().halt(DEATH);
        }
    }

    private void commit() {
        if (script == Script.DIES_AT_COMMIT) {
            Runtime.getRuntime().halt(DEATH);
        }
        report(new Report.Ready());
        ready = true;
        if (script == Script.STANDS_STILL_ONCE_READY) {
            waitForEver();
        }
    }

    private void write(String line) {
        try {
            Files.writeString(diary, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Input implements Poller.Watched {
        private final FileInputStream in;
        private boolean ended;

        Input(FileInputStream in) {
            this.in = in;
        }

        @Override
        public int descriptor() {
            return 0;
        }

        @Override
        public void ready(boolean readable, boolean writable) {
            try {
                ended = in.read() < 0;
                if (ended) {
                    write(PIPE_ENDED);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final class Channel implements Poller.Watched {
        @Override
        public int descriptor() {
            return channel.socket().descriptor();
        }

        @Override
        public boolean wantsToWrite() {
            return channel.wantsToWrite();
        }

        @Override
        public void ready(boolean readable, boolean writable) {
            if (writable) {
                channel.flush();
            }
            if (readable) {
                channel.receive(ScriptedWorker.this::obey);
            }
        }
    }
}
