package io.servery.netty.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import io.servery.core.config.Endpoint;
import io.servery.core.fault.ExitCode;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Binding an endpoint: all of its addresses or none, and a reason that names the one that failed.
@EnabledOnOs(value = OS.LINUX, disabledReason = "epoll is Linux's")
class BinderTest {
    private static final int SHARDS = 3;

    @TempDir
    Path folder;

    private final List<ListenerGroup> open = new ArrayList<>();

    @BeforeAll
    static void loadNetty() {
        Epoll.ensureAvailability(); // its sockets are asked for the ports of ours
    }

    @AfterEach
    void close() throws IOException {
        for (ListenerGroup group : open) {
            group.close();
        }
    }

    private static Endpoint tcp(int port, String... hosts) {
        return new Endpoint.Tcp(List.of(hosts), port);
    }

    private ListenResult bind(Endpoint endpoint, boolean epoll) {
        return new Binder("listener", 16, SHARDS, epoll).bind(endpoint);
    }

    private List<ListenerGroup> bound(Endpoint endpoint, boolean epoll) {
        return switch (bind(endpoint, epoll)) {
            case ListenResult.Bound(List<ListenerGroup> groups) -> {
                open.addAll(groups);
                yield groups;
            }
            case ListenResult.Refused(String message, ExitCode _) -> throw new AssertionError(message);
        };
    }

    private List<ListenerGroup> bound(Endpoint endpoint) {
        return bound(endpoint, true);
    }

    private ListenResult.Refused refused(Endpoint endpoint, boolean epoll) {
        return switch (bind(endpoint, epoll)) {
            case ListenResult.Bound(List<ListenerGroup> groups) -> {
                open.addAll(groups);
                throw new AssertionError("bound " + groups);
            }
            case ListenResult.Refused no -> no;
        };
    }

    private ListenResult.Refused refused(Endpoint endpoint) {
        return refused(endpoint, true);
    }

    private static int port(ListenerGroup group) {
        return ((InetSocketAddress) group.address()).getPort();
    }

    private static boolean connects(String host, int port) {
        try (Socket socket = new Socket(host, port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void everyShardOfAnAddressHasThePortThatTheSystemChoseOnce() {
        ListenerGroup group = bound(tcp(0, "127.0.0.1")).getFirst();

        assertThat(port(group)).isPositive();
        assertThat(group.shards()).hasSize(SHARDS).allSatisfy(shard -> assertThat(
                new io.netty.channel.unix.Socket(((BoundSocket.Tcp) shard).descriptor()).localAddress().getPort())
                .isEqualTo(port(group)));
        assertThat(group.url("http")).isEqualTo("http://127.0.0.1:" + port(group) + "/");
        assertThat(connects("127.0.0.1", port(group))).isTrue();
    }

    @Test
    void nioHasOneSocketAnAddress() {
        ListenerGroup group = bound(tcp(0, "127.0.0.1"), false).getFirst();

        assertThat(group.shards()).hasSize(1);
        assertThat(connects("127.0.0.1", port(group))).isTrue();
    }

    @Test
    void takenPortIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (boolean epoll : new boolean[]{true, false}) {
                ListenResult.Refused no = refused(tcp(taken.getLocalPort(), "127.0.0.1"), epoll);

                assertThat(no.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
                assertThat(no.message()).startsWith("listener: cannot listen on 127.0.0.1 port "
                        + taken.getLocalPort() + ": ").containsIgnoringCase("in use");
            }
        }
    }

    /// The kernel lets sockets of one user share a port that all of them bound with SO_REUSEPORT: two servers would then
    /// get half of the connections each.
    @Test
    void portThatTheSameUserSharesIsTakenAllTheSame() throws IOException {
        int port = port(bound(tcp(0, "127.0.0.1")).getFirst());
        assertThat(refused(tcp(port, "127.0.0.1")).message()).contains("port " + port, "in use");

        try (ServerSocketChannel other = ServerSocketChannel.open()) {
            other.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int shared = ((InetSocketAddress) other.getLocalAddress()).getPort();
            assertThat(refused(tcp(shared, "127.0.0.1")).message()).contains("port " + shared, "in use");
        }
    }

    @Test
    void oneAddressThatFailsLeavesNoneBound() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"))) {
            int port = taken.getLocalPort();

            assertThat(refused(tcp(port, "127.0.0.1", "127.0.0.2")).message()).contains("127.0.0.2 port " + port);

            assertThat(bound(tcp(port, "127.0.0.1"))).hasSize(1);
        }
    }

