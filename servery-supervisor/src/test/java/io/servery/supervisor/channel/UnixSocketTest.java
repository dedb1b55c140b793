package io.servery.supervisor.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.servery.supervisor.Census;
import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Errno;
import io.servery.supervisor.posix.PosixException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Unix sockets: unix(7), sendmsg(2), recvmsg(2), cmsg(3).
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
class UnixSocketTest {
    @TempDir
    Path folder;

    private final List<UnixSocket> open = new ArrayList<>();
    private List<String> before = List.of();

    @BeforeEach
    void count() {
        before = Census.descriptors();
    }

    @AfterEach
    void nothingIsLeftOpen() {
        open.forEach(UnixSocket::close);
        assertThat(Census.descriptors()).isEqualTo(before);
    }

    private UnixSocket listening(String name, int backlog) throws IOException {
        UnixSocket socket = UnixSocket.listen(folder.resolve(name), backlog);
        open.add(socket);
        return socket;
    }

    private record Pair(UnixSocket left, UnixSocket right) {
    }

    private Pair pair() throws IOException {
        UnixSocket listening = listening("p" + open.size(), 1);
        UnixSocket left = UnixSocket.connect(folder.resolve("p" + (open.size() - 1)));
        open.add(left);
        UnixSocket right = listening.accept();
        open.add(right);
        return new Pair(left, right);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String read(UnixSocket socket, List<Integer> descriptors) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(64);
        UnixSocket.Received received = socket.receive(into);
        descriptors.addAll(received.descriptors());
        return received.bytes() < 0 ? "end" : new String(into.array(), 0, into.position(), StandardCharsets.US_ASCII);
    }

