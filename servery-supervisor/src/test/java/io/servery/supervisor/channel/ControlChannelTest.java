package io.servery.supervisor.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.servery.core.control.Bounds;
import io.servery.core.control.ListenerRole;
import io.servery.core.control.Order;
import io.servery.core.control.Report;
import io.servery.core.control.ReportCodec;
import io.servery.core.control.Shard;
import io.servery.supervisor.Census;
import io.servery.supervisor.posix.Descriptors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Control channels over real sockets: frames whole whatever way they come, descriptors beside them, and every end told.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
class ControlChannelTest {
    private static final Shard SHARD = new Shard(0, 0);

    @TempDir
    Path folder;

    private List<String> before = List.of();
    private UnixSocket toParent;
    private UnixSocket toWorker;
    private ControlChannel<Report, Order> parent;
    private ControlChannel<Order, Report> worker;
    private final List<Order> orders = new ArrayList<>();
    private final List<Report> reports = new ArrayList<>();

    @BeforeEach
    void connect() throws IOException {
        before = Census.descriptors();
        try (UnixSocket listening = UnixSocket.listen(folder.resolve("control"), 1)) {
            toParent = UnixSocket.connect(folder.resolve("control"));
            toWorker = listening.accept();
        }
        parent = ControlChannel.ofParent(toWorker);
        worker = ControlChannel.ofWorker(toParent);
    }

    @AfterEach
    void nothingIsLeftOpen() {
        parent.close();
        worker.close();
        assertThat(Census.descriptors()).isEqualTo(before);
    }

    private void workerReceives() {
        worker.receive(orders::add);
    }

    private void parentReceives() {
        parent.receive(reports::add);
    }

    private static Order configuration(int bytes) {
        return new Order.Prepare(1, 0, "x".repeat(bytes), List.of(SHARD));
    }

    private static Order.TakeListeners listeners(int group, int count) {
        return new Order.TakeListeners(IntStream.range(0, count)
                .mapToObj(index -> new Order.Listener(new Shard(group, index), ListenerRole.SERVICE, "127.0.0.1:8000"))
                .toList());
    }

    private static void write(UnixSocket socket, byte[] bytes) throws IOException {
        assertThat(socket.send(ByteBuffer.wrap(bytes), List.of()).orElse(0)).isEqualTo(bytes.length);
    }

    @Test
    void ordersAndReportsArriveInTheirOrder() {
        parent.send(new Order.Commit(), List.of());
        parent.send(new Order.Drain(Duration.ofSeconds(3), Duration.ZERO), List.of());
        worker.send(new Report.Prepared(), List.of());
        worker.send(new Report.Heartbeat(0, 1, 2), List.of());
        workerReceives();
        parentReceives();

        assertThat(orders).containsExactly(new Order.Commit(), new Order.Drain(Duration.ofSeconds(3), Duration.ZERO));
        assertThat(reports).containsExactly(new Report.Prepared(), new Report.Heartbeat(0, 1, 2));
        assertThat(parent.end()).isNull();
        assertThat(worker.end()).isNull();
    }

    @Test
    void framesThatComeByteByByteAreTheSame() throws IOException {
        byte[] first = ReportCodec.encode(new Report.Heartbeat(3, 4, 5));
        byte[] second = ReportCodec.encode(new Report.Failed(Report.Failed.REASONS.iterator().next(), "no such root"));
        for (byte[] frame : List.of(first, second)) {
            int wanted = reports.size() + 1;
            for (int at = 0; at < frame.length; at++) {
                assertThat(reports).hasSize(wanted - 1);
                write(toParent, new byte[]{frame[at]});
                parentReceives();
            }
            assertThat(reports).hasSize(wanted);
        }
        assertThat(reports.getFirst()).isEqualTo(new Report.Heartbeat(3, 4, 5));
    }

