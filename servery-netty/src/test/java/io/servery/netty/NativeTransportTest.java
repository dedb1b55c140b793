package io.servery.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// That Netty's Java classes and native files, which are of different releases, fit together (docs/adr/0001).
@EnabledOnOs(value = OS.LINUX, disabledReason = "epoll is Linux's")
class NativeTransportTest {
    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());

    @AfterEach
    void stop() {
        loops.shutdownGracefully().syncUninterruptibly();
    }

    @Test
    void epollIsAvailable() {
        assertThat(Epoll.unavailabilityCause()).isNull();
        assertThat(Epoll.isAvailable()).isTrue();
    }

    @Test
    void listenerBoundByEpollAnswers() throws Exception {
        Channel server = bootstrap().channel(EpollServerSocketChannel.class)
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).sync().channel();
        assertThat(echoed(((InetSocketAddress) server.localAddress()).getPort())).isEqualTo('x');
        server.close().sync();
    }

    @Test
    void listenerAdoptedByItsDescriptorAnswers() throws Exception {
        Socket bound = Socket.newSocketStream();
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        bound.listen(16);
        int port = bound.localAddress().getPort();
        Channel server = bootstrap().channelFactory(() -> new EpollServerSocketChannel(bound.intValue())).register()
                .sync()
                .channel();
        assertThat(echoed(port)).isEqualTo('x');
        server.close().sync();
    }

    /// The class `Errors` asks the native library for one method an errno; it is first needed where something fails.
    @Test
    void errorPathFindsItsNativeMethods() throws IOException {
        Socket first = Socket.newSocketStream();
        Socket second = Socket.newSocketStream();
        try {
            first.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertThatThrownBy(() -> second.bind(first.localAddress())).isInstanceOfSatisfying(
                    Errors.NativeIoException.class, e -> assertThat(e.expectedErr()).as("EADDRINUSE").isEqualTo(-98));
        } finally {
            first.close();
            second.close();
        }
    }

    private ServerBootstrap bootstrap() {
        return new ServerBootstrap().group(loops).childHandler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                        context.writeAndFlush(message);
                    }
                });
            }
        });
    }

    private static int echoed(int port) throws IOException {
        try (java.net.Socket peer = new java.net.Socket(InetAddress.getLoopbackAddress(), port)) {
            peer.setSoTimeout(10_000);
            peer.getOutputStream().write('x');
            return peer.getInputStream().read();
        }
    }
}
