package io.servery.http.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.servery.core.metric.Transport;
import io.servery.http.exchange.Handler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// A `SecureService` on a socket, read into the shared buffers of its one event loop.
///
/// *Invariant:* when it is closed, every connection has gone, every file is closed and every buffer given back.
public final class SecureServer implements AutoCloseable {
    public static final Duration STRICT_TRANSPORT = Duration.ofDays(1);
    private static final int TIMEOUT_MILLIS = 20_000;

    final SecureService service;
    final CountedFiles files = new CountedFiles();
    final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel listening;

    public SecureServer(Handler handler) throws InterruptedException {
        service = new SecureService(handler, Peer.LIMITS, STRICT_TRANSPORT);
        listening = new ServerBootstrap().group(group).channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true).childOption(ChannelOption.ALLOCATOR, allocator)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.config().setRecvByteBufAllocator(service.loop.readBuffers());
                        service.contexts.secure(channel.pipeline(), service);
                    }
                }).bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).sync().channel();
    }

    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    SSLSocket secured(String version) throws Exception {
        return secured(connect(), version);
    }

    /// A connection of the JDK's TLS inside of one of TCP, which it does not close.
    SSLSocket secured(Socket beneath, String version) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(beneath, "site.example", port(), true);
        socket.setEnabledProtocols(new String[]{version});
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.startHandshake();
        return socket;
    }

    long connections() {
        return service.registry.snapshot().connectionsActive(Transport.H1);
    }

    @Override
    public void close() {
        listening.close().syncUninterruptibly();
        await().until(() -> connections() == 0);
        assertThat(service.registry.snapshot().requestsInFlight(Transport.H1)).isZero();
        files.requireAllClosed();
        assertThat(service.bugs).isEmpty();
        group.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
        service.close();
        service.loop.buffers().release(); // where a connection came no further than its handshake
        assertThat(allocator.metric().usedHeapMemory() + allocator.metric().usedDirectMemory())
                .as("bytes of buffers not given back").isZero();
    }
}
