package io.servery.netty.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.servery.core.config.StaticFiles.Symlinks;
import io.servery.netty.files.open.Descriptors;
import io.servery.netty.files.open.Opened;
import io.servery.netty.files.open.OpenedFile;
import io.servery.netty.files.open.Root;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The channel of an opened file goes through Netty's sendfile(2), which takes the descriptor out of it in native code.
class SendfileTest {
    @TempDir
    Path directory;

    @Test
    void openedFileIsSentByEpollsSendfile() throws Exception {
        assumeThat(Epoll.isAvailable()).isTrue();
        byte[] content = new byte[3_000_000];
        new Random(1).nextBytes(content);
        Files.write(directory.resolve("large"), content);
        MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        try (Root root = Root.open(directory, Symlinks.INSIDE)) {
            OpenedFile file = ((Opened.File) root.open("large")).file();
            Channel server = new ServerBootstrap().group(loops).channel(EpollServerSocketChannel.class)
                    .childHandler(new Sender(file, content.length)).bind(InetAddress.getLoopbackAddress(), 0).sync()
                    .channel();
            try (Socket client = new Socket()) {
                client.connect(server.localAddress() instanceof InetSocketAddress address ? address : null);
                assertThat(client.getInputStream().readAllBytes()).isEqualTo(content);
            } finally {
                server.close().sync();
            }
            assertThat(Descriptors.beneath(directory.toRealPath())).hasSize(1);
        } finally {
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        }
    }

    private static final class Sender extends ChannelInboundHandlerAdapter {
        private final OpenedFile file;
        private final int length;

        Sender(OpenedFile file, int length) {
            this.file = file;
            this.length = length;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            DefaultFileRegion region = new DefaultFileRegion(file.channel(), 0, length) {
                @Override
                protected void deallocate() {
                    file.close();
                }
            };
            ctx.writeAndFlush(region).addListener(ChannelFutureListener.CLOSE);
        }
    }
}
