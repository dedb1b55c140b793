package io.servery.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.servery.core.metric.MetricSnapshot;
import io.servery.core.metric.Transport;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.Handler;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/// As `Peer`, over TLS: the other end is a client of the JDK's TLS, whose bytes are carried by hand.
///
/// *Invariant:* as of `Peer`.
final class SecurePeer implements AutoCloseable {
    final EmbeddedDuplexChannel channel = new EmbeddedDuplexChannel();
    final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    final SecureService service;
    private final EmbeddedChannel client;
    private final StringBuilder received = new StringBuilder();
    private int pieceBytes = Integer.MAX_VALUE;
    private boolean closeNotified;
    private boolean bugsExpected;

    SecurePeer(Handler handler) {
        this(handler, Duration.ZERO, "TLSv1.3");
    }

    SecurePeer(Handler handler, Duration strictTransport, String version) {
        this(handler, strictTransport, version, Integer.MAX_VALUE);
    }

    /// @param pieceBytes how many bytes of the client's arrive at a time
    SecurePeer(Handler handler, Duration strictTransport, String version, int pieceBytes) {
        this.pieceBytes = pieceBytes;
        service = new SecureService(handler, Peer.LIMITS, strictTransport);
        channel.config().setAllocator(allocator);
        service.contexts.secure(channel.pipeline(), service);
        try {
            channel.register();
            client = new EmbeddedChannel(SslContextBuilder.forClient().sslProvider(SslProvider.JDK)
                    .trustManager(InsecureTrustManagerFactory.INSTANCE).protocols(version)
                    .endpointIdentificationAlgorithm(null).build()
                    .newHandler(UnpooledByteBufAllocator.DEFAULT, "site.example", 443), new Received());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        carry();
        assertThat(service.last).as("the handshake is done").isNotNull();
    }

    Http1Connection connection() {
        return Objects.requireNonNull(service.last);
    }

    SecurePeer send(String bytes) {
        client.writeOutbound(Unpooled.copiedBuffer(bytes, ISO_8859_1));
        return carry();
    }

    /// Sends bytes that are not encrypted.
    SecurePeer sendBare(byte[] bytes) {
        arrive(bytes);
        return carry();
    }

    /// Says that nothing more comes: close_notify, without the end of the socket's half.
    SecurePeer endTls() {
        client.pipeline().get(SslHandler.class).closeOutbound();
        return carry();
    }

    /// Ends the socket's half without a word of TLS.
    SecurePeer endInput() {
        channel.endInput();
        return carry();
    }

    /// Brings what each end has sent to the other, until both are silent.
    SecurePeer carry() {
        boolean moved = true;
        while (moved) {
            channel.runPendingTasks();
            byte[] out = outbound(client);
            arrive(out);
            byte[] back = outbound(channel);
            if (back.length > 0) {
                client.writeInbound(Unpooled.wrappedBuffer(back));
            }
            moved = out.length + back.length > 0;
        }
        return this;
    }

    private void arrive(byte[] bytes) {
        for (int at = 0; at < bytes.length && channel.isOpen(); at += pieceBytes) {
            int length = Math.min(pieceBytes, bytes.length - at);
            channel.writeInbound((Object) allocator.directBuffer(length).writeBytes(bytes, at, length));
            if (pieceBytes == Integer.MAX_VALUE) {
                return;
            }
        }
    }

    private static byte[] outbound(EmbeddedChannel from) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Object message = from.readOutbound(); message != null; message = from.readOutbound()) {
            ByteBuf part = (ByteBuf) message;
            byte[] copy = new byte[part.readableBytes()];
            part.readBytes(copy);
            bytes.writeBytes(copy);
            part.release();
        }
        return bytes.toByteArray();
    }

    SecurePeer advance(Duration time) {
        for (long left = time.toMillis(); left > 0; left -= 100) {
            channel.ticker.advance(Math.min(100, left), TimeUnit.MILLISECONDS);
            carry();
        }
        return this;
    }

    /// Everything decrypted since the last call.
    String answers() {
        carry();
        String all = received.toString();
        received.setLength(0);
        return all;
    }

    List<Integer> statuses() {
        return Pattern.compile("HTTP/1\\.1 (\\d{3}) ").matcher(answers()).results()
                .map(match -> Integer.valueOf(match.group(1))).toList();
    }

    /// Whether the server has said in TLS that nothing more comes.
    boolean closeNotified() {
        carry();
        return closeNotified;
    }

    /// Whether the server has ended its half of the socket.
    boolean ended() {
        return channel.isOutputShutdown() || !channel.isOpen();
    }

    MetricSnapshot metrics() {
        return service.registry.snapshot();
    }

    long rejections(Reason reason) {
        return metrics().rejections(reason, Transport.H1);
    }

    SecurePeer expectBugs() {
        bugsExpected = true;
        return this;
    }

    @Override
    public void close() {
        String _ = answers();
        channel.finishAndReleaseAll();
        channel.checkException();
        client.finishAndReleaseAll();
        service.close();
        assertThat(metrics().requestsInFlight(Transport.H1)).as("requests in flight").isZero();
        assertThat(metrics().connectionsActive(Transport.H1)).as("connections").isZero();
        assertThat(allocator.metric().usedHeapMemory() + allocator.metric().usedDirectMemory())
                .as("bytes of buffers not given back").isZero();
        if (!bugsExpected) {
            assertThat(service.bugs).isEmpty();
        }
    }

    private final class Received extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            received.append(bytes.toString(ISO_8859_1));
            bytes.release();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            closeNotified |= event instanceof SslCloseCompletionEvent end && end.isSuccess();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            assertThat(cause).hasRootCauseInstanceOf(SSLException.class);
        }
    }
}
