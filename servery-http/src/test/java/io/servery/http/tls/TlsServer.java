package io.servery.http.tls;

import static org.awaitility.Awaitility.await;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.servery.core.config.KeyGroup;
import io.servery.core.tls.TicketKeys;
import io.servery.core.config.TlsVersion;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/// A server that answers over TLS what it knows of the connection, one line a request line, until the client ends or asks
/// for `GET`.
final class TlsServer implements TlsListener, AutoCloseable {
    static final TlsSettings SETTINGS = settings(TlsVersion.TLS_1_2, new ClientCertificates.Off());

    final TlsContexts contexts;
    final TicketKeys keys;
    final Queue<TlsFailure> failures = new ConcurrentLinkedQueue<>();
    final Queue<TlsVersion> offers = new ConcurrentLinkedQueue<>();
    final Queue<TlsConnection> connections = new ConcurrentLinkedQueue<>();
    final Queue<TlsVersion> validations = new ConcurrentLinkedQueue<>();
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final Channel listening;

    TlsServer(TlsSettings settings, TicketKeys keys) throws InterruptedException {
        this.keys = keys;
        contexts = new TlsContexts(settings, keys.accepted());
        listening = new ServerBootstrap().group(group).channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        open.add(channel);
                        channel.closeFuture().addListener(_ -> open.remove(channel));
                        contexts.secure(channel.pipeline(), TlsServer.this);
                    }
                }).bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).sync().channel();
    }

    TlsServer(TlsSettings settings) throws InterruptedException {
        this(settings, newKeys());
    }

    static TicketKeys newKeys() {
        return TicketKeys.first(Instant.now(), new SecureRandom());
    }

    static TlsSettings settings(TlsVersion minimum, ClientCertificates clients) {
        return new TlsSettings(minimum, List.of(KeyGroup.X25519_MLKEM768, KeyGroup.X25519, KeyGroup.P_256), clients,
                Duration.ofMinutes(1), List.of("http/1.1", "http/1.0"));
    }

    int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    String address() {
        return "127.0.0.1:" + port();
    }

    int openChannels() {
        return open.size();
    }

    @Override
    public void begun(Channel channel) {
        // Its end is told of, too.
    }

    @Override
    public void secured(Channel channel, TlsConnection connection) {
        connections.add(connection);
        channel.pipeline().addLast(new SimpleChannelInboundHandler<ByteBuf>() {
            private final StringBuilder unread = new StringBuilder();

            @Override
            protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
                unread.append(bytes.toString(StandardCharsets.ISO_8859_1));
                for (int end = unread.indexOf("\n"); end >= 0; end = unread.indexOf("\n")) {
                    answer(context, unread.substring(0, end), connection);
                    unread.delete(0, end + 1);
                }
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                context.close();
            }
        });
    }

    private static void answer(ChannelHandlerContext context, String line, TlsConnection connection) {
        String said = "shown " + connection.identity().names() + ", version " + connection.version().word()
                + ", resumed " + connection.resumed() + ", protocol " + connection.protocol().orElse("none")
                + ", client " + connection.clientCertificate()
                        .map(certificate -> certificate.getSubjectX500Principal().getName()).orElse("none")
                + "\n";
        if (line.startsWith("GET")) {
            context.writeAndFlush(ascii("HTTP/1.0 200 OK\r\n\r\n" + said)).addListener(ChannelFutureListener.CLOSE);
        } else if (!line.isBlank()) {
            context.writeAndFlush(ascii(said));
        }
    }

    private static ByteBuf ascii(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    @Override
    public void validated(Channel channel, TlsVersion version) {
        validations.add(version);
    }

    @Override
    public void failed(Channel channel, TlsFailure failure, Optional<TlsVersion> offered) {
        failures.add(failure);
        offered.ifPresent(offers::add);
    }

    @Override
    public void close() {
        listening.close().syncUninterruptibly();
        open.forEach(channel -> channel.close().syncUninterruptibly());
        await().until(open::isEmpty);
        contexts.close();
        group.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