    @Test
    void orderOfAMebibyteArrivesWholeThoughNoSocketTakesItAtOnce() {
        Order large = configuration(Bounds.CONFIGURATION_BYTES_MAX);
        parent.send(new Order.Commit(), List.of());
        parent.send(large, List.of());
        parent.send(new Order.TakeSnapshot(), List.of());
        assertThat(parent.wantsToWrite()).isTrue();
        for (int turn = 0; turn < 10_000 && orders.size() < 3; turn++) {
            workerReceives();
            parent.flush();
        }

        assertThat(orders).containsExactly(new Order.Commit(), large, new Order.TakeSnapshot());
        assertThat(parent.wantsToWrite()).isFalse();
        parent.send(new Order.Commit(), List.of());
        workerReceives();
        assertThat(orders).hasSize(4);
    }

    @Test
    void descriptorsOfAFullMessageArriveWithItsOrder() throws IOException {
        int[] pipe = Descriptors.pipe();
        List<Integer> sent = new ArrayList<>(Collections.nCopies(Bounds.DESCRIPTORS_MAX, pipe[0]));
        parent.send(listeners(0, Bounds.DESCRIPTORS_MAX), sent);
        for (int end : pipe) {
            Descriptors.close(end);
        }
        workerReceives();

        assertThat(orders).containsExactly(listeners(0, Bounds.DESCRIPTORS_MAX));
        List<Integer> taken = worker.takeDescriptors(Bounds.DESCRIPTORS_MAX);
        assertThat(taken).hasSize(Bounds.DESCRIPTORS_MAX).doesNotHaveDuplicates();
        assertThat(worker.surplus()).isZero();
        taken.forEach(Descriptors::close);
    }

    @Test
    void descriptorsOfSeveralMessagesComeInTheOrderOfTheirOrders() throws IOException {
        List<Integer> counts = List.of(1, 3, 253, 2);
        List<int[]> pipes = new ArrayList<>();
        for (int count : counts) {
            int[] pipe = Descriptors.pipe();
            pipes.add(pipe);
            parent.send(listeners(pipes.size(), count), Collections.nCopies(count, pipe[0]));
        }
        workerReceives();

        assertThat(orders).hasSize(counts.size());
        for (int i = 0; i < counts.size(); i++) {
            List<Integer> taken = worker.takeDescriptors(((Order.TakeListeners) orders.get(i)).listeners().size());
            assertThat(taken).hasSize(counts.get(i));
            for (int one : taken) {
                assertThat(target(one)).isEqualTo(target(pipes.get(i)[0]));
                Descriptors.close(one);
            }
        }
        pipes.forEach(pipe -> IntStream.of(pipe).forEach(Descriptors::close));
    }

