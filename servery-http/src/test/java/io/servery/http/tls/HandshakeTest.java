package io.servery.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.ReferenceCountUtil;
import io.servery.core.tls.Identity;
import io.servery.core.config.TlsVersion;
import io.servery.http.exchange.RequestHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Handshakes that do not go the usual way, and identities that change while others are under way.
class HandshakeTest {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int HANDSHAKE = 22;
    private static final int RECORD_MAX = 16 * 1024;

    private final List<AutoCloseable> resources = new ArrayList<>();

    @AfterEach
    void giveBack() throws Exception {
        for (AutoCloseable resource : resources.reversed()) {
            resource.close();
        }
    }

    // ---- the first message

    @Test
    void helloOf17KibibytesEndsTheConnection() throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        try (Socket socket = connect(server)) {
            send(socket, records(hello(17 * 1024), RECORD_MAX));
            assertThat(endOf(socket)).isTrue();
        }
        await().untilAsserted(() -> assertThat(server.failures).containsExactly(TlsFailure.HELLO_TOO_LARGE));
    }

    @Test
    void helloOf17KibibytesInSmallRecordsEndsTheConnectionWithItsFirst() throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        try (Socket socket = connect(server)) {
            send(socket, Arrays.copyOf(records(hello(17 * 1024), 10), 30));
            assertThat(endOf(socket)).isTrue();
        }
        await().untilAsserted(() -> assertThat(server.failures).containsExactly(TlsFailure.HELLO_TOO_LARGE));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100, RECORD_MAX})
    void realHelloInRecordsOfAnySizeIsRead(int recordBytes) throws Exception {
        Identity other = Identities.selfSigned("other.example");
        TlsServer server = serving(TlsServer.SETTINGS);
        server.contexts.serve(Identities.selfSigned("site.example"), List.of(new NamedIdentity(other, other.names())));
        byte[] message = realHello("other.example", "http/1.1");
        try (Socket socket = connect(server)) {
            send(socket, records(message, recordBytes));
            assertThat(socket.getInputStream().read()).isEqualTo(HANDSHAKE);
        }
        await().untilAsserted(() -> assertThat(server.failures).containsExactly(TlsFailure.LEFT));
    }

    @Test
    void plainHttpIsNoTls() throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        try (Socket socket = connect(server)) {
            send(socket, "GET / HTTP/1.1\r\nHost: site.example\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(endOf(socket)).isTrue();
        }
        await().untilAsserted(() -> assertThat(server.failures).containsExactly(TlsFailure.NOT_TLS));
    }

    @Test
    void clientThatLeavesIsTold() throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        try (Socket socket = connect(server)) {
            send(socket, new byte[]{HANDSHAKE, 3, 1});
        }
        await().untilAsserted(() -> assertThat(server.failures).containsExactly(TlsFailure.LEFT));
    }

    // ---- the deadline

    @ParameterizedTest
    @ValueSource(strings = {"nothing", "half a hello", "a hello"})
    void handshakeIsCutAtItsDeadlineWhereverItStands(String sent) throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        byte[] hello = records(realHello("site.example"), RECORD_MAX);
        EmbeddedChannel channel = accepted(server);
        channel.writeInbound(Unpooled.wrappedBuffer(switch (sent) {
            case "nothing" -> new byte[0];
            case "half a hello" -> Arrays.copyOf(hello, hello.length / 2);
            default -> hello;
        }));
        channel.advanceTimeBy(TlsServer.SETTINGS.handshakeTimeout().toNanos() - 1, TimeUnit.NANOSECONDS);
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isTrue();
        assertThat(server.failures).isEmpty();
        channel.advanceTimeBy(1, TimeUnit.NANOSECONDS);
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isFalse();
        assertThat(server.failures).containsExactly(TlsFailure.TIMED_OUT);
        channel.finishAndReleaseAll();
        assertThat(server.failures).as("told once").hasSize(1);
    }

    @Test
    void deadlineEndsWithTheHandshake() throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        EmbeddedChannel channel = accepted(server);
        SslContext context = SslContextBuilder.forClient().sslProvider(SslProvider.OPENSSL_REFCNT)
                .trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm(null).build();
        EmbeddedChannel client = new EmbeddedChannel(context.newHandler(UnpooledByteBufAllocator.DEFAULT));
        for (int turn = 0; turn < 10; turn++) {
            carry(client, channel);
            carry(channel, client);
        }
        assertThat(server.connections).hasSize(1);
        channel.advanceTimeBy(1, TimeUnit.DAYS);
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isTrue();
        assertThat(server.failures).isEmpty();
        client.finishAndReleaseAll();
        channel.finishAndReleaseAll();
        ReferenceCountUtil.release(context);
    }

    /// An accepted connection whose time stands still.
    private static EmbeddedChannel accepted(TlsServer server) {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        server.contexts.secure(channel.pipeline(), server);
        return channel;
    }

    private static void carry(EmbeddedChannel from, EmbeddedChannel to) {
        for (Object bytes = from.readOutbound(); bytes != null; bytes = from.readOutbound()) {
            to.writeInbound(bytes);
        }
    }

    @Test
    void clientThatSendsNothingIsCutOnARealSocketToo() throws Exception {
        TlsServer server = serving(new TlsSettings(TlsVersion.TLS_1_2, TlsServer.SETTINGS.groups(),
                new ClientCertificates.Off(), Duration.ofMillis(100), List.of("http/1.1")));
        try (Socket socket = connect(server)) {
            assertThat(endOf(socket)).isTrue();
        }
        assertThat(server.failures).containsExactly(TlsFailure.TIMED_OUT);
    }

    // ---- groups

    @ParameterizedTest
    @ValueSource(strings = {"X25519MLKEM768", "X25519", "P-256"})
    void everyGroupIsAgreedOn(String group) throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        assertThat(agreedGroup(server, group)).isEqualTo(code(group));
    }

    @Test
    void hybridGroupIsPreferredEvenToTheClientsFirst() throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        assertThat(agreedGroup(server, "X25519", "P-256", "X25519MLKEM768")).isEqualTo(code("X25519MLKEM768"));
        assertThat(agreedGroup(server, "P-256", "X25519")).isEqualTo(code("X25519"));
    }

    private static String code(String group) {
        return switch (group) {
            case "X25519MLKEM768" -> "11ec";
            case "X25519" -> "001d";
            default -> "0017";
        };
    }

    /// The group that the server's first message names: of its key, or of the key that it asks for.
    private String agreedGroup(TlsServer server, String... groups) throws Exception {
        SslContext context = SslContextBuilder.forClient().sslProvider(SslProvider.OPENSSL_REFCNT)
                .trustManager(InsecureTrustManagerFactory.INSTANCE).protocols("TLSv1.3")
                .option(OpenSslContextOption.GROUPS, groups).endpointIdentificationAlgorithm(null).build();
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        try {
            Channel channel = new Bootstrap().group(group).channel(NioSocketChannel.class)
                    .handler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel socket) {
                            socket.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                                @Override
                                public void channelRead(ChannelHandlerContext ctx, Object message) {
                                    ByteBuf bytes = (ByteBuf) message;
                                    byte[] copy = new byte[bytes.readableBytes()];
                                    bytes.getBytes(bytes.readerIndex(), copy);
                                    first.writeBytes(copy);
                                    ctx.fireChannelRead(message);
                                }
                            }, context.newHandler(socket.alloc()));
                        }
                    }).connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port())).sync().channel();
            channel.pipeline().get(SslHandler.class).handshakeFuture().sync();
            channel.close().sync();
        } finally {
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
            ReferenceCountUtil.release(context);
        }
        return keyShareGroup(first.toByteArray());
    }

    /// RFC 8446 §4.1.3: record, message header, version, random, session, cipher, compression, extensions.
    private static String keyShareGroup(byte[] records) {
        ByteBuffer hello = ByteBuffer.wrap(records).position(5 + 4 + 2 + 32);
        hello.position(hello.position() + 1 + hello.get(hello.position()) + 2 + 1 + 2);
        while (true) {
            int type = hello.getShort();
            int length = hello.getShort();
            if (type == 51) {
                return HexFormat.of().toHexDigits(hello.getShort());
            }
            hello.position(hello.position() + length);
        }
    }

    // ---- identities that change

    @Test
    void nextHandshakeSeesTheNewIdentityAndAnOpenConnectionKeepsItsOwn() throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        try (SSLSocket before = secured(server, "site.example")) {
            server.contexts.serve(Identities.selfSigned("new.example"), List.of());
            assertThat(answer(before)).contains("site.example");
            try (SSLSocket after = secured(server, "site.example")) {
                assertThat(answer(after)).contains("new.example").doesNotContain("site.example");
            }
            assertThat(answer(before)).contains("site.example");
        }
    }

    /// Each set has two identities that carry its number, each with a chain of its own. A client checks that what it is shown
    /// is of one set, for the name that it asked for, and belongs to the key that signed: the JDK does the latter.
    @Test
    void sustainedHandshakesSeeCompleteIdentitiesAcross100Changes() throws Exception {
        int changes = 100;
        TlsServer server = new TlsServer(TlsServer.SETTINGS);
        resources.add(server);
        List<Identity> sites = new ArrayList<>();
        List<Identity> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            sites.add(Identities.selfSigned("site.example", "set-" + i + ".example"));
            others.add(Identities.selfSigned("other.example", "set-" + i + ".example"));
        }
        change(server, sites, others, 0);
        AtomicInteger handshakes = new AtomicInteger();
        Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
        List<Thread> clients = new ArrayList<>();
        for (String name : List.of("site.example", "other.example")) {
            clients.add(Thread.ofPlatform().start(() -> {
                while (!Thread.currentThread().isInterrupted() && wrong.isEmpty()) {
                    try (SSLSocket socket = secured(server, name)) {
                        X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
                        List<Identity> possible = name.startsWith("site") ? sites : others;
                        assertThat(possible).anySatisfy(
                                identity -> assertThat(identity.chain().getFirst()).isEqualTo(shown));
                        handshakes.incrementAndGet();
                    } catch (Exception | AssertionError e) {
                        wrong.add(e);
                    }
                }
            }));
        }
        for (int i = 1; i <= changes; i++) {
            int seen = handshakes.get();
            change(server, sites, others, i % sites.size());
            await().pollInterval(Duration.ofMillis(1)).until(() -> handshakes.get() > seen || !wrong.isEmpty());
        }
        clients.forEach(Thread::interrupt);
        for (Thread client : clients) {
            client.join(TIMEOUT_MILLIS);
        }
        assertThat(wrong).isEmpty();
        assertThat(handshakes.get()).isGreaterThanOrEqualTo(changes);
        await().untilAsserted(() -> assertThat(server.openChannels()).isZero());
    }

    private static void change(TlsServer server, List<Identity> sites, List<Identity> others, int to) throws Exception {
        server.contexts.serve(sites.get(to), List.of(new NamedIdentity(others.get(to), others.get(to).names())));
    }

    @Test
    void nativeMemoryOfAReplacedIdentityGoesWithItsLastConnection() throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        IdentityContext replaced = server.contexts.acquire(null);
        replaced.release();
        try (SSLSocket open = secured(server, "site.example")) {
            server.contexts.serve(Identities.selfSigned("new.example"), List.of());
            assertThat(answer(open)).contains("site.example");
            assertThat(replaced.acquire()).as("for a handshake").isFalse();
            assertThat(replaced.isThere()).as("kept by the connection").isTrue();
        }
        await().untilAsserted(() -> assertThat(replaced.isThere()).isFalse());
    }

    // ---- what a connection knows

    @Test
    void connectionKnowsTheHostsOfItsIdentity() throws Exception {
        TlsServer server = serving(TlsServer.SETTINGS);
        try (SSLSocket socket = secured(server, "site.example")) {
            assertThat(answer(socket)).contains("version 1.3, resumed false");
            TlsConnection connection = server.connections.element();
            for (int i = 0; i < 2; i++) {
                assertThat(connection.isFor(HostMemoTest.head("site.example"))).isTrue();
                assertThat(connection.isFor(HostMemoTest.head("localhost:8443"))).isTrue();
                assertThat(connection.isFor(HostMemoTest.head("else.example"))).isFalse();
            }
            assertThat(connection.isFor(new RequestHead())).isTrue();
            assertThat(connection.clientCertificate()).isEmpty();
        }
    }

    private TlsServer serving(TlsSettings settings) throws Exception {
        TlsServer server = new TlsServer(settings);
        resources.add(server);
        server.contexts.serve(Identities.selfSigned("site.example"), List.of());
        return server;
    }

    private static Socket connect(TlsServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private static void send(Socket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /// Reads to the end, or to a reset: what was sent last may not have been read any more.
    private static boolean endOf(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        try {
            while (in.read() >= 0) {
                // Alerts and the server's part of a handshake are not what is asked about.
            }
            return true;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static String answer(SSLSocket socket) throws IOException {
        socket.getOutputStream().write("say\n".getBytes(StandardCharsets.US_ASCII));
        StringBuilder line = new StringBuilder();
        for (int c = socket.getInputStream().read(); c != '\n'; c = socket.getInputStream().read()) {
            assertThat(c).as("a line that ends; so far: %s", line).isNotNegative();
            line.append((char) c);
        }
        return line.toString();
    }

    /// A connection of the JDK's TLS, which trusts everybody and verifies that the certificate's key signed.
    private static SSLSocket secured(TlsServer server, String name) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(),
                server.port());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(name)));
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /// A message that says it is a ClientHello of so many bytes, and has them.
    private static byte[] hello(int bytes) {
        return ByteBuffer.allocate(4 + bytes).putInt(1 << 24 | bytes).putShort((short) 0x0303).array();
    }

    private static byte[] realHello(String name, String... protocols) throws Exception {
        return ClientHelloTest.message(name, protocols);
    }

    /// A message in records of at most so many bytes.
    private static byte[] records(byte[] message, int recordBytes) {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int at = 0; at < message.length; at += recordBytes) {
            int length = Math.min(recordBytes, message.length - at);
            records.writeBytes(new byte[]{HANDSHAKE, 3, 1, (byte) (length >> 8), (byte) length});
            records.write(message, at, length);
        }
        return records.toByteArray();
    }
}
