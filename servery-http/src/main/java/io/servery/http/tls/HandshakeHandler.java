package io.servery.http.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.internal.tcnative.SSL;
import io.netty.util.ReferenceCountUtil;
import io.servery.core.config.TlsVersion;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Waits behind TLS for the end of the handshake, tells it once, and goes.
///
/// *Owner*: the event loop. *Invariant*: a handshake that has not ended by its deadline, counted from accept, ends there.
final class HandshakeHandler extends ChannelInboundHandlerAdapter {
    private final Duration timeout;
    private final TlsListener listener;
    private @Nullable Future<?> deadline;
    private @Nullable IdentityContext identity;
    private @Nullable SslHandler handler;
    private @Nullable TlsVersion offered;
    private boolean validation;
    private boolean told;

    HandshakeHandler(Duration timeout, TlsListener listener) {
        this.timeout = timeout;
        this.listener = listener;
    }

    /// The client has said what it speaks.
    ///
    /// @param version the newest of those spoken here, if any
    void offered(@Nullable TlsVersion version) {
        offered = version;
    }

    /// The client has said whom it asks for.
    ///
    /// @param validates whether it is a certificate authority, which wants to see the certificate and nothing else
    void begins(IdentityContext asked, SslHandler by, boolean validates) {
        identity = asked;
        handler = by;
        validation = validates;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        if (context.channel().isActive()) {
            begin(context);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        begin(context);
        context.fireChannelActive();
    }

    private void begin(ChannelHandlerContext context) {
        if (deadline == null) {
            listener.begun(context.channel());
            deadline = context.executor().schedule(() -> {
                failed(context.channel(), TlsFailure.TIMED_OUT);
                var _ = context.channel().close();
            }, timeout.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            failed(context.channel(), TlsFailure.LEFT); // half of a connection does not finish a handshake
            var _ = context.channel().close();
        } else if (!(event instanceof SslHandshakeCompletionEvent end)) {
            context.fireUserEventTriggered(event);
        } else if (end.isSuccess()) {
            secured(context);
        } else {
            failed(context.channel(), failure(end.cause()));
        }
    }

    private void secured(ChannelHandlerContext context) {
        IdentityContext shown = identity;
        SslHandler by = handler;
        if (told || shown == null || by == null) {
            return;
        }
        told = true;
        stopClock();
        TlsVersion version = by.engine().getSession().getProtocol().equals(TlsVersion.TLS_1_3.protocol())
                ? TlsVersion.TLS_1_3
                : TlsVersion.TLS_1_2;
        if (validation) {
            listener.validated(context.channel(), version);
            var _ = context.close(); // RFC 8737 §4: nothing is said inside
            return;
        }
        boolean resumed = SSL.isSessionReused(((ReferenceCountedOpenSslEngine) by.engine()).sslPointer());
        context.pipeline().remove(this);
        listener.secured(context.channel(), new TlsConnection(shown, by, version, resumed));
    }

    /// There will be no connection; told once.
    void failed(Channel channel, TlsFailure failure) {
        if (!told) {
            told = true;
            stopClock();
            listener.failed(channel, failure, Optional.ofNullable(offered));
        }
    }

    private static TlsFailure failure(Throwable cause) {
        return switch (cause) {
            case TooLongFrameException _ -> TlsFailure.HELLO_TOO_LARGE;
            case NotSslRecordException _ -> TlsFailure.NOT_TLS;
            case ClosedChannelException _ -> TlsFailure.LEFT;
            case DecoderException wrapping when wrapping.getCause() != null -> failure(wrapping.getCause());
            default -> TlsFailure.REFUSED;
        };
    }

    private void stopClock() {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ReferenceCountUtil.release(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        failed(context.channel(), TlsFailure.LEFT);
        context.fireChannelInactive();
    }

    /// What TLS throws was told as the end of the handshake, or is told now.
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failed(context.channel(), failure(cause));
        var _ = context.close();
    }
}