    private static Path target(int descriptor) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor));
    }

    @Test
    void descriptorsWaitForRoomWithTheirFrame() throws IOException {
        int[] pipe = Descriptors.pipe();
        parent.send(configuration(1 << 20), List.of());
        parent.send(listeners(0, 1), List.of(pipe[0]));
        assertThat(parent.wantsToWrite()).isTrue();
        for (int turn = 0; turn < 10_000 && orders.size() < 2; turn++) {
            workerReceives();
            parent.flush();
        }

        assertThat(orders.getLast()).isEqualTo(listeners(0, 1));
        List<Integer> taken = worker.takeDescriptors(1);
        assertThat(target(taken.getFirst())).isEqualTo(target(pipe[0]));
        taken.forEach(Descriptors::close);
        IntStream.of(pipe).forEach(Descriptors::close);
    }

    @Test
    void descriptorsThatWaitMayBeClosedByWhoeverSentThem() throws IOException {
        int[] pipe = Descriptors.pipe();
        Path target = target(pipe[0]);
        parent.send(configuration(1 << 20), List.of());
        parent.send(listeners(0, 1), List.of(pipe[0]));
        IntStream.of(pipe).forEach(Descriptors::close);
        int[] otherWithTheSameNumbers = Descriptors.pipe();
        for (int turn = 0; turn < 10_000 && orders.size() < 2; turn++) {
            workerReceives();
            parent.flush();
        }

        List<Integer> taken = worker.takeDescriptors(1);
        assertThat(taken).hasSize(1);
        assertThat(target(taken.getFirst())).isEqualTo(target);
        taken.forEach(Descriptors::close);
        IntStream.of(otherWithTheSameNumbers).forEach(Descriptors::close);
    }

    @Test
    void descriptorsThatNeverWentAreClosedWithTheChannel() throws IOException {
        int[] pipe = Descriptors.pipe();
        parent.send(configuration(1 << 20), List.of());
        parent.send(listeners(0, 1), List.of(pipe[0]));
        IntStream.of(pipe).forEach(Descriptors::close);
        parent.close();
        worker.close();

        assertThat(Census.descriptors()).isEqualTo(before);
    }

    @Test
    void peerThatNeverStopsIsReadInTurns() throws IOException {
        byte[] frame = ReportCodec.encode(new Report.Heartbeat(0, 1, 2));
        ByteBuffer flood = ByteBuffer.allocate(frame.length * 20_000);
        while (flood.hasRemaining()) {
            flood.put(frame);
        }
        flood.flip();
        while (toParent.send(flood, List.of()).isPresent()) {
            // As much as the socket holds.
        }
        int held = flood.position() / frame.length;
        boolean all = parent.receive(reports::add);
        int inOneTurn = reports.size();
        for (int turn = 0; turn < 100 && !all; turn++) {
            all = parent.receive(reports::add);
        }

        assertThat(inOneTurn * frame.length).isLessThan(80 << 10);
        assertThat(all).isTrue();
        assertThat(reports).hasSize(held);
        assertThat(held).isGreaterThan(inOneTurn);
    }

    @Test
    void workerThatSendsDescriptorsIsLost() throws IOException {
        int[] pipe = Descriptors.pipe();
        worker.send(new Report.Prepared(), List.of(pipe[0]));
        parentReceives();
        IntStream.of(pipe).forEach(Descriptors::close);

        assertThat(parent.end()).isEqualTo("sent 1 descriptors that nobody asked for");
    }

    @Test
    void fewerDescriptorsThanWereAskedForAreAllThereAre() throws IOException {
        int[] pipe = Descriptors.pipe();
        parent.send(listeners(0, 3), List.of(pipe[0]));
        workerReceives();

        List<Integer> taken = worker.takeDescriptors(3);
        assertThat(taken).hasSize(1);
        taken.forEach(Descriptors::close);
        IntStream.of(pipe).forEach(Descriptors::close);
    }

    /// That they are closed is what [#nothingIsLeftOpen] sees.
    @Test
    void surplusIsClosedWithTheChannel() throws IOException {
        int[] pipe = Descriptors.pipe();
        parent.send(new Order.Commit(), List.of(pipe[0], pipe[0], pipe[1]));
        IntStream.of(pipe).forEach(Descriptors::close);
        workerReceives();

        assertThat(worker.surplus()).isEqualTo(3);
    }

    @Test
    void descriptorsWithoutEndAreTheEndOfTheChannel() throws IOException {
        int[] pipe = Descriptors.pipe();
        for (int message = 0; message <= 8192 / 253 && worker.end() == null; message++) {
            parent.send(new Order.Commit(), Collections.nCopies(253, pipe[0]));
            workerReceives();
        }
        IntStream.of(pipe).forEach(Descriptors::close);

        assertThat(worker.end()).matches("sent \\d+ descriptors that nobody asked for");
    }

    @Test
    void framesThatWereSentBeforeTheEndAreStillRead() {
        worker.send(new Report.Prepared(), List.of());
        worker.send(new Report.Exiting(0, "done"), List.of());
        worker.close();
        parentReceives();

        assertThat(reports).containsExactly(new Report.Prepared(), new Report.Exiting(0, "done"));
        assertThat(parent.end()).isEqualTo("closed its control channel");
    }

    @Test
    void framesAreStillReadThoughSendingFoundThePeerGone() {
        worker.send(new Report.Failed(Report.Failed.REASONS.iterator().next(), "why"), List.of());
        worker.close();
        parent.send(new Order.Commit(), List.of());

        assertThat(parent.end()).isNull();
        assertThat(parent.wantsToWrite()).isFalse();
        parentReceives();
        assertThat(reports).hasSize(1);
        assertThat(parent.end()).isEqualTo("closed its control channel");
    }

    /// Closing a Unix socket with bytes unread resets the peer, which still has what was sent to it before: unix(7).
    @Test
    void peerThatClosedWithOrdersUnreadIsLostAfterWhatItSaid() {
        parent.send(new Order.Commit(), List.of());
        worker.send(new Report.Exiting(78, "bad"), List.of());
        worker.close();
        parentReceives();

        assertThat(reports).containsExactly(new Report.Exiting(78, "bad"));
        assertThat(parent.end()).matches("(closed|lost) its control channel.*");
    }

    @Test
    void halfAFrameIsNoFrame() throws IOException {
        byte[] frame = ReportCodec.encode(new Report.Exiting(0, "done"));
        write(toParent, Arrays.copyOf(frame, frame.length - 1));
        worker.close();
        parentReceives();

        assertThat(reports).isEmpty();
        assertThat(parent.end()).isEqualTo("closed its control channel");
    }

    @Test
    void bytesThatAreNoFrameAreToldAndEndTheChannel() throws IOException {
        write(toParent, ReportCodec.encode(new Report.Prepared()));
        write(toParent, new byte[]{0, 0, 0, 2, 127, 0});
        write(toParent, ReportCodec.encode(new Report.Ready()));
        parentReceives();

        assertThat(reports).containsExactly(new Report.Prepared());
        assertThat(parent.end()).startsWith("sent what is no frame of its control channel: ");
        parentReceives();
        assertThat(reports).hasSize(1);
    }

    @Test
    void peerThatDoesNotReadIsLostAndWhatItWasSentIsBounded() {
        int sent = 0;
        while (parent.end() == null && sent < 100) {
            parent.send(configuration(1 << 20), List.of());
            sent++;
        }

        assertThat(sent).as("8 MiB and what the socket took").isBetween(8, 10);
        assertThat(parent.end()).isEqualTo("has not read its control channel for 8388608 bytes");
        assertThat(parent.wantsToWrite()).isFalse();
    }

    @Test
    void orderThatCannotBeSentIsTheEndOfTheChannelAndNotDropped() throws IOException {
        int[] pipe = Descriptors.pipe();
        IntStream.of(pipe).forEach(Descriptors::close);
        parent.send(listeners(0, 1), List.of(pipe[0]));

        assertThat(parent.end()).startsWith("could not be sent to: sendmsg: Bad file descriptor");
    }

    @Test
    void sinkMayCloseTheChannel() {
        worker.send(new Report.Prepared(), List.of());
        worker.send(new Report.Ready(), List.of());
        parent.receive(report -> {
            reports.add(report);
            parent.close();
        });

        assertThat(reports).containsExactly(new Report.Prepared());
        assertThat(parent.end()).isEqualTo("was let go");
    }

    @Test
    void largeAndSmallOrdersFollowEachOther() {
        for (int round = 0; round < 3; round++) {
            parent.send(configuration(200_000), List.of());
            for (int turn = 0; turn < 10_000 && orders.size() <= 2 * round; turn++) {
                workerReceives();
                parent.flush();
            }
            parent.send(new Order.Commit(), List.of());
            workerReceives();
        }

        assertThat(orders).hasSize(6).contains(configuration(200_000), new Order.Commit());
    }
}
