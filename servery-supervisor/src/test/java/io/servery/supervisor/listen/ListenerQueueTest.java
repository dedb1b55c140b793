package io.servery.supervisor.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.servery.core.control.Shard;
import io.servery.core.fault.ExitCode;
import io.servery.supervisor.Census;
import io.servery.supervisor.channel.UnixSocket;
import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Errno;
import io.servery.supervisor.posix.Posix;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Those who wait in the queue of a shard.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
class ListenerQueueTest {
    private static final int BACKLOG = 64;
    private static final Posix ACCEPT4 = Posix.function("accept4");
    private static final long CLOEXEC_NONBLOCK = 0x80800;

    @TempDir
    Path folder;

    private final ListenerTable table = new ListenerTable();
    private List<String> before = List.of();

    @BeforeEach
    void count() {
        before = Census.descriptors();
    }

    @AfterEach
    void nothingIsLeftOpen() throws IOException {
        table.closeAll();
        assertThat(Census.descriptors()).isEqualTo(before);
    }

    private List<Shard> bound(int shards) {
        ListenAddress loopback = new ListenAddress.Tcp(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                "127.0.0.1");
        return switch (table.bind(WantedAddress.all("listener", List.of(loopback)), shards, BACKLOG)) {
            case BindResult.Bound(List<Shard> all) -> all;
            case BindResult.Refused(String message, ExitCode _) -> throw new AssertionError(message);
        };
    }

    private int port(int group) {
        return ((BoundAddress.Tcp) table.address(group)).address().getPort();
    }

    /// How many connections wait on these shards; all are accepted and closed.
    private int accepted(List<Shard> shards) {
        int count = 0;
        for (Shard shard : shards) {
            int connection = ACCEPT4.tryCall(table.descriptor(shard), 0, 0, CLOEXEC_NONBLOCK);
            for (; connection >= 0; connection = ACCEPT4.tryCall(table.descriptor(shard), 0, 0, CLOEXEC_NONBLOCK)) {
                count++;
                Descriptors.close(connection);
            }
            assertThat(connection).isEqualTo(-Errno.EAGAIN);
        }
        return count;
    }

    @Test
    void connectionsAreSpreadOverTheShards() throws IOException {
        List<Shard> shards = bound(2);
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < BACKLOG; i++) {
            clients.add(new Socket(InetAddress.getLoopbackAddress(), port(0)));
        }
        int first = accepted(shards.subList(0, 1));
        int second = accepted(shards.subList(1, 2));

        // Which shard is the kernel's choice, by a hash: that one gets all 64 has a chance of 1 in 2 to the 63rd.
        assertThat(first).isPositive();
        assertThat(second).isPositive();
        assertThat(first + second).isEqualTo(clients.size());
        for (Socket client : clients) {
            client.close();
        }
    }

    @Test
    void connectionsWaitOverTheDeathOfAProcessThatHasDuplicates() throws Exception {
        List<Shard> shards = bound(2);
        Process holder = startHolder(shards);
        List<SocketChannel> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 16; i++) {
                clients.add(SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port(0))));
            }
        } finally {
            holder.destroyForcibly().waitFor();
        }

        assertThat(accepted(shards)).isEqualTo(clients.size());
        for (SocketChannel client : clients) {
            assertThat(client.read(ByteBuffer.allocate(1))).as("closed in order, not reset").isEqualTo(-1);
            client.close();
        }
    }

    private Process startHolder(List<Shard> shards) throws IOException {
        Path path = folder.resolve("control");
        try (UnixSocket listening = UnixSocket.listen(path, 1)) {
            Process holder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
                    System.getProperty("java.class.path"), Holder.class.getName(),
                    path.toString()).redirectError(folder.resolve("holder.err").toFile()).start();
            BufferedReader said = holder.inputReader();
            UnixSocket peer = Stream.generate(() -> acceptOf(listening)).filter(one -> one != null).findFirst()
                    .orElseThrow();
            try (peer) {
                peer.send(ByteBuffer.wrap(new byte[1]), shards.stream().map(table::descriptor).toList());
                for (int i = 0; i < shards.size(); i++) {
                    assertThat(said.readLine()).isEqualTo(table.address(0).text());
                }
            }
            return holder;
        }
    }

    private static UnixSocket acceptOf(UnixSocket listening) {
        try {
            Thread.onSpinWait();
            return listening.accept();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Why a shard is closed only when its address is given up.
    @Test
    void closingAShardResetsThoseWhoWaitInItsQueue() throws IOException {
        List<Shard> shards = bound(1);
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port(0))) {
            table.close(shards);

            assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
        }
    }
}
