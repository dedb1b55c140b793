package io.servery.http.http1;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;

/// An embedded channel whose halves close apart, whose peer may stop taking bytes, and whose clock is moved by hand.
final class EmbeddedDuplexChannel extends EmbeddedChannel implements DuplexChannel {
    final MockTicker ticker;
    private boolean blocked;
    private boolean inputShutdown;
    private boolean outputShutdown;

    EmbeddedDuplexChannel() {
        this(Ticker.newMockTicker());
    }

    private EmbeddedDuplexChannel(MockTicker ticker) {
        super(builder().register(false).ticker(ticker));
        this.ticker = ticker;
    }

    /// The peer takes nothing, or takes again.
    void block(boolean on) {
        blocked = on;
        if (!on) {
            unsafe().flush();
        }
    }

    /// The peer has ended its side.
    void endInput() {
        inputShutdown = true;
        pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    }

    /// The peer is gone.
    void disconnectByPeer() {
        var _ = close();
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer in) throws Exception {
        if (!blocked) {
            super.doWrite(in);
        }
    }

    @Override
    public boolean isInputShutdown() {
        return inputShutdown;
    }

    @Override
    public ChannelFuture shutdownInput() {
        return shutdownInput(newPromise());
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        inputShutdown = true;
        return promise.setSuccess();
    }

    @Override
    public boolean isOutputShutdown() {
        return outputShutdown;
    }

    @Override
    public ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        outputShutdown = true;
        return promise.setSuccess();
    }

    @Override
    public boolean isShutdown() {
        return inputShutdown && outputShutdown;
    }

    @Override
    public ChannelFuture shutdown() {
        return shutdown(newPromise());
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        inputShutdown = true;
        return shutdownOutput(promise);
    }
}