    @Test
    void listenerIsForItsOwnUserAlone() throws IOException {
        listening("s", 1);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("s"))))
                .isEqualTo("rw-------");
    }

    @Test
    void nobodyWaitsToBeAccepted() throws IOException {
        assertThat(listening("s", 1).accept()).isNull();
    }

    @Test
    void pathThatIsTakenMissingOrTooLongIsRefused() throws IOException {
        listening("s", 1);
        assertThatThrownBy(() -> UnixSocket.listen(folder.resolve("s"), 1)).isInstanceOfSatisfying(
                PosixException.class, taken -> assertThat(taken.is(Errno.EADDRINUSE)).isTrue());
        assertThatThrownBy(() -> UnixSocket.connect(folder.resolve("none"))).isInstanceOfSatisfying(
                PosixException.class, missing -> assertThat(missing.is(Errno.ENOENT)).isTrue());
        assertThatThrownBy(() -> UnixSocket.listen(folder.resolve("x".repeat(120)), 1))
                .hasMessageContaining("expected at most 107 for a socket");
    }

    @Test
    void longestPathIsListenedOn() throws IOException {
        String name = "x".repeat(UnixSocket.PATH_BYTES_MAX - folder.toString().length() - 1);
        listening(name, 1);

        open.add(UnixSocket.connect(folder.resolve(name)));
        assertThat(folder.resolve(name)).exists();
    }

    @Test
    void fullQueueIsToldAndDoesNotWait() throws IOException {
        listening("s", 0);
        open.add(UnixSocket.connect(folder.resolve("s")));

        assertThatThrownBy(() -> UnixSocket.connect(folder.resolve("s"))).isInstanceOfSatisfying(
                PosixException.class, full -> assertThat(full.is(Errno.EAGAIN)).isTrue());
    }

    @Test
    void peerIsWhoConnected() throws IOException {
        Pair pair = pair();
        UnixSocket.Peer peer = pair.right.peer();

        assertThat(peer.pid()).isEqualTo((int) ProcessHandle.current().pid());
        assertThat(peer.uid()).isEqualTo(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        assertThat(peer.gid()).isEqualTo(Files.getAttribute(Path.of("/proc/self"), "unix:gid"));
    }

    @Test
    void peerInAnotherProcessHasItsPid() throws Exception {
        UnixSocket listening = listening("s", 1);
        Process child = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), Connecting.class.getName(),
                folder.resolve("s").toString()).redirectErrorStream(true).start();
        try {
            assertThat(child.getInputStream().read()).as("connected").isEqualTo('c');
            UnixSocket accepted = listening.accept();
            open.add(accepted);
            assertThat(accepted.peer().pid()).isEqualTo((int) child.pid());
        } finally {
            child.getOutputStream().close();
            child.waitFor();
            child.getInputStream().close();
            child.getErrorStream().close();
        }
    }

    /// A program that connects to a path, says so, and stays until its standard input ends.
    static final class Connecting {
        private Connecting() {
        }

        public static void main(String[] arguments) throws IOException {
            try (UnixSocket socket = UnixSocket.connect(Path.of(arguments[0]))) {
                System.out.println(socket.descriptor() < 0 ? "not connected" : "c");
                System.in.read();
            }
        }
    }

    @Test
    void bytesArriveAndNothingIsNotTheEnd() throws IOException {
        Pair pair = pair();
        ByteBuffer sent = bytes("order");

        assertThat(read(pair.right, new ArrayList<>())).isEmpty();
        assertThat(pair.left.send(sent, List.of())).isEqualTo(OptionalInt.of(5));
        assertThat(sent.hasRemaining()).isFalse();
        assertThat(read(pair.right, new ArrayList<>())).isEqualTo("order");
        pair.left.close();
        assertThat(read(pair.right, new ArrayList<>())).isEqualTo("end");
    }

    @Test
    void socketThatIsFullTakesAPartAndThenNothing() throws IOException {
        Pair pair = pair();
        ByteBuffer much = ByteBuffer.allocate(4 << 20);
        OptionalInt taken = pair.left.send(much, List.of());
        assertThat(taken.orElseThrow()).isBetween(1, much.capacity() - 1);
        while (taken.isPresent()) {
            taken = pair.left.send(much, List.of());
        }
        assertThat(much.hasRemaining()).isTrue();

        int position = much.position();
        int[] pipe = Descriptors.pipe();
        assertThat(pair.left.send(much, List.of(pipe[0]))).isEmpty();
        assertThat(much.position()).isEqualTo(position);
        for (int end : pipe) {
            Descriptors.close(end);
        }
    }

    @Test
    void peerThatIsGoneIsAnErrorAndNoSignal() throws IOException {
        Pair pair = pair();
        pair.right.close();

        assertThatThrownBy(() -> pair.left.send(bytes("x"), List.of())).isInstanceOfSatisfying(PosixException.class,
                gone -> assertThat(gone.is(Errno.EPIPE)).isTrue());
    }

    @Test
    void descriptorsOfEveryNumberArriveInOrder() throws IOException {
        for (int count : new int[]{1, 2, 3, 252, 253}) {
            Pair pair = pair();
            int[] pipe = Descriptors.pipe();
            List<Integer> sent = new ArrayList<>(Collections.nCopies(count, pipe[0]));
            sent.set(count - 1, pipe[1]);
            pair.left.send(bytes("x"), sent);
            List<Integer> received = new ArrayList<>();

            assertThat(read(pair.right, received)).isEqualTo("x");
            assertThat(received).hasSize(count).doesNotHaveDuplicates();
            assertThat(received.subList(0, count - 1)).allSatisfy(one -> assertSame(one, pipe[0]));
            assertSame(received.getLast(), pipe[1]);
            assertThat(received).allSatisfy(UnixSocketTest::assertCloseOnExec);
            received.forEach(Descriptors::close);
            for (int end : pipe) {
                Descriptors.close(end);
            }
        }
    }

    private static void assertSame(int found, int expected) throws IOException {
        assertThat(Files.readSymbolicLink(Path.of("/proc/self/fd/" + found)))
                .isEqualTo(Files.readSymbolicLink(Path.of("/proc/self/fd/" + expected)));
        assertThat(flags(found) & 3).as("reads or writes").isEqualTo(flags(expected) & 3);
    }

    private static void assertCloseOnExec(int descriptor) throws IOException {
        assertThat(flags(descriptor) & 02000000).isEqualTo(02000000);
    }

    private static int flags(int descriptor) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/fdinfo/" + descriptor)).stream()
                .filter(line -> line.startsWith("flags:"))
                .mapToInt(line -> Integer.parseInt(line.substring(6).strip(), 8))
                .findFirst().orElseThrow();
    }

    @Test
    void moreDescriptorsThanOneMessageCarriesAreRefusedByTheKernel() throws IOException {
        Pair pair = pair();

        assertThatThrownBy(() -> pair.left.send(bytes("x"), Collections.nCopies(254, pair.left.descriptor())))
                .isInstanceOf(PosixException.class);
        assertThat(read(pair.right, new ArrayList<>())).isEmpty();
    }

    @Test
    void descriptorsOfTwoMessagesStayApart() throws IOException {
        Pair pair = pair();
        int[] pipe = Descriptors.pipe();
        pair.left.send(bytes("first"), List.of(pipe[0]));
        pair.left.send(bytes("second"), List.of(pipe[1], pipe[1]));
        for (int end : pipe) {
            Descriptors.close(end);
        }
        List<Integer> first = new ArrayList<>();
        List<Integer> second = new ArrayList<>();

        assertThat(read(pair.right, first)).isEqualTo("first");
        assertThat(read(pair.right, second)).isEqualTo("second");
        assertThat(first).hasSize(1);
        assertThat(second).hasSize(2);
        first.forEach(Descriptors::close);
        second.forEach(Descriptors::close);
    }
}