    @Test
    void bothWildcardsShareAPort() throws IOException {
        assumeTrue(hasIpv6(), "this host has no IPv6");
        int port = freePort();

        List<ListenerGroup> groups = bound(tcp(port, "0.0.0.0", "::"));

        assertThat(groups).hasSize(2);
        assertThat(connects("127.0.0.1", port)).isTrue();
        assertThat(connects("::1", port)).isTrue();
        assertThat(groups.get(1).url("http")).isEqualTo("http://[0:0:0:0:0:0:0:0]:" + port + "/");
    }

    @Test
    void ipv6WildcardTakesNoIpv4() throws IOException {
        assumeTrue(hasIpv6(), "this host has no IPv6");
        int port = freePort();
        bound(tcp(port, "::"));

        assertThat(connects("::1", port)).isTrue();
        assertThat(connects("127.0.0.1", port)).isFalse();
    }

    @Test
    void addressOfAnotherHostAndUnknownNameAreTold() {
        assertThat(refused(tcp(0, "192.0.2.1")).message())
                .isEqualTo("listener: cannot listen on 192.0.2.1 port 0: this host has no such address");
        assertThat(refused(tcp(0, "no-such-host.invalid")).message()).isEqualTo(
                "listener: cannot listen on no-such-host.invalid port 0: the host name is not known");
    }

    @Test
    void unixSocketListensAndItsFileGoesWithIt() throws IOException {
        Path path = folder.resolve("s");
        ListenerGroup group = bound(new Endpoint.UnixSocket(path)).getFirst();

        assertThat(group.url("http")).isEqualTo("unix:" + path);
        try (SocketChannel peer = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            assertThat(peer.isConnected()).isTrue();
        }
        group.removePath();
        assertThat(path).doesNotExist();
    }

    @Test
    void whatTookThePlaceOfTheSocketIsLeftAndTold() throws IOException {
        Path path = folder.resolve("s");
        ListenerGroup group = bound(new Endpoint.UnixSocket(path)).getFirst();
        Files.delete(path);
        Files.writeString(path, "somebody else's");

        assertThatThrownBy(group::removePath).isInstanceOf(IOException.class)
                .hasMessage(path + ": found something else than the socket that was made there; it is left as it is");
        assertThat(path).hasContent("somebody else's");
        Files.delete(path);
    }

    /// Another process found the name free, and listens there.
    @Test
    void socketThatTookThePlaceOfOursIsLeftAndTold() throws IOException {
        Path path = folder.resolve("s");
        ListenerGroup group = bound(new Endpoint.UnixSocket(path)).getFirst();
        Files.delete(path);
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(path));

            assertThatThrownBy(group::removePath).isInstanceOf(IOException.class).hasMessage(
                    path + ": found something else than the socket that was made there; it is left as it is");
            try (SocketChannel peer = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
                assertThat(peer.isConnected()).isTrue();
            }
        }
        Files.delete(path);
    }

    @Test
    void fileThatIsGoneIsNoError() throws IOException {
        Path path = folder.resolve("s");
        ListenerGroup group = bound(new Endpoint.UnixSocket(path)).getFirst();
        Files.delete(path);
        group.removePath();
        assertThat(path).doesNotExist();
    }

    @Test
    void unixSocketThatAKilledProcessLeftIsReplaced() throws IOException {
        Path path = folder.resolve("s");
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(path));
        }
        assertThat(path).exists();

        bound(new Endpoint.UnixSocket(path));

        try (SocketChannel peer = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            assertThat(peer.isConnected()).isTrue();
        }
    }

    @Test
    void unixSocketThatSomebodyListensOnIsLeftToThem() throws IOException {
        Path path = folder.resolve("s");
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(path));

            assertThat(refused(new Endpoint.UnixSocket(path)).message()).contains(path.toString(),
                    "another process listens there");

            try (SocketChannel peer = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
                assertThat(peer.isConnected()).isTrue();
            }
        }
    }

    @Test
    void fileThatIsNoSocketIsKept() throws IOException {
        Path path = Files.writeString(folder.resolve("notes.txt"), "mine");

        assertThat(refused(new Endpoint.UnixSocket(path)).message()).contains(path.toString(), "is not a socket");

        assertThat(path).hasContent("mine");
    }

    @Test
    void missingDirectoryOfAUnixSocketIsTold() {
        Path path = folder.resolve("missing").resolve("s");

        assertThat(refused(new Endpoint.UnixSocket(path)).message())
                .isEqualTo("listener: cannot listen on " + path + ": its directory does not exist");
    }

    @Test
    void unixSocketNeedsEpoll() {
        assertThat(refused(new Endpoint.UnixSocket(folder.resolve("s")), false).message())
                .contains("needs the epoll transport");
    }

    private static boolean hasIpv6() throws IOException {
        return NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
                .anyMatch(address -> address instanceof Inet6Address && address.isLoopbackAddress());
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }
}
