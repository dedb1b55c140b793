package io.servery.netty.worker;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.unix.DomainSocketChannel;
import io.servery.core.metric.MetricShard;
import io.servery.core.metric.Transport;
import io.servery.core.reason.Reason;
import io.servery.http.exchange.Refusal;
import io.servery.http.http1.RefusedConnection;
import io.servery.netty.admission.ConnectionAdmission;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Accepts the connections of one listening socket and gives each to the event loop that will serve it.
///
/// In place of Netty's own acceptor, which stops reading for a second after an error and then starts again on its own,
/// whatever a drain or a release has decided meanwhile.
///
/// *Owner:* the event loop of the listening socket. *Invariant:* nothing is read unless `read` asked for it last.
final class Acceptor extends ChannelInboundHandlerAdapter {
    private static final long PAUSE_MILLIS = 100;
    /// A drain leaves the socket after this long without a new connection: what had been queued is accepted by then.
    private static final long QUIET_MILLIS = 20;
    private static final int QUIET_TICKS_MAX = 10;

    private final List<Loop> loops;
    private final ConnectionAdmission admission;
    private final Consumer<Throwable> acceptErrors;
    private int next;
    private boolean reading;
    private boolean acceptedSinceTick;

    /// @param loops where connections go, in turn; the first is the loop of the socket
    /// @param acceptErrors told when a connection could not be accepted
    Acceptor(List<Loop> loops, ConnectionAdmission admission, Consumer<Throwable> acceptErrors) {
        this.loops = loops;
        this.admission = admission;
        this.acceptErrors = acceptErrors;
    }

    /// The event loop of the socket.
    EventLoop eventLoop() {
        return loops.getFirst().eventLoop();
    }

    /// Accepts from now on, or accepts nothing more.
    void read(Channel socket, boolean on) {
        reading = on;
        if (socket.isOpen()) {
            socket.config().setAutoRead(on);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Channel child = (Channel) message;
        Loop loop = loops.get(next);
        next = next + 1 == loops.size() ? 0 : next + 1;
        acceptedSinceTick = true;
        child.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        if (!(child instanceof DomainSocketChannel)) {
            child.config().setOption(ChannelOption.TCP_NODELAY, true);
        }
        SocketAddress peer = child.remoteAddress();
        Refusal refusal = admission.admit(peer);
        if (refusal == null) {
            child.closeFuture().addListener(_ -> admission.release(peer));
            serve(child, loop);
        } else if (loop.entry() != null) {
            // Nothing can be said before a handshake, which is the very work there is no room for.
            loop.shard().rejected(refusal.reason(), Transport.H1);
            child.unsafe().closeForcibly();
        } else {
            child.pipeline().addLast(new RefusedConnection(refusal, loop.service().refusalPages(), loop.resources()));
            register(child, loop);
        }
    }

    private void serve(Channel child, Loop loop) {
        loop.serve(child);
        register(child, loop);
    }

    private static void register(Channel child, Loop loop) {
        loop.eventLoop().register(child).addListener(done -> {
            if (!done.isSuccess()) {
                child.unsafe().closeForcibly();
            }
        });
    }

    /// No descriptor, no memory: trying again at once would only spin. Connections wait in the socket's queue meanwhile.
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        MetricShard shard = loops.getFirst().shard();
        shard.rejected(Reason.DESCRIPTOR_CAPACITY, Transport.H1);
        acceptErrors.accept(cause);
        if (reading && ctx.channel().isOpen() && ctx.channel().config().isAutoRead()) {
            ctx.channel().config().setAutoRead(false);
            var _ = ctx.executor().schedule(() -> resume(ctx.channel()), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void resume(Channel socket) {
        if (reading && socket.isOpen()) {
            socket.config().setAutoRead(true);
        }
    }

    /// Accepts what is queued, then nothing more. On its event loop.
    ///
    /// @param quiet told then, with whether the socket was read at all
    void drain(Channel socket, Consumer<Boolean> quiet) {
        if (!reading) {
            quiet.accept(false);
            return;
        }
        acceptedSinceTick = false;
        tick(socket, QUIET_TICKS_MAX, quiet);
    }

    private void tick(Channel socket, int ticksLeft, Consumer<Boolean> quiet) {
        var _ = socket.eventLoop().schedule(() -> {
            if (acceptedSinceTick && ticksLeft > 0) {
                acceptedSinceTick = false;
                tick(socket, ticksLeft - 1, quiet);
            } else {
                read(socket, false);
                quiet.accept(true);
            }
        }, QUIET_MILLIS, TimeUnit.MILLISECONDS);
    }
}
