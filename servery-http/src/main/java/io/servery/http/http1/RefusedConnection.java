package io.servery.http.http1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import io.servery.core.metric.Transport;
import io.servery.http.exchange.Refusal;
import io.servery.http.exchange.RefusalPages;
import io.servery.http.exchange.ResponsePlan;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/// Tells a peer at once that there is no room for its connection, and closes without a reset: what the peer sends is read
/// and dropped for a moment. Past a bound of such connections the channel is just closed.
///
/// *Owner:* the event loop of the connection.
public final class RefusedConnection extends ChannelInboundHandlerAdapter {
    /// So many refused connections of one event loop may linger at a time.
    static final int LINGERING_MAX = 256;

    private static final byte[] END = "Connection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final long PATIENCE_MILLIS = 1000;

    private final Refusal refusal;
    private final RefusalPages pages;
    private final LoopResources loop;
    private boolean lingering;

    public RefusedConnection(Refusal refusal, RefusalPages pages, LoopResources loop) {
        this.refusal = refusal;
        this.pages = pages;
        this.loop = loop;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        loop.shard().rejected(refusal.reason(), Transport.H1);
        if (loop.refusedLingering() >= LINGERING_MAX) {
            var _ = ctx.close();
            return;
        }
        lingering = true;
        loop.refusedLingers(1);
        ctx.writeAndFlush(answer()).addListener(_ -> {
            var _ = ((DuplexChannel) ctx.channel()).shutdownOutput();
        });
        var _ = ctx.executor().schedule(() -> {
            var _ = ctx.close();
        }, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private ByteBuf answer() {
        ResponsePlan.Bytes plan = pages.plan(refusal);
        return Unpooled.wrappedBuffer(plan.head().http1(), loop.dateLine().clone(), END, plan.content());
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (lingering) {
            lingering = false;
            loop.refusedLingers(-1);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            var _ = ctx.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        var _ = ctx.close();
    }
}
