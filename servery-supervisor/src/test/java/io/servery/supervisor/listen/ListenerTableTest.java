package io.servery.supervisor.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.servery.core.config.Endpoint;
import io.servery.core.control.Shard;
import io.servery.core.fault.ExitCode;
import io.servery.supervisor.Census;
import io.servery.supervisor.channel.UnixSocket;
import io.servery.supervisor.posix.Descriptors;
import io.servery.supervisor.posix.Posix;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Listening sockets: all of the addresses or none, and groups that grow.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the supervisor is Linux's")
class ListenerTableTest {
    private static final int BACKLOG = 16;

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
        assertThat(table.shards()).isEmpty();
        assertThat(Census.descriptors()).isEqualTo(before);
    }

    private static Endpoint tcp(int port, String... hosts) {
        return new Endpoint.Tcp(List.of(hosts), port);
    }

    private static List<ListenAddress> addresses(Endpoint endpoint) {
        return switch (ListenAddress.of("listener", endpoint, Map.of())) {
            case ListenAddress.Resolved(List<ListenAddress> addresses) -> addresses;
            case ListenAddress.Unresolved(BindResult.Refused no) -> throw new AssertionError(no.message());
        };
    }

    private List<Shard> bound(Endpoint endpoint, int shards) {
        return bound(addresses(endpoint), shards);
    }

    private List<Shard> bound(List<ListenAddress> addresses, int shards) {
        return switch (table.bind(WantedAddress.all("listener", addresses), shards, BACKLOG)) {
            case BindResult.Bound(List<Shard> all) -> all;
            case BindResult.Refused(String message, ExitCode _) -> throw new AssertionError(message);
        };
    }

    private BindResult.Refused refused(List<ListenAddress> addresses) {
        return switch (table.bind(WantedAddress.all("listener", addresses), 2, BACKLOG)) {
            case BindResult.Bound(List<Shard> all) -> throw new AssertionError("bound " + all);
            case BindResult.Refused no -> no;
        };
    }

    private BindResult.Refused refused(Endpoint endpoint) {
        return refused(addresses(endpoint));
    }

    private static List<Shard> shards(int group, int count) {
        return IntStream.range(0, count).mapToObj(index -> new Shard(group, index)).toList();
    }

    private int port(int group) {
        return ((BoundAddress.Tcp) table.address(group)).address().getPort();
    }

    private static boolean connects(String host, int port) {
        try (Socket socket = new Socket(host, port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void everyShardOfAnAddressHasThePortThatTheSystemChoseOnce() throws IOException {
        List<Shard> shards = bound(tcp(0, "127.0.0.1"), 3);

        assertThat(shards).isEqualTo(shards(0, 3));
        assertThat(port(0)).isPositive();
        for (Shard shard : shards) {
            assertThat(BoundAddress.of(table.descriptor(shard))).isEqualTo(table.address(0));
        }
        assertThat(table.address(0).text()).isEqualTo("127.0.0.1:" + port(0));
        assertThat(table.address(0).url("http")).isEqualTo("http://127.0.0.1:" + port(0) + "/");
        assertThat(connects("127.0.0.1", port(0))).isTrue();
    }

    @Test
    void socketsAreNotInheritedByProgramsAndNeverWait() throws IOException {
        for (Shard shard : bound(tcp(0, "127.0.0.1"), 2)) {
            int flags = Files.readAllLines(Path.of("/proc/self/fdinfo/" + table.descriptor(shard))).stream()
                    .filter(line -> line.startsWith("flags:"))
                    .mapToInt(line -> Integer.parseInt(line.substring(6).strip(), 8))
                    .findFirst().orElseThrow();
            assertThat(flags & 02004000).isEqualTo(02004000);
        }
    }

    @Test
    void groupGrowsByAppendingAndNeverShrinks() {
        ListenAddress any = addresses(tcp(0, "127.0.0.1")).getFirst();
        bound(List.of(any), 2);
        int descriptor = table.descriptor(new Shard(0, 0));
        int port = port(0);

        assertThat(bound(List.of(any), 4)).isEqualTo(shards(0, 4));
        assertThat(bound(List.of(any), 1)).isEqualTo(shards(0, 4));
        assertThat(table.descriptor(new Shard(0, 0))).isEqualTo(descriptor);
        assertThat(port(0)).isEqualTo(port);
    }

    /// Else the kernel would give it connections that nobody reads, and that are reset if nobody ever does.
    @Test
    void shardByWhichAGroupGrowsListensWhenItIsAboutToBeRead() throws IOException {
        ListenAddress any = addresses(tcp(0, "127.0.0.1")).getFirst();
        assertThat(bound(List.of(any), 2)).as("a new address").allMatch(this::listens);

        bound(List.of(any), 3);
        Shard grown = new Shard(0, 2);
        assertThat(listens(grown)).isFalse();
        assertThat(HandedSocket.fault(table.descriptor(grown), table.address(0).text(), true)).isEmpty();
        assertThat(HandedSocket.fault(table.descriptor(grown), table.address(0).text(), false).orElseThrow())
                .startsWith("found a socket that does not listen; expected one that listens at 127.0.0.1:");

        table.listen(List.of(grown));
        assertThat(listens(grown)).isTrue();
    }

    private boolean listens(Shard shard) {
        return HandedSocket.fault(table.descriptor(shard), table.address(shard.group()).text(), false).isEmpty();
    }

    @Test
    void numberOfAGroupIsNotUsedTwice() throws IOException {
        ListenAddress first = addresses(tcp(0, "127.0.0.1")).getFirst();
        ListenAddress second = addresses(tcp(0, "127.0.0.2")).getFirst();
        bound(List.of(first), 1);
        bound(List.of(first, second), 2);
        assertThat(table.shards()).containsExactly(new Shard(0, 0), new Shard(0, 1), new Shard(1, 0), new Shard(1, 1));

        table.close(shards(0, 2));
        assertThat(bound(List.of(second, first), 1)).containsExactly(new Shard(1, 0), new Shard(1, 1),
                new Shard(2, 0));
        assertThatThrownBy(() -> table.descriptor(new Shard(0, 0))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void nameKeepsItsSocketsOverReloads() {
        List<Shard> shards = bound(tcp(0, "localhost"), 1);

        assertThat(bound(tcp(0, "localhost"), 1)).isEqualTo(shards);
    }

    @Test
    void sameAddressOfAnotherListenerIsInUse() {
        bound(tcp(0, "127.0.0.1"), 1);
        List<ListenAddress> same = addresses(tcp(port(0), "127.0.0.1"));

        assertThat(table.bind(WantedAddress.all("metrics", same), 1, BACKLOG)).isEqualTo(new BindResult.Refused(
                "metrics: cannot listen on 127.0.0.1 port " + port(0)
                        + ": the address is in use; stop the other process or choose another port",
                ExitCode.UNAVAILABLE));
    }

    /// Addresses of several names are bound together, or none of them is.
    @Test
    void addressThatIsTakenUnbindsThoseOfOtherNamesToo() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<WantedAddress> wanted = new ArrayList<>(
                    WantedAddress.all("listener", addresses(tcp(0, "127.0.0.1"))));
            wanted.addAll(WantedAddress.all("listener.redirect_port",
                    addresses(tcp(taken.getLocalPort(), "127.0.0.1"))));

            assertThat(table.bind(wanted, 2, BACKLOG)).isInstanceOfSatisfying(BindResult.Refused.class,
                    no -> assertThat(no.message()).startsWith("listener.redirect_port: cannot listen on 127.0.0.1"));
            assertThat(table.groups()).isEmpty();
        }
    }

    @Test
    void takenPortIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(refused(tcp(taken.getLocalPort(), "127.0.0.1"))).isEqualTo(new BindResult.Refused(
                    "listener: cannot listen on 127.0.0.1 port " + taken.getLocalPort()
                            + ": the address is in use; stop the other process or choose another port",
                    ExitCode.UNAVAILABLE));
        }
    }

    /// The kernel lets sockets of one user share a port that all of them bound with SO_REUSEPORT: two servers would then
    /// get half of the connections each.
    @Test
    void portThatTheSameUserSharesIsTakenAllTheSame() throws IOException {
        try (ServerSocketChannel other = ServerSocketChannel.open()) {
            other.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int shared = ((InetSocketAddress) other.getLocalAddress()).getPort();

            assertThat(refused(tcp(shared, "127.0.0.1")).message()).contains("port " + shared, "in use");
        }
        bound(tcp(0, "127.0.0.1"), 2);
        ListenerTable second = new ListenerTable();
        assertThat(second.bind(WantedAddress.all("listener", addresses(tcp(port(0), "127.0.0.1"))), 1, BACKLOG))
                .isInstanceOf(BindResult.Refused.class);
    }

    @Test
    void oneAddressThatFailsLeavesTheTableAsItWas() throws IOException {
        ListenAddress kept = addresses(tcp(0, "127.0.0.1")).getFirst();
        bound(List.of(kept), 1);
        Path path = folder.resolve("s");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"))) {
            int port = taken.getLocalPort();
            List<ListenAddress> wanted = new ArrayList<>(List.of(kept, new ListenAddress.Unix(path)));
            wanted.addAll(addresses(tcp(port, "127.0.0.3", "127.0.0.2")));

            assertThat(refused(wanted).message()).contains("127.0.0.2 port " + port);

            assertThat(table.shards()).isEqualTo(shards(0, 1));
            assertThat(path).doesNotExist();
            assertThat(connects("127.0.0.3", port)).isFalse();
            assertThat(connects("127.0.0.1", port(0))).isTrue();
        }
    }

    @Test
    void bothWildcardsShareAPort() throws IOException {
        assumeTrue(hasIpv6(), "this host has no IPv6");
        int port = freePort();

        List<Shard> shards = bound(tcp(port, "0.0.0.0", "::"), 2);

        assertThat(shards).hasSize(4);
        assertThat(connects("127.0.0.1", port)).isTrue();
        assertThat(connects("::1", port)).isTrue();
        assertThat(table.address(0).text()).isEqualTo("0.0.0.0:" + port);
        assertThat(table.address(1).text()).isEqualTo("[::]:" + port);
        assertThat(table.address(1).url("http")).isEqualTo("http://[0:0:0:0:0:0:0:0]:" + port + "/");
    }

    @Test
    void ipv6WildcardTakesNoIpv4() throws IOException {
        assumeTrue(hasIpv6(), "this host has no IPv6");
        bound(tcp(0, "::"), 2);

        assertThat(connects("::1", port(0))).isTrue();
        assertThat(connects("127.0.0.1", port(0))).isFalse();
    }

    @Test
    void addressOfAnotherHostAndUnknownNameAreTold() {
        assertThat(refused(tcp(0, "192.0.2.1"))).isEqualTo(new BindResult.Refused(
                "listener: cannot listen on 192.0.2.1 port 0: this host has no such address", ExitCode.UNAVAILABLE));
        assertThat(ListenAddress.of("metrics", tcp(0, "127.0.0.1", "no-such-host.invalid"), Map.of()))
                .isEqualTo(new ListenAddress.Unresolved(new BindResult.Refused(
                        "metrics: cannot listen on no-such-host.invalid port 0: the host name is not known",
                        ExitCode.UNAVAILABLE)));
    }

    @Test
    void unixSocketIsOneShardAndItsFileGoesWithIt() throws IOException {
        Path path = folder.resolve("s");
        List<Shard> shards = bound(new Endpoint.UnixSocket(path), 4);

        assertThat(shards).isEqualTo(shards(0, 1));
        assertThat(table.address(0).text()).isEqualTo("unix:" + path);
        assertThat(table.address(0).url("http")).isEqualTo("unix:" + path);
        try (SocketChannel peer = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            assertThat(peer.isConnected()).isTrue();
        }
        assertThat(bound(new Endpoint.UnixSocket(path), 4)).as("our own is no other's").isEqualTo(shards);
        table.close(shards);
        assertThat(path).doesNotExist();
    }

    @Test
    void unixSocketThatAKilledProcessLeftIsReplaced() throws IOException {
        Path path = folder.resolve("s");
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(path));
        }
        assertThat(path).exists();

        bound(new Endpoint.UnixSocket(path), 1);

        try (SocketChannel peer = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            assertThat(peer.isConnected()).isTrue();
        }
    }

    @Test
    void unixSocketThatSomebodyListensOnIsLeftToThemThoughTheirQueueIsFull() throws IOException {
        Path path = folder.resolve("s");
        String expected = "listener: cannot listen on " + path + ": another process listens there";
        try (UnixSocket other = UnixSocket.listen(path, 0)) {
            assertThat(refused(new Endpoint.UnixSocket(path)).message()).isEqualTo(expected);
            try (UnixSocket waiting = UnixSocket.connect(path)) {
                assertThat(waiting.descriptor()).isNotNegative();
                assertThat(refused(new Endpoint.UnixSocket(path)).message()).isEqualTo(expected);
            } catch (IOException full) {
                assertThat(refused(new Endpoint.UnixSocket(path)).message()).isEqualTo(expected);
            }
            assertThat(other.accept()).isNotNull().satisfies(UnixSocket::close);
        }
        assertThat(path).exists();
    }

    @Test
    void fileThatIsNoSocketIsKept() throws IOException {
        Path path = Files.writeString(folder.resolve("notes.txt"), "mine");

        assertThat(refused(new Endpoint.UnixSocket(path)).message())
                .isEqualTo("listener: cannot listen on " + path + ": the path exists and is not a socket");
        assertThat(path).hasContent("mine");
    }

    @Test
    void missingDirectoryOfAUnixSocketIsTold() {
        Path path = folder.resolve("missing").resolve("s");

        assertThat(refused(new Endpoint.UnixSocket(path)).message())
                .isEqualTo("listener: cannot listen on " + path + ": its directory does not exist");
    }

    @Test
    void inheritedSocketsAreShardsAsTheyCame() throws IOException {
        bound(tcp(0, "127.0.0.1"), 2);
        Posix fcntl = Posix.function("fcntl");
        List<Integer> given = new ArrayList<>();
        for (Shard shard : table.shards()) {
            given.add(fcntl.call(table.descriptor(shard), 1030, 0)); // F_DUPFD_CLOEXEC
        }
        ListenAddress inherited = new ListenAddress.Inherited("web", given);
        List<Shard> shards = bound(List.of(inherited), 8);

        assertThat(shards).isEqualTo(shards(1, 2));
        assertThat(table.address(1)).isEqualTo(table.address(0));
        assertThat(bound(List.of(new ListenAddress.Inherited("web", List.of())), 8)).isEqualTo(shards);
        table.close(shards(0, 2));
        assertThat(connects("127.0.0.1", port(1))).isTrue();

        table.close(shards(1, 2));
        List<Shard> again = bound(List.of(inherited), 8);
        assertThat(again).isEqualTo(shards(2, 2));
        assertThat(connects("127.0.0.1", port(2))).isTrue();
        given.forEach(Descriptors::close);
    }

    /// Who made it has its file: systemd listens there when we are gone.
    @Test
    void fileOfAnInheritedUnixSocketIsLeft() throws IOException {
        Path path = folder.resolve("s");
        int given = ListeningSocket.unix(path, 8);
        List<Shard> shards = bound(List.of(new ListenAddress.Inherited("web", List.of(given))), 1);

        assertThat(table.file(0)).as("for who takes the sockets over").isNull();
        table.close(shards);
        assertThat(path).exists();
        Descriptors.close(given);

        bound(new Endpoint.UnixSocket(folder.resolve("ours")), 1);
        assertThat(table.file(1)).isEqualTo(UnixPath.bound(folder.resolve("ours")));
    }

    @Test
    void longerQueueIsGivenToSocketsThatListenAlready() throws IOException {
        ListenAddress any = addresses(tcp(0, "127.0.0.1")).getFirst();
        bound(List.of(any), 1);
        assertThat(queueLength()).isEqualTo(BACKLOG);

        table.bind(WantedAddress.all("listener", List.of(any)), 1, 77);

        assertThat(queueLength()).isEqualTo(77);
    }

    /// tcp_info(7) of a listening socket: tcpi_sacked is the length that it may have.
    private int queueLength() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(256, 8);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, 256);
            Posix.function("getsockopt").call(table.descriptor(new Shard(0, 0)), 6, 11, info.address(),
                    length.address());
            return info.get(ValueLayout.JAVA_INT, 28);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shardThatIsClosedTwiceIsClosedOnce() throws IOException {
        List<Shard> shards = bound(tcp(0, "127.0.0.1"), 2);
        table.close(shards.subList(0, 1));
        try (Socket other = new Socket(InetAddress.getLoopbackAddress(), port(0))) {
            table.close(shards.subList(0, 1)); // its number is another descriptor's now, perhaps
            assertThat(other.isConnected()).isTrue();
        }
        assertThat(table.shards()).isEqualTo(shards.subList(1, 2));
    }

    @Test
    void hundredRoundsLeaveNoDescriptorAndNoFile() throws IOException {
        List<ListenAddress> wanted = new ArrayList<>(addresses(tcp(0, "127.0.0.1", "127.0.0.2")));
        wanted.add(new ListenAddress.Unix(folder.resolve("s")));
        for (int round = 0; round < 100; round++) {
            List<Shard> shards = bound(wanted, 1 + round % 3);
            assertThat(shards.getFirst().group()).isEqualTo(3 * round);
            table.closeAll();
        }

        assertThat(Census.descriptors()).isEqualTo(before);
        assertThat(folder.resolve("s")).doesNotExist();
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
