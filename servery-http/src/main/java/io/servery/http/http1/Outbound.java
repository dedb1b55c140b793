package io.servery.http.http1;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import org.jspecify.annotations.Nullable;

/// What a channel was handed and its socket has not taken.
///
/// *Owner:* the event loop of the channel.
record Outbound(Channel channel) {
    /// Whether the socket has everything. What TLS has not encrypted yet is among the pending bytes.
    boolean isEmpty() {
        ChannelOutboundBuffer buffer = buffer();
        return buffer == null || buffer.isEmpty() && buffer.totalPendingWriteBytes() == 0;
    }

    /// A number that changes whenever the socket has taken anything of what waits.
    long mark() {
        ChannelOutboundBuffer buffer = buffer();
        return buffer == null
                ? 0
                : buffer.totalPendingWriteBytes() + 31 * buffer.currentProgress() + 127L * buffer.size();
    }

    /// Null when the channel's output is shut.
    private @Nullable ChannelOutboundBuffer buffer() {
        return channel.unsafe().outboundBuffer();
    }
}
